//! Looking at motion: curves, ghosts, seam, second clip, weights.

use egui::Key;
use egui::Modifiers;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use rigscope::model::ClipId;
use rigscope::pose::{LayerMode, Sampling};
use rigscope::state::{Action, Command, Selection};

use crate::host::{Host, asset, window_with};

const ALT: Modifiers = Modifiers::ALT;

fn bone_of(host: &Host) -> Selection {
    let skeleton = &host.state.tab.document.as_ref().unwrap().model.skeleton;
    let found = skeleton.bones().iter().position(|bone| bone.name == "neck");
    Selection::Bone(rigscope::model::BoneId::from_index(found.unwrap()))
}

#[test]
fn curves_of_the_selected_bone_are_opened_switched_and_seek() {
    let mut harness = window_with(asset());
    harness.get_by_role_and_label(Role::Button, "Curves").click();
    harness.run();
    harness.get_by_label("Select a bone to see its curves.");
    let selection = bone_of(harness.state());
    harness.state_mut().apply(Action::Select(selection));
    harness.run();
    let shown = |host: &Host| host.state.tab.view.animation.curves.shown.get().unwrap().clone();
    let local = shown(harness.state());
    assert!(local.moves[0].points.len() > 300 && local.moves[0].keys.len() > 1);
    harness.get_by_label("In the model").click();
    harness.run();
    assert_ne!(shown(harness.state()).moves, local.moves);
    // The inspector of the bone says the word too.
    harness.get_all_by_label("Quaternion").next().unwrap().click();
    harness.run();
    harness.get_by_label("Rotation, quaternion");
    // Nothing is read again while the clock moves.
    let before = shown(harness.state());
    harness.get_by_label("Translation curves").click();
    harness.run();
    let playback = &harness.state().state.tab.playback;
    assert!(playback.time_secs > 0.0 && !playback.is_default_pose);
    assert!(std::sync::Arc::ptr_eq(&before, &shown(harness.state())));
}

#[test]
fn keys_are_sampled_decomposed() {
    let mut harness = window_with(asset());
    harness.key_press_modifiers(ALT | Modifiers::SHIFT, Key::D);
    harness.run();
    assert_eq!(harness.state().state.tab.playback.sampling, Sampling::Decomposed);
    harness.key_press(Key::T);
    harness.run();
    assert_eq!(harness.state().state.tab.playback.sampling, Sampling::Linear);
    harness.key_press_modifiers(ALT, Key::E);
    harness.run();
    let error = harness.state().state.tab.view.animation.error.get().unwrap().clone();
    let worst = error.worst.unwrap();
    let link = format!("vertex {} of mesh {}", worst.vertex.0, worst.mesh.0);
    harness.get_by_label(&link).click();
    harness.run();
    let state = &harness.state().state;
    assert_eq!(state.tab.playback.time_secs, worst.time_secs);
    assert!(
        matches!(state.tab.selection, Selection::Vertex { vertex, .. } if vertex == worst.vertex)
    );
    assert!(state.shows_blend_error());
    harness.key_press_modifiers(ALT, Key::E);
    harness.run();
    assert!(!harness.state().state.shows_blend_error());
}

#[test]
fn neighbouring_keys_are_ghosts_and_the_seam_is_told() {
    let mut harness = window_with(asset());
    harness.get_by_role_and_label(Role::Button, "Animation").click();
    harness.run();
    harness.get_by_label("Onion skin").click();
    harness.run();
    harness.state_mut().apply(Action::SeekKey(6));
    let ghosts = |host: &Host| host.state.layers().len() - 1;
    assert_eq!(ghosts(harness.state()), 4);
    harness.state_mut().apply(Action::SeekKey(2));
    assert_eq!(ghosts(harness.state()), 3, "nothing is before the first key");
    harness.get_by_label("Onion skin").click();
    harness.run();
    assert_eq!(ghosts(harness.state()), 0);
    harness.get_by_label("Loop seam").click();
    harness.run();
    assert_eq!(ghosts(harness.state()), 1);
    let state = &harness.state().state;
    assert_eq!(state.tab.playback.time_secs, state.clip_range().end_secs);
    let worst = state.tab.view.animation.seam.get().unwrap()[0];
    let skeleton = &state.tab.document.as_ref().unwrap().model.skeleton;
    let name = skeleton.display_name(worst.bone);
    harness.get_by_role_and_label(Role::Link, &name).click();
    harness.run();
    assert_eq!(harness.state().state.tab.selection, Selection::Bone(worst.bone));
}

#[test]
fn root_motion_is_drawn_and_taken_out() {
    let mut harness = window_with(asset());
    let command = Command::ToggleAnimation;
    harness.state_mut().apply(Action::Run(command));
    harness.run();
    harness.get_by_label(Command::ToggleRootPath.info().name).click();
    harness.run();
    let state = &harness.state().state;
    assert!(state.tab.view.animation.root.get().is_some());
    assert!(!state.marks().lines.is_empty());
    harness.get_by_label("Stay in place").click();
    harness.run();
    let state = &harness.state().state;
    let root = state.tab.view.animation.root.get().unwrap();
    assert_eq!(state.tab.playback.in_place.unwrap().bone, root.bone);
}

#[test]
fn a_second_clip_is_laid_over_the_first() {
    let mut harness = window_with(asset());
    let command = Command::ToggleAnimation;
    harness.state_mut().apply(Action::Run(command));
    harness.run();
    assert!(harness.state().state.num_clips() > 1);
    let name = harness.state().state.tab.document.as_ref().unwrap().clip_name(1);
    harness.get_by_label("Clip to lay over").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, &name).click();
    harness.run();
    let layer = harness.state().state.tab.playback.pose_spec().layer.unwrap();
    assert_eq!((layer.clip, layer.weight), (ClipId(1), 0.5));
    harness.get_by_label("Add to its start").click();
    harness.run();
    let layer = harness.state().state.tab.playback.pose_spec().layer.unwrap();
    assert_eq!(layer.mode, LayerMode::AddToStart);
}
