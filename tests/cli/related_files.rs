//! Related files: animations and textures, and references that aren't followed.

use serde_json::Value;

use super::runner::Folder;
use crate::support::gltf;

/// Code, message and count of every note that `info` reports.
fn findings(folder: &Folder, args: &[&str]) -> Vec<(String, String)> {
    let info = folder.run_to(0, args).json();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let findings = info["notes"].as_array().unwrap().iter();
    findings.map(|finding| (text(finding, "code"), text(finding, "message"))).collect()
}

fn message(findings: &[(String, String)], code: &str) -> Option<String> {
    let mut findings = findings.iter();
    Some(findings.find(|finding| finding.0 == code)?.1.clone())
}

#[test]
fn an_animation_from_another_file_moves_the_model() {
    let folder = Folder::new();
    gltf::write_triangle(&folder.path(""), "flag.gltf", "cloth.png");
    gltf::write_motion(&folder.path(""), "swing.gltf", &["root", "arm"]);
    let args = ["pose", "flag.gltf", "--with", "swing.gltf", "--clip", "swing"];
    for (time, height) in [("0", 1.0), ("1", 2.5), ("9", 4.0)] {
        let out = format!("{time}.json");
        folder.run_to(0, &[&args[..], &["--time", time, "-o", &out]].concat());
        let posed = folder.read_json(&out);
        let y = posed["vertices"][0][1].as_f64().unwrap();
        assert!((y - height).abs() < 1e-6, "{y} at {time} s");
    }
    let found = findings(&folder, &["info", "flag.gltf", "--with", "swing.gltf", "--json"]);
    assert_eq!(message(&found, "added-clips").unwrap(), "1 clip of swing was added");
    assert_eq!(message(&found, "unmatched-bones"), None);
}

#[test]
fn unmatched_bones_and_unused_files_are_reported() {
    let folder = Folder::new();
    gltf::write_triangle(&folder.path(""), "flag.gltf", "cloth.png");
    gltf::write_motion(&folder.path(""), "swing.gltf", &["root", "arm", "hand"]);
    folder.put_bytes("notes.txt", b"hello");
    let with = ["--with", "swing.gltf", "--with", "notes.txt"];
    let found = findings(&folder, &[&["info", "flag.gltf", "--json"][..], &with].concat());
    assert_eq!(
        message(&found, "unmatched-bones").unwrap(),
        "1 of 3 bones of swing has no counterpart in the model: hand"
    );
    let unused = message(&found, "unused-companion").unwrap();
    assert_eq!(unused, "notes.txt is not used: its format isn't supported");
}

#[test]
fn textures_outside_the_model_s_folder_are_used_only_if_it_is_given() {
    for spelled in ["../art/cloth.png", "/art/cloth.png", "file://server/art/cloth.png"] {
        let folder = Folder::new();
        folder.put_bytes("art/cloth.png", b"secret");
        folder.put_bytes("model/readme", b"");
        gltf::write_triangle(&folder.path("model"), "flag.gltf", spelled);
        let args = ["info", "model/flag.gltf", "--json"];
        let found = findings(&folder, &args);
        assert!(message(&found, "outside-path").is_some(), "{spelled}");
        let missing = message(&found, "missing-texture").unwrap();
        assert_eq!(missing, format!("{spelled} was not found"));
        let found = findings(&folder, &[&args[..], &["--with", "art"]].concat());
        assert_eq!(message(&found, "missing-texture"), None, "{spelled}");
    }
}

#[test]
fn textures_below_the_model_s_folder_are_found_by_path_or_name() {
    for (file, spelled) in [
        ("textures/cloth.png", "textures/cloth.png"),
        ("textures/cloth.png", "art/old/cloth.png"),
        ("cloth.PNG", "./cloth.png"),
    ] {
        let folder = Folder::new();
        folder.put_bytes(file, b"");
        gltf::write_triangle(&folder.path(""), "flag.gltf", spelled);
        let found = findings(&folder, &["info", "flag.gltf", "--json"]);
        assert_eq!(message(&found, "missing-texture"), None, "{file} {spelled}");
    }
}

#[test]
fn the_frame_rate_must_be_above_zero() {
    let folder = Folder::new();
    for fps in ["0", "-1", "nan", "fast"] {
        let ran = folder.run_to(2, &["info", "a.txt", &format!("--fps={fps}")]);
        assert!(ran.stderr.contains("not a number above 0"), "{}", ran.stderr);
    }
}

/// Related files as listed by `info`: name, role and whether each was used.
fn around(folder: &Folder, args: &[&str]) -> Vec<(String, String, bool)> {
    let info = folder.run_to(0, args).json();
    let files = info["companions"].as_array().unwrap().iter();
    let text = |file: &Value, key: &str| file[key].as_str().unwrap().to_owned();
    files
        .map(|file| {
            assert!(file["fit"].is_null() && !text(file, "why").is_empty());
            let is_taken = file["taken"].as_bool().unwrap();
            (text(file, "file"), text(file, "role"), is_taken)
        })
        .collect()
}

#[test]
fn info_lists_used_missing_and_other_files() {
    let folder = Folder::new();
    gltf::write_triangle(&folder.path(""), "flag.gltf", "cloth.png");
    folder.put_bytes("cloth.png", b"");
    folder.put_bytes("art/other.png", b"");
    let row = |file: &str, role: &str, is_taken| (file.to_owned(), role.to_owned(), is_taken);
    let all = around(&folder, &["info", "flag.gltf", "--json"]);
    let wanted = [
        row("cloth.png", "texture", true),
        row("art/other.png", "texture", false),
        row("flag.gltf.bin", "buffer", true),
    ];
    assert_eq!(all, wanted);
    let args = ["info", "flag.gltf", "--json", "--without", "cloth.png"];
    let all = around(&folder, &args);
    assert!(all.contains(&row("cloth.png", "texture", false)), "{all:?}");
    let found = findings(&folder, &args);
    let missing = message(&found, "missing-texture").unwrap();
    assert_eq!(missing, "cloth.png was not found");
    let text = folder.run_to(0, &["info", "flag.gltf"]).stdout;
    assert!(text.contains("related files") && text.contains("used by buffer 0"), "{text}");
}
