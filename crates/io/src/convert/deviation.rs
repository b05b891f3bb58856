//! Deviations of the files read back from the model that was converted.
//!
//! Vertices are paired by the origins that the writer and the steps before it report, never by distance.

use super::ConvertError;
use super::prepare::Prepared;
use crate::formats::OutputFile;
use rigscope_core::compare::bone_of_source;
use rigscope_core::measure::{
    self, Deviation, FarthestVertex, Job, MeasureOptions, MeasuredPart, PairValues, Side,
};
use rigscope_core::model::{
    BoneId, BoneTrack, Clip, ClipId, DefaultPose, IdVec, Interpolation, Mesh, MeshOrigins, Model,
    Motion, Origins, Report,
};
use rigscope_core::pose::{PoseBudget, Sampling};

/// Progress of a conversion when its files have been read back.
const READ_BACK: f32 = 0.6;

/// Deviations of the files read back from the model. `None` if there was nothing to compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConversionDeviation {
    /// The largest distance of a vertex in the default pose, in display units.
    pub position: Option<f64>,
    /// The largest distance over all clips, at keys and between them, each side played as its format's
    /// runtime does. A clip that isn't written counts with its whole motion.
    pub skinned: Option<f64>,
    /// The largest distance at the keys of the written clips: runtimes that hold keys deviate between them by
    /// the motion in between.
    pub at_keys: Option<f64>,
    /// The largest distance as a fraction of the size: over all clips, or in the default pose without clips.
    pub of_extent: Option<f64>,
    /// The same fraction at keys.
    pub of_extent_at_keys: Option<f64>,
    /// The size of the input in its default pose (the diagonal of its box), in display units.
    pub extent: f64,
    /// The largest angle between normals, in degrees.
    pub normal_deg: Option<f64>,
    /// Whether the runtimes of both formats transform normals by different rules, so that normals can deviate
    /// although positions don't.
    pub normal_rules_differ: bool,
    /// The largest difference of u or v, ignoring whole tiles.
    pub uv: Option<f64>,
    /// The largest difference of a weight.
    pub weight: Option<f64>,
    /// Vertices of the source that weren't written.
    pub num_unmatched: usize,
    /// Clips that weren't compared, and keys of the others, because the source has too many for its vertices.
    pub num_clips_left_out: usize,
    pub num_keys_left_out: usize,
    /// The place of `skinned`.
    pub worst: Option<WorstPlace>,
    /// How both runtimes play the clip of `worst` between its keys; `None` if it isn't written.
    pub between_keys: Option<BetweenKeys>,
}

/// How the runtimes of both formats play a clip between two keys: they hold the earlier key, or blend both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BetweenKeys {
    /// Whether the runtime of the source holds the earlier key.
    pub source_holds: bool,
    /// Whether the runtime of the output does.
    pub written_holds: bool,
}

/// The largest deviation with its place in words.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstPlace {
    pub farthest: FarthestVertex,
    /// [`FarthestVertex::place_text`] in the input.
    pub text: String,
    /// The name of the clip.
    pub clip: String,
}

impl WorstPlace {
    fn of(basis: &Model, farthest: FarthestVertex) -> Self {
        let clip = farthest.clip.map(|id| basis.clip(id).name.clone());
        Self { farthest, text: farthest.place_text(basis), clip: clip.unwrap_or_default() }
    }

    /// Whether the clip wasn't written.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.farthest.made_clip.is_none()
    }
}

impl ConversionDeviation {
    /// The largest distance as a fraction of the size.
    pub fn of_extent(&self) -> Option<f64> {
        self.of_extent
    }
}

