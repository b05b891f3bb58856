//! Whole sessions without a window.

mod bone_pairs;
mod bones;
mod camera;
mod commands;
mod file_groups;
mod fixes;
mod jobs;
mod nodes;
mod playback;
#[path = "../../io/tests/injected/rigs.rs"]
mod rigs;
mod runtimes;
mod weights;

use rigscope_core::model::MeshId;
use std::path::Path;
use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3};

use super::Origin;
use super::*;
use rigscope_core::camera::Projection;
use rigscope_core::visual::Switch;
use rigscope_io::formats::{FORMATS, Opened};
use rigscope_testing::*;

const KEY_NS: u64 = 100_000_000;

pub(super) fn clip(name: &str, num_keys: u16) -> Clip {
    let moved = |key| Affine3A::from_translation(Vec3::X * f32::from(key));
    let keys: Vec<_> = (0..num_keys).flat_map(|key| [Affine3A::IDENTITY, moved(key)]).collect();
    sampled(name, KeySpace::Local, KEY_NS, 2, &keys)
}

/// Two adjacent triangles in the plane z = 0, one subset each; bone 1 moves the second.
pub(super) fn model(names: [&str; 2]) -> Model {
    let corners = [(-2.0, 0.0), (-1.0, 0.0), (-2.0, 1.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1.0)];
    let model = ModelBuilder::new()
        .chain(&["root", "arm"])
        .mesh(corners.map(|(x, y)| Vec3::new(x, y, 0.0)))
        .indices([0, 1, 2, 3, 4, 5])
        .subsets(&[(3, Some(0)), (3, Some(1))])
        .bound_by_keys(2, [0, 0, 0, 1, 1, 1].map(|bone| [(bone, 1.0)]))
        .materials(&names)
        .add_clip(clip("walk", 11))
        .add_clip(clip("run", 3));
    Model {
        name: "test.bsm2".into(),
        default_pose: DefaultPose::FirstKey,
        normal_matrix: NormalMatrix::Same,
        ..model.build()
    }
}

fn document_of(model: Model, origin: Origin) -> Box<Document> {
    let opened = Opened { model, format: FORMATS[0] };
    let bytes = Arc::new(Vec::new());
    Box::new(
        Document::new(&AppState::request(origin, LoadReason::Open), bytes, opened, &Report::new())
            .unwrap(),
    )
}

fn file() -> Origin {
    Origin::File("dir/test.bsm2".into())
}

/// The load request among `requests`.
pub(super) fn request(requests: Vec<Request>) -> LoadRequest {
    let mut requests = requests.into_iter().filter_map(|request| match request {
        Request::Load(request) => Some(*request),
        _ => None,
    });
    let request = requests.next().expect("a load");
    assert_eq!(requests.next(), None);
    request
}

pub(super) fn answer(state: &mut AppState, request: &LoadRequest, model: Model) -> Vec<Request> {
    state.apply(Action::Loaded {
        id: request.id,
        document: document_of(model, request.target.clone()),
        clock: "12:34:56".into(),
    })
}

/// Opens or reloads `model` with an action.
pub(super) fn load(state: &mut AppState, action: Action, model: Model) -> Vec<Request> {
    let wanted = request(state.apply(action));
    answer(state, &wanted, model)
}

/// Applies an action and runs its tasks at once; returns the number of tasks.
pub(super) fn apply(state: &mut AppState, action: Action) -> usize {
    let mut num_tasks = 0;
    for request in state.apply(action) {
        if let Request::Run(task) = request {
            num_tasks += 1;
            let answer = task.run(&Report::new()).ok().map(Box::new);
            num_tasks += apply(state, Action::TaskDone { id: task.id, answer });
        }
    }
    num_tasks
}

/// [`apply`] for a command.
pub(super) fn run(state: &mut AppState, command: Command) -> usize {
    apply(state, Action::Run(command))
}

/// A window with the model open and a view of 600 x 400 points.
pub(super) fn opened() -> AppState {
    let mut state = AppState::default();
    state.apply(Action::ViewSized(Vec2::new(600.0, 400.0)));
    load(&mut state, Action::Open("dir/test.bsm2".into()), model(["skin", "cloth"]));
    state
}

