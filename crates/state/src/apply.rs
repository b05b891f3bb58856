//! Dispatches each action to the module that handles it.

use super::{
    Action, AppState, FixAction, GpuCheckAction, ImageExportAction, JobError, JobId, JobOwner,
    LoadFailure, RecentAction, Request, ToastLevel,
};

impl AppState {
    /// Applies `action` and returns the requests to the application.
    pub fn apply(&mut self, action: Action) -> Vec<Request> {
        let before = self.before(&action);
        let camera = self.camera_before(&action);
        let (tab, selection) = (self.tab.id(), self.tab.selection);
        let is_byte = matches!(action, Action::Bytes(_) | Action::ByteSearch(_));
        let mut requests = self.change(action);
        if !is_byte && self.tab.id() == tab && self.tab.selection != selection {
            // The byte cursor belonged to the old selection.
            self.tab.view.bytes.cursor = None;
        }
        requests.extend(self.follow());
        self.after(before);
        self.camera_after(camera);
        requests
    }

    /// Updates all derived state after a change.
    fn follow(&mut self) -> Vec<Request> {
        self.follow_painting();
        let followers = [
            Self::follow_findings,
            Self::follow_statistics,
            Self::follow_weights,
            Self::follow_bones,
            Self::follow_animation,
            Self::follow_measure,
            Self::follow_framing,
            Self::follow_poses,
            Self::follow_user_images,
            Self::follow_materials,
            Self::follow_collision,
            Self::follow_surface,
            Self::follow_uv,
            Self::follow_byte_search,
            Self::follow_diagnosis,
            Self::follow_as_bsm2,
            Self::follow_runtime,
            Self::follow_compare,
            Self::follow_compared_weights,
            Self::follow_start,
        ];
        let requests = followers.into_iter().flat_map(|follow| follow(self)).collect();
        self.follow_timeline();
        self.follow_deviation();
        requests
    }

    pub(crate) fn change(&mut self, action: Action) -> Vec<Request> {
        match action {
            Action::Run(command) => return self.run(command),
            Action::RunFromPalette(command) => {
                self.settings.remember_command(command.info().name);
                let mut requests = self.run(command);
                if !requests.contains(&Request::SaveSettings) {
                    requests.push(Request::SaveSettings);
                }
                return requests;
            }

            Action::Open(path) => return self.open(path, Vec::new()),
            Action::DialogUsed(path) => {
                self.settings.folder = path.parent().map(std::path::Path::to_owned);
                return vec![Request::SaveSettings];
            }
            Action::Chooser(action) => return self.apply_chooser(action),
            Action::OpenGroup(group) => return self.open_group(*group),
            Action::OpenWith(path, related_files) => return self.open(path, related_files),
            Action::AddRelatedFiles(paths) => return self.add_related_files(paths),
            Action::Drop(dropped) => return self.apply_drop(dropped),
            Action::RelatedFile(action) => return self.apply_related_file(action),
            Action::SetFps(fps) => return self.apply_fps(fps),
            Action::Start(request) => return self.start_job(request),
            Action::JobProgress { id, what, fraction } => {
                self.job_progress(id, what, fraction);
            }
            Action::JobFailed { id, error } => return self.job_failed(id, error),
            Action::Loaded { id, document, clock } => {
                return self.apply_loaded(id, *document, clock);
            }
            Action::LoadFailed { id, failure } => {
                self.apply_load_failed(id, failure);
                return self.open_waiting();
            }
            Action::Tab(action) => return self.apply_tab(action),
            Action::FileChanged => return self.apply_file_changed(),
            Action::FileGone => self.apply_file_gone(),
            Action::Recent(action) => return self.apply_recent(action),
            Action::ClearRecent => {
                self.settings.recent.clear();
                return vec![Request::SaveSettings];
            }

            Action::Select(selection) => self.select(selection),
            Action::Pick(at) => return self.apply_pick(at),
            Action::Picked(at, model, hit) => self.apply_picked(at, &model, &hit),
            Action::LeaveView => self.tab.view.hover = None,
            Action::HoverRow(row) => self.hovered_row = row,
            Action::Inspect(action) => return self.apply_inspect(action),
            Action::ShowPlace(place) => self.focus(place),
            Action::SetVisible(number, is_visible) => {
                if let Some(look) = self.tab.view.looks.get_mut(number) {
                    look.is_visible = is_visible;
                }
            }
            Action::Isolate(number) => {
                self.tab.view.isolated = number.filter(|&n| n < self.tab.view.looks.len());
            }
            Action::SetColor(number, color) => {
                if let Some(look) = self.tab.view.looks.get_mut(number) {
                    look.color = color;
                }
            }

            Action::ViewSized(size) => {
                self.view_size_points = size;
                self.frame_again();
            }
            Action::Orbit { yaw_rad, pitch_rad } => {
                self.tab.view.framed = None;
                self.tab.view.camera.orbit(yaw_rad, pitch_rad);
            }
            Action::Pan(delta) => {
                self.tab.view.framed = None;
                let height = self.view_size_points.y;
                self.tab.view.camera.pan(delta, height);
            }
            Action::Frame { bounds, from } => self.apply_frame(bounds, &from),
            Action::Zoom { factor, at_ndc } => {
                self.tab.view.framed = None;
                let aspect = self.aspect();
                self.tab.view.camera.zoom(factor, at_ndc, aspect);
            }

            Action::PlaceCamera(orbit) => self.place_camera(orbit),

            Action::Weights(action) => self.apply_weights(action),
            Action::Bones(action) => return self.apply_bones(action),
            Action::BonePairs(action) => return self.apply_bone_pairs(action),

            Action::SetClip(clip) => self.set_clip(clip),
            Action::Seek(time_secs) => self.seek(time_secs),
            Action::SeekKey(key) => self.seek_key(key),
            Action::SetSpeed(speed) => self.set_speed(speed),
            Action::SetLoop(mode) => return self.set_loop(mode),
            Action::SetRange(range) => self.set_range(range),
            Action::Timeline(action) => self.apply_timeline(action),

            Action::Readers(action) => return self.apply_readers(action),
            Action::Revisions(action) => return self.apply_revisions(action),
            Action::ChooseExport(choice) => self.apply_export(choice),
            Action::PickExport => return self.apply_pick_export(),
            Action::ExportTo(path) => return self.apply_export_to(path),
            Action::CancelExport => return self.apply_cancel_export(),
            Action::Exported { id, outcome } => self.apply_exported(id, outcome),

            Action::Bytes(action) => return self.apply_bytes(action),
            Action::ByteSearch(action) => return self.apply_byte_search(action),
            Action::Second(action) => return self.apply_second(action),
            Action::AsBsm2(action) => return self.apply_as_bsm2(action),
            Action::Compare(action) => return self.apply_compare(action),
            Action::Runtime(action) => return self.apply_runtime(action),
            Action::Diagnosis(action) => return self.apply_diagnosis(action),
            Action::Fix(action) => return self.apply_fix(action),
            Action::ComparedWeights(table) => self.tab.view.compared_weights.set(table),
            Action::GpuCheck(action) => return self.apply_gpu_check(action),

            Action::TaskDone { id, answer } => {
                return self.apply_task_done(id, answer.map(|answer| *answer));
            }
            Action::SaveLayout(layout) => {
                self.settings.layout = Some(layout);
                return vec![Request::SaveSettings];
            }
            Action::ShowPane(pane, is_open) => {
                if is_open {
                    self.bring_to_front(pane)
                } else {
                    self.settings.panes.set(pane, false)
                }
                return vec![Request::SaveSettings];
            }

            Action::CoveredPanes(panes) => self.covered_panes = panes,
            Action::Press(is_pressed) => {
                self.is_pressed = is_pressed;
                self.tab.history.end_gesture();
            }

            Action::ClearLog => self.toasts.clear_log(),
            Action::ImageExport(action) => return self.apply_image_export(action),
            Action::Statistics(action) => return self.apply_statistics(action),
            Action::Findings(action) => return self.apply_findings(action),
            Action::Animation(action) => return self.apply_animation(action),
            Action::Measure(action) => self.apply_measure(action),
            Action::Poses(action) => self.apply_poses(action),
            Action::Materials(action) => return self.apply_materials(action),
            Action::Collision(action) => return self.apply_collision(action),
            Action::Surface(action) => return self.apply_surface(action),
            Action::UserImage(action) => return self.apply_user_image(action),
            Action::SetLight(light) => return self.apply_light(light),
            Action::Uv(action) => return self.apply_uv(action),

            Action::DismissProblem => self.tab.problem = None,
            Action::DismissToast(id) => self.toasts.dismiss(id),
            Action::ShowMessage(level, text) => self.toasts.push(level, text),
            Action::CopyText(text) => return vec![Request::CopyText(text)],
            Action::CloseDialog => self.close_dialog(),
        }
        Vec::new()
    }

