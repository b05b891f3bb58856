//! A correct version of the examined model: its source, or an older export.
//!
//! Bones and clips are matched by name, meshes by name or order. Vertices are matched by index if both meshes have
//! the same number of them, otherwise by position.

use std::collections::HashMap;

use glam::Vec3;

use super::parts::{MeshSample, index, streams};
use crate::bake::{in_axes, plain};
use crate::compare::matched_clips;
use crate::model::{Aabb, BoneId, IdVec, Mesh, Model};
use crate::pose::graft::match_bones;

/// The reference, and its parts that match those of the examined model.
pub(super) struct Reference {
    /// In plain form, in the axes of the examined model.
    pub(super) model: Model,
    /// The matching bone for each bone of the examined model.
    pub(super) bones: IdVec<BoneId, Option<BoneId>>,
    /// The matching clip for each clip of the examined model.
    pub(super) clips: HashMap<usize, usize>,
    /// One entry per sample of the case.
    pub(super) meshes: Vec<Option<MeshMatch>>,
}

/// The mesh of the reference that matches a sampled mesh.
pub(super) struct MeshMatch {
    pub(super) mesh: usize,
    /// Whether vertices are matched by index.
    pub(super) is_by_number: bool,
    /// The matching vertex for each sampled vertex.
    pub(super) vertices: Vec<u32>,
}

impl Reference {
    pub(super) fn new(own: &Model, samples: &[MeshSample], source: &Model) -> Self {
        let model = plain(&in_axes(source, &own.axes), None);
        let pairs = matched_clips(&model.clips, &own.clips);
        let clips = pairs.into_iter().map(|(of, own)| (own.index(), of.index())).collect();
        let bones = match_bones(&own.skeleton, &model.skeleton);
        let match_of = |part: &MeshSample| {
            let mesh = own.meshes.get(part.mesh)?;
            let at = mesh_of(own, &model, part.mesh)?;
            let other = model.meshes.get(at)?;
            let is_by_number = mesh.num_vertices() == other.num_vertices();
            let vertices = if is_by_number {
                part.vertices.clone()
            } else {
                by_position(mesh, other, &part.vertices)?
            };
            Some(MeshMatch { mesh: at, is_by_number, vertices })
        };
        let meshes = samples.iter().map(match_of).collect();
        Self { model, bones, clips, meshes }
    }
}

/// The mesh of `other` with the same name, or with the same index if both models have equally many meshes.
fn mesh_of(model: &Model, other: &Model, at: usize) -> Option<usize> {
    let name = &model.meshes.get(at)?.name;
    let named = |model: &Model| -> Vec<usize> {
        let meshes = model.meshes.iter().enumerate();
        meshes.filter(|(_, mesh)| mesh.name == *name).map(|(at, _)| at).collect()
    };
    let (own, others) = (named(model), named(other));
    let position = own.iter().position(|own| *own == at)?;
    if !name.is_empty() && own.len() == others.len() {
        return others.get(position).copied();
    }
    (model.meshes.len() == other.meshes.len()).then_some(at)
}

/// The nearest vertices of `other`, after moving and scaling both meshes to the same bounding box.
fn by_position(own: &Mesh, other: &Mesh, vertices: &[u32]) -> Option<Vec<u32>> {
    let (own, other) = (&streams(own)?.positions, &streams(other)?.positions);
    let unit = |points: &[Vec3]| {
        let bounds = Aabb::from_points(points.iter().copied());
        let size = bounds.extent().max(f32::MIN_POSITIVE);
        move |point: Vec3| (point - bounds.center()) / size
    };
    let (to_unit, other_to_unit) = (unit(own), unit(other));
    // Cells of a grid along the size of the mesh. Only the cell of a point and its neighbours are searched.
    const CELLS: f32 = 64.0;
    let cell = |point: Vec3| (point * CELLS).round().as_ivec3().to_array();
    let mut grid: HashMap<[i32; 3], Vec<u32>> = HashMap::new();
    for (at, point) in other.iter().enumerate() {
        grid.entry(cell(other_to_unit(*point))).or_default().push(index(at));
    }
    let nearest = |vertex: &u32| {
        let point = to_unit(*own.get(*vertex as usize)?);
        let [x, y, z] = cell(point);
        let around = (0..27).map(|n| [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]);
        let candidates = around.filter_map(|cell| grid.get(&cell)).flatten().copied();
        let distance = |at: &u32| {
            let place = other.get(*at as usize).map(|place| other_to_unit(*place));
            place.map_or(f32::INFINITY, |place| place.distance_squared(point))
        };
        candidates.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    // If a vertex has no match, the mesh isn't compared at all.
    vertices.iter().map(nearest).collect()
}
