//! Carries out the effects that the state requests.

use std::path::Path;

use winit::event_loop::{ActiveEventLoop, EventLoopProxy};

use super::Msg;
use super::save_dialog::SaveDialog;
use super::step_times::TimedCall;
use super::system::{
    clipboard, clock::time_of_day, dialogs, jobs, settings::thumbnails_folder, window as looks,
};
use super::uploads::UploadRequest;
use super::window::{App, Shell};
use crate::ui::status_text;
use rigscope_gpu::headless::Image;
use rigscope_state::{
    Action, Effect, GpuCheckAction, LoadFailure, ModelKey, PickFor, PictureAction, RecentAction,
    Subject, Task, ToastLevel,
};

impl App {
    /// Applies `action` and carries out its effects.
    pub(super) fn apply(
        &mut self,
        action: Action,
        shell: &mut Shell,
        event_loop: &ActiveEventLoop,
    ) {
        self.state.toasts.set_clock(time_of_day());
        let timed = TimedCall::of(&action);
        for effect in timed.run("action", || self.state.apply(action)) {
            let timed = TimedCall::of(&effect);
            timed.run("effect", || self.carry_out(effect, shell, event_loop));
        }
        self.watch_shown_tab();
        let title = self.state.title();
        if title != self.title {
            looks::set_title(&shell.window, &title);
            self.title = title;
        }
        looks::announce_status(|| status_text(&self.state));
    }

    fn start_task(&mut self, task: Task) {
        let id = task.id;
        if self.loader.start_task(task).is_err() {
            self.state.apply(Action::TaskDone { id, answer: None });
        }
    }

    /// Whether the document has been uploaded, or failed to.
    fn is_seen(&self, shell: &Shell) -> bool {
        let document = self.state.tab.document.as_ref();
        document.is_none_or(|document| shell.graphics.view.holds(&document.model))
    }

    /// Starts the tasks that wait for a model to be drawn first.
    pub(super) fn start_waiting(&mut self) {
        for task in std::mem::take(&mut self.waiting) {
            self.start_task(task);
        }
    }

