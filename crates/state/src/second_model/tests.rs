//! Sessions with second models and GPU checks, without a window.

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::tests::{answer, failure, load, model, opened, request};
use crate::*;
use rigscope_core::compare::DiffOptions;
use rigscope_core::model::{BoneId, ClipId, MeshId, Report, Skeleton, VertexData, VertexId};
use rigscope_core::pose::{Moment, skin_model};
use rigscope_core::visual::{Coloring, VertexPaint};
use rigscope_testing::inverse_bind_mut;

/// Runs the tasks among `requests` and applies their actions; returns the other requests.
fn work(state: &mut AppState, requests: Vec<Request>) -> Vec<Request> {
    let mut left = Vec::new();
    let mut queue: std::collections::VecDeque<_> = requests.into();
    while let Some(request) = queue.pop_front() {
        match request {
            Request::Run(task) => {
                let answer = task.run(&Report::new()).ok().map(Box::new);
                queue.extend(state.apply(Action::TaskDone { id: task.id, answer }));
            }
            other => left.push(other),
        }
    }
    left
}

fn run(state: &mut AppState, command: Command) -> Vec<Request> {
    let requests = state.apply(Action::Run(command));
    work(state, requests)
}

fn as_bsm2() -> AppState {
    let mut state = opened();
    run(&mut state, Command::AsBsm2);
    state
}

fn toggle_colors(state: &mut AppState, painter: Painter) {
    state.apply(Action::Second(SecondAction::ToggleColors(painter)));
}

/// The document with one vertex moved by 0.01 along Y.
fn changed() -> rigscope_core::model::Model {
    let mut other = model(["skin", "cloth"]);
    rigscope_testing::streams_mut(&mut other.meshes[MeshId(0)]).positions[4].y += 0.01;
    other
}

fn compared_with_changed() -> AppState {
    let mut state = opened();
    let with = CompareAction::Load("dir/changed.bsm2".into());
    let wanted = request(state.apply(Action::Compare(with)));
    let requests = answer(&mut state, &wanted, changed());
    work(&mut state, requests);
    state
}

#[test]
fn model_is_packed_once_and_shown_next_to_its_source() {
    let mut state = as_bsm2();
    assert!(state.settings.panes.shows(Pane::AsBsm2));
    let layers = state.layers();
    assert_eq!(layers.len(), 2);
    assert!(layers[0].is_document && !layers[1].is_document);
    let packed = &layers[1].model.meshes[MeshId(0)];
    assert!(matches!(packed.vertices, VertexData::Packed(_)));
    let baked = state.tab.view.as_bsm2.conversion().cloned().unwrap();
    let position = baked.deviation(DeviationKind::Position).unwrap();
    assert!(position.max < 1e-5 && position.of_source.len() == 6);
    let counts = &baked.histogram(DeviationKind::Position).counts;
    assert_eq!(counts.iter().sum::<u32>(), 6);
    // Turning it off and on again doesn't pack again.
    run(&mut state, Command::AsBsm2);
    assert_eq!(state.layers().len(), 1);
    let requests = state.apply(Action::Run(Command::AsBsm2));
    assert!(!requests.iter().any(|e| matches!(e, Request::Run(_))));
    let again = state.tab.view.as_bsm2.conversion().unwrap();
    assert!(Arc::ptr_eq(&again.parts[0], &baked.parts[0]));
}

#[test]
fn deviations_are_painted_on_both_models_and_the_worst_is_selected() {
    let mut state = as_bsm2();
    toggle_colors(&mut state, Painter::Second(SecondModel::AsBsm2));
    assert!(state.shows_colors(Painter::Second(SecondModel::AsBsm2)));
    let lengths: Vec<usize> = [state.vertex_paint(), state.layers()[1].paint.as_ref()]
        .into_iter()
        .map(|paint| match paint {
            Some(VertexPaint::Heat { values, .. }) => values.len(),
            other => panic!("{other:?}"),
        })
        .collect();
    let num_packed = state.layers()[1].model.num_vertices();
    assert_eq!(lengths, [6, num_packed]);
    let baked = state.tab.view.as_bsm2.conversion().unwrap();
    let worst = baked.deviation(DeviationKind::Position).unwrap().worst.unwrap();
    state.apply(Action::Second(SecondAction::ShowWorst(worst)));
    assert!(matches!(state.tab.selection, Selection::Vertex { .. }));
    assert!(state.tab.playback.shows_time());
    toggle_colors(&mut state, Painter::Second(SecondModel::AsBsm2));
    assert!(state.vertex_paint().is_none() && state.layers()[1].paint.is_none());
}

