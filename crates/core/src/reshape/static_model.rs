//! A model frozen in one pose.

use glam::Vec3;

use super::float::{floats, forget_source};
use super::mirrored_winding::turn;
use crate::model::{DefaultPose, Mesh, MeshId, Model, Skeleton, Skin, StoredBounds, VertexData};
use crate::pose::{PoseSpec, SkinnedMesh, sample, skin_mesh};

/// The model in one pose, file space: float vertices without skin, morphs, bones or clips. Keeps
/// subsets, materials, images, names, hulls and the occlusion mesh.
///
/// Normals and tangents are posed too; triangles of meshes attached to mirroring bones are flipped,
/// so that front faces stay front faces.
#[must_use]
pub fn static_model(model: &Model, spec: &PoseSpec) -> Model {
    let pose = sample(model, spec);
    let mut out = floats(model);
    for (number, (mesh, source)) in out.meshes.iter_mut().zip(&model.meshes).enumerate() {
        let id = MeshId::from_index(number);
        freeze(mesh, skin_mesh(source, &pose.of_mesh(id, source)));
        if pose.is_mirrored(id, source) {
            turn(mesh);
        }
    }
    let is_moved = !model.clips.is_empty() || !model.skeleton.is_empty();
    out.skeleton = Skeleton::default();
    out.clips.as_mut_vec().clear();
    out.default_pose = DefaultPose::Rest;
    // Stored bounds may no longer contain vertices that bones have moved.
    out.stored_bounds = out.stored_bounds.filter(|_: &StoredBounds| !is_moved);
    forget_source(&mut out);
    out
}

fn freeze(mesh: &mut Mesh, skinned: SkinnedMesh) {
    if let VertexData::Streams(streams) = &mut mesh.vertices {
        streams.positions = skinned.positions;
        let has_normals = skinned.normals.iter().any(|n| *n != Vec3::ZERO);
        streams.normals = if has_normals { skinned.normals } else { Vec::new() };
        if !streams.tangents.is_empty() {
            streams.tangents = skinned.tangents;
        }
    }
    mesh.skin = Skin::None;
    mesh.attached_to = None;
    mesh.morph_targets.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;
    use crate::pose::skin_model;
    use crate::reshape::fixture::bent_strip;

    #[test]
    fn static_model_equals_the_baked_pose() {
        let source = bent_strip();
        let spec = PoseSpec::linear(ClipId(0), 0.6);
        let posed = skin_model(&source, &spec);
        let model = static_model(&source, &spec);
        assert!(model.skeleton.is_empty() && model.clips.is_empty());
        let again = skin_model(&model, &PoseSpec::default());
        assert_eq!(posed[0].positions, again[0].positions);
        for (a, b) in posed[0].normals.iter().zip(&again[0].normals) {
            assert!(a.distance(*b) < 1e-6);
        }
    }

    #[test]
    fn mesh_on_a_mirrored_bone_keeps_its_front_faces() {
        let mut source = bent_strip();
        source.meshes[MeshId(0)].skin = Skin::None;
        source.meshes[MeshId(0)].attached_to = Some(BoneId(0));
        let mirror = glam::Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let bone = Bone { rest_local: LocalTransform::Matrix(mirror), ..Bone::default() };
        source.skeleton = Skeleton::new(vec![bone], true).unwrap();
        source.clips.as_mut_vec().clear();
        let front = |model: &Model| {
            let mesh = &model.meshes[MeshId(0)];
            let [a, b, c] = mesh.triangles(0..3).next().unwrap();
            let [a, b, c] = [a, b, c].map(|v| mesh.position(v as usize).unwrap());
            (b - a).cross(c - a).dot(mesh.normal(0).unwrap())
        };
        assert_eq!(front(&source) > 0.0, front(&static_model(&source, &PoseSpec::default())) > 0.0);
    }
}
