//! Computes the signature of a model.

use std::collections::BTreeMap;

use glam::{Affine3A, DVec3, Vec3};
use rayon::prelude::*;

use super::waves::{OUTWARD, Waves, add_phased, hash_of, phase_of};
use super::{ClipFingerprint, Fingerprint, Signature};
use crate::model::{Aabb, BoneId, Cancelled, Clip, ClipId, Mesh, MeshId, Model, Report, as_u32};
use crate::pose::{
    Moment, Pose, PoseBudget, PoseSpec, sample, skin_positions, skin_some_positions,
};

/// Parts of a clip.
const NUM_SEGMENTS: u32 = 4;
/// Moments per second, at most.
const MOMENTS_PER_SEC: f64 = 30.0;
/// Moments per segment, at most.
const MAX_MOMENTS: u32 = 16;
/// Posed vertices per clip, at most, as long as each segment has two moments: a second of work.
const MAX_POSED_VERTICES: usize = 1 << 24;
/// Vertices per task.
const MIN_LEN: usize = 4096;

impl Signature {
    /// The signature of `model`, which has passed the check.
    ///
    /// # Errors
    /// If `report` asks to stop.
    pub fn of(model: &Model, report: &Report) -> Result<Self, Cancelled> {
        let maker = Maker::new(model);
        let posed =
            |moment| maker.print(&sample(model, &PoseSpec { moment, ..PoseSpec::default() }));
        let mut clips = BTreeMap::new();
        let budget = PoseBudget::of(model);
        for (number, clip) in model.clips.iter().enumerate() {
            let id = ClipId::from_index(number);
            let mut name = clip.name.clone();
            while clips.contains_key(&name) {
                name.push_str(&format!(" ({number})"));
            }
            let most = budget.moments_of(number, (NUM_SEGMENTS * MAX_MOMENTS) as usize);
            let progress = |share: f32| {
                let done = (number as f32 + share) / model.clips.len() as f32;
                report.progress("computing signatures", done)
            };
            clips.insert(name, maker.clip(id, clip, most, &progress)?);
        }
        let weights = maker.weights.iter().flatten();
        Ok(Self {
            size: maker.size,
            skeleton: skeleton_hash(model),
            skin: maker.skin(),
            weight: weights.map(|weight| f64::from(*weight).powi(2)).sum::<f64>().sqrt(),
            bind: posed(Moment::Bind),
            rest: posed(Moment::Rest),
            clips,
        })
    }
}

struct Maker<'a> {
    model: &'a Model,
    /// Diagonal of the bounding box in the bind pose, display units; 1 if it is empty.
    size: f64,
    /// From file space to units of the size.
    unit_from_file: Affine3A,
    /// Number of corners at each vertex, mesh by mesh.
    weights: Vec<Vec<u32>>,
    /// Mesh and vertex of each sample.
    samples: Vec<(MeshId, u32)>,
}

