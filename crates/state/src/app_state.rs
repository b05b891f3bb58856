//! The complete state of the window, and queries used by several panes.

use glam::Vec2;

use super::{Job, KeyTimes, Settings, Tab, TimeRange, Toasts};
use rigscope_core::model::{BoneId, Clip, KeySpace, display_text};
use rigscope_core::pose::{BoneShape, Pose, bone_shapes, sample};

/// A modal dialog, or a dialog docked next to the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The command palette.
    Palette,
    Export,
    /// Chooses files on a system without file dialogs.
    Files,
    GoToVertex,
    /// Saves an image of the view.
    ImageExport,
    /// Lists shortcuts.
    Keys,
    About,
    /// Lists the programs that read further formats.
    Readers,
    /// Lists the revisions of the open file.
    Revisions,
}

impl Dialog {
    /// Whether the dialog is docked next to the view, which stays usable.
    pub fn is_docked(self) -> bool {
        matches!(self, Self::Export | Self::ImageExport)
    }
}

/// The background of an embedded view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PageBackground {
    /// Linear RGB.
    Plain([f32; 3]),
    /// The page shows through.
    Transparent,
}

impl AppState {
    /// The docked dialog, even if a modal dialog covers it.
    pub fn docked_dialog(&self) -> Option<Dialog> {
        self.dialog.filter(|dialog| dialog.is_docked()).or(self.docked)
    }

    /// Opens a modal dialog; a docked dialog stays open.
    pub(crate) fn open_modal(&mut self, dialog: Dialog) {
        self.docked = self.docked_dialog();
        self.dialog = Some(dialog);
    }

    /// Closes the modal dialog, or else the docked one.
    pub(crate) fn close_dialog(&mut self) {
        self.dialog = self.docked.take();
    }

    /// Closes the docked dialog.
    pub(crate) fn close_docked(&mut self) {
        self.docked = None;
        self.dialog = self.dialog.filter(|dialog| !dialog.is_docked());
    }
}

/// The state of the open file on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WatchStatus {
    /// Unchanged, as far as is known.
    #[default]
    Fresh,
    /// The file was reloaded at this wall-clock time.
    Reloaded(String),
    /// The file on disk can't be read; the last valid version is shown.
    Broken(String),
    /// The file is missing; the last loaded version is shown.
    Gone,
}

/// Measurements of the last frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameTimings {
    /// Frames drawn since the start.
    pub frames: u64,
    /// CPU time of the panes and of recording commands.
    pub cpu_ms: f32,
    /// CPU time by step, in order.
    pub steps_ms: super::PartsMs,
    /// GPU time, if it could be measured.
    pub gpu_ms: Option<f32>,
    /// GPU time by pass, in order.
    pub passes_ms: super::PartsMs,
    /// Triangles drawn.
    pub triangles: u64,
    pub draws: u32,
    /// Size of all buffers and textures, if the driver reports it.
    pub gpu_bytes: Option<u64>,
    /// Name of the GPU.
    pub adapter: String,
    /// Recent frames, recorded while the Frame times pane is open.
    pub log: super::FrameLog,
}

/// The complete state of the window.
#[derive(Clone, Debug, Default)]
pub struct AppState {
    /// The current tab.
    pub tab: Tab,
    /// Size of the view, in points; zero before the first frame.
    pub view_size_points: Vec2,
    /// The file being loaded.
    pub job: Option<Job>,
    /// Running background tasks.
    pub tasks: Vec<super::RunningTask>,
    pub toasts: Toasts,
    pub dialog: Option<Dialog>,
    /// The docked dialog while a modal dialog covers it.
    pub(super) docked: Option<Dialog>,
    /// The window's own file dialog.
    pub chooser: Option<super::FileChooser>,
    /// Settings saved between sessions.
    pub settings: Settings,
    /// The window is part of another page, which has its own controls.
    pub is_embedded: bool,
    /// The background that this page has set.
    pub page_background: Option<PageBackground>,
    /// The programs that read further formats, once the dialog has listed them.
    pub readers: super::ReaderList,
    /// The revisions of the open file.
    pub revisions: super::RevisionList,
    /// The page shown without a document.
    pub start: super::StartPage,
    /// Measurements of the last frame.
    pub timings: FrameTimings,
    /// Kinds of the files that are dragged over the window.
    pub dragged: Vec<super::ChosenKind>,
    /// The item of the row under the pointer.
    pub(super) hovered_row: Option<super::Selection>,
    /// The pane that was focused or raised last.
    pub raised_pane: Option<super::RaisedPane>,
    /// Open panes behind another tab of their group, as of the last frame.
    pub covered_panes: std::collections::BTreeSet<super::Pane>,
    /// Whether the pointer is pressed: changes until its release are one gesture.
    pub is_pressed: bool,
    /// Tasks that ended without being cancelled. If one of them had no result, it isn't started
    /// again for the same key.
    pub(super) ended_tasks: Vec<super::TaskSlot>,
    /// The number of the last job.
    pub(super) last_job: u64,
    /// The job that copies an image to the clipboard.
    pub(super) copying: Option<super::JobId>,
    pub(super) tabs: super::documents::Tabs,
    /// Set while an action is applied: actions applied within it belong to the same undo step.
    pub(super) is_recording: bool,
}

