//! GPU times per pass.

use glam::Vec3;
use rigscope_core::camera::Camera;
use rigscope_core::visual::{Light, OutlineTarget, Shading};
use rigscope_gpu::headless::{self, Image};
use rigscope_gpu::{Background, FrameInput, Gpu, GpuTimes, Msaa, Show, Target, Timer};

use super::images::{SIDE, front};
use super::models::{facing, still_life};
use super::squares::{Square, UPRIGHT, material, model};
use super::{gpu, uploaded};
use rigscope_testing::*;

fn names(times: &GpuTimes) -> Vec<&'static str> {
    times.passes_ms.iter().map(|(name, _)| *name).collect()
}

/// The shared device with timestamps only at the ends of passes and, if supported, also with timestamps
/// between draws, which split the row `image`.
fn variants() -> Vec<Gpu> {
    let has_inside =
        gpu().device.features().contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES);
    let of = |timestamps_inside| {
        let mut gpu = gpu().clone();
        gpu.caps.timestamps_inside = timestamps_inside;
        gpu
    };
    [false, true].into_iter().filter(|inside| has_inside || !inside).map(of).collect()
}

/// The image with a timer, and the timer's result. Drawing without a timer must give the same image.
fn timed(gpu: &Gpu, model: &Model, input: &FrameInput<'_>) -> (Image, Option<GpuTimes>) {
    let (_, renderer, mut scene) = uploaded(model);
    let target = Target::new(gpu, [SIDE; 2], Msaa::X4);
    let mut timer = Timer::new(gpu);
    let read = || headless::read_target(gpu, &target, input.background).unwrap();
    renderer.render_timed(gpu, &mut scene, &target, input, timer.as_ref());
    if let Some(timer) = &mut timer {
        timer.finish(gpu, 1);
    }
    let with = read();
    renderer.render(gpu, &mut scene, &target, input);
    assert!(with == read(), "measuring changes the image");
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
    (with, timer.and_then(|mut timer| timer.read().pop()))
}

