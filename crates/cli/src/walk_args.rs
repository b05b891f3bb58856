//! Which entries of folders are searched: `--no-ignore`, `--include`, `--exclude`, and `[files]` of `rigscope.toml`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::output::Output;
use rigscope_core::model::Severity;

/// Options of commands that search folders.
#[derive(Clone, Debug, Default, Args)]
pub struct WalkArgs {
    /// Also search hidden files and folders, and those that .gitignore and .ignore files exclude
    #[arg(long, help_heading = "Folder options")]
    pub no_ignore: bool,
    /// Only find files in folders that match this pattern, as in .gitignore; may be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Folder options")]
    pub include: Vec<String>,
    /// Don't find files or search folders that match this pattern, as in .gitignore; may be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Folder options")]
    pub exclude: Vec<String>,
}

/// `[files]` of a `rigscope.toml`.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkSettings {
    pub(super) no_ignore: bool,
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
}

/// Why an entry of a folder isn't searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skip {
    /// Its name begins with a dot.
    Hidden,
    /// A `.gitignore`, `.ignore` or `.git/info/exclude` names it.
    Ignored,
    /// `--exclude` names it, or `--include` doesn't.
    Excluded,
}

/// The rules for searching a folder.
#[derive(Debug)]
pub(super) struct WalkRules {
    skips_ignored: bool,
    exclude: Vec<Gitignore>,
    /// Of which one must match; all files without any.
    include: Option<Gitignore>,
}

impl WalkRules {
    /// The options, and the settings of a `rigscope.toml` in `folder`. `--include` replaces the list in the file.
    pub(super) fn new(
        args: &WalkArgs,
        settings: &WalkSettings,
        folder: &Path,
    ) -> anyhow::Result<Self> {
        let here = std::env::current_dir().unwrap_or_default();
        let patterns = |list: &[String], root: &Path| {
            (!list.is_empty()).then(|| matcher(list, root)).transpose()
        };
        let of_file = |list: &[String]| patterns(list, folder);
        let exclude = [patterns(&args.exclude, &here)?, of_file(&settings.exclude)?];
        let include = match patterns(&args.include, &here)? {
            Some(include) => Some(include),
            None => of_file(&settings.include)?,
        };
        Ok(Self {
            skips_ignored: !(args.no_ignore || settings.no_ignore),
            exclude: exclude.into_iter().flatten().collect(),
            include,
        })
    }

    /// The names of the entries of a folder that ignore files don't exclude; `None` for all.
    pub(super) fn kept(&self, folder: &Path) -> Option<Vec<OsString>> {
        if !self.skips_ignored {
            return None;
        }
        // Hidden entries are counted separately.
        let walk = WalkBuilder::new(folder).max_depth(Some(1)).hidden(false).build();
        let entries = walk.filter_map(Result::ok).filter(|entry| entry.depth() == 1);
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_owned()).collect();
        names.sort_unstable();
        Some(names)
    }

    /// Whether an entry is skipped; `kept` is the result of [`Self::kept`] for its folder.
    pub(super) fn skip(
        &self,
        path: &Path,
        is_folder: bool,
        kept: Option<&[OsString]>,
    ) -> Option<Skip> {
        let name = path.file_name().unwrap_or_default();
        if let Some(kept) = kept {
            if name.as_encoded_bytes().starts_with(b".") {
                return Some(Skip::Hidden);
            }
            if kept.binary_search_by(|other| other.as_os_str().cmp(name)).is_err() {
                return Some(Skip::Ignored);
            }
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let is_excluded = |list: &Gitignore| list.matched(&path, is_folder).is_ignore();
        let is_included = |list: &Gitignore| {
            path.ancestors()
                .enumerate()
                .any(|(depth, own)| list.matched(own, depth > 0).is_ignore())
        };
        let is_out = self.exclude.iter().any(is_excluded)
            || !is_folder && self.include.as_ref().is_some_and(|list| !is_included(list));
        is_out.then_some(Skip::Excluded)
    }
}

/// Checks a pattern.
pub(super) fn check_pattern(pattern: &str) -> Result<(), String> {
    let text = |error: ignore::Error| match error {
        ignore::Error::Glob { err, .. } => err,
        other => other.to_string(),
    };
    let checked = GitignoreBuilder::new("").add_line(None, pattern).map(|_| ()).map_err(text);
    checked.map_err(|why| format!("{pattern:?} isn't a pattern: {why}"))
}

fn matcher(patterns: &[String], root: &Path) -> anyhow::Result<Gitignore> {
    let mut builder = GitignoreBuilder::new(root);
    for pattern in patterns {
        check_pattern(pattern).map_err(anyhow::Error::msg)?;
        builder.add_line(None, pattern)?;
    }
    Ok(builder.build()?)
}

/// The entries that a search skipped.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Skipped {
    hidden: Vec<PathBuf>,
    ignored: Vec<PathBuf>,
    num_excluded: usize,
}

impl Skipped {
    pub(super) fn add(&mut self, why: Skip, path: &Path) {
        match why {
            // Nothing in it is a model, and every repository has one.
            Skip::Hidden if path.ends_with(".git") => {}
            Skip::Hidden => self.hidden.push(path.to_owned()),
            Skip::Ignored => self.ignored.push(path.to_owned()),
            Skip::Excluded => self.num_excluded += 1,
        }
    }

    /// Prints how many files and folders were skipped.
    pub(super) fn announce(&self, output: &Output) {
        if let Some(text) = self.text() {
            output.report(Severity::Info, &text);
        }
    }

    /// How many entries were skipped, and why; `None` without any.
    pub(super) fn text(&self) -> Option<String> {
        let example = |paths: &[PathBuf]| {
            let first = paths.iter().min();
            first.map_or_else(String::new, |path| super::text::path(path))
        };
        let part = |paths: &[PathBuf], how: &str| {
            let more = if paths.len() > 1 { " and others" } else { "" };
            (!paths.is_empty()).then(|| format!("{} {how} ({}{more})", paths.len(), example(paths)))
        };
        let parts = [
            part(&self.hidden, "hidden"),
            part(&self.ignored, "excluded by .gitignore or .ignore files"),
        ];
        let mut parts: Vec<String> = parts.into_iter().flatten().collect();
        let hint =
            if parts.is_empty() { "" } else { "; --no-ignore includes hidden and ignored ones" };
        if self.num_excluded > 0 {
            parts.push(format!("{} excluded by patterns", self.num_excluded));
        }
        (!parts.is_empty())
            .then(|| format!("files and folders skipped: {}{hint}", parts.join(", ")))
    }
}
