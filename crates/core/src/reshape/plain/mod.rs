//! The plain form, which writers of float formats take as input, independent of the source format.

mod bones;
mod clips;
mod keyed;
mod skins;

use bones::Bones;
use glam::Affine3A;

use super::float::{floats, forget_source};
use crate::model::{DefaultPose, LocalTransform, Model, Skeleton};
use crate::pose::{PoseSpec, sample};

/// `model` with float vertices, explicit inverse binds and tracks, posing as before:
///
/// - every mesh has [`crate::model::Streams`]; morph targets stay;
/// - a skinned mesh has a [`crate::model::InverseBindSkin`] with rows and one inverse bind per slot
///   (bone-local skins get one position per vertex, from the default pose); a mesh without skin
///   remains without one, possibly attached to a bone;
/// - every bone has a rest transform, and the default pose is the rest pose: skeletons whose keys
///   are baked skinning matrices become flat ones that rest in the first key;
/// - every clip has [`crate::model::Motion::Tracks`] (or is a vertex animation): authored tracks stay
///   if `rate` is `None`; other motion is sampled at `rate`, otherwise at its stored keys, otherwise
///   at [`crate::model::Clip::sampling_rate`], to linear tracks whose constant channels have one
///   key; morph tracks likewise.
///
/// Axes, units, names, materials, images, hulls and events stay; data that was preserved for writing
/// the same file is dropped. Tracks can't store a bone's shear, or the orientation of a bone without
/// volume.
#[must_use]
pub fn plain(model: &Model, rate: Option<f64>) -> Model {
    let default = sample(model, &PoseSpec::default());
    let bones = Bones::of(model, &default);
    let mut out = floats(model);
    forget_source(&mut out);
    skins::bind(&mut out, &default, &bones);
    if model.default_pose == DefaultPose::FirstKey || bones.is_finished {
        rest_in(&mut out, &bones.locals(&default));
    }
    out.default_pose = DefaultPose::Rest;
    for (number, clip) in out.clips.iter_mut().enumerate() {
        *clip = clips::plain_clip(model, number, rate, &bones);
    }
    out
}

/// Gives bones new rest transforms; baked ones lose their parents.
fn rest_in(model: &mut Model, locals: &[Affine3A]) {
    let has_hierarchy = model.skeleton.has_hierarchy();
    let mut bones = model.skeleton.bones().to_vec();
    for (bone, &local) in bones.iter_mut().zip(locals) {
        bone.rest_local = LocalTransform::Matrix(local);
        if !has_hierarchy {
            bone.parent = None;
        }
    }
    // The parents are those of a valid skeleton, or none.
    model.skeleton = Skeleton::new(bones, true).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::*;
    use crate::pack::{PackOptions, pack};
    use crate::pose::skin_model;
    use crate::reshape::fixture::bent_strip;

    fn poses_agree(a: &Model, b: &Model, tolerance: f32) {
        let mut specs = vec![PoseSpec::default()];
        for time_secs in [0.0, 0.1, 0.5, 1.0] {
            specs.push(PoseSpec::linear(ClipId(0), time_secs));
        }
        for spec in specs {
            let (first, second) = (skin_model(a, &spec), skin_model(b, &spec));
            for (a, b) in first[0].positions.iter().zip(&second[0].positions) {
                assert!(a.distance(*b) < tolerance, "{a} {b} at {spec:?}");
            }
        }
    }

    #[test]
    fn packed_models_pose_the_same_with_and_without_a_hierarchy() {
        for hierarchy in [false, true] {
            let options = PackOptions { hierarchy, ..PackOptions::default() };
            let mut packing = pack(&bent_strip(), &options, &Report::new()).unwrap();
            let packed = packing.parts.remove(0).model;
            let plain = plain(&packed, None);
            assert!(matches!(plain.clips[ClipId(0)].motion, Motion::Tracks(_)));
            assert!(matches!(plain.meshes[MeshId(0)].vertices, VertexData::Streams(_)));
            poses_agree(&packed, &plain, 1e-5);
        }
    }

    #[test]
    fn authored_tracks_are_preserved_unless_a_rate_is_given() {
        let source = bent_strip();
        let same = plain(&source, None);
        assert_eq!(same.clips, source.clips);
        let sampled = plain(&source, Some(10.0));
        assert_eq!(sampled.clips[ClipId(0)].uniform_keys().map(|(keys, _)| keys), Some(11));
        poses_agree(&source, &sampled, 1e-5);
    }

    #[test]
    fn bone_local_skin_with_rigid_vertices_poses_the_same() {
        let mut source = bent_strip();
        source.meshes[MeshId(0)].skin = bone_local(
            Vec3::Z,
            &[&[(0, 1.0, Vec3::X)], &[(1, 1.0, Vec3::Y)], &[(1, 1.0, Vec3::Z)]],
        );
        poses_agree(&source, &plain(&source, None), 1e-5);
    }
}
