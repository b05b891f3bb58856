//! Arguments of the window, from the command line.

use std::path::PathBuf;

use super::chosen_files::classify;
use rigscope_core::runtime::Runtime;
use rigscope_io::OpenOptions;
use rigscope_io::files::model_file;
use rigscope_state::{
    Action, AppState, Command, FileGroup, LoadReason, LoadRequest, Origin, Pane, Script, Selector,
    StartAt,
};

/// Arguments of the window, from the command line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunArgs {
    /// Opened together: each model in a tab. Without files, opens the sample if any other argument is given,
    /// otherwise the start page.
    pub files: Vec<PathBuf>,
    /// Open the built-in sample.
    pub sample: bool,
    /// How the files are read.
    pub options: OpenOptions,
    /// Name or number of the clip to show.
    pub clip: Option<String>,
    /// Time within the clip, in seconds.
    pub time_secs: Option<f64>,
    /// Steps to run once the file is loaded.
    pub script: Option<Script>,
    /// Problems with the arguments, shown as warnings.
    pub warnings: Vec<String>,
    /// The window is part of another page, which has its own controls: only the view is shown.
    pub is_embedded: bool,
    /// Closes the window after this many frames, once the file is loaded. The program then fails if the
    /// file couldn't be opened.
    pub exit_after_frames: Option<u64>,
    /// Writes a screenshot to this path once the file is loaded, or before the window closes.
    pub screenshot: Option<PathBuf>,
    /// Destroys the GPU device after this many frames, to test recovery.
    pub lose_gpu_after_frames: Option<u64>,
}

/// Steps to run once the file is loaded, as named on command lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptArgs {
    /// Names of commands.
    pub run: Vec<String>,
    /// The runtime to play the file as.
    pub runtime: Option<&'static Runtime>,
    /// The item to select.
    pub select: Option<String>,
    /// Names of the only panes to open; empty leaves them as they are.
    pub panes: Vec<String>,
    /// The file to compare with.
    pub compare: Option<PathBuf>,
}

impl RunArgs {
    /// Adds a script.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn with_script(mut self, steps: ScriptArgs) -> anyhow::Result<Self> {
        match self.add_valid_steps(steps).into_iter().next() {
            Some(problem) => Err(anyhow::Error::msg(problem)),
            None => Ok(self),
        }
    }

    /// Adds a script with the steps whose names are known, and returns the problems with the others.
    pub(super) fn add_valid_steps(&mut self, steps: ScriptArgs) -> Vec<String> {
        let mut problems = Vec::new();
        let ScriptArgs { run, runtime, select, panes, compare } = steps;
        let run = valid(run.iter().map(|name| Command::from_kebab(name)), &mut problems);
        let panes = valid(panes.iter().map(|name| Pane::from_kebab(name)), &mut problems);
        let select = valid(select.as_deref().map(Selector::parse).into_iter(), &mut problems);
        let script = Script {
            run,
            compare,
            runtime,
            select: select.into_iter().next(),
            panes: (!panes.is_empty()).then_some(panes),
        };
        self.script = (script != Script::default()).then_some(script);
        problems
    }

    /// The first action; `None` without arguments.
    pub(super) fn start(&self) -> Option<Action> {
        if *self == Self::default() || (self.is_embedded && self.files.is_empty()) {
            return None;
        }
        // Paths are stored in the recent files, so they must not depend on the current folder.
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let with = self.options.with.iter().map(absolute).collect();
        let options = OpenOptions { with, ..self.options.clone() };
        let start = StartAt { clip: self.clip.clone(), time_secs: self.time_secs };
        let target = match self.files.as_slice() {
            [] => Origin::Sample,
            [path] => Origin::File(model_file(&absolute(path)).into_owned()),
            paths => {
                let files = paths.iter().map(|path| classify(absolute(path))).collect();
                return Some(Action::OpenGroup(Box::new(FileGroup { files, options, start })));
            }
        };
        let request = AppState::request(target, LoadReason::Open);
        Some(Action::Start(LoadRequest { options, start, ..request }))
    }
}

/// The successful results; errors are added to `problems`.
fn valid<T>(
    results: impl Iterator<Item = Result<T, String>>,
    problems: &mut Vec<String>,
) -> Vec<T> {
    results.filter_map(|result| result.map_err(|problem| problems.push(problem)).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_opens_if_any_argument_but_no_file_is_given() {
        let target = |args: RunArgs| match args.start() {
            Some(Action::Start(request)) => request.target,
            other => panic!("{other:?}"),
        };
        assert!(RunArgs::default().start().is_none());
        let targets = [
            RunArgs { sample: true, ..RunArgs::default() },
            RunArgs { exit_after_frames: Some(3), ..RunArgs::default() },
            RunArgs { clip: Some("walk".into()), ..RunArgs::default() },
        ]
        .map(target);
        assert!(targets.iter().all(|target| *target == Origin::Sample));
        let file = RunArgs { files: vec!["/a.fbx".into()], ..RunArgs::default() };
        assert!(target(file).path().is_some());
        let files = RunArgs { files: vec!["a.glb".into(), "b.glb".into()], ..RunArgs::default() };
        let Some(Action::OpenGroup(group)) = files.start() else { panic!() };
        assert!(group.files.iter().all(|file| file.path.is_absolute()));
        assert_eq!(group.files.len(), 2);
    }
}