pub(super) fn failure(message: &str) -> LoadFailure {
    LoadFailure::Failed {
        message: message.into(),
        words: "The file is damaged.".into(),
        facts: Vec::new(),
        file: None,
    }
}

#[test]
fn an_opened_file_is_framed_remembered_and_shown_in_its_default_pose() {
    let state = opened();
    assert_eq!(state.title(), "test.bsm2 — Rigscope");
    assert_eq!(state.settings.recent, [Path::new("dir/test.bsm2")]);
    assert!(!state.tab.playback.shows_time() && !state.tab.playback.is_playing);
    assert!(state.tab.view.camera.target.distance(Vec3::new(0.0, 0.5, 0.0)) < 1e-5);
    assert_eq!(state.wake_in_secs(), None, "nothing moves");
}

#[test]
fn old_document_stays_while_loading_and_after_a_failure() {
    let mut state = opened();
    let wanted = request(state.apply(Action::Open("broken.bsm2".into())));
    assert!(state.tab.document.is_some() && state.job.is_some());
    state.apply(Action::JobProgress { id: wanted.id, what: "checking", fraction: 0.5 });
    assert_eq!(state.job.as_ref().unwrap().what, "checking");
    state.apply(Action::LoadFailed {
        id: wanted.id,
        failure: failure("bsm2: bad at offset 0x10 (header)"),
    });
    assert_eq!(state.tab.document.as_ref().unwrap().name(), "test.bsm2");
    let problem = state.tab.problem.as_ref().unwrap();
    assert_eq!(problem.title, "broken.bsm2 could not be opened");
    assert!(problem.to_text().contains("offset 0x10"));
    assert!(state.job.is_none());
    state.apply(Action::DismissProblem);
    assert_eq!(state.tab.problem, None);
}

#[test]
fn newer_load_request_cancels_the_older_one() {
    let mut state = opened();
    let first = request(state.apply(Action::Open("a.bsm2".into())));
    let requests = state.apply(Action::Open("b.bsm2".into()));
    assert_eq!(requests[0], Request::Cancel(first.id));
    let second = request(requests);
    assert!(answer(&mut state, &first, Model::default()).is_empty());
    assert_eq!(state.tab.document.as_ref().unwrap().name(), "test.bsm2");
    answer(&mut state, &second, model(["x", "y"]));
    let origin = &state.tab.document.as_ref().unwrap().origin;
    assert_eq!(origin, &Origin::File("b.bsm2".into()));
}

#[test]
fn cancelling_a_load_keeps_the_open_document_without_an_error() {
    let mut state = opened();
    let wanted = request(state.apply(Action::Open("a.bsm2".into())));
    let requests = state.apply(Action::Run(Command::CancelLoad));
    assert_eq!(requests, [Request::Cancel(wanted.id)]);
    state.apply(Action::LoadFailed { id: wanted.id, failure: LoadFailure::Cancelled });
    assert!(state.tab.document.is_some() && state.tab.problem.is_none() && state.job.is_none());
}

#[test]
fn a_reload_keeps_camera_clip_time_selection_and_visibility() {
    let mut state = opened();
    for action in [
        Action::SetClip(ClipId(0)),
        Action::Seek(0.55),
        Action::Select(Selection::Bone(BoneId(1))),
        Action::SetVisible(0, false),
        Action::Orbit { yaw_rad: 0.3, pitch_rad: 0.1 },
    ] {
        state.apply(action);
    }
    let camera = state.tab.view.camera;
    let wanted = request(state.apply(Action::FileChanged));
    assert_eq!(wanted.reason, LoadReason::Reload);
    let mut changed = model(["hair", "skin"]);
    changed.clips.swap(0, 1);
    answer(&mut state, &wanted, changed);

    assert_eq!(state.tab.view.camera, camera);
    assert_eq!(state.clip().unwrap().name, "walk", "followed by its name");
    assert_eq!(state.tab.playback.time_secs, 0.55);
    assert_eq!(state.tab.selection, Selection::Bone(BoneId(1)));
    assert!(state.tab.view.shows(0), "hair is new");
    assert!(!state.tab.view.shows(1), "skin was hidden");
    assert_eq!(state.tab.watch, WatchStatus::Reloaded("12:34:56".into()));
    assert_eq!(state.toasts.list()[0].text, "reloaded at 12:34:56");
}

