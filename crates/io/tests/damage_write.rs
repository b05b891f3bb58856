//! Runs all writers on models from damaged files and on untrusted models: no panic, no hang,
//! bounded memory, and file names that stay in the output folder.
//!
//! This is a separate test binary because it measures the peak memory use of the process.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::panic,
    reason = "a test may fail and speak"
)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use rigscope_core::model::MeshId;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use glam::{Mat4, Quat, Vec2, Vec3};
use peak_alloc::PeakAlloc;
use rigscope_core::compare::{DiffOptions, compare};
use rigscope_core::validate::validate;
use rigscope_io::convert::{Check, ConvertError, ConvertOptions, convert};
use rigscope_io::formats::{FORMATS, Format, ReadOptions, Source, WriteOptions, open};

use rigscope_testing::*;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Size limit of the samples; the test `damage` covers larger ones.
const SAMPLE_BYTES: usize = 60_000;
/// Number of changed copies per sample.
const COPIES: usize = 2;
/// Memory limit of one step.
const MEMORY_BYTES: usize = 768 << 20;
/// Time limit of one step in a build that isn't optimised.
const STEP: Duration = Duration::from_secs(20);
/// The longest file name in bytes that all file systems accept.
const NAME_BYTES: usize = 255;

thread_local! {
    /// Faults in the test of this thread, collected so that one run shows them all.
    static FAULTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Runs a test's steps while no other test allocates, then fails with a list of all faults.
fn alone(steps: impl FnOnce()) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _guard = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    steps();
    let faults = FAULTS.take();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Runs one step on a model. A panic or too much time or memory is a fault.
fn bounded(what: &str, step: impl FnOnce()) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let began = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(step));
    let used = ALLOCATOR.peak_usage().saturating_sub(before);
    let took = began.elapsed();
    if support::is_set("RIGSCOPE_TIMES") && (took.as_millis() > 200 || used > 64 << 20) {
        eprintln!("{what}: {took:?}, {} MiB", used >> 20);
    }
    let fault = match outcome {
        Err(cause) => {
            let said = cause.downcast_ref::<String>().cloned();
            said.or_else(|| Some(cause.downcast_ref::<&str>().unwrap_or(&"panicked").to_string()))
        }
        Ok(()) if used > MEMORY_BYTES => Some(format!("{used} bytes used")),
        Ok(()) if took > STEP => Some(format!("took {took:?}")),
        Ok(()) => None,
    };
    FAULTS.with_borrow_mut(|faults| faults.extend(fault.map(|fault| format!("{what}: {fault}"))));
}

/// Validates a model, compares it with itself, and writes it in every format and part.
fn survive(model: &Model, what: &str) {
    bounded(&format!("{what}: validate"), || {
        validate(model, &Report::new()).unwrap();
    });
    bounded(&format!("{what}: compare"), || {
        let options = DiffOptions::default();
        let comparison = compare(model, model, &options, &Report::new()).unwrap();
        let found = &comparison.differences;
        assert!(found.is_empty(), "differs from itself: {found:?}");
    });
    for format in FORMATS.iter().filter(|format| format.info.can_write) {
        let info = &format.info;
        write(model, format, info.extensions[0], None, what);
        for part in info.parts {
            write(model, format, part.extension, Some(part.id), what);
        }
    }
}

fn write(model: &Model, format: &Format, extension: &str, part: Option<&str>, what: &str) {
    let what = format!("{what}: {} {part:?}", format.info.id);
    bounded(&what, || {
        let options = ConvertOptions {
            write: WriteOptions {
                stem: "out".into(),
                part: part.map(str::to_owned),
                hierarchy: true,
                ..WriteOptions::default()
            },
            check: Check::Losses,
            ..ConvertOptions::default()
        };
        match convert(model, format, extension, &options, &Report::new()) {
            Ok(converted) => {
                let mut known = BTreeSet::new();
                for (name, _) in &converted.files {
                    assert_plain(name);
                    assert!(known.insert(name.to_lowercase()), "{name:?} twice");
                }
            }
            Err(ConvertError::Write(_)) => {}
            Err(error) => panic!("{error}"),
        }
    });
}

