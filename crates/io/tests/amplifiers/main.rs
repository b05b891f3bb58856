//! Small files that ask for much work: each is read, checked, validated, and compared with its baseline at two sizes.
//!
//! Measures the peak of all allocations and counts posed moments, never time. This is a separate test
//! binary with a single test, as in `damage.rs`.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod files;

use peak_alloc::PeakAlloc;
use rigscope_core::model::{CancelToken, Model, Report};
use rigscope_core::pose::PoseBudget;
use rigscope_core::signature::Signature;
use rigscope_core::validate::validate;
use rigscope_io::convert::{ConvertError, ConvertOptions, convert};
use rigscope_io::formats::{FORMATS, ReadOptions, Source, open};

use files::{AMPLIFIERS, Amplifier};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The sizes at which each file is generated.
const SMALL: usize = 7_500;
const LARGE: usize = 4 * SMALL;
/// Memory that a reader may use, as `SECURITY.md` states: per byte of the file, in addition to that, per mesh, and per
/// corner of a face in OBJ.
const READ_BYTES_PER_BYTE: usize = 12;
const READ_ROOM_BYTES: usize = 32 << 20;
const READ_BYTES_PER_MESH: usize = 2 << 10;
const READ_BYTES_PER_CORNER: usize = 144;
/// The same for validating a model and making its signature, in addition to the model.
const EXAMINE_BYTES_PER_BYTE: usize = 64;
const EXAMINE_ROOM_BYTES: usize = 16 << 20;

/// The result of `work`, and the memory that it used at most.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    (result, ALLOCATOR.peak_usage().saturating_sub(before))
}

/// Memory for reading and examining a file.
struct Used {
    num_bytes: usize,
    num_corners: usize,
    num_meshes: usize,
    read: usize,
    examine: usize,
}

fn used(amplifier: &Amplifier, size: usize) -> Used {
    let bytes = (amplifier.file)(size);
    let num_bytes = bytes.len();
    let source = Source::new(amplifier.name, bytes);
    let (model, read) = measured(|| {
        let opened = open(&source, &ReadOptions::default(), &Report::new());
        opened.map(|opened| opened.model).ok()
    });
    // A file that is refused used memory, too.
    let model = model.unwrap_or_default();
    let num_meshes = model.meshes.len();
    let num_corners = model.meshes.iter().map(|mesh| mesh.indices.len()).sum();
    let ((), examine) = measured(|| {
        validate(&model, &Report::new()).unwrap();
        Signature::of(&model, &Report::new()).unwrap();
    });
    Used { num_bytes, num_corners, num_meshes, read, examine }
}

#[test]
fn memory_and_posed_moments_grow_with_the_file() {
    let mut faults = Vec::new();
    for amplifier in AMPLIFIERS {
        for size in [SMALL, LARGE] {
            let used = used(amplifier, size);
            let is_obj = amplifier.name.ends_with(".obj");
            let per_corner = if is_obj { READ_BYTES_PER_CORNER } else { 0 };
            let read = READ_BYTES_PER_BYTE * used.num_bytes
                + READ_ROOM_BYTES
                + READ_BYTES_PER_MESH * used.num_meshes
                + per_corner * used.num_corners;
            let examine = EXAMINE_BYTES_PER_BYTE * used.num_bytes + EXAMINE_ROOM_BYTES;
            for (what, used, allowed) in
                [("reading", used.read, read), ("examining", used.examine, examine)]
            {
                if used > allowed {
                    faults.push(format!(
                        "{} of {size} parts: {what} takes {used} bytes of memory, and may take {allowed}",
                        amplifier.name
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    keys_are_sampled_in_proportion();
    clips_times_vertices_are_limited();
    all_steps_can_be_cancelled();
}

/// Two keys that are ten hours apart, in every format that stores keys at equal intervals.
fn keys_are_sampled_in_proportion() {
    let bytes = files::distant_keys(100, 36_000.0);
    let source = Source::new("distant.glb", bytes);
    let model = open(&source, &ReadOptions::default(), &Report::new()).unwrap().model;
    for format in FORMATS.iter().filter(|format| format.info.can_write) {
        let convert = |rate| {
            let options = ConvertOptions { rate, ..ConvertOptions::default() };
            let extension = format.info.extensions[0];
            measured(|| convert(&model, format, extension, &options, &Report::new()))
        };
        let (result, used) = convert(None);
        assert!(used < 64 << 20, "{}: {used} bytes", format.info.id);
        if let Err(error) = result {
            let text = error.to_string();
            assert!(!matches!(error, ConvertError::ReadBack { .. }), "{text}");
            let is_about_keys = text.contains("keys from 2 stored values");
            assert!(!is_about_keys || text.contains("--rate"), "{}: {text}", format.info.id);
        }
        let (_, used) = convert(Some(0.01));
        assert!(used < 64 << 20, "{}: {used} bytes at a rate", format.info.id);
    }
}

/// Vertices times clips: the number of posed vertices must not be their product.
fn clips_times_vertices_are_limited() {
    let model = |size: usize| -> Model {
        let source = Source::new("clips.glb", files::clips_over_vertices(size));
        open(&source, &ReadOptions::default(), &Report::new()).unwrap().model
    };
    let work = |size: usize| {
        let model = model(size);
        let budget = PoseBudget::of(&model);
        let clips = 0..model.clips.len();
        clips.map(|clip| budget.moments_of(clip, 64)).sum::<usize>() * model.num_vertices()
    };
    let (small, large) = (work(1000), work(4000));
    assert!(large <= 4 * small, "{small} {large}");
    let signature = Signature::of(&model(4000), &Report::new()).unwrap();
    let num_posed = signature.clips.values().filter(|clip| !clip.segments.is_empty()).count();
    assert!((1..4000).contains(&num_posed), "{num_posed}");
    let report = Report::new();
    validate(&model(4000), &report).unwrap();
    assert!(report.findings().iter().any(|finding| finding.kind.code() == "partly-examined"));
}

/// A cancelled step ends with its next report of progress.
fn all_steps_can_be_cancelled() {
    let source = Source::new("clips.glb", files::clips_over_vertices(500));
    let model = open(&source, &ReadOptions::default(), &Report::new()).unwrap().model;
    let cancelled = || {
        let cancel = CancelToken::default();
        cancel.cancel();
        Report::with_progress(|_| {}, cancel)
    };
    assert!(open(&source, &ReadOptions::default(), &cancelled()).is_err());
    assert!(validate(&model, &cancelled()).is_err());
    assert!(Signature::of(&model, &cancelled()).is_err());
}
