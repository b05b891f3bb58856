//! Pixels of overlays: wires, dots, bones, ground, compass.

use glam::Vec3;
use rigscope_core::camera::{Camera, Preset, Projection};
use rigscope_core::model::MeshId;
use rigscope_core::model::*;
use rigscope_core::pose::BoneShape;
use rigscope_core::visual::{DEFORMING_BONE, SELECTED};
use rigscope_gpu::headless::Image;
use rigscope_gpu::{Background, FrameInput, Show, SubsetLook};

use super::images::{SIDE, at, brightness, covered, draw, front, is_red, pixels};
use super::models::{facing, still_life};

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn wires_run_along_edges_and_leave_the_inside_open() {
    let input = FrameInput { show: Show::parse("wireframe").unwrap(), ..front() };
    let image = draw(&still_life(&[facing(0.0, 0.7)]), &input);
    assert_eq!(at(&image, 0.0, 0.0)[3], 0, "open inside");
    let on_the_base = (-3..=3).any(|px| {
        let y = -0.7 + px as f32 * 2.0 / SIDE as f32;
        at(&image, 0.0, y)[3] > 100
    });
    assert!(on_the_base);
    // The outline of a triangle with base and height of 67 pixels is about 217 pixels long.
    assert!((120..600).contains(&covered(&image)), "{}", covered(&image));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn wires_over_a_surface_are_dark_and_hidden_behind_it() {
    let show = Show::parse("surface,wireframe").unwrap();
    let input = FrameInput { show, ..front() };
    let model = still_life(&[facing(0.0, 0.7)]);
    let with = draw(&model, &input);
    let without = draw(&model, &front());
    let darker = pixels(&with)
        .zip(pixels(&without))
        .filter(|(w, wo)| brightness(*w) + 100 < brightness(*wo))
        .count();
    assert!(darker > 80, "{darker} dark pixels");
    // A smaller triangle behind the first: none of its edges is visible.
    let both = still_life(&[facing(0.0, 0.7), facing(-0.5, 0.3)]);
    let behind = draw(&both, &input);
    assert_eq!(behind, with);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn u16_indices_at_odd_offsets_are_read_correctly() {
    // Triangles of three indices each: every second one begins in the middle of a word.
    let model = still_life(&[facing(0.0, 0.2), facing(0.0, 0.7), facing(0.0, 0.4)]);
    let only_second = [false, true, false].map(|visible| SubsetLook { visible, color: None });
    let input =
        FrameInput { show: Show::parse("wireframe").unwrap(), subsets: &only_second, ..front() };
    let image = draw(&model, &input);
    let alone = draw(&still_life(&[facing(0.0, 0.7)]), &FrameInput { subsets: &[], ..input });
    assert_eq!(image, alone);
    let mut wide = model;
    let narrow = &wide.meshes[MeshId(0)].indices;
    wide.meshes[MeshId(0)].indices = Indices::U32(narrow.iter().collect());
    assert_eq!(draw(&wide, &input), image, "4-byte indices look the same");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn points_are_at_their_vertices_and_over_the_surface() {
    let input = FrameInput { show: Show::parse("points").unwrap(), ..front() };
    let model = still_life(&[facing(0.0, 0.5)]);
    let image = draw(&model, &input);
    for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.0, 0.5)] {
        assert_eq!(at(&image, x, y)[3], 255, "{x} {y}");
    }
    assert!((40..200).contains(&covered(&image)), "{}", covered(&image));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn points_inside_a_surface_are_drawn_over_it_in_both_projections() {
    // The smaller triangle is inside the larger one.
    let model = still_life(&[facing(0.0, 0.9), facing(0.0, 0.3)]);
    for projection in [Projection::Perspective, Projection::Orthographic] {
        let camera = Camera {
            projection,
            // Slightly from the side: half of each dot is inside the surface.
            yaw_rad: 0.6,
            ..front().camera
        };
        let shown = |show: &str| {
            let input = FrameInput { camera, show: Show::parse(show).unwrap(), ..front() };
            draw(&model, &input)
        };
        let plain = shown("surface");
        let dotted = shown("surface,points");
        let ndc =
            camera.clip_from_world(1.0, &front().bounds).project_point3(Vec3::new(0.3, -0.3, 0.0));
        let changed = |dx: f32| {
            let x = ndc.x + dx * 2.0 / SIDE as f32;
            at(&dotted, x, ndc.y) != at(&plain, x, ndc.y)
        };
        assert!(changed(-1.0) && changed(1.0), "{projection:?}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_mesh_without_triangles_shows_its_points() {
    let mut model = still_life(&[facing(0.0, 0.5)]);
    model.meshes[MeshId(0)].indices = Indices::default();
    model.meshes[MeshId(0)].subsets.clear();
    let image = draw(&model, &front());
    assert_eq!(at(&image, 0.5, -0.5)[3], 255);
}

const BONES: [BoneShape; 2] = [
    BoneShape {
        bone: BoneId(0),
        head: Vec3::new(-0.5, -0.8, -0.5),
        tail: Vec3::new(-0.5, 0.8, -0.5),
    },
    BoneShape {
        bone: BoneId(1),
        head: Vec3::new(0.5, -0.8, -0.5),
        tail: Vec3::new(0.5, 0.8, -0.5),
    },
];

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bones_have_the_given_colours() {
    let input = FrameInput {
        show: Show::parse("bones").unwrap(),
        bones: &BONES,
        bone_colors: &[DEFORMING_BONE, SELECTED],
        ..front()
    };
    let image = draw(&Model::default(), &input);
    // Half a unit behind the target, everything is a fifth closer to the middle.
    let x = 0.5 / (1.0 + 0.5 / input.camera.distance) + 0.02;
    let (plain, selected) = (at(&image, -x, -0.3), at(&image, x, -0.3));
    assert_eq!((plain[3], selected[3]), (255, 255));
    assert!(selected[0] / 2 > selected[2], "{selected:?}");
    assert!(plain[2] > plain[0], "{plain:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bones_hide_behind_the_surface_unless_they_are_on_top() {
    let model = still_life(&[facing(0.0, 0.95)]);
    let shown = |show: &str| {
        let input = FrameInput { show: Show::parse(show).unwrap(), bones: &BONES, ..front() };
        draw(&model, &input)
    };
    let surface = shown("surface");
    let x = 0.5 / (1.0 + 0.5 / front().camera.distance) + 0.02;
    let middle = |image: &Image| at(image, x, -0.5);
    assert_eq!(middle(&shown("surface,bones")), middle(&surface));
    assert_ne!(middle(&shown("surface,bones-on-top")), middle(&surface));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn zero_length_bones_and_bones_behind_the_eye_are_harmless() {
    let bones = [
        BoneShape { bone: BoneId(0), head: Vec3::ZERO, tail: Vec3::ZERO },
        BoneShape { bone: BoneId(1), head: Vec3::Z * 50.0, tail: Vec3::Z * 60.0 },
    ];
    let input = FrameInput { show: Show::parse("bones").unwrap(), bones: &bones, ..front() };
    let image = draw(&Model::default(), &input);
    assert!(covered(&image) < 20);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_ground_is_visible_from_above_with_red_x_and_blue_z() {
    let mut camera = front().camera;
    camera.look_from(Preset::Top);
    let input = FrameInput {
        camera,
        show: Show::parse("grid").unwrap(),
        background: Background::Plain([0.0; 3]),
        ..front()
    };
    let image = draw(&Model::default(), &input);
    let near = |x: f32, y: f32, is: fn([u8; 4]) -> bool| {
        (-2..=2).any(|d| {
            let d = d as f32 * 2.0 / SIDE as f32;
            is(at(&image, x + d, y)) || is(at(&image, x, y + d))
        })
    };
    assert!(near(0.33, 0.0, |p| p[0] > 100 && p[0] / 2 > p[2]), "x is red");
    assert!(near(0.0, 0.33, |p| p[2] > 100 && p[2] / 2 > p[0]), "z is blue");
    let lines = pixels(&image).filter(|p| brightness(*p) > 60).count();
    assert!(lines > 400, "{lines} pixels of lines");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_compass_shows_three_colors_in_the_lower_left_corner() {
    let input =
        FrameInput { camera: Camera::default(), show: Show::parse("axes").unwrap(), ..front() };
    let image = draw(&Model::default(), &input);
    let count = |is: fn([u8; 4]) -> bool| pixels(&image).filter(|p| is(*p)).count();
    assert!(count(is_red) > 40, "red {}", count(is_red));
    assert!(count(|p| p[1] > 100 && p[1] / 2 > p[2]) > 40);
    assert!(count(|p| p[2] > 100 && p[2] / 2 > p[0]) > 40);
    assert_eq!(at(&image, 0.95, 0.95)[3], 0);
}
