//! Looking at motion: curves, ghosts, seam, second clip, weights.

use egui::Key;
use egui::Modifiers;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::ClipId;
use rigscope_core::pose::{LayerMode, Sampling};
use rigscope_state::{Action, Command, Pane, Selection};

use crate::host::{Host, Session, asset, window_with};

const ALT: Modifiers = Modifiers::ALT;

fn bone_of(host: &Host) -> Selection {
    let skeleton = &host.state.tab.document.as_ref().unwrap().model.skeleton;
    let found = skeleton.bones().iter().position(|bone| bone.name == "neck");
    Selection::Bone(rigscope_core::model::BoneId::from_index(found.unwrap()))
}

#[test]
fn curves_of_the_selected_bone_switch_space_and_seek_on_click() {
    let mut harness = window_with(asset());
    harness.get_by_role_and_label(Role::Button, "Curves").click();
    harness.run();
    harness.get_by_label("Select a bone or vertex to see its curves.");
    let selection = bone_of(harness.state());
    harness.act(Action::Select(selection));
    let shown = |host: &Host| host.state.tab.view.animation.curves.shown.get().unwrap().clone();
    let local = shown(harness.state());
    assert!(local.moves[0].points.len() > 300 && local.moves[0].keys.len() > 1);
    harness.click("Model space");
    assert_ne!(shown(harness.state()).moves, local.moves);
    // The inspector of the bone says the word too.
    harness.get_all_by_label("Quaternion").next().unwrap().click();
    harness.run();
    harness.get_by_label("Rotation, quaternion");
    // Nothing is read again while the clock moves.
    let before = shown(harness.state());
    harness.click("Translation curves");
    let playback = &harness.app().tab.playback;
    assert!(playback.time_secs > 0.0 && playback.shows_time());
    assert!(std::sync::Arc::ptr_eq(&before, &shown(harness.state())));
}

#[test]
fn sampling_modes_are_toggled_and_their_deviation_shown() {
    let mut harness = window_with(asset());
    harness.press(ALT | Modifiers::SHIFT, Key::D);
    assert_eq!(harness.app().tab.playback.sampling, Sampling::Decomposed);
    harness.press(Modifiers::NONE, Key::T);
    assert_eq!(harness.app().tab.playback.sampling, Sampling::Linear);
    harness.press(ALT, Key::E);
    let error = harness.app().tab.view.animation.error.get().unwrap().clone();
    let worst = error.worst.unwrap();
    let link = format!("vertex {} of mesh {}", worst.vertex.0, worst.mesh.0);
    harness.click(&link);
    let state = harness.app();
    assert_eq!(state.tab.playback.time_secs, worst.time_secs);
    assert!(
        matches!(state.tab.selection, Selection::Vertex { vertex, .. } if vertex == worst.vertex)
    );
    assert!(state.shows_blend_error());
    harness.press(ALT, Key::E);
    assert!(!harness.app().shows_blend_error());
}

#[test]
fn onion_skin_shows_neighbouring_keys_and_the_loop_seam_is_reported() {
    let mut harness = window_with(asset());
    harness.get_by_role_and_label(Role::Button, "Animation").click();
    harness.run();
    harness.click("Onion skin");
    harness.state_mut().apply(Action::SeekKey(6));
    let ghosts = |host: &Host| host.state.layers().len() - 1;
    assert_eq!(ghosts(harness.state()), 4);
    harness.state_mut().apply(Action::SeekKey(2));
    assert_eq!(ghosts(harness.state()), 3, "nothing is before the first key");
    harness.click("Onion skin");
    assert_eq!(ghosts(harness.state()), 0);
    harness.click("Loop seam");
    assert_eq!(ghosts(harness.state()), 1);
    let state = harness.app();
    assert_eq!(state.tab.playback.time_secs, state.clip_range().end_secs);
    let worst = state.tab.view.animation.seam.get().unwrap()[0];
    let skeleton = &state.tab.document.as_ref().unwrap().model.skeleton;
    let name = skeleton.display_name(worst.bone);
    harness.get_by_role_and_label(Role::Link, &name).click();
    harness.run();
    assert_eq!(harness.app().tab.selection, Selection::Bone(worst.bone));
}

#[test]
fn root_motion_is_drawn_and_removed() {
    let mut harness = window_with(asset());
    let command = Command::pane(Pane::Animation);
    harness.command(command);
    harness.click(Command::ToggleRootPath.info().name);
    let state = harness.app();
    assert!(state.tab.view.animation.root.get().is_some());
    assert!(!state.marks().lines.is_empty());
    harness.click("Play in place");
    let state = harness.app();
    let root = state.tab.view.animation.root.get().unwrap();
    assert_eq!(state.tab.playback.in_place.unwrap().bone, root.bone);
}

#[test]
fn a_second_clip_is_layered_over_the_first() {
    let mut harness = window_with(asset());
    let command = Command::pane(Pane::Animation);
    harness.command(command);
    assert!(harness.app().num_clips() > 1);
    let name = harness.document().clip_name(1);
    harness.click("Clip to blend with");
    harness.get_by_role_and_label(Role::Button, &name).click();
    harness.run();
    let layer = harness.app().tab.playback.pose_spec().layer.unwrap();
    assert_eq!((layer.clip, layer.weight), (ClipId(1), 0.5));
    harness.click("Add to first pose");
    let layer = harness.app().tab.playback.pose_spec().layer.unwrap();
    assert_eq!(layer.mode, LayerMode::AddToStart);
}