/// Checks that a name stays in the folder that it is joined to and fits in one line.
fn assert_plain(name: &str) {
    let is_bad = |c: char| c.is_control() || matches!(c, '/' | '\\');
    assert!(!name.contains(is_bad), "{name:?}");
    assert!(!name.is_empty() && name != "." && name != "..", "{name:?}");
    assert!(name.len() <= NAME_BYTES, "{} bytes", name.len());
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn models_from_damaged_files_are_validated_compared_and_written() {
    alone(|| {
        let mut num_models = 0;
        for path in support::readable_samples() {
            let bytes = std::fs::read(&path).unwrap();
            if bytes.len() > SAMPLE_BYTES {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let mut random = Random(bytes.len() as u64);
            for copy in 0..COPIES {
                let mut changed = bytes.clone();
                for _ in 0..8 {
                    let at = random.below(changed.len());
                    changed[at] = [0, 0xff, changed[at] ^ 0x80, changed[at].wrapping_add(1)]
                        [usize::try_from(random.0 >> 20 & 3).unwrap()];
                }
                let source = Source::new(name.clone(), changed);
                let opened = open(&source, &ReadOptions::default(), &Report::new());
                if let Ok(opened) = opened {
                    survive(&opened.model, &format!("{name} changed copy {copy}"));
                    num_models += 1;
                }
            }
        }
        assert!(num_models > 5, "only {num_models} copies opened");
    });
}

/// Tests [`support::rich::rich_without_jumps`] after a change and the model check.
fn hostile(what: &str, change: impl FnOnce(&mut Model)) {
    let mut model = support::rich::rich_without_jumps();
    change(&mut model);
    check::check(&mut model, &Report::new());
    survive(&model, what);
}

fn streams(model: &mut Model) -> impl Iterator<Item = &mut Streams> {
    model.meshes.iter_mut().filter_map(Mesh::streams_mut)
}

fn skin(model: &mut Model) -> &mut InverseBindSkin {
    inverse_bind_mut(&mut model.meshes[MeshId(0)])
}

fn rename(model: &mut Model, name: &str) {
    model.name = name.into();
    model.meshes.iter_mut().for_each(|mesh| mesh.name = name.into());
    model.materials.iter_mut().for_each(|m| m.name = name.into());
    model.clips.iter_mut().for_each(|clip| clip.name = name.into());
    for target in model.meshes.iter_mut().flat_map(|m| &mut m.morph_targets) {
        target.name = name.into();
    }
    for texture in model.materials.iter_mut().flat_map(|m| &mut m.textures) {
        texture.path = name.into();
    }
    model.images.iter_mut().for_each(|image| image.name = name.into());
    change_bones(model, |bone| bone.name = name.into());
}

fn change_bones(model: &mut Model, change: impl Fn(&mut Bone)) {
    let mut bones = model.skeleton.bones().to_vec();
    bones.iter_mut().for_each(change);
    model.skeleton = Skeleton::new(bones, true).unwrap();
}

/// A strip of `num` vertices on `num_bones` bones.
fn strip(num: u32, num_bones: u32) -> Model {
    let names: Vec<_> = (0..num_bones).map(|number| format!("bone {number}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let places: Vec<_> = (0..num).map(|v| Vec3::new((v / 2) as f32, (v % 2) as f32, 0.0)).collect();
    let strip = ModelBuilder::new().chain(&names).mesh(places).name("strip");
    let strip = strip.indices((2..num).flat_map(|v| [v - 2, v - 1, v]).collect::<Vec<_>>());
    strip.bound((0..num).map(|v| [(v % num_bones, 1.0)]).collect::<Vec<_>>()).build()
}

#[test]
fn models_with_untrusted_names_are_written_inside_the_folder() {
    alone(|| {
        let long = "x".repeat(10_000);
        let long_wide = "\u{4e00}".repeat(3_000);
        for name in [
            "",
            ".",
            "..",
            "a\0b",
            "<a>",
            "/etc/passwd",
            "../../up",
            "..\\up",
            "a\nb\r\n",
            "a\rb",
            "\u{ff}\u{fe}a",
            "\u{fe}\u{ff}a",
            "\"a\" b'c",
            "// a",
            "# a\\",
            "C:x",
            "con",
            "\u{1b}[2J",
            " ",
            &long,
            &long_wide,
        ] {
            let short: String = name.chars().take(12).collect();
            hostile(&format!("names {short:?}"), |model| rename(model, name));
        }
    });
}

#[test]
fn models_with_extreme_sizes_are_validated_compared_and_written() {
    alone(|| {
        hostile("nothing", |model| *model = Model::default());
        hostile("no vertices", |model| {
            for mesh in &mut model.meshes {
                *mesh = Mesh::default();
            }
        });
        hostile("no triangles", |model| {
            for mesh in &mut model.meshes {
                mesh.indices = Indices::U32(Vec::new());
                mesh.subsets.clear();
            }
        });
        hostile("no subsets", |model| {
            model.meshes.iter_mut().for_each(|mesh| mesh.subsets.clear());
        });
        hostile("no materials", |model| model.materials.as_mut_vec().clear());
        hostile("no bones", |model| model.skeleton = Skeleton::default());
        hostile("helpers alone", |model| {
            model.meshes.as_mut_vec().clear();
            change_bones(model, |bone| bone.kind = BoneKind::Helper);
        });
        hostile("bones alone", |model| {
            model.meshes.as_mut_vec().clear();
            model.clips.as_mut_vec().clear();
        });
        hostile("only one bone", |model| {
            model.meshes.as_mut_vec().clear();
            model.clips.as_mut_vec().clear();
            let bone = model.skeleton.bones()[BoneId(0)].clone();
            model.skeleton = Skeleton::new(vec![bone], true).unwrap();
        });
        hostile("clips alone", |model| {
            model.meshes.as_mut_vec().clear();
            model.skeleton = Skeleton::default();
        });
        hostile("300 bones", |model| *model = strip(1200, 300));
        hostile("70,000 vertices", |model| *model = strip(70_000, 2));
        hostile("9 UV sets", |model| {
            for streams in streams(model) {
                let set = |number: usize| UvSet {
                    name: format!("set {number}"),
                    coords: vec![Vec2::splat(number as f32); streams.positions.len()],
                };
                streams.uv_sets = (0..9).map(set).collect();
            }
        });
    });
}

#[test]
fn models_with_extreme_numbers_are_validated_compared_and_written() {
    alone(|| {
        for factor in [0.0, 1e-30, 1e-9, 1e9, 1e30, 3e38] {
            hostile(&format!("coordinates by {factor:e}"), |model| {
                for p in streams(model).flat_map(|streams| &mut streams.positions) {
                    *p = (*p * factor).clamp(Vec3::splat(f32::MIN), Vec3::splat(f32::MAX));
                }
            });
        }
        hostile("huge UVs", |model| {
            for uv in streams(model).flat_map(|s| &mut s.uv_sets).flat_map(|s| &mut s.coords) {
                *uv *= 1e30;
            }
        });
        hostile("weights of 0", |model| {
            let num = model.meshes[MeshId(0)].num_vertices();
            let zeros = vec![[(0, 0.0), (1, 0.0)]; num];
            skin(model).influences = Influences::from_lists(&zeros);
        });
        hostile("no influences", |model| {
            let num = model.meshes[MeshId(0)].num_vertices();
            skin(model).influences = Influences::from_lists(vec![&[][..]; num]);
        });
        hostile("inverse binds of 0", |model| skin(model).bone_from_mesh.fill(Mat4::ZERO));
        for scale in [0.0, 1e-30, 1e30] {
            hostile(&format!("bones of scale {scale:e}"), |model| {
                change_bones(model, |bone| {
                    bone.rest_local =
                        LocalTransform::Trs(Trs { scale: Vec3::splat(scale), ..Trs::IDENTITY });
                });
            });
        }
        hostile("bones without turn", |model| {
            change_bones(model, |bone| {
                bone.rest_local = LocalTransform::Trs(Trs {
                    rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
                    ..Trs::IDENTITY
                });
            });
        });
    });
}

#[test]
fn clips_with_extreme_times_are_validated_compared_and_written() {
    alone(|| {
        let turning = |times_secs: Vec<f64>| {
            let turn = |number: usize| Quat::from_rotation_x(number as f32);
            BoneTrack {
                bone: BoneId(1),
                translation: None,
                rotation: Some(Track {
                    values: (0..times_secs.len()).map(turn).collect(),
                    times_secs,
                    interpolation: Interpolation::Linear,
                }),
                scale: None,
            }
        };
        let clip = |start_secs, duration_secs, tracks| Clip {
            name: "clip".into(),
            start_secs,
            duration_secs,
            motion: Motion::Tracks(tracks),
            ..Clip::default()
        };
        for (what, clip) in [
            ("no tracks", clip(0.0, 1.0, Vec::new())),
            ("no keys", clip(0.0, 1.0, vec![turning(Vec::new())])),
            ("1e9 s", clip(0.0, 1e9, vec![turning(vec![0.0, 1e9])])),
            ("1e9 s, uneven", clip(0.0, 1e9, vec![turning(vec![0.0, 1e-3, 1e9])])),
            ("1e300 s", clip(0.0, 1e300, vec![turning(vec![0.0, 1.0, 1e300])])),
            ("1e-300 s", clip(0.0, 1e-300, vec![turning(vec![0.0, 1e-300])])),
            ("negative start", clip(-5.0, 2.0, vec![turning(vec![-5.0, -4.0, -3.0])])),
            ("far start", clip(1e9, 1.0, vec![turning(vec![1e9, 1e9 + 1.0])])),
            ("negative duration", clip(0.0, -1.0, vec![turning(vec![0.0, 1.0])])),
            ("equal times", clip(0.0, 0.0, vec![turning(vec![0.0, 0.0, 0.0])])),
        ] {
            hostile(what, |model| model.clips = vec![clip].into());
        }
    });
}