#[test]
fn ending_a_heat_map_restores_the_previous_colouring() {
    let mut state = as_bsm2();
    let coloring = |state: &AppState| state.tab.view.overlays.coloring;
    run(&mut state, Command::coloring(Coloring::Normals));
    let before = coloring(&state);
    assert!(before.is_some());
    toggle_colors(&mut state, Painter::Second(SecondModel::AsBsm2));
    assert_eq!(coloring(&state), Some(Coloring::Paint));
    run(&mut state, Command::AsBsm2);
    assert_eq!(coloring(&state), before);
    run(&mut state, Command::AsBsm2);
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    toggle_colors(&mut state, Painter::Second(SecondModel::AsBsm2));
    assert!(state.shows_colors(Painter::Second(SecondModel::AsBsm2)));
    toggle_colors(&mut state, Painter::Second(SecondModel::AsBsm2));
    assert!(
        state.shown_painting().is_some()
            && !state.shows_colors(Painter::Second(SecondModel::AsBsm2)),
        "weights again"
    );
    // Closing a pane removes its colours.
    let mut state = compared_with_changed();
    toggle_colors(&mut state, Painter::Second(SecondModel::Compared));
    state.apply(Action::ShowPane(Pane::Compare, false));
    assert_eq!((coloring(&state), state.vertex_paint().is_none()), (None, true));
    // Colours chosen by the user in the meantime stay.
    state.apply(Action::ShowPane(Pane::Compare, true));
    toggle_colors(&mut state, Painter::Second(SecondModel::Compared));
    run(&mut state, Command::coloring(Coloring::Normals));
    run(&mut state, Command::EndCompare);
    assert_eq!(coloring(&state), before);
}

#[test]
fn clip_of_only_one_model_is_reported_and_has_no_distances() {
    let mut state = opened();
    let mut other = changed();
    // B has only the second clip.
    other.clips.as_mut_vec().remove(0);
    let wanted = request(state.apply(Action::Compare(CompareAction::Load("dir/b.bsm2".into()))));
    let requests = answer(&mut state, &wanted, other);
    work(&mut state, requests);
    toggle_colors(&mut state, Painter::Second(SecondModel::Compared));
    let values = |paint: Option<&VertexPaint>| match paint {
        Some(VertexPaint::Heat { values, .. }) => values.clone(),
        other => panic!("{other:?}"),
    };
    // "walk" is played, which B doesn't have.
    state.apply(Action::Seek(0.5));
    let layers = state.layers();
    assert_eq!(layers[1].pose.moment, Moment::Default);
    assert!(state.pair_names().unwrap()[1].ends_with("b.bsm2 (B has no clip “walk”)"));
    assert!(state.uncompared_pose().unwrap().starts_with("B has no clip “walk”"));
    assert!(state.shown_painting().unwrap().title.contains("B has no clip"));
    assert!(values(state.vertex_paint()).iter().all(|value| value.is_nan()));
    assert!(values(layers[1].paint.as_ref()).iter().all(|value| value.is_nan()));
    // A renamed clip corresponds by order, which its name shows.
    let mut renamed = changed();
    renamed.clips[ClipId(0)].name = "stroll".to_owned();
    let wanted = request(state.apply(Action::Compare(CompareAction::Load("dir/c.bsm2".into()))));
    let requests = answer(&mut state, &wanted, renamed);
    work(&mut state, requests);
    assert!(state.pair_names().unwrap()[1].ends_with("c.bsm2 (clip “stroll”)"));
    assert_eq!(state.uncompared_pose(), None);
    let mut other = changed();
    other.clips.as_mut_vec().remove(0);
    let wanted = request(state.apply(Action::Compare(CompareAction::Load("dir/b.bsm2".into()))));
    let requests = answer(&mut state, &wanted, other);
    work(&mut state, requests);
    // "run" is the second clip of A and the first of B.
    state.apply(Action::SetClip(ClipId(1)));
    state.apply(Action::Seek(0.1));
    let layers = state.layers();
    assert_eq!((layers[0].pose.clip, layers[1].pose.clip), (Some(ClipId(1)), Some(ClipId(0))));
    assert_eq!(state.pose_gap(), None);
    assert_eq!(state.uncompared_pose(), None);
    assert_eq!(values(state.vertex_paint())[0], 0.0);
    // The comparison is about the clips, not the bind pose.
    run(&mut state, Command::ShowBindPose);
    assert!(state.uncompared_pose().unwrap().contains("bind pose"));
}

