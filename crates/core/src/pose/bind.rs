//! The pose in which skinned meshes were bound to their bones.
//!
//! Inverse bind matrices place bones relative to a mesh, but don't place the mesh itself. Here the topmost
//! bone of each skin keeps its rest position, and the other bones are placed relative to it.

use glam::Affine3A;

use super::Pose;
use super::base_pose::rest;
use crate::model::{BoneId, DefaultPose, IdVec, InverseBindSkin, Model, Skin};

/// Whether `model` stores a rest pose, that is, bone transforms outside any clip.
#[must_use]
pub fn has_rest_pose(model: &Model) -> bool {
    model.default_pose == DefaultPose::Rest
}

/// Whether `model` stores a bind pose.
#[must_use]
pub fn has_bind_pose(model: &Model) -> bool {
    skins(model).next().is_some()
}

/// The bind pose, with default morph weights: every vertex is at its stored position, relative to the topmost
/// bone of its skin. Bones that aren't in any skin keep their rest transform relative to their parent. If
/// meshes disagree about the bind pose of a bone, the first mesh places it.
pub(super) fn bind(model: &Model) -> Pose {
    let mut pose = rest(model);
    if pose.model_from_mesh.is_some() {
        return pose;
    }
    let bones = model.skeleton.bones();
    let mut depth = IdVec::filled(0_usize, bones);
    for &bone in model.skeleton.parents_first() {
        if let Some(parent) = bones[bone].parent {
            depth[bone] = depth[parent] + 1;
        }
    }
    let mut topmost: Vec<_> = skins(model)
        .filter_map(|(mesh, skin)| {
            let binds = binds(model, skin);
            let &(bone, bone_from_mesh) = binds.iter().min_by_key(|(bone, _)| depth[*bone])?;
            Some((mesh, binds, bone, bone_from_mesh))
        })
        .collect();
    topmost.sort_by_key(|(.., bone, _)| depth[*bone]);
    let mut bound = IdVec::filled(None, bones);
    let mut model_from_bound_mesh = vec![Affine3A::IDENTITY; model.meshes.len()];
    for (mesh, binds, bone, bone_from_mesh) in topmost {
        let mut pairs = binds.iter();
        let shared = pairs.find_map(|&(bone, bone_from_mesh)| Some(bound[bone]? * bone_from_mesh));
        let model_from_mesh =
            shared.unwrap_or_else(|| at_rest(model, &pose, &bound, bone) * bone_from_mesh);
        for (bone, bone_from_mesh) in binds {
            bound[bone].get_or_insert(model_from_mesh * bone_from_mesh.inverse());
        }
        model_from_bound_mesh[mesh] = model_from_mesh;
    }
    for &bone in model.skeleton.parents_first() {
        let parent = bones[bone].parent;
        let model_from_parent =
            parent.map_or(Affine3A::IDENTITY, |parent| pose.model_from_bone[parent]);
        if let Some(model_from_bone) = bound[bone] {
            pose.model_from_bone[bone] = model_from_bone;
            let local = model_from_parent.inverse() * model_from_bone;
            if local.is_finite() {
                pose.parent_from_bone[bone] = local;
            }
        } else {
            pose.model_from_bone[bone] = model_from_parent * pose.parent_from_bone[bone];
        }
    }
    pose.model_from_bound_mesh = Some(model_from_bound_mesh);
    pose
}

/// The rest transform of `bone` relative to its nearest ancestor in `bound`.
fn at_rest(
    model: &Model,
    rest: &Pose,
    bound: &IdVec<BoneId, Option<Affine3A>>,
    bone: BoneId,
) -> Affine3A {
    let bones = model.skeleton.bones();
    let mut ancestor_from_bone = Affine3A::IDENTITY;
    let mut at = Some(bone);
    while let Some(current) = at {
        if let Some(model_from_bone) = bound[current] {
            return model_from_bone * ancestor_from_bone;
        }
        ancestor_from_bone = rest.parent_from_bone[current] * ancestor_from_bone;
        at = bones[current].parent;
    }
    rest.model_from_bone[bone]
}

/// Meshes with inverse bind matrices, with their indices.
fn skins(model: &Model) -> impl Iterator<Item = (usize, &InverseBindSkin)> {
    model.meshes.iter().enumerate().filter_map(|(number, mesh)| match &mesh.skin {
        Skin::InverseBind(skin) => Some((number, skin)),
        _ => None,
    })
}

