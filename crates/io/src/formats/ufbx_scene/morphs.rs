//! Blend channels as morph targets.

use glam::Vec3;
use ufbx::{BlendChannel, BlendShape, Mesh};

use super::math;
use crate::formats::Budget;
use rigscope_core::model::{MorphShape, MorphTarget, VertexId};

/// A blend channel that a stack may animate.
pub(super) struct AnimatedChannel {
    pub(super) mesh: usize,
    pub(super) target: usize,
    /// Index in the scene's list.
    pub(super) channel: usize,
}

/// The blend channels of a mesh, in the order of its targets.
pub(super) fn channels(mesh: &Mesh) -> impl Iterator<Item = &BlendChannel> {
    let deformers = mesh.blend_deformers.into_iter();
    deformers.flat_map(|deformer| deformer.channels.into_iter())
}

/// The targets of a mesh whose vertices have these `control_points`.
///
/// # Errors
/// The number of bytes left, if offsets need more.
pub(super) fn targets(
    mesh: &Mesh,
    control_points: &[u32],
    budget: &mut Budget,
) -> Result<Vec<MorphTarget>, u64> {
    if mesh.blend_deformers.count == 0 {
        return Ok(Vec::new());
    }
    budget.take::<[u32; 2]>(control_points.len() + mesh.num_vertices)?;
    let vertices = VerticesOfPoint::of(control_points, mesh.num_vertices);
    let mut targets = Vec::new();
    for channel in channels(mesh) {
        let mut shapes = Vec::new();
        for key in &channel.keyframes {
            shapes.push(MorphShape {
                full_weight: math::real(key.target_weight),
                ..shape(&key.shape, &vertices, budget)?
            });
        }
        shapes.sort_by(|a, b| a.full_weight.total_cmp(&b.full_weight));
        targets.push(MorphTarget {
            name: channel.element.name.to_string(),
            default_weight: math::real(channel.weight),
            shapes,
        });
    }
    Ok(targets)
}

fn shape(
    shape: &BlendShape,
    vertices: &VerticesOfPoint,
    budget: &mut Budget,
) -> Result<MorphShape, u64> {
    // Blender writes normal offsets of zero, which would leave every normal unchanged: omitting
    // them is equivalent, and cheaper. Ambiguous: the programs that wrote the samples recompute
    // normals for the posed faces, so no sample shows whether offsets are to be added unchanged.
    let normals = &shape.normal_offsets;
    let is_moved = |n: &ufbx::Vec3| n.x != 0.0 || n.y != 0.0 || n.z != 0.0;
    let has_normals = normals.count == shape.offset_vertices.count && normals.iter().any(is_moved);
    let mut moved: Vec<(u32, Vec3, Vec3)> = Vec::new();
    for (at, (&point, &offset)) in
        shape.offset_vertices.iter().zip(shape.position_offsets.iter()).enumerate()
    {
        // Only Blender writes these; they scale the offset of their vertex.
        let weight = shape.offset_weights.get(at).map_or(1.0, |&w| math::real(w));
        let normal = shape.normal_offsets.get(at).copied().unwrap_or_default();
        let (offset, normal) = (math::vec3(offset) * weight, math::vec3(normal) * weight);
        let own = vertices.of_point(point);
        budget.take::<[f32; 14]>(own.len())?;
        moved.extend(own.iter().map(|&vertex| (vertex, offset, normal)));
    }
    moved.sort_by_key(|&(vertex, ..)| vertex);
    // The offsets of a vertex that is listed twice are added.
    moved.dedup_by(|later, kept| {
        let is_same = later.0 == kept.0;
        if is_same {
            kept.1 += later.1;
            kept.2 += later.2;
        }
        is_same
    });
    Ok(MorphShape {
        full_weight: 0.0,
        vertices: moved.iter().map(|&(vertex, ..)| VertexId(vertex)).collect(),
        position_offsets: moved.iter().map(|&(_, offset, _)| offset).collect(),
        normal_offsets: if has_normals {
            moved.iter().map(|&(.., normal)| normal).collect()
        } else {
            Vec::new()
        },
    })
}

/// The vertices of each control point.
struct VerticesOfPoint {
    first: Vec<u32>,
    vertices: Vec<u32>,
}

impl VerticesOfPoint {
    fn of(control_points: &[u32], num_points: usize) -> Self {
        let mut first = vec![0u32; num_points + 1];
        for &point in control_points {
            if let Some(next) = first.get_mut(point as usize + 1) {
                *next += 1;
            }
        }
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        let mut fill = first.clone();
        let mut vertices = vec![0; control_points.len()];
        for (vertex, &point) in (0u32..).zip(control_points) {
            if let Some(at) = fill.get_mut(point as usize)
                && let Some(slot) = vertices.get_mut(*at as usize)
            {
                *slot = vertex;
                *at += 1;
            }
        }
        Self { first, vertices }
    }

    fn of_point(&self, point: u32) -> &[u32] {
        let at = point as usize;
        let (Some(&from), Some(&to)) = (self.first.get(at), self.first.get(at.saturating_add(1)))
        else {
            return &[];
        };
        let own = self.vertices.get(from as usize..to as usize);
        own.unwrap_or_default()
    }
}
