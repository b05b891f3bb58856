//! The bones: a tree if the file has parents, otherwise a list. Search results are a list too.

use egui::Ui;

use super::bone_rows::bone_rows_ui;
use super::bone_tree::BoneTree;
use crate::ui::search_field::search_field_ui;
use crate::ui::theme::gap;
use crate::ui::tooltips::explained_by_command;
use crate::ui::widgets::{counted_heading_ui, document_id};
use rigscope_state::{Action, AppState, BonesAction, Command, Document};

pub(super) fn bones_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let skeleton = &document.model.skeleton;
    let noun = document.model.bone_noun();
    counted_heading_ui(ui, noun.title(), document.model.num_called(noun));
    if skeleton.is_empty() {
        ui.weak(format!("The file has no {}.", noun.many()));
        return;
    }
    let id = document_id(state, "bones");
    let mut tree: BoneTree = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let name = format!("Search {}", noun.many());
    ui.push_id(id, |ui| {
        search_field_ui(ui, &mut tree.search, &name, &name, f32::INFINITY);
    });
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
