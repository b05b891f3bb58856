//! The state itself and the questions that panels ask it.

use glam::Vec2;

use super::{Job, KeyTimes, Settings, Tab, TimeRange, Toasts};
use rigscope_core::model::{BoneId, Clip, KeySpace, shown};
use rigscope_core::pose::{BoneShape, Pose, bone_shapes, sample};

/// A window inside the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Finds commands.
    Palette,
    /// Writes the model in another format.
    Export,
    /// Asks for the number of a vertex.
    GoToVertex,
    /// Saves what is seen.
    Picture,
    /// Lists keys.
    Keys,
    /// Says what this is.
    About,
}

impl Dialog {
    /// Whether it stands beside the view, which goes on meanwhile.
    pub fn is_beside(self) -> bool {
        matches!(self, Self::Export | Self::Picture)
    }
}

impl AppState {
    /// What stands beside the view, whatever lies over the window.
    pub fn beside(&self) -> Option<Dialog> {
        self.dialog.filter(|dialog| dialog.is_beside()).or(self.under)
    }

    /// Opens what lies over the window; what stands beside the view stays.
    pub(crate) fn open_over(&mut self, dialog: Dialog) {
        self.under = self.beside();
        self.dialog = Some(dialog);
    }

    /// Closes what lies over the window, or else what stands beside the view.
    pub(crate) fn close_dialog(&mut self) {
        self.dialog = self.under.take();
    }

    /// Closes what stands beside the view.
    pub(crate) fn close_beside(&mut self) {
        self.under = None;
        self.dialog = self.dialog.filter(|dialog| !dialog.is_beside());
    }
}

/// How watching the open file goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WatchStatus {
    /// What is shown is what is on disk, as far as is known.
    #[default]
    Fresh,
    /// The file was read again at this wall-clock time.
    Reloaded(String),
    /// The file on disk cannot be read; the last good one is shown.
    Broken(String),
    /// The file has gone; the last good one is shown.
    Gone,
}

/// What the last frame took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameTimings {
    /// Frames drawn since the start.
    pub frames: u64,
    /// Panels and commands of the last frame, on the CPU.
    pub cpu_ms: f32,
    /// Its steps in their order.
    pub steps_ms: super::PartsMs,
    /// All of the last frame that is known of, on the GPU.
    pub gpu_ms: Option<f32>,
    /// Its passes in their order.
    pub passes_ms: super::PartsMs,
    /// Triangles drawn.
    pub triangles: u64,
    /// Draw calls.
    pub draws: u32,
    /// Bytes of all buffers and textures, where the driver says.
    pub gpu_bytes: Option<u64>,
    /// Which GPU.
    pub adapter: String,
    /// The last frames, while somebody looks back on them.
    pub log: super::FrameLog,
}

/// All that the window knows.
#[derive(Clone, Debug, Default)]
pub struct AppState {
    /// What is shown: the document and all that belongs to it.
    pub tab: Tab,
    /// Size of the view, in points; zero before it has been shown.
    pub view_size_points: Vec2,
    /// The file on its way.
    pub job: Option<Job>,
    /// Work beside the window.
    pub tasks: Vec<super::RunningTask>,
    /// Short messages.
    pub toasts: Toasts,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// What stands beside the view while another dialog lies over the window.
    pub(super) under: Option<Dialog>,
    /// What is kept for the next run.
    pub settings: Settings,
    /// What is known for the page without a file.
    pub start: super::StartPage,
    /// What the last frame took.
    pub timings: FrameTimings,
    /// What the row is of that the pointer is on.
    pub(super) hovered_row: Option<super::Selection>,
    /// The pane that was asked for last.
    pub fronted: Option<super::Fronted>,
    /// Tasks that were not stopped: what one could not compute is not asked of it again.
    pub(super) ended_tasks: Vec<super::TaskSlot>,
    pub(super) last_job_id: u64,
    pub(super) tabs: super::documents::Tabs,
    /// An action is being applied: those within it are part of its step.
    pub(super) is_recording: bool,
}

impl AppState {
    /// A window that has just been opened with these settings.
    pub fn new(settings: Settings) -> Self {
        let mut state = Self { settings, ..Self::default() };
        state.tab.view.overlays = state.settings.overlays;
        state.apply_playback_settings();
        state
    }

