//! From corners to vertices: one vertex for each different set of attributes on a control point.
//!
//! Influences and blend shapes belong to control points, so two of these never share a vertex.

use glam::{Vec2, Vec3, Vec4};
use ufbx::{AllocatorOpts, Mesh, VertexStream};

use super::load::read_error;
use super::math::{self, real};
use super::scene::Context;
use crate::formats::ReadError;
use crate::model::{Streams, UvSet};

/// Streams of this many floats; their bytes are compared.
type Rows<const N: usize> = Vec<[f32; N]>;

/// The vertices of one mesh.
#[derive(Clone, Default)]
pub(super) struct Split {
    pub(super) streams: Streams,
    /// Control point of each vertex.
    pub(super) control_points: Vec<u32>,
    /// Vertex of each corner.
    pub(super) vertex_of_corner: Vec<u32>,
}

impl Split {
    /// Floats that the streams hold for each vertex.
    pub(super) fn floats_per_vertex(&self) -> usize {
        let streams = &self.streams;
        let present = |num_floats: usize, is_empty: bool| if is_empty { 0 } else { num_floats };
        3 + present(3, streams.normals.is_empty())
            + present(4, streams.tangents.is_empty())
            + present(4, streams.colors.is_empty())
            + 2 * streams.uv_sets.len()
    }
}

/// Splits a mesh; one without faces becomes its control points.
pub(super) fn split(mesh: &Mesh, context: &mut Context<'_>) -> Result<Split, ReadError> {
    let num_corners = mesh.num_indices;
    if num_corners == 0 {
        return points(mesh, context);
    }
    let mut rows = Corners::of(mesh, context)?;
    let mut vertex_of_corner = vec![0u32; num_corners];
    let memory_limit = usize::try_from(context.limits.max_alloc_bytes).unwrap_or(usize::MAX);
    let allocator = AllocatorOpts {
        memory_limit,
        ..AllocatorOpts::default()
    };
    // Vertices come in the order in which their first corners do.
    let num = ufbx::generate_indices(&mut rows.streams(), &mut vertex_of_corner, allocator)
        .map_err(|error| read_error(context.format, &error))?;
    rows.truncate(num);
    let positions = rows.control_points.iter().map(|&point| {
        let position = mesh.vertices.get(point as usize);
        math::vec3(position.copied().unwrap_or_default())
    });
    let uv_sets = mesh.uv_sets.iter().zip(rows.uv_sets);
    Ok(Split {
        streams: Streams {
            positions: positions.collect(),
            normals: rows.normals.into_iter().map(Vec3::from).collect(),
            tangents: rows.tangents.into_iter().map(Vec4::from).collect(),
            colors: rows.colors.into_iter().map(Vec4::from).collect(),
            uv_sets: uv_sets
                .map(|(set, coords)| UvSet {
                    name: set.name.to_string(),
                    coords: coords.into_iter().map(Vec2::from).collect(),
                })
                .collect(),
        },
        control_points: rows.control_points,
        vertex_of_corner,
    })
}

fn points(mesh: &Mesh, context: &mut Context<'_>) -> Result<Split, ReadError> {
    let num = mesh.vertices.count;
    context.take::<[f32; 4]>(num, "vertices")?;
    Ok(Split {
        streams: Streams {
            positions: mesh.vertices.iter().map(|&v| math::vec3(v)).collect(),
            ..Streams::default()
        },
        control_points: (0..u32::try_from(num).unwrap_or(u32::MAX)).collect(),
        vertex_of_corner: Vec::new(),
    })
}

/// Attributes of all corners; each empty or as long as there are corners.
struct Corners {
    control_points: Vec<u32>,
    normals: Rows<3>,
    tangents: Rows<4>,
    colors: Rows<4>,
    uv_sets: Vec<Rows<2>>,
}

impl Corners {
    fn of(mesh: &Mesh, context: &mut Context<'_>) -> Result<Self, ReadError> {
        let num = mesh.num_indices;
        let (has_normals, has_colors) = (mesh.vertex_normal.exists, mesh.vertex_color.exists);
        let has_tangents = mesh.vertex_tangent.exists && mesh.vertex_bitangent.exists;
        let num_floats = 2 // control point, and vertex of the corner
            + if has_normals { 3 } else { 0 }
            + if has_tangents { 4 } else { 0 }
            + if has_colors { 4 } else { 0 }
            + 2 * mesh.uv_sets.count;
        let num_floats = num.saturating_mul(num_floats);
        // Twice: the library's own table of vertices is alive at the same time.
        context.take::<[f32; 2]>(num_floats, "vertices")?;
        let corners = || 0..num;
        let normal = |corner| {
            math::vec3(at(
                &mesh.vertex_normal.indices,
                &mesh.vertex_normal.values,
                corner,
            ))
        };
        let rows = Self {
            control_points: corners()
                .map(|corner| mesh.vertex_indices.get(corner).copied().unwrap_or_default())
                .collect(),
            normals: match has_normals {
                true => corners().map(|corner| normal(corner).to_array()).collect(),
                false => Vec::new(),
            },
            tangents: match has_tangents {
                true => corners()
                    .map(|corner| {
                        let (t, b) = (&mesh.vertex_tangent, &mesh.vertex_bitangent);
                        let tangent = math::vec3(at(&t.indices, &t.values, corner));
                        let bitangent = math::vec3(at(&b.indices, &b.values, corner));
                        let side = normal(corner).cross(tangent).dot(bitangent);
                        let sign = if side < 0.0 { -1.0 } else { 1.0 };
                        tangent.extend(sign).to_array()
                    })
                    .collect(),
                false => Vec::new(),
            },
            colors: match has_colors {
                true => corners()
                    .map(|corner| {
                        let c = &mesh.vertex_color;
                        math::vec4(at(&c.indices, &c.values, corner)).to_array()
                    })
                    .collect(),
                false => Vec::new(),
            },
            uv_sets: mesh
                .uv_sets
                .iter()
                .map(|set| {
                    let uv = &set.vertex_uv;
                    corners()
                        .map(|corner| {
                            let uv = at(&uv.indices, &uv.values, corner);
                            [real(uv.x), real(1.0 - uv.y)]
                        })
                        .collect()
                })
                .collect(),
        };
        Ok(rows)
    }

    /// What the library compares, and shortens in place.
    fn streams(&mut self) -> Vec<VertexStream<'_>> {
        let mut streams = vec![VertexStream::new(&mut self.control_points)];
        if !self.normals.is_empty() {
            streams.push(VertexStream::new(&mut self.normals));
        }
        for rows in [&mut self.tangents, &mut self.colors] {
            if !rows.is_empty() {
                streams.push(VertexStream::new(rows));
            }
        }
        streams.extend(self.uv_sets.iter_mut().map(|rows| VertexStream::new(rows)));
        streams
    }

    fn truncate(&mut self, num: usize) {
        self.control_points.truncate(num);
        self.normals.truncate(num);
        self.tangents.truncate(num);
        self.colors.truncate(num);
        for rows in &mut self.uv_sets {
            rows.truncate(num);
        }
    }
}

/// An attribute at a corner; zero where the file has none there.
fn at<T: Copy + Default>(indices: &[u32], values: &[T], corner: usize) -> T {
    let index = indices.get(corner).map(|&index| index as usize);
    let value = index.and_then(|index| values.get(index));
    value.copied().unwrap_or_default()
}
