//! Files whose names aren't valid UTF-8, in every command that searches folders.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::runner::{Folder, Ran};
use crate::support::fixtures;

/// A folder with two models whose names differ only in bytes that aren't UTF-8, in such a folder.
fn with_odd_names() -> Folder {
    let folder = Folder::new();
    let inner = folder.path("in").join(OsStr::from_bytes(b"\xe9t\xe9"));
    std::fs::create_dir_all(&inner).unwrap();
    for name in [&b"h\xe9ros.bsm2"[..], b"h\xearos.bsm2"] {
        std::fs::write(
            inner.join(OsStr::from_bytes(name)),
            fixtures::bsm2(&fixtures::two_triangles()),
        )
        .unwrap();
    }
    folder
}

fn names(ran: &Ran) -> Vec<String> {
    let files = ran.json()["files"].as_array().unwrap().clone();
    files.iter().map(|file| file["file"].as_str().unwrap().to_owned()).collect()
}

const NAMES: [&str; 2] = [r"in/\xE9t\xE9/h\xE9ros.bsm2", r"in/\xE9t\xE9/h\xEAros.bsm2"];

#[test]
fn names_that_are_not_utf8_are_validated_and_converted() {
    let folder = with_odd_names();
    assert_eq!(names(&folder.run_to(0, &["validate", "in", "--json"])), NAMES);
    let ran = folder.run_to(0, &["validate", "in"]);
    assert!(ran.stdout.contains(&format!("{}: ok", NAMES[0])), "{}", ran.stdout);
    let ran = folder.run_to(0, &["validate", "in", "--sarif"]);
    assert!(!ran.stdout.contains('\u{fffd}'), "{}", ran.stdout);
    let args = ["convert", "in", "--out-dir", "out", "--to", "glb", "--json"];
    assert_eq!(names(&folder.run_to(0, &args)), NAMES);
    let out: PathBuf = folder.path("out").join(OsStr::from_bytes(b"\xe9t\xe9/h\xe9ros.glb"));
    assert!(out.exists());
    if cfg!(feature = "catalog") {
        let ran = folder.run_to(0, &["catalog", "in", "-o", "x.parquet"]);
        assert!(ran.stderr.contains("2 rows"), "{}", ran.stderr);
    }
}

#[test]
fn names_that_are_not_utf8_have_entries_in_the_baseline() {
    let folder = with_odd_names();
    let ran = folder.run_to(0, &["baseline", "in"]);
    assert!(ran.stderr.contains("2 files"), "{}", ran.stderr);
    assert_eq!(names(&folder.run_to(0, &["check", "--json"])), NAMES);
    let ran = folder.run_to(0, &["init", "in"]);
    assert!(ran.stderr.contains("rules for 2 files"), "{}", ran.stderr);
}
