//! The source of the surface colours: a choice with exactly one active entry.

use egui::{ComboBox, Frame, RichText, TextStyle, TextWrapMode, Ui, WidgetText, vec2};

use super::command_button::{command_button_ui, menu_entry_ui};
use super::menu_bar::entries_ui;
use rigscope_core::visual::Switch;
use rigscope_state::{Action, AppState, ColorSource, Command, MENUS};

/// Sources with their own segment; all others share the last one.
const SEGMENTS: [(Command, &str); 3] = [
    (Command::ColorByMaterials, "Textures"),
    (Command::ColorBySubset, "Subsets"),
    (Command::ColorPlain, "Plain"),
];
/// Width of the segments.
const SEGMENTS_WIDTH: f32 = 168.0;
/// Range of widths of the list. Longer names, such as those with a bone's name, are cut.
const LIST_WIDTHS: std::ops::RangeInclusive<f32> = 102.0..=240.0;

/// The width of the choice.
pub(super) fn width(ui: &Ui, state: &AppState, has_segments: bool) -> f32 {
    let gap = 2.0;
    gap + list_width(ui, &list_name(state, has_segments))
        + if has_segments { SEGMENTS_WIDTH } else { 0.0 }
}

/// The text of the list of the other sources.
fn list_name(state: &AppState, has_segments: bool) -> String {
    let name = state.color_source_name().filter(|_| !has_segments || is_in_list(state));
    name.unwrap_or_else(|| if has_segments { "Other".into() } else { "Colour".into() })
}

/// Whether the current source has no segment.
fn is_in_list(state: &AppState) -> bool {
    matches!(state.color_source(), Some(ColorSource::Checker | ColorSource::Coloring(_)))
}

fn list_width(ui: &Ui, name: &str) -> f32 {
    let text = WidgetText::from(name).into_galley(
        ui,
        Some(TextWrapMode::Extend),
        f32::INFINITY,
        TextStyle::Button,
    );
    let spacing = ui.spacing();
    let arrow = spacing.icon_width + spacing.icon_spacing + 2.0 * spacing.button_padding.x;
    (text.size().x + arrow + 1.0).clamp(*LIST_WIDTHS.start(), *LIST_WIDTHS.end())
}

/// The choice as segments, or as a list if they don't fit.
pub(super) fn color_choice_ui(
    ui: &mut Ui,
    state: &AppState,
    has_segments: bool,
    out: &mut Vec<Action>,
) {
    if !has_segments {
        list_ui(ui, state, &list_name(state, false), false, out);
        return;
    }
    let fill = ui.visuals().widgets.inactive.weak_bg_fill;
    let width = width(ui, state, true);
    ui.allocate_ui_with_layout(
        vec2(width, ui.spacing().interact_size.y),
        egui::Layout::left_to_right(egui::Align::Center),
        |ui| {
            ui.set_width(width);
            Frame::new().fill(fill).corner_radius(4.0).show(ui, |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                for (command, name) in SEGMENTS {
                    command_button_ui(ui, state, command, name, out);
                }
                list_ui(ui, state, &list_name(state, true), is_in_list(state), out);
            });
        },
    );
}

fn list_ui(ui: &mut Ui, state: &AppState, name: &str, is_on: bool, out: &mut Vec<Action>) {
    let text = if is_on {
        RichText::new(name).color(ui.visuals().selection.stroke.color)
    } else {
        RichText::new(name)
    };
    if is_on {
        let fill = ui.visuals().selection.bg_fill;
        let widgets = &mut ui.visuals_mut().widgets;
        widgets.inactive.weak_bg_fill = fill;
        widgets.hovered.weak_bg_fill = fill;
    }
    let list = ComboBox::from_id_salt("colours of the surface").width(list_width(ui, name));
    let list = list.truncate();
    let list = list.height(600.0).selected_text(text);
    let response = list.show_ui(ui, |ui| color_menu_ui(ui, state, out)).response;
    let title = state.color_source_name().unwrap_or_else(|| "none".into());
    response
        .on_hover_text(format!("Chooses how the surface is coloured. Current choice: {title}."))
        .accessible_name("Surface colours");
}

/// All colour sources.
pub(super) fn color_menu_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.set_min_width(260.0);
    let menus = MENUS.iter().filter(|menu| menu.name == "Colour");
    menus.for_each(|menu| entries_ui(ui, state, menu, out));
    ui.separator();
    menu_entry_ui(ui, state, Command::switch(Switch::Checker), true, out);
}
