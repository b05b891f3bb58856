//! The source of the surface colours: a choice with exactly one active entry.

use egui::{ComboBox, Frame, RichText, Ui, vec2};

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
/// Width with segments, and without.
pub(super) const WIDTHS: [f32; 2] = [270.0, 104.0];
/// Width of the list of the other sources.
const LIST_WIDTH: f32 = 102.0;

/// The choice as segments, or as a list if they don't fit.
pub(super) fn color_choice_ui(
    ui: &mut Ui,
    state: &AppState,
    has_segments: bool,
    out: &mut Vec<Action>,
) {
    if !has_segments {
        let name = state.color_source_name();
        list_ui(ui, state, name.as_deref().unwrap_or("Colour"), false, out);
        return;
    }
    let fill = ui.visuals().widgets.inactive.weak_bg_fill;
    let width = WIDTHS[0];
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
                let is_other = matches!(
                    state.color_source(),
                    Some(ColorSource::Checker | ColorSource::Coloring(_))
                );
                let name = state.color_source_name().filter(|_| is_other);
                list_ui(ui, state, name.as_deref().unwrap_or("Other"), is_other, out);
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
    let list = ComboBox::from_id_salt("colours of the surface").width(LIST_WIDTH).truncate();
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
