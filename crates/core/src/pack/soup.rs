//! All meshes as one list of float vertices and triangles, display space.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};

use super::bones::{Bound, for_each_slot};
use crate::model::{
    BoneLocalSkin, MaterialId, Mesh, MeshId, Model, Origin, Skin, VertexAt, as_u32,
};
use crate::pack::axes::Conversion;
use crate::pose::{Pose, transformed_normal};

/// The group of triangles outside all subsets, which aren't drawn.
pub(super) const UNDRAWN: u32 = u32::MAX;

/// A vertex and its influences, display space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) position: Vec3,
    pub(super) normal: Vec3,
    pub(super) tangent: Vec4,
    pub(super) uv: Vec2,
    /// Index of the first influence.
    pub(super) first: u32,
    pub(super) num: u32,
    pub(super) origin: Origin,
}

/// Three corners and the group in which they are drawn; there is one group per material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    pub(super) group: u32,
}

/// One mesh's vertices and triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Soup {
    pub(super) vertices: Vec<Vertex>,
    /// Pair and weight of each influence.
    pub(super) influences: Vec<(u32, f32)>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) has_uvs: bool,
    pub(super) has_tangents: bool,
    pub(super) num_unweighted: usize,
}

impl Soup {
    /// Influences of a vertex.
    pub(super) fn influences_of(&self, vertex: &Vertex) -> &[(u32, f32)] {
        let first = vertex.first as usize;
        let range = first..first + vertex.num as usize;
        self.influences.get(range).unwrap_or_default()
    }

    /// Flips all triangles and bitangents.
    pub(super) fn turn(&mut self) {
        for triangle in &mut self.triangles {
            triangle.corners.swap(1, 2);
        }
        for vertex in &mut self.vertices {
            vertex.tangent.w = -vertex.tangent.w;
        }
    }

    /// Appends a vertex and returns its number.
    pub(super) fn push(&mut self, vertex: Vertex) -> u32 {
        let number = as_u32(self.vertices.len());
        self.vertices.push(vertex);
        number
    }
}

/// Materials in the order of their first use, one group each.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    pub(super) materials: Vec<Option<MaterialId>>,
    numbers: HashMap<Option<MaterialId>, u32>,
}

impl Groups {
    fn number(&mut self, material: Option<MaterialId>) -> u32 {
        *self.numbers.entry(material).or_insert_with(|| {
            self.materials.push(material);
            u32::try_from(self.materials.len() - 1).unwrap_or(UNDRAWN)
        })
    }
}

/// One mesh, with morph targets at their default weights.
pub(super) fn soup(
    model: &Model,
    number: usize,
    bound: &Bound,
    default_pose: &Pose,
    conversion: &Conversion,
    groups: &mut Groups,
) -> Soup {
    let mesh = &model.meshes[MeshId::from_index(number)];
    let (positions, normals) = shaped(mesh, default_pose);
    let num_slots = bound.pair_of_slot.len();
    let mut soup = Soup {
        has_uvs: mesh.uv(0).is_some(),
        has_tangents: mesh.tangent(0).is_some(),
        ..Soup::default()
    };
    for vertex in 0..mesh.num_vertices() {
        let first = soup.influences.len();
        for_each_slot(mesh, num_slots, vertex, |slot, weight| {
            if let Some(&Some(pair)) = bound.pair_of_slot.get(slot) {
                soup.influences.push((pair, weight));
                soup.num_unweighted += usize::from(slot + 1 == num_slots);
            }
        });
        let at = |list: &[Vec3]| list.get(vertex).copied().unwrap_or_default();
        let tangent = mesh.tangent(vertex).unwrap_or_default();
        let position = match bound.placed {
            Some(placed) => placed.transform_point3(at(&positions)),
            None => at(&positions),
        };
        let (normal, xyz) = match bound.placed {
            // As runtimes of the source display it at that position.
            Some(placed) => {
                let own = (at(&normals).into(), tangent.truncate().into());
                let (normal, xyz) =
                    transformed_normal(&placed.matrix3, model.normal_matrix, own.0, own.1);
                (normal.into(), xyz.into())
            }
            None => (at(&normals), tangent.truncate()),
        };
        let num = soup.influences.len() - first;
        soup.vertices.push(Vertex {
            position: conversion.point(position),
            normal: conversion.direction(normal),
            tangent: conversion.tangent(xyz.extend(tangent.w)),
            // Like the original tool, which also flips v of missing UVs.
            uv: mesh.uv(vertex).unwrap_or(Vec2::Y),
            first: as_u32(first),
            num: as_u32(num),
            origin: Origin::Vertex(VertexAt::new(number, vertex)),
        });
    }
    soup.triangles = triangles(mesh, conversion, groups);
    soup
}

