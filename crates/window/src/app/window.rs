//! The event loop: handling of events, and scheduling of frames.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

use egui::{TexturesDelta, ViewportId};
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Window, WindowId};

use super::graphics::Graphics;
use super::job_runner::{JobAnswer, JobResult, JobRunner};
use super::system::{
    clock::time_of_day, deferred::Deferred, downloads, settings, window as platform,
};
use super::watch::{Stamps, Watch};
use super::{Msg, RunArgs, chosen_files};
use crate::ui::theme;
use rigscope_core::model::Progress;
use rigscope_state::{
    Action, AppState, CompareAction, FileGroup, FileKind, FilePurpose, FixAction,
    ImageExportAction, JobError, JobId, JobOwner, LoadFailure, LoadReason, RecentAction, Subject,
    Task, ToastLevel, UserImageAction,
};

// Fields are dropped in this order: the window must be last (see `Graphics`).
pub(super) struct Shell {
    pub(super) egui_state: egui_winit::State,
    pub(super) graphics: Graphics,
    pub(super) window: Arc<Window>,
}

impl Shell {
    fn new(window: Arc<Window>, graphics: Graphics, ctx: &egui::Context) -> Self {
        Self { egui_state: egui_state(&window, &graphics, ctx), graphics, window }
    }
}

fn egui_state(window: &Window, graphics: &Graphics, ctx: &egui::Context) -> egui_winit::State {
    #[expect(clippy::cast_possible_truncation, reason = "a scale needs no 53 bits")]
    let scale = window.scale_factor() as f32;
    egui_winit::State::new(
        ctx.clone(),
        ViewportId::ROOT,
        window,
        Some(scale),
        window.theme(),
        usize::try_from(graphics.gpu.caps.max_texture).ok(),
    )
}

/// State of the program while the window is open.
pub(super) struct App {
    pub(super) args: RunArgs,
    pub(super) state: AppState,
    pub(super) jobs: JobRunner,
    /// The files of each load before they were read.
    pub(super) reading: HashMap<JobId, Stamps>,
    pub(super) proxy: EventLoopProxy<Msg>,
    pub(super) egui_ctx: egui::Context,
    /// Changes to egui's textures that the GPU hasn't applied yet.
    pub(super) textures: TexturesDelta,
    settings: settings::SettingsStore,
    pub(super) last_tick: Instant,
    pub(super) title: String,
    /// Tasks that start once the model has been drawn.
    pub(super) waiting: Vec<Task>,
    pub(super) is_picking: bool,
    /// The system has no file dialogs.
    pub(super) lacks_dialogs: bool,
    pub(super) num_gpu_errors_shown: usize,
    pub(super) rebuilds: u32,
    pub(super) surface_losses: u32,
    pub(super) rebuilt_at_frame: u64,
    pub(super) outcome: anyhow::Result<()>,
    /// Why a step of the command line's script failed.
    pub(super) script_fault: Option<String>,
    watch: Watch,
    /// Watches images assigned by hand in the current tab.
    user_image_watch: Watch,
    /// The tab being watched, and the watches of all other tabs.
    watched_tab: u64,
    other_watches: HashMap<u64, Watch>,
    /// Files dropped since the last frame; the system reports them one by one.
    pub(super) dropped: Vec<PathBuf>,
    /// When the next frame is due; `None` waits for an event.
    next_frame: Option<Instant>,
    /// A window whose GPU is still being opened.
    opening: Option<(Arc<Window>, Deferred<anyhow::Result<Graphics>>)>,
    /// Messages from before the window was open, for example files supplied by a web page.
    early: Vec<Msg>,
    /// Last, so that it outlives everything drawn in it.
    pub(super) shell: Option<Shell>,
}

impl App {
    pub(super) fn new(args: RunArgs, proxy: EventLoopProxy<Msg>) -> Self {
        let (store, settings, warning) = settings::SettingsStore::open(&proxy);
        let mut state = AppState::new(settings);
        state.is_embedded = args.is_embedded;
        state.toasts.set_clock(time_of_day());
        if let Some(warning) = warning {
            state.toasts.push(ToastLevel::Warning, warning);
        }
        let egui_ctx = egui::Context::default();
        theme::install(&egui_ctx);
        Self {
            args,
            state,
            jobs: JobRunner::new(proxy.clone()),
            reading: HashMap::new(),
            proxy,
            egui_ctx,
            textures: TexturesDelta::default(),
            settings: store,
            last_tick: Instant::now(),
            title: String::new(),
            waiting: Vec::new(),
            is_picking: false,
            lacks_dialogs: false,
            num_gpu_errors_shown: 0,
            rebuilds: 0,
            surface_losses: 0,
            rebuilt_at_frame: 0,
            outcome: Ok(()),
            script_fault: None,
            watch: Watch::default(),
            user_image_watch: Watch::default(),
            watched_tab: 0,
            other_watches: HashMap::new(),
            dropped: Vec::new(),
            next_frame: None,
            opening: None,
            early: Vec::new(),
            shell: None,
        }
    }

