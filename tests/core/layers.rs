//! ARCHITECTURE.md's table of folders is the rule; here the sources are held against it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::files_below;

/// One row: a folder of `src`, or a file there.
struct Row {
    name: String,
    /// Other rows that it imports.
    imports: BTreeSet<String>,
    /// Crates that it uses besides `std`.
    crates: BTreeSet<String>,
}

/// The table between `<!-- layers -->` and `<!-- /layers -->`.
fn table() -> Vec<Row> {
    let text = include_str!("../../ARCHITECTURE.md");
    let (_, rest) = text.split_once("<!-- layers -->").unwrap();
    let (table, _) = rest.split_once("<!-- /layers -->").unwrap();
    let words = |cell: &str| {
        let words = cell.split([',', ' ']).map(|word| word.trim_matches(['`', '/']).to_owned());
        words.filter(|word| !word.is_empty()).collect()
    };
    // The first two lines are the head and its rule.
    let lines = table.trim().lines().skip(2);
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, _, _, imports, crates] = cells.as_slice() else {
            panic!("not five cells: {line}");
        };
        let name: Vec<String> = words(name);
        Row {
            name: row_of(&name.join(" ")).to_owned(),
            imports: words(imports).into_iter().collect(),
            crates: words(crates).into_iter().collect(),
        }
    });
    rows.collect()
}

/// The package's dependencies, as they are spelled in code.
fn dependencies() -> Vec<String> {
    let manifest: toml::Table = include_str!("../../Cargo.toml").parse().unwrap();
    let always = manifest["dependencies"].as_table().unwrap();
    let targets = manifest["target"].as_table().unwrap().values();
    let somewhere = targets.filter_map(|target| target["dependencies"].as_table());
    let names = somewhere.chain([always]).flat_map(|table| table.keys());
    let names: BTreeSet<String> = names.map(|name| name.replace('-', "_")).collect();
    names.into_iter().collect()
}

pub(super) fn source_files() -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    files_below(&src)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .map(|path| {
            let relative = path.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
            (relative, std::fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// The row that a file belongs to.
fn row_of(path: &str) -> &str {
    let first = path.split('/').next().unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(first)
}

/// The code of a file: without comments, and without what only tests see.
pub(super) fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            code.push_str(line);
            code.push('\n');
            continue;
        }
        let item = lines.next().unwrap_or_default();
        if item.starts_with("mod ") && item.ends_with('{') {
            // The tests of a file are the last in it.
            break;
        }
        let mut last = item;
        while !last.ends_with([';', '}']) {
            last = lines.next().unwrap_or(";");
        }
    }
    code
}

/// All names that follow `prefix` in `code`, also those in a braced list.
pub(super) fn names_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| is_word(c) || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => names.push(rest.split(|c| !is_word(c)).next().unwrap_or_default()),
            Some(list) => {
                let mut depth = 0;
                let mut start = Some(0);
                for (i, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = Some(i + 1),
                        c if depth == 0 && is_word(c) && start.is_some() => {
                            let word = list[i..].split(|c| !is_word(c)).next();
                            names.extend(word);
                            start = None;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// What the sources import, by row, and the first file that does.
type Found = BTreeMap<String, BTreeMap<String, String>>;

fn found() -> (Found, Found) {
    let dependencies = dependencies();
    let (mut imports, mut crates) = (Found::new(), Found::new());
    for (path, text) in source_files() {
        let row = row_of(&path);
        if row == "lib" {
            continue;
        }
        let (imports, crates) =
            (imports.entry(row.to_owned()).or_default(), crates.entry(row.to_owned()).or_default());
        if path.ends_with("tests.rs") || path.contains("/tests/") {
            continue;
        }
        let code = code(&text);
        let own = ["crate::", "rigscope::"].map(|prefix| names_after(&code, prefix));
        for name in own.concat().into_iter().filter(|name| *name != row) {
            imports.entry(name.to_owned()).or_insert_with(|| path.clone());
        }
        for name in &dependencies {
            if !names_after(&code, &format!("{name}::")).is_empty() {
                crates.entry(name.clone()).or_insert_with(|| path.clone());
            }
        }
    }
    (imports, crates)
}

#[test]
fn the_sources_import_what_the_table_says() {
    let table = table();
    let (imports, crates) = found();
    let mut wrong = Vec::new();
    let mut compare = |row: &str, said: &BTreeSet<String>, found: &BTreeMap<String, String>| {
        for (name, path) in found.iter().filter(|(name, _)| !said.contains(*name)) {
            wrong.push(format!("{path} imports {name}; the row of `{row}` does not say so"));
        }
        for name in said.iter().filter(|name| !found.contains_key(*name)) {
            wrong.push(format!("the row of `{row}` says `{name}`, which nothing there imports"));
        }
    };
    for row in &table {
        let of = |found: &Found| found.get(&row.name).cloned().unwrap_or_default();
        compare(&row.name, &row.imports, &of(&imports));
        compare(&row.name, &row.crates, &of(&crates));
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md: {wrong:#?}");
}

#[test]
fn every_folder_has_a_row_and_imports_only_rows_above() {
    let table = table();
    let rows: Vec<&str> = table.iter().map(|row| row.name.as_str()).collect();
    let (folders, _) = found();
    let known: BTreeSet<&str> = rows.iter().copied().collect();
    assert_eq!(known, folders.keys().map(String::as_str).collect());
    assert_eq!(known.len(), rows.len(), "no folder has two rows");
    for (at, row) in table.iter().enumerate() {
        for name in &row.imports {
            assert!(
                rows[..at].contains(&name.as_str()),
                "`{}` imports `{name}`, which is not above it",
                row.name
            );
        }
    }
}

#[test]
fn the_reader_of_use_lines_sees_lists_and_paths() {
    let code = "use crate::{model::{a, b}, ui};\nlet x = crate::gpu::y; my_crate::no; x::crate::z";
    assert_eq!(names_after(code, "crate::"), ["model", "ui", "gpu"]);
}

#[test]
fn only_the_shell_starts_threads_and_only_the_output_prints() {
    for (path, text) in source_files() {
        let code = code(&text);
        // Signals and large files wait on threads of their own, and a device is opened beside reading.
        let may_start =
            ["files/save/whole/ahead.rs", "files/save/whole/signals.rs", "gpu/studio.rs"]
                .contains(&path.as_str());
        if !path.starts_with("app/") && !may_start {
            assert!(!code.contains("thread::Builder"), "{path} starts a thread");
        }
        let may_print = path == "main.rs" || path == "cli/output.rs" || path.starts_with("bin/");
        for printing in ["println!", "eprintln!", "print!(", "eprint!(", "dbg!"] {
            assert!(may_print || !code.contains(printing), "{path} prints with {printing}");
        }
    }
}

#[test]
fn every_module_says_what_it_is_for() {
    for (path, text) in source_files() {
        assert!(text.starts_with("//!"), "{path} starts without a module comment");
    }
}

#[test]
fn panels_take_colours_and_spaces_from_the_theme() {
    let panels = source_files().into_iter().filter(|(path, _)| path.starts_with("ui/"));
    for (path, text) in panels.filter(|(path, _)| !path.starts_with("ui/theme/")) {
        let code = code(&text);
        for made in ["Color32::from_rgb", "Color32::from_gray", "_alpha(", "Rgba::from_rgba"] {
            assert!(!code.contains(made), "{path} makes a colour of its own with {made}");
        }
        let mut spaces = code.split("add_space(").skip(1);
        let literal = spaces.find(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        assert!(literal.is_none(), "{path} leaves a space that is no step of the grid");
    }
}
