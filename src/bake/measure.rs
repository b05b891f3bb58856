//! How far a packed model is from its source.
//!
//! Both are posed at every key that was packed and compared vertex by vertex, in units of the packed
//! model. Not for: what lies between keys; players of packed formats hold or blend keys as they
//! like.

use glam::{Affine3A, Vec3};
use rayon::prelude::*;

use super::pack::{ClipPoses, Origin, Packed, Packing};
use crate::model::{
    Aabb, Blending, Cancelled, ClipId, KeySpace, Mesh, MeshId, Model, Motion, PackedVertices,
    Report, Skin, VertexData,
};
use crate::pose::{MeshPose, Pose, skin_mesh, skin_vertex};

/// Keys compared between two looks at whether to go on.
const BATCH: usize = 64;

/// The distance between a packed model and its source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// The largest, in units of the packed model.
    pub max: f32,
    /// The same as a part of the extent: the diagonal of the source's box in its first key.
    pub max_of_extent: f32,
    /// Root of the mean square over all vertices and keys.
    pub rms: f64,
    /// Where the largest is; `None` where there is no vertex.
    pub worst: Option<Worst>,
}

/// A vertex in a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// Which of [`Packing::parts`].
    pub part: usize,
    /// The packed vertex.
    pub vertex: u32,
    /// Where it comes from.
    pub origin: Origin,
    /// Clip of the source; `None` for the default pose.
    pub clip: Option<ClipId>,
    /// Key of the packed clip.
    pub key: usize,
}

/// Sums over some keys.
#[derive(Clone, Copy, Default)]
struct Sums {
    squares: f64,
    count: u64,
    max: f32,
    worst: Option<Worst>,
    /// Around the source in the very first key.
    bounds: Option<Aabb>,
}

impl Sums {
    /// The first of equals stays, so that the outcome does not hang on the threads.
    fn and(self, later: Self) -> Self {
        let larger = match later.max > self.max || self.worst.is_none() {
            true => &later,
            false => &self,
        };
        Self {
            squares: self.squares + later.squares,
            count: self.count + later.count,
            max: larger.max,
            worst: larger.worst,
            bounds: self.bounds.or(later.bounds),
        }
    }

    /// The same for keys in which nothing is anywhere else.
    fn times(self, num_keys: usize) -> Self {
        Self {
            squares: self.squares * num_keys as f64,
            count: self.count * num_keys as u64,
            ..self
        }
    }
}

/// Compares `packing` with the `model` that it was made of.
///
/// # Errors
/// When cancelled.
pub fn measure(model: &Model, packing: &Packing, report: &Report) -> Result<Measured, Cancelled> {
    let display = Affine3A::from_scale(Vec3::splat(packing.scale)) * model.axes.display_from_file();
    let num_poses: usize = packing.poses.iter().map(|clip| clip.poses.len()).sum();
    let mut sums = Sums::default();
    let mut num_done = 0;
    for (number, clip) in packing.poses.iter().enumerate() {
        let still: Vec<Option<PosedPart>> = (packing.parts.iter())
            .map(|packed| PosedPart::of_still(packed, number))
            .collect();
        let is_still = still.iter().all(Option::is_some);
        let mut keys = Vec::with_capacity(clip.poses.len());
        let mut first = 0;
        for same in clip.poses.chunk_by(|a, b| is_still && a == b) {
            keys.extend(same.first().map(|pose| (first, same.len(), pose)));
            first += same.len();
        }
        for batch in keys.chunks(BATCH) {
            report.progress("comparing", num_done as f32 / num_poses.max(1) as f32)?;
            let of_keys = |&(key, num_keys, pose): &(usize, usize, &Pose)| {
                let source = source_positions(model, pose, &display);
                let of_source = Sums {
                    bounds: (number == 0 && key == 0)
                        .then(|| Aabb::from_points(source.iter().flatten().copied())),
                    ..Sums::default()
                };
                let parts = packing.parts.iter().zip(&still).enumerate();
                let sums = parts.fold(of_source, |sums, (part, (packed, still))| {
                    let moving = match still {
                        Some(_) => None,
                        None => PosedPart::of(packed, number, key),
                    };
                    match still.as_ref().or(moving.as_ref()) {
                        Some(posed) => sums.and(part_sums(packed, part, &source, clip, posed)),
                        None => sums,
                    }
                });
                sums.times(num_keys)
            };
            let all: Vec<Sums> = batch.par_iter().map(of_keys).collect();
            sums = all.into_iter().fold(sums, Sums::and);
            num_done += batch.iter().map(|(_, num_keys, _)| num_keys).sum::<usize>();
        }
    }
    let extent = sums.bounds.map_or(0.0, |bounds| bounds.extent());
    Ok(Measured {
        max: sums.max,
        max_of_extent: match extent > 0.0 {
            true => sums.max / extent,
            false => 0.0,
        },
        rms: (sums.squares / sums.count.max(1) as f64).sqrt(),
        worst: sums.worst,
    })
}

