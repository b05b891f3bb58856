//! Settings saved between sessions.
//!
//! Every field has a default, so that files of older and newer versions can be read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{BoneDrawing, BytesColumns, LoopMode, Navigation, Panes, PickWhat};
use rigscope_core::pose::{Normals, Sampling};
use rigscope_core::visual::Show;

/// Smallest and largest scale of text and buttons.
pub const UI_SCALES: std::ops::RangeInclusive<f32> = 0.6..=2.5;

/// Most recent files to store.
pub const MAX_RECENT: usize = 12;

/// Most recent commands to store.
const MAX_RECENT_COMMANDS: usize = 8;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// The setting of the desktop.
    #[default]
    System,
    Light,
    Dark,
    /// White and saturated colours on black, with thick lines.
    HighContrast,
}

/// The names of [`Sampling`] in the file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Sampling")]
enum SamplingName {
    #[serde(rename = "Player")]
    Runtime,
    Step,
    Linear,
    Decomposed,
}

/// The names of [`Normals`] in the file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Normals")]
enum NormalsName {
    Runtime,
    Exact,
}

/// Options that older versions stored under `bones`.
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

/// The saved settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub theme: Theme,
    /// Recent files, newest first.
    pub recent: Vec<PathBuf>,
    /// Names of commands run from the palette, newest first.
    pub recent_commands: Vec<String>,
    /// The folder last used in a file dialog.
    pub folder: Option<PathBuf>,
    /// Reload a file when it changes on disk.
    pub watch: bool,
    /// The display options.
    pub overlays: Show,
    /// The user has switched options that are off by default on software renderers. They then apply
    /// to every device.
    pub chose_for_hardware: bool,
    pub bones: BoneDrawing,
    pub panes: Panes,
    pub timeline: bool,
    /// Show frames instead of seconds on the timeline's ruler.
    pub ruler_frames: bool,
    /// The layout of the panes, in the format of the dock library; `None` for the default layout.
    pub layout: Option<String>,
    /// Column widths in the Bytes pane.
    pub bytes_columns: BytesColumns,
    /// Behaviour at the end of a clip.
    pub loop_mode: LoopMode,
    /// The kind of element that a click selects.
    pub pick: PickWhat,
    /// The mouse navigation preset.
    pub navigation: Navigation,
    /// Show a tooltip for the item under the resting pointer.
    pub hover: bool,
    /// Codes of ignored findings.
    #[serde(rename = "allowed_notes")]
    pub allowed_findings: BTreeSet<String>,
    /// Interpolation between keys.
    #[serde(with = "SamplingName")]
    pub sampling: Sampling,
    /// Source of normals and tangents.
    #[serde(with = "NormalsName")]
    pub normals: Normals,
    /// Inner size of the window, in points.
    pub window_size: [f32; 2],
    /// Scale of text and buttons.
    pub ui_scale: f32,
    /// Reopen the files of the last session at the start.
    pub reopen: bool,
    /// The files of each tab: the document, then its related files.
    pub open_files: Vec<Vec<PathBuf>>,
    /// Show the first-steps strip over the view.
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
            allowed_findings: BTreeSet::new(),
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
    /// Merges options stored by an older version.
    pub fn add_old(&mut self, old: &OldSettings) {
        let overlays = &mut self.overlays;
        overlays.bone_axes |= old.bones.axes;
        overlays.bone_boxes |= old.bones.boxes;
        overlays.rest_bones |= old.bones.rest;
        overlays.bind_bones |= old.bones.bind;
        overlays.motion_path |= old.bones.trail;
    }

    /// Changes the scale of text and buttons by `step`.
    pub(super) fn scale_ui(&mut self, step: f32) {
        // Rounded to tenths, so that steps up and down cancel out.
        let scale = ((self.usable_ui_scale() + step) * 10.0).round() / 10.0;
        self.ui_scale = scale.clamp(*UI_SCALES.start(), *UI_SCALES.end());
    }

    /// Restores the default layout.
    pub(super) fn reset_layout(&mut self) {
        self.layout = None;
        self.panes = Panes::default();
    }

    /// The scale of text and buttons, clamped to [`UI_SCALES`]; 1 if the file contains an invalid
    /// number.
    pub fn usable_ui_scale(&self) -> f32 {
        if self.ui_scale.is_finite() {
            self.ui_scale.clamp(*UI_SCALES.start(), *UI_SCALES.end())
        } else {
            1.0
        }
    }

    /// The folder for the next file dialog: the last one used, or the folder of the newest recent file.
    pub fn dialog_folder(&self) -> Option<&Path> {
        let of_recent = || self.recent.first().and_then(|path| path.parent());
        self.folder.as_deref().or_else(of_recent).filter(|folder| folder.is_absolute())
    }

    /// Moves command `name` to the front of the recent commands.
    pub fn remember_command(&mut self, name: &str) {
        self.recent_commands.retain(|known| known != name);
        self.recent_commands.insert(0, name.to_owned());
        self.recent_commands.truncate(MAX_RECENT_COMMANDS);
    }

    /// Moves `path` to the front of the recent files.
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
    fn file_dialog_opens_in_the_last_used_folder() {
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
    fn reopened_file_moves_to_the_front_and_the_list_is_limited() {
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