    /// Whether the document is a file on disk.
    pub fn has_file(&self) -> bool {
        let origin = self.tab.document.as_ref().map(|document| &document.origin);
        origin.is_some_and(|origin| origin.path().is_some())
    }

    /// The clip that is shown.
    pub fn clip(&self) -> Option<&Clip> {
        let clips = &self.tab.document.as_ref()?.model.clips;
        clips.get(self.tab.playback.clip?.index())
    }

    /// Number of clips.
    pub fn num_clips(&self) -> usize {
        let document = self.tab.document.as_ref();
        document.map_or(0, |document| document.model.clips.len())
    }

    /// The keys of the clip that is shown.
    pub fn key_times(&self) -> Option<&KeyTimes> {
        let document = self.tab.document.as_ref()?;
        document.key_times.get(self.tab.playback.clip?.index())
    }

    /// From the clip's start to its end.
    pub fn clip_range(&self) -> TimeRange {
        self.clip().map_or(TimeRange::default(), |clip| TimeRange {
            start_secs: clip.start_secs,
            end_secs: clip.start_secs + clip.duration_secs.max(0.0),
        })
    }

    /// What is played: the range, or the whole clip.
    pub fn play_range(&self) -> TimeRange {
        self.tab.playback.range.unwrap_or_else(|| self.clip_range())
    }

    /// Whether the keys shown are taken for a bone matrix and its inverse bind.
    pub fn is_bind_pair(&self) -> bool {
        let motion = self.clip().and_then(Clip::as_sampled);
        motion.is_some_and(|motion| motion.is_bind_pair)
    }

    /// Whether the clip could be such a pair: two keys of finished skinning matrices.
    pub fn can_be_bind_pair(&self) -> bool {
        let motion = self.clip().and_then(Clip::as_sampled);
        motion.is_some_and(|m| m.space == KeySpace::Skin && m.keys.num_keys() == 2)
    }

    /// Whether the clip moves. The two keys of a bind pair are no motion.
    pub fn can_play(&self) -> bool {
        self.clip().is_some_and(|clip| clip.duration_secs > 0.0 && !self.is_bind_pair())
            && self.key_times().is_none_or(|keys| keys.len() > 1)
    }

    /// The key that holds at the time shown; key 0 in the default pose.
    pub fn current_key(&self) -> Option<usize> {
        let keys = self.key_times().filter(|keys| !keys.is_empty())?;
        Some(keys.at(self.tab.playback.time_secs))
    }

    /// Every bone in the pose shown.
    pub fn pose(&self) -> Option<Pose> {
        let document = self.tab.document.as_ref()?;
        Some(sample(&document.model, &self.tab.playback.pose_spec()))
    }

    /// The bones that are drawn in the pose shown, file space.
    pub fn bone_shapes(&self) -> Vec<BoneShape> {
        self.tab.document.as_ref().map_or_else(Vec::new, |document| {
            let pose = sample(&document.model, &self.tab.playback.pose_spec());
            let shapes = bone_shapes(&document.model, &pose, &document.anchors);
            self.drawn_shapes(shapes)
        })
    }

    /// The parent of the selected bone.
    pub fn parent_of_selected(&self) -> Option<BoneId> {
        let bones = self.tab.document.as_ref()?.model.skeleton.bones();
        bones.get(self.tab.selection.bone()?.index())?.parent
    }

    /// Lets real time pass: the clock runs, messages go away.
    pub fn tick(&mut self, dt_secs: f64) {
        let span = self.play_range();
        self.tab.playback.tick(dt_secs, span);
        self.follow_clock();
        self.toasts.tick(dt_secs);
        self.tab.view.second.tick(dt_secs);
        self.tab.history.tick(dt_secs);
        self.tab.view.camera_history.tick(dt_secs);
    }

    /// After how many seconds something changes by itself: 0 while a clip plays.
    pub fn wake_in_secs(&self) -> Option<f64> {
        if self.tab.playback.is_playing {
            return Some(0.0);
        }
        let times = [self.toasts.next_secs(), self.tab.view.second.wake_in_secs()];
        times.into_iter().flatten().min_by(f64::total_cmp)
    }

    /// The window's title.
    pub fn title(&self) -> String {
        match &self.tab.document {
            Some(document) => format!("{} — Rigscope", shown::name(document.name())),
            None => "Rigscope".into(),
        }
    }
}
