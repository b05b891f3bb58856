//! Reverses triangles that are mirrored by their skin, as authoring tools export them: a mesh below a node
//! with negative scale is bound unchanged, so that the skin matrices mirror its vertices even at rest.
//!
//! Skinning never reverses triangles: only the winding after posing counts, in runtimes and in [`Model`]. If
//! the mesh was modelled as stored in the file, its normals and fronts agree there, so after mirroring they
//! are on opposite sides. Such triangles are reversed here, together with their bitangents. If normals and
//! fronts already disagree in the file, its writer has reversed the triangles, as the writers of this program
//! do.
//!
//! For: readers of FBX and glTF.
//! Not for: meshes on nodes without a skin; these are reversed for display and when they are detached from
//! their nodes ([`rigscope_core::reshape::skin_attached_meshes`] and others).

use glam::Vec3;

use rigscope_core::model::{
    FindingKind, Indices, Mesh, MeshId, Model, Place, Report, Skin, as_u32, counted,
};
use rigscope_core::model::{VertexData, Winding, numbered};
use rigscope_core::pose::{MeshPose, PoseSpec, mirrored_vertices, mirrors, sample};

/// Reverses the mirrored triangles of a checked model if their normals call for it.
pub(super) fn reverse(model: &mut Model, report: &Report) {
    let is_skin = |mesh: &Mesh| matches!(mesh.skin, Skin::InverseBind(_));
    if !model.meshes.iter().any(is_skin) {
        return;
    }
    let pose = sample(model, &PoseSpec::default());
    let is_clockwise = model.axes.winding == Winding::Clockwise;
    for (number, mesh) in model.meshes.iter_mut().enumerate() {
        let of_mesh = pose.of_mesh(MeshId::from_index(number), mesh);
        let num_reversed = reverse_in_mesh(mesh, &of_mesh, is_clockwise);
        if num_reversed > 0 {
            let place = Place::Mesh(as_u32(number));
            let name = numbered("mesh", number, &mesh.name);
            let triangles = counted(num_reversed as u64, "triangle");
            let what = format!("the skin of {name} mirrors {triangles}");
            report.add(FindingKind::MirroredSkin, place, what);
        }
    }
}

/// Reverses the mirrored triangles of one mesh and returns their number.
fn reverse_in_mesh(mesh: &mut Mesh, pose: &MeshPose, is_clockwise: bool) -> usize {
    let is_skin = matches!(mesh.skin, Skin::InverseBind(_));
    if !is_skin || !pose.palette.iter().any(mirrors) {
        return 0;
    }
    let is_mirrored = mirrored_vertices(mesh, pose);
    let mirrored = |corner: &u32| is_mirrored.get(*corner as usize).is_some_and(|is| *is);
    // A triangle with both kinds of vertices follows the majority.
    let is_reversed = |corners: &[u32; 3]| corners.iter().filter(|c| mirrored(c)).count() > 1;
    let agreement = agreement(mesh, is_reversed);
    // Missing normals don't count either way.
    let agrees = if is_clockwise { agreement < 0.0 } else { agreement > 0.0 };
    if !agrees {
        return 0;
    }
    let mut num_reversed = 0;
    if let Indices::U32(indices) = &mut mesh.indices {
        for corners in indices.as_chunks_mut::<3>().0 {
            if is_reversed(corners) {
                corners.swap(1, 2);
                num_reversed += 1;
            }
        }
    }
    if let VertexData::Streams(streams) = &mut mesh.vertices {
        let tangents = streams.tangents.iter_mut().zip(&is_mirrored);
        for (tangent, _) in tangents.filter(|(_, is_mirrored)| **is_mirrored) {
            tangent.w = -tangent.w;
        }
    }
    num_reversed
}

/// Positive if the chosen triangles are counter-clockwise with respect to their normals, weighted by area.
fn agreement(mesh: &Mesh, is_chosen: impl Fn(&[u32; 3]) -> bool) -> f64 {
    let mut sum = 0.0;
    for corners in mesh.triangles(0..mesh.indices.len()).filter(is_chosen) {
        let [a, b, c] = corners.map(|corner| mesh.position(corner as usize).unwrap_or_default());
        let normal: Vec3 = corners.iter().filter_map(|&corner| mesh.normal(corner as usize)).sum();
        let side = (b - a).as_dvec3().cross((c - a).as_dvec3());
        sum += side.dot(normal.as_dvec3());
    }
    sum
}
