//! Weights of morph targets, set by hand.

use egui_kittest::kittest::Queryable;
use rigscope::state::{Action, AnimationAction, Command};

use crate::host::{Session, window_with};
use crate::support::rich::rich;
use crate::support::written::converted;

#[test]
fn weights_of_morph_targets_are_set_and_reset() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("a.glb");
    let written = converted(&rich(), "gltf", Some("glb"));
    for (name, file) in &written.files {
        std::fs::write(folder.path().join(name), &file.bytes).unwrap();
    }
    let mut harness = window_with(path);
    let command = Command::ToggleAnimation;
    harness.command(command);
    assert_eq!(harness.app().morph_rows().len(), 1);
    harness.get_by_label("Morph targets");
    harness
        .state_mut()
        .apply(Action::Animation(AnimationAction::SetMorph { target: 0, weight: Some(0.75) }));
    harness.run();
    assert_eq!(harness.app().morph_weights(), [0.75]);
    harness.click("Reset all weights");
    assert!(harness.app().tab.playback.morphs.is_empty());
}
