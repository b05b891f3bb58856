//! The files of a baseline as they were, if a Git repository still has them.

use std::path::Path;
use std::sync::Arc;

use super::Staged;
use crate::input;
use crate::text::counted;
use rigscope_core::compare::{Comparison, DiffOptions, compare};
use rigscope_core::model::{Report, VertexAt, VertexNumbers, numbers};
use rigscope_io::OpenOptions;
use rigscope_io::baseline::{Entry, ShapeChange};
use rigscope_io::files::{catch_panic, hash};
use rigscope_io::history::{Repository, file_at};
use rigscope_io::open::{Document, Opener};

/// Finds the earlier versions of files.
pub(crate) struct EarlierFiles {
    repository: Arc<Repository>,
    /// The commits that may have them: the last change of the baseline, and the last commit.
    commits: Vec<String>,
    opener: Opener,
}

/// A file before and now.
pub(crate) struct Pair {
    pub(crate) before: Document,
    pub(crate) after: Document,
    pub(crate) comparison: Comparison,
}

impl EarlierFiles {
    /// `None` if the baseline isn't in a Git repository.
    pub(crate) fn of(
        baseline: &Path,
        options: &OpenOptions,
        staged: Option<&Staged>,
    ) -> Option<Self> {
        let opener = input::opener(options).ok()?.with_images();
        let opener = match staged {
            Some(staged) => staged.opener(opener),
            None => opener,
        };
        let repository = Repository::of(baseline, opener.limit_bytes()).ok()?;
        let own = repository.relative(baseline)?;
        let last_change = repository.revisions(&own).ok().and_then(|list| list.into_iter().next());
        let commits = last_change.map(|revision| revision.id).into_iter();
        let commits = commits.chain(repository.commit("HEAD").ok()).collect();
        Some(Self { repository: Arc::new(repository), commits, opener })
    }

    /// The file at `path` before and now, if the repository has the content of `entry`. `old_path` is where it was.
    pub(crate) fn pair(&self, path: &Path, old_path: &Path, entry: &Entry) -> Option<Pair> {
        let own = self.repository.relative(old_path)?;
        let is_it = |commit: &&String| {
            let content = self.repository.content(commit, &own).ok().flatten();
            content.is_some_and(|bytes| hash(&bytes).starts_with(&entry.hash))
        };
        let commit = self.commits.iter().find(is_it)?;
        let read = || {
            let file = file_at(&self.opener, &self.repository, commit, &own).ok()?;
            let before = self.opener.read(&file, &Report::new()).ok()?;
            let after = self.opener.open(path, &Report::new()).ok()?;
            let options = DiffOptions::default();
            let compared = compare(&before.model, &after.model, &options, &Report::new());
            let comparison = compared.ok()?;
            Some(Pair { before, after, comparison })
        };
        catch_panic("comparing", read).ok().flatten()
    }
}

impl Pair {
    /// The largest distance of a vertex, with its place; `None` if no vertex moved.
    pub(crate) fn farthest(&self) -> Option<ShapeChange> {
        let comparison = &self.comparison;
        let size = comparison.extent.max(f64::MIN_POSITIVE);
        let unmatched = comparison.unmatched_distance();
        if unmatched.is_some() && comparison.max_distance() == unmatched {
            return Some(self.farthest_unmatched(unmatched? / size));
        }
        let farthest = comparison.farthest?;
        let share = numbers::up_to_percent(farthest.distance / size);
        let place = farthest.place_text(&self.before.model);
        let clip = farthest.clip.map(|clip| self.before.model.clip(clip).name.clone());
        Some(ShapeChange {
            message: format!("vertices moved by {share} of the size: {place}"),
            of_size: Some(farthest.distance / size),
            time_secs: clip.as_ref().map(|_| farthest.time_secs),
            clip,
            place: self.position(farthest.made),
            is_distance: true,
        })
    }

    fn farthest_unmatched(&self, of_size: f64) -> ShapeChange {
        let matching = &self.comparison.matching;
        let num = counted(matching.num_unmatched_b as u64, "vertex");
        let share = numbers::percent(of_size);
        let vertex = matching.a_of_b.iter().position(Option::is_none);
        let vertex = vertex.map(|number| VertexNumbers::of(&self.after.model).at(number));
        ShapeChange {
            message: format!("{num} moved too far to be matched, by {share} of the size or more"),
            of_size: Some(of_size),
            clip: None,
            time_secs: None,
            place: vertex.and_then(|at| self.position(at)),
            is_distance: true,
        }
    }

    fn position(&self, at: VertexAt) -> Option<[f64; 3]> {
        let model = &self.after.model;
        let position = model.meshes.get(at.mesh)?.position(at.vertex.index())?;
        let position = model.axes.display_from_file().transform_point3(position);
        Some(position.as_dvec3().to_array())
    }
}