#[test]
fn broken_file_on_disk_keeps_the_last_good_version_and_watching() {
    let mut state = opened();
    let wanted = request(state.apply(Action::FileChanged));
    state.apply(Action::LoadFailed { id: wanted.id, failure: failure("bsm2: cut short") });
    assert_eq!(state.tab.watch, WatchStatus::Broken("bsm2: cut short".into()));
    assert!(state.tab.problem.is_none() && state.tab.document.is_some());
    load(&mut state, Action::FileChanged, model(["skin", "cloth"]));
    assert!(matches!(state.tab.watch, WatchStatus::Reloaded(_)));
}

#[test]
fn reload_resets_selection_and_clip_missing_from_the_new_file() {
    let mut state = opened();
    state.apply(Action::SetClip(ClipId(1)));
    state.apply(Action::Select(Selection::Subset(1)));
    state.apply(Action::Isolate(Some(1)));
    let mut smaller = model(["skin", "cloth"]);
    smaller.meshes[MeshId(0)].subsets.truncate(1);
    smaller.clips.as_mut_vec().clear();
    load(&mut state, Action::Run(Command::Reload), smaller);
    assert_eq!(state.tab.selection, Selection::None);
    assert_eq!(state.tab.view.isolated, None);
    assert_eq!(state.tab.playback.clip, None);
    assert_eq!(state.tab.view.looks.len(), 1);
}

#[test]
fn hiding_and_isolating_are_independent() {
    let mut state = opened();
    state.apply(Action::Select(Selection::Subset(0)));
    state.apply(Action::Run(Command::HideSelected));
    assert!(!state.tab.view.shows(0) && state.tab.view.shows(1));
    state.apply(Action::Run(Command::IsolateSelected));
    assert!(state.tab.view.shows(0) && !state.tab.view.shows(1));
    state.apply(Action::Run(Command::IsolateSelected));
    assert!(!state.tab.view.shows(0) && state.tab.view.shows(1));
    state.apply(Action::Run(Command::ShowAll));
    assert!(state.tab.view.shows(0) && state.tab.view.shows(1));
}

/// The position of display-space `point` in the view.
fn ndc(state: &AppState, point: Vec3) -> Vec2 {
    let bounds = state.tab.document.as_ref().unwrap().bounds;
    let clip = state.tab.view.camera.clip_from_world(state.aspect(), &bounds);
    clip.project_point3(point).truncate()
}

/// The result `hit` of a pick at `at` in the current model.
pub(super) fn picked(state: &AppState, at: PickAt, hit: PickHit) -> Action {
    Action::Picked(at, state.model_key().unwrap(), hit)
}

/// Clicks, and picks on the CPU.
fn click(state: &mut AppState, ndc: Vec2, what: PickWhat) {
    let at = PickAt { ndc, what, ..PickAt::default() };
    assert_eq!(state.apply(Action::Pick(at)), [Request::Pick(at)]);
    let hit = pick(state, at);
    state.apply(picked(state, at, hit));
}

#[test]
fn click_selects_the_triangle_in_the_displayed_pose() {
    let mut state = opened();
    state.apply(Action::Seek(0.5));
    state.apply(Action::Run(Command::FrameAll));
    for (point, expected) in [
        (Vec3::new(-1.8, 0.2, 0.0), Selection::Subset(0)),
        (Vec3::new(6.2, 0.2, 0.0), Selection::Subset(1)),
        (Vec3::new(1.2, 0.2, 0.0), Selection::None),
    ] {
        let ndc = ndc(&state, point);
        click(&mut state, ndc, PickWhat::Subset);
        assert_eq!(state.tab.selection, expected, "{point}");
    }
    let ndc = ndc(&state, Vec3::new(6.05, 0.9, 0.0));
    click(&mut state, ndc, PickWhat::Vertex);
    let probe = state.vertex_probe().unwrap();
    assert_eq!((probe.mesh, probe.vertex), (MeshId(0), VertexId(5)));
    assert_eq!(probe.posed_position, Vec3::new(6.0, 1.0, 0.0));
    assert_eq!(probe.influences.len(), 1);
}

