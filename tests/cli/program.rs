//! The program as a whole: usage, help, lists, completions, manual.

use rigscope_core::model::FindingKind;
use rigscope_core::validate::findings;
use rigscope_io::formats::FORMATS;
use serde_json::json;

use super::runner::Folder;
use crate::support::fixtures;

#[test]
fn wrong_usage_exits_2_and_help_exits_0() {
    let folder = Folder::with(&fixtures::two_triangles());
    for args in [
        &["info"][..],
        &["info", "--no-such-flag", "a.bsm2"],
        &["info", "--format", "docx", "a.bsm2"],
        &["validate", "a.bsm2", "--deny", "everything"],
        &["pose", "a.bsm2"],
        &["pose", "a.bsm2", "-o", "o.json", "--time", "0", "--key", "0"],
        &["pose", "a.bsm2", "-o", "o.json", "--time", "soon"],
        &["pose", "a.bsm2", "-o", "o.json", "--time", "nan"],
        &["pose", "a.bsm2", "-o", "o.json", "--key", "-1"],
        &["render", "a.bsm2", "-o", "o.png", "--size", "0x10"],
        &["render", "a.bsm2", "-o", "o.png", "--camera", "behind"],
        &["render", "a.bsm2", "-o", "o.png", "--frames", "0"],
        &["completions", "cobol"],
        &["--clip", "idle", "info", "a.bsm2"],
    ] {
        let ran = folder.run_to(2, args);
        assert!(ran.stdout.is_empty() && ran.stderr.starts_with("error: "), "{args:?}");
    }
    assert_eq!(folder.names(), ["a.bsm2"]);
    let help = folder.run_to(0, &["--help"]);
    assert!(help.stderr.is_empty());
    for name in ["view", "info", "validate", "pose", "render", "formats", "completions", "man"] {
        assert!(help.stdout.contains(name), "{name}");
        folder.run_to(0, &[name, "--help"]);
    }
    let version = folder.run_to(0, &["--version"]).stdout;
    assert_eq!(version, format!("rigscope {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn verbose_works_before_and_after_the_subcommand_and_logs_to_stderr() {
    let folder = Folder::with(&fixtures::two_triangles());
    let quiet = folder.run_to(0, &["info", "a.bsm2"]);
    for args in [["--verbose", "info", "a.bsm2"], ["info", "a.bsm2", "-v"]] {
        let ran = folder.run_to(0, &args);
        assert_eq!(ran.stdout, quiet.stdout);
        assert!(ran.stderr.contains("a.bsm2"), "{}", ran.stderr);
    }
}

#[test]
fn timings_are_printed_to_stderr_and_change_nothing_else() {
    let folder = Folder::with(&fixtures::two_triangles());
    let quiet = folder.run_to(0, &["info", "a.bsm2"]);
    let timed = folder.run_to(0, &["info", "--timings", "a.bsm2"]);
    assert_eq!(timed.stdout, quiet.stdout);
    assert!(
        timed.stderr.starts_with("timings: ") && timed.stderr.contains(" ms"),
        "{}",
        timed.stderr
    );
    let written = folder.run_to(0, &["--timings", "convert", "a.bsm2", "-o", "b.glb"]);
    assert!(written.stderr.contains("writing files"), "{}", written.stderr);
    let failed = folder.run_to(2, &["info", "--timings", "missing.bsm2"]);
    assert!(failed.stderr.contains("timings: "), "{}", failed.stderr);
}

#[test]
fn related_files_are_read_and_a_missing_one_is_an_error() {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.put_bytes("textures/skin.png", b"png");
    folder.run_to(0, &["info", "a.bsm2", "--with", "textures", "--with", "a.bsm2"]);
    let ran = folder.run_to(2, &["info", "a.bsm2", "--with", "missing.skl"]);
    assert_eq!(ran.stderr, "missing.skl: error: no such file or folder\n");
}

#[test]
fn formats_lists_every_format_and_every_finding() {
    let folder = Folder::new();
    let text = folder.run_to(0, &["formats"]).stdout;
    let found = folder.run_to(0, &["formats", "--json"]).json();
    assert_eq!(found["schema"], "rigscope.formats/1");
    let formats = found["formats"].as_array().unwrap();
    assert_eq!(formats.len(), FORMATS.len());
    for (entry, format) in formats.iter().zip(FORMATS) {
        let info = &format.info;
        assert_eq!(entry["id"], info.id);
        assert_eq!(entry["extensions"], json!(info.extensions));
        assert_eq!(
            (&entry["read"], &entry["write"]),
            (&json!(info.can_read), &json!(info.can_write))
        );
        assert!(text.contains(info.name));
    }
    let listed = found["notes"].as_array().unwrap();
    assert_eq!(listed.len(), findings().count());
    for (entry, row) in listed.iter().zip(findings().map(FindingKind::info)) {
        let expected = json!({
            "code": row.code, "severity": row.severity.as_str(), "meaning": row.meaning,
        });
        assert_eq!(*entry, expected);
    }
    assert!(text.contains("`rigscope rules`"));
}

#[test]
fn completions_and_manual_contain_every_subcommand() {
    let folder = Folder::new();
    let manual = folder.run_to(0, &["man"]).stdout;
    assert!(manual.contains(".TH rigscope 1"), "not a manual page");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run_to(0, &["completions", shell]).stdout;
        for name in ["info", "validate", "pose", "render"] {
            assert!(script.contains(name), "{shell} {name}");
            assert!(manual.contains(&format!(".SH {}", name.to_uppercase())), "{name}");
        }
    }
}
