//! The bones: a tree if the file has parents, otherwise a list. Search results are a list too.

use egui::{Id, Key, Modifiers, Response, Ui};

use super::bone_rows::bone_rows_ui;
use super::bone_tree::BoneTree;
use crate::ui::search_field::search_field_ui;
use crate::ui::theme::gap;
use crate::ui::tooltips::explained_by_command;
use crate::ui::widgets::{counted_heading_ui, document_id};
use rigscope_state::{Action, AppState, BonesAction, Command, Document, Selection};

/// A move among the matches by a key in the search field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MatchStep {
    /// Enter selects the current match, and the list gets the focus.
    Choose,
    Next,
    Previous,
}

fn match_step(ui: &Ui, field: &Response) -> Option<MatchStep> {
    // The list, which may get the focus now, must not see the key again.
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    match field.has_focus() {
        true if pressed(Key::ArrowDown) => Some(MatchStep::Next),
        true if pressed(Key::ArrowUp) => Some(MatchStep::Previous),
        false if field.lost_focus() && pressed(Key::Enter) => Some(MatchStep::Choose),
        _ => None,
    }
}

/// Selects a match of the search: the selected one if it matches, its neighbour, or else the first.
fn choose_match(
    ui: &Ui,
    state: &AppState,
    document: &Document,
    tree: &mut BoneTree,
    list: Id,
    step: MatchStep,
    out: &mut Vec<Action>,
) {
    if tree.search.trim().is_empty() {
        return;
    }
    let (rows, _) = tree.rows(document);
    let selected = state.tab.selection.bone();
    let at = rows.iter().position(|row| Some(row.bone) == selected);
    let wanted = match (step, at) {
        (MatchStep::Next, Some(at)) => (at + 1).min(rows.len() - 1),
        (MatchStep::Previous, Some(at)) => at.saturating_sub(1),
        (_, at) => at.unwrap_or(0),
    };
    if let Some(row) = rows.get(wanted) {
        out.push(Action::Select(Selection::Bone(row.bone)));
        if step == MatchStep::Choose {
            ui.memory_mut(|memory| memory.request_focus(list));
        }
    }
}

pub(super) fn bones_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let skeleton = &document.model.skeleton;
    let noun = document.model.bone_noun();
    let (num_bones, num_nodes) = (document.model.num_bones(), document.model.num_nodes());
    let is_mixed = num_bones > 0 && num_nodes > 0;
    let title = if is_mixed { "Bones and nodes" } else { noun.title() };
    counted_heading_ui(ui, title, num_bones + num_nodes);
    if skeleton.is_empty() {
        ui.weak(format!("The file has no {}.", noun.many()));
        return;
    }
    let id = document_id(state, "bones");
    let mut tree: BoneTree = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let name = format!("Search {}", noun.many());
    let field =
        ui.push_id(id, |ui| search_field_ui(ui, &mut tree.search, &name, &name, f32::INFINITY));
    if let Some(step) = match_step(ui, &field.inner) {
        choose_match(ui, state, document, &mut tree, id.with("rows"), step, out);
    }
    if state.tab.view.bones.hides_some() {
        ui.horizontal_wrapped(|ui| {
            let text = format!("Some {} are hidden.", noun.many());
            ui.colored_label(ui.visuals().warn_fg_color, text);
            let link = ui.link(format!("Show all {}", noun.many()));
            if explained_by_command(link, state, Command::ShowAllBones).clicked() {
                out.push(Action::Bones(BonesAction::ShowAll));
            }
        });
    }
    ui.add_space(gap::TIGHT);
    if tree.rows(document).0.is_empty() {
        ui.weak(format!("No {} matches.", noun.one()));
    }
    bone_rows_ui(ui, state, document, &mut tree, id.with("rows"), out);
    ui.data_mut(|data| data.insert_temp(id, tree));
}