impl AppState {
    /// The initial state with these settings.
    pub fn new(settings: Settings) -> Self {
        let mut state = Self { settings, ..Self::default() };
        state.tab.view.overlays = state.settings.overlays;
        state.apply_playback_settings();
        state
    }

    /// Whether the document was loaded from disk.
    pub fn has_file(&self) -> bool {
        let origin = self.tab.document.as_ref().map(|document| &document.origin);
        origin.is_some_and(|origin| origin.path().is_some())
    }

    /// The current clip.
    pub fn clip(&self) -> Option<&Clip> {
        let clips = &self.tab.document.as_ref()?.model.clips;
        clips.get(self.tab.playback.clip?)
    }

    pub fn num_clips(&self) -> usize {
        let document = self.tab.document.as_ref();
        document.map_or(0, |document| document.model.clips.len())
    }

    /// The key times of the current clip.
    pub fn key_times(&self) -> Option<&KeyTimes> {
        let document = self.tab.document.as_ref()?;
        document.key_times.get(self.tab.playback.clip?.index())
    }

    pub fn clip_range(&self) -> TimeRange {
        self.clip().map_or(TimeRange::default(), |clip| TimeRange {
            start_secs: clip.start_secs,
            end_secs: clip.start_secs + clip.duration_secs.max(0.0),
        })
    }

    /// The selected range, or the whole clip.
    pub fn play_range(&self) -> TimeRange {
        self.tab.playback.range.unwrap_or_else(|| self.clip_range())
    }

    /// Whether the clip is treated as a bone matrix and its inverse bind matrix.
    pub fn is_bind_pair(&self) -> bool {
        let motion = self.clip().and_then(Clip::as_sampled);
        motion.is_some_and(|motion| motion.is_bind_pair)
    }

    /// Whether the clip could be a bind pair: two keys of baked skinning matrices.
    pub fn can_be_bind_pair(&self) -> bool {
        let motion = self.clip().and_then(Clip::as_sampled);
        motion.is_some_and(|m| m.space == KeySpace::Skin && m.keys.num_keys() == 2)
    }

    /// Whether the clip can be played. A bind pair isn't an animation.
    pub fn can_play(&self) -> bool {
        self.clip().is_some_and(|clip| clip.duration_secs > 0.0 && !self.is_bind_pair())
            && self.key_times().is_none_or(|keys| keys.len() > 1)
    }

    /// The index of the key at or before the current time; 0 in the default pose.
    pub fn current_key(&self) -> Option<usize> {
        let keys = self.key_times().filter(|keys| !keys.is_empty())?;
        Some(keys.at(self.tab.playback.time_secs))
    }

    /// The current pose of all bones.
    pub fn pose(&self) -> Option<Pose> {
        let document = self.tab.document.as_ref()?;
        Some(sample(&document.model, &self.tab.playback.pose_spec()))
    }

    /// The visible bones in the current pose, file space.
    pub fn bone_shapes(&self) -> Vec<BoneShape> {
        self.tab.document.as_ref().map_or_else(Vec::new, |document| {
            let pose = sample(&document.model, &self.tab.playback.pose_spec());
            let shapes = bone_shapes(&document.model, &pose, &document.anchors);
            self.drawn_shapes(shapes)
        })
    }

    pub fn parent_of_selected(&self) -> Option<BoneId> {
        let bones = self.tab.document.as_ref()?.model.skeleton.bones();
        bones.get(self.tab.selection.bone()?)?.parent
    }

    /// Advances the clock, toasts and other timers.
    pub fn tick(&mut self, dt_secs: f64) {
        let span = self.play_range();
        self.tab.playback.tick(dt_secs, span);
        self.follow_clock();
        self.toasts.tick(dt_secs);
        self.tab.view.second.tick(dt_secs);
        if !self.is_pressed {
            self.tab.history.tick(dt_secs);
            self.tab.view.camera_history.tick(dt_secs);
        }
    }

    /// Seconds until the state changes without input; 0 while a clip plays.
    pub fn wake_in_secs(&self) -> Option<f64> {
        if self.tab.playback.is_playing {
            return Some(0.0);
        }
        let times = [self.toasts.next_secs(), self.tab.view.second.wake_in_secs()];
        times.into_iter().flatten().min_by(f64::total_cmp)
    }

    pub fn title(&self) -> String {
        match &self.tab.document {
            Some(document) => format!("{} — Rigscope", display_text::name(document.name())),
            None => "Rigscope".into(),
        }
    }
}
