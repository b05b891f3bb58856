//! A bone and its matrices in the pose shown.

use egui::Ui;

use crate::model::{BoneId, Skin};
use crate::state::{Action, AppState, Command, Document, Selection};
use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::{count, matrix_rows};
use crate::ui::widgets::{facts_ui, heading_ui, matrix_ui};

pub(super) fn bone_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    bone: BoneId,
    out: &mut Vec<Action>,
) {
    let skeleton = &document.model.skeleton;
    let Some(info) = skeleton.bones().get(bone.index()) else {
        return;
    };
    heading_ui(ui, &skeleton.display_name(bone));
    let children = skeleton.bones().iter().filter(|b| b.parent == Some(bone));
    let mut facts = vec![("Number", bone.0.to_string())];
    if skeleton.has_hierarchy() {
        facts.push(("Children", count(children.count())));
    }
    let moves = if document.is_used(bone) { "yes" } else { "no" };
    facts.push(("Moves vertices", moves.to_owned()));
    facts_ui(ui, "bone facts", &facts);
    if let Some(parent) = info.parent {
        ui.horizontal(|ui| {
            ui.weak("Parent");
            if ui.link(skeleton.display_name(parent)).clicked() {
                out.push(Action::Select(Selection::Bone(parent)));
            }
        });
    } else if skeleton.has_hierarchy() {
        ui.weak("A root: it has no parent.");
    } else {
        ui.weak("The file stores no parents.");
    }
    ui.horizontal(|ui| {
        framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
    });
    ui.add_space(6.0);
    matrices_ui(ui, state, document, bone);
}

fn matrices_ui(ui: &mut Ui, state: &AppState, document: &Document, bone: BoneId) {
    let Some(pose) = state.pose() else {
        return;
    };
    if let Some(matrix) = pose.parent_from_bone.get(bone.index()) {
        matrix_ui(ui, "Local (parent from bone)", matrix_rows(matrix));
    }
    match &pose.model_from_mesh {
        Some(matrices) => {
            if let Some(matrix) = matrices.get(bone.index()) {
                let title = "Skinning (model from mesh), as stored";
                matrix_ui(ui, title, matrix_rows(matrix));
            }
        }
        None => {
            if let Some(matrix) = pose.model_from_bone.get(bone.index()) {
                matrix_ui(ui, "World (model from bone)", matrix_rows(matrix));
            }
        }
    }
    let mut num_shown = 0;
    for (index, mesh) in document.model.meshes.iter().enumerate() {
        let Skin::InverseBind(skin) = &mesh.skin else {
            continue;
        };
        let slot = skin.bones.iter().position(|&b| b == bone);
        let Some(matrix) = slot.and_then(|slot| skin.bone_from_mesh.get(slot)) else {
            continue;
        };
        let rows = [0, 1, 2].map(|row| matrix.row(row).to_array());
        let title = if document.model.meshes.len() > 1 {
            format!("Inverse bind (bone from mesh {index})")
        } else {
            "Inverse bind (bone from mesh)".to_owned()
        };
        matrix_ui(ui, &title, rows);
        num_shown += 1;
    }
    if num_shown == 0 {
        ui.weak("The file stores no inverse bind matrix.");
    }
}