/// The bones that a skin's inverse bind matrices place. Skips singular matrices, and the identity on a bone
/// below another one, which is the placeholder that exporters write for bones without weights.
fn binds(model: &Model, skin: &InverseBindSkin) -> Vec<(BoneId, Affine3A)> {
    let bones = model.skeleton.bones();
    let mut is_in_skin = IdVec::filled(false, bones);
    for &bone in &skin.bones {
        is_in_skin[bone] = true;
    }
    let pairs = skin.bones.iter().zip(&skin.bone_from_mesh);
    let pairs = pairs.map(|(bone, matrix)| (*bone, Affine3A::from_mat4(*matrix)));
    let places = |(bone, matrix): &(BoneId, Affine3A)| {
        let is_below = bones[*bone].parent.is_some_and(|parent| is_in_skin[parent]);
        let is_placeholder = is_below && *matrix == Affine3A::IDENTITY;
        !is_placeholder && matrix.inverse().is_finite()
    };
    pairs.filter(places).collect()
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat, Vec3};

    use super::*;
    use crate::model::LocalTransform;
    use crate::model::testing::*;
    use crate::pose::{Moment, PoseSpec, sample, skin_model};

    const POINTS: [Vec3; 3] = [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0)];

    /// Two bones in a row, bound straight along x; the second rests rotated by 90 degrees.
    fn bent_arm(root: Affine3A) -> Model {
        let rotated = Affine3A::from_rotation_translation(Quat::from_rotation_z(1.57), Vec3::X);
        let bone = |name: &str, parent, local| crate::model::Bone {
            rest_local: LocalTransform::Matrix(local),
            ..bone(name, parent, Vec3::ZERO)
        };
        let binds = [(0, Mat4::IDENTITY), (1, Mat4::from_translation(Vec3::NEG_X))];
        let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)], &[(0, 0.5), (1, 0.5)], &[(1, 1.0)]];
        ModelBuilder::new()
            .add_bone(bone("upper", None, root))
            .add_bone(bone("lower", Some(0), rotated))
            .add_bone(bone("tip", Some(1), Affine3A::from_translation(Vec3::X)))
            .mesh(POINTS)
            .skin(skin(&binds, lists))
            .build()
    }

    fn still(moment: Moment) -> PoseSpec {
        PoseSpec { moment, ..PoseSpec::default() }
    }

    #[test]
    fn bind_pose_shows_stored_vertices_in_the_space_of_the_root_bone() {
        let root = Affine3A::from_scale_rotation_translation(
            Vec3::splat(0.01),
            Quat::from_rotation_x(-1.57),
            Vec3::new(0.0, 3.0, 0.0),
        );
        let model = bent_arm(root);
        let posed = &skin_model(&model, &still(Moment::Bind))[0];
        for (found, stored) in posed.positions.iter().zip(POINTS) {
            assert!(found.distance(root.transform_point3(stored)) < 1e-6, "{found}");
        }
        let resting = &skin_model(&model, &still(Moment::Rest))[0];
        assert!(resting.positions[2].distance(posed.positions[2]) > 0.01);
    }

    #[test]
    fn a_bone_without_skin_follows_its_parent() {
        let pose = sample(&bent_arm(Affine3A::IDENTITY), &still(Moment::Bind));
        let tip = pose.model_from_bone[BoneId(2)].translation;
        assert!(tip.distance(Vec3::new(2.0, 0.0, 0.0).into()) < 1e-6, "{tip}");
        let composed = pose.model_from_bone[BoneId(1)] * pose.parent_from_bone[BoneId(2)];
        assert!(composed.abs_diff_eq(pose.model_from_bone[BoneId(2)], 1e-6));
    }

    #[test]
    fn second_mesh_is_placed_by_a_shared_bone() {
        let mut model = bent_arm(Affine3A::IDENTITY);
        let binds = [(1, Mat4::from_translation(Vec3::NEG_X))];
        let glove = ModelBuilder::new().mesh([Vec3::new(1.5, 0.0, 0.0)]);
        model.meshes.push(glove.skin(skin(&binds, [ONE])).into_mesh());
        let posed = skin_model(&model, &still(Moment::Bind));
        assert!(posed[1].positions[0].distance(Vec3::new(1.5, 0.0, 0.0)) < 1e-6);
    }

    #[test]
    fn singular_inverse_bind_leaves_the_bone_at_rest() {
        let mut model = bent_arm(Affine3A::IDENTITY);
        inverse_bind_mut(&mut model.meshes[MeshId(0)]).bone_from_mesh[1] = Mat4::ZERO;
        let bind = sample(&model, &still(Moment::Bind));
        let rest = sample(&model, &still(Moment::Rest));
        assert!(bind.model_from_bone[BoneId(1)].abs_diff_eq(rest.model_from_bone[BoneId(1)], 1e-6));
        assert!(bind.model_from_bone.iter().all(|matrix| matrix.is_finite()));
    }

    #[test]
    fn a_clip_does_not_move_the_rest_or_bind_pose() {
        let lift = linear([(0.0, Vec3::Y), (1.0, Vec3::Y * 2.0)]);
        let mut model = bent_arm(Affine3A::IDENTITY);
        let clip = ModelBuilder::new().clip("lift", 1.0).translation(0, lift).into_clip();
        model.clips.push(clip);
        for moment in [Moment::Rest, Moment::Bind] {
            let spec = PoseSpec { clip: Some(crate::model::ClipId(0)), ..still(moment) };
            assert_eq!(sample(&model, &spec), sample(&model, &still(moment)));
        }
    }
}
