//! Motion analysis, without a window.

use super::super::tests::{apply, clip, load, model, opened, run};
use super::*;
use crate::{Command, LoadReason, Origin, Pane, Selection, TabAction, ToastLevel};
use rigscope_core::model::{BoneId, MeshId, VertexId};

fn animate(state: &mut AppState, action: AnimationAction) -> usize {
    apply(state, Action::Animation(action))
}

#[test]
fn curves_are_computed_once_per_bone_and_only_while_shown() {
    let mut state = opened();
    let select = |bone| Action::Select(Selection::Bone(BoneId(bone)));
    assert_eq!(apply(&mut state, select(1)), 0, "the pane is closed");
    assert_eq!(run(&mut state, Command::pane(Pane::Curves)), 1);
    let curves = state.tab.view.animation.curves.shown.get().unwrap().clone();
    // Bone 1 moves one unit per key along x, and holds between keys.
    assert_eq!(curves.moves[0].keys.len(), 11);
    assert_eq!(curves.moves[0].keys[3], [3.0 * 0.1, 3.0]);
    assert!(curves.moves[0].points.iter().all(|[_, x]| x.fract() == 0.0));
    assert!(curves.scales[1].points.iter().all(|[_, y]| *y == 1.0));
    assert_eq!(apply(&mut state, Action::Seek(0.4)), 0, "the time doesn't matter");
    assert_eq!(apply(&mut state, select(0)), 1);
    assert_eq!(run(&mut state, Command::ToggleLinear), 1);
    assert_eq!(run(&mut state, Command::pane(Pane::Curves)), 0);
    assert_eq!(state.tab.view.animation.curves.shown.get(), None);
}

#[test]
fn pending_tasks_of_a_tab_restart_when_it_is_shown_again() {
    let mut state = opened();
    state.apply(Action::Select(Selection::Bone(BoneId(0))));
    let asked = state.apply(Action::Run(Command::pane(Pane::Curves)));
    let runs = |requests: &[Request]| requests.iter().any(|e| matches!(e, Request::Run(_)));
    assert!(runs(&asked));
    load(&mut state, Action::Open("other.bsm2".into()), model(["skin", "cloth"]));
    assert_eq!(state.num_tabs(), 2);
    let again = state.apply(Action::Tab(TabAction::Show(0)));
    let again = again.iter().filter_map(|request| match request {
        Request::Run(task) => Some(task.slot),
        _ => None,
    });
    let all = [TaskSlot("checking for problems"), CURVES];
    assert_eq!(again.collect::<Vec<_>>(), all);
    assert!(!runs(&state.apply(Action::CloseDialog)), "once");
}

#[test]
fn failed_task_is_not_restarted_for_the_same_key() {
    let mut state = opened();
    state.apply(Action::Select(Selection::Bone(BoneId(0))));
    let asked = state.apply(Action::Run(Command::pane(Pane::Curves)));
    let Some(Request::Run(task)) = asked.iter().find(|e| matches!(e, Request::Run(_))) else {
        panic!("{asked:?}");
    };
    let fault = Action::ShowMessage(ToastLevel::Error, "it has failed".into());
    let done = Action::TaskDone { id: task.id, answer: Some(Box::new(fault)) };
    assert!(state.apply(done).is_empty() && !state.is_running(CURVES));
    assert!(state.apply(Action::CloseDialog).is_empty());
    let other = state.apply(Action::Select(Selection::Bone(BoneId(1))));
    assert!(other.iter().any(|request| matches!(request, Request::Run(_))), "another key");
}

#[test]
fn curves_of_a_vertex_are_those_of_its_bone() {
    let mut state = opened();
    run(&mut state, Command::pane(Pane::Curves));
    let (mesh, vertex) = (MeshId(0), VertexId(5));
    apply(&mut state, Action::Select(Selection::Vertex { mesh, vertex, subset: None }));
    assert_eq!(state.curve_subject(), Some(CurveSubject::Bone(BoneId(1))));
    let curves = state.tab.view.animation.curves.shown.get().unwrap();
    assert_eq!(curves.moves[0].keys[3], [3.0 * 0.1, 3.0]);
}

#[test]
fn model_space_curves_include_the_parents() {
    let mut state = opened();
    apply(&mut state, Action::Select(Selection::Bone(BoneId(1))));
    run(&mut state, Command::pane(Pane::Curves));
    let set = AnimationAction::SetCurveSpace(CurveSpace::Model);
    assert_eq!(animate(&mut state, set), 1);
    let curves = state.tab.view.animation.curves.shown.get().unwrap().clone();
    assert!(!curves.is_finished);
    assert_eq!(curves.moves[0].keys[10][1], 10.0);
}

