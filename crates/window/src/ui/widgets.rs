//! Small widgets shared by several panes.

use egui::{Align, Id, Layout, RichText, TextStyle, Ui, WidgetText};

use super::format;
use super::theme::gap;
use rigscope_core::model::{BoneId, display_text};
use rigscope_state::{Action, AppState, Selection};

/// Maximum length of a displayed value.
const MAX_VALUE_CHARS: usize = 400;
/// Maximum length of a displayed message; copying includes everything.
pub(super) const MAX_MESSAGE_CHARS: usize = 1000;

/// An id for egui's memory that is specific to the current document.
pub(super) fn document_id(state: &AppState, name: &str) -> Id {
    let path = state.tab.document.as_ref().and_then(|document| document.origin.path());
    Id::unique((name, state.tab.id(), path))
}

/// The row to scroll to: the selected one, if the selection has changed since the previous frame. `id`
/// belongs to the list.
pub(super) fn changed_selection<T>(ui: &Ui, id: Id, selected: Option<T>) -> Option<T>
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let id = id.with("selected last");
    let last: Option<T> = ui.data(|data| data.get_temp(id)).flatten();
    ui.data_mut(|data| data.insert_temp(id, selected));
    selected.filter(|_| selected != last)
}

/// A heading within a pane.
pub(super) fn heading_ui(ui: &mut Ui, text: &str) {
    ui.add_space(gap::TIGHT);
    ui.label(RichText::new(display_text::name(text)).strong());
}

/// A heading with a number on the right.
pub(super) fn counted_heading_ui(ui: &mut Ui, text: &str, number: usize) {
    ui.add_space(gap::TIGHT);
    ui.horizontal(|ui| {
        ui.label(RichText::new(text).strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.weak(format::count(number));
        });
    });
}

/// A link that selects `bone`.
pub(super) fn bone_link_ui(ui: &mut Ui, name: &str, bone: BoneId, out: &mut Vec<Action>) {
    if ui.link(name).on_hover_text("Selects this bone.").clicked() {
        out.push(Action::Select(Selection::Bone(bone)));
    }
}

/// A right-aligned number or column heading.
pub(super) fn at_right_ui(ui: &mut Ui, text: impl Into<WidgetText>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add(egui::Label::new(text).selectable(false));
    });
}

/// Names on the left, values on the right, or below the names if they don't fit.
pub(super) fn facts_ui(ui: &mut Ui, facts: &[(&str, String)]) {
    /// Narrower values would break within words.
    const MIN_VALUE: f32 = 108.0;
    let names: Vec<_> = facts.iter().map(|(name, _)| *name).collect();
    if ui.available_width() - name_width(ui, &names) < MIN_VALUE {
        facts.iter().for_each(|fact| narrow_fact_ui(ui, fact));
        return;
    }
    named_rows_ui(ui, &names, |ui, row| {
        let value = facts.get(row).map_or("", |(_, value)| value);
        ui.add(egui::Label::new(display_text::shortened(value, MAX_VALUE_CHARS)).wrap());
    });
}

/// Rows of a name and the content of `value_ui`, which is aligned in all rows.
pub(super) fn named_rows_ui(ui: &mut Ui, names: &[&str], mut value_ui: impl FnMut(&mut Ui, usize)) {
    let width = name_width(ui, names);
    // Not a grid, because its rows would keep the height of an earlier, narrower pass.
    for (row, name) in names.iter().enumerate() {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let name = ui.weak(display_text::name(name));
            ui.add_space(width + gap::LARGE - name.rect.width());
            value_ui(ui, row);
        });
    }
}

/// The width of the widest name.
fn name_width(ui: &Ui, names: &[&str]) -> f32 {
    let width = |name: &&str| {
        let name = WidgetText::from(&*display_text::name(name));
        name.into_galley(ui, None, f32::INFINITY, TextStyle::Body).size().x
    };
    names.iter().map(width).fold(0.0, f32::max)
}

/// A name with its value at the right end of the line, or on a separate line; a tooltip shows a truncated
/// value.
fn narrow_fact_ui(ui: &mut Ui, (name, value): &(&str, String)) {
    let value = display_text::shortened(value, MAX_VALUE_CHARS);
    let name = RichText::new(display_text::name(name)).weak();
    let width =
        |text: WidgetText| text.into_galley(ui, None, f32::INFINITY, TextStyle::Body).size().x;
    let is_short =
        width(name.clone().into()) + width((&*value).into()) + 8.0 < ui.available_width();
    let value = egui::Label::new(value).truncate();
    if is_short {
        ui.horizontal_top(|ui| {
            ui.label(name);
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| ui.add(value));
        });
    } else {
        ui.add(egui::Label::new(name).truncate());
        ui.with_layout(Layout::top_down(Align::Max), |ui| ui.add(value));
    }
}

/// A matrix of three rows, in digits of equal width.
pub(super) fn matrix_ui(ui: &mut Ui, title: &str, rows: [[f32; 4]; 3]) {
    ui.add(egui::Label::new(RichText::new(title).weak()).wrap());
    columns_ui(ui, &rows);
    ui.add_space(gap::SMALL);
}

/// Rows of up to four numbers, right-aligned in columns of the same width throughout a pane. A narrow pane
/// uses a smaller font instead of truncating.
pub(super) fn columns_ui<const N: usize>(ui: &mut Ui, rows: &[[f32; N]]) {
    const COLUMN_CHARS: usize = 9;
    /// A digit's width as a share of its height, with some spacing.
    const DIGIT_SHARE: f32 = 0.61;
    let size = ui.available_width() / (4.0 * COLUMN_CHARS as f32 * DIGIT_SHARE);
    let column = |value| {
        let text = format::matrix_number(value);
        // Columns are separated by a space.
        if text.len() < COLUMN_CHARS {
            format!("{text:>COLUMN_CHARS$}")
        } else {
            format!("{:>COLUMN_CHARS$}", format!("{value:.1e}"))
        }
    };
    let lines: Vec<String> = rows.iter().map(|row| row.map(column).concat()).collect();
    let text = RichText::new(lines.join("\n")).monospace().size(size.clamp(6.5, 10.5));
    ui.add(egui::Label::new(text).extend());
}

/// A card that floats over the view.
pub(super) fn card(ui: &Ui) -> egui::Frame {
    egui::Frame::window(ui.style()).inner_margin(12.0).corner_radius(8.0)
}
