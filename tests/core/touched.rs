//! How many files know a command, an overlay, a colouring, a format or a rule, counted in the sources:
//! CONTRIBUTING.md says so many are touched to add one.

use rigscope::formats::FORMATS;
use rigscope::validate::findings;
use rigscope::visual::{DrawnWith, Item, SHOW};

use super::layers::{code, source_files};

/// The code of all source files without tests, by path below `src`.
fn sources() -> Vec<(String, String)> {
    let is_test = |path: &str| {
        path.ends_with("tests.rs")
            || path.contains("/tests/")
            || path.contains("fixture")
            || path == "formats/ufbx_scene/evaluated.rs"
    };
    let files = source_files().into_iter().filter(|(path, _)| !is_test(path));
    files.map(|(path, text)| (path, code(&text))).collect()
}

/// Whether `name` stands in `code` as a whole word.
fn has_word(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// The files that have one of `names`, but those that `is_its_own` names.
fn files_with<'a>(
    sources: &'a [(String, String)],
    names: &[String],
    is_its_own: impl Fn(&str) -> bool,
) -> Vec<&'a str> {
    let files = sources
        .iter()
        .filter(|(path, code)| !is_its_own(path) && names.iter().any(|name| has_word(code, name)));
    files.map(|(path, _)| path.as_str()).collect()
}

/// Fails where something is known to more files than it should, or where an exception is none.
fn holds(found: &[(String, Vec<&str>)], exceptions: &[(&str, &str)]) {
    let is_excepted = |name: &str| exceptions.iter().any(|(excepted, _)| *excepted == name);
    let wrong = |(name, files): &&(String, Vec<&str>)| files.is_empty() == is_excepted(name);
    let wrong: Vec<_> = found.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "known to more files, or an exception that is none: {wrong:#?}");
    assert!(!found.is_empty(), "nothing is seen");
}

#[test]
fn a_command_is_known_to_its_row_alone() {
    let sources = sources();
    let rows = sources.iter().filter(|(path, _)| path.starts_with("state/command/"));
    let mut found = Vec::new();
    for (file, code) in rows.filter(|(_, code)| code.contains("commands! {")) {
        // Buttons and context menus name the commands that they are for.
        let is_its_own = |path: &str| {
            path == file || path.starts_with("ui/") || path == "state/command/context.rs"
        };
        for line in code.lines().filter_map(|line| line.strip_prefix("        ")) {
            let is_row = |(id, rest): &(&str, &str)| {
                rest.starts_with('"') && id.starts_with(|c: char| c.is_ascii_uppercase())
            };
            if let Some((id, _)) = line.split_once(' ').filter(is_row) {
                let names = [format!("Command::{id}")];
                found.push((id.to_owned(), files_with(&sources, &names, is_its_own)));
            }
        }
    }
    holds(&found, &[("Undo", "is no step that can be undone"), ("Redo", "the same")]);
}

/// Whether a file may know a switch, by who draws it.
fn may_know(drawn_with: DrawnWith, path: &str) -> bool {
    match drawn_with {
        DrawnWith::Pass(_) => path.starts_with("gpu/pass/"),
        DrawnWith::Shading => path == "gpu/frame.rs",
        // The maker, `render`, which measures, and what the window knows besides: what is hidden.
        DrawnWith::Marks => {
            path.starts_with("visual/") || path.starts_with("state/view") || path == "cli/show.rs"
        }
        DrawnWith::Text | DrawnWith::Coloring(_) => false,
    }
}

#[test]
fn an_overlay_is_known_to_its_row_and_to_what_draws_it() {
    let sources = sources();
    let mut found = Vec::new();
    for info in SHOW {
        let Item::Switch(switch) = info.item else {
            continue;
        };
        let variant = format!("{switch:?}");
        let mut field = String::new();
        for c in variant.chars() {
            if c.is_ascii_uppercase() && !field.is_empty() {
                field.push('_');
            }
            field.push(c.to_ascii_lowercase());
        }
        let names =
            [format!("Switch::{variant}"), format!("show.{field}"), format!("overlays.{field}")];
        let is_its_own = |path: &str| {
            // Buttons, their signs and texts; files of settings as they once were.
            path == "visual/show/table.rs"
                || path.starts_with("ui/")
                || path == "state/settings.rs"
                || path == "state/command/row.rs"
                || may_know(info.drawn_with, path)
        };
        found.push((variant.clone(), files_with(&sources, &names, is_its_own)));
    }
    holds(
        &found,
        &[
            ("Statistics", "the GPU is measured only where somebody looks"),
            ("Surface", "what can be picked and has colours of its own"),
            ("Textures", "chooses how each subset is painted"),
            ("Checker", "the same; its texture is made when it is first shown"),
            ("SubsetColors", "the same"),
            ("Wireframe", "can be picked"),
            ("Points", "can be picked"),
            ("Normals", "one pass draws three directions, told apart by the frame's flags"),
            ("Tangents", "the same"),
            ("Bitangents", "the same"),
            ("Bones", "their shapes are made on the CPU, and only when shown; can be picked"),
            ("BonesOnTop", "bones can be picked"),
            ("BoneNames", "switches the bones on too"),
        ],
    );
}

