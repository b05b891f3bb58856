//! Which format claims which file, for all samples and regardless of file names.

use std::path::Path;

use rigscope_io::formats::{Confidence, FORMATS, ProbeInput, Source, candidates};

use crate::support::{files_below, samples};

/// Files with the extension of a format but other contents.
const MISNAMED: &[&str] = &["empty.fbx", "png_named.fbx"];

/// The ID of a sample's format, according to its folder and extension.
fn truth(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?.file_name()?.to_str()?;
    if MISNAMED.contains(&name) {
        return None;
    }
    match (name.rsplit_once('.')?.1, folder) {
        ("json", _) if name == "config.json" => Some("effect"),
        ("bsm2", _) => Some("bsm2"),
        ("bsm", _) => Some("bsm"),
        ("skn", _) => Some("skn"),
        ("bmf", _) => Some("bmf"),
        ("cmx", _) => Some("cmx"),
        ("bcf", _) => Some("bcf"),
        ("fbx", _) => Some("fbx"),
        ("obj", _) => Some("obj"),
        ("ozz", _) => Some("ozz"),
        ("txt", "bonespro") => Some("bonespro"),
        ("iqm", _) => Some("iqm"),
        ("gltf" | "glb", _) => Some("gltf"),
        _ => None,
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_sample_is_recognized_only_by_its_own_format() {
    let folder = samples();
    let (mut own, mut foreign, mut wrong) = (0, 0, Vec::new());
    for path in files_below(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let truth = truth(&path);
        for format in FORMATS {
            let confidence = (format.probe)(&ProbeInput::of(&bytes));
            let id = format.info.id;
            let is_own = truth == Some(id);
            let is_claimed = confidence > Confidence::No;
            if is_own != is_claimed {
                wrong.push(format!("{id} says {confidence:?} of {}", path.display()));
            }
            own += usize::from(is_own);
            foreign += usize::from(!is_own);
        }
        // The contents decide, whatever the name is.
        for name in ["model", "model.unknown", "model.bsm2", "model.txt"] {
            let misnamed = candidates(&Source::new(name, bytes.clone()));
            let first = misnamed.first();
            let claimed = first.filter(|c| c.confidence > Confidence::No);
            if claimed.map(|c| c.format.info.id) != truth {
                wrong.push(format!("{} named {name} is misread", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(own > 60 && foreign > 500, "the table has {own} own and {foreign} foreign rows");
}
