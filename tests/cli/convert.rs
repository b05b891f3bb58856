//! `convert`: one file, many files, losses, and files that are never overwritten.

use rigscope_core::model::{ClipId, Report};
use rigscope_io::formats::{ReadOptions, Source, open};

use super::runner::{Folder, keys_in_order};
use crate::support::fixtures;

#[test]
fn a_file_in_its_own_format_keeps_its_bytes() {
    let folder = Folder::with(&fixtures::with_hierarchy());
    let ran = folder.run_to(0, &["convert", "a.bsm2", "-o", "b.bsm2"]);
    let bytes = |name: &str| folder.bytes(name);
    assert_eq!(bytes("a.bsm2"), bytes("b.bsm2"));
    assert!(ran.stdout.contains("a.bsm2 -> b.bsm2"), "{}", ran.stdout);
    assert!(ran.stdout.contains("positions exact"), "{}", ran.stdout);
}

#[test]
fn json_contains_outputs_losses_and_errors() {
    let folder = Folder::with(&fixtures::two_triangles());
    let args = ["convert", "a.bsm2", "-o", "b.bsm2", "--clip", "walk", "--scale", "2", "--json"];
    let ran = folder.run_to(0, &args);
    keys_in_order(
        &ran.stdout,
        "schema files file format to ok outputs predicted observed errors position \
         skinned notes converted failed with_losses",
    );
    let json = ran.json();
    assert_eq!(json["schema"], "rigscope.convert/1");
    let file = &json["files"][0];
    assert_eq!((&file["format"], &file["to"]), (&"bsm2".into(), &"bsm2".into()));
    assert!(file["errors"]["of_extent"].as_f64().unwrap() < 1e-6);
    let length = std::fs::metadata(folder.path("b.bsm2")).unwrap().len();
    assert_eq!(file["outputs"][0]["bytes"], length);
    let info = folder.run_to(0, &["info", "b.bsm2", "--json"]).json();
    assert_eq!(info["clips"].as_array().unwrap().len(), 1);
    let max = info["bounds"]["max"][0].as_f64().unwrap();
    assert!((max - 2.0).abs() < 1e-6, "{max}");
}