#[test]
fn document_is_model_a_and_differences_are_shown_in_it() {
    let mut state = opened();
    let wanted = request(state.apply(Action::Compare(CompareAction::Load("dir/b.bsm2".into()))));
    let requests = answer(&mut state, &wanted, changed());
    work(&mut state, requests);
    assert_eq!(state.pair_names().unwrap(), ["A: test.bsm2", "B: b.bsm2"]);
    let compared = state.tab.view.compare.compared().cloned().unwrap();
    let codes = |d: &rigscope_core::compare::Difference| d.kind.code() == "positions";
    let at = compared.differences().iter().position(codes).unwrap();
    let place = state.place_of_difference(at);
    assert_eq!(place, Some(rigscope_core::model::Place::Vertex { mesh: 0, vertex: 4 }));
}

#[test]
fn showing_a_difference_selects_its_triangle_or_bone_and_time() {
    let mut state = opened();
    let mut other = model(["skin", "cloth"]);
    // The winding of the second triangle is reversed.
    let mesh = &mut other.meshes[MeshId(0)];
    let mut indices: Vec<u32> = mesh.indices.iter().collect();
    indices.swap(3, 4);
    mesh.indices = rigscope_core::model::Indices::U32(indices);
    let with = CompareAction::Load("dir/b.bsm2".into());
    let wanted = request(state.apply(Action::Compare(with)));
    let requests = answer(&mut state, &wanted, other);
    work(&mut state, requests);
    let compared = state.tab.view.compare.compared().cloned().unwrap();
    let row = |code: &str| compared.differences().iter().position(|d| d.kind.code() == code);
    let flipped = row("triangles-flipped").unwrap();
    assert_eq!(
        state.place_of_difference(flipped),
        Some(rigscope_core::model::Place::Triangle { mesh: 0, triangle: 1 })
    );
    state.apply(Action::Compare(CompareAction::ShowDifference(flipped)));
    assert!(matches!(state.tab.selection, Selection::Triangle { triangle: 1, .. }));
}

#[test]
fn both_models_share_the_clock() {
    let mut state = as_bsm2();
    state.apply(Action::Seek(0.5));
    let layers = state.layers();
    assert_eq!(layers[1].pose, layers[0].pose);
    assert_eq!(layers[1].pose.moment, Moment::TimeSecs(0.5));
}

#[test]
fn each_arrangement_places_both_models() {
    let mut state = as_bsm2();
    assert_eq!(state.tab.view.second.arrangement, Arrangement::Split);
    state.apply(Action::Second(SecondAction::Divide(0.25)));
    let windows = |state: &AppState| -> Vec<_> {
        let layers = state.layers();
        layers.iter().map(|layer| (layer.view, layer.window)).collect()
    };
    let whole = [0.0, 1.0];
    assert_eq!(windows(&state), [(whole, [0.0, 0.25]), (whole, [0.25, 1.0])]);
    let aspect = state.aspect();
    run(&mut state, Command::ArrangeBeside);
    let (left, right) = ([0.0, 0.5], [0.5, 1.0]);
    assert_eq!(windows(&state), [(left, left), (right, right)]);
    assert_eq!(state.aspect(), aspect * 0.5);
    run(&mut state, Command::ArrangeOver);
    assert_eq!(windows(&state), [(whole, whole), (whole, whole)]);
    assert_eq!(state.layers()[1].ghost, None);
    run(&mut state, Command::ArrangeGhost);
    assert!(state.layers()[1].ghost.is_some());
    run(&mut state, Command::ArrangeFirst);
    assert!(state.layers().len() == 1 && state.layers()[0].is_document);
    run(&mut state, Command::ArrangeSecond);
    assert!(state.layers().len() == 1 && !state.layers()[0].is_document);
    // Models that aren't visible stay on the GPU until they are closed.
    assert_eq!(state.resident_models().len(), 2);
    state.apply(Action::Second(SecondAction::Hide));
    assert_eq!(state.resident_models().len(), 1);
    assert!(!Command::ArrangeSplit.is_enabled(&state));
}