impl<'a> Maker<'a> {
    fn new(model: &'a Model) -> Self {
        let weights: Vec<Vec<u32>> = model.meshes.iter().map(corners_at_vertices).collect();
        let display_from_file = model.axes.display_from_file();
        let bind = sample(model, &PoseSpec { moment: Moment::Bind, ..PoseSpec::default() });
        let mut bounds = Aabb::EMPTY;
        let mut farthest = [(f32::NEG_INFINITY, None); OUTWARD.len()];
        for (number, mesh) in model.meshes.iter().enumerate() {
            let id = MeshId::from_index(number);
            let positions = skin_positions(mesh, &bind.of_mesh(id, mesh));
            for (vertex, (position, weight)) in (0u32..).zip(positions.iter().zip(&weights[number]))
            {
                if *weight == 0 {
                    continue;
                }
                let position = display_from_file.transform_point3(*position);
                bounds = bounds.union(Aabb::from_points([position]));
                for (direction, best) in OUTWARD.iter().zip(&mut farthest) {
                    let distance = direction.as_vec3().dot(position);
                    if distance > best.0 {
                        *best = (distance, Some((id, vertex)));
                    }
                }
            }
        }
        if bounds.is_empty() {
            let heads = bind.model_from_bone.iter().map(|bone| Vec3::from(bone.translation));
            bounds = Aabb::from_points(heads.map(|head| display_from_file.transform_point3(head)));
        }
        let size = f64::from(if bounds.is_empty() { 0.0 } else { bounds.size().length() });
        let size = if size.is_normal() { size } else { 1.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a size in single precision")]
        let unit = Affine3A::from_scale(Vec3::splat((1.0 / size) as f32));
        Self {
            model,
            size,
            unit_from_file: unit * display_from_file,
            weights,
            samples: farthest.into_iter().filter_map(|(_, sample)| sample).collect(),
        }
    }

    fn point(&self, position: Vec3) -> DVec3 {
        self.unit_from_file.transform_point3(position).as_dvec3()
    }

    fn print(&self, pose: &Pose) -> Fingerprint {
        Fingerprint {
            waves: self.waves(pose).0,
            bones: self.bones(pose),
            samples: self.samples(pose),
        }
    }

    fn waves(&self, pose: &Pose) -> Waves {
        let meshes = self.model.meshes.iter().zip(&self.weights).enumerate();
        let of_mesh = |(number, (mesh, weights)): (usize, (&Mesh, &Vec<u32>))| {
            let id = MeshId::from_index(number);
            let positions = skin_positions(mesh, &pose.of_mesh(id, mesh));
            let chunks = positions.par_chunks(MIN_LEN).zip(weights.par_chunks(MIN_LEN));
            let of_chunk = |(positions, weights): (&[Vec3], &[u32])| {
                let mut waves = Waves::default();
                for (position, weight) in positions.iter().zip(weights) {
                    if *weight > 0 {
                        waves.add(self.point(*position), f64::from(*weight));
                    }
                }
                waves
            };
            // Added in order, so that the result doesn't depend on the number of threads.
            let sums: Vec<Waves> = chunks.map(of_chunk).collect();
            sums.into_iter().fold(Waves::default(), Waves::plus)
        };
        meshes.map(of_mesh).fold(Waves::default(), Waves::plus)
    }

    fn bones(&self, pose: &Pose) -> [f64; 2] {
        let mut sum = [0.0; 2];
        if !self.model.skeleton.has_hierarchy() {
            return sum;
        }
        for (bone, matrix) in self.model.skeleton.bones().iter().zip(&pose.model_from_bone) {
            let head = self.point(matrix.translation.into());
            add_phased(&mut sum, head, phase_of(&bone.name), 1.0);
        }
        sum
    }

    fn samples(&self, pose: &Pose) -> Vec<[f64; 3]> {
        let place = |&(id, vertex): &(MeshId, u32)| {
            let mesh = self.model.mesh(id);
            let positions = skin_some_positions(mesh, &pose.of_mesh(id, mesh), &[vertex]);
            positions.first().map_or([0.0; 3], |position| self.point(*position).to_array())
        };
        self.samples.iter().map(place).collect()
    }

    /// The influences of all vertices, at their stored positions.
    fn skin(&self) -> [f64; 2] {
        let bones = self.model.skeleton.bones();
        let phases: Vec<f64> = bones.iter().map(|bone| phase_of(&bone.name)).collect();
        let bind = PoseSpec { moment: Moment::Bind, ..PoseSpec::default() };
        let bind = sample(self.model, &bind);
        let mut sum = [0.0; 2];
        for (number, (mesh, weights)) in self.model.meshes.iter().zip(&self.weights).enumerate() {
            let id = MeshId::from_index(number);
            let positions = skin_positions(mesh, &bind.of_mesh(id, mesh));
            for (vertex, (position, corners)) in positions.iter().zip(weights).enumerate() {
                if *corners == 0 {
                    continue;
                }
                let (point, corners) = (self.point(*position), f64::from(*corners));
                mesh.for_each_influence(vertex, |bone: BoneId, weight| {
                    let phase = phases.get(bone.index()).copied().unwrap_or_default();
                    add_phased(&mut sum, point, phase, f64::from(weight) * corners);
                });
            }
        }
        sum
    }

    /// The print of a clip, posed at no more than `most` moments. `progress` gets the finished fraction.
    fn clip(
        &self,
        id: ClipId,
        clip: &Clip,
        most: usize,
        progress: &dyn Fn(f32) -> Result<(), Cancelled>,
    ) -> Result<ClipFingerprint, Cancelled> {
        let duration_secs = clip.duration_secs.max(0.0);
        let num_segments = if duration_secs > 0.0 { NUM_SEGMENTS } else { 1 };
        let num_vertices: usize = self.weights.iter().map(Vec::len).sum();
        let affordable = MAX_POSED_VERTICES / num_vertices.max(1) / num_segments as usize;
        let affordable = as_u32(affordable).max(2);
        let segment_secs = duration_secs / f64::from(num_segments);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let wanted = (segment_secs * MOMENTS_PER_SEC).ceil() as u32;
        let wanted = wanted.clamp(1, MAX_MOMENTS.min(affordable));
        let mut print = ClipFingerprint {
            start_secs: clip.start_secs,
            duration_secs,
            ..ClipFingerprint::default()
        };
        let allowed = as_u32(most) / num_segments;
        // A power of two, so that signatures remain comparable if a few clips are added.
        let num_moments = match allowed {
            0 => 0,
            _ if wanted <= allowed => wanted,
            _ => 1 << allowed.ilog2(),
        };
        if num_moments < wanted {
            print.limited_to = Some(num_moments);
        }
        if num_moments == 0 {
            return Ok(print);
        }
        let pose = |time_secs| sample(self.model, &PoseSpec::linear(id, time_secs));
        for number in 0..num_segments {
            let start = clip.start_secs + segment_secs * f64::from(number);
            let middle = pose(start + segment_secs * 0.5);
            let mut segment =
                Fingerprint { samples: self.samples(&middle), ..Fingerprint::default() };
            let mut waves = Waves::default();
            for moment in 0..num_moments {
                let done = number * num_moments + moment;
                progress(done as f32 / (num_segments * num_moments) as f32)?;
                let share = (f64::from(moment) + 0.5) / f64::from(num_moments);
                let pose = pose(start + segment_secs * share);
                waves = waves.plus(self.waves(&pose));
                let bones = self.bones(&pose);
                segment.bones = [segment.bones[0] + bones[0], segment.bones[1] + bones[1]];
            }
            segment.waves = waves.0;
            print.segments.push(segment);
        }
        Ok(print)
    }
}

/// How many corners of triangles, lines and points are at each vertex; 1 for all vertices of a point cloud.
fn corners_at_vertices(mesh: &Mesh) -> Vec<u32> {
    let num = mesh.num_vertices();
    if mesh.indices.is_empty() && mesh.loose.is_empty() {
        return vec![1; num];
    }
    let mut weights = vec![0; num];
    let loose = mesh.loose.iter().flat_map(|loose| loose.indices.iter().copied());
    for index in mesh.indices.iter().chain(loose) {
        if let Some(weight) = weights.get_mut(index as usize) {
            *weight += 1;
        }
    }
    weights
}

/// The sum over all bones of a hash of their name and their parent's.
fn skeleton_hash(model: &Model) -> u32 {
    let bones = model.skeleton.bones();
    let of_bone = |bone: &crate::model::Bone| {
        let parent = bone.parent.and_then(|parent| bones.get(parent));
        hash_of(&format!("{}\0{}", parent.map_or("", |parent| &parent.name), bone.name))
    };
    bones.iter().map(of_bone).fold(0, u32::wrapping_add)
}
