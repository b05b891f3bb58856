//! Exact colours of all colourings, on squares and triangles made for each.

use glam::{Vec2, Vec3};
use rigscope_core::model::MeshId;
use rigscope_gpu::headless::Image;
use rigscope_gpu::{FrameInput, Show};

use super::images::{at, covered, draw, front, pixels};
use super::models::{facing, still_life};
use super::squares::{RED, Square, UPRIGHT, assert_near, base, material, model, png, unlit};
use rigscope_testing::*;

fn shown(model: &Model, show: &str) -> Image {
    let input = FrameInput { show: Show::parse(&format!("surface,{show}")).unwrap(), ..front() };
    draw(model, &input)
}

/// One square without a material.
fn plain(square: Square) -> Model {
    let mut model = model(&[square], Vec::new(), Vec::new());
    model.meshes[MeshId(0)].subsets[0].material = None;
    model
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn directions_have_the_colours_of_a_normal_map() {
    let model = plain(UPRIGHT);
    for (show, wanted) in [
        ("normal-colors", [128, 128, 255, 255]),
        ("tangent-colors", [255, 128, 128, 255]),
        ("bitangent-colors", [128, 255, 128, 255]),
    ] {
        let image = shown(&model, show);
        assert_near(at(&image, 0.1, 0.2), wanted);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_missing_direction_is_black() {
    let model = plain(Square { has_tangents: false, ..UPRIGHT });
    let image = shown(&model, "tangent-colors");
    assert_near(at(&image, 0.0, 0.0), [0, 0, 0, 255]);
    assert_near(at(&shown(&model, "bitangent-colors"), 0.0, 0.0), [0, 0, 0, 255]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bitangents_point_up_in_a_left_handed_file() {
    let mut model = plain(UPRIGHT);
    model.axes.handedness = Handedness::Left;
    let image = shown(&model, "bitangent-colors");
    assert_near(at(&image, 0.0, 0.0), [128, 255, 128, 255]);
    let tangents = shown(&model, "tangent-colors");
    assert_near(at(&tangents, 0.0, 0.0), [0, 128, 128, 255]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_sign_of_tangents_is_green_magenta_or_grey() {
    let mirrored = Square { right: Vec3::NEG_X, ..UPRIGHT };
    let none = Square { has_tangents: false, ..UPRIGHT };
    let image = shown(&plain(UPRIGHT), "tangent-sign");
    let [r, g, b, _] = at(&image, 0.0, 0.0);
    assert!(g > r && g > b, "green: {r} {g} {b}");
    let [r, g, b, _] = at(&shown(&plain(mirrored), "tangent-sign"), 0.0, 0.0);
    assert!(r > 2 * g && b > 2 * g, "magenta: {r} {g} {b}");
    let [r, g, b, _] = at(&shown(&plain(none), "tangent-sign"), 0.0, 0.0);
    assert!(r.abs_diff(g) < 12 && g.abs_diff(b) < 12, "grey: {r} {g} {b}");
}

/// A square from -0.8 to 0.8 with UVs from `low` to `high`, v down.
fn with_uvs(low: Vec2, high: Vec2) -> Model {
    let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)].map(Vec2::from);
    let place = |uv: Vec2| Vec3::new(uv.x * 1.6 - 0.8, 0.8 - uv.y * 1.6, 0.0);
    let square = ModelBuilder::new().mesh(corners.map(place)).indices([0, 1, 2, 0, 2, 3]);
    square.normal(Vec3::Z).uvs(corners.map(|uv| low + (high - low) * uv)).build()
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn u_is_red_v_is_green_and_the_outside_is_striped() {
    let inside = with_uvs(Vec2::ZERO, Vec2::ONE);
    let image = shown(&inside, "uv-colors");
    let near = |[r, g, b, a]: [u8; 4], wanted: [u8; 4]| {
        let far = [r, g, b, a].iter().zip(wanted).any(|(found, wanted)| found.abs_diff(wanted) > 5);
        assert!(!far, "{:?} is not {wanted:?}", [r, g, b, a]);
    };
    near(at(&image, 0.0, 0.0), [128, 128, 0, 255]);
    near(at(&image, 0.4, 0.4), [191, 64, 0, 255]);
    near(at(&image, -0.78, -0.78), [3, 252, 0, 255]);
    assert!(pixels(&image).all(|[_, _, b, _]| b == 0), "no stripes");
    let outside = shown(&with_uvs(Vec2::splat(1.5), Vec2::splat(2.5)), "uv-colors");
    let striped = pixels(&outside).filter(|[_, _, b, _]| *b > 150).count();
    let all = covered(&outside);
    assert!(striped * 3 > all && striped * 3 < all * 2, "{striped} of {all}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn mirrored_uvs_are_orange_and_zero_area_uvs_are_red() {
    let side = |low: Vec2, high: Vec2| {
        let image = shown(&with_uvs(low, high), "mirrored-uvs");
        let [r, g, b, _] = at(&image, 0.1, -0.3);
        [r, g, b]
    };
    let [r, _, b] = side(Vec2::ZERO, Vec2::ONE);
    assert!(b > r, "unmirrored is blue: {r} {b}");
    let [r, g, b] = side(Vec2::X, Vec2::Y);
    assert!(r > g && g > b, "mirrored is orange: {r} {g} {b}");
    let [r, g, b] = side(Vec2::ONE, Vec2::ZERO);
    assert!(b > r, "rotated by 180 degrees is not mirrored: {r} {g} {b}");
    for point in [Vec2::splat(0.3), Vec2::new(0.3, 0.9)] {
        let [r, g, b] = side(Vec2::new(0.3, 0.3), point);
        assert!(r > 60 && g < 60 && b < 60, "zero area is red: {r} {g} {b}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertex_order_goes_from_dark_to_yellow() {
    let model = still_life(&[facing(-0.5, 0.9), facing(0.0, 0.3)]);
    let image = shown(&model, "vertex-order");
    let first = at(&image, -0.6, -0.65);
    let last = at(&image, 0.0, 0.1);
    assert!(first[0] < 90 && first[2] >= first[1] / 2, "{first:?}");
    assert!(last[0] > last[2] && last[1] > first[1], "{last:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn fronts_are_blue_and_backs_are_red() {
    let mut back = facing(0.0, 0.7);
    back.corners.swap(1, 2);
    let image = shown(&still_life(&[facing(0.0, 0.7)]), "face-orientation");
    let [r, _, b, _] = at(&image, 0.0, 0.0);
    assert!(b > 2 * r, "front {r} {b}");
    let [r, _, b, _] = at(&shown(&still_life(&[back]), "face-orientation"), 0.0, 0.0);
    assert!(r > 2 * b, "back {r} {b}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_matcap_is_warm_and_brighter_towards_its_light() {
    let tilted = |y: f32| {
        let mut triangle = facing(0.0, 0.7);
        triangle.normal = Vec3::new(0.0, y, 1.0).normalize_or_zero();
        shown(&still_life(&[triangle]), "matcap")
    };
    let up = tilted(0.6);
    let up = at(&up, 0.0, 0.0);
    let down = at(&tilted(-0.9), 0.0, 0.0);
    assert!(up[0] > up[2] && up[0] > down[0] + 30, "{up:?} {down:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn colouring_replaces_textures_and_transparency() {
    for alpha in [AlphaMode::Opaque, AlphaMode::Blend] {
        let look = MaterialLook { alpha, ..unlit() };
        let textured = material(vec![base()], look);
        let model = model(&[UPRIGHT], vec![textured], vec![png(1, &[RED])]);
        let image = shown(&model, "textures,normal-colors");
        assert_near(at(&image, 0.0, 0.0), [128, 128, 255, 255]);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn direction_lines_start_at_their_vertices_in_their_colours() {
    // Viewed at an angle, so that the normal is visible.
    let mut camera = front().camera;
    camera.look_from(rigscope_core::camera::Preset::Side);
    let side = FrameInput {
        show: Show { glyph_permille: 100, ..Show::parse("normals").unwrap() },
        camera,
        ..front()
    };
    let image = draw(&plain(UPRIGHT), &side);
    let blue = pixels(&image).filter(|p| p[3] > 60 && p[2] > p[0]).count();
    assert!(blue > 20, "{blue} blue pixels");
    assert_eq!(pixels(&image).filter(|p| p[0] > p[2]).count(), 0);
    for (show, is_it) in [
        ("tangents", (|p| p[0] > p[1] && p[0] > p[2]) as fn([u8; 4]) -> bool),
        ("bitangents", |p| p[1] > p[0] && p[1] > p[2]),
    ] {
        let input = FrameInput {
            show: Show { glyph_permille: 100, ..Show::parse(show).unwrap() },
            ..front()
        };
        let image = draw(&plain(UPRIGHT), &input);
        let drawn: Vec<_> = pixels(&image).filter(|p| p[3] > 60).collect();
        assert!(drawn.len() > 40, "{show}: {}", drawn.len());
        assert!(drawn.iter().all(|&p| is_it(p)), "{show}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn longer_lines_cover_more_and_hidden_subsets_have_none() {
    let input = |glyph_permille| FrameInput {
        show: Show { glyph_permille, ..Show::parse("tangents,bitangents").unwrap() },
        ..front()
    };
    let short = draw(&plain(UPRIGHT), &input(20));
    let long = draw(&plain(UPRIGHT), &input(100));
    assert!(covered(&long) > 2 * covered(&short));
    let hidden = [rigscope_gpu::SubsetLook { visible: false, color: None }];
    let none = FrameInput { subsets: &hidden, ..input(100) };
    assert_eq!(covered(&draw(&plain(UPRIGHT), &none)), 0);
}
