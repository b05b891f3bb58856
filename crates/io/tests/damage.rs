//! Runs all readers on damaged files: truncated at every length, with bytes changed at random, and
//! with huge counts.
//!
//! This is a separate test binary with a single test, because it measures the peak of all
//! allocations of the process, to which other tests would add. Allocations by C libraries aren't
//! measured; the readers that use them set limits.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may fail and speak"
)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use peak_alloc::PeakAlloc;
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_io::formats::{FORMATS, Folder, ReadOptions, Source, open};

use crate::support::fixtures::{bsm2, two_triangles};
use crate::support::folder::InMemory;
use rigscope_testing::*;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Files up to this size are truncated at every length, and so is the smallest file of each format.
const CUT_EVERYWHERE_BYTES: usize = 6_000;
/// Number of random lengths to which larger files are truncated.
const CUTS: usize = 100;
/// Number of changed copies per small file.
const CHANGED_COPIES: usize = 2000;
/// Limit on the total size of the changed copies of one file; larger files get fewer copies.
const CHANGED_BYTES: usize = 64 << 20;
/// A reader may use this many times the size of the file …
const MEMORY_FACTOR: usize = 16;
/// … plus this many bytes.
const MEMORY_ROOM_BYTES: usize = 64 << 20;
/// Formats that store the length of their files, so that a truncated file is always an error
/// (except at `legal_cut`).
const CUTS_ARE_ERRORS: &[&str] = &["bsm2", "bmf", "iqm"];

/// A small mesh under the names of all meshes that the effects use.
static MESHES: LazyLock<Arc<InMemory>> = LazyLock::new(|| {
    let mesh = bsm2(&two_triangles());
    let names = ["octopus", "mesh", "morph", "head", "necklace_2", "tri"];
    Arc::new(InMemory::of(names.map(|name| (format!("meshes/{name}.bsm2"), mesh.clone()))))
});

/// Reads a file and poses the model. Returns whether the bytes were accepted as a valid file.
fn survive(format: &str, bytes: &[u8], what: &str) -> bool {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let read = catch_unwind(AssertUnwindSafe(|| {
        let options = ReadOptions { format: Some(format.into()), ..ReadOptions::default() };
        let source = Source::new(format!("damaged.{format}"), bytes.to_vec());
        // An effect can't be opened without its meshes.
        let source = match format {
            "effect" => source.with_folders(vec![Arc::clone(&MESHES) as Arc<dyn Folder>]),
            _ => source,
        };
        open(&source, &options, &Report::new()).map(|opened| opened.model)
    }));
    let used = ALLOCATOR.peak_usage().saturating_sub(before);
    let allowed = MEMORY_FACTOR * bytes.len() + MEMORY_ROOM_BYTES;
    assert!(used <= allowed, "{what}: {used} bytes used for a file of {}", bytes.len());
    let Ok(read) = read else { panic!("{what}: the reader panicked") };
    let Ok(model) = read else { return false };
    // Selects the clip by the bytes, so that the copies cover all clips.
    let turn = bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>();
    let clip = ClipId::from_index(turn % model.clips.len().max(1));
    let posed = catch_unwind(AssertUnwindSafe(|| pose(&model, clip)));
    assert!(posed.is_ok(), "{what}: posing panicked");
    true
}

/// Poses a model that has passed the check, and verifies that its indices are in range.
fn pose(model: &Model, clip: ClipId) {
    let spec = PoseSpec::linear(clip, 0.05);
    for spec in [PoseSpec::default(), spec] {
        for (mesh, skinned) in model.meshes.iter().zip(skin_model(model, &spec)) {
            assert_eq!(skinned.positions.len(), mesh.num_vertices());
            for subset in &mesh.subsets {
                let inside = |index| (index as usize) < mesh.num_vertices();
                assert!(mesh.triangles(subset.range()).flatten().all(inside));
            }
        }
    }
}

/// The length to which a BSM2 file can be truncated and still be valid: up to its hierarchy.
fn legal_cut(format: &str, bytes: &[u8]) -> Option<usize> {
    if format != "bsm2" {
        return None;
    }
    let source = Source::new("x.bsm2", bytes.to_vec());
    let model = open(&source, &ReadOptions::default(), &Report::new()).unwrap().model;
    let parents = model.provenance.find(rigscope_core::model::Element::BoneParent);
    parents.map(|span| usize::try_from(span.offset).unwrap())
}

