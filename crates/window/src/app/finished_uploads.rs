//! Applies finished uploads.

use std::sync::Arc;

use winit::event_loop::ActiveEventLoop;

use super::uploads::{FinishedUpload, UploadError, UploadedPart};
use super::window::App;
use rigscope_gpu::SceneError;
use rigscope_state::{Action, ImageSlot, ToastLevel, UploadPart, UserImageAction};

impl App {
    /// Applies the result of job `id` if it is still in use.
    pub(super) fn apply_upload(
        &mut self,
        id: u64,
        upload: Option<FinishedUpload>,
        event_loop: &ActiveEventLoop,
    ) {
        let mut refused = None;
        if let (None, Some(shell)) = (&upload, &mut self.shell) {
            shell.graphics.view.give_up();
        }
        if let (Some(upload), Some(shell)) = (upload, &mut self.shell) {
            let graphics = &mut shell.graphics;
            let FinishedUpload { renderer, model, part, made, notes } = upload;
            // An upload for a lost device can't be used.
            let is_known = Arc::ptr_eq(&renderer, &graphics.renderer)
                && match made {
                    Ok(UploadedPart::Materials(dress, materials)) => {
                        graphics.view.take(&model, Ok((dress, *materials)))
                    }
                    Ok(UploadedPart::Light(file, light)) => {
                        graphics.view.take_light(&model, &file, *light)
                    }
                    Err(UploadError::Light(file, why)) => {
                        refused =
                            Some(UserImageAction::Rejected(ImageSlot::Environment, file, why));
                        false
                    }
                    Ok(UploadedPart::Scene(scene)) => match part {
                        UploadPart::Scene => graphics.view.take_scene(&model, Ok(*scene)),
                        _ => graphics.uv.take(&model, Ok(*scene)),
                    },
                    Err(UploadError::Scene(error)) => {
                        let is_stopped = matches!(error, SceneError::Cancelled);
                        let text = match part {
                            UploadPart::Scene => format!("the model cannot be drawn: {error}"),
                            _ => format!("some parts cannot be shown: {error}"),
                        };
                        if !is_stopped {
                            self.state.toasts.push(ToastLevel::Error, text);
                        }
                        match part {
                            UploadPart::Scene => graphics.view.take_scene(&model, Err(&error)),
                            UploadPart::Textures => graphics.view.take(&model, Err(&error)),
                            UploadPart::Light | UploadPart::Whole => {
                                graphics.uv.take(&model, Err(&error))
                            }
                        };
                        false
                    }
                };
            for note in notes.into_iter().filter(|_| is_known) {
                let text = format!("{}: {}", note.kind.code(), note.message);
                self.state.toasts.push(ToastLevel::Info, text);
            }
        }
        let answer = refused.map(|refused| Box::new(Action::UserImage(refused)));
        self.apply_between_frames(Action::TaskDone { id, answer }, event_loop);
        self.play_script(event_loop);
    }
}
