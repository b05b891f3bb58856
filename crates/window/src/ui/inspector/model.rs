//! Inspector of the whole model.

use egui::Ui;

use crate::ui::clip_list::ClipList;
use crate::ui::context_menu::row_menu_ui;
use crate::ui::format::{self, count, counted};
use crate::ui::theme::gap;
use crate::ui::widgets::{document_id, facts_ui, heading_ui};
use rigscope_core::model::{BoneKind, BoneNoun, Detail, Handedness, LooseKind, UpAxis, numbers};
use rigscope_state::{Action, AppState, Document, Selection};

pub(super) fn model_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let model = &document.model;
    super::related_files::related_files_ui(ui, document, out);
    heading_ui(ui, "Model");
    let size = document.bounds.size();
    let axes = match (model.axes.up, model.axes.handedness) {
        (UpAxis::Y, Handedness::Right) => "Y up, right-handed",
        (UpAxis::Y, Handedness::Left) => "Y up, left-handed",
        (UpAxis::Z, Handedness::Right) => "Z up, right-handed",
        (UpAxis::Z, Handedness::Left) => "Z up, left-handed",
    };
    let mut facts = vec![
        ("File", document.name().to_owned()),
        ("Format", document.format.name.to_owned()),
        ("File size", format::bytes(document.content.len())),
        ("Meshes", count(model.meshes.len())),
        ("Vertices", count(model.num_vertices())),
        ("Triangles", count(model.num_triangles())),
        ("Subsets", count(model.num_subsets())),
        ("Materials", count(model.materials.len())),
    ];
    for (name, kind) in [("Lines", LooseKind::Lines), ("Points", LooseKind::Points)] {
        let num = model.num_loose(kind);
        if num > 0 {
            facts.push((name, count(num)));
        }
    }
    if !model.has_no_bones() {
        match (model.bone_noun(), model.num_nodes()) {
            (BoneNoun::Node, num_nodes) => facts.push(("Nodes", count(num_nodes))),
            (BoneNoun::Bone, num_nodes) => {
                facts.push(("Bones", count(model.num_bones())));
                if num_nodes > 0 {
                    facts.push(("Other nodes", count(num_nodes)));
                }
            }
        }
    }
    facts.push(("Clips", count(model.clips.len())));
    let num_targets: usize = model.meshes.iter().map(|mesh| mesh.morph_targets.len()).sum();
    if num_targets > 0 {
        facts.push(("Morph targets", count(num_targets)));
    }
    let bones = model.skeleton.bones().iter().zip(&document.used_bones);
    let unused = bones.filter(|(bone, is_used)| match model.bone_noun() {
        BoneNoun::Bone => bone.kind == BoneKind::Bone && !**is_used,
        BoneNoun::Node => !bone.is_helper() && !**is_used,
    });
    let unused = unused.count();
    if unused > 0 {
        let name = match model.bone_noun() {
            BoneNoun::Bone => "Bones without vertices",
            BoneNoun::Node => "Nodes without a mesh",
        };
        facts.push((name, count(unused)));
    }
    if !model.hulls.is_empty() {
        facts.push(("Hulls", count(model.hulls.len())));
    }
    facts.push(("Axes", axes.to_owned()));
    facts.push((
        "Unit",
        model.axes.unit_meters.map_or("not stated".to_owned(), |unit| format!("{unit} m")),
    ));
    facts.push(("Dimensions", numbers::dimensions(size.to_array(), state.is_in_meters())));
    if let Some(text) = state.normals_text() {
        facts.push(("Normals", text));
    }
    for (name, detail) in &model.details {
        facts.push((
            name,
            match detail {
                Detail::Text(text) => text.clone(),
                Detail::Int(number) => number.to_string(),
                Detail::Bool(true) => "yes".to_owned(),
                Detail::Bool(false) => "no".to_owned(),
            },
        ));
    }
    facts_ui(ui, &facts);

    if model.bone_noun() == BoneNoun::Bone {
        influences_ui(ui, document);
    }
    clips_ui(ui, state, document, out);
}

fn influences_ui(ui: &mut Ui, document: &Document) {
    ui.add_space(gap::MEDIUM);
    heading_ui(ui, "Influences per vertex");
    let influences: Vec<(String, usize)> = document
        .influences
        .iter()
        .enumerate()
        .filter(|(_, vertices)| **vertices > 0)
        .map(|(num, &vertices)| (num.to_string(), vertices))
        .collect();
    let facts: Vec<_> = influences
        .iter()
        .map(|(num, vertices)| (num.as_str(), counted(*vertices, "vertex")))
        .collect();
    facts_ui(ui, &facts);
}

fn clips_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    if !document.model.clips.is_empty() {
        ui.add_space(gap::MEDIUM);
        heading_ui(ui, "Clips");
        let shown = state.tab.playback.clip;
        let list = ClipList {
            state,
            document,
            name: "clips of the model",
            selected: shown,
            popup_height: None,
        };
        let first = list.show(ui, document_id(state, list.name), |ui, clip, text| {
            let response =
                ui.selectable_label(shown == Some(clip), text).on_hover_text("Selects this clip.");
            if response.clicked() {
                out.push(Action::Select(Selection::Clip(clip)));
            }
            row_menu_ui(&response, state, Selection::Clip(clip), out);
        });
        out.extend(first.map(|clip| Action::Select(Selection::Clip(clip))));
    }
}
