//! The skeleton: branches, transforms, and overlays.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope_core::model::MeshId;
use rigscope_core::visual::{BIND_SKELETON, BONE_BOX, Switch, opaque};
use rigscope_state::{Action, Command, Request};

use crate::host::{Session, asset, window_with};

#[test]
fn a_branch_is_isolated_from_the_outline_and_all_bones_shown_again() {
    let mut harness = window_with(asset());
    let all = harness.app().bone_shapes().len();
    harness.get_by_label("neck").click_secondary();
    harness.run();
    harness.get_all_by_label_contains("Isolate the branch").last().unwrap().click();
    harness.run();
    let few = harness.app().bone_shapes().len();
    assert!(few > 0 && few < all, "{few} of {all}");
    harness.get_by_label("Some bones are hidden.");
    harness.click("Show all bones");
    assert_eq!(harness.app().bone_shapes().len(), all);
}

#[test]
fn a_shortcut_hides_a_bone_with_its_descendants() {
    let mut harness = window_with(asset());
    let all = harness.app().bone_shapes().len();
    harness.click("neck");
    harness.press(Modifiers::COMMAND, Key::H);
    assert!(harness.app().bone_shapes().len() < all);
    harness.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::H);
    assert_eq!(harness.app().bone_shapes().len(), all);
}

#[test]
fn transforms_are_shown_decomposed_follow_the_pose_and_are_copied() {
    let mut harness = window_with(asset());
    harness.click("neck");
    assert!(harness.get_all_by_label("Quaternion").count() >= 3);
    let copy = "Copy World (model from bone)";
    harness.get_by_label(copy).scroll_to_me();
    harness.run();
    harness.click(copy);
    let copied = |requests: &[Request]| {
        let mut texts = requests.iter().rev();
        texts.find_map(|request| match request {
            Request::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    };
    let first = copied(&harness.state().requests).unwrap();
    assert_eq!(first.lines().count(), 3);
    assert!(first.lines().all(|line| line.split(' ').count() == 4));
    harness.key_press(Key::ArrowRight);
    harness.press(Modifiers::NONE, Key::ArrowRight);
    harness.click(copy);
    assert_ne!(copied(&harness.state().requests).unwrap(), first);
}

#[test]
fn axes_rest_pose_and_motion_path_are_toggled_next_to_the_bone() {
    let mut harness = window_with(asset());
    harness.click("neck");
    harness.get_by_label("Bone axes").click();
    harness.click("Motion path");
    harness.press(Modifiers::SHIFT, Key::R);
    let state = harness.app();
    let overlays = state.settings.overlays;
    assert!(overlays.bone_axes && overlays.motion_path && overlays.rest_bones);
    assert!(harness.state().requests.contains(&rigscope_state::Request::SaveSettings));
    let num_bones = state.bone_shapes().len();
    let path = state.tab.view.bones.motion_path.get().unwrap();
    assert!(path.points.len() > 2);
    assert!(state.marks().lines_on_top.len() > num_bones + path.points.len());
}

#[test]
fn the_bind_pose_is_drawn_with_the_pose() {
    let mut harness = window_with(asset());
    harness.act(Action::Run(Command::switch(Switch::BindBones)));
    let state = harness.app();
    let lines = state.marks().lines_on_top;
    let magenta = lines.iter().filter(|l| l.color == opaque(BIND_SKELETON));
    assert_eq!(magenta.count(), state.bone_shapes().len());
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn bone_boxes_of_a_bonespro_file_are_drawn_and_follow_the_pose() {
    let samples = crate::support::samples();
    let mut harness = window_with(samples.join("bonespro/fox_structure.txt"));
    harness.command(Command::switch(Switch::BoneBoxes));
    let corners = |lines: &[rigscope_core::visual::Line]| -> Vec<_> {
        let boxes = lines.iter().filter(|l| l.color == opaque(BONE_BOX));
        boxes.map(|line| line.from).collect()
    };
    let first = corners(&harness.app().marks().lines_on_top);
    let num_bones = harness.app().bone_shapes().len();
    assert!(first.len() >= num_bones && first.len() % 12 == 0, "{}", first.len());
    harness.act(Action::Seek(0.4));
    assert_ne!(corners(&harness.app().marks().lines_on_top), first);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_skeleton_without_meshes_fills_the_view_and_all_its_bones_are_used() {
    let samples = crate::support::samples();
    let harness = window_with(samples.join("ozz/pab_skeleton.ozz"));
    let (state, document) = (harness.app(), harness.document());
    assert!(document.used_bones.iter().all(|used| *used));
    let view = &state.tab.view;
    let clip_from_file = view.camera.clip_from_world(state.aspect(), &document.bounds)
        * glam::Mat4::from(document.model.axes.display_from_file());
    let heights = state.bone_shapes().into_iter();
    let heights = heights.map(|shape| clip_from_file.project_point3(shape.head).y);
    let (low, high) = heights.fold((1.0f32, -1.0f32), |(low, high), y| (low.min(y), high.max(y)));
    assert!(low > -1.0 && high < 1.0 && high - low > 1.0, "{low} to {high}");
}

#[test]
fn an_inverse_bind_shared_by_meshes_is_shown_once() {
    let mut harness = window_with(asset());
    let document = harness.state_mut().state.tab.document.as_mut().unwrap();
    let mut model = rigscope_core::model::Model::clone(&document.model);
    model.meshes.extend([model.meshes[MeshId(0)].clone(), model.meshes[MeshId(0)].clone()]);
    let rigscope_core::model::Skin::InverseBind(skin) = &mut model.meshes[MeshId(2)].skin else {
        panic!("the sample has inverse binds");
    };
    let bone = skin.bones[0];
    skin.bone_from_mesh[0] *= 2.0;
    document.model = std::sync::Arc::new(model);
    harness.act(Action::Select(rigscope_state::Selection::Bone(bone)));
    harness.get_by_label("Inverse bind (bone from mesh 0 and 1 more)");
    harness.get_by_label("Inverse bind (bone from mesh 2)");
}
