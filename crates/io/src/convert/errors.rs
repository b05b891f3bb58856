//! Deviations of the files read back from the model that was converted.
//!
//! Vertices are paired by the origins that the writer and the steps before it report, never by distance.

use super::ConvertError;
use super::prepare::Prepared;
use crate::formats::OutputFile;
use rigscope_core::compare::bone_of_source;
use rigscope_core::measure::{
    self, ClipPair, Deviation, Job, MeasureOptions, MeasuredPart, PairValues, Side, WorstPair,
};
use rigscope_core::model::{
    BoneId, ClipId, DefaultPose, IdVec, Mesh, MeshOrigins, Model, Origins, Report, counted,
};

/// Progress of a conversion when its files have been read back.
const READ_BACK: f32 = 0.6;

/// Deviations of the files read back from the model. `None` if there was nothing to compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// The largest distance of a vertex in the default pose, in display units.
    pub position: Option<f64>,
    /// The largest distance over all clips, at keys and between them, each side played as its format's
    /// runtime does. A clip that isn't written counts with its whole motion.
    pub skinned: Option<f64>,
    /// The largest distance at the keys of the written clips: runtimes that hold keys deviate between them by
    /// the motion in between.
    pub at_keys: Option<f64>,
    /// The largest distance as a fraction of the size at the same moment: over all clips, or in the default
    /// pose without clips.
    pub of_extent: Option<f64>,
    /// The same fraction at keys.
    pub of_extent_at_keys: Option<f64>,
    /// Diagonal of the bounds at the first moment, in display units.
    pub extent: f64,
    /// The largest angle between normals, in degrees.
    pub normal_deg: Option<f64>,
    /// The largest difference of u or v, ignoring whole tiles.
    pub uv: Option<f64>,
    /// The largest difference of a weight.
    pub weight: Option<f64>,
    /// Vertices of the source that weren't written.
    pub num_unmatched: usize,
    /// The place of `skinned`.
    pub worst: Option<WorstPlace>,
}

/// The place and time of the largest deviation.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstPlace {
    /// Index among the source's meshes.
    pub mesh: u32,
    /// The vertex of that mesh.
    pub vertex: u32,
    /// The name of the clip.
    pub clip: String,
    /// Seconds since the beginning of the clip.
    pub time_secs: f64,
    /// Whether the clip was left out.
    pub is_lost: bool,
}

impl Errors {
    /// The largest distance as a fraction of the size.
    pub fn of_extent(&self) -> Option<f64> {
        self.of_extent
    }
}

/// A deviation larger than the one at keys by this factor is reported separately.
const CLEARLY: f64 = 1.5;

impl std::fmt::Display for Errors {
    /// One readable line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        let largest = self.skinned.or(self.position);
        if let (Some(largest), Some(share)) = (largest, self.of_extent) {
            let mut part = if share == 0.0 {
                "positions exact".to_owned()
            } else {
                format!("positions {largest:.3e} ({share:.2e} of the extent)")
            };
            if let Some(worst) = self.worst.as_ref().filter(|_| largest > 0.0) {
                part.push_str(&format!(
                    " at meshes[{}].vertices[{}] in clip {:?} at {:.3} s",
                    worst.mesh, worst.vertex, worst.clip, worst.time_secs
                ));
                if worst.is_lost {
                    part.push_str(", which is not written");
                }
            }
            if let Some(at_keys) = self.of_extent_at_keys.filter(|keys| *keys * CLEARLY < share) {
                part.push_str(&if at_keys == 0.0 {
                    "; exact at keys".to_owned()
                } else {
                    format!("; {at_keys:.2e} of the extent at keys")
                });
            }
            parts.push(part);
        }
        let mut push = |what: &str, value: Option<f64>, unit: &str| {
            parts.extend(value.map(|value| {
                if value == 0.0 {
                    format!("{what} exact")
                } else {
                    format!("{what} {value:.2e}{unit}")
                }
            }));
        };
        push("normals", self.normal_deg, " degrees");
        push("UVs", self.uv, "");
        push("weights", self.weight, "");
        if self.num_unmatched > 0 {
            parts.push(format!("{} not written", counted(self.num_unmatched as u64, "vertex")));
        }
        if parts.is_empty() {
            f.write_str("nothing to compare")
        } else {
            f.write_str(&parts.join(", "))
        }
    }
}

/// Compares the `models` that were read back from `files` with their source.
pub(super) fn errors(
    prepared: &Prepared,
    files: &[(String, OutputFile)],
    models: &[Model],
    report: &Report,
) -> Result<Errors, ConvertError> {
    let alone = files.iter().filter(|(_, file)| !file.is_companion);
    let origins: Vec<Origins> = (alone.zip(models))
        .map(|((_, file), model)| origins(prepared, &file.origins, model))
        .collect();
    if models.iter().all(|model| model.num_vertices() == 0) {
        // Reported as a loss instead.
        return Ok(Errors::default());
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
    Ok(Errors {
        position: still.max,
        skinned: measured.worst.filter(|_| has_clips).map(|worst| worst.distance),
        at_keys: measured.at_keys.filter(|_| has_clips).map(|worst| worst.distance),
        of_extent: if has_clips { any.then_some(measured.max_of_extent) } else { of_still },
        of_extent_at_keys: (has_clips && any).then_some(measured.max_of_extent_at_keys),
        extent: measured.extent,
        normal_deg: normals(&job, &measured),
        uv: largest(&measure::uvs(&job)),
        weight: largest(&weights(&job, basis, models, &origins)),
        num_unmatched: job.num_unpaired().source,
        worst: measured.worst.filter(|_| has_clips).map(|worst| place(basis, &worst)),
    })
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
            for (source, made) in rigscope_core::compare::matched_clips(&basis.clips, &model.clips)
            {
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

/// The largest angle at the beginning, middle and end of each clip and at the largest distance; in the
/// default pose without clips.
fn normals(job: &Job<'_>, measured: &Deviation) -> Option<f64> {
    let mut found: Option<f64> = None;
    let mut add = |clip: &ClipPair<'_>, secs: f64| {
        let source = job.source.pose_at(clip.source, secs);
        let made = job.parts.iter().map(|part| part.made.pose_at(clip.made, secs));
        let made: Vec<_> = made.collect();
        let own = largest(&measure::normals(job, &source, &made));
        found = found.into_iter().chain(own).reduce(f64::max);
    };
    let mut is_any = false;
    for clip in job.clips.iter().filter(|clip| clip.made.is_some()) {
        is_any = true;
        let own = clip.source.map(|id| job.source.model.clip(id));
        let duration = own.map_or(0.0, |clip| clip.duration_secs.max(0.0));
        [0.0, 0.5, 1.0].iter().for_each(|share| add(clip, share * duration));
    }
    if let Some(worst) = measured.at_keys.filter(|worst| worst.made_clip.is_some()) {
        let clip = ClipPair { source: worst.clip, made: worst.made_clip, ..ClipPair::default() };
        add(&clip, worst.time_secs);
    }
    if is_any {
        return found;
    }
    let (source, made) = default_poses(job);
    largest(&measure::normals(job, &source, &made))
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

fn place(basis: &Model, worst: &WorstPair) -> WorstPlace {
    let at = worst.origin.nearest();
    let clip = worst.clip.map(|id| basis.clip(id));
    WorstPlace {
        mesh: at.mesh.0,
        vertex: at.vertex.0,
        clip: clip.map(|clip| clip.name.clone()).unwrap_or_default(),
        time_secs: worst.time_secs,
        is_lost: worst.made_clip.is_none(),
    }
}