#[test]
fn a_coloring_is_known_to_its_row_and_two_shaders() {
    let sources = sources();
    let shaders = crate::support::files_below(
        &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders"),
    );
    let shaders: Vec<String> =
        shaders.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let mut found = Vec::new();
    for info in SHOW {
        let Item::Coloring(coloring) = info.item else {
            continue;
        };
        let names = [format!("Coloring::{coloring:?}")];
        let is_its_own = |path: &str| path == "visual/show/table.rs" || path.starts_with("ui/");
        found.push((format!("{coloring:?}"), files_with(&sources, &names, is_its_own)));
        if let DrawnWith::Coloring(Some(number)) = info.drawn_with {
            let line = format!("= {number}u;");
            let mut lines = shaders.iter().flat_map(|text| text.lines());
            let line = lines.find(|l| l.starts_with("const COLORING_") && l.contains(&line));
            let name = line.unwrap().split([' ', ':']).nth(1).unwrap();
            let num = shaders.iter().filter(|text| has_word(text, name)).count();
            // Those that are counted colour dots too.
            let most = if info.word == Some("influence-colors") { 3 } else { 2 };
            assert!(num <= most, "{name} is known to {num} shaders");
        }
    }
    holds(
        &found,
        &[
            ("InfluenceCounts", "counts are made on the GPU when first shown"),
            ("VertexOrder", "vertices are numbered when first shown"),
            ("VertexColors", "colours of the file go up when first shown"),
            ("BoneWeights", "weights are painted on the CPU"),
            ("BoneColors", "the same"),
        ],
    );
}

#[test]
fn a_format_is_known_to_its_folder_and_one_line() {
    let sources = sources();
    let (_, list) = include_str!("../../src/formats/mod.rs").split_once("formats! {\n").unwrap();
    let (list, _) = list.split_once('}').unwrap();
    let mut found = Vec::new();
    let mut num_formats = 0;
    for line in list.lines() {
        let (folder, formats) = line.trim().trim_end_matches(';').split_once(": ").unwrap();
        let num = formats.split(", ").count();
        let ids = FORMATS[num_formats..num_formats + num].iter().map(|format| format.info().id);
        num_formats += num;
        let paths = ["formats", "super"].map(|above| format!("{above}::{folder}"));
        let names: Vec<String> = ids.map(|id| format!("\"{id}\"")).chain(paths).collect();
        let is_its_own = |path: &str| path.starts_with(&format!("formats/{folder}/"));
        found.push((folder.to_owned(), files_with(&sources, &names, is_its_own)));
    }
    assert_eq!(num_formats, FORMATS.len());
    holds(
        &found,
        &[
            ("bsm2", "`fbx_bsm2` writes it"),
            ("fbx", "faces that BonesPro files lack are borrowed from it"),
            ("obj", "`pose` writes it; its files name others by their content"),
            ("gltf", "its files name others by their content"),
            ("effect", "what the shell does for the state is called so too"),
        ],
    );
}

#[test]
fn a_rule_is_known_to_its_file_and_its_group() {
    let sources = sources();
    let rules = sources.iter().filter(|(path, _)| path.starts_with("validate/"));
    let rules: Vec<_> = rules.cloned().collect();
    let mut found = Vec::new();
    for (file, code) in rules.iter().filter(|(_, code)| code.contains("notes! {")) {
        let (folder, name) = file.trim_end_matches(".rs").rsplit_once('/').unwrap();
        let is_its_own = |path: &str| path == file || path == format!("{folder}/mod.rs");
        let names = ["check", "FINDINGS"].map(|item| format!("{name}::{item}"));
        found.push((name.to_owned(), files_with(&rules, &names, is_its_own)));
        for row in code.lines().filter_map(|line| line.strip_prefix("    ")) {
            let Some((kind, rest)) = row.split_once(", \"") else { continue };
            if kind.starts_with(|c: char| c.is_ascii_uppercase()) {
                let (code, _) = rest.split_once('"').unwrap();
                assert!(findings().any(|kind| kind.code() == code), "{code} is in no list");
                let names = [format!("NoteKind::{kind}"), format!("\"{code}\"")];
                found.push((kind.to_owned(), files_with(&sources, &names, |path| path == file)));
            }
        }
    }
    assert!(found.len() > 60, "nearly all rules and their findings: {}", found.len());
    holds(&found, &[]);
}
