//! Writes a structure file and an animation file for each clip.
//!
//! The frames of all clips are consecutive on one time line, as in one scene, because files with the same
//! frames count as the same motion.

use super::ID;
use super::pose_sampler::{PoseSampler, axes};
use super::write_animation::{Job, Kind, animation};
use super::write_names::{Names, bone_names};
use super::write_structure::{sizes, structure};
use crate::formats::added_bones::report_added_bone;
use crate::formats::rigged_model::{KeyGrid, RiggedBone, RiggedModel};
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use rigscope_core::model::{
    BoneId, ByteView, Clip, ClipId, FindingKind, Mesh, Model, Motion, Origins, Place, Report,
    STILL_NAME,
};

/// The frame rate that readers assume.
const USUAL_FPS: f64 = 30.0;
/// Tolerance for a step to count as whole.
const WHOLE: f64 = 1e-3;
/// Maximum multiple of the highest rate that is tried as the rate of the time line.
const MAX_FACTOR: u32 = 8;

/// Values of `--part`.
pub(super) mod part {
    pub(in super::super) const STRUCTURE: &str = "structure";
    pub(in super::super) const ANIMATION: &str = "animation";
    pub(in super::super) const RELATIVE: &str = "animation-relative";
    pub(in super::super) const EULER: &str = "animation-euler";
    pub(in super::super) const MESH: &str = "mesh-absolute";
    pub(in super::super) const MESH_BONES: &str = "mesh-bones";
}

pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("writing", 0.0)?;
    let kept = Originals::of(model);
    let mut rigged = RiggedModel::of(model, &axes(), options.rate, report)
        .map_err(|source| WriteError::Bake { format: ID, source })?;
    let has_bones = !rigged.bones.is_empty();
    if !has_bones {
        let message = "the model has no bones; one was added for all vertices";
        report.add(FindingKind::NoBones, Place::File, message);
        report_added_bone(STILL_NAME, "because the format needs a bone", report);
        rigged.bones.push(RiggedBone {
            name: STILL_NAME.to_owned(),
            parent: None,
            source: BoneId(0),
            bind: glam::DAffine3::IDENTITY,
        });
    }
    report.add_many(
        FindingKind::RestNotStored,
        Place::File,
        u64::from(rigged.rest_differs_from_bind),
        || "the rest pose of the bones differs from their bind pose".to_owned(),
    );
    let part = options.part.as_deref();
    let kept_structure = kept.structure(&rigged);
    let has_kept_structure = kept_structure.is_some();
    let sizes = match &kept_structure {
        Some((_, sizes)) => sizes.clone(),
        None => sizes(&rigged, report)?,
    };
    let mut files = Vec::new();
    if part.is_none_or(|part| part == part::STRUCTURE) {
        let bytes = match kept_structure {
            Some((bytes, _)) => bytes.to_vec(),
            None => {
                let names = bone_names(&rigged, report);
                structure(&rigged, &names, &sizes, has_bones, report)?
            }
        };
        files.push(OutputFile::main(bytes));
    }
    if part == Some(part::STRUCTURE) {
        return Ok(of(files, rigged.origins, Vec::new()));
    }
    if part == Some(part::MESH) && model.num_vertices() == 0 {
        return Err(WriteError::NothingToWrite { format: ID, what: "vertices" });
    }
    let clips = clips(&rigged, part, options, report)?;
    let is_own_mode = part.is_none_or(|part| part == part::ANIMATION) && options.rate.is_none();
    // Animations of other bones and vertices wouldn't be matched with the structure.
    let kept_clips =
        if is_own_mode && has_kept_structure && kept.animations.len() == rigged.model.clips.len() {
            kept.animations.as_slice()
        } else {
            &[]
        };
    let posed = PoseSampler::new(model, &rigged);
    let mut names = Names::default();
    for clip in &clips {
        let bytes = match kept_clips.get(clip.number) {
            Some(bytes) => bytes.to_vec(),
            None => animation(&posed, clip, &sizes, report)?,
        };
        let name = names.clip(&clip.clip.name, clip.number, report);
        let place = if files.is_empty() {
            OutputPlace::Main
        } else {
            OutputPlace::Suffix(format!(".{name}"))
        };
        files.push(OutputFile {
            place,
            bytes,
            is_related_file: part.is_none(),
            origins: Origins::default(),
        });
    }
    if files.is_empty() {
        return Err(WriteError::NothingToWrite { format: ID, what: "clips of the requested kind" });
    }
    report.progress("writing", 1.0)?;
    let numbers = clips.iter().map(|job| job.number).collect();
    drop(clips);
    Ok(of(files, rigged.origins, numbers))
}

/// Sets the origins of `files`, which are stored in the first one.
fn of(mut files: Vec<OutputFile>, origins: Origins, clips: Vec<usize>) -> Vec<OutputFile> {
    let clips = clips.into_iter().map(|at| Some(ClipId::from_index(at)));
    let origins = Origins { clips: Some(clips.collect()), ..origins };
    if let Some(main) = files.first_mut() {
        main.origins = origins;
    }
    files
}

