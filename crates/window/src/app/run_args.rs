//! What the command line asks of the window.

use std::path::PathBuf;

use rigscope_core::model::UpAxis;
use rigscope_io::files::model_file;
use rigscope_state::{
    AppState, Command, LoadReason, LoadRequest, Origin, Pane, Script, Selector, StartAt,
};

/// What the command line asks of the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunArgs {
    /// The first is opened, the others go along with it; none: the sample where anything else is
    /// asked for, else the page to start from.
    pub files: Vec<PathBuf>,
    /// Open the sample.
    pub sample: bool,
    /// Files to read along with it.
    pub companions: Vec<PathBuf>,
    /// Files around it that must not go with it.
    pub without: Vec<String>,
    /// Format to take the file for, whatever the probes say.
    pub format: Option<String>,
    /// Frames a second, for formats that count frames and do not say how fast they go.
    pub fps: Option<f64>,
    /// The axis that points up, overriding the format's.
    pub up: Option<UpAxis>,
    /// Name or number of the clip to show.
    pub clip: Option<String>,
    /// On the clip's clock.
    pub time_secs: Option<f64>,
    /// What is done once the file is there.
    pub script: Option<Script>,
    /// Close after so many drawn frames, once the file is there; the program then fails if the
    /// file could not be opened.
    pub exit_after_frames: Option<u64>,
    /// Write what the window shows once the file is there, or before it closes.
    pub screenshot: Option<PathBuf>,
    /// Destroy the device after so many drawn frames: a rehearsal of its loss.
    pub lose_gpu_after_frames: Option<u64>,
}

impl RunArgs {
    /// Reads what is to be done once the file is there: commands, a selection and panes as command
    /// lines name them, and a file to compare with.
    ///
    /// # Errors
    /// When a name is unknown.
    pub fn with_script(
        mut self,
        run: &[String],
        select: Option<&str>,
        panes: &[String],
        compare: Option<PathBuf>,
    ) -> anyhow::Result<Self> {
        if run.is_empty() && select.is_none() && panes.is_empty() && compare.is_none() {
            return Ok(self);
        }
        let message = anyhow::Error::msg::<String>;
        let commands = run.iter().map(|name| Command::from_kebab(name));
        let open = panes.iter().map(|name| Pane::from_kebab(name));
        let open = open.collect::<Result<Vec<_>, _>>().map_err(message)?;
        self.script = Some(Script {
            run: commands.collect::<Result<_, _>>().map_err(message)?,
            compare,
            select: select.map(Selector::parse).transpose().map_err(message)?,
            panes: (!open.is_empty()).then_some(open),
        });
        Ok(self)
    }

    /// What is to be read first; nothing where nothing at all is asked for.
    pub(super) fn request(&self) -> Option<LoadRequest> {
        if *self == Self::default() {
            return None;
        }
        // The list of recent files is read from other folders too.
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let target = match self.files.first() {
            Some(path) => Origin::File(model_file(&absolute(path)).into_owned()),
            None => Origin::Sample,
        };
        let others = self.files.iter().skip(1);
        Some(LoadRequest {
            companions: others.chain(&self.companions).map(absolute).collect(),
            without: self.without.clone(),
            format: self.format.clone(),
            fps: self.fps,
            up: self.up,
            start: StartAt { clip: self.clip.clone(), time_secs: self.time_secs },
            ..AppState::request(target, LoadReason::Open)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_opened_where_it_or_anything_else_is_asked_for() {
        assert_eq!(RunArgs::default().request(), None);
        let targets = [
            RunArgs { sample: true, ..RunArgs::default() },
            RunArgs { exit_after_frames: Some(3), ..RunArgs::default() },
            RunArgs { clip: Some("walk".into()), ..RunArgs::default() },
        ]
        .map(|args| args.request().unwrap().target);
        assert!(targets.iter().all(|target| *target == Origin::Sample));
        let file = RunArgs { files: vec!["/a.fbx".into()], ..RunArgs::default() };
        assert!(file.request().unwrap().target.path().is_some());
    }
}