    /// The result that [`super::run`] returns.
    pub(super) fn outcome(self) -> anyhow::Result<()> {
        self.outcome
    }

    /// Closes the window because of `error`.
    pub(super) fn fail(&mut self, error: anyhow::Error, event_loop: &ActiveEventLoop) {
        platform::show_failure(&error);
        self.outcome = Err(error);
        event_loop.exit();
    }

    /// Replaces egui's context, keeping widget state such as pane positions and text input.
    pub(super) fn reset_egui(&mut self) {
        let memory = self.egui_ctx.memory(Clone::clone);
        self.egui_ctx = egui::Context::default();
        self.egui_ctx.memory_mut(|new| *new = memory);
        theme::install(&self.egui_ctx);
        self.num_gpu_errors_shown = 0;
    }

    /// Schedules the next frame.
    pub(super) fn plan_next(&mut self, shell: &Shell, repaint_in: Duration, at_once: bool) {
        let wake_in = self.state.wake_in_secs().map(Duration::from_secs_f64);
        let wait = wake_in.unwrap_or(Duration::MAX).min(repaint_in);
        if at_once || wait.is_zero() {
            self.next_frame = None;
            shell.window.request_redraw();
        } else {
            // `None` if that is beyond the range of `Instant`.
            self.next_frame = Instant::now().checked_add(wait);
        }
    }

    /// Draws the next frame within `wait`, or earlier if one is already scheduled.
    pub(super) fn draw_within(&mut self, wait: Duration) {
        let latest = Instant::now() + wait;
        self.next_frame = Some(self.next_frame.map_or(latest, |next| next.min(latest)));
    }

    /// Sets when the next frame is due; `None` waits for an event.
    pub(super) fn set_next_frame(&mut self, next: Option<Instant>) {
        self.next_frame = next;
    }

    fn open_window(&mut self, event_loop: &ActiveEventLoop) -> anyhow::Result<Arc<Window>> {
        let attributes = platform::attributes(self.state.settings.window_size);
        let window = event_loop
            .create_window(attributes.with_title(self.state.title()))
            .map_err(|error| anyhow::anyhow!("can't open a window: {}", platform::plain(&error)))?;
        Ok(Arc::new(window))
    }

    /// Starts opening the GPU for `window`.
    pub(super) fn open_graphics(&mut self, window: Arc<Window>, event_loop: &ActiveEventLoop) {
        let on = Arc::clone(&window);
        // A page may set a transparent background.
        let is_translucent = self.state.is_embedded;
        let open = async move || Graphics::new(&on, is_translucent).await;
        let opening = Deferred::begin(open, &self.proxy);
        self.opening = Some((window, opening));
        self.take_opened(event_loop);
    }

    /// Continues once the GPU is open.
    fn take_opened(&mut self, event_loop: &ActiveEventLoop) {
        let Some((window, mut opening)) = self.opening.take() else { return };
        let graphics = match opening.take() {
            Some(Ok(graphics)) => graphics,
            Some(Err(error)) => return self.fail(error, event_loop),
            None => {
                self.opening = Some((window, opening));
                return;
            }
        };
        let shell = Shell::new(window, graphics, &self.egui_ctx);
        self.state.timings.adapter = shell.graphics.adapter_name();
        let is_first = self.rebuilds == 0;
        if is_first {
            self.state.set_render_defaults(shell.graphics.gpu.caps.is_software);
        }
        shell.window.request_redraw();
        self.shell = Some(shell);
        if is_first {
            self.begin(event_loop);
        }
        for msg in std::mem::take(&mut self.early) {
            self.user_event(event_loop, msg);
        }
    }