/// A room with a pane of glass and a shadow; the second part is outlined.
fn room() -> (Model, FrameInput<'static>) {
    let floor = Square { right: Vec3::X, up: Vec3::NEG_Z, normal: Vec3::Y, ..UPRIGHT };
    let wall = Square { center: Vec3::new(0.0, 1.0, -1.0), half: 1.0, ..UPRIGHT };
    let pane = Square { center: Vec3::new(0.0, 1.0, 0.0), ..wall };
    let plain = || material(Vec::new(), MaterialLook::default());
    let base_color = Vec3::ONE.extend(0.5);
    let glass = MaterialLook { base_color, alpha: AlphaMode::Blend, ..MaterialLook::default() };
    let glass = material(Vec::new(), glass);
    let room = model(&[floor, wall, pane], vec![plain(), plain(), glass], Vec::new());
    let show = Show {
        surface: true,
        textures: true,
        grid: true,
        ground_shadow: true,
        ambient_occlusion: true,
        light: Light { shading: Shading::Physical, ..Light::USUAL },
        ..Show::NOTHING
    };
    let input = FrameInput {
        camera: Camera { distance: 6.0, yaw_rad: 0.3, pitch_rad: 0.4, ..Camera::default() },
        bounds: Aabb::from_points([Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 2.0, 1.0)]),
        show,
        selected: Some(OutlineTarget::Part(1)),
        background: Background::Plain([0.2; 3]),
        ..FrameInput::default()
    };
    (room, input)
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn times_arrive_after_some_frames_if_supported() {
    for gpu in variants() {
        let model = still_life(&[facing(0.0, 0.5)]);
        let (_, renderer, mut scene) = uploaded(&model);
        let target = Target::new(&gpu, [SIDE; 2], Msaa::Off);
        let Some(mut timer) = Timer::new(&gpu) else { return assert!(!gpu.caps.timestamps) };
        let mut arrived = Vec::new();
        for frame in 1..=12 {
            renderer.render_timed(&gpu, &mut scene, &target, &front(), Some(&timer));
            timer.finish(&gpu, frame);
            headless::read_target(&gpu, &target, Background::Gradient).unwrap();
            arrived.extend(timer.read());
        }
        assert_eq!(
            arrived.iter().map(|times| times.frame).collect::<Vec<_>>(),
            (1..=12).collect::<Vec<_>>()
        );
        let of_picture =
            if !gpu.caps.timestamps_inside { vec!["image"] } else { vec!["smooth", "image"] };
        assert_eq!(names(&arrived[0]), [&["skinning"], &of_picture[..]].concat());
        for times in &arrived[1..] {
            assert_eq!(names(times), of_picture, "the vertices were already skinned");
        }
        for times in &arrived {
            let sum: f32 = times.passes_ms.iter().map(|(_, ms)| ms).sum();
            assert!(times.total_ms > 0.0 && times.total_ms <= sum + 1e-3, "{times:?}");
            assert!(times.total_ms < 10_000.0, "{times:?}");
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn frames_are_skipped_until_times_are_read_and_empty_frames_have_none() {
    let model = still_life(&[facing(0.0, 0.5)]);
    let (gpu, renderer, mut scene) = uploaded(&model);
    let target = Target::new(gpu, [SIDE; 2], Msaa::Off);
    let Some(mut timer) = Timer::new(gpu) else { return assert!(!gpu.caps.timestamps) };
    timer.finish(gpu, 100);
    let mut draw = |timer: &mut Timer, frame| {
        renderer.render_timed(gpu, &mut scene, &target, &front(), Some(timer));
        timer.finish(gpu, frame);
        headless::read_target(gpu, &target, Background::Gradient).unwrap();
    };
    (1..=9).for_each(|frame| draw(&mut timer, frame));
    let known: Vec<_> = timer.read().iter().map(|times| times.frame).collect();
    assert_eq!(known, [1, 2, 3, 4]);
    assert_eq!(timer.read(), []);
    draw(&mut timer, 10);
    assert_eq!(timer.read()[0].frame, 10);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn every_render_pass_has_a_row() {
    let (room, input) = room();
    let mut gpu = gpu().clone();
    gpu.caps.timestamps_inside = false;
    let (_, times) = timed(&gpu, &room, &input);
    let Some(times) = times else { return assert!(!gpu.caps.timestamps) };
    let wanted = [
        "skinning",
        "shadow",
        "image",
        "occlusion",
        "image from ambient occlusion",
        "layers",
        "image from layers",
        "masks",
        "outlines",
    ];
    assert_eq!(names(&times), wanted);
    assert!(times.passes_ms.iter().any(|(_, ms)| *ms > 0.0), "{times:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn passes_that_share_a_render_pass_have_rows_if_supported() {
    let (room, input) = room();
    let inside = variants().into_iter().find(|gpu| gpu.caps.timestamps_inside);
    let Some(gpu) = inside else {
        return println!("skipped on {}: it has no timestamps inside passes", gpu().info.name);
    };
    let (_, times) = timed(&gpu, &room, &input);
    let names = names(&times.unwrap());
    let first = names.iter().position(|name| *name == "image").unwrap();
    assert_eq!(names[..first], ["skinning", "shadow", "physical"]);
    for kind in ["ground_shadow", "grid", "ambient_occlusion", "layers"] {
        assert!(names.contains(&kind), "{kind}: {names:?}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_discarded_frame_is_not_part_of_the_next() {
    for gpu in variants() {
        let model = still_life(&[facing(0.0, 0.5)]);
        let (_, renderer, mut scene) = uploaded(&model);
        let target = Target::new(&gpu, [SIDE; 2], Msaa::Off);
        let Some(mut timer) = Timer::new(&gpu) else { return assert!(!gpu.caps.timestamps) };
        renderer.render_timed(&gpu, &mut scene, &target, &front(), Some(&timer));
        timer.discard();
        renderer.render_timed(&gpu, &mut scene, &target, &front(), Some(&timer));
        timer.finish(&gpu, 1);
        headless::read_target(&gpu, &target, Background::Gradient).unwrap();
        let times = timer.read();
        assert_eq!(times.len(), 1);
        let names = names(&times[0]);
        assert!(!names.contains(&"skinning"), "the vertices were skinned for the first: {names:?}");
        assert_eq!(names.last(), Some(&"image"));
    }
}

/// Without device support nothing is measured.
#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_device_without_timestamps_has_no_timer() {
    let (gpu, ..) = uploaded(&still_life(&[facing(0.0, 0.5)]));
    let mut gpu = gpu.clone();
    gpu.caps.timestamps = false;
    assert!(Timer::new(&gpu).is_none());
}