/// Triangles by subset, followed by those outside all subsets. Without subsets, all are drawn.
fn triangles(mesh: &Mesh, conversion: &Conversion, groups: &mut Groups) -> Vec<Triangle> {
    let mut out = Vec::with_capacity(mesh.num_triangles());
    let mut add = |range: std::ops::Range<usize>, group: u32| {
        out.extend(
            mesh.triangles(range)
                .map(|corners| Triangle { corners: conversion.triangle(corners), group }),
        );
    };
    let num_indices = mesh.indices.len();
    if mesh.subsets.is_empty() && num_indices > 0 {
        add(0..num_indices, groups.number(None));
        return out;
    }
    let mut is_drawn = vec![false; num_indices / 3];
    for subset in &mesh.subsets {
        let range = subset.range();
        add(range.clone(), groups.number(subset.material));
        let drawn = is_drawn.get_mut(range.start / 3..(range.end / 3).min(num_indices / 3));
        drawn.unwrap_or_default().fill(true);
    }
    for (triangle, _) in is_drawn.iter().enumerate().filter(|(_, drawn)| !**drawn) {
        add(triangle * 3..triangle * 3 + 3, UNDRAWN);
    }
    out
}

/// Positions and normals before skinning, file space.
fn shaped(mesh: &Mesh, default_pose: &Pose) -> (Vec<Vec3>, Vec<Vec3>) {
    let num = mesh.num_vertices();
    if let Skin::BoneLocal(skin) = &mesh.skin {
        return (0..num).map(|vertex| bone_local(skin, vertex, default_pose)).unzip();
    }
    let all = |get: fn(&Mesh, usize) -> Option<Vec3>| -> Vec<Vec3> {
        (0..num).map(|v| get(mesh, v).unwrap_or_default()).collect()
    };
    let (mut positions, mut normals) = (all(Mesh::position), all(Mesh::normal));
    for target in &mesh.morph_targets {
        let weights = target.shape_weights(target.default_weight);
        for (shape, weight) in target.shapes.iter().zip(weights).filter(|(_, w)| *w != 0.0) {
            let offset = |list: &mut [Vec3], offsets: &[Vec3]| {
                for (vertex, &offset) in shape.vertices.iter().zip(offsets) {
                    if let Some(value) = list.get_mut(vertex.index()) {
                        *value += offset * weight;
                    }
                }
            };
            offset(&mut positions, &shape.position_offsets);
            offset(&mut normals, &shape.normal_offsets);
        }
    }
    (positions, normals)
}

/// The position of a vertex with several stored positions in the default pose, model space.
fn bone_local(skin: &BoneLocalSkin, vertex: usize, pose: &Pose) -> (Vec3, Vec3) {
    let (mut position, mut normal, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    skin.for_each(vertex, |influence| {
        let bone = pose.model_from_bone[influence.bone];
        position += bone.transform_point3(influence.position) * influence.weight;
        let rotated = bone.transform_vector3(influence.normal);
        normal += rotated.normalize_or_zero() * influence.weight;
        sum += influence.weight;
    });
    let scale = if sum > 0.0 { 1.0 / sum } else { 0.0 };
    (position * scale, normal.normalize_or_zero())
}
