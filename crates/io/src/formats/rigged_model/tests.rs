//! Bones with one bind transform each, and key times.

use glam::{Mat4, Vec3};

use super::{KeyGrid, RiggedModel};
use crate::formats::WriteError;
use rigscope_testing::*;

fn clip(duration_secs: f64) -> Clip {
    Clip { start_secs: 2.0, duration_secs, ..Clip::default() }
}

fn mesh(bind: Mat4) -> Mesh {
    ModelBuilder::new().mesh([Vec3::X]).skin(skin(&[(0, bind)], [ONE])).into_mesh()
}

#[test]
fn a_bone_with_two_bind_poses_is_duplicated() {
    let shifted = Mat4::from_translation(Vec3::Y);
    let mut model = ModelBuilder::new().chain(&[""]).add_clip(clip(1.0)).build();
    model.meshes = vec![mesh(Mat4::IDENTITY), mesh(shifted), mesh(shifted)].into();
    let rigged = RiggedModel::of(&model, &Axes::default(), None, &Report::new()).unwrap();
    assert_eq!(rigged.bones.len(), 2);
    assert_eq!(rigged.bones[1].source, BoneId(0));
    assert_eq!(rigged.bones[1].bind.translation, glam::DVec3::NEG_Y);
    assert!(rigged.rest_differs_from_bind, "one of both is not where the bone rests");
    let still = Model { clips: Vec::new().into(), ..model };
    let rigged = RiggedModel::of(&still, &Axes::default(), None, &Report::new()).unwrap();
    assert_eq!(rigged.bones.len(), 1, "without clips all are bound at rest");
    assert_eq!(rigged.mesh().unwrap().position(1), Some(Vec3::X + Vec3::Y));
}

#[test]
fn a_clip_without_keys_is_sampled_at_30_frames_per_second() {
    let grid = KeyGrid::of(&clip(1.0), None, "x").unwrap();
    assert_eq!((grid.num_keys, grid.rate), (31, 30.0));
    assert_eq!(grid.key_secs(30), 3.0);
    let asked = KeyGrid::of(&clip(1.0), Some(10.0), "x").unwrap();
    assert_eq!(asked.num_keys, 11);
    assert_eq!(KeyGrid::of(&clip(0.0), None, "x").unwrap().num_keys, 1);
}

#[test]
fn a_clip_with_too_many_keys_is_an_error() {
    let error = KeyGrid::of(&clip(3e9), None, "x").unwrap_err();
    assert!(matches!(error, WriteError::TooMany { .. }));
}
