//! Files that are opened together.

use super::{answer, failure, model, request};
use crate::{
    Action, AppState, ChosenFile, ChosenKind, FileGroup, LoadReason, Origin, Request, StartAt,
};
use rigscope_core::model::Model;
use rigscope_io::OpenOptions;
use rigscope_testing::ModelBuilder;
use std::path::Path;

fn chosen(files: &[(&str, ChosenKind)]) -> Vec<ChosenFile> {
    let file =
        |(name, kind): &(&str, ChosenKind)| ChosenFile { path: name.into(), kind: kind.clone() };
    files.iter().map(file).collect()
}

pub(super) fn group(files: &[(&str, ChosenKind)]) -> Action {
    let files = chosen(files);
    Action::OpenGroup(Box::new(FileGroup { files, ..FileGroup::default() }))
}

fn models(names: &[&str]) -> Action {
    let files: Vec<_> = names.iter().map(|name| (*name, ChosenKind::Model)).collect();
    group(&files)
}

/// A file with a clip for bones of these names, and no mesh.
fn motion(bones: [&str; 2]) -> Model {
    Model { meshes: Vec::new().into(), ..renamed(model(["a", "b"]), bones) }
}

fn renamed(model: Model, bones: [&str; 2]) -> Model {
    let skeleton = ModelBuilder::new().chain(&bones).build().skeleton;
    Model { skeleton, ..model }
}

fn names(state: &AppState) -> Vec<String> {
    state.tabs().into_iter().map(|tab| tab.name).collect()
}

#[test]
fn the_model_among_several_files_is_opened_with_the_others() {
    let mut state = AppState::default();
    let wanted = request(state.apply(group(&[
        ("hat.png", ChosenKind::Image),
        ("hat.bsm2", ChosenKind::Model),
        ("hat.txt", ChosenKind::Unknown),
    ])));
    assert_eq!(wanted.target, Origin::File("hat.bsm2".into()));
    assert_eq!(wanted.options.with, [Path::new("hat.png"), Path::new("hat.txt")]);
    assert_eq!(wanted.reason, LoadReason::Open);

    let mut state = AppState::default();
    let wanted = request(
        state.apply(group(&[("walk.xyz", ChosenKind::Unknown), ("hero.ozz", ChosenKind::Bones)])),
    );
    assert_eq!(wanted.target, Origin::File("hero.ozz".into()));
    assert_eq!(state.apply(group(&[])), []);
}

#[test]
fn models_that_are_opened_together_get_tabs_and_the_first_is_shown() {
    let mut state = AppState::default();
    let files = chosen(&[("a.glb", ChosenKind::Model), ("b.glb", ChosenKind::Model)]);
    let options = OpenOptions { fps: Some(25.0), ..OpenOptions::default() };
    let start = StartAt { clip: Some("run".into()), time_secs: None };
    let all = FileGroup { files, options, start };
    let first = request(state.apply(Action::OpenGroup(Box::new(all))));
    let second = request(answer(&mut state, &first, model(["x", "y"])));
    assert_eq!(second.target, Origin::File("b.glb".into()));
    assert_eq!((first.options.fps, second.options.fps), (Some(25.0), Some(25.0)));
    assert!(state.is_opening_group());
    answer(&mut state, &second, model(["x", "y"]));
    assert!(!state.is_opening_group());
    assert_eq!(names(&state), ["a.glb", "b.glb"]);
    assert!(state.tabs()[0].is_active);
    assert_eq!(state.clip().unwrap().name, "run");
}

#[test]
fn files_that_cannot_be_read_do_not_stop_the_others() {
    let mut state = AppState::default();
    let gone = ChosenKind::Unreadable("no such file or folder".into());
    let files = [("gone.glb", gone), ("b.glb", ChosenKind::Model)];
    let first = request(state.apply(group(&files)));
    let requests = state.apply(Action::LoadFailed { id: first.id, failure: failure("gone") });
    answer(&mut state, &request(requests), model(["x", "y"]));
    assert_eq!(names(&state), ["b.glb"]);
    assert!(!state.is_opening_group());
}

#[test]
fn files_without_a_mesh_join_the_model_whose_bones_they_move() {
    let mut state = AppState::default();
    // The animation comes before the models.
    let mut wanted = request(state.apply(models(&["walk.glb", "robot.glb", "hero.glb"])));
    for found in
        [motion(["root", "arm"]), renamed(model(["x", "y"]), ["wheel", "axle"]), model(["x", "y"])]
    {
        wanted = request(answer(&mut state, &wanted, found));
    }
    assert_eq!(names(&state), ["robot.glb", "hero.glb"]);
    assert_eq!(wanted.target, Origin::File("hero.glb".into()));
    assert_eq!(
        (wanted.reason, &*wanted.options.with),
        (LoadReason::Reload, &["walk.glb".into()][..])
    );
    let requests = answer(&mut state, &wanted, model(["x", "y"]));
    assert!(!requests.iter().any(|request| matches!(request, Request::Load(_))));
    assert!(state.tabs()[0].is_active && !state.is_opening_group());
    let texts: Vec<_> = state.toasts.list().iter().map(|toast| &*toast.text).collect();
    assert!(texts.contains(&"walk.glb has no mesh and was added to hero.glb"), "{texts:?}");
}

#[test]
fn files_without_a_mesh_get_tabs_if_no_model_is_among_them() {
    let mut state = AppState::default();
    let first = request(state.apply(models(&["walk.glb", "run.glb"])));
    let second = request(answer(&mut state, &first, motion(["root", "arm"])));
    let requests = answer(&mut state, &second, motion(["root", "arm"]));
    assert!(!requests.iter().any(|request| matches!(request, Request::Load(_))));
    assert_eq!(names(&state), ["walk.glb", "run.glb"]);
    assert!(state.tabs()[0].is_active && !state.is_opening_group());
}

#[test]
fn dropped_models_get_tabs_next_to_the_open_one() {
    let mut state = AppState::default();
    let wanted = request(state.apply(Action::Open("hero.glb".into())));
    answer(&mut state, &wanted, model(["x", "y"]));
    let dropped = chosen(&[("a.glb", ChosenKind::Model), ("walk.glb", ChosenKind::Model)]);
    let first = request(state.apply(Action::Drop(dropped)));
    assert!(first.options.with.is_empty());
    let second = request(answer(&mut state, &first, renamed(model(["x", "y"]), ["p", "q"])));
    let joined = request(answer(&mut state, &second, motion(["root", "arm"])));
    assert_eq!(joined.target, Origin::File("hero.glb".into()), "its bones match");
    assert_eq!(names(&state), ["hero.glb", "a.glb"]);
}