    fn job_progress(&mut self, id: JobId, what: &'static str, fraction: f32) {
        match id.owner() {
            JobOwner::Document => self.load_progress(id, what, fraction),
            JobOwner::Export => self.export_progress(id, what, fraction),
            JobOwner::ImageExport => self.image_progress(id, what, fraction),
            JobOwner::Fix => self.fix_progress(id, what, fraction),
            JobOwner::Task(_) | JobOwner::Upload(_) => self.task_progress(id, fraction),
            _ => {}
        }
    }

    /// Ends a job without an answer, for its owner.
    fn job_failed(&mut self, id: JobId, error: JobError) -> Vec<Request> {
        let is_cancelled = error == JobError::Cancelled;
        let message = match &error {
            JobError::Cancelled => "cancelled".to_owned(),
            JobError::Failed(message) => message.clone(),
        };
        self.change(match id.owner() {
            JobOwner::Document => Action::LoadFailed { id, failure: LoadFailure::of_job(error) },
            JobOwner::Export => Action::Exported { id, outcome: Err(message) },
            JobOwner::Fix => Action::Fix(FixAction::Done { id, outcome: Err(message) }),
            JobOwner::ImageExport => {
                Action::ImageExport(ImageExportAction::Written { id, outcome: Err(message) })
            }
            JobOwner::CopiedImage => {
                Action::ImageExport(ImageExportAction::Copied { id, outcome: Err(message) })
            }
            JobOwner::RecentFiles => Action::Recent(RecentAction::AllInspected(id)),
            JobOwner::Revisions => {
                Action::Revisions(super::RevisionsAction::Listed(id, Err(message)))
            }
            JobOwner::BoneMap => {
                Action::BonePairs(super::BonePairsAction::Saved { id, result: Err(message) })
            }
            JobOwner::FileChooser => {
                Action::Chooser(super::ChooserAction::Listed(id, Err(message)))
            }
            JobOwner::GpuCheck => {
                Action::GpuCheck(GpuCheckAction::Read { id, vertices: Err(message) })
            }
            // Nothing waits for a pick.
            JobOwner::Pick if is_cancelled => return Vec::new(),
            JobOwner::Pick => Action::ShowMessage(ToastLevel::Error, message),
            JobOwner::Task(_) | JobOwner::Upload(_) => {
                let shown = Action::ShowMessage(ToastLevel::Error, message);
                Action::TaskDone { id, answer: (!is_cancelled).then(|| Box::new(shown)) }
            }
        })
    }
}
