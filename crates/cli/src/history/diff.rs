//! `diff --git`: all model files that changed between revisions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::diff::{Diff, DiffArgs, as_json, text};
use crate::exit::{Exit, at_path};
use crate::output::Output;
use crate::text::plain;
use crate::{input, timings};
use rigscope_core::compare::compare;
use rigscope_core::model::{Cancelled, Severity};
use rigscope_io::files::is_below;
use rigscope_io::formats::{PROBE_WINDOW_BYTES, is_model_file};
use rigscope_io::history::{ChangedFile, Repository, RevisionError, RevisionRange, file_at};
use rigscope_io::open::{Document, Opener};

/// A file of `diff --git --json`.
#[derive(Debug, Serialize)]
struct JsonFile {
    file: String,
    /// The old path of a renamed file; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed_from: Option<String>,
    state: &'static str,
    /// Null unless both sides can be read.
    diff: Option<Diff>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Json {
    schema: &'static str,
    equal: bool,
    files: Vec<JsonFile>,
}

/// `diff`, of two files or, with `--git`, of revisions.
pub(crate) fn diff_or_git(args: &DiffArgs, output: &Output) -> anyhow::Result<Exit> {
    match &args.git {
        Some(range) => diff_revisions(args, range, output),
        None => crate::diff::run(args, output),
    }
}

fn diff_revisions(args: &DiffArgs, range: &RevisionRange, output: &Output) -> anyhow::Result<Exit> {
    let start = args.files.first().map_or(Path::new("."), PathBuf::as_path);
    let opener = input::opener(&args.input.0)?;
    let repository =
        Repository::of(start, opener.limit_bytes()).map_err(|error| at_path(error, start))?;
    let repository = Arc::new(repository);
    let commit = |name: &str| repository.commit(name).map_err(anyhow::Error::new);
    let sides = Sides {
        old: commit(&range.old)?,
        new: range.new.as_deref().map(commit).transpose()?,
        repository: Arc::clone(&repository),
        opener,
    };
    let scopes: Option<Vec<String>> =
        args.files.iter().map(|path| repository.relative(path)).collect();
    let scopes =
        scopes.ok_or_else(|| anyhow::anyhow!("all paths must be in the same repository"))?;
    let is_wanted = |file: &str| {
        let is_in_scope = scopes.is_empty() || scopes.iter().any(|scope| is_below(file, scope));
        is_in_scope && sides.is_model(file)
    };
    let changed = repository.changed(&sides.old, sides.new.as_deref(), &is_wanted)?;
    let mut files = Vec::new();
    let mut exit = Exit::Done;
    for ChangedFile { path, renamed_from } in changed {
        output.progress(|| format!("comparing {path}"));
        let old_path = renamed_from.as_deref().unwrap_or(&path);
        let compared = sides.compare(old_path, &path, args, output)?;
        output.clear_progress();
        if compared.error.is_some() {
            exit = Exit::BadInput;
        } else if exit == Exit::Done && !compared.is_equal {
            exit = Exit::Findings;
        }
        if !args.json {
            let from = renamed_from
                .as_deref()
                .map_or_else(String::new, |from| format!(" (renamed from {})", plain(from)));
            output.print_text(format!("{}{from}: {}", plain(&path), compared.text))?;
        }
        files.push(JsonFile {
            file: path,
            renamed_from,
            state: compared.state,
            diff: compared.json,
            error: compared.error,
        });
    }
    if args.json {
        let equal = exit == Exit::Done;
        output.print_json(&Json { schema: "rigscope.diff-git/1", equal, files })?;
    } else if files.is_empty() {
        output.report(Severity::Info, "no model file has changed");
    }
    Ok(exit)
}

struct Sides {
    old: String,
    new: Option<String>,
    repository: Arc<Repository>,
    opener: Opener,
}

struct Compared {
    state: &'static str,
    is_equal: bool,
    text: String,
    json: Option<Diff>,
    error: Option<String>,
}

impl Sides {
    /// Whether either side is a file of a readable format.
    fn is_model(&self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        let front = || {
            let mut bytes = match &self.new {
                Some(new) => self.repository.content(new, file).ok().flatten(),
                None => self.repository.front_on_disk(file, PROBE_WINDOW_BYTES as u64),
            };
            if bytes.is_none() {
                bytes = self.repository.content(&self.old, file).ok().flatten();
            }
            let mut bytes = bytes?;
            bytes.truncate(PROBE_WINDOW_BYTES);
            Some(bytes)
        };
        is_model_file(name, front)
    }

    fn old_version(&self, file: &str) -> Result<Document, RevisionError> {
        self.read(&self.old, file)
    }

    fn new_version(&self, file: &str) -> Result<Document, RevisionError> {
        match &self.new {
            Some(commit) => self.read(commit, file),
            None => {
                let path = self.repository.on_disk(file)?.ok_or(RevisionError::NoFile)?;
                Ok(input::open(&self.opener, &path, &timings::report())?)
            }
        }
    }

    fn read(&self, commit: &str, file: &str) -> Result<Document, RevisionError> {
        let source = file_at(&self.opener, &self.repository, commit, file)?;
        Ok(self.opener.read(&source, &timings::report())?)
    }

    fn compare(
        &self,
        old_path: &str,
        path: &str,
        args: &DiffArgs,
        output: &Output,
    ) -> anyhow::Result<Compared> {
        let state = |state: &'static str| Compared {
            state,
            is_equal: false,
            text: format!("{state}\n"),
            json: None,
            error: None,
        };
        let failed = |which: &str, error: RevisionError| Compared {
            text: format!("the {which} version can't be read: {}\n", plain(&error.to_string())),
            error: Some(error.to_string()),
            ..state("changed")
        };
        let (old, new) = match (self.old_version(old_path), self.new_version(path)) {
            (Err(RevisionError::NoFile), _) => return Ok(state("added")),
            (_, Err(RevisionError::NoFile)) => return Ok(state("removed")),
            (Err(error), _) => return Ok(failed("old", error)),
            (_, Err(error)) => return Ok(failed("new", error)),
            (Ok(old), Ok(new)) => (old, new),
        };
        timings::at("comparing");
        let options = &args.compare.0;
        let comparison = compare(&old.model, &new.model, options, &timings::report());
        let comparison = comparison.map_err(|Cancelled| anyhow::anyhow!("cancelled"))?;
        Ok(Compared {
            state: if old_path == path { "changed" } else { "renamed" },
            is_equal: comparison.is_equal(),
            text: text::of(&comparison, options, output.paint()),
            json: Some(as_json(&comparison)),
            error: None,
        })
    }
}