#[test]
fn only_blinking_requests_frames_and_alternates_the_models() {
    let mut state = as_bsm2();
    assert_eq!(state.wake_in_secs(), None);
    run(&mut state, Command::ArrangeBlink);
    let first = state.wake_in_secs().unwrap();
    assert!(first > 0.1);
    assert!(state.layers().len() == 1 && state.layers()[0].is_document);
    state.tick(first);
    assert!(state.layers().len() == 1 && !state.layers()[0].is_document);
    state.tick(first);
    assert!(state.layers()[0].is_document);
    run(&mut state, Command::ArrangeSplit);
    assert_eq!(state.wake_in_secs(), None);
}

#[test]
fn another_file_is_compared_and_painted_while_the_document_stays() {
    let mut state = compared_with_changed();
    assert_eq!(state.title(), "test.bsm2 — Rigscope");
    assert!(state.settings.panes.shows(Pane::Compare));
    assert_eq!(state.layers().len(), 2);
    let compared = state.tab.view.compare.compared().cloned().unwrap();
    let differences = compared.differences();
    let at =
        differences.iter().position(|difference| difference.kind.code() == "positions").unwrap();
    assert!((differences[at].amount.unwrap() - 0.01).abs() < 1e-6);
    state.apply(Action::Compare(CompareAction::ShowDifference(at)));
    let Selection::Vertex { vertex, .. } = state.tab.selection else {
        panic!("{:?}", state.tab.selection);
    };
    assert_eq!(vertex, VertexId(4));
    toggle_colors(&mut state, Painter::Second(SecondModel::Compared));
    let Some(VertexPaint::Heat { values, high, .. }) = state.vertex_paint() else {
        panic!("nothing is painted");
    };
    assert!(values[4] == *high && values[0] == 0.0);
    assert!(state.layers()[1].paint.is_some());
    // With a larger tolerance they are equal.
    let options = DiffOptions { tolerance: 0.1, ..DiffOptions::default() };
    let requests = state.apply(Action::Compare(CompareAction::SetOptions(options)));
    work(&mut state, requests);
    let compared = state.tab.view.compare.compared().cloned().unwrap();
    assert!(compared.comparison.is_equal() && !compared.differences().is_empty());
    run(&mut state, Command::EndCompare);
    assert!(state.layers().len() == 1 && state.vertex_paint().is_none());
}

#[test]
fn weights_colour_both_models_by_the_bones_of_the_document() {
    let mut state = opened();
    let mut other = model(["skin", "cloth"]);
    // The same bones in another order.
    let mut bones = other.skeleton.bones().to_vec();
    bones.swap(0, 1);
    bones[0].parent = Some(BoneId(1));
    bones[1].parent = None;
    other.skeleton = Skeleton::new(bones, true).unwrap();
    inverse_bind_mut(&mut other.meshes[MeshId(0)]).bones.reverse();
    let with = CompareAction::Load("dir/other.bsm2".into());
    let wanted = request(state.apply(Action::Compare(with)));
    let requests = answer(&mut state, &wanted, other);
    work(&mut state, requests);
    state.apply(Action::Select(Selection::Bone(BoneId(1))));
    let requests = state.apply(Action::Weights(WeightsAction::Show(WeightsMode::Bone)));
    work(&mut state, requests);
    let Some(VertexPaint::Heat { values, high, .. }) = state.layers()[1].paint.clone() else {
        panic!("{:?}", state.layers()[1].paint);
    };
    assert_eq!((&values[..], high), (&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0][..], 1.0));
    let requests = state.apply(Action::Weights(WeightsAction::Show(WeightsMode::BoneColors)));
    work(&mut state, requests);
    let layers = state.layers();
    let (Some(VertexPaint::Colors(own)), Some(VertexPaint::Colors(other))) =
        (state.vertex_paint(), &layers[1].paint)
    else {
        panic!("{:?}", layers[1].paint);
    };
    assert_eq!(own, other);
}

