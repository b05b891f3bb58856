//! The Inspector pane: details of the selection.

mod bone;
mod clip;
mod facts;
mod hull;
mod model;
mod related_files;
mod subset;
mod transform;
mod triangle;
mod vertex;

use egui::{ScrollArea, Ui};

use crate::ui::widgets::document_id;
use rigscope_state::{Action, AppState, Selection};

pub(super) fn inspector_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    let id = document_id(state, "inspector");
    ScrollArea::vertical().id_salt(id).auto_shrink([false, false]).show(ui, |ui| {
        match state.tab.selection {
            Selection::None => model::model_ui(ui, state, document, out),
            Selection::Subset(number) => subset::subset_ui(ui, state, document, number, out),
            Selection::Bone(bone) => bone::bone_ui(ui, state, document, bone, out),
            Selection::Vertex { .. } => vertex::vertex_ui(ui, state, document, out),
            Selection::Triangle { .. } => triangle::triangle_ui(ui, state, out),
            Selection::Hull(_) => hull::hull_ui(ui, state, out),
            Selection::Clip(clip) => clip::clip_ui(ui, state, document, clip, out),
        }
    });
}
