//! Curves of FBX files, and frames of IQM files.

use std::sync::Arc;

use glam::Affine3A;

use super::*;
use crate::model::{
    BoneId, ClipId, Curves, FbxClip, FbxKeys, FbxNode, IdVec, LiveCurves, Motion, StoredFbx,
};

/// Turns a bone by 90 degrees times the square of the time.
#[derive(Debug)]
struct Accelerating;

impl Curves for Accelerating {
    fn sample(&self, time_secs: f64, locals: &mut IdVec<BoneId, Affine3A>) {
        #[expect(clippy::cast_possible_truncation, reason = "the times are short")]
        let degrees = (time_secs * time_secs) as f32 * 90.0;
        locals[BoneId(0)] = Affine3A::from_rotation_z(degrees.to_radians());
    }
}

fn keys(times: &[f64]) -> FbxKeys {
    FbxKeys {
        times_secs: times.to_vec(),
        is_moving: !times.is_empty(),
        is_even: true,
        is_linear: false,
        largest_step: 90.0,
    }
}

/// An object with rotation keys at 0 and 1 s, and translation keys at 0, 0.5 and 1 s.
fn accelerating(is_joint: bool) -> Model {
    let mut model = turning(Interpolation::Linear);
    model.clips[ClipId(0)].motion = Motion::Curves(LiveCurves(Arc::new(Accelerating)));
    let node = FbxNode {
        bone: BoneId(0),
        is_joint,
        has_pivot: false,
        translation: keys(&[0.0, 0.5, 1.0]),
        rotation: keys(&[0.0, 1.0]),
        scale: keys(&[]),
    };
    let clip = ClipId(0);
    let clip = FbxClip { clip, has_layers: false, nodes: vec![node], weights: Vec::new() };
    model.stored.fbx = Some(Box::new(StoredFbx { clips: vec![clip], ..StoredFbx::default() }));
    model
}

fn angle(model: &Model, secs: f64) -> f32 {
    first_vertex(model, secs).angle_between(Vec3::X).to_degrees()
}

#[test]
fn curves_of_fbx_files_are_lines_between_the_keys_of_a_property_or_a_node() {
    for is_joint in [true, false] {
        let model = accelerating(is_joint);
        assert!((angle(&model, 0.25) - 5.625).abs() < 1e-3);
        // The keys at 0 and 1 s, or those of the translation, too, at which the angle is 22.5 degrees.
        for (rule, expected) in
            [(FbxCurves::LinesByProperty, 22.5), (FbxCurves::LinesByNode, 11.25)]
        {
            let played = runtime(Rules { fbx_curves: rule, ..Rules::EXACT }).play(&model);
            assert_eq!(played.differences[0].kind, "curves-straightened");
            assert!((angle(&played.model, 0.25) - expected).abs() < 1e-3, "{rule:?}");
        }
    }
}

#[test]
fn old_fbx_files_are_refused() {
    let mut model = accelerating(true);
    let refusing = runtime(Rules { oldest_fbx: [7000, 6400], ..Rules::EXACT });
    for (version, is_text, is_refused) in
        [(6400, false, false), (6400, true, true), (6100, false, true), (7000, true, false)]
    {
        model.stored.fbx = Some(Box::new(StoredFbx { version, is_text, ..StoredFbx::default() }));
        assert_eq!(refusing.refusal(&model).is_some(), is_refused, "{version} {is_text}");
    }
}

#[test]
fn frames_are_blended_in_the_space_of_the_model() {
    let mut model = turning(Interpolation::Matrix);
    let rotation = model_track(&mut model);
    rotation.values[1] = Quat::from_rotation_z(90f32.to_radians());
    let child = crate::model::Bone {
        parent: Some(BoneId(0)),
        rest_local: crate::model::LocalTransform::Matrix(Affine3A::from_translation(Vec3::X)),
        ..crate::model::Bone::default()
    };
    let bones = vec![model.skeleton.bones()[BoneId(0)].clone(), child];
    model.skeleton = crate::model::Skeleton::new(bones, true).unwrap();
    let skin = inverse_bind_mut(&mut model.meshes[MeshId(0)]);
    skin.bones = vec![BoneId(1)];
    skin.bone_from_mesh = vec![Mat4::from_translation(Vec3::NEG_X)];
    let played = runtime(Rules { blends_in_model: true, ..Rules::EXACT }).play(&model);
    // Half-way between (1, 0) and (0, 1), not at a distance of 1.
    let half = first_vertex(&played.model, 0.5);
    assert!((half - Vec3::new(0.5, 0.5, 0.0)).length() < 1e-5, "{half}");
    assert!((first_vertex(&played.model, 1.0) - Vec3::Y).length() < 1e-5);
}

fn model_track(model: &mut Model) -> &mut Track<Quat> {
    tracks_mut(&mut model.clips[ClipId(0)])[0].rotation.as_mut().unwrap()
}