#[test]
fn version_before_a_reload_can_be_compared() {
    let mut state = opened();
    assert!(!Command::ComparePrevious.is_enabled(&state));
    load(&mut state, Action::Run(Command::Reload), changed());
    run(&mut state, Command::ComparePrevious);
    let compared = state.tab.view.compare.compared().cloned().unwrap();
    assert!(!compared.comparison.is_equal());
    let names = state.pair_names().unwrap();
    assert_eq!(names, ["A: test.bsm2", "B: test.bsm2 before 12:34:56"]);
    // Compared again when the file changes again.
    let wanted = request(state.apply(Action::Run(Command::Reload)));
    let requests = answer(&mut state, &wanted, model(["skin", "cloth"]));
    work(&mut state, requests);
    let compared = state.tab.view.compare.compared().cloned().unwrap();
    assert!(compared.comparison.is_equal());
    // It doesn't affect another document.
    let wanted = request(state.apply(Action::Open("dir/new.bsm2".into())));
    answer(&mut state, &wanted, model(["x", "y"]));
    assert!(state.tab.view.compare.previous.is_none() && !state.has_second());
}

#[test]
fn comparing_with_an_unreadable_file_changes_nothing() {
    let mut state = opened();
    let with = CompareAction::Load(PathBuf::from("dir/broken.bsm2"));
    let wanted = request(state.apply(Action::Compare(with)));
    assert_eq!(state.tab.view.compare.loading().as_deref(), Some("broken.bsm2"));
    state.apply(Action::LoadFailed { id: wanted.id, failure: failure("bsm2: bad") });
    assert!(state.tab.problem.is_none() && state.tab.view.compare.loading().is_none());
    assert!(state.toasts.list().iter().any(|t| t.text.contains("broken.bsm2")));
    assert_eq!(state.layers().len(), 1);
}

/// Opens another file in a separate tab.
fn open_beside(state: &mut AppState) {
    let wanted = request(state.apply(Action::Open("dir/beside.bsm2".into())));
    answer(state, &wanted, model(["x", "y"]));
    assert_eq!(state.num_tabs(), 2);
}

#[test]
fn interrupted_comparison_is_loaded_again_with_its_tab() {
    let mut state = opened();
    let with = CompareAction::Load("dir/changed.bsm2".into());
    let left = request(state.apply(Action::Compare(with)));
    open_beside(&mut state);
    assert!(state.tab.view.compare.loading().is_none());
    answer(&mut state, &left, changed());
    assert!(state.tab.view.compare.other.is_none(), "not with the other document");
    let again = request(state.apply(Action::Tab(TabAction::Show(0))));
    assert_eq!((&again.target, again.id == left.id), (&left.target, false));
    let requests = answer(&mut state, &again, changed());
    work(&mut state, requests);
    assert!(state.tab.view.compare.compared().is_some() && !state.is_comparing());
}

#[test]
fn gpu_check_ends_when_its_tab_is_left() {
    let mut state = opened();
    let requests = state.apply(Action::Run(Command::CheckGpuClip));
    read(&mut state, requests, 0.0);
    open_beside(&mut state);
    state.apply(Action::Tab(TabAction::Show(0)));
    let truth = &state.tab.view.gpu_check;
    assert!(truth.progress().is_none() && truth.outcome.as_ref().unwrap().num_poses == 1);
}

/// Simulates reading back vertices, with vertex 2 off by `off`.
fn read(state: &mut AppState, requests: Vec<Request>, off: f32) -> Vec<Request> {
    let mut requests = work(state, requests);
    let at = requests.iter().position(|request| matches!(request, Request::ReadSkinned { .. }));
    let Some(Request::ReadSkinned { id, pose }) = at.map(|at| requests.remove(at)) else {
        return requests;
    };
    let document = state.tab.document.as_ref().unwrap();
    let mut vertices = skin_model(&document.model, &pose);
    vertices[0].positions[2] += Vec3::Z * off;
    let vertices = Ok(Arc::new(vertices));
    let action = Action::GpuCheck(GpuCheckAction::Read { id, vertices });
    let requests = state.apply(action);
    work(state, requests)
}