/// Positions of all vertices of all meshes, in the packed model's space.
pub(super) fn source_positions(model: &Model, pose: &Pose, display: &Affine3A) -> Vec<Vec<Vec3>> {
    let meshes = model.meshes.iter().enumerate();
    meshes
        .map(|(number, mesh)| {
            let bound = pose.of_mesh(MeshId::from_index(number), mesh);
            let positions = positions_of(mesh, &bound);
            let shown = positions.into_iter().map(|p| display.transform_point3(p));
            shown.collect()
        })
        .collect()
}

fn positions_of(mesh: &Mesh, pose: &MeshPose) -> Vec<Vec3> {
    let is_simple = mesh.morph_targets.is_empty()
        && match &mesh.skin {
            Skin::InverseBind(skin) => skin.blending == Blending::Linear,
            _ => true,
        };
    if !is_simple {
        return skin_mesh(mesh, pose).positions;
    }
    // Normals and tangents are not needed, and take most of the time.
    let vertices = 0..mesh.num_vertices();
    let position = |vertex| skin_vertex(mesh, vertex, pose).unwrap_or_default();
    vertices.map(position).collect()
}

/// A packed model in one of its keys.
struct PosedPart {
    key: usize,
    positions: Vec<Vec3>,
}

impl PosedPart {
    /// `clip` by its number; the last key where there are fewer.
    fn of(packed: &Packed, clip: usize, key: usize) -> Option<Self> {
        let VertexData::Packed(vertices) = &packed.model.meshes.first()?.vertices else {
            return None;
        };
        let (palette, key) = palette(&packed.model, clip, key);
        Some(Self {
            key,
            positions: packed_positions(vertices, &palette),
        })
    }

    /// The only key of a clip; `None` where it has several.
    fn of_still(packed: &Packed, clip: usize) -> Option<Self> {
        match &packed.model.clips.get(clip)?.motion {
            Motion::Sampled(motion) if motion.keys.num_keys() == 1 => Self::of(packed, clip, 0),
            _ => None,
        }
    }
}

fn part_sums(
    packed: &Packed,
    part: usize,
    source: &[Vec<Vec3>],
    clip: &ClipPoses,
    posed: &PosedPart,
) -> Sums {
    let mut sums = Sums::default();
    for &(vertex, origin) in &packed.origins {
        let (Some(wanted), Some(found)) = (
            position_at(&origin, source),
            posed.positions.get(vertex as usize),
        ) else {
            continue;
        };
        let distance = wanted.distance(*found);
        if !distance.is_finite() {
            continue;
        }
        sums.squares += f64::from(distance) * f64::from(distance);
        sums.count += 1;
        if distance > sums.max || sums.worst.is_none() {
            sums.max = distance;
            sums.worst = Some(Worst {
                part,
                vertex,
                origin,
                clip: clip.clip,
                key: posed.key,
            });
        }
    }
    sums
}

pub(super) fn position_at(origin: &Origin, source: &[Vec<Vec3>]) -> Option<Vec3> {
    let positions = source.get(origin.mesh() as usize)?;
    match *origin {
        Origin::Vertex { vertex, .. } => positions.get(vertex as usize).copied(),
        Origin::Inside {
            corners, shares, ..
        } => {
            let [a, b, c] = corners.map(|corner| positions.get(corner as usize).copied());
            Some(a? * shares.x + b? * shares.y + c? * shares.z)
        }
    }
}

/// The skinning matrix of each stored bone, and the key they were read from.
pub(super) fn palette(model: &Model, clip: usize, key: usize) -> (Vec<Affine3A>, usize) {
    let Some(Motion::Sampled(motion)) = model.clips.get(clip).map(|clip| &clip.motion) else {
        return (Vec::new(), 0);
    };
    let key = key.min(motion.keys.num_keys().saturating_sub(1));
    let num_bones = model.skeleton.len();
    let read = (0..num_bones).map(|bone| motion.keys.matrix(key, bone));
    let mut matrices: Vec<Affine3A> = read.map(Option::unwrap_or_default).collect();
    if motion.space == KeySpace::Skin {
        return (matrices, key);
    }
    for &bone in model.skeleton.parents_first() {
        let parent = model
            .skeleton
            .bones()
            .get(bone.index())
            .and_then(|b| b.parent);
        let parent = parent.and_then(|parent| matrices.get(parent.index()).copied());
        if let (Some(parent), Some(own)) = (parent, matrices.get_mut(bone.index())) {
            *own = parent * *own;
        }
    }
    let binds = match model.meshes.first().map(|mesh| &mesh.skin) {
        Some(Skin::InverseBind(skin)) => skin.bone_from_mesh.as_slice(),
        _ => &[],
    };
    for (matrix, bind) in matrices.iter_mut().zip(binds) {
        *matrix *= Affine3A::from_mat4(*bind);
    }
    (matrices, key)
}

pub(super) fn packed_positions(vertices: &PackedVertices, palette: &[Affine3A]) -> Vec<Vec3> {
    let posed = vertices.iter().map(|vertex| {
        let mut sum = Vec3::ZERO;
        for (bone, weight) in vertex.influences() {
            if let Some(matrix) = palette.get(usize::from(bone)) {
                sum += matrix.transform_point3(vertex.position) * weight;
            }
        }
        sum
    });
    posed.collect()
}