    /// Opens the first document: files from the command line, the last session, or the start page.
    fn begin(&mut self, event_loop: &ActiveEventLoop) {
        for warning in std::mem::take(&mut self.args.warnings) {
            self.state.toasts.push(ToastLevel::Warning, warning);
        }
        // Files named on the command line take precedence over those of the last session.
        let again = self.state.start_action();
        let again = again.filter(|_| self.args.files.is_empty());
        let start = again.or_else(|| self.args.start());
        let start = start.unwrap_or(Action::Recent(RecentAction::Inspect));
        self.apply_between_frames(start, event_loop);
    }

    /// Applies the result of a job.
    fn end_job(&mut self, id: JobId, result: JobResult, event_loop: &ActiveEventLoop) {
        self.jobs.remove(id);
        let action = match result {
            Ok(JobAnswer::Action(action)) => *action,
            Ok(JobAnswer::Upload(upload)) => self.take_upload(id, *upload.take()),
            Err(error) => {
                if let (JobOwner::Upload(_), Some(shell)) = (id.owner(), &mut self.shell) {
                    shell.graphics.view.give_up();
                }
                Action::JobFailed { id, error }
            }
        };
        #[cfg(target_arch = "wasm32")]
        if let Action::LoadFailed { failure: LoadFailure::Failed { message, .. }, .. }
        | Action::JobFailed { error: JobError::Failed(message), .. } = &action
        {
            super::system::embedding::report_failure(id.owner(), message);
        }
        let stamps = self.stamps_to_follow(id, &action);
        // A script continues after a failed comparison and reports the failure at its end.
        if let Action::LoadFailed { failure: LoadFailure::Failed { message, .. }, .. }
        | Action::JobFailed { error: JobError::Failed(message), .. } = &action
            && id.owner() == JobOwner::Document
            && self.state.is_comparing()
            && self.args.script.is_some()
        {
            self.script_fault = Some(message.clone());
        }
        self.apply_between_frames(action, event_loop);
        if let Some(stamps) = stamps {
            // The file may have been opened in a new tab.
            self.watch.follow(stamps, Instant::now());
        }
        self.play_script(event_loop);
    }

    /// The files to watch in the current tab once `action` has ended job `id`.
    fn stamps_to_follow(&mut self, id: JobId, action: &Action) -> Option<Stamps> {
        let mut stamps = self.reading.remove(&id)?;
        let job = self.state.job.as_ref().filter(|job| job.id == id)?;
        match action {
            // Related files are known only now; a change while they were being read is noticed at the
            // next change.
            Action::Loaded { document, .. } => {
                stamps.add(Stamps::of(document.found_along.clone()));
                stamps.add(Stamps::of(document.missing_paths.clone()));
            }
            // Keep watching, starting from the version that couldn't be read.
            _ if job.reason == LoadReason::Reload => {}
            _ => return None,
        }
        Some(stamps)
    }

    /// Watches the files of the current tab. Files of other tabs are checked when their tab is shown.
    pub(super) fn watch_shown_tab(&mut self) {
        let shown = self.state.tab_id();
        if shown != self.watched_tab {
            let watch = self.other_watches.remove(&shown).unwrap_or_default();
            let old = std::mem::replace(&mut self.watch, watch);
            self.other_watches.insert(self.watched_tab, old);
            self.watched_tab = shown;
        }
        let state = &self.state;
        self.other_watches.retain(|&id, _| state.has_tab(id));
        if self.state.tab.document.is_none() {
            self.watch = Watch::default();
        }
        let files = self.state.user_image_files();
        if !self.user_image_watch.is_of(&files) {
            self.user_image_watch.follow(Stamps::of(files), Instant::now());
        }
    }

    /// Queues the settings for writing.
    pub(super) fn save_settings(&self) {
        self.settings.write(&self.state.settings);
    }

    /// When to wake up without an event.
    fn deadline(&self) -> Option<Instant> {
        let is_watching = self.state.settings.watch;
        let watch = self.watch.next().filter(|_| is_watching);
        let user_image_watch = self.user_image_watch.next().filter(|_| is_watching);
        [self.next_frame, watch, user_image_watch].into_iter().flatten().min()
    }
}

