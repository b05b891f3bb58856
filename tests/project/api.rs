//! The public API: its size, and its errors.

use std::path::{Path, PathBuf};

use rigscope::{Check, ConvertOptions, DiffOptions, Document, Error, OpenOptions};
use rigscope_core::model::{Indices, Mesh, Model, Place};

/// Items that users of the library need, with the types of options.
const MAX_NAMES: usize = 52;

fn asset() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.bsm2")
}

#[test]
fn the_public_api_is_small() {
    let text = include_str!("../../src/lib.rs");
    let mut num_names = 0;
    for list in text.split("pub use ").skip(1) {
        let (list, _) = list.split_once(';').unwrap();
        let names = match list.split_once('{') {
            Some((_, names)) => names.trim_end_matches('}'),
            None => list,
        };
        num_names += names.split(',').filter(|name| !name.trim().is_empty()).count();
    }
    assert!(!text.contains("pub mod "), "modules are re-exported from the crates that have them");
    assert!((20..=MAX_NAMES).contains(&num_names), "{num_names}");
}

#[test]
fn errors_distinguish_missing_unreadable_malformed_and_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let missing = rigscope::open(at("none.glb")).unwrap_err();
    assert!(matches!(missing, Error::NotFound { .. }), "{missing}");
    let unreadable = rigscope::open(folder.path()).unwrap_err();
    assert!(matches!(unreadable, Error::Unreadable { .. }), "{unreadable}");
    let bytes = std::fs::read(asset()).unwrap();
    std::fs::write(at("cut.bsm2"), &bytes[..bytes.len() / 2]).unwrap();
    let Error::NotUnderstood { place, .. } = rigscope::open(at("cut.bsm2")).unwrap_err() else {
        panic!("a cut file")
    };
    assert!(matches!(place, Some(Place::Offset(_))), "{place:?}");
    std::fs::write(at("a.txt"), "nothing").unwrap();
    let unknown = rigscope::open(at("a.txt")).unwrap_err();
    assert!(matches!(unknown, Error::NotUnderstood { place: None, .. }));
    let options = OpenOptions::default();
    options.cancel.cancel();
    let cancelled = options.open(asset()).unwrap_err();
    assert!(matches!(cancelled, Error::Cancelled));
    let options = DiffOptions::default();
    options.cancel.cancel();
    let model = rigscope::open(asset()).unwrap().model;
    let cancelled = rigscope::diff(&model, &model, &options).unwrap_err();
    assert!(matches!(cancelled, Error::Cancelled));
}

#[test]
fn existing_files_and_inputs_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::copy(asset(), at("a.bsm2")).unwrap();
    let document = rigscope::open(at("a.bsm2")).unwrap();
    let mut options = ConvertOptions { check: Check::None, ..ConvertOptions::default() };
    let convert =
        |to: &str, options: &ConvertOptions| rigscope::convert(&document, at(to), options);
    let once = convert("b.glb", &options).unwrap();
    assert_eq!(once.save().unwrap(), [at("b.glb")]);
    std::fs::write(at("b.glb"), "another").unwrap();
    let refused = once.save().unwrap_err();
    assert!(matches!(refused, Error::CannotWrite { .. }), "{refused}");
    options.overwrite = true;
    convert("b.glb", &options).unwrap().save().unwrap();
    let refused = convert("a.bsm2", &options).unwrap().save().unwrap_err();
    assert!(refused.to_string().contains("is an input"), "{refused}");
    let unknown = convert("b.xyz", &options).unwrap_err();
    assert!(matches!(unknown, Error::BadOption { .. }), "{unknown}");
    options.clip = Some("none".into());
    let unknown = convert("b.glb", &options).unwrap_err();
    assert!(matches!(unknown, Error::BadOption { .. }), "{unknown}");
}

#[test]
fn a_model_built_in_code_is_validated_and_converted() {
    let mesh = Mesh { indices: Indices::U32(vec![0, 1, 2]), ..Mesh::default() };
    let model = Model { meshes: vec![mesh].into(), ..Model::default() };
    let document = Document::of_model(model);
    assert!(!document.findings.is_empty(), "its indices are out of range");
    assert_eq!(document.model.num_triangles(), 0);
    let model = rigscope::open(asset()).unwrap().model;
    let document = Document::of_model(model);
    let conversion = rigscope::convert(&document, "x.iqm", &ConvertOptions::default()).unwrap();
    let (path, bytes) = conversion.files().last().unwrap();
    assert!(path.ends_with("x.iqm") && bytes.starts_with(b"INTERQUAKEMODEL\0"));
}
