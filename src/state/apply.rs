//! What each action does.

use super::{Action, AppState, Effect, Selection, TimeRange, playback, selection};
use crate::camera::Preset;
use crate::model::ClipId;

impl AppState {
    /// Changes the state as `action` says and returns what the shell must do.
    pub fn apply(&mut self, action: Action) -> Vec<Effect> {
        let before = self.before(&action);
        let mut effects = self.change(action);
        effects.extend(self.follow_weights());
        effects.extend(self.follow_bones());
        effects.extend(self.refresh_animation());
        self.after(before);
        effects
    }

    fn change(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Run(command) => return self.run(command),

            Action::Open(path) => return self.open(path, Vec::new()),
            Action::OpenMany(paths) => return self.open_many(paths),
            Action::AddCompanions(paths) => return self.add_companions(paths),
            Action::Drop(dropped) => return self.drop_files(dropped),
            Action::Companion(action) => return self.choose_companion(action),
            Action::SetFps(fps) => return self.set_fps(fps),
            Action::Start(request) => return self.start_job(request),
            Action::JobProgress { id, what, fraction } => {
                self.progress(id, what, fraction);
                self.export_progress(id, what, fraction);
                self.picture_progress(id, what, fraction);
                self.task_progress(id, fraction);
            }
            Action::Loaded {
                id,
                document,
                clock,
            } => return self.loaded(id, *document, clock),
            Action::LoadFailed { id, failure } => {
                self.load_failed(id, failure);
                return self.open_waiting();
            }
            Action::Tab(action) => return self.apply_tab(action),
            Action::FileChanged => return self.file_changed(),
            Action::FileGone => self.file_gone(),
            Action::ClearRecent => {
                self.settings.recent.clear();
                return vec![Effect::SaveSettings];
            }

            Action::Select(selection) => self.select(selection),
            Action::Pick(at) => return self.ask_pick(at),
            Action::Picked(at, hit) => self.picked(at, &hit),
            Action::Inspect(action) => return self.inspect(action),
            Action::Focus(place) => self.focus(place),
            Action::SetVisible(number, is_visible) => {
                if let Some(look) = self.view.looks.get_mut(number) {
                    look.is_visible = is_visible;
                }
            }
            Action::Isolate(number) => {
                self.view.isolated = number.filter(|&n| n < self.view.looks.len());
            }
            Action::SetColor(number, color) => {
                if let Some(look) = self.view.looks.get_mut(number) {
                    look.color = color;
                }
            }

            Action::ViewSized(size) => {
                self.view.size_points = size;
                self.view.frame_again();
            }
            Action::Orbit { yaw_rad, pitch_rad } => {
                self.view.framed = None;
                self.view.camera.orbit(yaw_rad, pitch_rad);
            }
            Action::Pan(delta) => {
                self.view.framed = None;
                let height = self.view.size_points.y;
                self.view.camera.pan(delta, height);
            }
            Action::Zoom { factor, at_ndc } => {
                self.view.framed = None;
                let aspect = self.view.aspect();
                self.view.camera.zoom(factor, at_ndc, aspect);
            }

            Action::Weights(action) => self.apply_weights(action),
            Action::Bones(action) => return self.apply_bones(action),

            Action::SetClip(clip) => self.set_clip(clip),
            Action::Seek(time_secs) => self.seek(time_secs),
            Action::SeekKey(key) => self.seek_key(key),
            Action::SetSpeed(speed) => self.set_speed(speed),
            Action::SetLoop(mode) => {
                self.playback.loop_mode = mode;
                self.playback.is_backwards = false;
                self.settings.loop_mode = mode;
                return vec![Effect::SaveSettings];
            }
            Action::SetRange(range) => self.set_range(range),

            Action::ChooseExport(choice) => self.choose_export(choice),
            Action::PickExport => return self.pick_export(),
            Action::ExportTo(path) => return self.export_to(path),
            Action::CancelExport => return self.cancel_export(),
            Action::Exported { id, outcome } => self.exported(id, outcome),

            Action::Bytes(action) => return self.bytes_action(action),
            Action::Second(action) => return self.second(action),
            Action::AsBsm2(action) => return self.as_bsm2(action),
            Action::Compare(action) => return self.compare(action),
            Action::Truth(action) => return self.truth(action),

            Action::TaskDone { id, answer } => {
                return self.task_done(id, answer.map(|answer| *answer));
            }
            Action::KeepLayout(layout) => {
                self.settings.layout = Some(layout);
                return vec![Effect::SaveSettings];
            }
            Action::ShowPane(pane, is_open) => {
                self.settings.panes.set(pane, is_open);
                return vec![Effect::SaveSettings];
            }

            Action::ClearLog => self.toasts.clear_log(),
            Action::Picture(action) => return self.apply_picture(action),
            Action::Figures(action) => self.apply_figures(action),
            Action::Notes(action) => return self.apply_notes(action),
            Action::Animation(action) => return self.animate(action),
            Action::Collision(action) => return self.apply_collision(action),
            Action::Surface(action) => return self.apply_surface(action),
            Action::Uv(action) => return self.apply_uv(action),

            Action::DismissProblem => self.problem = None,
            Action::DismissToast(id) => self.toasts.dismiss(id),
            Action::Say(level, text) => self.toasts.push(level, text),
            Action::Copy(text) => return vec![Effect::CopyText(text)],
            Action::CloseDialog => self.dialog = None,
        }
        Vec::new()
    }

    pub(super) fn select(&mut self, selection: selection::Selection) {
        let exists = |document| selection.exists_in(document);
        if self.document.as_ref().is_some_and(exists) {
            self.selection = selection;
        }
        if let Selection::Clip(clip) = selection {
            self.set_clip(clip);
        }
    }

    /// Shows `clip` from its start; the clock goes on if it runs and the clip moves.
    pub(super) fn set_clip(&mut self, clip: ClipId) {
        if clip.index() >= self.num_clips() || self.playback.clip == Some(clip) {
            return;
        }
        self.playback.clip = Some(clip);
        self.playback.range = None;
        self.playback.is_backwards = false;
        self.playback.time_secs = self.clip_range().start_secs;
        self.playback.is_playing &= self.can_play();
        // The clip's own default: a bind pair's is the product of its keys.
        self.playback.is_default_pose = !self.playback.is_playing;
    }

    /// Shows the moment nearest to `time_secs` in the clip and stops the clock.
    pub(super) fn seek(&mut self, time_secs: f64) {
        if self.clip().is_none() {
            return;
        }
        self.playback.time_secs = self.clip_range().clamp(time_secs);
        self.playback.is_playing = false;
        self.playback.is_default_pose = false;
    }

    pub(super) fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.playback.speed = speed.clamp(*playback::SPEED.start(), *playback::SPEED.end());
        }
    }

    /// Plays only `range`, as far as it lies in the clip.
    pub(super) fn set_range(&mut self, range: Option<TimeRange>) {
        let whole = self.clip_range();
        self.playback.range = range
            .map(|range| TimeRange {
                start_secs: whole.clamp(range.start_secs),
                end_secs: whole.clamp(range.end_secs),
            })
            .filter(|range| range.duration_secs() > 0.0 && *range != whole);
    }

    /// Looks from a preset direction, at all that was framed.
    pub(super) fn look_from(&mut self, preset: Preset) {
        self.view.camera.look_from(preset);
        self.view.frame_again();
    }
}
