//! Holds the table of who may use whom against the `use` lines.

use std::path::Path;

use crate::support::files_below;

/// (module, modules of this crate it may use, outside crates it may use besides std)
const TABLE: &[(&str, &[&str], &[&str])] = &[
    ("model", &["model"], &["glam"]),
    ("pose", &["model", "pose"], &["glam", "rayon"]),
    ("measure", &["model", "pose", "measure"], &["glam", "rayon"]),
    (
        "compare",
        &["model", "pose", "measure", "compare"],
        &["glam", "rayon"],
    ),
    (
        "bake",
        &["model", "pose", "measure", "bake"],
        &["glam", "meshopt", "quickhull", "rayon", "thiserror"],
    ),
    (
        "formats",
        &["model", "bake", "pose", "formats"],
        &[
            "base64",
            "encoding_rs",
            "glam",
            "gltf_json",
            "image",
            "meshopt",
            "percent_encoding",
            "serde_json",
            "thiserror",
            "ufbx",
        ],
    ),
    (
        "convert",
        &["model", "bake", "formats", "measure", "compare", "convert"],
        &["thiserror"],
    ),
    (
        "files",
        &["model", "formats", "files"],
        &["signal_hook", "tempfile", "thiserror", "tracing"],
    ),
    ("camera", &["model", "camera"], &["glam"]),
    ("visual", &["model", "visual"], &["glam", "serde"]),
    (
        "validate",
        &["model", "pose", "validate"],
        &["glam", "meshopt", "rayon"],
    ),
    (
        "gpu",
        &["model", "bake", "pose", "camera", "visual", "gpu"],
        &[
            "glam",
            "wgpu",
            "bytemuck",
            "pollster",
            "thiserror",
            "image",
            "rayon",
            "tracing",
        ],
    ),
    (
        "state",
        &[
            "model", "pose", "bake", "measure", "compare", "formats", "validate", "convert",
            "camera", "visual", "state",
        ],
        &["glam", "serde", "serde_json"],
    ),
    (
        "ui",
        &["state", "model", "formats", "camera", "visual", "ui"],
        &[
            "glam",
            "egui",
            "egui_extras",
            "egui_ltreeview",
            "egui_plot",
            "egui_tiles",
            "serde_json",
        ],
    ),
    (
        "cli",
        &[
            "model", "files", "formats", "bake", "pose", "measure", "compare", "convert",
            "validate", "camera", "visual", "gpu", "cli",
        ],
        &[
            "anyhow",
            "clap",
            "clap_complete",
            "clap_mangen",
            "glam",
            "percent_encoding",
            "rayon",
            "serde",
            "serde_json",
            "tempfile",
            "thiserror",
            "toml",
            "tracing",
            "tracing_subscriber",
        ],
    ),
];

/// Crates that a pure build must not need.
const OUTSIDE: &[&str] = &[
    "anyhow",
    "base64",
    "bytemuck",
    "clap",
    "clap_complete",
    "clap_mangen",
    "directories",
    "egui",
    "egui_extras",
    "egui_ltreeview",
    "egui_plot",
    "egui_tiles",
    "egui_wgpu",
    "egui_winit",
    "encoding_rs",
    "glam",
    "gltf_json",
    "image",
    "meshopt",
    "percent_encoding",
    "pollster",
    "quickhull",
    "rayon",
    "rfd",
    "ron",
    "serde",
    "serde_json",
    "tempfile",
    "thiserror",
    "toml",
    "tracing",
    "tracing_subscriber",
    "ufbx",
    "wgpu",
    "winit",
];

fn source_files() -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    files_below(&src)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .map(|path| {
            let relative = path
                .strip_prefix(&src)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            (relative, std::fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// The code of a file: without comments, and without what only tests see.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = before_tests
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// All names that follow `prefix` in `code`, also those in a braced list.
fn names_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
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

#[test]
fn every_module_uses_only_what_the_table_allows() {
    let files = source_files();
    assert!(files.len() > 30, "the sources were found");
    let mut wrong = Vec::new();
    for (module, inside, outside) in TABLE {
        let (folder, file) = (format!("{module}/"), format!("{module}.rs"));
        for (path, text) in &files {
            if (!path.starts_with(&folder) && *path != file)
                || path.ends_with("tests.rs")
                || path.contains("/tests/")
            {
                continue;
            }
            let code = code(text);
            for used in names_after(&code, "crate::") {
                if !inside.contains(&used) {
                    wrong.push(format!("{path} uses crate::{used}"));
                }
            }
            for name in OUTSIDE.iter().filter(|name| !outside.contains(name)) {
                if code.contains(&format!("use {name}::"))
                    || names_after(&code, &format!("{name}::"))
                        .iter()
                        .any(|n| !n.is_empty())
                {
                    wrong.push(format!("{path} uses {name}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
        // Signals wait on a thread of their own.
        if !path.starts_with("app/") && path != "files/save/signals.rs" {
            assert!(!code.contains("thread::Builder"), "{path} starts a thread");
        }
        let may_print = path == "main.rs" || path == "cli/output.rs" || path.starts_with("bin/");
        for printing in ["println!", "eprintln!", "print!(", "eprint!(", "dbg!"] {
            assert!(
                may_print || !code.contains(printing),
                "{path} prints with {printing}"
            );
        }
    }
}

#[test]
fn every_module_says_what_it_is_for() {
    for (path, text) in source_files() {
        assert!(
            text.starts_with("//!"),
            "{path} starts without a module comment"
        );
    }
}
