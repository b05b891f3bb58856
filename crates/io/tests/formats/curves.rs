//! Cubic curves through writers that store linear or sampled keys: the motion between equal keys is
//! kept.

use glam::{Quat, Vec3};
use rigscope_core::model::{ClipId, Interpolation, Model, Motion, Report, Track};
use rigscope_core::pose::{PoseSpec, posed_bounds};
use rigscope_io::convert::{ConvertOptions, convert, read_back};
use rigscope_io::formats::FORMATS;

use rigscope_testing::ModelBuilder;

/// Formats that store clips.
const WITH_CLIPS: [&str; 8] = ["bcf", "bonespro", "bsm2", "cmx", "gltf", "iqm", "ozz", "usd"];
/// Relative to the size: linear keys follow cubic curves to 0.1 % of their range.
const TOLERANCE: f64 = 1e-3;
/// The deviation that `convert` measures includes the steps of formats whose runtimes hold keys.
const WITH_STEPS: f64 = 2e-2;

/// A bar whose upper half moves by 0.5, rotates by about 0.5 radians and returns, all between two
/// equal keys one second apart.
fn swaying() -> Model {
    let positions: Vec<Vec3> = (0..12u8)
        .map(|at| {
            let side = |bit: u8| if at & bit == 0 { -0.2 } else { 0.2 };
            Vec3::new(side(1), f32::from(at / 4), side(2))
        })
        .collect();
    let lists: Vec<[(u32, f32); 1]> =
        positions.iter().map(|p| [(u32::from(p.y > 1.5), 1.0)]).collect();
    let lean = Quat::from_xyzw(0.0, 0.0, 1.0, 0.0);
    let none = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let up = Vec3::Y;
    ModelBuilder::new()
        .bones(&[("lower", None, Vec3::ZERO), ("upper", Some(0), up)])
        .mesh(positions)
        .indices([0, 1, 2, 1, 3, 2, 4, 5, 6, 8, 9, 10])
        .normal(Vec3::Z)
        .bound(lists)
        .clip("sway", 1.0)
        .translation(
            1,
            Track {
                times_secs: vec![0.0, 1.0],
                values: vec![Vec3::ZERO, up, Vec3::X * 2.0, Vec3::X * -2.0, up, Vec3::ZERO],
                interpolation: Interpolation::Cubic,
            },
        )
        .rotation(
            1,
            Track {
                times_secs: vec![0.0, 1.0],
                values: vec![none, Quat::IDENTITY, lean, -lean, Quat::IDENTITY, none],
                interpolation: Interpolation::Cubic,
            },
        )
        .checked()
}

#[test]
fn motion_between_equal_keys_is_written_by_every_format_with_clips() {
    let source = swaying();
    let bounds =
        |model: &Model, time_secs| posed_bounds(model, &PoseSpec::linear(ClipId(0), time_secs));
    let size = bounds(&source, 0.0).extent();
    let mut written = Vec::new();
    for format in FORMATS.iter().filter(|format| format.info.can_write) {
        let info = &format.info;
        let options = ConvertOptions::default();
        let made = convert(&source, format, info.extensions[0], &options, &Report::new()).unwrap();
        let fps = format.written_fps(&source, None);
        let parts = read_back(&made.files, format, fps, &Report::new()).unwrap();
        let Some(part) = parts.iter().find(|part| !part.clips.is_empty()) else { continue };
        written.push(info.id);
        let measured = made.errors.unwrap().of_extent().unwrap();
        let holds_keys = matches!(part.clips[ClipId(0)].motion, Motion::Sampled(_));
        let limit = if holds_keys { WITH_STEPS } else { TOLERANCE };
        assert!(measured < limit, "{}: convert measures {measured} of the size", info.id);
        if part.num_vertices() == 0 {
            continue;
        }
        let mut worst = 0.0f64;
        for step in 0..=200 {
            let time_secs = f64::from(step) / 200.0;
            let (wanted, found) = (bounds(&source, time_secs), bounds(part, time_secs));
            let apart = wanted.min.distance(found.min).max(wanted.max.distance(found.max));
            worst = worst.max(f64::from(apart / size));
        }
        assert!(worst < TOLERANCE, "{}: {worst} of the size", info.id);
    }
    written.sort_unstable();
    assert_eq!(written, WITH_CLIPS);
}
