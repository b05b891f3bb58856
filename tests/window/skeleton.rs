//! The skeleton: branches, transforms, what is drawn beside it.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope::state::{Action, Command, Effect};
use rigscope::visual::{BIND_SKELETON, BONE_BOX, Switch, opaque};

use crate::host::{asset, window_with};

#[test]
fn a_branch_is_isolated_from_the_outline_and_all_bones_come_back() {
    let mut harness = window_with(asset());
    let all = harness.state().state.bone_shapes().len();
    harness.get_by_label("neck").click_secondary();
    harness.run();
    harness.get_by_label("Isolate branch").click();
    harness.run();
    let few = harness.state().state.bone_shapes().len();
    assert!(few > 0 && few < all, "{few} of {all}");
    harness.get_by_label("Some bones are hidden.");
    harness.get_by_label("Show all bones").click();
    harness.run();
    assert_eq!(harness.state().state.bone_shapes().len(), all);
}

#[test]
fn a_bone_is_hidden_with_what_is_below_it_by_key() {
    let mut harness = window_with(asset());
    let all = harness.state().state.bone_shapes().len();
    harness.get_by_label("neck").click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
    harness.run();
    assert!(harness.state().state.bone_shapes().len() < all);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::H);
    harness.run();
    assert_eq!(harness.state().state.bone_shapes().len(), all);
}

#[test]
fn transforms_are_shown_as_parts_follow_the_pose_and_are_copied() {
    let mut harness = window_with(asset());
    harness.get_by_label("neck").click();
    harness.run();
    assert!(harness.get_all_by_label("Quaternion").count() >= 3);
    let copy = "Copy World (model from bone)";
    harness.get_by_label(copy).scroll_to_me();
    harness.run();
    harness.get_by_label(copy).click();
    harness.run();
    let copied = |effects: &[Effect]| {
        let mut texts = effects.iter().rev();
        texts.find_map(|effect| match effect {
            Effect::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    };
    let first = copied(&harness.state().effects).unwrap();
    assert_eq!(first.lines().count(), 3);
    assert!(first.lines().all(|line| line.split(' ').count() == 4));
    harness.key_press(Key::ArrowRight);
    harness.key_press(Key::ArrowRight);
    harness.run();
    harness.get_by_label(copy).click();
    harness.run();
    assert_ne!(copied(&harness.state().effects).unwrap(), first);
}

#[test]
fn axes_rest_and_trail_are_switched_on_beside_the_bone() {
    let mut harness = window_with(asset());
    harness.get_by_label("neck").click();
    harness.run();
    harness.get_by_label("Axes of bones").click();
    harness.get_by_label("Trail of the bone").click();
    harness.run();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::R);
    harness.run();
    let state = &harness.state().state;
    let overlays = state.settings.overlays;
    assert!(overlays.bone_axes && overlays.trail && overlays.rest_bones);
    assert!(harness.state().effects.contains(&rigscope::state::Effect::SaveSettings));
    let num_bones = state.bone_shapes().len();
    let trail = state.tab.view.bones.trail.get().unwrap();
    assert!(trail.points.len() > 2);
    assert!(state.marks().lines_on_top.len() > num_bones + trail.points.len());
}

#[test]
fn the_skeleton_as_bound_is_drawn_beside_the_pose() {
    let mut harness = window_with(asset());
    let bind = Action::Run(Command::switch(Switch::BindBones));
    harness.state_mut().apply(bind);
    harness.run();
    let state = &harness.state().state;
    let lines = state.marks().lines_on_top;
    let magenta = lines.iter().filter(|l| l.color == opaque(BIND_SKELETON));
    assert_eq!(magenta.count(), state.bone_shapes().len());
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn boxes_of_a_bonespro_file_are_drawn_and_follow_the_pose() {
    let samples = crate::support::samples();
    let mut harness = window_with(samples.join("bonespro/fox_structure.txt"));
    harness.state_mut().apply(Action::Run(Command::switch(Switch::BoneBoxes)));
    harness.run();
    let corners = |lines: &[rigscope::visual::Line]| -> Vec<_> {
        let boxes = lines.iter().filter(|l| l.color == opaque(BONE_BOX));
        boxes.map(|line| line.from).collect()
    };
    let first = corners(&harness.state().state.marks().lines_on_top);
    let num_bones = harness.state().state.bone_shapes().len();
    assert!(first.len() >= num_bones && first.len() % 12 == 0, "{}", first.len());
    harness.state_mut().apply(Action::Seek(0.4));
    harness.run();
    assert_ne!(corners(&harness.state().state.marks().lines_on_top), first);
}