    pub(super) fn carry_out(
        &mut self,
        effect: Effect,
        shell: &mut Shell,
        event_loop: &ActiveEventLoop,
    ) {
        match effect {
            Effect::Load(request) => {
                let id = request.id;
                if let Err(error) = self.loader.start(request) {
                    let message = format!("a thread could not be started: {error}");
                    let failure = LoadFailure::Failed {
                        words: message.clone(),
                        message,
                        facts: Vec::new(),
                        file: None,
                    };
                    self.state.apply(Action::LoadFailed { id, failure });
                }
            }
            Effect::CancelLoad(id) => {
                self.waiting.retain(|task| task.id != id);
                self.loader.cancel(id);
            }
            Effect::PickFiles(kind) => {
                let folder = self.state.settings.dialog_folder().map(Path::to_owned);
                self.pick(|proxy| dialogs::pick_files(&shell.window, kind, folder, proxy));
            }
            Effect::PickExport { name, extension } => {
                let (window, answer) = (&shell.window, Msg::PickedExport);
                let place = SaveDialog::of(&self.state.settings, "Export", name, extension);
                self.pick(|proxy| dialogs::pick_export(window, place, answer, proxy));
            }
            Effect::PickPicture { name, extension } => {
                let (window, answer) = (&shell.window, Msg::PickedPicture);
                let place = SaveDialog::of(&self.state.settings, "Save picture", name, extension);
                self.pick(|proxy| dialogs::pick_export(window, place, answer, proxy));
            }
            Effect::InspectRecent { id, paths } => {
                let folder = thumbnails_folder();
                if self.loader.start_look(id, paths, folder).is_err() {
                    self.state.apply(Action::Recent(RecentAction::AllInspected(id)));
                }
            }
            Effect::DrawPoses { id, clips } => {
                let Some(document) = self.state.tab.document.clone() else { return };
                let folder = thumbnails_folder();
                if self.loader.start_poses(id, (document, clips), folder).is_err() {
                    self.state.apply(Action::TaskDone { id, answer: None });
                }
            }
            Effect::WritePictures(request) => {
                let id = request.id;
                let inputs = self.state.inputs().collect();
                let state = self.state.clone();
                if let Err(error) = self.loader.start_pictures(request, state, inputs) {
                    let outcome = Err(format!("a thread could not be started: {error}"));
                    let written = PictureAction::Written { id, outcome };
                    self.state.apply(Action::Picture(written));
                }
            }
            Effect::CopyPicture { id, choice } => {
                let state = self.state.clone();
                if let Err(error) = self.loader.start_copy(id, choice, state) {
                    let outcome = Err(format!("a thread could not be started: {error}"));
                    self.state.apply(Action::Picture(PictureAction::Copied(outcome)));
                }
            }
            Effect::Export(request) => {
                let id = request.id;
                let Some(document) = &self.state.tab.document else { return };
                let model = std::sync::Arc::clone(&document.model);
                let inputs = self.state.inputs().collect();
                if let Err(error) = self.loader.start_export(*request, model, inputs) {
                    let outcome = Err(format!("a thread could not be started: {error}"));
                    self.state.apply(Action::Exported { id, outcome });
                }
            }
            Effect::ReadSkinned { id, pose } => {
                let Some(document) = &self.state.tab.document else { return };
                let (gpu, renderer) = (&shell.graphics.gpu, &shell.graphics.renderer);
                let asked = shell.graphics.view.ask_skinned(gpu, renderer, document, &pose);
                let wait = async move || {
                    let vertices = match asked {
                        Ok(asked) => asked.result().await.map_err(|error| error.to_string()),
                        Err(error) => Err(error),
                    };
                    let vertices = vertices.map(std::sync::Arc::new);
                    Some(Action::GpuCheck(GpuCheckAction::Read { id, vertices }))
                };
                self.wait_in_background("reading vertices back", wait);
            }
            Effect::ReadImage(request) => {
                let id = request.id;
                if self.loader.start_image(request).is_err() {
                    self.state.apply(Action::TaskDone { id, answer: None });
                }
            }
            Effect::Run(task) => {
                // Rules and statistics use all cores, so show the model first.
                if self.is_seen(shell) { self.start_task(task) } else { self.waiting.push(task) }
            }
            Effect::Upload { id, model, part } => {
                let graphics = &shell.graphics;
                let on = (graphics.gpu.clone(), std::sync::Arc::clone(&graphics.renderer));
                let model = std::sync::Arc::clone(model.model());
                let wanted = UploadRequest::of(&self.state, &model, part);
                let started = wanted.map(|wanted| self.loader.start_upload(id, on, model, wanted));
                if started.is_none_or(|started| started.is_err()) {
                    shell.graphics.view.give_up();
                    self.state.apply(Action::TaskDone { id, answer: None });
                }
            }
            Effect::Pick(at) => {
                let Some(document) = &self.state.tab.document else { return };
                let model = std::sync::Arc::clone(&document.model);
                let key = ModelKey::of(&model);
                let (gpu, renderer) = (&shell.graphics.gpu, &shell.graphics.renderer);
                match shell.graphics.view.ask_pick(gpu, renderer, &model, at.ndc) {
                    Some(asked) => self.wait_in_background("picking", async move || {
                        let hit = asked.result(&model).await;
                        let hit = hit.inspect_err(|error| tracing::warn!("picking: {error}"));
                        Some(Action::Picked(at, key, hit.ok()?))
                    }),
                    // Hovering before the first draw isn't worth a CPU pick.
                    None if at.wanted_for == PickFor::Hovering && !self.is_seen(shell) => {}
                    // Nothing has been drawn yet; pick on the CPU.
                    None => {
                        let state = self.state.clone();
                        let pick =
                            move || Action::Picked(at, key, rigscope_state::pick(&state, at));
                        let started = self.loader.start_answering("picking", pick);
                        self.report_unstarted(started);
                    }
                }
            }
            Effect::SaveSettings => self.save_settings(),
            Effect::CopyText(text) => {
                clipboard::copy_text(&mut shell.egui_state, text);
                self.state.toasts.push_about(Subject::Clipboard, ToastLevel::Info, "copied");
            }
            Effect::Quit => event_loop.exit(),
        }
    }

    /// Waits for a GPU query on another thread.
    fn wait_in_background(
        &mut self,
        what: &'static str,
        wait: impl AsyncFnOnce() -> Option<Action> + jobs::MaybeSend + 'static,
    ) {
        let started = self.loader.start_waiting(what, wait);
        self.report_unstarted(started);
    }

    fn report_unstarted(&mut self, started: std::io::Result<()>) {
        if let Err(error) = started {
            let text = format!("a thread could not be started: {error}");
            self.state.toasts.push(ToastLevel::Error, text);
        }
    }

    /// Opens a file dialog, unless one is already open: a second one would be hidden behind it.
    fn pick(&mut self, open: impl FnOnce(EventLoopProxy<Msg>) -> std::io::Result<()>) {
        if self.is_picking {
            return;
        }
        match open(self.proxy.clone()) {
            Ok(()) => self.is_picking = true,
            Err(error) => {
                let text = format!("the file dialog could not be opened: {error}");
                self.state.toasts.push(ToastLevel::Error, text);
            }
        }
    }

    /// Copies an image to the clipboard in the next frame. Returns its size.
    pub(super) fn copy_image(&self, image: &Image) -> [u32; 2] {
        let [width, height] = [image.width, image.height];
        let size = [width as usize, height as usize];
        let picture = egui::ColorImage::from_rgba_unmultiplied(size, &image.rgba8);
        self.egui_ctx.copy_image(picture);
        [width, height]
    }
}
