//! A file or folder of a repository, and a file at one revision.

use std::path::Path;
use std::sync::Arc;

use crate::exit::at_path;
use crate::{input, timings};
use rigscope_core::compare::{DiffOptions, compare};
use rigscope_core::model::{Finding, Model, Report};
use rigscope_core::signature::Tolerance;
use rigscope_core::validate::validate;
use rigscope_io::OpenOptions;
use rigscope_io::baseline::Entry;
use rigscope_io::files::{catch_panic, hash, is_below};
use rigscope_io::formats::{PROBE_WINDOW_BYTES, is_model_file};
use rigscope_io::history::{Repository, Revision, RevisionError, file_at, revisions_with_related};
use rigscope_io::open::{Document, Opener};

/// A file or a folder in a repository.
pub(super) struct History {
    pub(super) repository: Arc<Repository>,
    opener: Opener,
    /// Relative to the repository, with `/`; empty for all of it.
    own: String,
}

/// A file as of one revision.
pub(super) struct Version {
    pub(super) document: Document,
    pub(super) entry: Entry,
    /// Of the reader and the rules.
    pub(super) findings: Vec<Finding>,
}

impl History {
    pub(super) fn of(path: &Path, options: &OpenOptions) -> anyhow::Result<Self> {
        let opener = input::opener(options)?;
        let repository =
            Repository::of(path, opener.limit_bytes()).map_err(|e| at_path(e, path))?;
        let own = repository.relative(path);
        let own = own.ok_or_else(|| at_path("the file isn't in this repository", path))?;
        Ok(Self { repository: Arc::new(repository), opener, own })
    }

    /// The model files below the folder as of the last commit; `None` if it isn't a folder.
    pub(super) fn files_of_folder(&self) -> Option<Vec<String>> {
        let head = self.repository.commit("HEAD").ok()?;
        let files = self.repository.files(&head, &self.own).ok()?;
        let is_inside = |file: &String| *file != self.own && is_below(file, &self.own);
        let front = |file: &str| {
            let mut bytes = self.repository.content(&head, file).ok().flatten()?;
            bytes.truncate(PROBE_WINDOW_BYTES);
            Some(bytes)
        };
        files.iter().any(is_inside).then(|| {
            let is_model = |file: &String| {
                let name = file.rsplit('/').next().unwrap_or(file);
                is_inside(file) && is_model_file(name, || front(file))
            };
            files.into_iter().filter(is_model).collect()
        })
    }

    /// The revisions of the file, newest first.
    pub(super) fn revisions(&self) -> anyhow::Result<Vec<Revision>> {
        self.revisions_of(&self.own)
    }

    /// The revisions of the file at `path`, relative to the repository, newest first.
    pub(super) fn revisions_of(&self, path: &str) -> anyhow::Result<Vec<Revision>> {
        let at = |error: &dyn std::fmt::Display| at_path(error, Path::new(path));
        let revisions = revisions_with_related(&self.opener, &self.repository, path);
        let revisions = revisions.map_err(|error| at(&error))?;
        if revisions.is_empty() {
            return Err(at(&"no revision has this file; has it been committed?"));
        }
        Ok(revisions)
    }

    /// Reads and validates a file as of a revision.
    pub(super) fn read(&self, revision: &Revision) -> Result<Version, RevisionError> {
        let _work = timings::begin("reading");
        read(&self.opener, &self.repository, &revision.id, &revision.path)
    }
}

/// Reads and validates a file in a commit.
pub(super) fn read(
    opener: &Opener,
    repository: &Arc<Repository>,
    commit: &str,
    path: &str,
) -> Result<Version, RevisionError> {
    let file = file_at(opener, repository, commit, path)?;
    let report = timings::report();
    let document = opener.read(&file, &report)?;
    let of_rules = Report::new();
    // Rules should never panic; if one does, its findings are missing here.
    let _ = catch_panic("checking", || validate(&document.model, &of_rules));
    let findings = document.findings(&of_rules);
    let hash = hash(path.as_bytes());
    let entry = Entry::of(&document, hash, &findings, &report).unwrap_or_default();
    Ok(Version { document, entry, findings })
}

/// How far a model moved.
#[derive(Clone, Debug, Default)]
pub(super) struct Distance {
    /// In units of the first model's size.
    pub(super) of_size: f64,
    /// Where and when, for people; may be empty.
    pub(super) place: String,
}

/// The largest distance between the vertices of two versions, in any clip.
pub(super) fn moved(a: &Version, b: &Version) -> Distance {
    let _work = timings::begin("comparing");
    let is_equal = match (a.entry.signature(), b.entry.signature()) {
        (Some(old), Some(new)) => old.changes(&new, Tolerance::SameFormat).is_empty(),
        _ => false,
    };
    if is_equal {
        return Distance::default();
    }
    distance(&a.document.model, &b.document.model).unwrap_or_default()
}

fn distance(a: &Model, b: &Model) -> Option<Distance> {
    let options = DiffOptions::default();
    let compared = catch_panic("comparing", || compare(a, b, &options, &Report::new()));
    let comparison = compared.ok()?.ok()?;
    let distance = comparison.max_distance()?;
    let farthest = comparison.farthest.filter(|farthest| farthest.distance >= distance);
    let place = farthest.map_or_else(String::new, |farthest| farthest.place_text(a));
    Some(Distance { of_size: distance / comparison.extent.max(f64::MIN_POSITIVE), place })
}