#[test]
fn ghosts_are_neighbouring_keys_inside_the_clip() {
    let mut state = opened();
    run(&mut state, Command::ToggleOnion);
    assert!(state.tab.playback.shows_time());
    let onion = Onion { num_before: 3, num_after: 2, spacing: 2, ..state.tab.view.animation.onion };
    animate(&mut state, AnimationAction::SetOnion(onion));
    apply(&mut state, Action::SeekKey(5));
    let layers = state.layers();
    assert!(layers[0].is_document && layers[0].ghost.is_none());
    let times: Vec<_> = layers[1..]
        .iter()
        .map(|layer| match layer.pose.moment {
            rigscope_core::pose::Moment::TimeSecs(time) => (time * 10.0).round(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(times, [1.0, 3.0, 9.0, 7.0]);
    let opacity = |at: usize| layers[at].ghost.unwrap()[3];
    assert!(opacity(1) < opacity(2), "the farther one is fainter");
    let wild = Onion { num_before: 99, spacing: 0, ..onion };
    animate(&mut state, AnimationAction::SetOnion(wild));
    let onion = state.tab.view.animation.onion;
    assert_eq!((onion.num_before, onion.spacing), (8, 1));
}

#[test]
fn loop_seam_seeks_to_the_end_and_is_measured_once_per_clip() {
    let mut state = opened();
    assert_eq!(run(&mut state, Command::ToggleLoopSeam), 1);
    assert_eq!(state.tab.playback.time_secs, 1.0);
    let seam = state.tab.view.animation.seam.get().unwrap().clone();
    // The arm moves 10 units over the ground and stays there, which is root motion without a gap.
    assert_eq!(seam.len(), 2);
    assert!(seam.iter().all(|bone| bone.gap < 1e-4), "{seam:?}");
    assert_eq!(apply(&mut state, Action::Seek(0.2)), 0);
    assert_eq!(apply(&mut state, Action::SetClip(ClipId(1))), 1);
    assert!(state.tab.view.animation.seam.get().unwrap().is_empty());
    run(&mut state, Command::ToggleLoopSeam);
    assert_eq!((state.layers().len(), state.tab.view.animation.seam.get()), (1, None));
}

#[test]
fn root_motion_bone_is_found_followed_and_held_in_place() {
    let mut state = opened();
    assert_eq!(run(&mut state, Command::ToggleRootPath), 1);
    let root = state.tab.view.animation.root.get().unwrap().clone();
    assert_eq!(root.bone, BoneId(1));
    assert_eq!((root.distance, root.length), (10.0, 10.0));
    assert!(!state.marks().is_empty());
    run(&mut state, Command::ToggleInPlace);
    apply(&mut state, Action::SeekKey(7));
    let pose = state.pose().unwrap();
    assert!(pose.model_from_bone[BoneId(1)].translation.x.abs() < 1e-5);
    run(&mut state, Command::ToggleInPlace);
    run(&mut state, Command::ToggleRootPath);
    assert_eq!(state.tab.view.animation.root.get(), None);
    assert!(state.marks().is_empty());
    // In-place playback also finds the bone if it is turned on first.
    assert_eq!(run(&mut state, Command::ToggleInPlace), 1);
    assert_eq!(state.tab.playback.in_place.unwrap().bone, BoneId(1));
}

#[test]
fn swinging_limbs_in_place_are_not_root_motion() {
    let mut state = opened();
    let bytes = rigscope_assets::SAMPLE.to_vec();
    let source = rigscope_io::formats::Source::new("sample.bsm2", bytes);
    let options = rigscope_io::formats::ReadOptions::default();
    let report = rigscope_core::model::Report::new();
    let sample = rigscope_io::formats::open(&source, &options, &report).unwrap();
    load(&mut state, Action::Run(Command::Reload), sample.model);
    run(&mut state, Command::ToggleRootPath);
    let root = state.tab.view.animation.root.get().unwrap().clone();
    let bones = state.tab.document.as_ref().unwrap().model.skeleton.bones();
    assert_eq!(bones[root.bone].name, "root");
}

#[test]
fn layered_clip_follows_the_first_clip_and_its_document() {
    let mut state = opened();
    animate(&mut state, AnimationAction::SetLayer(Some(ClipId(1))));
    animate(&mut state, AnimationAction::SetLayerWeight(7.0));
    apply(&mut state, Action::Seek(0.5));
    let layer = state.tab.playback.pose_spec().layer.unwrap();
    assert_eq!((layer.clip, layer.weight), (ClipId(1), 1.0));
    assert!((layer.time_secs - 0.1).abs() < 1e-9, "in step: half of 0.2 s");
    animate(&mut state, AnimationAction::SetLayerInStep(false));
    let layer = state.tab.playback.pose_spec().layer.unwrap();
    assert!((layer.time_secs - 0.1).abs() < 1e-9, "0.5 s after 0.2 s twice");
    run(&mut state, Command::ShowBindPose);
    assert_eq!(state.tab.playback.pose_spec().layer, None);
    animate(&mut state, AnimationAction::SetLayer(Some(ClipId(99))));
    assert_eq!(state.tab.playback.layer, None);
    let request = AppState::request(Origin::Sample, LoadReason::Open);
    animate(&mut state, AnimationAction::SetLayer(Some(ClipId(1))));
    state.apply(Action::Start(request));
    assert!(state.tab.playback.layer.is_some(), "the old document stays");
}

#[test]
fn clip_with_incompatible_keys_is_refused_as_a_layer() {
    let mut state = opened();
    let mut model = model(["a", "b"]);
    let mut finished = clip("finished", 2);
    if let rigscope_core::model::Motion::Sampled(motion) = &mut finished.motion {
        motion.space = rigscope_core::model::KeySpace::Skin;
    }
    model.clips = vec![finished, clip("walk", 3), clip("run", 4)].into();
    load(&mut state, Action::Run(Command::Reload), model);
    apply(&mut state, Action::SetClip(ClipId(1)));
    animate(&mut state, AnimationAction::SetLayer(Some(ClipId(2))));
    assert!(state.layer_fits(ClipId(2)) && !state.layer_fits(ClipId(0)));
    assert!(state.beyond_command_line().is_empty());
    assert!(state.command_line().unwrap().contains(" --blend=run --blend-weight=0.5"));
    animate(&mut state, AnimationAction::SetLayer(Some(ClipId(0))));
    assert_eq!(state.tab.playback.layer.map(|l| l.clip), Some(ClipId(2)));
    let toast = state.toasts.list().last().unwrap();
    assert!(toast.text.starts_with("finished can't be blended with walk"));
    // It stays over a clip that it can't be blended with; the pane explains why.
    apply(&mut state, Action::SetClip(ClipId(0)));
    assert!(state.tab.playback.layer.is_some() && !state.layer_fits(ClipId(2)));
    animate(&mut state, AnimationAction::SetLayer(None));
    run(&mut state, Command::ToggleBindPair);
    assert_eq!(state.beyond_command_line(), ["the bind pair setting"]);
    run(&mut state, Command::ToggleBindPair);
    assert_eq!(state.beyond_command_line(), [""; 0]);
}

#[test]
fn the_blend_error_is_painted_until_another_clip_is_shown() {
    let mut state = opened();
    assert_eq!(run(&mut state, Command::MeasureBlendError), 1);
    let error = state.tab.view.animation.error.get().unwrap().clone();
    assert_eq!(error.num_intervals, 10);
    assert_eq!(error.worst, None, "pure translation has no deviation");
    assert!(!state.shows_blend_error());
    apply(&mut state, Action::SetClip(ClipId(1)));
    assert_eq!(state.tab.view.animation.error.get(), None);
}

#[test]
fn stretch_is_painted_and_its_worst_edges_are_shown_in_their_clip() {
    let mut state = opened();
    let mut model = crate::tests::model(["skin", "cloth"]);
    // An edge between both bones, of which the second moves by 1 per key.
    model.meshes[MeshId(0)].indices = rigscope_core::model::Indices::U32(vec![1, 3, 2]);
    load(&mut state, Action::Open("dir/pulled.bsm2".into()), model);
    assert_eq!(run(&mut state, Command::MeasureStretch), 1);
    assert!(state.shows_stretch());
    let stretch = state.tab.view.animation.stretch.get().unwrap().clone();
    let worst = stretch.edges[0];
    assert_eq!((worst.clip, worst.bones), (ClipId(0), [Some(BoneId(0)), Some(BoneId(1))]));
    animate(&mut state, AnimationAction::ShowStretchedEdge(0));
    assert!((state.tab.playback.time_secs - worst.time_secs).abs() < 1e-9);
    assert!(matches!(state.tab.selection, Selection::Vertex { .. }));
    run(&mut state, Command::MeasureStretch);
    assert!(!state.shows_stretch());
}

#[test]
fn weight_of_a_missing_morph_target_is_not_set() {
    let mut state = opened();
    let set = AnimationAction::SetMorph { target: 0, weight: Some(1.0) };
    animate(&mut state, set);
    assert!(state.tab.playback.morphs.is_empty());
}
