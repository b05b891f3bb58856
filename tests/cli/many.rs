//! Many files: lists, a line a file, and results that are kept.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use super::runner::{Folder, Ran};
use crate::support::fixtures;
use crate::support::gltf::write_triangle;

fn lines(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn with_files() -> Folder {
    let folder = Folder::new();
    for number in 0..40 {
        folder.put(&format!("in/{number:02}.bsm2"), &fixtures::two_triangles());
    }
    folder.put("in/10.bsm2", &fixtures::with_zero_normal());
    let good = fixtures::bsm2(&fixtures::two_triangles());
    folder.put_bytes("in/20.bsm2", &good[..good.len() - 9]);
    folder
}

#[test]
fn folders_are_searched_without_hidden_and_ignored_files() {
    let folder = Folder::new();
    for name in ["a.bsm2", ".b.bsm2", "old/c.bsm2", "build/d.bsm2", "e/f.bsm2"] {
        folder.put_bytes(name, rigscope_assets::SAMPLE);
    }
    folder.put_bytes(".ignore", b"build/\n");
    let files = |args: &[&str]| {
        let ran = folder.run_to(0, &[&["validate", "--json", "."], args].concat());
        let json = ran.json();
        let files = json["files"].as_array().unwrap().iter();
        let names: Vec<String> =
            files.map(|file| file["file"].as_str().unwrap().replace('\\', "/")).collect();
        (names.join(" "), ran.stderr)
    };
    let (names, note) = files(&[]);
    assert_eq!(names, "./a.bsm2 ./e/f.bsm2 ./old/c.bsm2");
    assert!(note.contains("1 hidden (") && note.contains("1 excluded by .gitignore"), "{note}");
    assert_eq!(files(&["--exclude", "/old"]).0, "./a.bsm2 ./e/f.bsm2");
    assert_eq!(files(&["--include", "e/**"]).0, "./e/f.bsm2");
    folder.put_bytes("rigscope.toml", b"[files]\nexclude = [\"e\"]\nno-ignore = true\n");
    assert_eq!(files(&[]).0, "./.b.bsm2 ./a.bsm2 ./build/d.bsm2 ./old/c.bsm2");
    folder.put_bytes("rigscope.toml", b"[files]\nignore = true\n");
    let ran = folder.run_to(2, &["validate", "."]);
    assert!(
        ran.stderr.contains("the settings are include, exclude and no-ignore"),
        "{}",
        ran.stderr
    );
}

#[test]
fn json_lines_match_the_single_object_in_the_same_order() {
    let folder = with_files();
    let whole = folder.run_to(1, &["validate", "in", "--json"]).json();
    let ran = folder.run_to(1, &["validate", "in", "--jsonl"]);
    let lines = lines(&ran);
    assert_eq!(lines.len(), 40);
    for (line, file) in lines.iter().zip(whole["files"].as_array().unwrap()) {
        assert_eq!(line["schema"], "rigscope.validate-line/1");
        for key in ["file", "format", "ok", "notes"] {
            assert_eq!(line[key], file[key], "{key}");
        }
    }
    folder.run_to(2, &["validate", "in", "--json", "--jsonl"]);
    folder.run_to(2, &["validate", "in", "--sarif", "--jsonl"]);
    folder.run_to(2, &["validate"]);
}

#[test]
fn info_writes_a_line_per_file_even_for_unreadable_files() {
    let folder = with_files();
    let list = "in/01.bsm2\n\nin/20.bsm2\nnone.bsm2\nin/10.bsm2\n";
    folder.put_bytes("list.txt", list.as_bytes());
    let ran = folder.run_to(2, &["info", "in/00.bsm2", "--files-from", "list.txt", "--jsonl"]);
    let lines = lines(&ran);
    let named: Vec<_> = lines.iter().map(|line| line["file"].as_str().unwrap()).collect();
    let expected = ["in/00.bsm2", "in/01.bsm2", "in/20.bsm2", "none.bsm2", "in/10.bsm2"];
    assert_eq!(named, expected);
    let alone = folder.run_to(0, &["info", "in/01.bsm2", "--json"]).json();
    assert_eq!(lines[1], alone);
    assert_eq!(lines[2]["schema"], "rigscope.unread/1");
    assert!(lines[3]["error"].as_str().unwrap().contains("no such file"), "{}", lines[3]);
    assert!(ran.stderr.contains("none.bsm2"));
    folder.run_to(2, &["info", "in/00.bsm2", "--cache", "kept"]);
}

#[test]
fn the_file_list_may_come_from_a_pipe() {
    let folder = with_files();
    let ran = run_with(
        &folder,
        b"in/10.bsm2\0in/11.bsm2\0",
        &["validate", "--files-from", "-", "--jsonl"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let named: Vec<_> = lines(&ran).iter().map(|line| line["file"].clone()).collect();
    assert_eq!(named, [json!("in/10.bsm2"), json!("in/11.bsm2")]);
    let ran = run_with(&folder, b"in/11.bsm2\n", &["validate", "--files-from", "-"]);
    assert!(
        ran.stdout.ends_with("in/11.bsm2: ok\n1 file: 0 errors, 0 warnings, 3 infos\n"),
        "{}",
        ran.stdout
    );
    let ran = folder.run_to(2, &["validate", "--files-from", "none.txt"]);
    assert!(ran.stderr.contains("none.txt"), "{}", ran.stderr);
}

/// Runs the program with something on stdin.
fn run_with(folder: &Folder, stdin: &[u8], args: &[&str]) -> Ran {
    let mut command = folder.command(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The files of results in the folder of this build.
fn kept(folder: &Folder) -> Vec<PathBuf> {
    let mut builds = std::fs::read_dir(folder.path("kept")).unwrap();
    let build = builds.find_map(|entry| {
        let path = entry.unwrap().path();
        path.file_name().unwrap().to_str().unwrap().starts_with("rigscope-").then_some(path)
    });
    let groups = std::fs::read_dir(build.unwrap()).unwrap();
    let results = groups.flat_map(|group| std::fs::read_dir(group.unwrap().path()).unwrap());
    results.map(|result| result.unwrap().path()).collect()
}

/// Marks every cached result to distinguish it from new results.
fn mark(folder: &Folder, from: &str, to: &str) {
    for path in kept(folder) {
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, text.replace(from, to)).unwrap();
    }
}

#[test]
fn cached_results_are_used_while_the_file_is_unchanged() {
    let folder = with_files();
    let run = |code| folder.run_to(code, &["validate", "in", "--jsonl", "--cache", "kept"]);
    let first = run(1);
    // 38 files are equal except for their names, which readers see.
    assert_eq!(kept(&folder).len(), 40);
    assert_eq!(run(1).stdout, first.stdout);
    mark(&folder, "\\\"zero-normal\\\"", "\\\"flat-hull\\\"");
    let marked = lines(&run(1));
    let has = |line: &Value, code: &str| {
        line["notes"].as_array().unwrap().iter().any(|finding| finding["code"] == code)
    };
    assert!(has(&marked[10], "flat-hull"), "a kept result was taken: {}", marked[10]);
    // Filters are applied again.
    let denied = ["validate", "in/10.bsm2", "--jsonl", "--cache", "kept", "--deny", "flat-hull"];
    assert_eq!(lines(&folder.run_to(1, &denied))[0]["ok"], false);
    let readers = ["validate", "in/10.bsm2", "--jsonl", "--cache", "kept", "--rules", "readers"];
    assert!(has(&lines(&folder.run_to(0, &readers))[0], "zero-normal"), "another question");
    // Other bytes, another result.
    folder.put("in/10.bsm2", &fixtures::two_triangles());
    assert!(!has(&lines(&run(1))[10], "flat-hull"));
    // Damaged entries are replaced.
    for path in kept(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    }
    folder.put("in/10.bsm2", &fixtures::with_zero_normal());
    assert_eq!(run(1).stdout, first.stdout);
}

#[test]
fn changed_related_files_invalidate_the_cache() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("in")).unwrap();
    write_triangle(&folder.path("in"), "a.gltf", "skin.png");
    let run = || {
        let ran = folder.run(&["info", "in/a.gltf", "--jsonl", "--cache", "kept"]);
        (ran.code, ran.stdout)
    };
    let without = run();
    assert_eq!(run(), without);
    mark(&folder, "rigscope.info/1", "kept");
    assert!(run().1.contains("kept"));
    folder.put_bytes("in/skin.png", b"\x89PNG");
    let with = run();
    assert!(!with.1.contains("kept"), "a texture has come: {}", with.1);
    mark(&folder, "rigscope.info/1", "kept");
    assert!(run().1.contains("kept"));
    folder.put_bytes("in/other.txt", b"new");
    assert!(run().1.contains("kept"), "no reader has asked for such a file");
    folder.put_bytes("in/x/skin.png", b"new");
    assert!(!run().1.contains("kept"), "there are two files of that name");
}

#[test]
fn only_cached_results_of_other_builds_are_deleted() {
    let folder = with_files();
    for name in ["kept/rigscope-0123456789abcdef/00/x", "kept/rigscope-notes/x", "kept/mine/x"] {
        folder.put_bytes(name, b"x");
    }
    folder.run_to(1, &["validate", "in", "--cache", "kept"]);
    assert!(!folder.path("kept/rigscope-0123456789abcdef").exists());
    assert!(folder.path("kept/rigscope-notes/x").exists() && folder.path("kept/mine/x").exists());
    assert!(folder.read("kept/CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172"));
    folder.put_bytes("file", b"no folder");
    let ran = folder.run_to(2, &["validate", "in", "--cache", "file"]);
    assert!(ran.stderr.contains("file"), "{}", ran.stderr);
}

#[test]
fn processes_share_a_cache() {
    let folder = with_files();
    let args = ["validate", "in", "--jsonl", "--cache", "kept"];
    let alone = folder.run_to(1, &["validate", "in", "--jsonl"]).stdout;
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| folder.run(&args))).collect();
        for run in runs {
            assert_eq!(run.join().unwrap().stdout, alone);
        }
    });
}
