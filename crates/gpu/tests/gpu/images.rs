//! Pixels of the surface, of the background and of smooth edges.

use glam::{Affine3A, Vec2, Vec3};
use rigscope_core::camera::{Camera, Preset};
use rigscope_core::model::MeshId;
use rigscope_core::model::*;
use rigscope_core::pose::{Moment, PoseSpec, Sampling};
use rigscope_gpu::headless::Image;
use rigscope_gpu::{Background, FrameInput, Msaa, Show, SubsetLook, Target, headless};

use super::full_models::cache_clip;
use super::models::{Random, Triangle, facing, still_life};
use super::uploaded;

pub(crate) const SIDE: u32 = 96;
const RED: [f32; 3] = [0.8, 0.01, 0.01];
const GREEN: [f32; 3] = [0.01, 0.8, 0.01];

const SURFACE: Show = Show { surface: true, ..Show::NOTHING };
const COLORS: Show = Show { subset_colors: true, ..SURFACE };

fn colored(color: [f32; 3]) -> SubsetLook {
    SubsetLook { visible: true, color: Some(color) }
}

/// From +Z, on a transparent background; the image is 2 units high.
pub(crate) fn front() -> FrameInput<'static> {
    let mut camera = Camera {
        distance: 1.0 / (rigscope_core::camera::FOV_Y_RAD * 0.5).tan(),
        ..Camera::default()
    };
    camera.look_from(Preset::Front);
    FrameInput {
        camera,
        bounds: Aabb::from_points([Vec3::NEG_ONE, Vec3::ONE]),
        show: SURFACE,
        background: Background::Transparent,
        ..FrameInput::default()
    }
}

pub(crate) fn draw(model: &Model, input: &FrameInput<'_>) -> Image {
    draw_with(model, input, Msaa::Off)
}

pub(crate) fn draw_with(model: &Model, input: &FrameInput<'_>, msaa: Msaa) -> Image {
    let (gpu, renderer, mut scene) = uploaded(model);
    // Unlike `render_image`, this uses MSAA.
    let target = Target::new(gpu, [SIDE; 2], msaa);
    renderer.render(gpu, &mut scene, &target, input);
    let image = headless::read_target(gpu, &target, input.background).unwrap();
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
    image
}

/// The pixel at a position in -1..1, y up.
pub(crate) fn at(image: &Image, x: f32, y: f32) -> [u8; 4] {
    let ndc = (Vec2::new(x, -y) * 0.5 + 0.5) * SIDE as f32;
    let pixel = ndc.as_uvec2().min(glam::UVec2::splat(SIDE - 1));
    let first = ((pixel.y * SIDE + pixel.x) * 4) as usize;
    image.rgba8[first..first + 4].try_into().unwrap()
}

pub(crate) fn pixels(image: &Image) -> impl Iterator<Item = [u8; 4]> {
    image.rgba8.as_chunks::<4>().0.iter().copied()
}

pub(crate) fn covered(image: &Image) -> usize {
    pixels(image).filter(|p| p[3] > 0).count()
}

/// The model with its meshes attached to a bone that negates x.
pub(crate) fn mirrored_by_bone(mut model: Model) -> Model {
    let mirror = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let bone = Bone { rest_local: LocalTransform::Matrix(mirror), ..Bone::default() };
    model.skeleton = Skeleton::new(vec![bone], true).unwrap();
    for mesh in &mut model.meshes {
        mesh.attached_to = Some(BoneId(0));
    }
    model
}

pub(crate) fn is_red([r, g, b, a]: [u8; 4]) -> bool {
    a == 255 && r > 80 && r / 2 > g.max(b)
}

fn is_green([r, g, b, a]: [u8; 4]) -> bool {
    a == 255 && g > 80 && g / 2 > r.max(b)
}

