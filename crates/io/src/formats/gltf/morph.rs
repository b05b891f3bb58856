//! Morph targets: the file stores offsets of all vertices, the model those of moved vertices.

use glam::Vec3;
use gltf_json::mesh;

use super::accessor::Integers;
use super::accessor::as_many;
use super::asset::Asset;
use crate::formats::ReadError;
use rigscope_core::model::{MorphShape, MorphTarget, StoredTarget, VertexId};

/// Accessors of one morph target of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Offsets {
    positions: Option<usize>,
    normals: Option<usize>,
}

impl Offsets {
    pub(super) fn of(target: &mesh::MorphTarget) -> Self {
        Self {
            positions: target.positions.map(|accessor| accessor.value()),
            normals: target.normals.map(|accessor| accessor.value()),
        }
    }

    /// Which attributes there are.
    pub(super) fn stored(&self) -> StoredTarget {
        StoredTarget {
            has_positions: self.positions.is_some(),
            has_normals: self.normals.is_some(),
        }
    }

    /// The accessors and the names of their attributes.
    pub(super) fn accessors(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let all = [(self.positions, "POSITION"), (self.normals, "NORMAL")];
        let there = |(accessor, name): (Option<usize>, _)| Some((accessor?, name));
        all.into_iter().filter_map(there)
    }

    /// The moved vertices, of `num`.
    pub(super) fn read(&self, asset: &mut Asset<'_>, num: usize) -> Result<MorphShape, ReadError> {
        let mut read = |accessor: Option<usize>| -> Result<Vec<Vec3>, ReadError> {
            let Some(accessor) = accessor else { return Ok(Vec::new()) };
            let offsets = asset.floats::<3>(accessor, Integers::AsStated)?;
            Ok(as_many(offsets, num, accessor)?.map(Vec3::from).collect())
        };
        let (positions, normals) = (read(self.positions)?, read(self.normals)?);
        let offset_of = |offsets: &[Vec3], at: usize| offsets.get(at).copied().unwrap_or_default();
        let is_moved = |at: &usize| {
            offset_of(&positions, *at) != Vec3::ZERO || offset_of(&normals, *at) != Vec3::ZERO
        };
        let num_moved = (0..num).filter(is_moved).count();
        asset.charge::<[u32; 7]>(num_moved, "morph target")?;
        let mut shape = MorphShape {
            full_weight: 1.0,
            vertices: Vec::with_capacity(num_moved),
            position_offsets: Vec::with_capacity(num_moved),
            normal_offsets: Vec::new(),
        };
        if self.normals.is_some() {
            shape.normal_offsets.reserve_exact(num_moved);
        }
        for at in (0..num).filter(is_moved) {
            shape.vertices.push(VertexId::from_index(at));
            shape.position_offsets.push(offset_of(&positions, at));
            if self.normals.is_some() {
                shape.normal_offsets.push(offset_of(&normals, at));
            }
        }
        Ok(shape)
    }
}

/// Appends the shape of another primitive, whose vertices start at `base`.
pub(super) fn append(
    shape: &mut MorphShape,
    mut other: MorphShape,
    base: usize,
    asset: &mut Asset<'_>,
) -> Result<(), ReadError> {
    asset.charge::<[u32; 14]>(other.vertices.len(), "morph target")?;
    // If only one primitive has normals, those of the other don't change.
    if shape.normal_offsets.is_empty() && !other.normal_offsets.is_empty() {
        shape.normal_offsets.resize(shape.vertices.len(), Vec3::ZERO);
    }
    let has_normals = !shape.normal_offsets.is_empty();
    let moved = other.vertices.iter();
    let moved = moved.map(|vertex| VertexId::from_index(vertex.index().saturating_add(base)));
    shape.vertices.extend(moved);
    shape.position_offsets.append(&mut other.position_offsets);
    shape.normal_offsets.append(&mut other.normal_offsets);
    if has_normals {
        shape.normal_offsets.resize(shape.vertices.len(), Vec3::ZERO);
    }
    Ok(())
}

/// The targets of a mesh with names and weights; weights of the node override those of the mesh.
pub(super) fn targets(
    shapes: Vec<MorphShape>,
    asset: &Asset<'_>,
    mesh: usize,
    node_weights: Option<&[f32]>,
) -> Vec<MorphTarget> {
    let names = asset.target_names.get(mesh);
    let mesh_weights = asset.root.meshes.get(mesh).and_then(|m| m.weights.as_deref());
    let weights = node_weights.or(mesh_weights).unwrap_or_default();
    let target = |(at, shape): (usize, MorphShape)| MorphTarget {
        name: names.and_then(|n| n.get(at)).cloned().unwrap_or_default(),
        default_weight: weights.get(at).copied().unwrap_or_default(),
        shapes: vec![shape],
    };
    shapes.into_iter().enumerate().map(target).collect()
}
