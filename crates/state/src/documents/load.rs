//! Loading and reloading: how the state changes from the old document to the new one.

use std::path::PathBuf;

use super::files::has_meshes;
use super::history::History;
use crate::{
    AppState, BonePairsView, BytesView, CollisionView, Document, Job, JobId, JobOwner, LoadFailure,
    LoadReason, LoadRequest, MeasureView, Origin, Pane, Playback, Problem, Request, Selection,
    StartAt, Subject, SubsetLook, SurfaceView, ToastLevel, UserImages, WatchStatus,
};
use rigscope_core::model::{ClipId, Severity, UpAxis, subset_color};
use rigscope_core::pose::PoseSpec;
use rigscope_io::OpenOptions;

impl AppState {
    /// A request for `target` without related files. Its id is set when it starts.
    #[must_use]
    pub fn request(target: Origin, reason: LoadReason) -> LoadRequest {
        LoadRequest {
            id: JobId::default(),
            target,
            options: OpenOptions::default(),
            reason,
            start: StartAt::default(),
        }
    }

    pub(crate) fn open(&mut self, path: PathBuf, related_files: Vec<PathBuf>) -> Vec<Request> {
        self.start_job(LoadRequest {
            options: OpenOptions { with: related_files, ..OpenOptions::default() },
            ..Self::request(Origin::File(path), LoadReason::Open)
        })
    }

    pub(crate) fn add_related_files(&mut self, paths: Vec<PathBuf>) -> Vec<Request> {
        let Some(mut request) = self.reload_request() else { return Vec::new() };
        for path in paths {
            if !request.options.with.contains(&path) {
                request.options.with.push(path);
            }
        }
        self.start_job(request)
    }

    pub(crate) fn apply_fps(&mut self, fps: f64) -> Vec<Request> {
        match self.reload_request() {
            Some(mut request) if fps.is_finite() && fps > 0.0 => {
                request.options.fps = Some(fps);
                self.start_job(request)
            }
            _ => Vec::new(),
        }
    }

    /// Opens the built-in sample.
    pub(crate) fn open_sample(&mut self) -> Vec<Request> {
        self.start_job(Self::request(Origin::Sample, LoadReason::Open))
    }