pub(crate) fn brightness(p: [u8; 4]) -> u32 {
    p[..3].iter().map(|&c| u32::from(c)).sum()
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn subset_color_is_drawn_on_a_transparent_background() {
    let input = FrameInput { show: COLORS, subsets: &[colored(RED)], ..front() };
    let image = draw(&still_life(&[facing(0.0, 0.5)]), &input);
    assert!(is_red(at(&image, 0.0, 0.0)));
    assert_eq!(at(&image, -0.9, 0.9), [0; 4], "alpha 0 outside");
    // Half as wide and high as the image, and half of that area.
    let pixels = (SIDE * SIDE) as usize;
    assert!((pixels / 12..pixels / 6).contains(&covered(&image)));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_nearer_triangle_wins_whatever_the_order() {
    for (triangles, looks) in [
        ([facing(0.3, 0.5), facing(-0.3, 0.5)], [colored(RED), colored(GREEN)]),
        ([facing(-0.3, 0.5), facing(0.3, 0.5)], [colored(GREEN), colored(RED)]),
    ] {
        let input = FrameInput { show: COLORS, subsets: &looks, ..front() };
        let image = draw(&still_life(&triangles), &input);
        assert!(is_red(at(&image, 0.0, 0.0)));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_later_subset_over_the_same_triangle_is_visible_without_flicker() {
    let mut model = still_life(&[facing(0.0, 0.9)]);
    let twice = model.meshes[MeshId(0)].subsets[0];
    model.meshes[MeshId(0)].subsets.push(twice);
    let input = FrameInput { show: COLORS, subsets: &[colored(RED), colored(GREEN)], ..front() };
    let image = draw(&model, &input);
    assert!(pixels(&image).all(|p| p[3] == 0 || is_green(p)));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn x_points_right_and_y_points_up() {
    let small = |center: Vec3| Triangle {
        corners: facing(0.0, 0.2).corners.map(|c| c + center),
        normal: Vec3::Z,
    };
    let model = still_life(&[small(Vec3::X * 0.6), small(Vec3::Y * 0.6)]);
    let input = FrameInput { show: COLORS, subsets: &[colored(RED), colored(GREEN)], ..front() };
    let image = draw(&model, &input);
    assert!(is_red(at(&image, 0.6, 0.0)) && is_green(at(&image, 0.0, 0.6)));
    assert_eq!(at(&image, -0.6, 0.0)[3] + at(&image, 0.0, -0.6)[3], 0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn hidden_subsets_are_not_drawn() {
    let hidden = SubsetLook { visible: false, color: None };
    for show in ["surface", "wireframe", "points"] {
        let input = FrameInput { show: Show::parse(show).unwrap(), subsets: &[hidden], ..front() };
        let image = draw(&still_life(&[facing(0.0, 0.5)]), &input);
        assert_eq!(covered(&image), 0, "{show}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn back_faces_are_darkened_and_lit_when_two_sided() {
    let mut reversed = facing(0.0, 0.5);
    reversed.corners.swap(0, 1);
    reversed.normal = Vec3::NEG_Z;
    let one_sided = front();
    let two_sided = FrameInput { show: Show { two_sided: true, ..SURFACE }, ..front() };
    let middle = |triangle, input| at(&draw(&still_life(&[triangle]), input), 0.0, 0.0);
    let dark = middle(reversed, &one_sided);
    let lit = middle(reversed, &two_sided);
    let faced = middle(facing(0.0, 0.5), &one_sided);
    assert_eq!(dark[3], 255, "back faces are visible");
    assert!(brightness(dark) * 3 < brightness(faced) * 2, "{dark:?} {faced:?}");
    assert!(brightness(lit).abs_diff(brightness(faced)) <= 6, "{lit:?} {faced:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn left_handed_file_shows_its_front_faces() {
    let mut model = still_life(&[facing(0.0, 0.5)]);
    let as_stored = draw(&model, &front());
    model.axes.handedness = Handedness::Left;
    // Left-handed fronts are clockwise once x is negated.
    let mirrored = draw(&model, &front());
    let (a, b) = (at(&as_stored, 0.0, 0.0), at(&mirrored, 0.0, 0.0));
    assert!(brightness(a).abs_diff(brightness(b)) <= 6, "{a:?} {b:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn mesh_on_a_mirroring_bone_shows_its_front_faces() {
    let model = still_life(&[facing(0.0, 0.5)]);
    let as_stored = draw(&model, &front());
    let mirrored = mirrored_by_bone(model);
    let image = draw(&mirrored, &front());
    let (a, b) = (at(&as_stored, 0.0, 0.0), at(&image, 0.0, 0.0));
    assert!(brightness(a).abs_diff(brightness(b)) <= 6, "{a:?} {b:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn z_up_files_are_shown_upright() {
    let mut model = still_life(&[Triangle {
        corners: [Vec3::new(-0.2, 0.0, 0.4), Vec3::new(0.2, 0.0, 0.4), Vec3::new(0.0, 0.0, 0.8)],
        normal: Vec3::NEG_Y,
    }]);
    model.axes.up = UpAxis::Z;
    let image = draw(&model, &front());
    assert_eq!(at(&image, 0.0, 0.5)[3], 255);
    assert_eq!(at(&image, 0.0, -0.5)[3], 0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertices_without_normals_are_flat_shaded() {
    let without = Triangle { normal: Vec3::ZERO, ..facing(0.0, 0.5) };
    let image = draw(&still_life(&[without]), &front());
    let with = draw(&still_life(&[facing(0.0, 0.5)]), &front());
    let (a, b) = (at(&image, 0.0, 0.0), at(&with, 0.0, 0.0));
    assert!(brightness(a).abs_diff(brightness(b)) <= 6, "{a:?} {b:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn linear_half_is_written_as_byte_188() {
    let input = FrameInput {
        background: Background::Plain([0.5, 1.0, 0.0]),
        show: Show::NOTHING,
        ..front()
    };
    for msaa in [Msaa::Off, Msaa::X4] {
        let image = draw_with(&Model::default(), &input, msaa);
        let [r, g, b, a] = at(&image, 0.0, 0.0);
        assert!(r.abs_diff(188) <= 1, "{r}");
        assert_eq!([g, b, a], [255, 0, 255]);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_gradient_is_lighter_at_the_top_and_opaque() {
    let input = FrameInput { background: Background::Gradient, show: Show::NOTHING, ..front() };
    let image = draw(&Model::default(), &input);
    assert!(brightness(at(&image, 0.0, 0.95)) > brightness(at(&image, 0.0, -0.95)) + 60);
    assert!(pixels(&image).all(|p| p[3] == 255));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn msaa_softens_edges_and_straight_alpha_keeps_their_color() {
    let input = FrameInput { show: COLORS, subsets: &[colored(RED)], ..front() };
    let model = still_life(&[facing(0.0, 0.6)]);
    let hard = draw_with(&model, &input, Msaa::Off);
    assert!(pixels(&hard).all(|p| p[3] == 0 || p[3] == 255));
    let soft = draw_with(&model, &input, Msaa::X4);
    let edge: Vec<_> = pixels(&soft).filter(|p| (1..255).contains(&p[3])).collect();
    assert!(edge.len() > 60, "{} soft pixels", edge.len());
    let inside = at(&soft, 0.0, 0.0);
    for pixel in edge {
        assert!(pixel[0].abs_diff(inside[0]) < 24, "{pixel:?} {inside:?}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn supersampling_looks_like_msaa() {
    let input =
        FrameInput { show: Show::parse("surface,grid,axes,subset-colors").unwrap(), ..front() };
    let model = still_life(&[facing(0.0, 0.6)]);
    let sampled = draw_with(&model, &input, Msaa::X4);
    let (gpu, renderer, mut scene) = uploaded(&model);
    let size = [SIDE; 2];
    let doubled =
        headless::render_image(gpu, &renderer, &mut scene, size, Msaa::X4, &input).unwrap();
    assert_eq!((doubled.width, doubled.height), (SIDE, SIDE));
    let differing = pixels(&sampled)
        .zip(pixels(&doubled))
        .filter(|(a, b)| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 60))
        .count();
    assert!(differing * 50 < pixels(&doubled).count(), "{differing} pixels");
    assert!(pixels(&doubled).any(|p| (1..255).contains(&p[3])));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn an_unchanged_pose_is_not_skinned_again() {
    let model = still_life(&[facing(0.0, 0.5)]);
    let (gpu, renderer, mut scene) = uploaded(&model);
    let target = Target::new(gpu, [SIDE; 2], Msaa::Off);
    let mut skinned = |input: &FrameInput<'_>| {
        let stats = renderer.render(gpu, &mut scene, &target, input);
        (stats.skinned, stats.triangles)
    };
    assert_eq!(skinned(&front()), (true, 1));
    assert_eq!(skinned(&front()), (false, 1));
    let other = FrameInput { pose: PoseSpec::at_key(None, 3), ..front() };
    assert_eq!(skinned(&other), (true, 1));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_vertex_animation_is_uploaded_once_per_frame() {
    let mut model = still_life(&[facing(0.0, 0.5)]);
    model.clips = vec![cache_clip(&mut Random::new(1), 0, 3)].into();
    let (gpu, renderer, mut scene) = uploaded(&model);
    let target = Target::new(gpu, [SIDE; 2], Msaa::Off);
    let mut skinned = |time_secs, sampling| {
        let pose =
            PoseSpec { moment: Moment::TimeSecs(time_secs), sampling, ..PoseSpec::default() };
        let input = FrameInput { pose, ..front() };
        renderer.render(gpu, &mut scene, &target, &input).skinned
    };
    assert!(skinned(0.3, Sampling::Step));
    assert!(!skinned(0.9, Sampling::Step), "the frame at 0.25 still holds");
    assert!(skinned(1.0, Sampling::Step));
    assert!(!skinned(7.0, Sampling::Step), "times are clamped to the clip");
    assert!(skinned(0.3, Sampling::Linear));
    assert!(skinned(0.9, Sampling::Linear));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn last_triangle_is_drawn_for_any_number_of_triangles() {
    // Buffers are written in parts; these numbers of indices are near their ends.
    for num in [1, 2, 254, 255, 256, 257, 511, 512, 513, 767, 1023] {
        let mut triangles = vec![facing(0.0, 0.0); num - 1];
        triangles.push(facing(0.0, 0.5));
        let narrow = still_life(&triangles);
        let mut wide = narrow.clone();
        wide.meshes[MeshId(0)].indices =
            Indices::U32(narrow.meshes[MeshId(0)].indices.iter().collect());
        for model in [narrow, wide] {
            let image = draw(&model, &front());
            assert_ne!(at(&image, 0.0, 0.0)[3], 0, "{num} triangles");
        }
    }
}
