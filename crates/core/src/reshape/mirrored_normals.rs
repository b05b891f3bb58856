//! Normals of vertices that bones mirror, for runtimes with different rules for them.
//!
//! A runtime that transforms normals by cofactors ([`NormalMatrix::Cofactor`]) flips those of mirrored
//! vertices; others don't. A file for one kind of runtime must store these normals and tangents flipped
//! compared to a file for the other kind. Between two runtimes of the same kind, nothing changes. Not for: the
//! winding of triangles, which is the same for all runtimes (`mirrored_winding`, and `mirrored_skins` of the formats).

use std::borrow::Cow;

use super::float::{floats, forget_source};
use crate::model::{
    BoneLocalSkin, ClipId, Mesh, MeshId, Model, NormalMatrix, Skin, Streams, VertexData,
};
use crate::pose::{MeshPose, PoseSpec, mirrored_vertices, mirrors, sample};

/// `model` for a runtime with the rule `by`, in which its normals look as they do with the model's own rule.
/// Vertices keep their numbers. If no change is needed, returns the model itself with its own rule.
///
/// Mirroring is determined in the first pose of the first clip, or in the default pose without clips: no
/// transform starts or stops mirroring while it moves, but some formats don't store a default pose.
#[must_use]
pub fn for_normal_matrix(model: &Model, by: NormalMatrix) -> Cow<'_, Model> {
    let turns_over = |by| by == NormalMatrix::Cofactor;
    if turns_over(model.normal_matrix) == turns_over(by) {
        return Cow::Borrowed(model);
    }
    let spec =
        PoseSpec { clip: (!model.clips.is_empty()).then_some(ClipId(0)), ..PoseSpec::default() };
    let pose = sample(model, &spec);
    let meshes = model.meshes.iter().enumerate();
    let poses: Vec<MeshPose> =
        meshes.map(|(number, mesh)| pose.of_mesh(MeshId::from_index(number), mesh)).collect();
    let has_mirrors = |pose: &MeshPose| pose.palette.iter().any(mirrors);
    if !poses.iter().any(has_mirrors) {
        return Cow::Borrowed(model);
    }
    let mut out = floats(model);
    forget_source(&mut out);
    out.normal_matrix = by;
    for (mesh, pose) in out.meshes.iter_mut().zip(&poses) {
        if has_mirrors(pose) {
            turn_over(mesh, pose);
        }
    }
    Cow::Owned(out)
}

/// Flips normals and tangents where `pose` mirrors the vertices of a float mesh.
fn turn_over(mesh: &mut Mesh, pose: &MeshPose) {
    if let Skin::BoneLocal(skin) = &mut mesh.skin {
        turn_over_copies(skin, pose);
        return;
    }
    let is_mirrored = mirrored_vertices(mesh, pose);
    let is_mirrored = |vertex: usize| is_mirrored.get(vertex).is_some_and(|is| *is);
    if let VertexData::Streams(Streams { normals, tangents, .. }) = &mut mesh.vertices {
        for (vertex, normal) in normals.iter_mut().enumerate() {
            if is_mirrored(vertex) {
                *normal = -*normal;
            }
        }
        for (vertex, tangent) in tangents.iter_mut().enumerate() {
            if is_mirrored(vertex) {
                *tangent = (-tangent.truncate()).extend(tangent.w);
            }
        }
    }
    for shape in mesh.morph_targets.iter_mut().flat_map(|m| &mut m.shapes) {
        for (vertex, offset) in shape.vertices.iter().zip(&mut shape.normal_offsets) {
            if is_mirrored(vertex.index()) {
                *offset = -*offset;
            }
        }
    }
}

/// The same for a bone-local skin, whose influences have their own normals.
fn turn_over_copies(skin: &mut BoneLocalSkin, pose: &MeshPose) {
    for influence in &mut skin.influences {
        let matrix = pose.palette.get(influence.bone.index());
        if matrix.is_some_and(mirrors) {
            influence.normal = -influence.normal;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::skin_model;
    use crate::reshape::fixture::mirrored_triangle;
    use crate::reshape::skin_attached_meshes;

    /// Normals and tangents as drawn, before and after conversion to `by`.
    fn drawn(model: &Model) -> Vec<(Vec<glam::Vec3>, Vec<glam::Vec4>)> {
        let posed = skin_model(model, &PoseSpec::default());
        let of_mesh = posed.into_iter().map(|mesh| (mesh.normals, mesh.tangents));
        of_mesh.collect()
    }

    #[test]
    fn normals_are_the_same_with_every_normal_matrix() {
        for num_mirrors in [0, 1, 2] {
            let hanging = mirrored_triangle(num_mirrors);
            for model in [skin_attached_meshes(&hanging).0, hanging] {
                let there = for_normal_matrix(&model, NormalMatrix::Cofactor);
                let is_same = matches!(there, Cow::Borrowed(_));
                assert_eq!(is_same, num_mirrors % 2 == 0, "{num_mirrors}");
                let back = for_normal_matrix(&there, NormalMatrix::InverseTranspose);
                for other in [&there, &back] {
                    for (a, b) in drawn(&model).iter().zip(drawn(other)) {
                        assert!(a.0.iter().zip(b.0).all(|(a, b)| a.dot(b) > 0.9999));
                        // Cofactors shear tangents if a bone is scaled along its length.
                        assert!(a.1.iter().zip(b.1).all(|(a, b)| a.dot(b) > 1.5));
                    }
                }
            }
        }
    }

    #[test]
    fn model_is_unchanged_for_runtimes_that_treat_mirroring_alike() {
        let model = skin_attached_meshes(&mirrored_triangle(1)).0;
        let same = for_normal_matrix(&model, NormalMatrix::Same);
        assert!(matches!(same, Cow::Borrowed(_)));
    }
}
