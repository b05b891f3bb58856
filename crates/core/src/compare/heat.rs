//! A model whose surface shows the deviation of its vertices.
//!
//! Each triangle gets a material with the colour of its worst corner, so that every renderer can
//! draw the model.

use glam::{Vec3, Vec4};

use super::Comparison;
use super::side::ComparedSide;
use crate::model::{
    Indices, Material, MaterialId, MaterialLook, Mesh, Model, Streams, Subset, VertexData,
};

/// Number of colours from no deviation to the largest.
const NUM_STEPS: usize = 24;
/// From no deviation to the largest, linear RGB: blue, cyan, green, yellow, red.
const COLORS: [Vec3; 5] = [
    Vec3::new(0.02, 0.05, 0.45),
    Vec3::new(0.02, 0.40, 0.55),
    Vec3::new(0.05, 0.45, 0.05),
    Vec3::new(0.80, 0.60, 0.02),
    Vec3::new(0.75, 0.02, 0.02),
];
/// Colour of vertices without a match, linear RGB: magenta.
const UNMATCHED: Vec3 = Vec3::new(0.75, 0.02, 0.60);

/// The deviation of each vertex of B, in the pose of the matching or at any time of a clip,
/// the larger of the two. Display units; infinite for vertices without a match.
#[must_use]
pub fn heat(comparison: &Comparison) -> Vec<f32> {
    let mut heat = comparison.per_vertex_position.clone();
    if let Some(error) = &comparison.pose_error {
        for (heat, &moved) in heat.iter_mut().zip(&error.per_vertex) {
            *heat = heat.max(moved);
        }
    }
    heat
}

impl Comparison {
    /// The second model as a heat map: see [`heat_model`]. Red is the largest distance of a vertex.
    #[must_use]
    pub fn heat_model(&self, b: &Model) -> Model {
        let finite = heat(self).into_iter().filter(|distance| distance.is_finite());
        heat_model(b, self, finite.fold(0.0, f32::max))
    }
}

/// B's triangles in the pose of the matching, display space, in colours from blue (0) to red
/// (`most`). Magenta if a corner has no match.
#[must_use]
pub fn heat_model(b: &Model, comparison: &Comparison, most: f32) -> Model {
    let heat = heat(comparison);
    let side = ComparedSide::new(b, None);
    let posed = side.posed(comparison.matching.pose_b);
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); NUM_STEPS + 1];
    for (mesh_number, mesh) in b.meshes.iter().enumerate() {
        for corners in mesh.triangles(0..mesh.indices.len()) {
            let [x, y, z] = corners.map(|corner| side.number(mesh_number, corner));
            let worst = [x, y, z].map(|corner| heat.get(corner).copied().unwrap_or(0.0));
            let step = step(worst.into_iter().fold(0.0, f32::max), most);
            let corners = if b.axes.reverses_winding() { [x, z, y] } else { [x, y, z] };
            let numbers = corners.map(|corner| u32::try_from(corner).unwrap_or(u32::MAX));
            lists[step].extend(numbers);
        }
    }
    let (mut indices, mut subsets, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    for (step, list) in lists.iter().enumerate() {
        let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        subsets.push(Subset {
            first_index: number(indices.len()),
            index_count: number(list.len()),
            material: Some(MaterialId::from_index(step)),
        });
        indices.extend_from_slice(list);
        materials.push(Material {
            name: format!("heat {step}"),
            look: Some(Box::new(MaterialLook {
                base_color: color(step),
                is_two_sided: true,
                ..MaterialLook::default()
            })),
            ..Material::default()
        });
    }
    subsets.retain(|subset| subset.index_count > 0);
    Model {
        name: b.name.clone(),
        meshes: vec![Mesh {
            vertices: VertexData::Streams(Streams {
                positions: posed.positions,
                normals: posed.normals,
                ..Streams::default()
            }),
            indices: Indices::U32(indices),
            subsets,
            ..Mesh::default()
        }],
        materials,
        ..Model::default()
    }
}

fn step(heat: f32, most: f32) -> usize {
    if !heat.is_finite() {
        return NUM_STEPS;
    }
    let share = if most > 0.0 { heat / most } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the steps")]
    #[expect(clippy::cast_sign_loss, reason = "clamped to the steps")]
    let step = (share.clamp(0.0, 1.0) * (NUM_STEPS - 1) as f32).round() as usize;
    step
}

fn color(step: usize) -> Vec4 {
    if step >= NUM_STEPS {
        return UNMATCHED.extend(1.0);
    }
    let at = step as f32 / (NUM_STEPS - 1) as f32 * (COLORS.len() - 1) as f32;
    #[expect(clippy::cast_possible_truncation, reason = "below the number of colours")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let low = (at as usize).min(COLORS.len() - 2);
    COLORS[low].lerp(COLORS[low + 1], at - low as f32).extend(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_ranges_from_blue_to_red_and_unmatched_is_magenta() {
        assert_eq!(color(step(0.0, 2.0)), COLORS[0].extend(1.0));
        assert_eq!(color(step(2.0, 2.0)), COLORS[4].extend(1.0));
        assert_eq!(color(step(9.0, 2.0)), COLORS[4].extend(1.0));
        assert_eq!(color(step(f32::INFINITY, 2.0)), UNMATCHED.extend(1.0));
        assert_eq!(step(0.0, 0.0), 0);
    }
}
