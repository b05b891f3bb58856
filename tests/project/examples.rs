//! The examples, run as their `main` runs them.

use std::path::{Path, PathBuf};

#[path = "../../examples/convert_with_losses.rs"]
#[allow(dead_code, reason = "its main is not called")]
mod convert_with_losses;
#[path = "../../examples/open_and_pose.rs"]
#[allow(dead_code, reason = "its main is not called")]
mod open_and_pose;
#[path = "../../examples/validate_a_folder.rs"]
#[allow(dead_code, reason = "its main is not called")]
mod validate_a_folder;

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

#[test]
fn open_and_pose_measures_a_walk() {
    let text = open_and_pose::run(&assets().join("sample.bsm2"), "walk", 0.3).unwrap();
    assert!(text.starts_with("sample.bsm2 at 0.3 s of walk: "), "{text}");
    let error = open_and_pose::run(&assets().join("none.bsm2"), "walk", 0.3).unwrap_err();
    assert!(error.to_string().ends_with("none.bsm2: no such file"), "{error}");
}

#[test]
fn convert_with_losses_prints_losses_before_writing() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("sample.obj");
    let text = convert_with_losses::run(&assets().join("sample.bsm2"), &to).unwrap();
    assert!(text.contains("lost: ") && text.contains("off: "), "{text}");
    assert!(to.is_file());
}

#[test]
fn validate_a_folder_counts_findings() {
    let (num_files, num_bad) = validate_a_folder::run(&assets()).unwrap();
    assert_eq!((num_files, num_bad), (1, 0));
}
