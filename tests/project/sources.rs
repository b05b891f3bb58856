//! Conventions in the sources of all crates that the compiler doesn't check.

use std::path::Path;

use crate::support::files_below;

/// The Rust files of all crates, by a path that begins with the name of the folder or crate that the
/// module is known by: `model/ids.rs` in `crates/core/src/model`, `gpu/device.rs` in `crates/gpu/src`.
pub(super) fn source_files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = [
        ("src", "rigscope/"),
        ("crates/cli/src", "cli/"),
        ("crates/core/src", ""),
        ("crates/gpu/src", "gpu/"),
        ("crates/io/src", ""),
        ("crates/state/src", "state/"),
        ("crates/window/src", ""),
    ];
    let files = crates.into_iter().flat_map(|(folder, prefix)| {
        let folder = root.join(folder);
        let files = files_below(&folder).into_iter();
        files.filter(|path| path.extension().is_some_and(|e| e == "rs")).map(move |path| {
            let relative = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
            (format!("{prefix}{relative}"), std::fs::read_to_string(&path).unwrap())
        })
    });
    files.collect()
}

/// The code of a file without comments and tests.
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

#[test]
fn only_the_shell_starts_threads_and_only_the_output_prints() {
    for (path, text) in source_files() {
        let code = code(&text);
        // Signals and large files are handled on separate threads, and a device is opened while reading.
        let may_start = [
            "files/save/atomic/background_sync.rs",
            "files/save/atomic/signals.rs",
            "gpu/studio.rs",
        ]
        .contains(&path.as_str());
        if !path.starts_with("app/") && !may_start {
            assert!(!code.contains("thread::Builder"), "{path} starts a thread");
        }
        let may_print = path.contains("/tests/")
            || path == "rigscope/main.rs"
            || path == "cli/output.rs"
            || path.starts_with("rigscope/bin/");
        for printing in ["println!", "eprintln!", "print!(", "eprint!(", "dbg!"] {
            assert!(may_print || !code.contains(printing), "{path} prints with {printing}");
        }
    }
}

#[test]
fn every_module_has_documentation() {
    for (path, text) in source_files() {
        assert!(text.starts_with("//!"), "{path} starts without a module comment");
    }
}

#[test]
fn ui_code_uses_the_colours_and_spacing_of_the_theme() {
    let panels = source_files().into_iter().filter(|(path, _)| path.starts_with("ui/"));
    for (path, text) in panels.filter(|(path, _)| !path.starts_with("ui/theme/")) {
        let code = code(&text);
        for made in ["Color32::from_rgb", "Color32::from_gray", "_alpha(", "Rgba::from_rgba"] {
            assert!(!code.contains(made), "{path} defines a colour with {made}");
        }
        let mut spaces = code.split("add_space(").skip(1);
        let literal = spaces.find(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        assert!(literal.is_none(), "{path} uses spacing that isn't on the grid");
    }
}