/// All files that a format claims, with the ID of that format.
fn files() -> Vec<(PathBuf, &'static str)> {
    let mut files =
        if cfg!(has_samples) { support::files_below(&support::samples()) } else { Vec::new() };
    files.push(support::sample_file());
    let claimed = files.into_iter().filter_map(|path| {
        let source = Source::new("nameless", std::fs::read(&path).unwrap());
        let candidates = rigscope_io::formats::candidates(&source);
        Some((path, candidates.first()?.format.info.id))
    });
    claimed.collect()
}

#[test]
fn damaged_files_never_panic_or_exhaust_memory_and_truncation_is_detected() {
    // Panics are caught and reported with the copy that caused them.
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(|| {
        let files = files();
        let smallest = smallest(&files);
        let mut num_read = BTreeMap::<_, usize>::new();
        for (path, format) in &files {
            let is_smallest = smallest.get(format) == Some(&num_bytes(path));
            *num_read.entry(*format).or_default() += damage(path, format, is_smallest);
        }
        // If no changed copy of a format can be read, the test covers only the error paths of its
        // reader.
        let unread: Vec<_> = num_read.iter().filter(|(_, num)| **num == 0).collect();
        assert!(unread.is_empty(), "no changed copy is read: {unread:?}");
        hostile_counts();
    });
    let _ = std::panic::take_hook();
    if let Err(cause) = outcome {
        std::panic::resume_unwind(cause);
    }
}

/// Size of the smallest valid file of each format, in bytes; some samples are damaged on purpose.
fn smallest(files: &[(PathBuf, &'static str)]) -> BTreeMap<&'static str, u64> {
    let mut smallest = BTreeMap::new();
    for (path, format) in files {
        let bytes = std::fs::read(path).unwrap();
        if survive(format, &bytes, &path.to_string_lossy()) {
            let least = smallest.entry(*format).or_insert(u64::MAX);
            *least = num_bytes(path).min(*least);
        }
    }
    smallest
}

fn num_bytes(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

/// Truncates a file and changes copies of it. Returns how many of the changed copies can still be
/// read.
fn damage(path: &Path, format: &str, is_smallest: bool) -> usize {
    let mut random = Random(20_261_120);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = std::fs::read(path).unwrap();
    let began = std::time::Instant::now();
    survive(format, &bytes, &name);
    let legal = legal_cut(format, &bytes);
    let lengths: Vec<usize> = if is_smallest || bytes.len() <= CUT_EVERYWHERE_BYTES {
        (0..bytes.len()).collect()
    } else {
        (0..CUTS).map(|_| random.below(bytes.len())).chain(0..64).collect()
    };
    for len in lengths {
        let is_valid = survive(format, &bytes[..len], &format!("{name} cut to {len}"));
        if CUTS_ARE_ERRORS.contains(&format) {
            assert_eq!(is_valid, Some(len) == legal, "{name} cut to {len}");
        }
    }
    let mut num_read = 0;
    let copies = CHANGED_COPIES.min(CHANGED_BYTES / bytes.len().max(1)).max(8);
    for copy in 0..copies {
        let mut changed = bytes.clone();
        for _ in 0..=random.below(8) {
            // Half of the changes are in the first 256 bytes, where the counts are and where damage
            // has most effect.
            let reach = if random.below(2) == 0 { changed.len() } else { 256 };
            let at = random.below(reach.min(changed.len()));
            if let Some(byte) = changed.get_mut(at) {
                *byte = [0, 0xff, *byte ^ 0x80, byte.wrapping_add(1)][random.below(4)];
            }
        }
        let is_read = survive(format, &changed, &format!("{name} changed copy {copy}"));
        num_read += usize::from(is_read);
    }
    if support::is_set("RIGSCOPE_TIMES") {
        eprintln!("{name}: {:?}", began.elapsed());
    }
    num_read
}

/// Sets every combination of the first six words to a large value, in files of several sizes, for
/// every format.
fn hostile_counts() {
    for format in FORMATS {
        let id = format.info.id;
        for len in [24usize, 60, 1000, 20_000] {
            for mask in 0..64u32 {
                for large in [u32::MAX, 0x7fff_ffff, 65_536, 0x0400_0000] {
                    let mut bytes = vec![0; len];
                    for word in 0..6 {
                        if mask & (1 << word) != 0 {
                            bytes[word * 4..word * 4 + 4].copy_from_slice(&large.to_le_bytes());
                        }
                    }
                    let what = format!("{id}: counts {mask:06b} of {large} in {len} bytes");
                    survive(id, &bytes, &what);
                }
            }
        }
    }
}