#[test]
fn bone_near_the_pointer_is_picked_if_bones_are_shown() {
    let mut state = opened();
    state.apply(Action::Seek(0.2));
    let at = ndc(&state, state.bone_shapes()[1].head);
    click(&mut state, at, PickWhat::Subset);
    assert_eq!(state.tab.selection.bone(), None);
    state.apply(Action::Run(Command::switch(Switch::Bones)));
    click(&mut state, at, PickWhat::Subset);
    assert!(state.tab.selection.bone().is_some());
    state.apply(Action::Select(Selection::Bone(BoneId(1))));
    state.apply(Action::Run(Command::SelectParent));
    assert_eq!(state.tab.selection, Selection::Bone(BoneId(0)));
}

#[test]
fn lines_and_points_are_listed_after_subsets_and_picked_separately() {
    let mut state = AppState::default();
    state.apply(Action::ViewSized(Vec2::new(600.0, 400.0)));
    let mut made = model(["skin", "cloth"]);
    let loose = |kind, indices: &[u32]| LooseGeometry {
        kind,
        indices: indices.to_vec(),
        material: Some(MaterialId(1)),
    };
    made.meshes[MeshId(0)].loose =
        vec![loose(LooseKind::Lines, &[2, 5]), loose(LooseKind::Points, &[5])];
    load(&mut state, Action::Open("dir/test.bsm2".into()), made);
    let document = state.tab.document.as_ref().unwrap();
    let names: Vec<_> = (0..4).map(|row| document.subset_name(row)).collect();
    assert_eq!(names, ["skin", "cloth", "cloth (lines)", "cloth (points)"]);
    assert_eq!(document.subsets[2].content(&document.model), (1, "lines"));
    let on_line = ndc(&state, Vec3::new(-0.2, 1.0, 0.0));
    click(&mut state, on_line, PickWhat::Subset);
    assert_eq!(state.tab.selection, Selection::Subset(2));
    assert!(state.inspector_facts()[0].facts.iter().any(|fact| fact.name == "Lines"));
    state.apply(Action::Run(Command::FrameSelection));
    assert_eq!(state.tab.view.camera.target, Vec3::new(-0.5, 1.0, 0.0));
    let on_line = ndc(&state, Vec3::new(0.7, 1.0, 0.0));
    click(&mut state, on_line, PickWhat::Vertex);
    assert_eq!(state.vertex_probe().unwrap().vertex, VertexId(5));
    let on_point = ndc(&state, Vec3::new(1.0, 1.0, 0.0));
    state.apply(Action::SetVisible(2, false));
    click(&mut state, on_point, PickWhat::Subset);
    assert_eq!(state.tab.selection, Selection::Subset(3));
    state.apply(Action::SetVisible(3, false));
    let beside = ndc(&state, Vec3::new(-0.2, 1.0, 0.0));
    click(&mut state, beside, PickWhat::Subset);
    assert_eq!(state.tab.selection, Selection::None);
}

#[test]
fn hidden_subsets_are_not_picked() {
    let mut state = opened();
    let ndc = ndc(&state, Vec3::new(-1.8, 0.2, 0.0));
    state.apply(Action::SetVisible(0, false));
    click(&mut state, ndc, PickWhat::Subset);
    assert_eq!(state.tab.selection, Selection::None);
}

#[test]
fn framing_uses_the_selection_and_lasts_until_the_camera_is_moved() {
    let mut state = opened();
    state.apply(Action::Select(Selection::Subset(1)));
    state.apply(Action::Run(Command::FrameSelection));
    assert_eq!(state.tab.view.camera.target, Vec3::new(1.5, 0.5, 0.0));
    let narrow = Vec2::new(100.0, 400.0);
    let before = state.tab.view.camera.distance;
    state.apply(Action::ViewSized(narrow));
    assert!(state.tab.view.camera.distance > before, "still in the picture");
    state.apply(Action::Zoom { factor: 0.5, at_ndc: Vec2::ZERO });
    let zoomed = state.tab.view.camera;
    state.apply(Action::ViewSized(Vec2::new(600.0, 400.0)));
    assert_eq!(state.tab.view.camera, zoomed);
    state.apply(Action::Run(Command::ToggleProjection));
    assert_eq!(state.tab.view.camera.projection, Projection::Orthographic);
}