    /// Reloads the file with the other up axis.
    pub(crate) fn turn_up(&mut self) -> Vec<Request> {
        let up = self.tab.document.as_ref().map(|document| document.model.axes.up);
        match (self.reload_request(), up) {
            (Some(mut request), Some(up)) => {
                request.options.up = Some(match up {
                    UpAxis::Y => UpAxis::Z,
                    UpAxis::Z => UpAxis::Y,
                });
                self.start_job(request)
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn reload(&mut self) -> Vec<Request> {
        match self.reload_request() {
            Some(request) => self.start_job(request),
            None => Vec::new(),
        }
    }

    pub(crate) fn reload_request(&self) -> Option<LoadRequest> {
        let document = self.tab.document.as_ref()?;
        Some(LoadRequest {
            options: OpenOptions {
                format: Some(document.format.id.to_owned()),
                bone_pairs: self.tab.view.bone_pairs.stated.clone(),
                ..document.options.clone()
            },
            ..Self::request(document.origin.clone(), LoadReason::Reload)
        })
    }

    pub(crate) fn apply_file_changed(&mut self) -> Vec<Request> {
        // If it is being loaded already, the load sees the current content.
        if !self.settings.watch || self.job.is_some() {
            return Vec::new();
        }
        self.reload()
    }

    pub(crate) fn apply_file_gone(&mut self) {
        if self.settings.watch && self.has_file() && self.tab.watch != WatchStatus::Gone {
            self.tab.watch = WatchStatus::Gone;
            let text = "the file is missing on disk; the loaded version stays open";
            self.toasts.push_about(self.about_file(), ToastLevel::Warning, text);
        }
    }

    /// The message subject for the file shown.
    fn about_file(&self) -> Subject {
        Subject::File(self.tab_id())
    }

    /// Starts a load, cancelling one in progress.
    pub(crate) fn start_job(&mut self, mut request: LoadRequest) -> Vec<Request> {
        let mut requests = self.cancel_job();
        request.id = self.new_job(JobOwner::Document);
        self.job = Some(Job {
            id: request.id,
            target: request.target.clone(),
            reason: request.reason,
            start: request.start.clone(),
            what: "reading",
            fraction: 0.0,
        });
        requests.push(Request::Load(Box::new(request)));
        requests
    }

    pub(crate) fn cancel_job(&mut self) -> Vec<Request> {
        let job = self.job.take();
        job.map(|job| Request::Cancel(job.id)).into_iter().collect()
    }

    pub(crate) fn load_progress(&mut self, id: JobId, what: &'static str, fraction: f32) {
        if let Some(job) = self.job.as_mut().filter(|job| job.id == id) {
            job.what = what;
            job.fraction = fraction.clamp(0.0, 1.0);
        }
    }

    pub(crate) fn apply_loaded(
        &mut self,
        id: JobId,
        document: Document,
        clock: String,
    ) -> Vec<Request> {
        if self.is_other(id) {
            return self.other_loaded(&document);
        }
        // Ignore the result of a job that was cancelled or replaced.
        let Some(job) = self.job.take_if(|job| job.id == id) else { return Vec::new() };
        self.tab.problem = None;
        self.tab.broken = None;
        if job.reason == LoadReason::Together && !has_meshes(&document) {
            self.defer(document);
            return self.open_waiting();
        }
        let mut requests = if job.reason == LoadReason::Reload && self.tab.document.is_some() {
            self.show_reloaded(document, &clock)
        } else {
            let requests = self.show_opened(document, &job.start);
            if job.reason == LoadReason::Together {
                self.join_group();
            }
            requests
        };
        requests.extend(self.open_waiting());
        requests
    }

    /// Removes references to the previous model of the tab.
    fn forget_model(&mut self) -> Vec<Request> {
        // Tasks worked on the old model.
        let requests = self.cancel_tasks();
        self.forget_painting();
        self.tab.view.bytes = BytesView::default();
        self.tab.view.collision = CollisionView::default();
        self.tab.view.surface = SurfaceView::default();
        self.tab.view.overlays = self.tab.view.overlays.of_another_model();
        self.tab.view.uv.forget();
        self.tab.view.pending_picks.clear();
        self.tab.view.hover = None;
        requests
    }

    fn show_reloaded(&mut self, document: Document, clock: &str) -> Vec<Request> {
        let requests = self.forget_model();
        let old = self.tab.document.clone();
        self.replace(document, clock.to_owned());
        self.renew_export();
        self.report_unused_related_files();
        self.reload_second_models(old, clock);
        requests
    }

    /// Shows a newly opened document in its tab.
    pub(super) fn show_opened(&mut self, document: Document, start: &StartAt) -> Vec<Request> {
        let mut requests = self.prepare_tab(&document.origin);
        requests.extend(self.forget_model());
        requests.extend(self.reset_second_models());
        self.tab.is_stale = false;
        self.tab.export = None;
        self.close_docked();
        // They were about the previous document in this tab.
        let about = self.about_file();
        self.toasts.withdraw(&about);
        let text = format!("opened {} as {}", document.origin.name(), document.format.name);
        self.toasts.report(ToastLevel::Info, text);
        self.show(document, start);
        self.report_unused_related_files();
        requests.extend(self.save_open_files());
        let path = self
            .tab
            .document
            .as_ref()
            .and_then(|document| document.origin.path())
            .map(std::path::Path::to_owned);
        if let Some(path) = path {
            self.start.forget(&path);
            self.settings.remember(&path);
            requests.push(Request::SaveSettings);
        }
        requests
    }

    fn show(&mut self, document: Document, start: &StartAt) {
        self.tab.playback = Playback {
            clip: (!document.model.clips.is_empty()).then_some(ClipId(0)),
            speed: self.tab.playback.speed,
            ..Playback::default()
        };
        self.apply_playback_settings();
        self.tab.selection = Selection::None;
        self.tab.view.measure = MeasureView::default();
        self.tab.view.user_images = UserImages::default();
        self.tab.view.bone_pairs = BonePairsView::default();
        self.tab.history = History::default();
        self.tab.watch = WatchStatus::Fresh;
        self.tab.view.isolated = None;
        self.tab.view.looks = default_looks(&document);
        let errors = document.num_findings(Severity::Error);
        let model = &document.model;
        let is_curves = model.meshes.is_empty() && model.skeleton.is_empty();
        if is_curves && !model.value_tracks.is_empty() {
            self.bring_to_front(Pane::Curves);
        }
        self.tab.document = Some(document);
        self.tab.playback.time_secs = self.clip_range().start_secs;
        self.start_at(start);
        let bounds = self.shown_bounds();
        self.frame(bounds);
        if errors > 0 {
            let text =
                "the file has errors, and damaged parts were left out; see the Findings pane";
            self.toasts.push_about(self.about_file(), ToastLevel::Warning, text);
        }
    }

    fn start_at(&mut self, start: &StartAt) {
        if let (Some(text), Some(document)) = (&start.clip, &self.tab.document) {
            match document.model.find_clip(text) {
                Some(clip) => self.set_clip(clip),
                None => {
                    self.toasts.push(ToastLevel::Warning, format!("the file has no clip '{text}'"))
                }
            }
        }
        match start.time_secs {
            Some(_) if self.clip().is_none() => {
                self.toasts.push(ToastLevel::Info, "the file has no clip, so the time is ignored")
            }
            Some(time) => {
                let spec = PoseSpec::at_secs(self.tab.playback.clip, time);
                let document = self.tab.document.as_ref();
                if let Some(text) = document.and_then(|open| spec.clamping(&open.model)) {
                    self.toasts.push(ToastLevel::Warning, text);
                }
                self.seek(time);
            }
            None => {}
        }
    }

    /// Replaces the open document after a reload, keeping all user settings.
    fn replace(&mut self, document: Document, clock: String) {
        let Some(old) = self.tab.document.replace(document) else { return };
        let Some(new) = &self.tab.document else { return };
        let old_looks = std::mem::replace(&mut self.tab.view.looks, default_looks(new));
        let old_names: Vec<_> = (0..old_looks.len()).map(|n| old.subset_name(n)).collect();
        for (number, look) in self.tab.view.looks.iter_mut().enumerate() {
            let name = new.subset_name(number);
            // Matched by position and name, else by name.
            let same = if old_names.get(number) == Some(&name) {
                Some(number)
            } else {
                old_names.iter().position(|old| *old == name)
            };
            if let Some(old) = same.and_then(|number| old_looks.get(number)) {
                *look = *old;
            }
        }
        self.tab.view.isolated = self.tab.view.isolated.filter(|&n| n < self.tab.view.looks.len());
        if old_names.len() != self.tab.view.looks.len() {
            // Undo steps would refer to subsets that no longer exist.
            self.tab.history = History::default();
        }

        self.tab.selection = match self.tab.selection {
            Selection::Bone(bone) => {
                let name = old.model.skeleton.display_name(bone);
                let by_name = (0..new.model.skeleton.len())
                    .map(rigscope_core::model::BoneId::from_index)
                    .find(|&bone| new.model.skeleton.display_name(bone) == name);
                Selection::Bone(by_name.unwrap_or(bone))
            }
            other => other,
        };
        if !self.tab.selection.exists_in(new) {
            self.tab.selection = Selection::None;
        }

        self.tab.view.user_images.renew(&old.model, &new.model);
        self.renew_measured(&old);
        let Some(new) = &self.tab.document else { return };
        let old_clip = self.tab.playback.clip;
        let clips = &new.model.clips;
        let by_name = old_clip.and_then(|clip| {
            let name = &old.model.clips.get(clip)?.name;
            clips.iter().position(|clip| clip.name == *name)
        });
        // If clips were added, show the first new one.
        let num_old = old.model.clips.len();
        let is_added = new.options.with.len() > old.options.with.len() && clips.len() > num_old;
        let wanted =
            if is_added { num_old } else { by_name.or(old_clip.map(ClipId::index)).unwrap_or(0) };
        self.tab.playback.clip = (wanted < clips.len()).then(|| ClipId::from_index(wanted));
        self.tab.playback.time_secs = self.clip_range().clamp(self.tab.playback.time_secs);
        self.set_range(self.tab.playback.range);
        self.tab.playback.is_playing &= self.can_play();

        let is_rotated =
            self.tab.document.as_ref().map(|new| new.model.axes) != Some(old.model.axes);
        if is_rotated {
            let bounds = self.shown_bounds();
            self.frame(bounds);
        }
        let text = format!("reloaded at {clock}");
        self.toasts.push_about(self.about_file(), ToastLevel::Info, text);
        self.tab.watch = WatchStatus::Reloaded(clock);
    }

    pub(crate) fn apply_load_failed(&mut self, id: JobId, failure: LoadFailure) {
        if self.is_other(id) {
            return self.other_failed(failure);
        }
        let Some(job) = self.job.take_if(|job| job.id == id) else { return };
        let LoadFailure::Failed { message, words, facts, file } = failure else { return };
        self.tab.broken = file.map(|file| *file);
        self.tab.view.bytes.shows_broken = false;
        if job.reason == LoadReason::Reload {
            let text = format!("not reloaded; the previous version stays open. {words}");
            self.toasts.push_about(self.about_file(), ToastLevel::Warning, text);
            self.tab.watch = WatchStatus::Broken(message);
            return;
        }
        let name = job.target.name();
        let text = format!("{name} could not be opened: {message}");
        self.toasts.report(ToastLevel::Error, text);
        let title = format!("{name} could not be opened");
        self.tab.problem = Some(Problem { title, message: words, exact: message, facts });
    }
}

fn default_looks(document: &Document) -> Vec<SubsetLook> {
    let look = |(number, is_hidden): (usize, bool)| SubsetLook {
        is_visible: !is_hidden,
        color: subset_color(number),
    };
    document.model.hidden_parts().enumerate().map(look).collect()
}
