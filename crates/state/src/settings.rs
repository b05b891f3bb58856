//! What is kept from one run to the next.
//!
//! Every field has a default, so that files of older and newer versions are read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{BoneDrawing, BytesColumns, LoopMode, Navigation, Panes, PickWhat};
use rigscope_core::pose::{Normals, Sampling};
use rigscope_core::visual::Show;

/// How much smaller and larger than usual text and buttons can be.
pub const UI_SCALES: std::ops::RangeInclusive<f32> = 0.6..=2.5;

/// Files in the list of recent ones.
pub const MAX_RECENT: usize = 12;

/// Commands in the list of those run last.
const MAX_RECENT_COMMANDS: usize = 8;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the desktop has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// White and strong colours on black, thick lines.
    HighContrast,
}

/// How [`Sampling`] is spelt in the file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Sampling")]
enum SamplingName {
    Player,
    Step,
    Linear,
    Decomposed,
}

/// How [`Normals`] is spelt in the file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Normals")]
enum NormalsName {
    Runtime,
    Exact,
}

/// What older versions kept elsewhere: what is drawn beside the bones.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct OldSettings {
    bones: OldBones,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct OldBones {
    axes: bool,
    boxes: bool,
    rest: bool,
    bind: bool,
    trail: bool,
}

/// Kept settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Light or dark.
    pub theme: Theme,
    /// Files opened, the last one first.
    pub recent: Vec<PathBuf>,
    /// Names of the commands run from the palette, the last one first.
    pub recent_commands: Vec<String>,
    /// The folder in which a file dialog was last used.
    pub folder: Option<PathBuf>,
    /// Reload a file that changes on disk.
    pub watch: bool,
    /// What is drawn.
    pub overlays: Show,
    /// What only hardware draws at first has been switched by hand, and stays so on any device.
    pub chose_for_hardware: bool,
    /// How bones are drawn.
    pub bones: BoneDrawing,
    /// Which panes are open.
    pub panes: Panes,
    /// Whether the time line is shown.
    pub timeline: bool,
    /// The timeline's ruler counts frames and not seconds.
    pub ruler_frames: bool,
    /// Where panes are, as the docks spell it; none: where they belong.
    pub layout: Option<String>,
    /// How wide the columns of the bytes are.
    pub bytes_columns: BytesColumns,
    /// What happens at the end of a clip.
    pub loop_mode: LoopMode,
    /// What a click selects.
    pub pick: PickWhat,
    /// Which drags move the camera.
    pub navigation: Navigation,
    /// Show what is under the resting pointer.
    pub hover: bool,
    /// Codes of notes that are not to be reported.
    pub allowed_notes: BTreeSet<String>,
    /// How to read between keys.
    #[serde(with = "SamplingName")]
    pub sampling: Sampling,
    /// Whose normals and tangents.
    #[serde(with = "NormalsName")]
    pub normals: Normals,
    /// Inner size of the window, in points.
    pub window_size: [f32; 2],
    /// How much larger text and buttons are than usual.
    pub ui_scale: f32,
    /// Open at the start what was open last time.
    pub reopen: bool,
    /// The files of all tabs: of each the file, then those that go along.
    pub open_files: Vec<Vec<PathBuf>>,
    /// The first steps are shown over the view.
    pub shows_hints: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            recent: Vec::new(),
            recent_commands: Vec::new(),
            folder: None,
            watch: true,
            overlays: Show::default(),
            chose_for_hardware: false,
            bones: BoneDrawing::default(),
            panes: Panes::default(),
            timeline: true,
            ruler_frames: false,
            layout: None,
            bytes_columns: BytesColumns::default(),
            loop_mode: LoopMode::default(),
            pick: PickWhat::default(),
            navigation: Navigation::default(),
            hover: true,
            allowed_notes: BTreeSet::new(),
            sampling: Sampling::default(),
            normals: Normals::default(),
            window_size: [1440.0, 900.0],
            ui_scale: 1.0,
            reopen: false,
            open_files: Vec::new(),
            shows_hints: true,
        }
    }
}

impl Settings {
    /// Takes over what an older version has written.
    pub fn add_old(&mut self, old: &OldSettings) {
        let overlays = &mut self.overlays;
        overlays.bone_axes |= old.bones.axes;
        overlays.bone_boxes |= old.bones.boxes;
        overlays.rest_bones |= old.bones.rest;
        overlays.bind_bones |= old.bones.bind;
        overlays.trail |= old.bones.trail;
    }

    /// Makes text and buttons larger by `step`, or smaller.
    pub(super) fn scale_ui(&mut self, step: f32) {
        // Tenths, so that as many steps back lead to where one came from.
        let scale = ((self.usable_ui_scale() + step) * 10.0).round() / 10.0;
        self.ui_scale = scale.clamp(*UI_SCALES.start(), *UI_SCALES.end());
    }

    /// Puts the panes where they are at first.
    pub(super) fn reset_layout(&mut self) {
        self.layout = None;
        self.panes = Panes::default();
    }

    /// How much larger text and buttons are than usual; sound whatever a file says.
    pub fn usable_ui_scale(&self) -> f32 {
        match self.ui_scale.is_finite() {
            true => self.ui_scale.clamp(*UI_SCALES.start(), *UI_SCALES.end()),
            false => 1.0,
        }
    }

    /// The folder in which the next file dialog opens: that of the last dialog, or of the file opened last.
    pub fn dialog_folder(&self) -> Option<&Path> {
        let of_recent = || self.recent.first().and_then(|path| path.parent());
        self.folder.as_deref().or_else(of_recent).filter(|folder| folder.is_absolute())
    }

    /// Puts the command `name` at the front of those run last.
    pub fn remember_command(&mut self, name: &str) {
        self.recent_commands.retain(|known| known != name);
        self.recent_commands.insert(0, name.to_owned());
        self.recent_commands.truncate(MAX_RECENT_COMMANDS);
    }

    /// Puts `path` at the front of the recent files.
    pub fn remember(&mut self, path: &Path) {
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(MAX_RECENT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_dialog_opens_where_the_last_one_was_used() {
        let mut settings = Settings::default();
        assert_eq!(settings.dialog_folder(), None);
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        settings.remember(&root.join("models/hero.fbx"));
        assert_eq!(settings.dialog_folder(), Some(&*root.join("models")));
        settings.folder = Some(root.join("exports"));
        assert_eq!(settings.dialog_folder(), Some(&*root.join("exports")));
        settings.folder = Some("relative".into());
        assert_eq!(settings.dialog_folder(), None);
    }

    #[test]
    fn a_file_opened_again_moves_to_the_front_and_the_list_stays_short() {
        let mut settings = Settings::default();
        for number in 0..MAX_RECENT + 3 {
            settings.remember(Path::new(&format!("{number}.bsm2")));
        }
        settings.remember(Path::new("7.bsm2"));
        assert_eq!(settings.recent.len(), MAX_RECENT);
        assert_eq!(settings.recent[0], Path::new("7.bsm2"));
        let sevens = settings.recent.iter().filter(|p| p.ends_with("7.bsm2"));
        assert_eq!(sevens.count(), 1);
    }
}
