//! `fix`: the files that it writes, and its reports.

use super::runner::Folder;
use crate::support::samples;

/// A folder with the sample, and the sample with a weight that is too small.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut bytes = rigscope_assets::SAMPLE.to_vec();
    folder.put_bytes("good.bsm2", &bytes);
    // The weights of the first vertex follow six counts and 28 bytes of other attributes.
    bytes[52] = 3;
    folder.put_bytes("bad.bsm2", &bytes);
    folder
}

const FIX: [&str; 4] = ["fix", "bad.bsm2", "-o", "fixed.bsm2"];

#[test]
fn only_the_affected_bytes_change_and_a_second_run_has_nothing_to_fix() {
    let folder = folder();
    let printed = folder.run_to(0, &FIX).stdout;
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "bad.bsm2: 1 problem fixed");
    let action = "divide the weights of each vertex by their sum";
    assert_eq!(lines[1], format!("  weights-not-normalized (1): {action}"));
    assert_eq!(lines[2], "  changed: 1 byte");
    // The reader normalizes packed weights.
    assert_eq!(lines[3], "  no vertex moves");
    let [before, after] = ["bad.bsm2", "fixed.bsm2"].map(|name| folder.bytes(name));
    assert_eq!(before.len(), after.len());
    assert!(before[..52] == after[..52] && before[56..] == after[56..]);
    let sum: u32 = after[52..56].iter().map(|weight| u32::from(*weight)).sum();
    assert_eq!(sum, 255);

    let again = folder.run_to(0, &["fix", "fixed.bsm2", "-o", "again.bsm2"]);
    assert!(again.stdout.starts_with("fixed.bsm2: nothing to fix"), "{}", again.stdout);
    assert!(again.stderr.contains("no file is written"), "{}", again.stderr);
    assert!(!folder.path("again.bsm2").exists());
}

#[test]
fn a_dry_run_reports_and_writes_nothing() {
    let folder = folder();
    let printed = folder.run_to(0, &["fix", "bad.bsm2", "--dry-run"]).stdout;
    assert!(printed.starts_with("bad.bsm2: 1 problem can be fixed\n"), "{printed}");
    let found = folder.run_to(0, &["fix", "bad.bsm2", "--dry-run", "--json"]).json();
    assert_eq!(found["schema"], "rigscope.fix/1");
    assert_eq!(found["applied"][0]["code"], "weights-not-normalized");
    assert_eq!(found["patched"], true);
    assert_eq!(found["outputs"].as_array().unwrap().len(), 0);
    assert_eq!(folder.names().len(), 2);
}

#[test]
fn other_formats_are_rewritten_with_their_losses() {
    let folder = folder();
    let printed = folder.run_to(0, &["fix", "bad.bsm2", "-o", "fixed.glb"]).stdout;
    assert!(printed.contains("\n  rewritten: "), "{printed}");
    assert!(printed.contains("\nfixed.glb: "), "{printed}");
    folder.run_to(
        0,
        &["diff", "good.bsm2", "fixed.glb", "--only", "positions", "--tolerance", "1e-4"],
    );
}

/// The fox is 155 m long, which may be intended.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn an_unusual_height_is_no_fault() {
    let folder = Folder::new();
    folder.put_bytes("fox.glb", &std::fs::read(samples().join("gltf/Fox.glb")).unwrap());
    let all = folder.run_to(0, &["fix", "fox.glb", "-o", "fixed.glb"]);
    assert!(!folder.path("fixed.glb").exists(), "{}", all.stdout);
    assert!(!all.stdout.contains("unit-scale"), "{}", all.stdout);
}

#[test]
fn inputs_remain_and_wrong_arguments_say_what_is_possible() {
    let folder = folder();
    let bad = folder.bytes("bad.bsm2");
    let own = folder.run_to(2, &["fix", "bad.bsm2", "-o", "bad.bsm2", "--force"]);
    assert!(own.stderr.contains("never overwritten"), "{}", own.stderr);
    assert_eq!(folder.bytes("bad.bsm2"), bad);
    folder.put_bytes("taken.bsm2", b"kept");
    folder.run_to(2, &["fix", "bad.bsm2", "-o", "taken.bsm2"]);
    assert_eq!(folder.bytes("taken.bsm2"), b"kept");
    let without = folder.run_to(2, &["fix", "bad.bsm2"]);
    assert!(without.stderr.contains("--output"), "{}", without.stderr);
    let rule = folder.run_to(2, &["fix", "bad.bsm2", "-o", "x.bsm2", "--rule", "zero-norml"]);
    assert!(rule.stderr.contains("did you mean `zero-normal`?"), "{}", rule.stderr);
    let cause = folder.run_to(2, &["fix", "bad.bsm2", "-o", "x.bsm2", "--cause", "unit-scal"]);
    assert!(cause.stderr.contains("did you mean `unit-scale`?"), "{}", cause.stderr);
    let absent = ["fix", "bad.bsm2", "-o", "x.bsm2", "--rule", "zero-normal"];
    let absent = folder.run_to(0, &absent);
    let expected = "the file has no finding or cause 'zero-normal'";
    assert!(absent.stderr.contains(expected), "{}", absent.stderr);
    let read_only = folder.run_to(2, &["fix", "bad.bsm2", "-o", "x.fbx"]);
    assert!(read_only.stderr.contains("can't be written"), "{}", read_only.stderr);
}

#[test]
fn separate_buffers_are_changed_in_place_and_the_json_stays() {
    let folder = folder();
    folder.run_to(0, &["convert", "good.bsm2", "-o", "hero.gltf"]);
    let json = folder.read_json("hero.gltf");
    let uri = json["buffers"][0]["uri"].as_str().unwrap().to_owned();
    let number = |value: &serde_json::Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap();
    let weights = &json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"];
    let accessor = &json["accessors"][number(weights)];
    let view = &json["bufferViews"][number(&accessor["bufferView"])];
    let at = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    let mut bytes = folder.bytes(&uri);
    let good = bytes.clone();
    match accessor["componentType"].as_u64() {
        Some(5126) => bytes[at..at + 4].copy_from_slice(&0.25f32.to_le_bytes()),
        _ => bytes[at] = 3,
    }
    folder.put_bytes(&uri, &bytes);

    let found = folder.run_to(0, &["fix", "hero.gltf", "-o", "fixed.gltf", "--json"]).json();
    assert_eq!(found["patched"], true, "{found}");
    assert_eq!(found["outputs"].as_array().unwrap().len(), 2);
    let text = folder.read("hero.gltf").replace(&uri, "fixed.bin");
    assert_eq!(folder.read("fixed.gltf"), text);
    let fixed = folder.bytes("fixed.bin");
    assert!(fixed[..at] == good[..at] && fixed[at + 16..] == good[at + 16..]);
    assert_eq!(folder.bytes(&uri), bytes);

    // A change of the JSON needs no new buffer.
    folder.put_bytes(&uri, &good);
    let broken = folder.read("hero.gltf").replacen("\"max\":[", "\"max\":[9.0,9.0,9.0],\"x\":[", 1);
    folder.put_bytes("bounds.gltf", broken.as_bytes());
    let bounds = ["fix", "bounds.gltf", "-o", "bounds-fixed.gltf", "--json"];
    let found = folder.run_to(0, &bounds).json();
    assert_eq!(found["applied"][0]["code"], "position-bounds-wrong", "{found}");
    assert_eq!(found["outputs"].as_array().unwrap().len(), 1);
    assert!(folder.read("bounds-fixed.gltf").contains(&uri));
}
