//! `rigscope.toml`: the settings of `validate` and `check` for a project, stored with its files.
//!
//! ```toml
//! [files]
//! exclude = ["old/", "*.bak.glb"]  # as --exclude
//!
//! [validate]
//! rules = ["all"]                  # as --rules
//! allow = ["degenerate-triangle"]  # as --allow
//! deny = ["warnings"]              # as --deny
//!
//! [convert]
//! allow = ["uv-sets"]              # as --allow of convert --strict
//!
//! [budget]
//! triangles = 20000
//! file_size = "5 MB"
//! [budget."props/**"]              # replaces limits for some files
//! triangles = 2000
//!
//! [names]
//! bones = ["Bip01*", "socket_*"]
//!
//! [skeleton]
//! file = "reference/skeleton.glb"
//! tolerance = 0.001                # of the skeleton's size
//!
//! [runtimes]
//! play = ["three.js"]
//!
//! [[ignore]]
//! rule = "zero-normal"           # a finding or cause
//! files = ["old/**"]
//! reason = "will be exported again in spring"
//! until = 2027-04-30
//! ```
//!
//! The nearest one applies, in the folder of a file or above it. Settings further up are not merged. It can only choose
//! rules: it names no program, and only files below its own folder.

mod file;

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use file::{ConfigFile, parse};

use super::exit::at_path;
use super::walk_args::WalkSettings;
use rigscope_core::diagnose::CAUSES;
use rigscope_core::model::{Finding, Model};
use rigscope_core::policy::ValidateOptions;
use rigscope_core::project::ProjectRules;
use rigscope_io::files::{Inputs, read_settings};

const NAME: &str = "rigscope.toml";

/// The settings of a `rigscope.toml`.
#[derive(Debug, Default)]
pub(super) struct Config {
    file: ConfigFile,
    /// The folder to which its patterns are relative; empty without a file.
    folder: PathBuf,
    reference: Option<Arc<Model>>,
}

/// The settings for one file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileConfig {
    pub(super) options: ValidateOptions,
    pub(super) rules: ProjectRules,
    /// Findings that are ignored today.
    ignored: Vec<&'static str>,
    /// Findings whose exception has expired, with its last day.
    expired: Vec<(&'static str, String)>,
}

impl Config {
    /// Reads the file at `path`.
    fn read(path: &Path, inputs: &Inputs, with_reference: bool) -> anyhow::Result<Self> {
        let text = read_settings(path, inputs).map_err(|error| at_path(error, path))?;
        let file = parse(&text)
            .map_err(|fault| at_path(format!("{}: {}", fault.place, fault.message), path))?;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = absolute.parent().map(Path::to_owned).unwrap_or_default();
        let reference = if with_reference { file.reference(&folder, inputs)? } else { None };
        Ok(Self { file, folder, reference })
    }

    /// Which files of folders are found.
    pub(super) fn walk_settings(&self) -> &WalkSettings {
        &self.file.walk
    }

    /// The codes of losses that `convert --strict` accepts.
    pub(super) fn allowed_losses(&self) -> &[&'static str] {
        &self.file.allowed_losses
    }

    /// The folder to which patterns are relative; empty without a file.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The settings for the file at `path`; `over` are those of the command line.
    pub(super) fn of(&self, path: &Path, over: &ValidateOptions) -> FileConfig {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let relative = absolute.strip_prefix(&self.folder).unwrap_or(&absolute);
        let parts = relative.components().map(|part| part.as_os_str().to_string_lossy());
        let relative = parts.collect::<Vec<_>>().join("/");
        let today = chrono::Local::now().format("%Y-%m-%d").to_string();
        let (mut ignored, mut expired) = (Vec::new(), Vec::new());
        for entry in self.file.ignored.iter().filter(|entry| entry.applies_to(&relative)) {
            match &entry.until {
                Some(day) if *day < today => expired.push((entry.name, day.clone())),
                _ => ignored.push(entry.name),
            }
        }
        let mut options = over.over(&self.file.validate);
        let is_cause = |name: &&&str| CAUSES.iter().any(|cause| cause.name == **name);
        options.allow_causes.extend(ignored.iter().filter(is_cause));
        FileConfig {
            options,
            rules: self.file.rules(&relative, self.reference.as_ref()),
            ignored,
            expired,
        }
    }
}

