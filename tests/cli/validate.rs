//! `validate`.

use serde_json::{Value, json};

use super::runner::{Folder, keys_in_order, native};
use crate::support::fixtures;

/// A folder with good, cut, suspicious and foreign files.
fn mixed() -> Folder {
    let folder = Folder::new();
    let good = fixtures::bsm2(&fixtures::two_triangles());
    folder.put_bytes("in/b_good.bsm2", &good);
    folder.put_bytes("in/deep/a_cut.bsm2", &good[..good.len() - 9]);
    folder.put_bytes("in/deep/c_garbage.bsm2", &[0xff; 300]);
    folder.put_bytes("in/d_empty.bsm2", b"");
    folder.put("in/e_zero.bsm2", &fixtures::with_zero_normal());
    folder.put_bytes("in/readme.txt", b"not for this program");
    folder
}

/// Paths separated by `/`, and whether the file could be read.
fn files(found: &Value) -> Vec<(String, bool)> {
    let files = found["files"].as_array().unwrap().iter();
    let path = |file: &Value| file["file"].as_str().unwrap().replace('\\', "/");
    files.map(|file| (path(file), file["ok"].as_bool().unwrap())).collect()
}

#[test]
fn a_folder_is_searched_and_a_bad_file_does_not_stop_the_others() {
    let folder = mixed();
    let ran = folder.run_to(1, &["validate", "in", "--json"]);
    let found = ran.json();
    assert_eq!(
        files(&found),
        [
            ("in/b_good.bsm2".to_owned(), true),
            ("in/d_empty.bsm2".to_owned(), false),
            ("in/deep/a_cut.bsm2".to_owned(), false),
            ("in/deep/c_garbage.bsm2".to_owned(), false),
            ("in/e_zero.bsm2".to_owned(), true),
        ]
    );
    assert_eq!(found["schema"], "rigscope.validate/1");
    assert_eq!((&found["errors"], &found["warnings"]), (&json!(3), &json!(1)));
    let cut = &found["files"][2];
    assert_eq!(cut["format"], "bsm2");
    let finding = &cut["notes"][0];
    assert_eq!((&finding["code"], &finding["severity"]), (&json!("unreadable"), &json!("error")));
    assert!(finding["place"].as_str().unwrap().starts_with("offset 0x"), "{finding}");
    keys_in_order(&ran.stdout, "schema files file format ok notes");
    keys_in_order(&ran.stdout, "files errors warnings");
}

