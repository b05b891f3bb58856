//! What every fuzz target does with its bytes: read, check, pose.
//!
//! `tests/core/fuzzed.rs` is built of this file too, so that it cannot fall behind.

use rigscope::formats::{Limits, ReadOptions, Source, open};
use rigscope::model::{ClipId, Report};
use rigscope::pose::{Moment, PoseSpec, Sampling, skin_model};

/// Clips posed; a file may name thousands.
const MAX_CLIPS: usize = 4;

/// Reads `bytes` as `format` and walks what the check has vouched for.
pub fn read_and_pose(format: &str, bytes: &[u8]) {
    let options = ReadOptions {
        format: Some(format.to_owned()),
        limits: Limits {
            max_alloc_bytes: 256 << 20,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let source = Source::new(format!("fuzz.{format}"), bytes.to_vec());
    let Ok(opened) = open(&source, &options, &Report::new()) else {
        return;
    };
    let model = opened.model;
    let mut specs = vec![PoseSpec::default()];
    for (number, clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
        for share in [0.0, 0.37, 1.0] {
            specs.push(PoseSpec {
                clip: Some(ClipId::from_index(number)),
                moment: Moment::TimeSecs(clip.start_secs + clip.duration_secs * share),
                sampling: Sampling::Linear,
                ..PoseSpec::default()
            });
        }
    }
    for spec in specs {
        for (mesh, skinned) in model.meshes.iter().zip(skin_model(&model, &spec)) {
            assert_eq!(skinned.positions.len(), mesh.num_vertices());
            for subset in &mesh.subsets {
                let inside = |index| (index as usize) < mesh.num_vertices();
                assert!(mesh.triangles(subset.range()).flatten().all(inside));
            }
        }
    }
}

/// A fuzz target for the reader of one format.
#[macro_export]
macro_rules! target {
    ($format:literal) => {
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
            $crate::read_and_pose($format, bytes);
        });
    };
}
