//! `info`.

use rigscope_core::model::{Material, MaterialId, MeshId};
use rigscope_core::pose::{PoseSpec, posed_bounds};
use serde_json::{Value, json};

use super::runner::{Folder, keys_in_order};
use crate::support::fixtures;

#[test]
fn json_of_one_file_is_an_object_with_all_details() {
    let folder = Folder::with(&fixtures::two_triangles());
    let ran = folder.run_to(0, &["info", "a.bsm2", "--json"]);
    let bytes = fixtures::bsm2(&fixtures::two_triangles()).len();
    let expected = json!({
        "schema": "rigscope.info/1",
        "file": "a.bsm2",
        "format": "bsm2",
        "bytes": bytes,
        "totals": { "vertices": 4, "triangles": 2, "subsets": 2, "bones": 2, "nodes": 0, "clips": 2,
                    "hulls": 0, "morph_targets": 0, "lines": 0, "points": 0 },
        "meshes": [{
            "name": "", "vertices": 4, "triangles": 2, "max_influences": 2,
            "influences": { "1": 3, "2": 1 },
            "subsets": [
                { "material": 0, "first_index": 0, "index_count": 3 },
                { "material": 1, "first_index": 3, "index_count": 3 },
            ],
            "loose": [],
        }],
        "materials": [
            { "name": "skin", "textures": [], "roles": [], "look": null, "approximated": [] },
            { "name": "left hand", "textures": [], "roles": [], "look": null, "approximated": [] },
        ],
        "bones": [
            { "name": "", "parent": null, "kind": "bone" },
            { "name": "", "parent": null, "kind": "bone" },
        ],
        "clips": [
            { "name": "idle", "start_secs": 0.0, "duration_secs": 0.0, "keys": 1,
              "interval_secs": 0.1 },
            { "name": "walk", "start_secs": 0.0, "duration_secs": 0.3, "keys": 4,
              "interval_secs": 0.1 },
        ],
        "value_tracks": [],
        "hulls": [],
        "occluder": null,
        "bounds": { "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 0.1f32] },
        "axes": { "up": "y", "handedness": "right" },
        "unit_meters": null,
        "details": { "hierarchy": false },
        "avatar": null,
        "companions": [],
        "notes": [],
    });
    let mut found = ran.json();
    // As text a float is as short as its precision allows; as a value it was widened here.
    let max = found["bounds"]["max"][2].as_f64().unwrap();
    assert_eq!(max, 0.1);
    found["bounds"]["max"][2] = json!(0.1f32);
    assert_eq!(found, expected);
    keys_in_order(
        &ran.stdout,
        "schema file format bytes totals meshes materials bones clips hulls occluder \
         bounds axes unit_meters details notes",
    );
}

#[test]
fn several_files_are_an_array_even_if_one_is_unreadable() {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.put("b.bsm2", &fixtures::with_hierarchy());
    folder.put_bytes("cut.bsm2", &fixtures::bsm2(&fixtures::two_triangles())[..40]);
    let both = folder.run_to(0, &["info", "--json", "b.bsm2", "a.bsm2"]).json();
    assert_eq!(both[0]["file"], "b.bsm2");
    assert_eq!(both[0]["bones"][1], json!({ "name": "hand", "parent": 0, "kind": "bone" }));
    assert_eq!(both[0]["details"], json!({ "hierarchy": true }));
    assert_eq!(both[1]["file"], "a.bsm2");

    let ran = folder.run_to(2, &["info", "--json", "cut.bsm2", "a.bsm2"]);
    assert_eq!(ran.json().as_array().map(Vec::len), Some(1));
    assert!(ran.stderr.starts_with("cut.bsm2: error: truncated BSM2 file: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("offset 0x"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with(". Export it again\n"), "{}", ran.stderr);
}

#[test]
fn an_unreadable_file_leaves_stdout_empty_and_exits_2() {
    let folder = Folder::new();
    folder.put_bytes("garbage.xyz", b"nothing any reader knows");
    for (file, expected) in [
        ("missing.bsm2", "missing.bsm2: error: no such file or folder\n"),
        (".", ".: error: this is a folder, not a file\n"),
    ] {
        let ran = folder.run_to(2, &["info", "--json", file]);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", expected));
    }
    let ran = folder.run_to(2, &["info", "garbage.xyz"]);
    assert!(ran.stderr.starts_with("garbage.xyz: error: not a file format"), "{}", ran.stderr);
    assert!(ran.stdout.is_empty());
}

#[test]
fn bounds_are_those_of_the_default_pose() {
    for model in [fixtures::with_hierarchy(), fixtures::bind_pair()] {
        let folder = Folder::with(&model);
        let found = folder.run_to(0, &["info", "a.bsm2", "--json"]).json();
        let opened = rigscope_io::formats::open(
            &rigscope_io::formats::Source::new("a.bsm2", fixtures::bsm2(&model)),
            &rigscope_io::formats::ReadOptions::default(),
            &rigscope_core::model::Report::new(),
        );
        let bounds = posed_bounds(&opened.unwrap().model, &PoseSpec::default());
        for (key, corner) in [("min", bounds.min), ("max", bounds.max)] {
            let read: Vec<f32> = serde_json::from_value(found["bounds"][key].clone()).unwrap();
            assert_eq!(read, corner.to_array());
        }
    }
}

#[test]
fn findings_are_sorted_worst_first_with_place_and_count() {
    let mut model = fixtures::with_zero_normal();
    model.meshes[MeshId(0)].indices = fixtures::with_bad_index().meshes[MeshId(0)].indices.clone();
    let folder = Folder::with(&model);
    let found = folder.run_to(0, &["info", "a.bsm2", "--json"]).json();
    let findings = found["notes"].as_array().unwrap();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    assert_eq!(text(&findings[0], "code"), "index-out-of-range");
    assert_eq!(text(&findings[0], "severity"), "error");
    let zero = findings.iter().find(|n| n["code"] == "zero-normal").unwrap();
    assert_eq!(text(zero, "severity"), "warning");
    assert_eq!(text(zero, "place"), "meshes[0].vertices[2]");
    assert_eq!(zero["count"], 1);
    let rank = |finding: &Value| match finding["severity"].as_str() {
        Some("error") => 0,
        Some("warning") => 1,
        _ => 2,
    };
    assert!(findings.is_sorted_by_key(rank));
}

#[test]
fn text_has_columns_without_colors_or_control_characters() {
    let mut model = fixtures::with_hierarchy();
    model.materials[MaterialId(0)].name = "red\u{1b}[31m".to_owned();
    let folder = Folder::with(&model);
    let ran = folder.run_to(0, &["info", "a.bsm2"]);
    for part in [
        "4 vertices, 2 triangles, 2 subsets",
        "2 bones",
        "1: 3, 2: 1",
        "left hand",
        "wave",
        "0.100 s",
        "100.000 ms",
        "hand  root",
        "y up, right-handed",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    assert!(ran.stderr.is_empty());
}

#[test]
fn long_lists_are_truncated_in_text_and_complete_in_json() {
    let mut model = fixtures::two_triangles();
    let subset = model.meshes[MeshId(0)].subsets[0];
    model.meshes[MeshId(0)].subsets = vec![subset; 100];
    let folder = Folder::with(&model);
    let text = folder.run_to(0, &["info", "a.bsm2"]).stdout;
    assert!(text.contains("and 60 more; --json lists all"), "{text}");
    assert!(text.lines().count() < 80);
    let found = folder.run_to(0, &["info", "a.bsm2", "--json"]).json();
    let subsets = found["meshes"][0]["subsets"].as_array().unwrap();
    assert_eq!(subsets.len(), 100);
}

#[test]
fn a_closed_stdout_pipe_is_not_an_error() {
    use std::io::Read;
    let mut model = fixtures::two_triangles();
    // More than any pipe holds, so that the program is still writing when the pipe closes.
    let material = Material {
        name: "a name of some length, many times over".to_owned(),
        textures: Vec::new(),
        ..Material::default()
    };
    model.materials = vec![material; 20_000].into();
    let folder = Folder::with(&model);
    let mut command = folder.command(&["info", "a.bsm2", "--json"]);
    command.stdout(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 1];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn text_of_the_sample_matches_the_snapshot() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.bsm2");
    let ran = Folder::new().run_to(0, &["info", sample]);
    let (first_line, rest) = ran.stdout.split_once('\n').unwrap();
    assert_eq!(first_line, sample);
    insta::assert_snapshot!(rest, @r"
      format     bsm2 (Banuba skinned mesh), 275,328 bytes
      geometry   4,224 vertices, 6,856 triangles, 6 subsets
      skin       22 bones; vertices by influences 1: 3,178, 2: 1,021, 3: 25
      bounds     -0.5167 0.0148 -0.4776  to  0.517 1.952 0.385
      axes       y up, right-handed, unit not stated
      hierarchy  yes

      subsets
           first index  triangles  material
        0            0      1,720  suit
        1        5,160      1,552  skin
        2        9,816        872  eyes
        3       12,432      1,560  boots_and_gloves
        4       17,112        720  scarf
        5       19,272        432  antenna

      clips
           name    start  duration  keys   interval
        0  walk  0.000 s   1.000 s    31  33.333 ms
        1  wave  0.000 s   2.000 s    61  33.333 ms

      bones
            name       parent
         0  root
         1  pelvis     root
         2  spine      pelvis
         3  chest      spine
         4  neck       chest
         5  head       neck
         6  antenna_1  head
         7  antenna_2  antenna_1
         8  arm_l      chest
         9  forearm_l  arm_l
        10  hand_l     forearm_l
        11  arm_r      chest
        12  forearm_r  arm_r
        13  hand_r     forearm_r
        14  thigh_l    pelvis
        15  shin_l     thigh_l
        16  foot_l     shin_l
        17  thigh_r    pelvis
        18  shin_r     thigh_r
        19  foot_r     shin_r
        20  scarf_1    chest
        21  scarf_2    scarf_1
    ");
}

#[test]
fn a_dump_has_a_line_per_bone_and_per_bone_that_a_clip_moves() {
    let folder = Folder::new();
    folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(0, &["convert", "hero.bsm2", "-o", "hero.glb"]);
    for name in ["hero.bsm2", "hero.glb"] {
        let text = folder.run_to(0, &["info", "--dump", name]).stdout;
        let section = |title: &str| {
            let (_, rest) = text.split_once(&format!("\n  {title}\n")).unwrap();
            rest.split("\n\n").next().unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let rest = section("rest");
        assert!(rest.iter().any(|line| line.trim_start().starts_with("forearm_l ")), "{text}");
        let moved = section("motion by bone");
        let of = |clip: &str| moved.iter().filter(|line| line.contains(clip)).count();
        assert_eq!((of("\"walk\""), of("\"wave\"")), (18, 11), "{text}");
        assert!(text.lines().all(|line| !line.contains(name)), "the path isn't part of it");
        assert_eq!(text, folder.run_to(0, &["info", "--textconv", name]).stdout);
    }
}
