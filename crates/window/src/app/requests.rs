//! Carries out the requests of the state.

use std::path::Path;
use std::sync::Arc;

use egui::ColorImage;
use winit::event_loop::ActiveEventLoop;

use super::document_loading::{files_of, load, read, read_user_image};
use super::export::export;
use super::file_dialogs::filters;
use super::fix::fix_file;
use super::step_times::TimedCall;
use super::system::{clipboard, clock::time_of_day, settings::thumbnails_folder, window as looks};
use super::thumbnail_cache::ThumbnailCache;
use super::watch::Stamps;
use super::window::{App, Shell};
use super::{Msg, image_export, poses, send, thumbnails};
use crate::ui::status_text;
use rigscope_core::model::Report;
use rigscope_gpu::headless::Image;
use rigscope_io::files::{Inputs, name_of};
use rigscope_io::open::save_bone_map;
use rigscope_state::{
    Action, BonePairsAction, ClipPoses, FileDialog, FixAction, GpuCheckAction, ImageExportAction,
    ImageRequest, JobError, JobId, JobOwner, LoadRequest, ModelKey, PickFor, PosesAction,
    RecentAction, Request, Subject, Task, ToastLevel, UserImageAction,
};

impl App {
    /// Applies `action` and carries out its requests.
    pub(super) fn apply(
        &mut self,
        action: Action,
        shell: &mut Shell,
        event_loop: &ActiveEventLoop,
    ) {
        self.state.toasts.set_clock(time_of_day());
        let timed = TimedCall::of(&action);
        for request in timed.run("action", || self.state.apply(action)) {
            let timed = TimedCall::of(&request);
            timed.run("effect", || self.carry_out(request, shell, event_loop));
        }
        self.watch_shown_tab();
        let title = self.state.title();
        if title != self.title {
            looks::set_title(&shell.window, &title);
            self.title = title;
        }
        looks::announce_status(|| status_text(&self.state));
        #[cfg(target_arch = "wasm32")]
        super::system::embedding::report(&self.state);
    }

