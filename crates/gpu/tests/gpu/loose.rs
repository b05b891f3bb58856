//! Loose lines and points: position, colours, occlusion, and picking.

use glam::{Vec2, Vec3, Vec4};
use rigscope_core::model::{MaterialId, MeshId};
use rigscope_core::visual::OutlineTarget;
use rigscope_gpu::headless::Image;
use rigscope_gpu::pick::{PickPoint, Picker};
use rigscope_gpu::{Background, FrameInput, Show, SubsetLook};

use super::images::{at, covered, draw, front};
use super::squares::{TEXTURED, assert_near, material, unlit};
use super::uploaded;
use rigscope_testing::*;

const RED: Vec4 = Vec4::new(1.0, 0.0, 0.0, 1.0);
const BLUE: Vec4 = Vec4::new(0.0, 0.0, 1.0, 1.0);

fn loose(kind: LooseKind, indices: &[u32], material: Option<u32>) -> LooseGeometry {
    LooseGeometry { kind, indices: indices.to_vec(), material: material.map(MaterialId) }
}

/// A line across the middle of the image from the first to the second vertex, and a point at the third of
/// four.
fn model() -> Model {
    let places = [(-0.8, 0.0), (0.8, 0.0), (0.0, 0.6), (0.0, -0.6)];
    let look = |base_color, alpha| MaterialLook { base_color, alpha, ..unlit() };
    let mut model = ModelBuilder::new().mesh(places.map(|(x, y)| Vec3::new(x, y, 0.0))).build();
    model.meshes[MeshId(0)].loose =
        vec![loose(LooseKind::Lines, &[0, 1], Some(0)), loose(LooseKind::Points, &[2], Some(1))];
    let plain = |color| material(Vec::new(), look(color, AlphaMode::Opaque));
    Model { materials: [RED, BLUE].map(plain).to_vec().into(), ..model }
}

fn view(show: Show) -> FrameInput<'static> {
    FrameInput { show, background: Background::Plain([0.0; 3]), ..front() }
}

fn shown(model: &Model) -> Image {
    draw(model, &view(TEXTURED))
}

