//! Damaged files: cut at every length, bytes changed at random, hostile counts.
//!
//! One test function and a test binary of its own: it measures the peak of all allocations of the
//! process, which other tests would disturb.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may fail and speak"
)]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use peak_alloc::PeakAlloc;
use rigscope::formats::{ReadOptions, Source, open};
use rigscope::model::{ClipId, Model, Report};
use rigscope::pose::{Moment, PoseSpec, Sampling, skin_model};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Files up to this size are cut at every length.
const CUT_EVERYWHERE_BYTES: usize = 10_000;
/// Changed copies of each larger file.
const CHANGED_COPIES: usize = 1500;
/// A reader may use this many times the file …
const MEMORY_FACTOR: usize = 16;
/// … and this much besides.
const MEMORY_ROOM_BYTES: usize = 64 << 20;

/// A small generator, so that a failure can be had again.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // Knuth's MMIX constants.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

/// Reads, and poses what was read; whether the bytes were taken for a valid file.
fn survive(bytes: &[u8], what: &str) -> bool {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let read = catch_unwind(AssertUnwindSafe(|| {
        let options = ReadOptions {
            format: Some("bsm2".into()),
            ..ReadOptions::default()
        };
        let source = Source::new("damaged.bsm2", bytes.to_vec());
        open(&source, &options, &Report::new()).map(|opened| opened.model)
    }));
    let used = ALLOCATOR.peak_usage().saturating_sub(before);
    let allowed = MEMORY_FACTOR * bytes.len() + MEMORY_ROOM_BYTES;
    assert!(
        used <= allowed,
        "{what}: {used} bytes used for a file of {}",
        bytes.len()
    );
    let Ok(read) = read else {
        panic!("{what}: the reader panicked");
    };
    let Ok(model) = read else {
        return false;
    };
    let posed = catch_unwind(AssertUnwindSafe(|| pose(&model)));
    assert!(posed.is_ok(), "{what}: posing panicked");
    true
}

/// Walks what the check has vouched for.
fn pose(model: &Model) {
    let spec = PoseSpec {
        clip: Some(ClipId(0)),
        moment: Moment::TimeSecs(0.05),
        sampling: Sampling::Linear,
    };
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

/// The length at which a file may be cut and stay legal: before its hierarchy.
fn legal_cut(path: &Path) -> Option<usize> {
    let source = Source::new("x.bsm2", std::fs::read(path).unwrap());
    let model = open(&source, &ReadOptions::default(), &Report::new())
        .unwrap()
        .model;
    let parents = model.provenance.find(rigscope::model::Element::BoneParent);
    parents.map(|span| usize::try_from(span.offset).unwrap())
}

fn files() -> Vec<std::path::PathBuf> {
    let mut files = support::sample_files("bsm2", "bsm2");
    files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.bsm2"));
    files
}

#[test]
fn damaged_files_never_panic_never_eat_memory_and_are_not_called_valid_when_cut() {
    let mut random = Random(20_261_120);
    let mut cuts = 0;
    for path in files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let legal = legal_cut(&path);
        assert!(survive(&bytes, &name), "{name} is sound");
        let lengths: Vec<usize> = if bytes.len() <= CUT_EVERYWHERE_BYTES {
            (0..bytes.len()).collect()
        } else {
            (0..200)
                .map(|_| random.below(bytes.len()))
                .chain(0..64)
                .collect()
        };
        for len in lengths {
            let is_valid = survive(&bytes[..len], &format!("{name} cut to {len}"));
            assert_eq!(is_valid, Some(len) == legal, "{name} cut to {len}");
            cuts += 1;
        }
        let copies = CHANGED_COPIES * 200_000 / bytes.len().clamp(200_000, 2_000_000);
        for copy in 0..copies {
            let mut changed = bytes.clone();
            for _ in 0..=random.below(8) {
                // Half of the changes hit the counts and the start, where they hurt most.
                let reach = if random.below(2) == 0 {
                    changed.len()
                } else {
                    64
                };
                let at = random.below(reach.min(changed.len()));
                changed[at] =
                    [0, 0xff, changed[at] ^ 0x80, changed[at].wrapping_add(1)][random.below(4)];
            }
            survive(&changed, &format!("{name} changed copy {copy}"));
        }
    }
    assert!(cuts > 500, "{cuts} cuts were tried");
    hostile_counts();
}

/// Every pair of counts at its largest, over files of several sizes.
fn hostile_counts() {
    for len in [24usize, 60, 1000, 100_000] {
        for mask in 0..64u32 {
            for large in [u32::MAX, 0x7fff_ffff, 65_536, 0x0400_0000] {
                let mut bytes = vec![0; len];
                for word in 0..6 {
                    if mask & (1 << word) != 0 {
                        bytes[word * 4..word * 4 + 4].copy_from_slice(&large.to_le_bytes());
                    }
                }
                survive(
                    &bytes,
                    &format!("counts {mask:06b} of {large} in {len} bytes"),
                );
            }
        }
    }
}
