//! Truncated and changed files of The Sims: an error or a valid model, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_io::formats::{ReadOptions, Source, open};

use super::sims::{archive, bytes, folder};
use crate::support::folder::InMemory;
use rigscope_testing::*;

/// Reads damaged bytes as `format` and poses the model. Returns whether the bytes were accepted.
fn survive(name: &str, format: &str, damaged: Vec<u8>, beside: &Arc<InMemory>) -> bool {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let source = Source::new(name, damaged).with_folders(vec![Arc::clone(beside) as _]);
        let options = ReadOptions { format: Some(format.to_owned()), ..ReadOptions::default() };
        let opened = open(&source, &options, &Report::new());
        opened.is_ok_and(|opened| {
            let model = opened.model;
            for spec in [PoseSpec::default(), PoseSpec::linear(ClipId(0), 0.3)] {
                for (mesh, skinned) in model.meshes.iter().zip(skin_model(&model, &spec)) {
                    assert_eq!(skinned.positions.len(), mesh.num_vertices());
                    assert!(skinned.positions.iter().all(|p| !p.is_nan()));
                }
            }
            true
        })
    }));
    read.unwrap_or_else(|_| panic!("{name} as {format}"))
}

const FORMATS: [(&str, &str); 4] =
    [(".skn", "skn"), (".bmf", "bmf"), (".cmx", "cmx"), (".bcf", "bcf")];

fn sample_names() -> Vec<(String, &'static str)> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let format = FORMATS.iter().find(|(ending, _)| name.ends_with(ending));
        if let Some((_, format)) = format {
            names.push((name, *format));
        }
    }
    names.sort();
    names
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn truncated_files_give_an_error_or_a_model() {
    let skeleton = |name: &str| name == "mannequin-skeleton.cmx.bcf" || name.ends_with(".cfp");
    let beside = Arc::new(InMemory::copy(&folder(), skeleton));
    for (name, format) in sample_names() {
        let whole = bytes(&name);
        let lengths: Vec<usize> = match whole.len() {
            ..3000 => (0..whole.len()).collect(),
            len => (0..200).map(|n| n * len / 200).collect(),
        };
        let is_binary = matches!(format, "bmf" | "bcf");
        for len in lengths {
            let is_valid = survive(&name, format, whole[..len].to_vec(), &beside);
            // Text is still valid without its last line end, or without some digits of its last
            // number.
            assert!(!is_valid || (!is_binary && len + 16 > whole.len()), "{name} cut to {len}");
        }
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn files_with_changed_bytes_never_panic() {
    let mut random = Random(20_261_120);
    let wanted = |name: &str| name == "mannequin-skeleton.cmx.bcf" || name.ends_with(".cfp");
    let beside = Arc::new(InMemory::copy(&folder(), wanted));
    for (name, format) in sample_names() {
        let whole = bytes(&name);
        let copies = (4_000_000 / whole.len()).clamp(30, 400);
        for _ in 0..copies {
            let mut changed = whole.clone();
            for _ in 0..=random.below(6) {
                let reach = [changed.len(), 96.min(changed.len())][random.below(2)];
                let at = random.below(reach);
                let old = changed[at];
                changed[at] =
                    [0, 0xff, old ^ 0x80, old.wrapping_add(1), b'9', b'-'][random.below(6)];
            }
            survive(&name, format, changed, &beside);
        }
    }
    // Also damage the values of a skill, and an archive.
    let skills = bytes("mannequin-skills.cmx.bcf");
    let name = "xskill-mannequin-walk-loop.cfp";
    let values = bytes(name);
    for _ in 0..200 {
        let mut changed = values.clone();
        let at = random.below(changed.len());
        changed[at] = [0xff, 0xfe, 0xfd, 0x7e][random.below(4)];
        changed.truncate(random.below(changed.len() * 4).max(1));
        let beside = Arc::new(InMemory::of([(name.to_owned(), changed)]));
        survive("mannequin-skills.cmx.bcf", "bcf", skills.clone(), &beside);
    }
    let archive = archive();
    let directory = archive.len() - 2000;
    let nothing = Arc::new(InMemory::default());
    for _ in 0..60 {
        let mut changed = archive.clone();
        for _ in 0..4 {
            let at = [random.below(16), directory + random.below(2000)][random.below(2)];
            changed[at] = [0, 0xff, 0x80][random.below(3)];
        }
        survive("a.far", "far", changed, &nothing);
    }
}