fn streams(model: &mut Model) -> &mut Streams {
    streams_mut(&mut model.meshes[MeshId(0)])
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_line_is_two_points_wide_and_ends_at_its_vertices() {
    let transparent = FrameInput { show: TEXTURED, ..front() };
    for (pixels_per_point, wide) in [(1.0, 2), (2.0, 4)] {
        let mut alone = model();
        alone.meshes[MeshId(0)].loose.truncate(1);
        let input = FrameInput { pixels_per_point, ..transparent };
        let image = draw(&alone, &input);
        let middle: Vec<_> =
            (0..96).filter(|y| image.rgba8[(y * 96 + 48) * 4 + 3] == 255).collect();
        let wanted: Vec<_> = (48 - wide / 2..48 + wide / 2).collect();
        assert_eq!(middle, wanted);
        assert_near(at(&image, 0.0, 0.01), [255, 0, 0, 255]);
        assert_near(at(&image, 0.77, 0.01), [255, 0, 0, 255]);
        for outside in [-0.85, 0.85] {
            assert_eq!(at(&image, outside, 0.01)[3], 0);
        }
        let area = covered(&image);
        assert!(area >= 76 * wide && area <= 79 * (wide + 2), "{area}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn only_listed_points_are_drawn_as_dots_in_their_material_colour() {
    let image = shown(&model());
    assert_near(at(&image, 0.0, 0.6), [0, 0, 255, 255]);
    assert_near(at(&image, 0.0, -0.6), [0, 0, 0, 255]);
    // With all vertices shown as marks of one colour.
    let dots = Show { points: true, ..TEXTURED };
    let image = draw(&model(), &view(dots));
    let [r, g, b, _] = at(&image, 0.0, -0.6);
    assert!(r > 150 && g > 150 && b > 150, "{r} {g} {b}");
    // Like triangles, they are hidden without a surface.
    let none = draw(&model(), &view(Show::NOTHING));
    assert_near(at(&none, 0.0, 0.6), [0, 0, 0, 255]);
    let wires = draw(&model(), &view(Show::parse("wireframe").unwrap()));
    assert!(at(&wires, 0.0, 0.01)[0] > 60);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertex_colours_are_interpolated_along_lines() {
    let mut model = model();
    streams(&mut model).colors = vec![Vec4::ONE, Vec4::W, Vec4::splat(0.5), Vec4::ONE];
    let image = shown(&model);
    assert_near(at(&image, -0.79, 0.01), [255, 0, 0, 255]);
    let [half, ..] = at(&image, 0.0, 0.01);
    assert!(half.abs_diff(188) <= 3, "half of the light is 188: {half}");
    assert!(at(&image, 0.79, 0.01)[0] < 40);
    // Opaque, so alpha has no effect.
    assert_near(at(&image, 0.0, 0.6), [0, 0, 188, 255]);
    let show = Show::parse("surface,vertex-colors").unwrap();
    let image = draw(&model, &view(show));
    assert_near(at(&image, -0.79, 0.01), [255, 255, 255, 255]);
    assert_near(at(&image, 0.0, 0.6), [188, 188, 188, 255]);
    streams(&mut model).colors.clear();
    let grey = srgb8_from_color(Vec4::new(0.2, 0.2, 0.2, 1.0));
    assert_near(at(&draw(&model, &view(show)), 0.0, 0.01), grey);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn alpha_is_applied_if_the_material_blends() {
    let mut model = model();
    let look = model.materials[MaterialId(0)].look.as_mut().unwrap();
    look.alpha = AlphaMode::Blend;
    look.base_color.w = 0.5;
    streams(&mut model).colors = vec![Vec4::new(1.0, 1.0, 1.0, 0.5); 4];
    let image = shown(&model);
    assert_near(at(&image, 0.0, 0.01), [137, 0, 0, 255]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn hidden_lines_and_points_are_not_drawn_and_selected_ones_are_outlined() {
    let hidden = SubsetLook { visible: false, ..SubsetLook::default() };
    let looks = [SubsetLook::default(), hidden];
    let input =
        FrameInput { subsets: &looks, selected: Some(OutlineTarget::Part(0)), ..view(TEXTURED) };
    let image = draw(&model(), &input);
    let plain = draw(&model(), &FrameInput { selected: None, ..input });
    assert_eq!(at(&image, 0.0, 0.01), at(&plain, 0.0, 0.01));
    let [r, g, _, _] = at(&image, 0.0, 0.06);
    assert!(r > 200 && g > 100, "orange: {r} {g}");
    assert_near(at(&image, 0.0, 0.6), [0, 0, 0, 255]);
    let plain = Show { subset_colors: true, textures: false, ..TEXTURED };
    let looks = [SubsetLook { visible: true, color: Some([0.0, 1.0, 0.0]) }];
    let input = FrameInput { subsets: &looks, ..view(plain) };
    assert_near(at(&draw(&model(), &input), 0.0, 0.01), [0, 255, 0, 255]);
}

/// The model with a white square at `z` over the right half, before its lines in the list of parts.
fn with_square(z: f32) -> Model {
    let mut model = model();
    let corners = [(0.2, 0.8), (0.2, -0.8), (0.9, -0.8), (0.9, 0.8)];
    let places = corners.map(|(x, y)| Vec3::new(x, y, z));
    streams(&mut model).positions.extend(places);
    model.meshes[MeshId(0)].indices = Indices::U32(vec![4, 5, 6, 4, 6, 7]);
    model.meshes[MeshId(0)].subsets = subsets_of(&[(6, Some(2))]);
    model.materials.push(material(Vec::new(), unlit()));
    model
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn surfaces_hide_lines_behind_them_but_not_coplanar_lines() {
    let behind = shown(&with_square(0.3));
    assert_near(at(&behind, 0.5, 0.01), [255; 4]);
    assert_near(at(&behind, -0.5, 0.01), [255, 0, 0, 255]);
    for z in [0.0, -0.3] {
        let on = shown(&with_square(z));
        assert_near(at(&on, 0.5, 0.01), [255, 0, 0, 255]);
        assert_near(at(&on, 0.5, 0.3), [255; 4]);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn lines_move_with_their_bones() {
    let mut model = model();
    let bone = bone("", None, Vec3::Y * 0.5);
    model.skeleton = Skeleton::new(vec![bone], true).unwrap();
    model.meshes[MeshId(0)].attached_to = Some(BoneId(0));
    let image = shown(&model);
    assert_near(at(&image, 0.3, 0.51), [255, 0, 0, 255]);
    assert_near(at(&image, 0.3, 0.01), [0, 0, 0, 255]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn lines_and_points_are_picked_as_vertices_of_their_part() {
    let mut model = with_square(-0.3);
    // Another mesh before it, so that parts are counted over both.
    let first = model.meshes[MeshId(0)].clone();
    model.meshes.as_mut_vec().insert(0, first);
    streams(&mut model).positions.iter_mut().for_each(|p| p.x += 9.0);
    let (gpu, renderer, mut scene) = uploaded(&model);
    let mut picker = Picker::default();
    let hidden = SubsetLook { visible: false, ..SubsetLook::default() };
    let mut looks = vec![SubsetLook::default(); model.num_parts()];
    let mut pick = |x: f32, y: f32, looks: &[SubsetLook]| {
        let point = PickPoint { at_px: (Vec2::new(x, -y) * 0.5 + 0.5) * 96.0, reach_points: 8.0 };
        let input = FrameInput { subsets: looks, ..view(TEXTURED) };
        let pending = picker.request(gpu, &renderer, &mut scene, &input, [96; 2], point).unwrap();
        pollster::block_on(pending.result(&model)).unwrap()
    };
    for (x, y, vertex, part) in
        [(-0.5, 0.02, 0, 4), (0.5, 0.02, 1, 4), (0.5, -0.05, 1, 4), (0.0, 0.6, 2, 5)]
    {
        let hit = pick(x, y, &looks);
        let point = hit.point.unwrap_or_else(|| panic!("nothing at {x} {y}"));
        assert_eq!((point.mesh, point.vertex), (MeshId(1), VertexId(vertex)));
        assert_eq!(point.subset, Some(part), "{x} {y}");
        assert_eq!(hit.triangle, None);
    }
    let beside = pick(0.5, 0.2, &looks);
    assert_eq!((beside.point, beside.triangle.unwrap().subset), (None, 3));
    looks[4] = hidden;
    let under = pick(0.5, 0.02, &looks);
    assert_eq!((under.point, under.triangle.unwrap().subset), (None, 3));
}