impl FileConfig {
    /// Removes ignored findings, and marks those whose exception has expired.
    pub(super) fn apply(&self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| !self.ignored.contains(&finding.kind.code()));
        for finding in findings {
            let expired = self.expired.iter().find(|(code, _)| *code == finding.kind.code());
            if let Some((_, day)) = expired {
                finding.message.push_str(&format!(" (ignored until {day}, which is over)"));
            }
        }
    }

    /// Identifies everything in these settings that the reported findings of a file depend on.
    pub(super) fn key(&self) -> String {
        // Causes are filtered when they are printed.
        let ValidateOptions { rules, allow, .. } = &self.options;
        let Self { ignored, expired, .. } = self;
        format!("{rules:?} {allow:?} {ignored:?} {expired:?}")
    }

    /// Identifies the rules of the project in a cache.
    pub(super) fn rules_key(&self) -> String {
        if self.rules.is_empty() {
            return String::new();
        }
        let ProjectRules { budget, names, skeleton } = &self.rules;
        let skeleton = skeleton.as_ref().map(|rule| (&rule.model.skeleton, rule.tolerance));
        rigscope_io::files::hash(format!("{budget:?} {names:?} {skeleton:?}").as_bytes())
    }
}

/// The settings for many files; each `rigscope.toml` is read once.
#[derive(Debug)]
pub(super) struct Configs {
    /// For all files.
    named: Option<Arc<Config>>,
    by_folder: HashMap<PathBuf, Arc<Config>>,
    with_reference: bool,
    /// Each file that is read is added.
    inputs: Inputs,
}

impl Configs {
    /// The settings in the file `named`, otherwise in the nearest `rigscope.toml`.
    pub(super) fn new(named: Option<&Path>, inputs: &Inputs) -> anyhow::Result<Self> {
        Self::with(named, inputs, true)
    }

    /// The same for commands that check nothing, without the reference skeleton.
    pub(super) fn of_files(named: Option<&Path>, inputs: &Inputs) -> anyhow::Result<Self> {
        Self::with(named, inputs, false)
    }

    /// The defaults for all files, whether or not there is a `rigscope.toml`.
    pub(super) fn none(inputs: &Inputs) -> Self {
        let (named, inputs) = (Some(Arc::default()), inputs.clone());
        Self { named, by_folder: HashMap::new(), with_reference: false, inputs }
    }

    fn with(named: Option<&Path>, inputs: &Inputs, with_reference: bool) -> anyhow::Result<Self> {
        let named = named.map(|path| Config::read(path, inputs, with_reference)).transpose()?;
        let named = named.map(Arc::new);
        Ok(Self { named, by_folder: HashMap::new(), with_reference, inputs: inputs.clone() })
    }

    /// The settings for the file at `path`; the defaults if there is no `rigscope.toml`.
    pub(super) fn of(&mut self, path: &Path) -> anyhow::Result<Arc<Config>> {
        if let Some(named) = &self.named {
            return Ok(Arc::clone(named));
        }
        let Ok(absolute) = std::path::absolute(path) else { return Ok(Arc::default()) };
        let mut passed = Vec::new();
        let mut config = Arc::default();
        for folder in absolute.ancestors().skip(1) {
            if let Some(known) = self.by_folder.get(folder) {
                config = Arc::clone(known);
                break;
            }
            passed.push(folder.to_owned());
            let file = folder.join(NAME);
            match std::fs::metadata(&file) {
                Ok(metadata) if metadata.is_file() => {
                    config = Arc::new(Config::read(&file, &self.inputs, self.with_reference)?);
                    break;
                }
                Err(error) if error.kind() == ErrorKind::PermissionDenied => break,
                _ => {}
            }
        }
        for folder in passed {
            self.by_folder.insert(folder, Arc::clone(&config));
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests;