#[test]
fn inputs_are_never_overwritten_and_other_files_only_with_force() {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.put("b.bsm2", &fixtures::with_hierarchy());
    let before = folder.bytes("b.bsm2");
    let ran = folder.run_to(2, &["convert", "a.bsm2", "-o", "b.bsm2"]);
    assert!(ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(folder.bytes("b.bsm2"), before);

    let original = folder.bytes("a.bsm2");
    std::fs::hard_link(folder.path("a.bsm2"), folder.path("link.bsm2")).unwrap();
    for target in ["a.bsm2", "./a.bsm2", "link.bsm2"] {
        let ran = folder.run_to(2, &["convert", "a.bsm2", "-o", target, "--force"]);
        assert!(ran.stderr.contains("is an input"), "{target}: {}", ran.stderr);
    }
    assert_eq!(folder.bytes("a.bsm2"), original);
    folder.run_to(0, &["convert", "a.bsm2", "-o", "b.bsm2", "--force"]);
    assert_eq!(folder.bytes("b.bsm2"), original);
}

#[test]
fn strict_writes_nothing_if_something_would_be_lost() {
    let folder = Folder::with(&fixtures::with_hierarchy());
    // A posed mesh has neither bones nor clips.
    let ran = folder.run_to(1, &["convert", "a.bsm2", "-o", "b.obj", "--strict"]);
    assert!(ran.stdout.contains("lost: "), "{}", ran.stdout);
    assert_eq!(folder.names(), ["a.bsm2"]);
    let ran = folder.run_to(0, &["convert", "a.bsm2", "-o", "b.obj", "--dry-run"]);
    assert!(ran.stdout.contains("lost: skeleton, skin and"), "{}", ran.stdout);
    assert_eq!(folder.names(), ["a.bsm2"]);
    folder.run_to(0, &["convert", "a.bsm2", "-o", "same.bsm2", "--strict"]);
    folder.run_to(0, &["convert", "a.bsm2", "-o", "b.obj"]);
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = Folder::new();
    folder.put("in/a.bsm2", &fixtures::two_triangles());
    folder.put("in/deep/b.bsm2", &fixtures::with_hierarchy());
    folder.put_bytes("in/ill/bad.bsm2", &[1, 2, 3]);
    let args = ["convert", "in", "--out-dir", "out", "--to", "bsm2", "--jobs", "2"];
    let dry: Vec<&str> = args.into_iter().chain(["--dry-run"]).collect();
    let ran = folder.run_to(2, &dry);
    assert!(ran.stdout.contains("2 converted"), "{}", ran.stdout);
    assert!(!folder.path("out").exists());

    let ran = folder.run_to(2, &args);
    assert!(ran.stderr.contains("bad.bsm2"), "{}", ran.stderr);
    assert!(
        ran.stdout.ends_with("3 files: 2 converted, 1 failed, 0 with losses\n"),
        "{}",
        ran.stdout
    );
    for name in ["a.bsm2", "deep/b.bsm2"] {
        let (old, new) = (folder.path(&format!("in/{name}")), folder.path(&format!("out/{name}")));
        assert_eq!(std::fs::read(old).unwrap(), std::fs::read(new).unwrap());
    }
    assert!(!folder.path("out/ill").exists());
}

#[test]
fn two_inputs_with_the_same_output_are_refused() {
    let folder = Folder::new();
    folder.put("x/a.bsm2", &fixtures::two_triangles());
    folder.put("y/a.bsm2", &fixtures::with_hierarchy());
    let args = ["convert", "x/a.bsm2", "y/a.bsm2", "none.bsm2"];
    let args: Vec<&str> = args.into_iter().chain(["--out-dir", "out", "--to", "bsm2"]).collect();
    let ran = folder.run_to(2, &args);
    assert!(ran.stderr.contains("would both be written to"), "{}", ran.stderr);
    assert!(
        ran.stdout.ends_with("3 files: 1 converted, 2 failed, 0 with losses\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(folder.bytes("out/a.bsm2"), folder.bytes("x/a.bsm2"));

    let args: Vec<&str> = args.into_iter().chain(["--json", "--force"]).collect();
    let json = folder.run_to(2, &args).json();
    assert_eq!((&json["converted"], &json["failed"]), (&1.into(), &2.into()));
    let errors: Vec<_> = json["files"].as_array().unwrap().iter().map(|f| &f["error"]).collect();
    assert!(errors[0].as_str().unwrap().contains("none.bsm2: no such file"), "{errors:?}");
    assert!(errors[1].is_null() && errors[2].as_str().unwrap().contains("would both be"));
    assert_eq!(folder.bytes("out/a.bsm2"), folder.bytes("x/a.bsm2"));
}

#[test]
fn wrong_usage_is_reported_before_reading() {
    let folder = Folder::with(&fixtures::two_triangles());
    for (args, expected) in [
        (vec!["a.bsm2", "-o", "b.xyz"], "no format is written as .xyz; writable formats: bsm2"),
        (vec!["a.bsm2", "-o", "b.fbx"], "FBX is read-only; writable formats: bsm2"),
        (vec!["a.bsm2", "-o", "b.bsm2", "--part", "mesh"], "without parts"),
        (vec!["a.bsm2", "-o", "none/b.bsm2"], "folder"),
        (vec!["a.bsm2", "--out-dir", "out"], "--to"),
        (vec!["a.bsm2"], "--output"),
        (vec!["a.bsm2", "-o", "b.bsm2", "--clip", "none"], "\"walk\""),
        (vec!["a.bsm2", "-o", "b.bsm2", "--scale", "0"], "above 0"),
    ] {
        let args: Vec<&str> = std::iter::once("convert").chain(args).collect();
        let ran = folder.run_to(2, &args);
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
        assert_eq!(folder.names(), ["a.bsm2"]);
    }
}

#[test]
fn options_that_would_exhaust_memory_or_overflow_are_refused() {
    let folder = Folder::with(&fixtures::with_hierarchy());
    for (args, expected) in [
        (["a.bsm2", "-o", "b.bsm2", "--rate", "1e12"], "the limit is"),
        (["a.bsm2", "-o", "b.glb", "--rate", "1e12"], "the limit is"),
        (["a.bsm2", "-o", "b.bsm2", "--scale", "3e38"], "precision"),
    ] {
        let args: Vec<&str> = std::iter::once("convert").chain(args).collect();
        let ran = folder.run_to(2, &args);
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
        assert_eq!(folder.names(), ["a.bsm2"]);
    }
}

#[test]
fn a_split_model_loses_neither_vertices_nor_triangles() {
    use std::fmt::Write;

    let folder = Folder::new();
    let mut text = String::new();
    for material in ["a", "bb", "ccc"] {
        writeln!(text, "usemtl {material}").unwrap();
        for triangle in 0..10_000 {
            let x = triangle % 100;
            let y = triangle / 100;
            let z = material.len();
            writeln!(text, "v {x} {y} {z}\nv {x}.5 {y} {z}\nv {x} {y}.5 {z}").unwrap();
            writeln!(text, "f -3 -2 -1").unwrap();
        }
    }
    folder.put_bytes("a.obj", text.as_bytes());
    let ran = folder.run_to(0, &["convert", "a.obj", "-o", "b.bsm2", "--json"]);
    let json = ran.json();
    let file = &json["files"][0];
    assert_eq!(file["outputs"].as_array().unwrap().len(), 2, "{file}");
    for loss in file["observed"].as_array().unwrap() {
        let code = loss["code"].as_str().unwrap();
        assert!(!["vertices", "triangles"].contains(&code), "{loss}");
    }
    assert_eq!(file["errors"]["unmatched_vertices"], 0);
}

/// A kill in the middle of a conversion leaves the old file or the whole new one.
#[test]
#[cfg_attr(windows, ignore = "waiting for a killed program never ends under Wine 8")]
fn killed_conversions_leave_complete_files() {
    use std::time::Instant;

    const NUM_KILLS: u32 = 100;
    let folder = Folder::new();
    folder.put_bytes("a.bsm2", include_bytes!("../../assets/sample.bsm2"));
    let args = ["convert", "a.bsm2", "-o", "b.bsm2", "--rate", "60", "--force"];
    let begun = Instant::now();
    folder.run_to(0, &args);
    let needed = begun.elapsed();
    let new = folder.bytes("b.bsm2");
    let old = b"old".to_vec();
    let (mut num_old, mut num_new) = (0, 0);
    for kill in 0..NUM_KILLS {
        folder.put_bytes("b.bsm2", &old);
        let mut child = folder
            .command(&args)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        match kill {
            // The first is killed at once, the last is let go on to its end.
            0 => {}
            _ if kill == NUM_KILLS - 1 => {
                child.wait().unwrap();
            }
            _ => std::thread::sleep(needed.mul_f64(f64::from(kill) / f64::from(NUM_KILLS))),
        }
        // SIGKILL or TerminateProcess.
        let _ = child.kill();
        child.wait().unwrap();
        let found = folder.bytes("b.bsm2");
        num_old += u32::from(found == old);
        num_new += u32::from(found == new);
        assert!(found == old || found == new, "kill {kill} left {} bytes", found.len());
    }
    assert!(num_old > 0 && num_new > 0, "{num_old} old, {num_new} new");
}

#[test]
fn curves_use_the_rate_of_their_file_unless_one_is_set() {
    let folder = Folder::new();
    folder.put_bytes("a.fbx", fixtures::fbx_at(11).as_bytes());
    for (rate, num_keys) in [(None, 25), (Some("12"), 13)] {
        for output in ["b.bsm2", "b.glb", "b.iqm"] {
            let asked = rate.map_or(vec![], |rate| vec!["--rate", rate]);
            let args = ["convert", "a.fbx", "-o", output, "--force"];
            folder.run_to(0, &[&args[..], &asked].concat());
            let bytes = folder.bytes(output);
            let source = Source::new(output, bytes);
            let model = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
            let clip = &model.model.clips[ClipId(0)];
            assert_eq!(clip.uniform_keys().unwrap().0, num_keys, "{output}");
            let found = clip.frames_per_sec().unwrap();
            assert!((found - (num_keys - 1) as f64).abs() < 1e-4, "{output} {found}");
        }
    }
}
