//! Converts corners to vertices: corners of a control point share a vertex if all their attributes
//! are equal.
//!
//! Influences and blend shapes belong to control points, so two of them never share a vertex.

use glam::{Vec2, Vec3, Vec4};
use ufbx::{Face, Mesh};

use super::context::Context;
use super::math::{self, real};
use crate::formats::ReadError;
use rigscope_core::model::{Streams, UvSet, as_u32};

/// Limit on the vertices of a control point that a corner is compared with, newest first, so that
/// time doesn't grow with the square of the corners at one point. Beyond it, the corner becomes a
/// new vertex.
const MAX_COMPARED: usize = 256;
/// Marks a corner without a vertex, and the end of a control point's list of vertices.
const NO_VERTEX: u32 = u32::MAX;

#[derive(Clone, Default)]
pub(super) struct SplitMesh {
    pub(super) streams: Streams,
    /// Control point of each vertex.
    pub(super) control_points: Vec<u32>,
    /// Vertex of each corner; [`NO_VERTEX`] if the corner's position doesn't exist.
    pub(super) vertex_of_corner: Vec<u32>,
}

impl SplitMesh {
    /// The vertices of a face's corners; `None` if the face reaches past the corners of the mesh or
    /// a corner has no position.
    pub(super) fn vertices_of(&self, face: Face) -> Option<&[u32]> {
        let first = face.index_begin as usize;
        let end = first.checked_add(face.num_indices as usize)?;
        let vertices = self.vertex_of_corner.get(first..end)?;
        (!vertices.contains(&NO_VERTEX)).then_some(vertices)
    }
}

/// Number of floats per vertex in the streams.
pub(super) fn floats_per_vertex(streams: &Streams) -> usize {
    let present = |num_floats: usize, is_empty: bool| if is_empty { 0 } else { num_floats };
    3 + present(3, streams.normals.is_empty())
        + present(4, streams.tangents.is_empty())
        + present(4, streams.colors.is_empty())
        + 2 * streams.uv_sets.len()
}

/// Splits a mesh; without faces, its control points become the vertices.
pub(super) fn split(mesh: &Mesh, context: &mut Context<'_>) -> Result<SplitMesh, ReadError> {
    let num_corners = mesh.num_indices;
    if num_corners == 0 {
        return points(mesh, context);
    }
    let corners = MeshCorners {
        mesh,
        has_normals: mesh.vertex_normal.exists,
        has_tangents: mesh.vertex_tangent.exists && mesh.vertex_bitangent.exists,
        has_colors: mesh.vertex_color.exists,
    };
    // Each corner may become a vertex: its attributes, control point, index and next older vertex.
    let num_floats = corners.floats_per_corner().saturating_add(3);
    context.take::<f32>(num_corners.saturating_mul(num_floats), "vertices")?;
    context.take::<u32>(mesh.num_vertices, "vertices")?;
    let mut vertices = VertexBuilder {
        split: SplitMesh {
            streams: Streams {
                uv_sets: (mesh.uv_sets.iter())
                    .map(|set| UvSet { name: set.name.to_string(), coords: Vec::new() })
                    .collect(),
                ..Streams::default()
            },
            ..SplitMesh::default()
        },
        newest: vec![NO_VERTEX; mesh.num_vertices],
        older: Vec::new(),
    };
    // Vertices are in the order of their first corners.
    let numbers = (0..num_corners).map(|corner| vertices.number(&corners, corner));
    let vertex_of_corner = numbers.collect();
    Ok(SplitMesh { vertex_of_corner, ..vertices.split })
}

fn points(mesh: &Mesh, context: &mut Context<'_>) -> Result<SplitMesh, ReadError> {
    let num = mesh.vertices.count;
    context.take::<[f32; 4]>(num, "vertices")?;
    Ok(SplitMesh {
        streams: Streams {
            positions: mesh.vertices.iter().map(|&v| math::vec3(v)).collect(),
            ..Streams::default()
        },
        control_points: (0..as_u32(num)).collect(),
        vertex_of_corner: Vec::new(),
    })
}

/// The attributes of a mesh's corners.
struct MeshCorners<'a> {
    mesh: &'a Mesh,
    has_normals: bool,
    has_tangents: bool,
    has_colors: bool,
}

/// Attributes of a corner except UVs; zero if the mesh doesn't have them.
#[derive(Clone, Copy)]
struct CornerAttributes {
    normal: Vec3,
    tangent: Vec4,
    color: Vec4,
}

