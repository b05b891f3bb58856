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
fn entries_of_the_python_package_are_guarded() {
    let mut num_entries = 0;
    for (path, code) in shipped_code().filter(|(path, _)| path.starts_with("python/src/")) {
        let lines: Vec<&str> = code.lines().map(str::trim).collect();
        for (number, line) in lines.iter().enumerate() {
            if ["#[pymethods]", "#[pyfunction]"].contains(line) {
                num_entries += 1;
                let before = number.checked_sub(1).map_or("", |before| lines[before]);
                let is_guarded = before.contains("guarded]") || path == "python/src/lib.rs";
                assert!(is_guarded, "{path}, line {}: {line} without #[guarded]", number + 1);
            }
        }
        let detaches = code.contains("py.detach(") && path != "python/src/running.rs";
        assert!(!detaches, "{path}: detached() runs on threads that exist");
    }
    assert!(num_entries > 20, "{num_entries}");
}

/// The code of files that aren't tests, of all crates and the Python package.
fn shipped_code() -> impl Iterator<Item = (String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let others = ["python/src", "web/src"].into_iter().flat_map(move |folder| {
        let files = files_below(&root.join(folder)).into_iter();
        files.filter(|path| path.extension().is_some_and(|e| e == "rs")).map(move |path| {
            let relative = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            (relative, std::fs::read_to_string(&path).unwrap())
        })
    });
    let is_shipped = |path: &str| !path.contains("/tests") && !path.ends_with("reference_poses.rs");
    source_files()
        .into_iter()
        .chain(others)
        .filter(move |(path, _)| is_shipped(path))
        .map(|(path, text)| (path, code(&text)))
}

#[test]
fn files_are_opened_in_one_place() {
    /// Files that open others, and why they may.
    const EXCEPTIONS: [(&str, &str); 11] = [
        ("files/disk/system.rs", "the place"),
        ("files/stdin.rs", "standard input, within the limits of a file"),
        ("files/cache.rs", "creates the tag, never through a link"),
        ("files/save/atomic/lock.rs", "opens a folder; on Windows, its lock file"),
        ("files/save/atomic/target.rs", "writes into a pipe or device that the user names"),
        ("files/save/atomic/temporary.rs", "asks Windows why a file can't be replaced"),
        ("files/save/atomic/signals.rs", "/proc/self/status"),
        ("cli/diagnostics.rs", "appends to the log"),
        ("cli/timings.rs", "/proc/self/status"),
        ("history/repository.rs", "objects of a repository"),
        ("cli/history/diff.rs", "files of a working tree"),
    ];
    let opening = [
        "io::stdin",
        "File::open",
        "File::options",
        "OpenOptions::new",
        "fs::read(",
        "fs::read_to_string",
        "image::open",
        "Reader::open(",
    ];
    for (path, code) in shipped_code() {
        if EXCEPTIONS.iter().any(|(own, _)| *own == path) {
            continue;
        }
        for opening in opening {
            assert!(
                !code.contains(opening),
                "{path} opens files with {opening}; use files::disk::open or a function based on it"
            );
        }
    }
}

#[test]
fn only_files_of_this_program_are_written_without_a_list_of_inputs() {
    const EXCEPTIONS: [(&str, &str); 7] = [
        ("files/inputs.rs", "defines it"),
        ("files/related_files.rs", "a list that begins empty"),
        ("open/document.rs", "a model that a program made"),
        ("files/external/mod.rs", "config.toml of the user"),
        ("app/native/settings_file.rs", "settings of the window"),
        ("app/thumbnail_cache.rs", "thumbnails"),
        ("app/document_loading.rs", "an image whose path the state adds"),
    ];
    for (path, code) in shipped_code() {
        let is_known = EXCEPTIONS.iter().any(|(own, _)| *own == path);
        assert!(is_known || !code.contains("Inputs::none"), "{path} writes without inputs");
    }
}

#[test]
fn text_output_is_made_of_lines() {
    for (path, code) in shipped_code() {
        // Text of several lines that `diff` has made of `Lines`.
        let is_known = ["cli/output.rs", "cli/history/diff.rs"].contains(&path.as_str());
        assert!(is_known || !code.contains("print_text("), "{path} prints text that isn't Lines");
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
