//! What can be done with a bone, by the other button.

use egui::Ui;

use crate::model::BoneId;
use crate::state::{Action, AppState, BonesAction, Command, Selection, WeightsAction, WeightsMode};
use crate::visual::Coloring;

/// What can be done with the branch below a bone.
pub(super) fn menu_ui(ui: &mut Ui, state: &AppState, bone: BoneId, out: &mut Vec<Action>) {
    let bones = &state.tab.view.bones;
    let is_only = bones.isolated == Some(bone);
    let mut entries = vec![
        ("Weights of this bone", Action::Select(Selection::Bone(bone))),
        ("Hide branch", Action::Bones(BonesAction::Hide(bone))),
        match is_only {
            true => ("Show the others again", Action::Bones(BonesAction::Isolate(None))),
            false => ("Isolate branch", Action::Bones(BonesAction::Isolate(Some(bone)))),
        },
    ];
    if bones.hides_some() {
        entries.push(("Show all bones", Action::Bones(BonesAction::ShowAll)));
    }
    entries.push(("Lock to compare weights", Action::Weights(WeightsAction::Lock(Some(bone)))));
    for (number, (name, action)) in entries.into_iter().enumerate() {
        if ui.button(name).clicked() {
            out.push(action);
            if number == 0 && !state.shows_weights(WeightsMode::Bone) {
                out.push(Action::Run(Command::coloring(Coloring::BoneWeights)));
            }
            ui.close();
        }
    }
}