/// Compares the `models` that were read back from `files` with their source.
pub(super) fn deviation(
    prepared: &Prepared,
    files: &[(String, OutputFile)],
    models: &[Model],
    report: &Report,
) -> Result<ConversionDeviation, ConvertError> {
    let alone = files.iter().filter(|(_, file)| !file.is_related_file);
    let origins: Vec<Origins> = (alone.zip(models))
        .map(|((_, file), model)| origins(prepared, &file.origins, model))
        .collect();
    if models.iter().all(|model| model.num_vertices() == 0) {
        // Reported as a loss instead.
        return Ok(ConversionDeviation::default());
    }
    let basis = &prepared.basis;
    let parts = models
        .iter()
        .zip(&origins)
        .map(|(model, origins)| MeasuredPart { made: Side::new(model), origins: &origins.meshes });
    let made_of = made_of(basis, models, &origins);
    let job = Job {
        source: Side::new(basis),
        parts: parts.collect(),
        clips: Job::clips_of(basis, |id| made_of.get(id.index()).copied().flatten()),
    };
    report.progress("comparing", READ_BACK)?;
    let wants = MeasureOptions { done_before: READ_BACK, ..MeasureOptions::default() };
    let measured = measure::measure(&job, wants, report)?;
    let (source, made) = default_poses(&job);
    let still = measure::measure_pose(&job, &source, &made);
    let has_clips = !basis.clips.is_empty();
    let of_still = still.max.filter(|_| still.extent > 0.0).map(|max| max / still.extent);
    let any = measured.worst.is_some();
    let at_keys = at_keys(&job, &measured, wants, report)?;
    Ok(ConversionDeviation {
        position: still.max,
        skinned: measured.worst.filter(|_| has_clips).map(|worst| worst.distance),
        at_keys: at_keys.map(|(distance, _)| distance),
        of_extent: if has_clips { any.then_some(measured.max_of_extent) } else { of_still },
        of_extent_at_keys: at_keys.map(|(_, of_extent)| of_extent),
        extent: measured.extent,
        normal_deg: normals(&job, report)?,
        normal_rules_differ: models.iter().any(|m| m.normal_matrix != basis.normal_matrix),
        uv: largest(&measure::uvs(&job)),
        weight: largest(&weights(&job, basis, models, &origins)),
        num_unmatched: job.num_unpaired().source,
        num_clips_left_out: measured.num_clips_left_out,
        num_keys_left_out: measured.num_keys_left_out,
        worst: measured.worst.filter(|_| has_clips).map(|worst| WorstPlace::of(basis, worst)),
        between_keys: measured.worst.and_then(|worst| between_keys(basis, models, &worst)),
    })
}

/// The largest distance at keys of written clips, and the largest as a fraction of the size.
fn at_keys(
    job: &Job<'_>,
    measured: &Deviation,
    wants: MeasureOptions,
    report: &Report,
) -> Result<Option<(f64, f64)>, ConvertError> {
    let values =
        |of: &Deviation| of.at_keys.map(|worst| (worst.distance, of.max_of_extent_at_keys));
    if job.clips.iter().all(|clip| clip.made.is_some()) {
        return Ok(values(measured));
    }
    let written = job.clips.iter().filter(|clip| clip.made.is_some() && clip.source.is_some());
    let clips: Vec<_> = written.copied().collect();
    if clips.is_empty() {
        return Ok(None);
    }
    let written = Job { clips, ..job.clone() };
    Ok(values(&measure::measure(&written, wants, &report.quiet())?))
}

fn between_keys(basis: &Model, models: &[Model], worst: &FarthestVertex) -> Option<BetweenKeys> {
    let written = models.first()?.clips.get(worst.made_clip?)?;
    Some(BetweenKeys {
        source_holds: holds_keys(basis.clip(worst.clip?)),
        written_holds: holds_keys(written),
    })
}

/// Whether runtimes show the earlier of two keys at all times between them.
pub(super) fn holds_keys(clip: &Clip) -> bool {
    if Sampling::Runtime.in_clip(clip) == Sampling::Step {
        return true;
    }
    let Motion::Tracks(tracks) = &clip.motion else { return false };
    let mut kinds = tracks.iter().flat_map(BoneTrack::interpolations).peekable();
    kinds.peek().is_some() && kinds.all(|kind| kind == Interpolation::Step)
}

fn num_vertices(model: &Model) -> Vec<usize> {
    model.meshes.iter().map(Mesh::num_vertices).collect()
}

/// Origins in the source of the vertices that were read back. Empty for meshes whose number of
/// vertices has changed.
fn origins(prepared: &Prepared, written: &Origins, model: &Model) -> Origins {
    let num = num_vertices(&prepared.model);
    let fits = |(origins, mesh): (&MeshOrigins, &Mesh)| {
        let wanted = match origins {
            MeshOrigins::Same(id) => num.get(id.index()).copied(),
            MeshOrigins::Of(_, sources) => Some(sources.len()),
            MeshOrigins::Listed(list) => {
                let last = list.iter().map(|(made, _)| *made as usize + 1).max();
                Some(last.unwrap_or(0))
            }
        };
        if wanted == Some(mesh.num_vertices()) {
            origins.clone()
        } else {
            MeshOrigins::Listed(Vec::new())
        }
    };
    let meshes = written.meshes.iter().zip(&model.meshes).map(fits);
    let has_all = |num: usize, known: usize| num == known;
    let own = Origins {
        meshes: meshes.collect(),
        clips: written.clips.clone().filter(|list| has_all(model.clips.len(), list.len())),
        bones: written.bones.clone().filter(|list| has_all(model.skeleton.len(), list.len())),
    };
    own.after(&num_vertices(model), &prepared.origins, &num)
}