#[test]
fn showing_a_finding_selects_its_subject() {
    let mut state = opened();
    let cases = [
        (Place::Bone(1), Selection::Bone(BoneId(1))),
        (Place::Subset { mesh: 0, subset: 1 }, Selection::Subset(1)),
        (Place::Material(1), Selection::Subset(1)),
        (Place::Clip(1), Selection::Clip(ClipId(1))),
        (
            Place::Triangle { mesh: 0, triangle: 1 },
            Selection::Triangle { mesh: MeshId(0), triangle: 1, subset: None },
        ),
    ];
    for (place, expected) in cases {
        state.apply(Action::ShowPlace(place));
        assert_eq!(state.tab.selection, expected);
    }
    state.apply(Action::ShowPlace(Place::Key { clip: 0, key: 4, bone: 0 }));
    assert_eq!((state.tab.playback.clip, state.current_key()), (Some(ClipId(0)), Some(4)));
    state.apply(Action::ShowPlace(Place::Moment { clip: 1, micros: 40_000, bone: Some(0) }));
    assert_eq!(state.tab.selection, Selection::Bone(BoneId(0)));
    assert_eq!(state.tab.playback.clip, Some(ClipId(1)));
    assert_eq!(state.tab.playback.pose_spec().moment, rigscope_core::pose::Moment::TimeSecs(0.04));
    let before = state.tab.selection;
    state.apply(Action::ShowPlace(Place::Bone(99)));
    assert_eq!(state.tab.selection, before, "a missing bone is ignored");
}

#[test]
fn opening_a_file_with_errors_shows_a_message() {
    let report = Report::new();
    report.add(FindingKind::NotFinite, Place::File, "bad");
    let opened = Opened { model: model(["a", "b"]), format: FORMATS[0] };
    let bytes = Arc::new(Vec::new());
    let document =
        Document::new(&AppState::request(file(), LoadReason::Open), bytes, opened, &report)
            .unwrap();
    let mut state = AppState::default();
    let wanted = request(state.apply(Action::Open("x.bsm2".into())));
    state.apply(Action::Loaded {
        id: wanted.id,
        document: Box::new(document),
        clock: String::new(),
    });
    assert_eq!(state.toasts.list().len(), 1);
    let secs = state.wake_in_secs().unwrap();
    state.tick(secs + 0.1);
    assert!(state.toasts.list().is_empty());
}

#[test]
fn switches_are_saved_for_the_next_run() {
    let mut state = opened();
    for command in [
        Command::switch(Switch::Wireframe),
        Command::CycleLoop,
        Command::ToggleLinear,
        Command::ToggleExactNormals,
        Command::pane(Pane::Findings),
        Command::ThemeLight,
    ] {
        assert_eq!(state.apply(Action::Run(command)), [Request::SaveSettings]);
    }
    let next = AppState::new(state.settings.clone());
    assert!(next.tab.view.overlays.wireframe && !next.settings.panes.shows(Pane::Findings));
    assert_eq!(next.tab.playback.loop_mode, LoopMode::PingPong);
    assert_eq!(next.tab.playback.sampling, rigscope_core::pose::Sampling::Linear);
}

#[test]
fn every_command_runs_with_and_without_a_document() {
    for command in Command::all() {
        AppState::default().apply(Action::Run(command));
        let mut state = opened();
        state.apply(Action::Select(Selection::Subset(0)));
        state.apply(Action::Run(command));
        match &state.tab.document {
            Some(document) => assert!(state.tab.selection.exists_in(document)),
            None => {
                assert_eq!(command, Command::CloseTab);
                assert_eq!(state.tab.selection, Selection::None);
            }
        }
    }
}
