//! Skins only the positions of a mesh or of some of its vertices, for comparing two models over all
//! their keys. Normals would take most of the time.

use glam::Vec3;
use rayon::prelude::*;

use super::lanes::LANES;
use super::packed::PosedVertices;
use super::skin::{Blend, Palette, bone_local_vertex};
use super::{MeshPose, morph};
use crate::model::{Influences, Mesh, PackedVertex, PackedVertices, Skin, VertexData};

/// The positions of [`super::skin_mesh`].
#[must_use]
pub fn skin_positions(mesh: &Mesh, pose: &MeshPose) -> Vec<Vec3> {
    if let Some(positions) = &pose.positions {
        return positions.clone();
    }
    if let (VertexData::Packed(packed), true) = (&mesh.vertices, is_packed_alone(mesh)) {
        return packed_positions(packed, pose);
    }
    let num = mesh.num_vertices();
    if let Skin::BoneLocal(skin) = &mesh.skin {
        return moved(num, |vertex| Some(bone_local_vertex(skin, vertex, pose).0));
    }
    let mut positions = match &mesh.vertices {
        VertexData::Streams(streams) => streams.positions.clone(),
        VertexData::Packed(packed) => packed.iter().map(|vertex| vertex.position).collect(),
    };
    morph::apply(mesh, &pose.morph_weights, &mut positions, &mut []);
    let palette = Palette::of(mesh, &pose.palette);
    positions.par_iter_mut().with_min_len(MIN_LEN).enumerate().for_each(|(vertex, position)| {
        let blend = palette.blend_of(mesh, vertex);
        *position = blend.0.transform_point3(*position);
    });
    positions
}

/// Vertices per task: enough to make the cost of distributing work negligible.
const MIN_LEN: usize = 4096;

fn packed_positions(vertices: &PackedVertices, pose: &MeshPose) -> Vec<Vec3> {
    let posed = PosedVertices::new(vertices, pose);
    // Whole lanes are written.
    let mut positions = vec![Vec3::ZERO; vertices.len().next_multiple_of(LANES)];
    let (lanes, _) = positions.as_chunks_mut();
    lanes.par_iter_mut().with_min_len(MIN_LEN / LANES).enumerate().for_each(|(at, out)| {
        let four = posed.four(at * LANES);
        *out = posed.matrices(&four).transform_points(four.positions).to_array();
    });
    positions.truncate(vertices.len());
    positions
}

/// All vertices below `num`, in parallel.
fn moved(num: usize, place: impl Fn(usize) -> Option<Vec3> + Sync) -> Vec<Vec3> {
    let vertices = (0..num).into_par_iter().with_min_len(MIN_LEN);
    vertices.map(|vertex| place(vertex).unwrap_or_default()).collect()
}

/// Like [`skin_positions`], for `vertices` in their order; zero for those past the end.
#[must_use]
pub fn skin_some_positions(mesh: &Mesh, pose: &MeshPose, vertices: &[u32]) -> Vec<Vec3> {
    if let Some(positions) = &pose.positions {
        let of = |&vertex: &u32| positions.get(vertex as usize).copied();
        return vertices.iter().map(|v| of(v).unwrap_or_default()).collect();
    }
    if let (VertexData::Packed(packed), true) = (&mesh.vertices, is_packed_alone(mesh)) {
        let of = |&vertex: &u32| Some(packed_position(&packed.get(vertex as usize)?, pose));
        return vertices.iter().map(|v| of(v).unwrap_or_default()).collect();
    }
    let palette = Palette::of(mesh, &pose.palette);
    let of = |&vertex: &u32| {
        let vertex = vertex as usize;
        let position = mesh.position(vertex)? + morph::offset(mesh, &pose.morph_weights, vertex);
        Some(match &mesh.skin {
            Skin::BoneLocal(skin) => bone_local_vertex(skin, vertex, pose).0,
            _ => palette.blend_of(mesh, vertex).0.transform_point3(position),
        })
    };
    vertices.iter().map(|v| of(v).unwrap_or_default()).collect()
}

/// Whether vertices are packed with their influences, without morph targets.
fn is_packed_alone(mesh: &Mesh) -> bool {
    let is_inside = match &mesh.skin {
        Skin::InverseBind(skin) => matches!(skin.influences, Influences::InVertices),
        _ => false,
    };
    is_inside && mesh.morph_targets.is_empty()
}

fn packed_position(vertex: &PackedVertex, pose: &MeshPose) -> Vec3 {
    let mut blend = Blend::ZERO;
    for (bone, weight) in vertex.influences() {
        if let Some(matrix) = pose.palette.get(usize::from(bone)) {
            blend.add(matrix, weight);
        }
    }
    blend.0.transform_point3(vertex.position)
}