    fn start_task(&mut self, task: Task) {
        let id = task.id;
        self.jobs.start(id, move |report| Ok(task_done(id, task.run(report)?)));
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
        request: Request,
        shell: &mut Shell,
        event_loop: &ActiveEventLoop,
    ) {
        match request {
            Request::Load(request) => {
                let id = request.id;
                self.reading.insert(id, Stamps::of(files_of(&request)));
                self.jobs.start(id, move |report| load(&request, report));
            }
            Request::ListReaders => self.list_readers(),
            Request::ListRevisions { id, path } => self.list_revisions(id, path),
            Request::ChangeReaders(change) => self.change_readers(change),
            Request::Cancel(id) => {
                self.waiting.retain(|task| task.id != id);
                self.jobs.cancel(id);
            }
            Request::PickFiles(kind) => {
                let dialog = FileDialog::to_open(kind, filters(kind), &self.state.settings);
                self.ask_for_files(dialog, shell);
            }
            Request::PickTarget { purpose, folder, name, extension } => {
                let mut dialog =
                    FileDialog::to_save(purpose, name, &extension, &self.state.settings);
                dialog.folder = folder.or(dialog.folder);
                self.ask_for_files(dialog, shell);
            }
            Request::ListFolder { id, folder, name } => self.list_folder(id, folder, name),
            Request::FilesChosen(purpose, paths) => send(&self.proxy, Msg::Picked(purpose, paths)),
            Request::InspectRecent { id, paths } => {
                let (folder, proxy) = (thumbnails_folder(), self.proxy.clone());
                self.jobs.start_gpu(id, async move |report| {
                    let open = |request: &LoadRequest| read(request, report).ok();
                    let on_look = |path: &Path, look| {
                        let inspected = RecentAction::Inspected(path.to_owned(), look);
                        send(&proxy, Msg::Answer(Box::new(Action::Recent(inspected))));
                    };
                    thumbnails::look(&paths, folder.as_deref(), (report, &open), on_look).await;
                    Ok(Action::Recent(RecentAction::AllInspected(id)))
                });
            }
            Request::DrawPoses { id, clips } => {
                let Some(document) = self.state.tab.document.clone() else { return };
                let (folder, proxy) = (thumbnails_folder(), self.proxy.clone());
                self.jobs.start_gpu(id, async move |report| {
                    let on_strip = |poses: &ClipPoses, strip| {
                        let drawn = PosesAction::Drawn { id, clip: poses.clip, strip };
                        send(&proxy, Msg::Answer(Box::new(Action::Poses(drawn))));
                    };
                    let cache = ThumbnailCache::of(folder.as_deref());
                    poses::draw(document, &clips, cache, report, on_strip).await;
                    // Clips that weren't reported have no thumbnails.
                    Ok(Action::TaskDone { id, answer: None })
                });
            }
            Request::WriteImages(request) => {
                let inputs = Inputs::of(self.state.inputs());
                let state = self.state.clone();
                let id = request.id;
                self.jobs.start_gpu(id, async move |report| {
                    let outcome = image_export::write(&request, &state, &inputs, report).await?;
                    Ok(Action::ImageExport(ImageExportAction::Written { id, outcome: Ok(outcome) }))
                });
            }
            Request::CopyImage { id, choice } => {
                let (state, egui_ctx) = (self.state.clone(), self.egui_ctx.clone());
                self.jobs.start_gpu(id, async move |report| {
                    let Image { width, height, rgba8 } =
                        image_export::still(&choice, &state).await?;
                    report.progress("copying", 1.0)?;
                    let size = [width as usize, height as usize];
                    egui_ctx.copy_image(ColorImage::from_rgba_unmultiplied(size, &rgba8));
                    let outcome = Ok([width, height]);
                    Ok(Action::ImageExport(ImageExportAction::Copied { id, outcome }))
                });
            }
            Request::Export(request) => {
                let Some(document) = &self.state.tab.document else { return };
                let model = Arc::clone(&document.model);
                let inputs = Inputs::of(self.state.inputs());
                let id = request.id;
                self.jobs.start(id, move |report| {
                    let outcome = export(&request, &model, &inputs, report)?;
                    Ok(Action::Exported { id, outcome: Ok(outcome) })
                });
            }
            Request::Fix(request) => {
                let inputs = Inputs::of(self.state.inputs());
                let id = request.id;
                self.jobs.start(id, move |report| {
                    let outcome = fix_file(&request, &inputs, report)?;
                    Ok(Action::Fix(FixAction::Done { id, outcome: Ok(outcome) }))
                });
            }
            Request::ReadSkinned { id, pose } => {
                let Some(document) = &self.state.tab.document else { return };
                let (gpu, renderer) = (&shell.graphics.gpu, &shell.graphics.renderer);
                let asked = shell.graphics.view.ask_skinned(gpu, renderer, document, &pose);
                self.jobs.start_gpu(id, async move |_| {
                    let vertices = asked?.result().await.map_err(|error| error.to_string())?;
                    let vertices = Ok(Arc::new(vertices));
                    Ok(Action::GpuCheck(GpuCheckAction::Read { id, vertices }))
                });
            }
            Request::ReadImage(ImageRequest { id, slot, path }) => {
                self.jobs.start(id, move |report| {
                    let image = read_user_image(slot, &path, report)?.map(Arc::new);
                    let loaded = UserImageAction::Loaded(slot, path, image);
                    Ok(task_done(id, Action::UserImage(loaded)))
                });
            }
            Request::SaveBoneMap { id, model, map } => {
                // A map that the model was read with is the one to replace.
                let inputs = Inputs::of([&model]);
                self.jobs.start(id, move |_| {
                    let saved = save_bone_map(&model, &map, &inputs);
                    let result = saved.map(|path| name_of(&path));
                    Ok(Action::BonePairs(BonePairsAction::Saved { id, result }))
                });
            }
            Request::Run(task) => {
                // Rules and statistics use all cores, so show the model first.
                if self.is_seen(shell) { self.start_task(task) } else { self.waiting.push(task) }
            }
            Request::Pick(at) => {
                let Some(document) = &self.state.tab.document else { return };
                let model = Arc::clone(&document.model);
                let key = ModelKey::of(&model);
                let (gpu, renderer) = (&shell.graphics.gpu, &shell.graphics.renderer);
                let asked = shell.graphics.view.ask_pick(gpu, renderer, &model, at.ndc);
                // Hovering before the first draw isn't worth a CPU pick.
                if asked.is_none() && at.wanted_for == PickFor::Hovering && !self.is_seen(shell) {
                    return;
                }
                let id = self.state.new_job(JobOwner::Pick);
                if let Some(asked) = asked {
                    self.jobs.start_gpu(id, async move |_| {
                        let hit = asked.result(&model).await;
                        let hit = hit.inspect_err(|error| tracing::warn!("picking: {error}"));
                        Ok(Action::Picked(at, key, hit.map_err(|_| JobError::Cancelled)?))
                    });
                } else {
                    // Nothing has been drawn yet; pick on the CPU.
                    let state = self.state.clone();
                    let pick = move |_: &Report| {
                        Ok(Action::Picked(at, key, rigscope_state::pick(&state, at)))
                    };
                    self.jobs.start(id, pick);
                }
            }
            Request::SaveSettings => self.save_settings(),
            Request::CopyText(text) => {
                clipboard::copy_text(&mut shell.egui_state, text);
                self.state.toasts.push_about(Subject::Clipboard, ToastLevel::Info, "copied");
            }
            Request::Quit => event_loop.exit(),
        }
    }
}

/// The action of a task with an answer.
fn task_done(id: JobId, answer: Action) -> Action {
    Action::TaskDone { id, answer: Some(Box::new(answer)) }
}
