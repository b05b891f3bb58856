//! An option of a request is declared in one place: a field and a row of a table, from which the command line,
//! Python and forms follow.

use std::path::{Path, PathBuf};

use rigscope::options::{OptionKind, Request};
use rigscope::{ConvertOptions, DiffOptions, OpenOptions, ValidateOptions};

use super::sources::{code, source_files};
use crate::support::root;

/// Options that code outside of `formats` and `convert` names, and why.
const NAMED_ELSEWHERE: [(&str, &str); 8] = [
    ("part", "an extension can ask for it; the dialog lists the parts of a format"),
    ("clip", "the dialog offers the clip that is shown"),
    ("rate", "the dialog starts from the rate of the clip; `fbx_bsm2` has its own"),
    ("textures", "the dialog offers it for models with textures"),
    ("hierarchy", "the dialog offers it for formats with a choice; `fbx_bsm2` has its own"),
    ("last_bones", "the same"),
    ("make_hulls", "the dialog offers it for formats with hulls"),
    ("make_occluder", "the same for occlusion meshes"),
];

fn has_word(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        !code[..at].ends_with(is_word) && !code[at + name.len()..].starts_with(is_word)
    })
}

#[test]
fn a_conversion_option_is_declared_once() {
    let shells = ["cli/convert/", "state/output/", "ui/export.rs", "app/export.rs", "rigscope/"];
    let files = source_files();
    let files: Vec<_> = files
        .iter()
        .filter(|(path, _)| shells.iter().any(|shell| path.starts_with(shell)))
        .map(|(path, text)| (path, code(text)))
        .collect();
    assert!(files.len() > 10, "the sources were not found");
    let python = std::fs::read_to_string(root().join("python/src/convert.rs")).unwrap();
    for option in ConvertOptions::OPTIONS {
        let is_excepted = NAMED_ELSEWHERE.iter().any(|(name, _)| *name == option.name);
        let field = format!("options.{}", option.name);
        let named = files.iter().filter(|(_, code)| code.contains(&field));
        let named: Vec<_> = named.map(|(path, _)| path).collect();
        assert!(is_excepted || named.is_empty(), "{} is named in {named:?}", option.name);
        assert!(!has_word(&code(&python), option.name), "{}: python/src/convert.rs", option.name);
    }
}

/// Files below `folder` that declare a field or a parameter for one of the options of `R`.
fn declarations<R: Request>(folders: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for folder in folders {
        for entry in rust_files(&root().join(folder)) {
            let text = code(&std::fs::read_to_string(&entry).unwrap());
            for option in R::OPTIONS {
                let types = ["Option<", "Vec<", "bool", "f64", "usize", "MatchBy"];
                let mut declared = types.iter().map(|of| format!("pub {}: {of}", option.name));
                if declared.any(|declared| text.contains(&declared)) {
                    found.push(format!("{}: {}", entry.display(), option.name));
                }
            }
        }
    }
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn options_of_a_request_are_declared_once() {
    let shells = ["crates/cli/src", "crates/state/src", "crates/window/src", "src", "python/src"];
    assert_eq!(declarations::<OpenOptions>(&shells), [""; 0]);
    assert_eq!(declarations::<DiffOptions>(&shells), [""; 0]);
    assert_eq!(declarations::<ValidateOptions>(&shells), [""; 0]);
    assert!(declarations::<OpenOptions>(&["crates/io/src/open"]).len() > 4, "fields aren't seen");
    assert!(declarations::<DiffOptions>(&["crates/core/src/compare"]).len() > 4);
    assert!(declarations::<ValidateOptions>(&["crates/core/src"]).len() > 2);
}

#[test]
fn the_python_functions_have_every_option() {
    assert_python_has::<ConvertOptions>("writing.py", "convert");
    assert_python_has::<DiffOptions>("checking.py", "diff");
    assert_python_has::<OpenOptions>("opening.py", "open");
    assert_python_has::<OpenOptions>("catalog.py", "catalog_row");
    assert_python_has::<ValidateOptions>("_rigscope.pyi", "validate");
}

fn assert_python_has<R: Request>(file: &str, function: &str) {
    let stub = std::fs::read_to_string(root().join("python/rigscope").join(file)).unwrap();
    let (_, signature) = stub.split_once(&format!("def {function}(")).unwrap();
    let (signature, _) = signature.split_once(") -> ").unwrap();
    for option in R::OPTIONS {
        // Files may also be in memory, and `deny` only affects the exit code.
        let is_keyword = !matches!(option.kind, OptionKind::Paths { .. }) && option.name != "deny";
        let has_it = signature.contains(&format!("    {}: ", option.name));
        assert_eq!(has_it, is_keyword, "{function}: {}", option.name);
    }
}