#[test]
fn text_has_a_line_per_finding_that_starts_with_the_path() {
    let ran = mixed().run_to(1, &["validate", "in"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines.contains(&native("in/b_good.bsm2: ok").as_str()), "{}", ran.stdout);
    let is_cut = |line: &&&str| line.starts_with(&native("in/deep/a_cut.bsm2: error: "));
    let cut = lines.iter().find(is_cut).expect("the cut file is listed");
    assert!(cut.contains("offset 0x"));
    assert_eq!(lines.last(), Some(&"5 files: 3 errors, 1 warning, 6 infos"));
    assert_eq!(ran.stderr, "", "no progress without a terminal");
}

#[test]
fn effect_and_fix_follow_the_first_finding_of_each_kind_unless_brief() {
    let folder = Folder::new();
    for name in ["a.bsm2", "b.bsm2"] {
        folder.put(name, &fixtures::with_zero_normal());
    }
    let info = rigscope_core::model::FindingKind::ZeroNormal.info();
    let explanation = format!("  effect: {}\n  fix: {}\n", info.consequence, info.fix);
    let full = folder.run_to(0, &["validate", "a.bsm2", "b.bsm2"]).stdout;
    assert_eq!(full.matches(&explanation).count(), 1, "{full}");
    assert_eq!(full.matches("[zero-normal]\n").count(), 2, "{full}");
    let brief = folder.run_to(0, &["validate", "a.bsm2", "b.bsm2", "--brief"]).stdout;
    assert!(!brief.contains("effect: ") && brief.contains("[zero-normal]"), "{brief}");
    let severities = |text: &str| -> Vec<usize> {
        let words = [": error: ", ": warning: ", ": info: "];
        text.lines().filter_map(|line| words.iter().position(|word| line.contains(word))).collect()
    };
    assert!(severities(&brief).is_sorted(), "errors first: {brief}");
}

#[test]
fn misspelled_commands_and_unreadable_files_are_described() {
    let folder = Folder::with(&fixtures::two_triangles());
    let ran = folder.run_to(2, &["valdate", "a.bsm2"]);
    assert!(ran.stderr.contains("did you mean 'validate'?"), "{}", ran.stderr);
    let ran = folder.run_to(2, &["help", "validte"]);
    assert!(ran.stderr.contains("did you mean 'validate'?"), "{}", ran.stderr);
    for (args, text) in [
        (&["xyzzyplugh"][..], "unknown command 'xyzzyplugh', and there is no such file; `rigscope"),
        (&["help", "xyzzyplugh"], "unknown command 'xyzzyplugh'; `rigscope help` lists all"),
    ] {
        let ran = folder.run_to(2, args);
        assert!(ran.stderr.contains(text), "{}", ran.stderr);
    }
    for args in [&["a.bsm"][..], &["view", "a.bsm"], &["view", "a.bsm2", "--compare", "a.bsm"]] {
        let mut command = folder.command(args);
        let output = command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(stderr, "a.bsm: error: no such file or folder; did you mean a.bsm2?\n");
        assert_eq!(output.status.code(), Some(2));
    }
    folder.put_bytes("hero.fbx", b"hello\nworld\n");
    let ran = folder.run_to(2, &["info", "hero.fbx"]);
    assert_eq!(ran.stderr, "hero.fbx: error: not an FBX file (it looks like text)\n");
    folder.put_bytes("hero.blend", b"BLENDER-v300");
    let ran = folder.run_to(2, &["info", "hero.blend"]);
    assert!(ran.stderr.contains("Blender files can't be read; export glTF"), "{}", ran.stderr);
    folder.put_bytes("empty.glb", b"");
    let ran = folder.run_to(2, &["info", "empty.glb"]);
    assert!(ran.stderr.starts_with("empty.glb: error: the file is empty"), "{}", ran.stderr);
}

#[test]
fn warnings_fail_only_when_denied() {
    let folder = Folder::with(&fixtures::with_zero_normal());
    folder.run_to(0, &["validate", "a.bsm2"]);
    let ran = folder.run_to(1, &["validate", "a.bsm2", "--deny", "warnings", "--json"]);
    assert_eq!(files(&ran.json()), [("a.bsm2".to_owned(), false)]);
    folder.put("a.bsm2", &fixtures::two_triangles());
    folder.run_to(0, &["validate", "a.bsm2", "--deny", "warnings"]);
}

#[test]
fn a_finding_of_severity_error_fails_a_file_that_can_be_read() {
    let folder = Folder::with(&fixtures::with_bad_index());
    let found = folder.run_to(1, &["validate", "a.bsm2", "--json"]).json();
    assert_eq!(found["files"][0]["format"], "bsm2");
    assert_eq!(found["files"][0]["notes"][0]["code"], "index-out-of-range");
}

#[test]
fn a_named_file_may_have_any_extension_and_unknown_bytes_have_no_format() {
    let folder = Folder::new();
    folder.put("model.dat", &fixtures::two_triangles());
    folder.put_bytes("text.dat", b"hello");
    let found = folder.run_to(1, &["validate", "--json", "model.dat", "text.dat"]).json();
    assert_eq!(files(&found), [("model.dat".to_owned(), true), ("text.dat".to_owned(), false)]);
    assert_eq!(found["files"][1]["format"], Value::Null);
    let forced = ["validate", "--json", "--format", "bsm2", "text.dat"];
    let found = folder.run_to(1, &forced).json();
    assert_eq!(found["files"][0]["format"], "bsm2");
}

#[test]
fn a_missing_path_exits_2_and_the_others_are_still_read() {
    let folder = Folder::with(&fixtures::two_triangles());
    let ran = folder.run_to(2, &["validate", "--json", "nowhere", "a.bsm2"]);
    assert_eq!(ran.stderr, "nowhere: error: no such file or folder\n");
    assert_eq!(files(&ran.json()), [("a.bsm2".to_owned(), true)]);
}

#[test]
fn a_duplicate_path_is_read_once_and_an_empty_folder_is_reported() {
    let folder = Folder::with(&fixtures::two_triangles());
    std::fs::create_dir(folder.path("none")).unwrap();
    let args = ["validate", "--json", "a.bsm2", "a.bsm2", "none"];
    folder.run_to(2, &args);
    let ran = folder.run_to(0, &[&args[..], &["--allow-empty"]].concat());
    assert_eq!(files(&ran.json()), [("a.bsm2".to_owned(), true)]);
    assert_eq!(ran.stderr, "none: warning: the folder contains no model\n");
}

#[cfg(unix)]
#[test]
fn cyclic_symlinks_end_the_search() {
    let folder = mixed();
    std::os::unix::fs::symlink(folder.path("in"), folder.path("in/deep/up")).unwrap();
    std::os::unix::fs::symlink(folder.path("gone"), folder.path("in/f_gone.bsm2")).unwrap();
    let found = folder.run_to(1, &["validate", "in", "--json"]).json();
    let listed = files(&found);
    assert_eq!(listed.len(), 6);
    assert_eq!(listed[5], ("in/f_gone.bsm2".to_owned(), false), "a dangling link is reported");
}