/// The written clip for each clip of the source: as reported by the writer, else by name, then by order.
fn made_of(basis: &Model, models: &[Model], origins: &[Origins]) -> Vec<Option<ClipId>> {
    let mut made_of = vec![None; basis.clips.len()];
    let mut set = |source: ClipId, made: ClipId| {
        if let Some(slot) = made_of.get_mut(source.index()) {
            *slot = Some(made);
        }
    };
    let (Some(model), Some(origins)) = (models.first(), origins.first()) else { return made_of };
    match &origins.clips {
        Some(list) => {
            for (number, source) in list.iter().enumerate() {
                source.iter().for_each(|&id| set(id, ClipId::from_index(number)));
            }
        }
        None => {
            for (source, made) in rigscope_core::model::match_clips(&basis.clips, &model.clips) {
                set(source, made);
            }
        }
    }
    made_of
}

/// The default poses of both sides. If only the written file opens at a key, the source is posed at that key.
fn default_poses(job: &Job<'_>) -> (measure::Pose, Vec<measure::Pose>) {
    let in_key = |model: &Model| model.default_pose == DefaultPose::FirstKey;
    let opens_in_key = job.parts.iter().any(|part| in_key(part.made.model));
    let first = ClipId(0);
    let of_first = job.clips.iter().find(|clip| clip.made == Some(first));
    let source = if opens_in_key && !in_key(job.source.model) {
        of_first.and_then(|clip| clip.source)
    } else {
        None
    };
    let made = job.parts.iter().map(|part| part.made.pose_at(None, 0.0));
    (job.source.pose_at(source, 0.0), made.collect())
}

fn largest(values: &[PairValues]) -> Option<f64> {
    let known = values.iter().flatten().filter(|value| !value.is_nan());
    known.copied().reduce(f32::max).map(f64::from)
}

/// The largest angle at the first, middle and last key of each written clip; in the default pose without clips.
///
/// Between keys, normals deviate for the same reason as positions, which are compared there.
fn normals(job: &Job<'_>, report: &Report) -> Result<Option<f64>, ConvertError> {
    let Some(written) = job.parts.first().map(|part| part.made.model) else { return Ok(None) };
    let mut found: Option<f64> = None;
    let mut is_any = false;
    let budget = PoseBudget::of(job.source.model);
    for (number, clip) in job.clips.iter().enumerate() {
        if budget.moments_of(number, 1) == 0 {
            continue;
        }
        let (Some(source), Some(made)) = (clip.source, clip.made) else { continue };
        let Some(made_clip) = written.clips.get(made) else { continue };
        is_any = true;
        let keys = measure::shared_key_moments(job.source.model.clip(source), made_clip);
        for key in [0, keys.len() / 2, keys.len().saturating_sub(1)] {
            let Some(&(source_secs, made_secs)) = keys.get(key) else { continue };
            report.progress("comparing normals", 1.0)?;
            let posed = job.source.pose_at(Some(source), source_secs);
            let made = job.parts.iter().map(|part| part.made.pose_at(Some(made), made_secs));
            let made: Vec<_> = made.collect();
            let own = largest(&measure::normals(job, &posed, &made));
            found = found.into_iter().chain(own).reduce(f64::max);
        }
    }
    if is_any {
        return Ok(found);
    }
    let (source, made) = default_poses(job);
    Ok(largest(&measure::normals(job, &source, &made)))
}

fn weights(job: &Job<'_>, basis: &Model, models: &[Model], origins: &[Origins]) -> Vec<PairValues> {
    let of_part = |(model, origins): (&Model, &Origins)| -> IdVec<BoneId, Option<BoneId>> {
        match &origins.bones {
            Some(bones) => bones.clone(),
            None => bone_of_source(basis, model, &origins.meshes),
        }
    };
    let bones: Vec<_> = models.iter().zip(origins).map(of_part).collect();
    measure::weights(job, |part, bone| {
        let list = bones.get(part)?;
        // A skin may refer to bones of a skeleton that wasn't found.
        if list.is_empty() { Some(bone) } else { *list.get(bone)? }
    })
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use rigscope_core::model::{Origin, VertexAt};

    /// Deviations that are worst at a vertex in a clip, which may be left out.
    pub(in super::super) fn wave(share: f64, at_keys: f64, is_lost: bool) -> ConversionDeviation {
        let clip = Some(ClipId(0));
        ConversionDeviation {
            position: Some(0.0),
            skinned: Some(share),
            at_keys: (!is_lost).then_some(at_keys),
            of_extent: Some(share),
            of_extent_at_keys: (!is_lost).then_some(at_keys),
            extent: 1.0,
            worst: Some(WorstPlace {
                farthest: FarthestVertex {
                    distance: share,
                    extent: 1.0,
                    part: 0,
                    made: VertexAt::new(0, 7),
                    origin: Origin::Vertex(VertexAt::new(0, 7)),
                    clip,
                    made_clip: clip.filter(|_| !is_lost),
                    time_secs: 1.762,
                    key: None,
                },
                text: "vertex 7 of mesh 0 at 1.762 s of clip 0 \"wave\"".to_owned(),
                clip: "wave".to_owned(),
            }),
            ..ConversionDeviation::default()
        }
    }
}
