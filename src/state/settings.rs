//! What is kept from one run to the next.
//!
//! Every field has a default, so that files of older and newer versions are read.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{LoopMode, Overlays, Panes};
use crate::pose::Sampling;

/// Files in the list of recent ones.
pub const MAX_RECENT: usize = 12;

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
}

/// How [`Sampling`] is spelt in the file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Sampling")]
enum SamplingName {
    Step,
    Linear,
    Decomposed,
}

/// Kept settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Light or dark.
    pub theme: Theme,
    /// Files opened, the last one first.
    pub recent: Vec<PathBuf>,
    /// Reload a file that changes on disk.
    pub watch: bool,
    /// What is drawn.
    pub overlays: Overlays,
    /// Which panes are open.
    pub panes: Panes,
    /// Whether the time line is shown.
    pub timeline: bool,
    /// Where panes are, as the docks spell it; none: where they belong.
    pub layout: Option<String>,
    /// What happens at the end of a clip.
    pub loop_mode: LoopMode,
    /// How to read between keys.
    #[serde(with = "SamplingName")]
    pub sampling: Sampling,
    /// Inner size of the window, in points.
    pub window_size: [f32; 2],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            recent: Vec::new(),
            watch: true,
            overlays: Overlays::default(),
            panes: Panes::default(),
            timeline: true,
            layout: None,
            loop_mode: LoopMode::default(),
            sampling: Sampling::default(),
            window_size: [1440.0, 900.0],
        }
    }
}

impl Settings {
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
