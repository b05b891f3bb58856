//! `diff`: JSON, exit codes, tolerance, and filters.

use glam::Vec3;
use rigscope_core::model::{MaterialId, MeshId};

use super::runner::{Folder, keys_in_order};
use crate::support::fixtures::{two_triangles, with_hierarchy};
use rigscope_testing::*;

/// [`two_triangles`] with vertex 3 moved up by a tenth.
fn moved() -> Model {
    let mut model = two_triangles();
    let packed = packed(&model.meshes[MeshId(0)]);
    let mut vertices: Vec<_> = packed.iter().collect();
    vertices[3].position += Vec3::Y * 0.1;
    model.meshes[MeshId(0)].vertices = VertexData::Packed(PackedVertices::from_vertices(vertices));
    model
}

fn folder(b: &Model) -> Folder {
    let folder = Folder::with(&two_triangles());
    folder.put("b.bsm2", b);
    folder
}

#[test]
fn a_file_equals_its_copy() {
    let folder = folder(&two_triangles());
    let ran = folder.run_to(0, &["diff", "a.bsm2", "b.bsm2"]);
    assert!(ran.stdout.starts_with("equal\n"), "{}", ran.stdout);
    let json = folder.run_to(0, &["diff", "a.bsm2", "b.bsm2", "--json"]).json();
    assert_eq!(json["schema"], "rigscope.diff/1");
    assert_eq!(json["equal"], true);
    assert_eq!(json["max"]["position"], 0.0);
    assert_eq!(json["differences"].as_array().unwrap().len(), 0);
}

#[test]
fn a_moved_vertex_is_reported_with_its_distance() {
    let folder = folder(&moved());
    let ran = folder.run_to(1, &["diff", "a.bsm2", "b.bsm2", "--json"]);
    let json = ran.json();
    assert_eq!(json["equal"], false);
    let close = |value: &serde_json::Value| (value.as_f64().unwrap() - 0.1).abs() < 1e-6;
    assert!(close(&json["max"]["position"]) && close(&json["max"]["skinned"]), "{}", ran.stdout);
    let first = &json["differences"][0];
    assert_eq!(first["kind"], "positions");
    assert_eq!(first["what"], "vertex 3 of A, vertex 3 of B");
    assert!(close(&first["amount"]) && first["exceeds"] == true);
    keys_in_order(
        &ran.stdout,
        "schema equal max position normal_deg uv weight key differences kind what amount",
    );
    let text = folder.run_to(1, &["diff", "a.bsm2", "b.bsm2"]).stdout;
    assert!(text.starts_with("differs: positions, skinned\n"), "{text}");
}

#[test]
fn differences_within_tolerance_are_shown_and_count_as_equal() {
    let folder = folder(&moved());
    // A tenth of an extent of a bit more than the square root of two.
    let within = ["diff", "a.bsm2", "b.bsm2", "--tolerance", "0.08", "--json"];
    let json = folder.run_to(0, &within).json();
    assert_eq!(json["differences"][0]["exceeds"], false);
    let text = folder.run_to(0, &within[..5]).stdout;
    assert!(text.starts_with("equal within 0.08\n"), "{text}");
    folder.run_to(1, &["diff", "a.bsm2", "b.bsm2", "--tolerance", "0.06"]);
}

#[test]
fn difference_kinds_and_groups_can_be_ignored() {
    let mut renamed = two_triangles();
    renamed.materials[MaterialId(0)].name = "hide".to_owned();
    let folder = folder(&renamed);
    let run =
        |code, more: &[&str]| folder.run_to(code, &[&["diff", "a.bsm2", "b.bsm2"], more].concat());
    let ran = run(1, &[]);
    assert!(ran.stdout.contains("material \"skin\" in A is \"hide\" in B"), "{}", ran.stdout);
    run(0, &["--ignore", "bones,materials-renamed"]);
    run(0, &["--ignore", "names"]);
    run(0, &["--only", "vertices,clips"]);
    run(1, &["--only", "names"]);
    let refused = run(2, &["--ignore", "material-renamed"]);
    assert!(refused.stderr.contains("did you mean `materials-renamed`"), "{}", refused.stderr);
}

#[test]
fn files_of_different_formats_are_compared() {
    let folder = folder(&two_triangles());
    folder.run_to(0, &["pose", "a.bsm2", "-o", "a.obj"]);
    let only = ["--only", "positions,triangles,unmatched", "--tolerance", "1e-6"];
    let ran = folder.run_to(0, &[&["diff", "a.bsm2", "a.obj"], &only[..]].concat());
    assert!(ran.stdout.starts_with("equal"), "{}", ran.stdout);
    folder.put("b.bsm2", &moved());
    folder.run_to(1, &[&["diff", "b.bsm2", "a.obj"], &only[..]].concat());
}

#[test]
fn a_different_skeleton_is_described() {
    let folder = folder(&with_hierarchy());
    let text = folder.run_to(1, &["diff", "a.bsm2", "b.bsm2"]).stdout;
    assert!(text.contains("bones have names only in B"), "{text}");
    assert!(text.contains("clips-removed"), "{text}");
}

#[test]
fn bad_input_exits_2_and_is_not_reported_as_a_difference() {
    let folder = folder(&moved());
    folder.run_to(2, &["diff", "a.bsm2"]);
    folder.run_to(2, &["diff", "a.bsm2", "missing.bsm2"]);
    folder.run_to(2, &["diff", "a.bsm2", "b.bsm2", "--tolerance", "-1"]);
    folder.run_to(2, &["diff", "a.bsm2", "b.bsm2", "--heat-map", "b.jpg"]);
    folder.put_bytes("there.png", b"x");
    let ran = folder.run_to(2, &["diff", "a.bsm2", "b.bsm2", "--heat-map", "there.png"]);
    assert!(ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(folder.read("there.png"), "x");
}
