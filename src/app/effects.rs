//! Doing what the state asks for.

use winit::event_loop::ActiveEventLoop;

use super::window::{App, Shell};
use super::{dialogs, settings_file};
use crate::state::{Action, Effect, LoadFailure, ToastLevel};

impl App {
    /// Applies `action` and does what it asks for.
    pub(super) fn apply(
        &mut self,
        action: Action,
        shell: &mut Shell,
        event_loop: &ActiveEventLoop,
    ) {
        for effect in self.state.apply(action) {
            self.carry_out(effect, shell, event_loop);
        }
        let title = self.state.title();
        if title != self.title {
            shell.window.set_title(&title);
            self.title = title;
        }
    }

    fn carry_out(&mut self, effect: Effect, shell: &mut Shell, event_loop: &ActiveEventLoop) {
        match effect {
            Effect::Load(request) => {
                let id = request.id;
                if let Err(error) = self.loader.start(request) {
                    let failure = LoadFailure::Failed {
                        message: format!("no thread could be started: {error}"),
                        facts: Vec::new(),
                    };
                    self.state.apply(Action::LoadFailed { id, failure });
                }
            }
            Effect::CancelLoad(id) => self.loader.cancel(id),
            Effect::PickFiles(kind) => {
                // One dialog at a time: a second one would hide behind the first.
                if !self.is_picking {
                    match dialogs::pick_files(&shell.window, kind, self.proxy.clone()) {
                        Ok(()) => self.is_picking = true,
                        Err(error) => {
                            let text = format!("no dialog could be opened: {error}");
                            self.state.toasts.push(ToastLevel::Error, text);
                        }
                    }
                }
            }
            Effect::SaveSettings => self.save_settings(),
            Effect::CopyText(text) => {
                shell.egui_state.set_clipboard_text(text);
                self.state.toasts.push(ToastLevel::Info, "copied");
            }
            Effect::Quit => event_loop.exit(),
        }
    }

    /// Writes the settings; a failure is said once and changes nothing else.
    pub(super) fn save_settings(&mut self) {
        let Some(folder) = &self.settings_folder else {
            return;
        };
        if let Err(error) = settings_file::write(folder, &self.state.settings) {
            tracing::warn!("{error:#}");
            self.state
                .toasts
                .push(ToastLevel::Warning, format!("{error:#}"));
        }
    }
}
