//! Weights of morph targets, set by hand.

use egui_kittest::kittest::Queryable;
use rigscope_core::model::{Clip, ClipId, Interpolation, MeshId, MorphTarget, MorphTrack, Track};
use rigscope_state::{Action, AnimationAction, Command, CurveSubject, Pane, TimelineAction};

use crate::host::{Session, window_with};
use crate::support::rich::rich;
use crate::support::written::converted;

/// A glTF file whose only clip moves so many morph targets and no bone.
fn morphs_only(folder: &tempfile::TempDir, num_targets: usize) -> std::path::PathBuf {
    let mut model = rich();
    model.clips.as_mut_vec().truncate(1);
    let target = model.meshes[MeshId(0)].morph_targets[0].clone();
    model.meshes[MeshId(0)].morph_targets = (0..num_targets)
        .map(|number| MorphTarget { name: format!("target {number}"), ..target.clone() })
        .collect();
    model.clips[ClipId(0)] = Clip {
        name: "faces".into(),
        duration_secs: 1.0,
        morph_tracks: (0..num_targets)
            .map(|target| MorphTrack {
                mesh: MeshId(0),
                target,
                weights: Track {
                    times_secs: vec![0.0, 0.25, 1.0],
                    values: vec![0.0, 1.0, 0.0],
                    interpolation: Interpolation::Linear,
                },
            })
            .collect(),
        ..Clip::default()
    };
    let path = folder.path().join("a.glb");
    for (name, file) in &converted(&model, "gltf", Some("glb")).files {
        std::fs::write(folder.path().join(name), &file.bytes).unwrap();
    }
    path
}

#[test]
fn a_clip_that_moves_only_morph_targets_plays_steps_and_scrubs() {
    for num_targets in [1, 100] {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut harness = window_with(morphs_only(&folder, num_targets));
        assert!(harness.app().can_play(), "{num_targets} targets");
        assert_eq!(harness.app().key_times().unwrap().len(), 3);
        harness.command(Command::NextKey);
        assert_eq!(harness.app().tab.playback.time_secs, 0.25);
        assert_eq!(harness.app().morph_weights(), vec![1.0; num_targets]);
        harness.act(Action::Timeline(TimelineAction::Scrub(0.625)));
        assert_eq!(harness.app().morph_weights(), vec![0.5; num_targets]);
        harness.act(Action::Timeline(TimelineAction::EndScrub));
        harness.state_mut().apply(Action::Run(Command::PlayPause));
        assert!(harness.app().tab.playback.is_playing);
        harness.state_mut().state.tick(0.1);
        assert!((harness.app().tab.playback.time_secs - 0.725).abs() < 1e-9);
    }
}

#[test]
fn the_weights_of_a_clip_that_moves_only_morph_targets_are_its_curves() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut harness = window_with(morphs_only(&folder, 20));
    harness.command(Command::pane(Pane::Curves));
    assert_eq!(harness.app().curve_subject(), Some(CurveSubject::Morphs));
    let curves = harness.app().tab.view.animation.curves.shown.get().cloned().unwrap();
    let (name, channel) = &curves.morphs[0];
    assert_eq!((name.as_str(), curves.num_more_morphs), ("target 0", 4));
    assert_eq!(channel.keys, [[0.0, 0.0], [0.25, 1.0], [1.0, 0.0]]);
    harness.get_by_label("target 15");
    harness.get_by_label("and 4 more");
    assert!(harness.app().tab.view.timeline.bone.is_none(), "no row asks for a bone");
}

#[test]
fn a_drag_of_a_weight_is_undone_in_one_step() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut harness = window_with(morphs_only(&folder, 2));
    harness.command(Command::pane(Pane::Animation));
    let set = |target, weight| {
        Action::Animation(AnimationAction::SetMorph { target, weight: Some(weight) })
    };
    let state = &mut harness.state_mut().state;
    state.apply(Action::Press(true));
    for step in 1..5_u8 {
        state.apply(set(0, f32::from(step) / 4.0));
        state.tick(2.0);
    }
    state.apply(Action::Press(false));
    state.apply(Action::Press(true));
    state.apply(set(0, 0.5));
    state.apply(Action::Press(false));
    state.apply(set(1, 0.25));
    harness.run();
    harness.click("Reset all weights");
    assert!(harness.app().tab.playback.morphs.is_empty());
    let mut undo = || {
        harness.press(egui::Modifiers::COMMAND, egui::Key::Z);
        harness.app().morph_weights()
    };
    assert_eq!([undo(), undo(), undo(), undo()], [[0.5, 0.25], [0.5, 0.0], [1.0, 0.0], [0.0, 0.0]]);
    assert!(!Command::Undo.is_enabled(harness.app()), "a slow drag is one step");
}

#[test]
fn weights_of_morph_targets_are_set_and_reset() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("a.glb");
    let written = converted(&rich(), "gltf", Some("glb"));
    for (name, file) in &written.files {
        std::fs::write(folder.path().join(name), &file.bytes).unwrap();
    }
    let mut harness = window_with(path);
    let command = Command::pane(Pane::Animation);
    harness.command(command);
    assert_eq!(harness.app().morph_rows().len(), 1);
    assert!(harness.query_all_by_label("Morph targets").next().is_some());
    harness
        .state_mut()
        .apply(Action::Animation(AnimationAction::SetMorph { target: 0, weight: Some(0.75) }));
    harness.run();
    assert_eq!(harness.app().morph_weights(), [0.75]);
    harness.click("Reset all weights");
    assert!(harness.app().tab.playback.morphs.is_empty());
}
