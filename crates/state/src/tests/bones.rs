//! Bone visibility and additional drawings.

use super::*;
use rigscope_core::visual::{
    BONE_ON_PATH, Coloring, MOTION_PATH, Marks, REST_SKELETON, SELECTED, Switch, opaque,
};

fn bones(state: &AppState) -> Vec<u32> {
    state.bone_shapes().iter().map(|shape| shape.bone.0).collect()
}

fn select(state: &mut AppState, bone: u32) {
    apply(state, Action::Select(Selection::Bone(BoneId(bone))));
}

fn num_lines(marks: &Marks, color: [f32; 3]) -> usize {
    let is_it = |line: &&rigscope_core::visual::Line| line.color == opaque(color);
    marks.lines_on_top.iter().filter(is_it).count()
}

#[test]
fn branches_are_hidden_isolated_and_shown_again() {
    let mut state = opened();
    assert_eq!(bones(&state), [0, 1]);
    select(&mut state, 1);
    run(&mut state, Command::HideBranch);
    assert_eq!(bones(&state), [0]);
    run(&mut state, Command::ShowAllBones);
    run(&mut state, Command::IsolateBranch);
    assert_eq!(bones(&state), [1]);
    run(&mut state, Command::IsolateBranch);
    assert_eq!(bones(&state), [0, 1]);
    apply(&mut state, Action::Bones(BonesAction::Hide(BoneId(0))));
    assert!(bones(&state).is_empty(), "bones below it are hidden too");
    apply(&mut state, Action::Bones(BonesAction::Hide(BoneId(9))));
    assert_eq!(state.tab.view.bones.hidden.len(), 1);
}

#[test]
fn the_path_to_the_root_is_coloured() {
    let mut state = opened();
    select(&mut state, 1);
    assert_eq!(**state.tab.view.bones.colors, [BONE_ON_PATH, SELECTED]);
    run(&mut state, Command::ClearSelection);
    assert!(!state.tab.view.bones.colors.contains(&SELECTED));
}

#[test]
fn bone_axes_and_the_rest_skeleton_are_drawn_as_lines() {
    let mut state = opened();
    assert!(state.marks().is_empty());
    run(&mut state, Command::switch(Switch::BoneAxes));
    assert_eq!(state.marks().lines_on_top.len(), 2 * 3);
    run(&mut state, Command::switch(Switch::RestBones));
    assert_eq!(num_lines(&state.marks(), REST_SKELETON), 2);
    assert!(!Command::switch(Switch::BindBones).is_enabled(&state), "no matrices");
    assert!(!Command::switch(Switch::BoneBoxes).is_enabled(&state), "no boxes");
}

#[test]
fn motion_path_covers_all_keys_and_follows_bone_and_clip() {
    let mut state = opened();
    select(&mut state, 1);
    run(&mut state, Command::switch(Switch::MotionPath));
    let path = state.tab.view.bones.motion_path.get().unwrap().clone();
    assert_eq!((path.points.len(), path.dots.len()), (11, 11));
    for (key, point) in path.points.iter().enumerate() {
        assert!(point.distance(Vec3::X * key as f32) < 1e-5, "{point}");
    }
    let dots = 11 * 3;
    assert_eq!(num_lines(&state.marks(), MOTION_PATH), 10 + dots);
    apply(&mut state, Action::Seek(0.3));
    assert!(Arc::ptr_eq(&path, state.tab.view.bones.motion_path.get().unwrap()));
    apply(&mut state, Action::SetClip(ClipId(1)));
    assert_eq!(state.tab.view.bones.motion_path.get().unwrap().points.len(), 3);
    run(&mut state, Command::switch(Switch::MotionPath));
    assert_eq!(state.tab.view.bones.motion_path.get(), None);
}

#[test]
fn bone_size_changes_in_steps_within_limits() {
    let mut state = opened();
    let length = |state: &AppState| {
        let shapes = state.bone_shapes();
        let leaf = shapes.iter().find(|shape| shape.bone == BoneId(1)).unwrap();
        leaf.head.distance(leaf.tail)
    };
    let before = length(&state);
    run(&mut state, Command::LargerBones);
    assert!((length(&state) / before - 1.25).abs() < 1e-4);
    for _ in 0..50 {
        run(&mut state, Command::SmallerBones);
    }
    assert_eq!(state.settings.bones.size, *BONE_SIZES.start());
}

#[test]
fn hidden_branches_and_locks_survive_a_reload_but_not_another_file() {
    let mut state = opened();
    select(&mut state, 1);
    run(&mut state, Command::LockBone);
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    run(&mut state, Command::HideBranch);
    let wanted = request(state.apply(Action::Run(Command::Reload)));
    for request in answer(&mut state, &wanted, model(["skin", "cloth"])) {
        if let Request::Run(task) = request {
            let answer = task.run(&Report::new()).ok().map(Box::new);
            let id = task.id;
            state.apply(Action::TaskDone { id, answer });
        }
    }
    assert_eq!(bones(&state), [0]);
    assert_eq!(state.tab.view.weights.locked, Some(BoneId(1)));
    assert!(state.vertex_paint().is_some(), "painted again");
    load(&mut state, Action::Open("b.bsm2".into()), model(["skin", "cloth"]));
    assert_eq!(bones(&state), [0, 1]);
    assert_eq!(state.tab.view.weights.locked, None);
    assert!(state.vertex_paint().is_none());
}
