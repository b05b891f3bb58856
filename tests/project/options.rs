//! A conversion option is declared in one place: a field and a row of a table, from which the command line,
//! Python and the export dialog follow.

use rigscope::ConvertOptions;
use rigscope::options::Request as _;

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

#[test]
fn the_python_stub_has_every_conversion_option() {
    let stub = std::fs::read_to_string(root().join("python/rigscope/_rigscope.pyi")).unwrap();
    let (_, convert) = stub.split_once("def convert(").unwrap();
    let (convert, _) = convert.split_once(") -> ").unwrap();
    for option in ConvertOptions::OPTIONS {
        assert!(convert.contains(&format!("    {}: ", option.name)), "{}", option.name);
    }
}