/// The way to write a clip; `None` if the part doesn't include clips of this type.
fn kind(clip: &Clip, part: Option<&str>) -> Option<Kind> {
    let is_cache = matches!(clip.motion, Motion::VertexAnimation(_));
    match part {
        Some(part::RELATIVE) => (!is_cache).then_some(Kind::RelativeMatrix),
        Some(part::EULER) => (!is_cache).then_some(Kind::RelativeEuler),
        Some(part::MESH) => Some(Kind::MeshAbsolute),
        Some(part::MESH_BONES) => (!is_cache).then_some(Kind::MeshBones),
        _ if is_cache => Some(Kind::MeshAbsolute),
        _ => Some(Kind::AbsoluteMatrix),
    }
}

/// All clips to write, with steps that fit on a common time line.
fn clips<'a>(
    rigged: &'a RiggedModel,
    part: Option<&str>,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<Job<'a>>, WriteError> {
    let mut jobs = Vec::new();
    for (number, clip) in rigged.model.clips.iter().enumerate() {
        if let Some(kind) = kind(clip, part) {
            jobs.push(Job {
                clip,
                number,
                kind,
                grid: KeyGrid::of(clip, options.rate, ID)?,
                first_frame: 0,
                step: 1,
            });
        }
    }
    let fps = time_line_fps(jobs.iter().map(|job| &job.grid));
    let is_other = u64::from((fps - USUAL_FPS).abs() > WHOLE);
    report.add_many(FindingKind::FrameRateNotWritten, Place::File, is_other, || {
        format!("the frame rate isn't stored; read the file with --fps {fps}")
    });
    let mut next_frame = 0;
    for job in &mut jobs {
        match step(fps, job.grid.rate) {
            Some(step) => job.step = step,
            None if job.grid.num_keys == 1 => {}
            // No rate fits all clips, so this clip is written at the rate of the others.
            None => job.grid = KeyGrid::of(job.clip, Some(fps), ID)?,
        }
        job.first_frame = next_frame;
        next_frame = job.last_frame() + 1;
    }
    for kind in Kind::ALL {
        let own = jobs.iter().filter(|job| job.kind == kind);
        let keys = own.map(|job| (job.clip, &job.grid));
        KeyGrid::check_all(keys, kind.matrices_per_key(rigged), options, ID)?;
    }
    Ok(jobs)
}

/// The frame rate with which every grid has whole steps: the usual one, or a multiple of the highest.
fn time_line_fps<'a>(grids: impl Iterator<Item = &'a KeyGrid>) -> f64 {
    let moving = grids.filter(|grid| grid.num_keys > 1);
    let rates: Vec<f64> = moving.map(|grid| grid.rate).collect();
    let highest = rates.iter().copied().fold(0.0, f64::max);
    let mut fitting = std::iter::once(USUAL_FPS)
        .chain((1..=MAX_FACTOR).map(|factor| highest * f64::from(factor)))
        .filter(|fps| rates.iter().all(|rate| step(*fps, *rate).is_some()));
    fitting.next().unwrap_or(highest)
}

/// The frame rate with which to read files of `model`, written with keys at `rate`; files don't store it.
pub(super) fn written_fps(model: &Model, rate: Option<f64>) -> f64 {
    let grids: Vec<KeyGrid> =
        (model.clips.iter()).filter_map(|clip| KeyGrid::of(clip, rate, ID).ok()).collect();
    time_line_fps(grids.iter())
}

/// Frames between two keys at `rate` on a time line at `fps`, if that's a whole number.
fn step(fps: f64, rate: f64) -> Option<u32> {
    let step = fps / rate;
    let is_whole = (step - step.round()).abs() < WHOLE && (1.0..1e6).contains(&step.round());
    #[expect(clippy::cast_possible_truncation, reason = "checked before")]
    #[expect(clippy::cast_sign_loss, reason = "checked before")]
    let whole = step.round() as u32;
    is_whole.then_some(whole)
}

/// The texts from which a model of this format was read. They also contain node transforms, boxes and
/// comments.
struct Originals {
    structure: Option<ByteView>,
    /// One per clip, in order.
    animations: Vec<ByteView>,
}

impl Originals {
    /// Empty if the axes of the model have changed.
    fn of(model: &Model) -> Self {
        let is_same = model.axes == axes();
        let preserved = model.preserved.iter().filter(|_| is_same);
        let own = preserved.filter(|kept| kept.format == ID);
        let of = |what: &str| -> Vec<ByteView> {
            let kept = own.clone().filter(|kept| kept.what == what);
            kept.map(|kept| kept.bytes.clone()).collect()
        };
        Self { structure: of(part::STRUCTURE).into_iter().next(), animations: of(part::ANIMATION) }
    }

    /// The structure file and the boxes of its bones, if it has the same bones and vertices.
    fn structure(&self, rigged: &RiggedModel) -> Option<(ByteView, Vec<[f64; 3]>)> {
        let bytes = self.structure.clone()?;
        let text = crate::formats::text::decode(&bytes);
        let text = super::grammar::without_comments(&text);
        let limits = crate::formats::Limits::default();
        let read = super::structure::read(&text, &limits, &Report::new()).ok()?;
        let num_vertices = rigged.mesh().map_or(0, Mesh::num_vertices);
        let fits = read.bones.len() == rigged.bones.len() && read.positions.len() == num_vertices;
        let sizes = read.bones.iter().map(|bone| bone.size).collect();
        fits.then(|| (bytes.clone(), sizes))
    }
}
