//! The files of a baseline as they were, if a Git repository still has them.

use std::path::Path;
use std::sync::Arc;

use crate::input;
use crate::text::counted;
use rigscope_core::compare::{Comparison, DiffOptions, compare};
use rigscope_core::model::{BoneId, MeshId, Model, Report, VertexAt, VertexId, numbers};
use rigscope_io::OpenOptions;
use rigscope_io::baseline::{Entry, MovedEntry};
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
    pub(crate) fn of(baseline: &Path, options: &OpenOptions) -> Option<Self> {
        let opener = input::opener(options).ok()?.with_images();
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
    pub(crate) fn farthest(&self) -> Option<MovedEntry> {
        let comparison = &self.comparison;
        let size = comparison.extent.max(f64::MIN_POSITIVE);
        let unmatched = comparison.unmatched_distance();
        if unmatched.is_some() && comparison.max_distance() == unmatched {
            return Some(self.farthest_unmatched(unmatched? / size));
        }
        let worst = comparison.pose_error.as_ref().and_then(|error| error.worst);
        let still = comparison.per_vertex_position.iter().enumerate();
        let still = still.filter(|(_, distance)| distance.is_finite());
        let still = still.max_by(|a, b| a.1.total_cmp(b.1));
        let (distance, at, clip, time_secs) = match (worst, still) {
            (Some(worst), still)
                if still.is_none_or(|(_, own)| worst.distance > f64::from(*own)) =>
            {
                let clip = worst.clips.1.and_then(|clip| self.after.model.clips.get(clip.index()));
                (worst.distance, worst.b, clip.map(|clip| clip.name.clone()), Some(worst.time_secs))
            }
            (_, Some((number, distance))) => {
                (f64::from(*distance), vertex_of(&self.after.model, number)?, None, None)
            }
            (_, None) => return None,
        };
        if distance <= 0.0 {
            return None;
        }
        let share = numbers::up_to_percent(distance / size);
        let when = clip.as_ref().zip(time_secs).map_or_else(String::new, |(clip, secs)| {
            format!(" in clip \"{clip}\" at {}", numbers::seconds(secs))
        });
        let bone = bone_of(&self.after.model, at);
        let bone = bone.map_or_else(String::new, |bone| {
            format!(" (bone {:?})", self.after.model.skeleton.display_name(bone))
        });
        let (mesh, vertex) = (at.mesh.index(), at.vertex.index());
        let place = format!("vertex {vertex} of mesh {mesh}{bone}");
        Some(MovedEntry {
            message: format!("vertices moved by {share} of the size: {place}{when}"),
            of_size: Some(distance / size),
            clip,
            time_secs,
            place: self.position(at),
            is_distance: true,
        })
    }

    fn farthest_unmatched(&self, of_size: f64) -> MovedEntry {
        let matching = &self.comparison.matching;
        let num = counted(matching.num_unmatched_b as u64, "vertex");
        let share = numbers::percent(of_size);
        let vertex = matching.a_of_b.iter().position(Option::is_none);
        let vertex = vertex.and_then(|number| vertex_of(&self.after.model, number));
        MovedEntry {
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
        let position = model.meshes.get(at.mesh.index())?.position(at.vertex.index())?;
        let position = model.axes.display_from_file().transform_point3(position);
        Some(position.as_dvec3().to_array())
    }
}

/// The vertex with this number over all meshes.
fn vertex_of(model: &Model, number: usize) -> Option<VertexAt> {
    let mut rest = number;
    for (mesh, own) in (0u32..).zip(&model.meshes) {
        if rest < own.num_vertices() {
            let vertex = u32::try_from(rest).ok()?;
            return Some(VertexAt { mesh: MeshId(mesh), vertex: VertexId(vertex) });
        }
        rest -= own.num_vertices();
    }
    None
}

/// The bone with the largest weight at a vertex.
fn bone_of(model: &Model, at: VertexAt) -> Option<BoneId> {
    let mut largest: Option<(BoneId, f32)> = None;
    model.meshes.get(at.mesh.index())?.for_each_influence(at.vertex.index(), |bone, weight| {
        if largest.is_none_or(|(_, most)| weight > most) {
            largest = Some((bone, weight));
        }
    });
    largest.map(|(bone, _)| bone)
}
