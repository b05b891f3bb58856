//! Front faces of meshes attached to mirroring nodes.
//!
//! Renderers flip the triangles of a mesh on a mirroring node (glTF 2.0, section 3.7.4), and the sign of its
//! bitangents refers to the unmirrored mesh. Skinning doesn't flip anything: only the winding of posed
//! triangles counts. So when a mesh leaves its node, because it becomes a skin or static, its triangles and
//! bitangents must be flipped. This module is the only place that does so. Not for: skins that mirror, which
//! readers flip (`formats`).

use glam::Mat4;

use super::float::floats;
use crate::model::{
    BoneId, Indices, Influences, InverseBindSkin, Mesh, MeshId, Model, Skin, VertexData,
};
use crate::pose::{PoseSpec, sample};

/// `model` with a single-bone skin for each mesh attached to a bone, posing as before, and the number of
/// these that were flipped because the default pose mirrors them.
///
/// No transform starts or stops mirroring while it moves, so any pose gives the same result.
#[must_use]
pub fn skin_attached_meshes(model: &Model) -> (Model, usize) {
    let mirrored = mirrored_meshes(model);
    let mut out = floats(model);
    for (mesh, is_mirrored) in out.meshes.iter_mut().zip(&mirrored) {
        if *is_mirrored {
            turn(mesh);
        }
        if let (Skin::None, Some(bone)) = (&mesh.skin, mesh.attached_to.take()) {
            mesh.skin = Skin::InverseBind(skin_of(bone, mesh.num_vertices()));
        }
    }
    let num_reversed = mirrored.iter().filter(|mirrored| **mirrored).count();
    (out, num_reversed)
}

/// Whether each mesh is attached to a node that mirrors it in the default pose.
#[must_use]
pub fn mirrored_meshes(model: &Model) -> Vec<bool> {
    let hangs = |mesh: &Mesh| matches!(mesh.skin, Skin::None) && mesh.attached_to.is_some();
    if !model.meshes.iter().any(hangs) {
        return vec![false; model.meshes.len()];
    }
    let pose = sample(model, &PoseSpec::default());
    let meshes = model.meshes.iter().enumerate();
    let is_mirrored = |(number, mesh): (usize, &Mesh)| {
        hangs(mesh) && pose.is_mirrored(MeshId::from_index(number), mesh)
    };
    meshes.map(is_mirrored).collect()
}

/// The number of meshes attached to a node that mirrors them in the default pose.
pub fn num_mirrored(model: &Model) -> usize {
    let mirrored = mirrored_meshes(model).into_iter();
    mirrored.filter(|is_mirrored| *is_mirrored).count()
}

/// Flips the triangles of a float mesh, and its bitangents with them.
pub(super) fn turn(mesh: &mut Mesh) {
    if let Indices::U32(indices) = &mut mesh.indices {
        for corners in indices.as_chunks_mut::<3>().0 {
            corners.swap(1, 2);
        }
    }
    if let VertexData::Streams(streams) = &mut mesh.vertices {
        for tangent in &mut streams.tangents {
            tangent.w = -tangent.w;
        }
    }
}

fn skin_of(bone: BoneId, num_vertices: usize) -> InverseBindSkin {
    let one: &[(u32, f32)] = &[(0, 1.0)];
    InverseBindSkin {
        bones: vec![bone],
        bone_from_mesh: vec![Mat4::IDENTITY],
        influences: Influences::from_lists((0..num_vertices).map(|_| one)),
        ..InverseBindSkin::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;
    use crate::pack::{PackOptions, pack};
    use crate::reshape::fixture::{mirrored_triangle, outward};
    use crate::reshape::{merged, static_model};

    /// Compares posed front faces with posed normals, and posed bitangents with the intended ones.
    fn is_as_drawn(model: &Model) -> bool {
        outward(model).iter().all(|is_outward| *is_outward)
    }

    #[test]
    fn meshes_on_mirrored_nodes_keep_their_front_faces_and_bitangents() {
        for mirrors in [1, 2, 3] {
            let source = mirrored_triangle(mirrors);
            let is_odd = mirrors % 2 == 1;
            assert_eq!(mirrored_meshes(&source), [is_odd, false]);
            let (skins, num_reversed) = skin_attached_meshes(&source);
            assert_eq!(num_reversed, usize::from(is_odd));
            assert!(is_as_drawn(&skins), "as skins");
            assert!(is_as_drawn(&static_model(&source, &PoseSpec::default())), "still");
            assert!(is_as_drawn(&merged(&source).unwrap().0), "as one");
            let packing = pack(&source, &PackOptions::default(), &Report::new()).unwrap();
            assert_eq!(packing.changed.num_reversed_meshes, num_reversed);
            assert!(is_as_drawn(&packing.parts[0].model), "packed");
        }
    }

    #[test]
    fn generated_normals_and_tangents_match_the_reversed_winding() {
        let mut source = mirrored_triangle(1);
        for mesh in &mut source.meshes {
            streams_mut(mesh).normals.clear();
            streams_mut(mesh).tangents.clear();
        }
        let packing = pack(&source, &PackOptions::default(), &Report::new()).unwrap();
        assert!(is_as_drawn(&packing.parts[0].model));
    }
}
