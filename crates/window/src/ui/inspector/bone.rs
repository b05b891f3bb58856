//! Inspector of a bone: facts, and transforms in the current pose.

use egui::Ui;
use glam::{Affine3A, Mat4};

use super::transform::{parts_ui, transform_ui};
use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::count;
use crate::ui::theme::gap;
use crate::ui::tooltips::{explained_by_command, explained_with_keys};
use crate::ui::widgets::{facts_ui, heading_ui};
use rigscope_core::model::{BoneId, BoneNoun, Skin};
use rigscope_core::visual::{Coloring, Switch};
use rigscope_state::{Action, AppState, BONE_SIZES, BonesAction, Command, Document, Selection};

/// Maximum number of different inverse binds shown.
const MAX_BINDS: usize = 8;

pub(super) fn bone_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    bone: BoneId,
    out: &mut Vec<Action>,
) {
    let skeleton = &document.model.skeleton;
    let Some(info) = skeleton.bones().get(bone) else { return };
    heading_ui(ui, &document.bone_name(bone));
    let children = skeleton.bones().iter().filter(|b| b.parent == Some(bone));
    let mut facts = vec![("Number", bone.0.to_string())];
    if skeleton.has_hierarchy() {
        facts.push(("Children", count(children.count())));
    }
    let avatar = document.model.avatar.as_ref();
    if let Some(human) = avatar.and_then(|avatar| avatar.humanoid_name(bone)) {
        facts.push(("Human bone", human.to_owned()));
    }
    let moves = if document.is_used(bone) { "yes" } else { "no" };
    let noun = document.model.noun_of(bone);
    let name = match noun {
        BoneNoun::Bone => "Moves vertices",
        BoneNoun::Node => "Transforms a mesh",
    };
    if state.has_vertices() {
        facts.push((name, moves.to_owned()));
    }
    if let Some(path) = document.model.paths.as_ref().and_then(|paths| paths.bones.get(bone)) {
        facts.push(("Path", path.clone()));
    }
    facts_ui(ui, &facts);
    if let Some(parent) = info.parent {
        ui.horizontal(|ui| {
            ui.weak("Parent");
            let link = ui.link(document.bone_name(parent));
            if explained_by_command(link, state, Command::SelectParent).clicked() {
                out.push(Action::Select(Selection::Bone(parent)));
            }
        });
    } else if skeleton.has_hierarchy() {
        ui.weak("This is a root; it has no parent.");
    } else {
        ui.weak("The file stores no parents.");
    }
    commands_ui(ui, state, noun, out);
    ui.add_space(gap::MEDIUM);
    transforms_ui(ui, state, document, bone, out);
}

fn commands_ui(ui: &mut Ui, state: &AppState, noun: BoneNoun, out: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        // Nodes that only transform meshes have no weights.
        let weights = (noun == BoneNoun::Bone).then(|| {
            let button = ui.button("Weights of this bone");
            explained_by_command(button, state, Command::coloring(Coloring::BoneWeights))
        });
        if weights.is_some_and(|button| button.clicked()) {
            out.push(Action::ShowPane(rigscope_state::Pane::Weights, true));
            if !state.shows_weights(rigscope_state::WeightsMode::Bone) {
                out.push(Action::Run(Command::coloring(Coloring::BoneWeights)));
            }
        }
        for (command, label) in [
            (Command::FrameSelection, "Frame"),
            (Command::switch(Switch::MotionPath), "Motion path"),
            (Command::switch(Switch::BoneAxes), "Axes"),
            (Command::HideBranch, "Hide"),
            (Command::IsolateBranch, "Isolate"),
        ] {
            framed_command_button_ui(ui, state, command, label, out);
        }
    });
    ui.horizontal(|ui| {
        ui.weak("Bone size");
        let mut size = state.settings.bones.usable_size();
        ui.spacing_mut().slider_width = (ui.available_width() - 40.0).clamp(30.0, 100.0);
        let slider = egui::Slider::new(&mut size, BONE_SIZES).logarithmic(true).show_value(false);
        let response = explained_with_keys(
            ui.add(slider),
            "Sets the size at which bones are drawn.",
            &[Command::LargerBones, Command::SmallerBones],
        );
        let response = response.accessible_name("Bone size");
        ui.weak(format!("{size:.2}"));
        if response.changed() {
            out.push(Action::Bones(BonesAction::SetSize(size)));
        }
    });
}

fn transforms_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    bone: BoneId,
    out: &mut Vec<Action>,
) {
    let Some(pose) = state.pose() else { return };
    let noun = document.model.noun_of(bone).one();
    if let Some(matrix) = pose.parent_from_bone.get(bone) {
        transform_ui(ui, &format!("Local (parent from {noun})"), matrix, out);
    }
    match &pose.model_from_mesh {
        Some(matrices) => {
            if let Some(matrix) = matrices.get(bone) {
                let title = "Skinning (model from mesh), as stored";
                transform_ui(ui, title, matrix, out);
            }
        }
        None => {
            if let Some(matrix) = pose.model_from_bone.get(bone) {
                transform_ui(ui, &format!("World (model from {noun})"), matrix, out);
            }
        }
    }
    let binds = inverse_binds(document, bone);
    for (matrix, meshes) in binds.iter().take(MAX_BINDS) {
        let title = match meshes.as_slice() {
            _ if binds.len() == 1 => "Inverse bind (bone from mesh)".to_owned(),
            [mesh] => format!("Inverse bind (bone from mesh {mesh})"),
            [first, rest @ ..] => {
                format!("Inverse bind (bone from mesh {first} and {} more)", count(rest.len()))
            }
            [] => continue,
        };
        transform_ui(ui, &title, &Affine3A::from_mat4(*matrix), out);
    }
    if binds.len() > MAX_BINDS {
        ui.weak(format!("and {} other matrices", count(binds.len() - MAX_BINDS)));
    }
    if binds.is_empty() && document.model.noun_of(bone) == BoneNoun::Bone {
        ui.weak("The file stores no inverse bind matrix.");
    }
    if document.model.skeleton.has_hierarchy()
        && let Some(info) = document.model.skeleton.bones().get(bone)
    {
        ui.weak(format!("Rest pose (parent from {noun})"));
        parts_ui(ui, &info.rest_local.to_affine());
    }
}

/// The different inverse binds of `bone`, each with the indices of its meshes.
fn inverse_binds(document: &Document, bone: BoneId) -> Vec<(Mat4, Vec<usize>)> {
    /// Comparing all pairs would take quadratic time in files with many meshes.
    const MAX_COMPARED: usize = 64;
    let mut binds: Vec<(Mat4, Vec<usize>)> = Vec::new();
    for (index, mesh) in document.model.meshes.iter().enumerate() {
        let Skin::InverseBind(skin) = &mesh.skin else { continue };
        let slot = skin.bones.iter().position(|&b| b == bone);
        let Some(&matrix) = slot.and_then(|slot| skin.bone_from_mesh.get(slot)) else { continue };
        match binds.iter_mut().take(MAX_COMPARED).find(|(known, _)| *known == matrix) {
            Some((_, meshes)) => meshes.push(index),
            None => binds.push((matrix, vec![index])),
        }
    }
    binds
}
