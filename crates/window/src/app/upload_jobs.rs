//! Starts uploads for the panes that lack data, and applies their results.

use std::sync::Arc;

use super::graphics::Graphics;
use super::job_runner::JobAnswer;
use super::system::jobs::SameThread;
use super::uploads::{FinishedUpload, UploadRequest, UploadedPart, perform_upload};
use super::window::App;
use rigscope_core::model::Model;
use rigscope_gpu::SceneError;
use rigscope_state::{Action, ImageSlot, JobId, ToastLevel, UserImageAction};

impl App {
    /// Starts an upload. The state shows it as a task, which scripts wait for and which ends with its tab.
    pub(super) fn start_upload(
        &mut self,
        graphics: &Graphics,
        model: Arc<Model>,
        request: UploadRequest,
    ) {
        let id = self.state.begin_upload(request.slot());
        let (gpu, renderer) = (graphics.gpu.clone(), Arc::clone(&graphics.renderer));
        self.jobs.start_gpu(id, async move |report| {
            let upload = perform_upload(&gpu, renderer, model, request, report);
            Ok(JobAnswer::Upload(SameThread::new(Box::new(upload))))
        });
    }

    /// Applies an upload if it is still in use. Returns the action that ends its task.
    pub(super) fn take_upload(&mut self, id: JobId, upload: FinishedUpload) -> Action {
        let done = Action::TaskDone { id, answer: None };
        let Some(shell) = &mut self.shell else { return done };
        let (graphics, toasts) = (&mut shell.graphics, &mut self.state.toasts);
        let FinishedUpload { renderer, model, part, findings } = upload;
        // An upload for a lost device can't be used.
        if !Arc::ptr_eq(&renderer, &graphics.renderer) {
            return done;
        }
        let mut failed = |text: &str, error: &SceneError| {
            if !matches!(error, SceneError::Cancelled) {
                toasts.push(ToastLevel::Error, format!("{text}: {error}"));
            }
        };
        let is_known = match part {
            UploadedPart::Textures(material_override, made) => {
                let made = made.inspect_err(|error| failed("some parts can't be shown", error));
                graphics.view.take(&model, made.map(|materials| (material_override, *materials)))
            }
            UploadedPart::Light(file, Ok(light)) => graphics.view.take_light(&model, &file, *light),
            UploadedPart::Light(file, Err(why)) => {
                let refused = UserImageAction::Rejected(ImageSlot::Environment, file, why);
                return Action::TaskDone { id, answer: Some(Box::new(Action::UserImage(refused))) };
            }
            UploadedPart::Scene(made) => {
                let made = made.inspect_err(|error| failed("the model can't be drawn", error));
                graphics.view.take_scene(&model, made.map(|scene| *scene))
            }
            UploadedPart::Whole(made) => {
                let made = made.inspect_err(|error| failed("some parts can't be shown", error));
                graphics.uv.take(&model, made.map(|scene| *scene))
            }
        };
        for finding in findings.into_iter().filter(|_| is_known) {
            let text = format!("{}: {}", finding.kind.code(), finding.message);
            toasts.push(ToastLevel::Info, text);
        }
        done
    }
}
