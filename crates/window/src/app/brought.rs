//! Showing what threads have brought to the GPU.

use std::sync::Arc;

use winit::event_loop::ActiveEventLoop;

use super::uploads::{Brought, Made, NotMade};
use super::window::App;
use rigscope_gpu::SceneError;
use rigscope_state::{Action, ByHandAction, HandSlot, ToastLevel, UploadPart};

impl App {
    /// Takes what job `id` has made, where it is still of what is drawn.
    pub(super) fn take_brought(
        &mut self,
        id: u64,
        brought: Option<Brought>,
        event_loop: &ActiveEventLoop,
    ) {
        let mut refused = None;
        if let (None, Some(shell)) = (&brought, &mut self.shell) {
            shell.graphics.view.give_up();
        }
        if let (Some(brought), Some(shell)) = (brought, &mut self.shell) {
            let graphics = &mut shell.graphics;
            let Brought { renderer, model, part, made, notes } = brought;
            // Of a device that was lost meanwhile nothing can be shown.
            let is_known = Arc::ptr_eq(&renderer, &graphics.renderer)
                && match made {
                    Ok(Made::Materials(dress, materials)) => {
                        graphics.view.take(&model, Ok((dress, *materials)))
                    }
                    Ok(Made::Light(file, light)) => graphics.view.take_light(&model, &file, *light),
                    Err(NotMade::Light(file, why)) => {
                        refused = Some(ByHandAction::Refused(HandSlot::Environment, file, why));
                        false
                    }
                    Ok(Made::Scene(scene)) => match part {
                        UploadPart::Scene => graphics.view.take_scene(&model, Ok(*scene)),
                        _ => graphics.uv.take(&model, Ok(*scene)),
                    },
                    Err(NotMade::Scene(error)) => {
                        let is_stopped = matches!(error, SceneError::Cancelled);
                        let text = match part {
                            UploadPart::Scene => format!("the model cannot be drawn: {error}"),
                            _ => format!("not all can be shown: {error}"),
                        };
                        if !is_stopped {
                            self.state.toasts.push(ToastLevel::Error, text);
                        }
                        match part {
                            UploadPart::Scene => graphics.view.take_scene(&model, Err(is_stopped)),
                            UploadPart::Textures => graphics.view.take(&model, Err(is_stopped)),
                            UploadPart::Light | UploadPart::Whole => {
                                graphics.uv.take(&model, Err(is_stopped))
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
        let answer = refused.map(|refused| Box::new(Action::ByHand(refused)));
        self.apply_between_frames(Action::TaskDone { id, answer }, event_loop);
        self.play_script(event_loop);
    }
}
