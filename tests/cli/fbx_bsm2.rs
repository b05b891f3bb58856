//! The program `fbx_bsm2`: flags, exit codes, JSON, and errors.

use std::fmt::Write;
use std::process::{Command, Stdio};

use rigscope_core::model::{ClipId, MeshId, Model, Report};
use rigscope_io::formats::{ReadOptions, Source, open};

use super::runner::{Folder, Ran, keys_in_order, program};
use crate::support::{fixtures, mirrored};

fn run_to(code: i32, folder: &Folder, args: &[&str]) -> Ran {
    let output = Command::new(program("fbx_bsm2", env!("CARGO_BIN_EXE_fbx_bsm2")))
        .args(args)
        .current_dir(folder.path(""))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let ran = Ran {
        code: output.status.code().expect("ended by a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    };
    assert_eq!(ran.code, code, "{args:?}\n{}{}", ran.stdout, ran.stderr);
    ran
}

fn read(folder: &Folder, name: &str) -> Model {
    let bytes = folder.bytes(name);
    let source = Source::new(name, bytes);
    open(&source, &ReadOptions::default(), &Report::new()).unwrap().model
}

/// Square grids of points, each with a separate material.
fn grids(num_grids: usize, side: usize) -> String {
    let mut text = String::new();
    for grid in 0..num_grids {
        for at in 0..side * side {
            writeln!(text, "v {} {} {grid}", at % side, at / side).unwrap();
        }
        writeln!(text, "usemtl m{grid}").unwrap();
        let first = grid * side * side + 1;
        for at in 0..side * (side - 1) {
            if at % side + 1 < side {
                let a = first + at;
                let (b, c, d) = (a + 1, a + side + 1, a + side);
                writeln!(text, "f {a} {b} {c} {d}").unwrap();
            }
        }
    }
    text
}

#[test]
fn flipped_meshes_are_counted() {
    let folder = Folder::new();
    std::fs::write(folder.path("a.glb"), mirrored::mirrored_gltf()).unwrap();
    let ran = run_to(0, &folder, &["a.glb"]);
    let line = "changed: triangles of 3 mirrored meshes flipped to keep their front side";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    let json: serde_json::Value =
        serde_json::from_str(&run_to(0, &folder, &["--json", "a.glb"]).stdout).unwrap();
    assert_eq!(json["changed"]["turned_meshes"], 3);
    std::fs::write(folder.path("b.obj"), TRIANGLE).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&run_to(0, &folder, &["--json", "b.obj"]).stdout).unwrap();
    assert_eq!(json["changed"]["turned_meshes"], 0);
}

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 0.25\nf 1/1 2/2 3/3\n";

#[test]
fn a_model_is_written_next_to_its_source_and_replaces_an_old_file() {
    let folder = Folder::new();
    folder.put_bytes("a.obj", TRIANGLE.as_bytes());
    folder.put_bytes("a.bsm2", b"old");
    let ran = run_to(0, &folder, &["a.obj"]);
    assert!(
        ran.stdout.contains("a.bsm2: 3 vertices, 1 triangle, 1 subset, 1 bone"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("clips: static (1 key)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("largest deviation: "), "{}", ran.stdout);
    assert_eq!(folder.names(), ["a.bsm2", "a.obj"]);
    let model = read(&folder, "a.bsm2");
    assert_eq!((model.num_vertices(), model.clips[ClipId(0)].name.as_str()), (3, "static"));
    assert!(!model.skeleton.has_hierarchy());
    // v is down: the corner with v 0.25 up.
    let uv = |vertex| model.meshes[MeshId(0)].uv(vertex).unwrap().y;
    assert!((0..3).any(|vertex| (uv(vertex) - 0.75).abs() < 1e-4));
}

#[test]
fn legacy_flags_scale_and_no_flip_v_are_applied() {
    let folder = Folder::new();
    folder.put_bytes("a.obj", TRIANGLE.as_bytes());
    run_to(0, &folder, &["a.obj", "-hierarchy", "-last_bones", "--scale", "2.5", "--no-flip-v"]);
    let model = read(&folder, "a.bsm2");
    assert!(model.skeleton.has_hierarchy());
    let mesh = &model.meshes[MeshId(0)];
    assert!((0..3).any(|vertex| mesh.position(vertex).unwrap().x == 2.5));
    assert!((0..3).any(|vertex| (mesh.uv(vertex).unwrap().y - 0.25).abs() < 1e-4));
}

#[test]
fn the_json_object_has_its_keys_in_a_fixed_order() {
    let folder = Folder::new();
    folder.put_bytes("a.obj", TRIANGLE.as_bytes());
    let ran = run_to(0, &folder, &["--json", "a.obj"]);
    let json = ran.json();
    assert_eq!(json["schema"], "rigscope.fbx_bsm2/1");
    assert_eq!(json["outputs"][0], "a.bsm2");
    assert_eq!(json["clips"][0]["name"], "static");
    assert_eq!(json["max_error"]["units"], 0.0);
    assert_eq!(json["dropped"]["influences"]["vertices"], 0);
    keys_in_order(
        &ran.stdout,
        "schema input outputs vertices triangles subsets bones rate clips source_rate \
         max_error units of_extent dropped influences blend_shapes changed notes",
    );
    folder.put_bytes("b.obj", TRIANGLE.as_bytes());
    let several = run_to(0, &folder, &["--json", "a.obj", "b.obj"]).json();
    assert_eq!(several.as_array().unwrap().len(), 2);
}

#[test]
fn a_scale_that_overflows_is_refused() {
    let folder = Folder::new();
    folder.put_bytes("a.obj", grids(1, 9).as_bytes());
    let ran = run_to(2, &folder, &["--scale", "8e37", "a.obj"]);
    assert!(ran.stderr.contains("precision"), "{}", ran.stderr);
    assert_eq!(folder.names(), ["a.obj"]);
}

#[test]
fn large_models_are_split_by_material_and_refused_with_strict() {
    let folder = Folder::new();
    folder.put_bytes("a.obj", grids(3, 180).as_bytes());
    let strict = run_to(1, &folder, &["--strict", "a.obj"]);
    assert!(
        strict.stderr.contains("97200 vertices exceed the limit of 65536"),
        "{}",
        strict.stderr
    );
    assert_eq!(folder.names(), ["a.obj"], "no file was written");
    let ran = run_to(0, &folder, &["a.obj"]);
    assert!(
        ran.stderr
            .contains("warning: the model is too large for one file and was split into 2 files"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.names(), ["a.0.bsm2", "a.1.bsm2", "a.obj"]);
    let parts = [read(&folder, "a.0.bsm2"), read(&folder, "a.1.bsm2")];
    let names = parts.each_ref().map(|part| {
        let names = part.materials.iter().map(|m| m.name.as_str());
        names.collect::<Vec<_>>().join(" ")
    });
    assert_eq!(names, ["m0 m1", "m2"]);
    let num_triangles: usize = parts.iter().map(Model::num_triangles).sum();
    assert_eq!(num_triangles, 3 * 179 * 179 * 2);
    assert_eq!(parts.each_ref().map(Model::num_vertices), [64_800, 32_400]);
}

#[test]
fn a_single_oversized_material_is_split_by_triangles() {
    let folder = Folder::new();
    folder.put_bytes("a.obj", grids(1, 300).as_bytes());
    run_to(0, &folder, &["a.obj"]);
    let parts = [read(&folder, "a.0.bsm2"), read(&folder, "a.1.bsm2")];
    let num_triangles: usize = parts.iter().map(Model::num_triangles).sum();
    assert_eq!(num_triangles, 299 * 299 * 2);
    assert!(parts.iter().all(|part| part.num_vertices() <= 65_536));
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = Folder::with(&fixtures::two_triangles());
    let before = folder.bytes("a.bsm2");
    let ran = run_to(2, &folder, &["a.bsm2"]);
    assert!(
        ran.stderr.contains("this file is an input, and inputs are never overwritten"),
        "{}",
        ran.stderr
    );
    folder.put_bytes("b.obj", TRIANGLE.as_bytes());
    std::fs::hard_link(folder.path("b.obj"), folder.path("b.bsm2")).unwrap();
    run_to(2, &folder, &["b.obj"]);
    folder.put_bytes("c/a.obj", TRIANGLE.as_bytes());
    folder.put_bytes("c/a.fbx", TRIANGLE.as_bytes());
    let twice = run_to(2, &folder, &["c/a.obj", "c/a.fbx"]);
    assert!(twice.stderr.contains("two inputs"), "{}", twice.stderr);
    assert_eq!(folder.bytes("a.bsm2"), before);
}

#[test]
fn wrong_arguments_and_inputs_exit_2() {
    let folder = Folder::new();
    folder.put_bytes("a.obj", TRIANGLE.as_bytes());
    folder.put_bytes("bad.fbx", b"no model at all");
    folder.put_bytes("empty.obj", b"# nothing\n");
    for args in [
        &["a.obj", "--scale", "0"][..],
        &["-other", "a.obj"],
        &["missing.fbx"],
        &["bad.fbx"],
        &[],
        &["a.obj", "--clip", "walk"],
    ] {
        let ran = run_to(2, &folder, args);
        assert!(!ran.stderr.is_empty());
    }
    assert!(!folder.path("a.bsm2").exists());
    // The good one is written all the same.
    run_to(2, &folder, &["bad.fbx", "a.obj"]);
    assert!(folder.path("a.bsm2").exists());
    assert!(run_to(0, &folder, &["--help"]).stdout.contains("-last_bones"));
}

#[test]
fn the_default_rate_is_30_and_a_different_file_rate_is_reported() {
    let folder = Folder::new();
    folder.put_bytes("a.fbx", fixtures::fbx_at(11).as_bytes());
    let said = run_to(0, &folder, &["a.fbx"]).stdout;
    let line =
        "changed: 30 keys per second; the file has 24 frames per second (--rate 24 keeps them)";
    assert!(said.contains(line), "{said}");
    assert!(said.contains("(31 keys)"), "{said}");
    let json = run_to(0, &folder, &["--json", "a.fbx"]).json();
    assert_eq!((&json["rate"], &json["clips"][0]["source_rate"]), (&30.0.into(), &24.0.into()));
    let said = run_to(0, &folder, &["--rate", "24", "a.fbx"]).stdout;
    assert!(said.contains("(25 keys)") && !said.contains("frames per second"), "{said}");
    folder.put_bytes("b.fbx", fixtures::fbx_at(6).as_bytes());
    let said = run_to(0, &folder, &["b.fbx"]).stdout;
    assert!(!said.contains("frames per second"), "{said}");
}
