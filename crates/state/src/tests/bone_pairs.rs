//! Changing how the bones of an added animation are paired with the model's.

use std::sync::Arc;

use rigscope_core::model::{ClipSource, PairedBone, PairedBones, RelatedFileRole, RelatedFileUse};
use rigscope_core::rig::BoneMapEntry;
use rigscope_core::visual::{Line, SOURCE_SKELETON, opaque};

use super::{document_of, file, load, model, opened, request};
use crate::{Action, AppState, BonePairsAction, Command, Request, Selection};
use rigscope_core::model::BoneId;

/// The document after an animation with two bones was added, of which the first one moves the root.
fn with_animation() -> AppState {
    let mut state = opened();
    let wanted = request(state.apply(Action::AddRelatedFiles(vec!["dir/walk.glb".into()])));
    answer(&mut state, &wanted);
    state
}

fn answer(state: &mut AppState, wanted: &crate::LoadRequest) {
    let mut document = document_of(model(["skin", "cloth"]), file());
    document.options = wanted.options.clone();
    let bone = |name: &str, to: Option<u32>| PairedBone {
        name: name.into(),
        parent: None,
        is_helper: false,
        to: to.map(BoneId),
        reason: "same words",
        certainty: 0.8,
    };
    let bones = vec![bone("Hips", Some(0)), bone("Arm", None)];
    let own = &document.model;
    let source = ClipSource::new(own, own, 0, 1.0);
    let bones = Some(Arc::new(PairedBones { bones, is_retargeted: true, source }));
    let used = RelatedFileUse::used("walk.glb", RelatedFileRole::Animation, "given");
    document.around.push(crate::RelatedFileRow {
        file: RelatedFileUse { bones, ..used },
        path: Some("dir/walk.glb".into()),
        is_given: true,
    });
    state.apply(Action::Loaded { id: wanted.id, document, clock: String::new() });
}

fn entry(from: &str, to: Option<&str>) -> BoneMapEntry {
    BoneMapEntry { from: from.into(), to: to.map(str::to_owned) }
}

fn pairs(action: BonePairsAction) -> Action {
    Action::BonePairs(action)
}

#[test]
fn a_click_pairs_and_unpairs_bones_and_can_be_undone() {
    let mut state = with_animation();
    assert_eq!(state.paired_file().unwrap().0.file.file, "walk.glb");
    state.apply(pairs(BonePairsAction::Choose(BoneId(0))));
    assert_eq!(state.tab.selection, Selection::Bone(BoneId(0)));
    // The bone that it moves already.
    let wanted = request(state.apply(pairs(BonePairsAction::Pair(BoneId(0)))));
    assert_eq!(wanted.options.bone_pairs.entries, [entry("Hips", None)]);
    answer(&mut state, &wanted);
    state.apply(pairs(BonePairsAction::Choose(BoneId(1))));
    let wanted = request(state.apply(pairs(BonePairsAction::Pair(BoneId(1)))));
    let both = [entry("Hips", None), entry("Arm", Some("arm"))];
    assert_eq!(wanted.options.bone_pairs.entries, both);
    assert_eq!(wanted.options.with, [std::path::PathBuf::from("dir/walk.glb")]);
    answer(&mut state, &wanted);

    let undone = request(state.apply(Action::Run(Command::Undo)));
    assert_eq!(undone.options.bone_pairs.entries, [entry("Hips", None)]);
    answer(&mut state, &undone);
    let redone = request(state.apply(Action::Run(Command::Redo)));
    assert_eq!(redone.options.bone_pairs.entries, both);
    answer(&mut state, &redone);
    let discarded = request(state.apply(pairs(BonePairsAction::Discard)));
    assert_eq!(discarded.options.bone_pairs.entries, []);
}

#[test]
fn the_skeleton_of_the_animation_is_drawn_in_the_pose_of_the_model() {
    let mut state = with_animation();
    state.apply(Action::Seek(0.5));
    let of_source = |state: &AppState| -> Vec<Line> {
        let lines = state.marks().lines_on_top;
        lines.into_iter().filter(|line| line.color == opaque(SOURCE_SKELETON)).collect()
    };
    assert_eq!(of_source(&state), []);
    state.apply(pairs(BonePairsAction::ShowSource(true)));
    // The arm is 5 away from the root at half a second.
    let lines = of_source(&state);
    assert_eq!(lines.len(), 1);
    assert!((lines[0].from.distance(lines[0].to) - 5.0).abs() < 1e-5, "{lines:?}");
}

#[test]
fn a_bone_of_the_model_is_in_one_pair() {
    let mut state = with_animation();
    for (from, to) in [(0, 1), (1, 1)] {
        state.apply(pairs(BonePairsAction::Choose(BoneId(from))));
        let wanted = request(state.apply(pairs(BonePairsAction::Pair(BoneId(to)))));
        answer(&mut state, &wanted);
    }
    assert_eq!(state.tab.view.bone_pairs.stated.entries, [entry("Arm", Some("arm"))]);
}

#[test]
fn pairs_are_saved_next_to_the_model_and_the_next_model_has_none() {
    let mut state = with_animation();
    let wanted = request(state.apply(pairs(BonePairsAction::Unpair(BoneId(0)))));
    answer(&mut state, &wanted);
    let requests = state.apply(pairs(BonePairsAction::Save));
    let [Request::SaveBoneMap { id, model: path, map }] = &requests[..] else {
        panic!("{requests:?}")
    };
    assert_eq!(path, std::path::Path::new("dir/test.bsm2"));
    assert_eq!(map.entries, [entry("Hips", None)]);
    let saved = BonePairsAction::Saved { id: *id, result: Ok("test.bones.toml".into()) };
    let reread = request(state.apply(pairs(saved)));
    assert_eq!(reread.options.bone_pairs.entries, []);
    answer(&mut state, &reread);

    let wanted = request(state.apply(pairs(BonePairsAction::Unpair(BoneId(0)))));
    answer(&mut state, &wanted);
    load(&mut state, Action::Open("dir/test.bsm2".into()), model(["skin", "cloth"]));
    assert_eq!(state.tab.view.bone_pairs.stated.entries, []);
}
