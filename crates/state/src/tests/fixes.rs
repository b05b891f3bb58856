//! Diagnosis, and fixes of the open file.

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Mat3, Mat4};
use rigscope_core::model::{FindingKind, MeshId, Model, Report};
use rigscope_core::validate::validate;
use rigscope_io::fix::Choice;

use super::{apply, load, opened, request, rigs};
use crate::{
    Action, AppState, Arrangement, DiagnosisAction, FilePurpose, FindingsAction, FixAction,
    FixOutcome, FixRequest, Pane, Request,
};

/// A biped whose inverse bind matrices have transposed rotations.
fn broken() -> Model {
    let (_, mut model) = rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap();
    let skin = model.meshes[MeshId(0)].inverse_bind_mut().unwrap();
    for matrix in &mut skin.bone_from_mesh {
        let rotation = Mat4::from_mat3(Mat3::from_mat4(*matrix).transpose());
        *matrix = Mat4::from_translation(matrix.w_axis.truncate()) * rotation;
    }
    model
}

#[test]
fn causes_are_searched_once_validation_has_found_a_symptom() {
    let mut state = AppState::default();
    load(&mut state, Action::Open("dir/test.bsm2".into()), broken());
    assert!(state.causes().is_none());
    let report = Report::new();
    validate(&broken(), &report).unwrap();
    let validated = FindingsAction::Validated(Arc::new(report.findings()));
    apply(&mut state, Action::Findings(validated));
    assert_eq!(state.main_cause().unwrap().0.name, "inverse-binds-transposed");
}

#[test]
fn causes_are_searched_while_the_pane_is_open_and_shown_side_by_side() {
    let mut state = AppState::default();
    load(&mut state, Action::Open("dir/test.bsm2".into()), broken());
    assert!(state.causes().is_none());
    apply(&mut state, Action::ShowPane(Pane::Diagnosis, true));
    let causes = state.causes().unwrap();
    assert_eq!(causes.list[0].name, "inverse-binds-transposed");
    assert!(causes.list[0].improvement.starts_with("without it, "));
    assert!(state.cause_of(FindingKind::InverseBindNotAffine).is_some());
    assert!(state.cause_of(FindingKind::NoClips).is_none());

    state.apply(Action::Diagnosis(DiagnosisAction::ToggleUndone));
    assert!(state.shows_undone());
    assert_eq!(state.tab.view.second.arrangement, Arrangement::Beside);
    assert_eq!(state.layers().len(), 2);
    assert_eq!(state.pair_names().unwrap()[1], "B: without the fault");
    state.apply(Action::Diagnosis(DiagnosisAction::ToggleUndone));
    assert_eq!(state.layers().len(), 1);
}

fn fix_request(requests: Vec<Request>) -> FixRequest {
    match requests.into_iter().next() {
        Some(Request::Fix(request)) => *request,
        other => panic!("{other:?}"),
    }
}

fn outcome(files: &[&str], line: &str) -> FixOutcome {
    FixOutcome { files: files.iter().map(PathBuf::from).collect(), lines: vec![line.to_owned()] }
}

#[test]
fn a_fixed_file_is_saved_next_to_its_source_and_opened() {
    let mut state = opened();
    let ask = || Action::Fix(FixAction::Ask(Choice::All));
    let trial = fix_request(state.apply(ask()));
    assert!(trial.is_trial);
    assert_eq!(state.apply(ask()), [], "one fix at a time");
    let works = Ok(outcome(&["dir/test-fixed.bsm2"], "Fixed zero-normal (3)"));
    let asked = state.apply(Action::Fix(FixAction::Done { id: trial.id, outcome: works }));
    let expected = Request::PickTarget {
        purpose: FilePurpose::Fix,
        folder: Some("dir".into()),
        name: "test-fixed.bsm2".to_owned(),
        extension: "bsm2".to_owned(),
    };
    assert_eq!(asked, [expected]);
    let request_of_fix = fix_request(state.apply(Action::Fix(FixAction::To("dir/new".into()))));
    assert_eq!(request_of_fix.path, PathBuf::from("dir/new.bsm2"));
    assert_eq!(request_of_fix.choice, Choice::All);
    assert!(!request_of_fix.is_trial);
    assert!(state.tab.view.fixing.progress().is_some());

    let outcome = Ok(outcome(&["dir/new.bsm2"], "Fixed zero-normal (3)"));
    let done = Action::Fix(FixAction::Done { id: request_of_fix.id, outcome });
    let load = request(state.apply(done));
    assert_eq!(load.target.path(), Some("dir/new.bsm2".as_ref()));
    assert!(state.tab.view.fixing.progress().is_none());
}

#[test]
fn a_fix_that_fails_is_reported_before_a_path_is_asked_for() {
    let mut state = opened();
    let trial = fix_request(state.apply(Action::Fix(FixAction::Ask(Choice::All))));
    let refused = Ok(outcome(&[], "Not fixed: zero-normal"));
    let done = Action::Fix(FixAction::Done { id: trial.id, outcome: refused });
    assert_eq!(state.apply(done), []);
    assert_eq!(state.apply(Action::Fix(FixAction::To("dir/new.bsm2".into()))), []);
}

#[test]
fn a_cancelled_fix_is_forgotten() {
    let mut state = opened();
    let running = fix_request(state.apply(Action::Fix(FixAction::Ask(Choice::All))));
    let cancelled = state.apply(Action::Fix(FixAction::Cancel));
    assert_eq!(cancelled, [Request::Cancel(running.id)]);
    assert!(state.tab.view.fixing.progress().is_none());
    let outcome = Ok(FixOutcome { files: vec!["dir/new.bsm2".into()], lines: Vec::new() });
    let late = Action::Fix(FixAction::Done { id: running.id, outcome });
    assert_eq!(state.apply(late), []);
}
