//! Context menus: commands for the object under the pointer, which is selected first.

use egui::{Popup, Response, RichText, Ui};

use super::command_button::menu_entry_ui;
use super::format::count;
use rigscope_state::{Action, AppState, Command, Document, Selection};

/// Maximum width of a title, in points.
const MAX_TITLE_WIDTH: f32 = 260.0;

/// The menu of a row for `selection`.
pub(super) fn row_menu_ui(
    response: &Response,
    state: &AppState,
    selection: Selection,
    out: &mut Vec<Action>,
) {
    if response.secondary_clicked() && state.tab.selection != selection {
        out.push(Action::Select(selection));
    }
    Popup::context_menu(response).show(|ui| selection_entries_ui(ui, state, selection, out));
}

/// The menu of the view, for the selection made by the right click.
pub(super) fn view_menu_ui(response: &Response, state: &AppState, out: &mut Vec<Action>) {
    Popup::context_menu(response).show(|ui| {
        if state.is_selection_pending() {
            ui.weak("…");
        } else {
            selection_entries_ui(ui, state, state.tab.selection, out)
        }
    });
}

/// The name of `selection` and its enabled commands.
pub(super) fn selection_entries_ui(
    ui: &mut Ui,
    state: &AppState,
    selection: Selection,
    out: &mut Vec<Action>,
) {
    let title = state.tab.document.as_ref().and_then(|document| title(document, selection));
    if let Some(title) = title {
        ui.set_max_width(MAX_TITLE_WIDTH);
        ui.add(egui::Label::new(RichText::new(title).strong()).truncate().selectable(false));
    }
    let is_enabled = |command: &&Command| command.is_enabled(state);
    let commands = || selection.commands().iter().copied().flatten().filter(is_enabled);
    let has_ticks = commands().any(|command| command.info().is_switch());
    let mut has_line = false;
    for group in selection.commands() {
        for (number, &command) in group.iter().filter(is_enabled).enumerate() {
            if number == 0 && has_line {
                ui.separator();
            }
            has_line = true;
            menu_entry_ui(ui, state, command, has_ticks, out);
        }
    }
}

fn title(document: &Document, selection: Selection) -> Option<String> {
    Some(match selection {
        Selection::None => return None,
        Selection::Subset(number) => document.subset_name(number),
        Selection::Bone(bone) => document.bone_name(bone),
        Selection::Vertex { mesh, vertex, .. } => {
            format!("Vertex {} of mesh {}", count(vertex.index()), mesh.0)
        }
        Selection::Triangle { mesh, triangle, .. } => {
            format!("Triangle {} of mesh {}", count(triangle as usize), mesh.0)
        }
        Selection::Hull(number) => format!("Hull {}", count(number)),
        Selection::Clip(clip) => document.clip_name(clip.index()),
    })
}