impl ApplicationHandler<Msg> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.shell.is_some() || self.opening.is_some() {
            return;
        }
        match self.open_window(event_loop) {
            Ok(window) => self.open_graphics(window, event_loop),
            Err(error) => self.fail(error, event_loop),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, msg: Msg) {
        if self.shell.is_none() && !matches!(msg, Msg::Opened) {
            return self.early.push(msg);
        }
        downloads::deliver();
        match msg {
            Msg::JobProgress(id, Progress { what, fraction }) => {
                let progress = Action::JobProgress { id, what, fraction };
                self.apply_between_frames(progress, event_loop);
            }
            Msg::JobDone(id, result) => self.end_job(id, result, event_loop),
            Msg::Pasted(text) => {
                if let Some(shell) = &mut self.shell {
                    shell.egui_state.egui_input_mut().events.push(egui::Event::Paste(text));
                    shell.window.request_redraw();
                }
            }
            Msg::Opened => self.take_opened(event_loop),
            Msg::Dropped(paths) => {
                self.dropped.extend(paths);
                if let Some(shell) = &self.shell {
                    shell.window.request_redraw();
                }
            }
            Msg::Answer(action) => self.apply_between_frames(*action, event_loop),
            #[cfg(target_arch = "wasm32")]
            Msg::Page(request) => self.answer_page(request, event_loop),
            Msg::SettingsNotWritten(text) => {
                self.state.toasts.push_about(Subject::Settings, ToastLevel::Warning, text);
                if let Some(shell) = &self.shell {
                    shell.window.request_redraw();
                }
            }
            Msg::NoDialog(dialog) => {
                self.is_picking = false;
                self.open_chooser(*dialog);
            }
            Msg::Picked(purpose, paths) => {
                self.is_picking = false;
                if let Some(first) = paths.first() {
                    let used = Action::DialogUsed(first.clone());
                    self.apply_between_frames(used, event_loop);
                }
                if let Some(action) = action_for(purpose, paths) {
                    self.apply_between_frames(action, event_loop);
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shell) = &mut self.shell else { return };
        match &event {
            WindowEvent::RedrawRequested => {
                self.draw(event_loop);
                return;
            }
            WindowEvent::CloseRequested => {
                self.save_settings();
                event_loop.exit();
                return;
            }
            WindowEvent::Resized(size) => {
                shell.graphics.surface.resize(size.width, size.height);
                let points = size.to_logical::<f32>(shell.window.scale_factor());
                if let Some(size) = platform::size_to_keep(points) {
                    self.state.settings.window_size = size;
                }
                shell.window.request_redraw();
            }
            WindowEvent::HoveredFile(path) => {
                let file = chosen_files::classify(path.clone());
                self.state.dragged.push(file.kind);
            }
            WindowEvent::HoveredFileCancelled => self.state.dragged.clear(),
            WindowEvent::DroppedFile(path) => {
                self.state.dragged.clear();
                self.dropped.push(path.clone());
            }
            _ => {}
        }
        let response = shell.egui_state.on_window_event(&shell.window, &event);
        if response.repaint {
            shell.window.request_redraw();
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. })
            && self.next_frame.is_some_and(|next| Instant::now() >= next)
        {
            self.next_frame = None;
            if let Some(shell) = &self.shell {
                shell.window.request_redraw();
            }
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.state.settings.watch
            && let Some(action) = self.watch.poll(Instant::now())
        {
            self.apply_between_frames(action, event_loop);
        }
        // An image whose file was deleted keeps its last contents.
        if self.state.settings.watch
            && let Some(Action::FileChanged) = self.user_image_watch.poll(Instant::now())
        {
            let changed = Action::UserImage(UserImageAction::Changed);
            self.apply_between_frames(changed, event_loop);
        }
        event_loop.set_control_flow(match self.deadline() {
            Some(deadline) => ControlFlow::WaitUntil(deadline),
            None => ControlFlow::Wait,
        });
    }
}

/// The use of the files chosen in a dialog.
fn action_for(purpose: FilePurpose, paths: Vec<PathBuf>) -> Option<Action> {
    let first = paths.first()?.clone();
    Some(match purpose {
        FilePurpose::Export => Action::ExportTo(first),
        FilePurpose::Fix => Action::Fix(FixAction::To(first)),
        FilePurpose::Image => Action::ImageExport(ImageExportAction::WriteTo(first)),
        FilePurpose::Open(FileKind::Model) => {
            let files = chosen_files::largest_first(paths);
            let files = files.into_iter().map(chosen_files::classify).collect();
            Action::OpenGroup(Box::new(FileGroup { files, ..FileGroup::default() }))
        }
        FilePurpose::Open(FileKind::RelatedFiles) => Action::AddRelatedFiles(paths),
        FilePurpose::Open(FileKind::Compare) => Action::Compare(CompareAction::Load(first)),
        FilePurpose::Open(FileKind::Image(slot)) => {
            Action::UserImage(UserImageAction::Read(slot, first))
        }
    })
}
