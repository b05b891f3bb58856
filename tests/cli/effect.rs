//! Effects on the command line: by their folder, by one of their meshes, and without.

use serde_json::Value;

use super::runner::{Folder, Ran};
use super::support::fixtures::{bsm2, two_triangles};

const CONFIG: &str = r#"{
    "scene": "small",
    "assets": {
        "images": { "red": { "type": "texture", "file_name": "images/red.png" } },
        "materials": {
            "shaders/skin": { "samplers": [ { "name": "tex_diffuse", "image": "red" } ] },
            "shaders/left hand": { "state": { "colorwrite": false } },
            "shaders/hat": {}
        },
        "meshes": { "hand": "meshes/hand.bsm2", "camera_surface": "$builtin$meshes/fs_tri" }
    }
}"#;

fn put(folder: &Folder) {
    folder.put_bytes("fx/config.json", CONFIG.as_bytes());
    folder.put_bytes("fx/meshes/hand.bsm2", &bsm2(&two_triangles()));
    folder.put_bytes("fx/images/red.png", &[0; 8]);
    folder.put_bytes("secret/red.png", &[0; 8]);
}

fn info(folder: &Folder, args: &[&str]) -> Value {
    let all: Vec<&str> = ["info", "--json"].iter().chain(args).copied().collect();
    let ran: Ran = folder.run(&all);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn codes(info: &Value) -> Vec<&str> {
    let findings = info["notes"].as_array().unwrap();
    findings.iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

#[test]
fn an_effect_folder_opens_its_config() {
    let folder = Folder::new();
    put(&folder);
    let whole = info(&folder, &["fx"]);
    assert_eq!(whole["format"], "effect");
    assert_eq!(whole["totals"]["vertices"], 4);
    assert_eq!(whole["materials"][0]["textures"][0], "images/red.png");
    assert!(codes(&whole).contains(&"built-in-mesh"));
    assert_eq!(whole["notes"], info(&folder, &["fx/config.json"])["notes"]);
}

#[test]
fn a_mesh_uses_the_materials_of_its_effect_unless_disabled() {
    let folder = Folder::new();
    put(&folder);
    let mesh = "fx/meshes/hand.bsm2";
    let worn = info(&folder, &[mesh]);
    assert_eq!(worn["format"], "bsm2");
    assert_eq!(worn["materials"][0]["textures"][0], "images/red.png");
    assert!(codes(&worn).contains(&"dressed-by-effect"));
    let config =
        &worn["companions"].as_array().unwrap().iter().find(|c| c["file"] == "config.json");
    assert_eq!(config.unwrap()["taken"], true);
    for args in [&[mesh, "--no-effect"][..], &[mesh, "--without", "config.json"]] {
        let alone = info(&folder, args);
        assert_eq!(alone["materials"][0]["textures"].as_array().unwrap().len(), 0, "{args:?}");
        assert!(!codes(&alone).contains(&"dressed-by-effect"), "{args:?}");
    }
}

#[test]
fn validate_finds_and_checks_effects_in_folders() {
    let folder = Folder::new();
    put(&folder);
    let ran = folder.run(&["validate", "--json", "."]);
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    let files = found["files"].as_array().unwrap();
    let of = |name: &str| {
        let mut all = files.iter();
        all.find(|file| file["file"].as_str().unwrap().replace('\\', "/").ends_with(name)).unwrap()
    };
    assert_eq!(files.len(), 2, "{files:#?}");
    assert!(codes(of("fx/config.json")).contains(&"material-without-mesh"));
    assert!(codes(of("fx/config.json")).contains(&"unreadable-texture"));
    assert_eq!(of("hand.bsm2")["format"], "bsm2");
}

#[test]
fn an_effect_is_converted_by_its_folder() {
    let folder = Folder::new();
    put(&folder);
    let ran = folder.run(&["convert", "fx", "-o", "out.bsm2", "--textures=none"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(std::fs::read(folder.path("out.bsm2")).unwrap(), bsm2(&two_triangles()));
}
