//! Jobs that end without an answer, and uploads, which the window starts.

use super::*;

const SLOT: TaskSlot = TaskSlot("uploading");

fn fail(state: &mut AppState, id: JobId) {
    state.apply(Action::JobFailed { id, error: JobError::Failed("no thread".to_owned()) });
}

#[test]
fn upload_is_a_task_with_progress_and_is_cancelled_with_its_tab() {
    let mut state = opened();
    let id = state.begin_upload(SLOT);
    state.apply(Action::JobProgress { id, what: "", fraction: 0.5 });
    assert_eq!(state.task(SLOT).unwrap().fraction, 0.5);
    state.apply(Action::TaskDone { id, answer: None });
    assert!(!state.is_running(SLOT));

    let id = state.begin_upload(SLOT);
    let closed = state.apply(Action::Tab(TabAction::Close(0)));
    assert!(closed.contains(&Request::Cancel(id)));
    assert!(!state.is_running(SLOT));
}

#[test]
fn every_owner_stops_waiting_for_a_failed_job() {
    let mut state = opened();
    let wanted = request(state.apply(Action::Open("dir/b.bsm2".into())));
    fail(&mut state, wanted.id);
    assert!(state.job.is_none());
    assert_eq!(state.tab.problem.as_ref().unwrap().exact, "no thread");

    state.apply(Action::Run(Command::Export));
    let requests = state.apply(Action::ExportTo("a.glb".into()));
    let Some(Request::Export(wanted)) = requests.first() else { panic!("{requests:?}") };
    fail(&mut state, wanted.id);
    let stage = &state.tab.export.as_ref().unwrap().stage;
    assert_eq!(*stage, Stage::Failed("no thread".to_owned()));

    let requests = state.apply(Action::ImageExport(ImageExportAction::WriteTo("a.png".into())));
    let Some(Request::WriteImages(wanted)) = requests.first() else { panic!("{requests:?}") };
    fail(&mut state, wanted.id);
    assert_eq!(state.tab.view.image_export.stage, Stage::Failed("no thread".to_owned()));

    let requests = state.apply(Action::ImageExport(ImageExportAction::Copy));
    let Some(Request::CopyImage { id, .. }) = requests.first() else { panic!("{requests:?}") };
    fail(&mut state, *id);
    assert_eq!(state.toasts.list().last().unwrap().text, "image not copied: no thread");

    let requests = state.apply(Action::Run(Command::CheckGpu));
    let Some(Request::ReadSkinned { id, .. }) = requests.last() else { panic!("{requests:?}") };
    fail(&mut state, *id);
    assert_eq!(state.tab.view.gpu_check.problem.as_deref(), Some("no thread"));

    let mut failures = 0;
    for error in [JobError::Failed("no thread".to_owned()), JobError::Cancelled] {
        let id = state.begin_upload(SLOT);
        let num_messages = state.toasts.log().entries().len();
        state.apply(Action::JobFailed { id, error });
        assert!(!state.is_running(SLOT));
        failures += state.toasts.log().entries().len() - num_messages;
    }
    assert_eq!(failures, 1, "cancelling isn't reported");
}

#[test]
fn only_the_last_copied_image_is_reported_in_any_tab() {
    let mut state = opened();
    let copy = |state: &mut AppState| match &state
        .apply(Action::ImageExport(ImageExportAction::Copy))[..]
    {
        [.., Request::CopyImage { id, .. }] => *id,
        requests => panic!("{requests:?}"),
    };
    let (first, second) = (copy(&mut state), copy(&mut state));
    load(&mut state, Action::Open("dir/b.bsm2".into()), model(["x", "y"]));
    let copied =
        |id| Action::ImageExport(ImageExportAction::Copied { id, outcome: Ok([640, 480]) });
    let last = |state: &AppState| state.toasts.list().last().unwrap().text.clone();
    state.apply(copied(first));
    assert_eq!(last(&state), "copying the image…");
    state.apply(copied(second));
    assert_eq!(last(&state), "image copied (640 × 480 pixels)");
}