#[test]
fn checking_one_pose_finds_the_deviating_vertex() {
    let mut state = opened();
    let requests = state.apply(Action::Run(Command::CheckGpu));
    read(&mut state, requests, 0.25);
    let outcome = state.tab.view.gpu_check.outcome.clone().unwrap();
    assert_eq!((outcome.max, outcome.num_poses), (0.25, 1));
    assert!(outcome.max_of_extent > 0.0 && outcome.max_normal_deg == 0.0);
    assert!(!outcome.is_sound());
    assert_eq!(outcome.worst.unwrap().vertex.vertex, VertexId(2));
    assert_eq!(outcome.per_vertex[..4], [0.0, 0.0, 0.25, 0.0]);
    toggle_colors(&mut state, Painter::GpuCheck);
    assert!(state.shows_colors(Painter::GpuCheck));
    state.apply(Action::Second(SecondAction::ShowWorst(outcome.worst.unwrap())));
    assert!(matches!(state.tab.selection, Selection::Vertex { .. }));
}

#[test]
fn all_keys_of_a_clip_are_checked_one_after_another() {
    let mut state = opened();
    let mut requests = state.apply(Action::Run(Command::CheckGpuClip));
    let mut num = 0;
    while state.tab.view.gpu_check.progress().is_some() {
        assert_eq!(state.tab.view.gpu_check.progress(), Some((num, 11)));
        let off = if num == 7 { 0.5 } else { 0.0 };
        requests = read(&mut state, requests, off);
        num += 1;
    }
    let outcome = state.tab.view.gpu_check.outcome.clone().unwrap();
    assert_eq!((outcome.num_poses, outcome.max), (11, 0.5));
    assert_eq!(outcome.worst.unwrap().moment, Some(Moment::Key(7)));
    state.apply(Action::Second(SecondAction::ShowWorst(outcome.worst.unwrap())));
    assert_eq!(state.current_key(), Some(7));
}

#[test]
fn gpu_check_can_be_cancelled_and_late_results_are_ignored() {
    let mut state = opened();
    state.apply(Action::ViewSized(Vec2::new(600.0, 400.0)));
    let requests = state.apply(Action::Run(Command::CheckGpuClip));
    let next = read(&mut state, requests, 0.0);
    state.apply(Action::GpuCheck(GpuCheckAction::Cancel));
    let before = state.tab.view.gpu_check.clone();
    assert_eq!(before.outcome.as_ref().unwrap().num_poses, 1);
    read(&mut state, next, 3.0);
    assert_eq!(state.tab.view.gpu_check, before);
    let requests = state.apply(Action::Run(Command::CheckGpu));
    let Some(Request::ReadSkinned { id, .. }) = requests.last().cloned() else {
        panic!("{requests:?}");
    };
    let vertices = Err("the GPU didn't respond".to_owned());
    state.apply(Action::GpuCheck(GpuCheckAction::Read { id, vertices }));
    assert!(state.tab.view.gpu_check.progress().is_none());
    assert!(state.tab.view.gpu_check.problem.is_some());
}

#[test]
fn split_divider_moves_away_from_a_framed_vertex() {
    let mut state = compared_with_changed();
    state.apply(Action::Second(SecondAction::Arrange(Arrangement::Split)));
    state.apply(Action::Second(SecondAction::Divide(0.5)));
    let worst = state.worst_difference().unwrap();
    state.apply(Action::Second(SecondAction::ShowWorst(worst)));
    assert!(matches!(state.tab.selection, Selection::Vertex { .. }));
    let divider = state.tab.view.second.divider;
    assert!(divider > 0.6, "the vertex is in the middle of the view: {divider}");
    state.apply(Action::Second(SecondAction::Divide(0.3)));
    let worst = state.worst_difference().unwrap();
    state.apply(Action::Second(SecondAction::ShowWorst(worst)));
    assert_eq!(state.tab.view.second.divider, 0.3, "a line elsewhere stays");
}
