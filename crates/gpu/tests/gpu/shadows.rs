//! The shadow on the ground, and ambient occlusion.

use glam::Vec3;
use rigscope_core::camera::Camera;
use rigscope_core::model::MeshId;
use rigscope_core::visual::{Light, Shading, ToneMapping};
use rigscope_gpu::{Background, FrameInput, Msaa, Show, SubsetLook};

use super::images::{at, brightness, draw_with, pixels};
use super::squares::{Square, TEXTURED, UPRIGHT, material, model};
use rigscope_testing::*;

/// White, diagonally from above; the model is 2 units wide.
fn from_above() -> FrameInput<'static> {
    let mut camera = Camera { distance: 6.0, ..Camera::default() };
    (camera.yaw_rad, camera.pitch_rad) = (0.0, 0.6);
    FrameInput {
        camera,
        bounds: Aabb::from_points([Vec3::new(-1.0, 0.0, -1.0), Vec3::ONE]),
        show: Show { surface: true, ground_shadow: true, ..Show::NOTHING },
        background: Background::Plain([1.0; 3]),
        ..FrameInput::default()
    }
}

fn plate(center: Vec3) -> Square {
    let (right, up, normal) = (Vec3::X, Vec3::NEG_Z, Vec3::Y);
    Square { center, half: 0.3, right, up, normal, has_tangents: false }
}

/// The position of a point of the world in the image.
fn seen_at(input: &FrameInput<'_>, place: Vec3) -> (f32, f32) {
    let clip = input.camera.clip_from_view(1.0, &input.bounds) * input.camera.view_from_world();
    let at = clip.project_point3(place);
    (at.x, at.y)
}

/// Darkness of a point on the ground, 0 to 765.
fn darkness(model: &Model, input: &FrameInput<'_>, place: Vec3) -> u32 {
    let image = draw_with(model, input, Msaa::Off);
    let (x, y) = seen_at(input, place);
    765 - brightness(at(&image, x, y))
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn visible_models_cast_a_shadow_on_the_ground() {
    let input = from_above();
    // Just outside its edge.
    let beside = Vec3::new(0.0, 0.0, 0.33);
    let low = model(&[plate(Vec3::Y * 0.02)], vec![Material::default()], Vec::new());
    assert!(darkness(&low, &input, beside) > 50, "{}", darkness(&low, &input, beside));
    assert!(darkness(&low, &input, Vec3::new(0.9, 0.0, 0.9)) < 12);
    // A higher plate darkens less.
    let high = model(&[plate(Vec3::Y * 0.7)], vec![Material::default()], Vec::new());
    assert!(darkness(&high, &input, beside) * 2 < darkness(&low, &input, beside));
    let hidden = [SubsetLook { visible: false, color: None }];
    let without = FrameInput { subsets: &hidden, ..input };
    assert_eq!(darkness(&low, &without, beside), 0);
    let off = FrameInput { show: Show { ground_shadow: false, ..input.show }, ..input };
    assert_eq!(darkness(&low, &off, beside), 0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_shadow_follows_the_pose_and_the_axes() {
    let input = from_above();
    let mut moved = model(&[plate(Vec3::Y * 0.02)], vec![Material::default()], Vec::new());
    let away = Vec3::new(0.5, 0.0, 0.2);
    moved.skeleton = Skeleton::new(vec![bone("", None, away)], true).unwrap();
    moved.meshes[MeshId(0)].attached_to = Some(BoneId::from_index(0));
    let beside = Vec3::new(0.0, 0.0, 0.33);
    let there = darkness(&moved, &input, beside + away);
    assert!(there > 50, "{there}");
    assert!(darkness(&moved, &input, Vec3::new(-0.4, 0.0, 0.2)) < 12);
    // The same plate in a file with z up: its y points away from the viewer.
    let upright = Square { up: Vec3::Y, normal: Vec3::Z, ..plate(Vec3::new(0.0, 0.0, 0.02)) };
    let mut z_up = model(&[upright], vec![Material::default()], Vec::new());
    z_up.axes.up = UpAxis::Z;
    assert!(darkness(&z_up, &input, beside) > 50, "{}", darkness(&z_up, &input, beside));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn shadow_is_not_drawn_from_below() {
    let mut input = from_above();
    input.camera.pitch_rad = -0.6;
    let low = model(&[plate(Vec3::Y * 0.02)], vec![Material::default()], Vec::new());
    let off = FrameInput { show: Show { ground_shadow: false, ..input.show }, ..input };
    let [with, without] = [input, off].map(|input| draw_with(&low, &input, Msaa::Off));
    assert!(pixels(&with).eq(pixels(&without)));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn models_that_intersect_the_ground_cast_no_shadow() {
    let mut input = from_above();
    let low = model(&[plate(Vec3::Y * 0.02)], vec![Material::default()], Vec::new());
    let beside = Vec3::new(0.0, 0.0, 0.33);
    assert!(darkness(&low, &input, beside) > 0);
    input.bounds.min.y = -1.0;
    assert_eq!(darkness(&low, &input, beside), 0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn ambient_occlusion_darkens_only_the_corner_of_a_room() {
    let floor = Square { half: 1.0, ..plate(Vec3::ZERO) };
    let wall = Square { center: Vec3::new(0.0, 1.0, -1.0), half: 1.0, ..UPRIGHT };
    let white = || material(Vec::new(), MaterialLook { is_unlit: true, ..MaterialLook::default() });
    let room = model(&[floor, wall], vec![white(), white()], Vec::new());
    let bounds = Aabb::from_points([Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 2.0, 1.0)]);
    for shading in [Shading::Physical, Shading::Sdk] {
        let light = Light { shading, tone_mapping: ToneMapping::Off, ..Light::USUAL };
        let show = Show { light, ambient_occlusion: true, ..TEXTURED };
        let input = FrameInput { bounds, show, ..from_above() };
        let off = FrameInput { show: Show { ambient_occlusion: false, ..show }, ..input };
        for msaa in [Msaa::Off, Msaa::X4] {
            let (open, closed) = (draw_with(&room, &off, msaa), draw_with(&room, &input, msaa));
            let share = |place: Vec3| {
                let (x, y) = seen_at(&input, place);
                let found = |image| brightness(at(image, x, y)) as f32;
                found(&closed) / found(&open)
            };
            let corner = share(Vec3::new(0.0, 0.06, -1.0));
            assert!(corner < 0.96, "{corner}");
            for place in [Vec3::new(0.0, 0.0, 0.3), Vec3::new(0.3, 0.7, -1.0)] {
                assert!(share(place) > 0.97, "{place}: {}", share(place));
            }
            // The background doesn't change.
            assert_eq!(at(&closed, -0.99, 0.99), at(&open, -0.99, 0.99));
        }
    }
    // It isn't applied under plain light.
    let plain = Show { ambient_occlusion: true, light: Light::PLAIN, ..TEXTURED };
    let input = FrameInput { bounds, show: plain, ..from_above() };
    let off = FrameInput { show: Show { ambient_occlusion: false, ..plain }, ..input };
    let (a, b) = (draw_with(&room, &input, Msaa::Off), draw_with(&room, &off, Msaa::Off));
    assert!(pixels(&a).eq(pixels(&b)));
}
