//! `runtimes`, `--as` and `validate --for`.

use rigscope_core::model::{Influences, Model};

use super::rigs;
use super::runner::Folder;
use crate::support::written::converted;

/// A folder with a rig whose vertices have six influences, the heaviest of them last.
fn folder() -> Folder {
    let folder = Folder::new();
    let (_, mut rig) = rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap();
    let many: Vec<(u32, f32)> =
        (0..6).map(|slot| (slot * 3, if slot == 5 { 0.75 } else { 0.05 })).collect();
    for mesh in &mut rig.meshes {
        let num = mesh.num_vertices();
        let skin = mesh.inverse_bind_mut().unwrap();
        skin.influences = Influences::from_lists((0..num).map(|_| &many[..]));
    }
    let glb = |model: &Model| converted(model, "gltf", None).files[0].1.bytes.clone();
    folder.put_bytes("hand.glb", &glb(&rig));
    folder
}

#[test]
fn runtimes_are_listed_with_their_versions() {
    let folder = folder();
    let text = folder.run_to(0, &["runtimes"]).stdout;
    for word in
        ["three.js", "0.187.0", "iqm", "reference", " of 152 files", " of 20 files", "not compared"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    let json = folder.run_to(0, &["runtimes", "--json"]).json();
    assert_eq!(json["schema"], "rigscope.runtimes/1");
    assert_eq!(json["file"], serde_json::Value::Null);
}

#[test]
fn a_runtime_that_reads_one_set_of_influences_deviates() {
    let folder = folder();
    let json = folder.run_to(0, &["runtimes", "hand.glb", "--json"]).json();
    let row = |id: &str| {
        let rows = json["runtimes"].as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).unwrap().clone()
    };
    // The writer sorts influences by weight, so that the first set has the heaviest ones.
    let three = row("three.js");
    assert_eq!(three["ignores"][0]["kind"], "influences-dropped");
    assert!(three["worst"]["of_size"].as_f64().unwrap() > 1e-4, "{three}");
    assert_eq!(row("babylon.js")["worst"], serde_json::Value::Null);
    assert_eq!(row("gltf")["ignores"], serde_json::json!([]));
    assert_eq!(row("iqm")["opens"], false);

    let text = folder.run_to(0, &["runtimes", "hand.glb"]).stdout;
    assert!(text.contains("influences outside JOINTS_0"), "{text}");
    folder.put_bytes("triangle.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let text = folder.run_to(0, &["runtimes", "triangle.obj"]).stdout;
    assert!(text.contains("not opened by OpenUSD, PlayCanvas, "), "{text}");
    // The geometry of OBJ files is the same everywhere.
    assert!(text.contains("three.js"), "{text}");
    let iqm = ["convert", "hand.glb", "-o", "hand.iqm"];
    folder.run_to(0, &iqm);
    let text = folder.run_to(0, &["runtimes", "hand.iqm"]).stdout;
    assert!(text.contains("frames are blended in the space of the model"), "{text}");
    let text = folder.run_to(0, &["runtimes", "hand.glb"]).stdout;
    assert!(text.contains("opened, but not predicted: raylib"), "{text}");
    let error = folder.run_to(2, &["pose", "hand.glb", "-o", "x.json", "--as", "raylib"]).stderr;
    assert!(error.contains("how raylib plays gltf files isn't known"), "{error}");
}

#[test]
fn a_file_is_posed_as_a_runtime_plays_it() {
    let folder = folder();
    let pose = |name: &str, runtime: &str| {
        folder.run_to(
            0,
            &["pose", "hand.glb", "-o", name, "--clip", "walk", "--time", "0.3", "--as", runtime],
        );
        let pose: serde_json::Value = serde_json::from_str(&folder.read(name)).unwrap();
        pose["vertices"].clone()
    };
    let exact = pose("exact.json", "gltf");
    assert_eq!(exact, pose("babylon.json", "babylon.js"));
    assert_ne!(exact, pose("three.json", "three.js"));

    let unknown = ["pose", "hand.glb", "-o", "x.json", "--as", "three"];
    let error = folder.run_to(2, &unknown).stderr;
    assert!(error.contains("unknown runtime `three`"), "{error}");
    let closed = ["pose", "hand.glb", "-o", "x.json", "--as", "iqm"];
    let error = folder.run_to(2, &closed).stderr;
    assert!(error.contains("IQM demo player doesn't open gltf files"), "{error}");
}

#[test]
fn the_sample_written_as_glb_is_played_by_every_runtime_that_opens_it() {
    let folder = Folder::new();
    folder.put_bytes("sample.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(0, &["convert", "sample.bsm2", "-o", "sample.glb"]);
    let found = folder.run_to(0, &["runtimes", "sample.glb", "--json"]).json();
    let runtimes = found["runtimes"].as_array().unwrap();
    let filament = runtimes.iter().find(|runtime| runtime["name"] == "Filament").unwrap();
    assert_eq!(filament["opens"], true);
    // It ignores tracks with a single key.
    let of_size = filament["worst"]["of_size"].as_f64().unwrap_or(0.0);
    assert!(of_size < 1e-3, "{filament}");
}

#[test]
fn validate_reports_differences_of_runtimes() {
    let folder = folder();
    let command = ["validate", "hand.glb", "--brief", "--for", "three.js,iqm"];
    let text = folder.run_to(0, &command).stdout;
    assert!(text.contains("three.js 0.187.0: influences outside JOINTS_0"), "{text}");
    assert!(text.contains("can't open gltf files"), "{text}");
    // The rules apply to the model as it is played.
    let command = ["validate", "hand.glb", "--brief", "--as", "three.js"];
    let text = folder.run_to(0, &command).stdout;
    assert!(text.contains("hand.glb: ok"), "{text}");
    let closed = ["validate", "hand.glb", "--brief", "--as", "iqm"];
    let text = folder.run_to(0, &closed).stdout;
    assert!(text.contains("doesn't open gltf files"), "{text}");
    // Every runtime has its own finding.
    let command = ["validate", "hand.glb", "--brief", "--for", "three.js,playcanvas,iqm,ufbx"];
    let text = folder.run_to(0, &command).stdout;
    for name in ["three.js 0.187.0", "PlayCanvas 2.23.3", "IQM demo player 2", "ufbx 0.23"] {
        assert!(text.contains(name), "{name}: {text}");
    }
    let denied = ["validate", "hand.glb", "--for", "three.js", "--deny", "runtime-differs"];
    folder.run_to(1, &denied);
    folder.put_bytes("rigscope.toml", b"[validate]\nruntimes = [\"three.js\"]\n");
    let text = folder.run_to(0, &["validate", "hand.glb", "--brief"]).stdout;
    assert!(text.contains("[runtime-differs]"), "{text}");
}
