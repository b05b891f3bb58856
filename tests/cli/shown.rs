//! Printing names that contain terminal control codes, or that are very long.

use super::runner::{Folder, Ran};
use crate::support::extreme_files::{self, Amount};

/// Clears the screen, turns the direction of what follows, comes in one character where terminals still take that, and
/// begins lines that are commands of CI systems.
const STEERING: &str = "a\u{1b}[2J\u{202e}gnp.\u{9b}1m\u{200b}\n::add-mask::x\r\n##vso[a] ##[b]";

const FEW: Amount = Amount { clips: 2, subsets: 2, bones: 3, meshes: 1 };

fn assert_plain(ran: &Ran) {
    let text = format!("{}{}", ran.stdout, ran.stderr);
    let steers = |c: char| c != '\n' && rigscope_core::model::display_text::is_invisible(c);
    assert!(!text.contains(steers), "{text:?}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{text}");
    assert!(!text.contains("##[") && !text.contains("##vso["), "{text}");
}

#[test]
fn terminal_control_sequences_are_never_printed() {
    let folder = Folder::new();
    extreme_files::write(&folder.path(""), FEW, |kind, number| {
        format!("{STEERING} {kind} {number}")
    });
    let own = format!("{STEERING}.gltf");
    std::fs::rename(folder.path("hostile.gltf"), folder.path(&own)).unwrap();
    for args in [
        &["info", &own][..],
        &["-v", "info", &own],
        &["info", "--json", &own],
        &["validate", &own],
        &["validate", "--json", &own],
        &["validate", "--sarif", &own],
        &["-v", "convert", &own, "-o", "a.glb"],
        &["convert", &own, "-o", "a.glb"],
        &["convert", &own, "-o", "b.glb", "--json"],
        &["convert", &own, "-o", "c.glb", "--clip", STEERING],
        &["diff", &own, "a.glb"],
        &["diff", "--json", &own, "a.glb"],
        &["pose", &own, "-o", "p.obj", "--clip", STEERING],
        &["info", &format!("{STEERING} missing")],
        &["info", &own, STEERING, "--no-such-flag"],
        &["info", &own, &format!("--{STEERING}")],
        &["info", "--format", STEERING, &own],
    ] {
        let ran = folder.run(args);
        assert!(ran.code <= 2, "{args:?}: {}", ran.stderr);
        assert_plain(&ran);
        if args.contains(&"--json") && ran.code < 2 {
            ran.json();
        }
    }
    let info = folder.run_to(0, &["info", "--json", &own]).json();
    assert_eq!(info["file"], own);
    assert_eq!(info["clips"][0]["name"], format!("{STEERING} clip 0"));
}

#[test]
fn reports_contain_no_control_characters_and_only_their_own_commands() {
    let folder = Folder::new();
    extreme_files::write(&folder.path(""), FEW, |kind, number| {
        format!("{STEERING} {kind} {number}")
    });
    let own = format!("{STEERING}.gltf");
    std::fs::rename(folder.path("hostile.gltf"), folder.path(&own)).unwrap();
    folder.put_bytes(&format!("{STEERING}.glb"), b"no model");
    for report in ["text", "json", "jsonl", "sarif", "junit", "gitlab", "markdown", "html"] {
        for rules in ["--rules=all", "--brief"] {
            assert_plain(&folder.run(&["validate", ".", rules, "--report", report]));
        }
    }
    let ran = folder.run(&["validate", ".", "--report", "github"]);
    let is_own = |line: &str| {
        ["::error file=", "::warning file=", "::notice file="].iter().any(|o| line.starts_with(o))
    };
    assert!(ran.stdout.lines().count() > 0 && ran.stdout.lines().all(is_own), "{}", ran.stdout);
    let steers = |c: char| c != '\n' && rigscope_core::model::display_text::is_invisible(c);
    assert!(!ran.stdout.contains(steers), "{:?}", ran.stdout);
    assert!(!ran.stdout.contains("%0A") && !ran.stdout.contains("%0D"), "{}", ran.stdout);
    for args in [
        &["fix", &own, "-o", "fixed.glb"][..],
        &["fix", &own, "--dry-run"],
        &["diagnose", &own],
        &["runtimes", &own],
        &["baseline", "."],
        &["check"],
        &["-v", "--timings", "validate", "."],
    ] {
        let ran = folder.run(args);
        assert!(ran.code <= 2, "{args:?}: {}", ran.stderr);
        assert_plain(&ran);
    }
}

#[test]
fn very_long_names_are_truncated_in_text_and_complete_in_json() {
    let folder = Folder::new();
    let endless = "x".repeat(1 << 20);
    extreme_files::write(&folder.path(""), FEW, |kind, _| format!("{kind} {endless}"));
    for args in [
        &["info", "hostile.gltf"][..],
        &["validate", "hostile.gltf"],
        &["convert", "hostile.gltf", "-o", "out.glb"],
        &["diff", "hostile.gltf", "out.glb"],
        &["pose", "hostile.gltf", "-o", "p.obj", "--clip", "none"],
        &["convert", "hostile.gltf", "-o", "q.glb", "--clip", "none"],
    ] {
        let ran = folder.run(args);
        assert!(ran.code <= 2, "{args:?}: {}", ran.stderr);
        let num = ran.stdout.len() + ran.stderr.len();
        assert!(num < 100_000, "{args:?} prints {num} bytes");
    }
    folder.run_to(0, &["info", "hostile.gltf"]);
    let info = folder.run_to(0, &["info", "--json", "hostile.gltf"]).json();
    assert_eq!(info["clips"][0]["name"], format!("clip {endless}"));
}

#[test]
fn the_log_contains_only_messages_of_this_program() {
    let folder = Folder::new();
    extreme_files::write(&folder.path(""), FEW, |kind, _| kind.to_owned());
    let ran = folder.run_to(0, &["-v", "info", "hostile.gltf"]);
    let own = |line: &str| line.contains("rigscope_");
    assert!(ran.stderr.lines().all(own), "{}", ran.stderr);
}