impl MeshCorners<'_> {
    fn floats_per_corner(&self) -> usize {
        let present = |num_floats: usize, is_present: bool| if is_present { num_floats } else { 0 };
        3 + present(3, self.has_normals)
            + present(4, self.has_tangents)
            + present(4, self.has_colors)
            + 2 * self.mesh.uv_sets.count
    }

    fn at(&self, corner: usize) -> CornerAttributes {
        let mesh = self.mesh;
        let vec3 = |attribute: &ufbx::VertexVec3| {
            math::vec3(at(&attribute.indices, &attribute.values, corner))
        };
        let normal = if self.has_normals { vec3(&mesh.vertex_normal) } else { Vec3::ZERO };
        let tangent = if self.has_tangents {
            let tangent = vec3(&mesh.vertex_tangent);
            let side = normal.cross(tangent).dot(vec3(&mesh.vertex_bitangent));
            tangent.extend(if side < 0.0 { -1.0 } else { 1.0 })
        } else {
            Vec4::ZERO
        };
        let color = if self.has_colors {
            let color = &mesh.vertex_color;
            // MeshCorners without a colour are white.
            let own = found(&color.indices, &color.values, corner);
            own.map_or(Vec4::ONE, math::color)
        } else {
            Vec4::ZERO
        };
        CornerAttributes { normal, tangent, color }
    }

    /// The UVs of each set, v down.
    fn uvs(&self, corner: usize) -> impl Iterator<Item = Vec2> {
        self.mesh.uv_sets.iter().map(move |set| {
            let uv = at(&set.vertex_uv.indices, &set.vertex_uv.values, corner);
            Vec2::new(real(uv.x), real(1.0 - uv.y))
        })
    }
}

/// An attribute at a corner; zero if the file doesn't store it there.
fn at<T: Copy + Default>(indices: &[u32], values: &[T], corner: usize) -> T {
    found(indices, values, corner).unwrap_or_default()
}

fn found<T: Copy>(indices: &[u32], values: &[T], corner: usize) -> Option<T> {
    let index = indices.get(corner).map(|&index| index as usize)?;
    values.get(index).copied()
}

/// Vertices under construction, with a linked list per control point.
struct VertexBuilder {
    split: SplitMesh,
    /// Per control point.
    newest: Vec<u32>,
    /// For each vertex, the previous vertex of its control point.
    older: Vec<u32>,
}

impl VertexBuilder {
    /// The vertex of a corner: one whose attributes have the same bits, or a new one. [`NO_VERTEX`]
    /// if the corner's position doesn't exist.
    fn number(&mut self, corners: &MeshCorners<'_>, number: usize) -> u32 {
        // The arrays that the library itself follows when it triangulates.
        let positions = &corners.mesh.vertex_position;
        let point = positions.indices.get(number).copied().unwrap_or(NO_VERTEX);
        if point as usize >= positions.values.count {
            return NO_VERTEX;
        }
        let Some(&newest) = self.newest.get(point as usize) else { return NO_VERTEX };
        let corner = corners.at(number);
        let mut vertex = newest;
        for _ in 0..MAX_COMPARED {
            if vertex == NO_VERTEX {
                break;
            }
            if self.is_same(vertex as usize, corners, &corner, number) {
                return vertex;
            }
            vertex = self.older.get(vertex as usize).copied().unwrap_or(NO_VERTEX);
        }
        let made = u32::try_from(self.older.len()).unwrap_or(NO_VERTEX);
        self.push(corners, &corner, number, point);
        self.older.push(newest);
        if let Some(slot) = self.newest.get_mut(point as usize) {
            *slot = made;
        }
        made
    }

    fn is_same(
        &self,
        vertex: usize,
        corners: &MeshCorners<'_>,
        corner: &CornerAttributes,
        number: usize,
    ) -> bool {
        let streams = &self.split.streams;
        // If a mesh doesn't have an attribute, all its corners have zero.
        let is_same3 = |list: &[Vec3], own: Vec3| {
            let other = list.get(vertex);
            other.is_none_or(|other| have_same_bits(other.to_array(), own.to_array()))
        };
        let is_same4 = |list: &[Vec4], own: Vec4| {
            let other = list.get(vertex);
            other.is_none_or(|other| have_same_bits(other.to_array(), own.to_array()))
        };
        let mut uvs = streams.uv_sets.iter().zip(corners.uvs(number));
        is_same3(&streams.normals, corner.normal)
            && is_same4(&streams.tangents, corner.tangent)
            && is_same4(&streams.colors, corner.color)
            && uvs.all(|(set, own)| {
                let other = set.coords.get(vertex);
                other.is_some_and(|other| have_same_bits(other.to_array(), own.to_array()))
            })
    }

    fn push(
        &mut self,
        corners: &MeshCorners<'_>,
        corner: &CornerAttributes,
        number: usize,
        point: u32,
    ) {
        let streams = &mut self.split.streams;
        let position = corners.mesh.vertices.get(point as usize);
        let position = position.copied().unwrap_or_default();
        streams.positions.push(math::vec3(position));
        if corners.has_normals {
            streams.normals.push(corner.normal);
        }
        if corners.has_tangents {
            streams.tangents.push(corner.tangent);
        }
        if corners.has_colors {
            streams.colors.push(corner.color);
        }
        for (set, uv) in streams.uv_sets.iter_mut().zip(corners.uvs(number)) {
            set.coords.push(uv);
        }
        self.split.control_points.push(point);
    }
}

fn have_same_bits<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
    a.iter().zip(&b).all(|(a, b)| a.to_bits() == b.to_bits())
}
