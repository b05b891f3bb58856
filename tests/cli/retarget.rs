//! `bones` and `retarget`.

use serde_json::Value;

use crate::runner::{Folder, Ran};

/// A glTF file of a body without a mesh.
fn body(names: &[(&str, Option<usize>, [f32; 3])], with_clip: bool) -> String {
    let children = |of: usize| -> Vec<usize> {
        let all = names.iter().enumerate();
        all.filter(|(_, own)| own.1 == Some(of)).map(|(at, _)| at).collect()
    };
    let nodes: Vec<Value> = names
        .iter()
        .enumerate()
        .map(|(at, (name, _, place))| {
            let mut node = serde_json::json!({ "name": name, "translation": place });
            let children = children(at);
            if !children.is_empty() {
                node["children"] = serde_json::json!(children);
            }
            node
        })
        .collect();
    let mut gltf = serde_json::json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": nodes,
    });
    if with_clip {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let numbers: Vec<f32> = vec![0.0, 1.0, 0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half];
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let hex = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &bytes);
        gltf["buffers"] = serde_json::json!([{
            "byteLength": bytes.len(),
            "uri": format!("data:application/octet-stream;base64,{hex}"),
        }]);
        gltf["bufferViews"] = serde_json::json!([
            { "buffer": 0, "byteOffset": 0, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 8, "byteLength": 32 },
        ]);
        gltf["accessors"] = serde_json::json!([
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0.0], "max": [1.0] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4" },
        ]);
        // Both legs, because channels that equal the rest pose aren't written.
        let legs = (0..names.len()).filter(|at| names[*at].0.contains("UpLeg"));
        let target = |leg: usize| serde_json::json!({ "node": leg, "path": "rotation" });
        let channels: Vec<Value> =
            legs.map(|leg| serde_json::json!({ "sampler": 0, "target": target(leg) })).collect();
        gltf["animations"] = serde_json::json!([{
            "name": "kick",
            "samplers": [{ "input": 0, "output": 1 }],
            "channels": channels,
        }]);
    }
    gltf.to_string()
}

const CLIP: [(&str, Option<usize>, [f32; 3]); 8] = [
    ("mixamorig:Hips", None, [0.0, 1.0, 0.0]),
    ("mixamorig:Spine", Some(0), [0.0, 0.2, 0.0]),
    ("mixamorig:LeftUpLeg", Some(0), [0.1, 0.0, 0.0]),
    ("mixamorig:LeftLeg", Some(2), [0.0, -0.5, 0.0]),
    ("mixamorig:LeftFoot", Some(3), [0.0, -0.5, 0.0]),
    ("mixamorig:RightUpLeg", Some(0), [-0.1, 0.0, 0.0]),
    ("mixamorig:RightLeg", Some(5), [0.0, -0.5, 0.0]),
    ("mixamorig:RightFoot", Some(6), [0.0, -0.5, 0.0]),
];
const MODEL: [(&str, Option<usize>, [f32; 3]); 9] = [
    ("pelvis", None, [0.0, 2.0, 0.0]),
    ("spine_01", Some(0), [0.0, 0.4, 0.0]),
    ("thigh_l", Some(0), [0.2, 0.0, 0.0]),
    ("calf_l", Some(2), [0.0, -1.0, 0.0]),
    ("foot_l", Some(3), [0.0, -1.0, 0.0]),
    ("thigh_r", Some(0), [-0.2, 0.0, 0.0]),
    ("calf_r", Some(5), [0.0, -1.0, 0.0]),
    ("foot_r", Some(6), [0.0, -1.0, 0.0]),
    ("tail", Some(0), [0.0, 0.0, -0.5]),
];

/// A folder with a clip and a model for it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.put_bytes("clip.gltf", body(&CLIP, true).as_bytes());
    folder.put_bytes("model.gltf", body(&MODEL, false).as_bytes());
    folder
}

#[test]
fn bones_of_two_conventions_are_listed_with_reasons() {
    let folder = folder();
    let text = folder.run_to(0, &["bones", "clip.gltf", "model.gltf"]).stdout;
    let first = "clip.gltf to model.gltf: 8 of 8 bones are paired with 8 of 9\n";
    assert!(text.starts_with(first), "{text}");
    assert!(text.contains("thigh_l   same part of the body (left upper leg)"), "{text}");
    assert!(text.ends_with("without a pair in model.gltf: tail\n"), "{text}");
    let json = folder.run_to(0, &["bones", "clip.gltf", "model.gltf", "--json"]).json();
    assert_eq!(json["schema"], "rigscope.bones/1");
    assert_eq!(json["pairs"][0]["reason"], "body");
    assert_eq!(json["unpaired_to"][0], "tail");
}

#[test]
fn a_bone_map_overrides_pairs_and_its_mistakes_are_named() {
    let folder = folder();
    let args = ["bones", "clip.gltf", "model.gltf", "--bone-map", "map.toml", "--json"];
    folder.put_bytes("map.toml", b"[bones]\n\"mixamorig:Spine\" = \"tail\"\nLeftFoot = false\n");
    let json = folder.run_to(0, &args).json();
    assert_eq!(json["pairs"][1]["to"], "tail");
    assert_eq!(json["pairs"][1]["reason"], "map");
    assert_eq!(json["unpaired_from"][0], "mixamorig:LeftFoot");
    for (map, message) in [
        ("Spin = \"tail\"", "map.toml: error: there is no bone \"Spin\" in clip.gltf"),
        ("Hips = \"tails\"", "there is no bone \"tails\" in model.gltf; did you mean \"tail\"?"),
        ("Hips = 3", "the counterpart of \"Hips\" isn't a name; write a name"),
        (
            "\"mixamorig:Hips\" = \"tail\"\n\"mixamorig:Spine\" = \"tail\"",
            "\"mixamorig:Hips\" and \"mixamorig:Spine\" both have the counterpart \"tail\"",
        ),
    ] {
        folder.put_bytes("map.toml", map.as_bytes());
        let Ran { stderr, .. } = folder.run_to(2, &args);
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn clips_are_written_for_another_skeleton_with_their_quality() {
    let folder = folder();
    let args = ["retarget", "clip.gltf", "--to", "model.gltf", "-o", "out.glb"];
    let text = folder.run_to(0, &args).stdout;
    assert!(text.starts_with("clip.gltf: 1 clip retargeted to model.gltf: 8 bones"), "{text}");
    let json = folder.run_to(0, &[&args[..], &["--force", "--json"]].concat()).json();
    let file = &json["files"][0];
    assert_eq!((&file["pairs"], &file["unpaired_to"][0]), (&8.into(), &"tail".into()));
    assert!((file["scale"].as_f64().unwrap() - 2.0).abs() < 1e-6);
    assert!(file["turned"].is_null(), "the rest poses are the same");
    let clip = &file["clips"][0];
    assert_eq!(clip["name"], "kick");
    assert!(clip["worst"]["angle_deg"].as_f64().unwrap() < 0.1, "{clip}");
    let info = folder.run_to(0, &["info", "out.glb"]).stdout;
    assert!(info.contains("kick"), "{info}");
    // The same for a related file.
    let text = folder.run_to(0, &["info", "model.gltf", "--with", "clip.gltf"]).stdout;
    assert!(text.contains("kick"), "{text}");
    let used = "clip.gltf       given by the user; bones are matched by parts of the body";
    assert!(text.contains(used), "{text}");
}

#[test]
fn a_file_without_clips_and_a_skeleton_without_a_pair_are_refused() {
    let folder = folder();
    let wheel = body(&[("wheel", None, [0.0; 3]), ("axle", Some(0), [1.0, 0.0, 0.0])], false);
    folder.put_bytes("wheel.gltf", wheel.as_bytes());
    let refused =
        |clip, to| folder.run_to(2, &["retarget", clip, "--to", to, "-o", "out.glb"]).stderr;
    let error = refused("model.gltf", "model.gltf");
    assert!(error.contains("model.gltf: error: the file has no clips"), "{error}");
    let error = refused("clip.gltf", "wheel.gltf");
    let message = "clip.gltf: error: no bone of the clips has a counterpart in the model";
    assert!(error.contains(message), "{error}");
    assert!(!folder.path("out.glb").exists());
}

#[test]
fn a_table_shows_which_clips_play_on_which_models() {
    let folder = folder();
    // Files with a mesh are models.
    let mesh = |text: String| {
        let mut gltf: Value = serde_json::from_str(&text).unwrap();
        let bytes: Vec<u8> = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &bytes);
        let uri = format!("data:application/octet-stream;base64,{data}");
        gltf["buffers"] = serde_json::json!([{ "byteLength": 36, "uri": uri }]);
        gltf["bufferViews"] = serde_json::json!([{ "buffer": 0, "byteLength": 36 }]);
        gltf["accessors"] = serde_json::json!([{
            "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 0.0],
        }]);
        gltf["meshes"] =
            serde_json::json!([{ "primitives": [{ "attributes": { "POSITION": 0 } }] }]);
        gltf["nodes"][0]["mesh"] = 0.into();
        gltf.to_string()
    };
    folder.put_bytes("same.gltf", mesh(body(&CLIP, false)).as_bytes());
    folder.put_bytes("other.gltf", mesh(body(&MODEL, false)).as_bytes());
    let wheel = [("wheel", None, [0.0; 3]), ("axle", Some(0), [1.0, 0.0, 0.0])];
    folder.put_bytes("wheel.gltf", mesh(body(&wheel, false)).as_bytes());
    let args = ["fit", "same.gltf", "other.gltf", "wheel.gltf", "clip.gltf"];
    let text = folder.run_to(1, &args).stdout;
    assert!(text.contains("same.gltf   clip.gltf  plays as it is"), "{text}");
    let json = folder.run_to(1, &[&args[..], &["--json"]].concat()).json();
    let results: Vec<&Value> =
        json["rows"].as_array().unwrap().iter().map(|row| &row["result"]).collect();
    assert_eq!(results, ["as-is", "retargeted", "no"]);
    assert_eq!(json["rows"][2]["why"], "no bone of the clips has a counterpart in the model");
    folder.run_to(1, &[&args[..], &["--html", "fit.html"]].concat());
    let page = std::fs::read_to_string(folder.path("fit.html")).unwrap();
    assert!(page.contains("<p>2 of 3 combinations play</p>"), "{page}");
    assert!(
        page.contains("<td class=\"no\"><b>doesn&#39;t play</b>")
            || page.contains("<td class=\"no\"><b>doesn't play</b>"),
        "{page}"
    );
}

/// Which of the left thigh, the right thigh and the tail turn in the first clip.
fn turned_bones(folder: &Folder, args: &[&str]) -> Vec<String> {
    let mut all = vec!["convert", "model.gltf", "--with", "clip.gltf", "-o", "out.gltf", "--force"];
    all.extend(args);
    folder.run(&all);
    let gltf: Value =
        serde_json::from_slice(&std::fs::read(folder.path("out.gltf")).unwrap()).unwrap();
    let channels = gltf["animations"][0]["channels"].as_array().unwrap();
    let turned = channels.iter().filter(|own| own["target"]["path"] == "rotation");
    let node = |own: &Value| usize::try_from(own["target"]["node"].as_u64().unwrap()).unwrap();
    let mut names: Vec<String> =
        turned.map(|own| gltf["nodes"][node(own)]["name"].as_str().unwrap().to_owned()).collect();
    names.retain(|name| ["thigh_l", "thigh_r", "tail"].contains(&name.as_str()));
    names.sort();
    names
}

#[test]
fn every_command_with_related_files_takes_a_bone_map() {
    let folder = folder();
    let found = turned_bones(&folder, &[]);
    assert_eq!(found, ["thigh_l", "thigh_r"]);
    folder.put_bytes("map.toml", b"\"mixamorig:LeftUpLeg\" = \"tail\"\n");
    assert_eq!(turned_bones(&folder, &["--bone-map", "map.toml"]), ["tail", "thigh_r"]);
    // Godot's, for the skeleton of the model.
    let godot = b"[gd_resource type=\"BoneMap\"]\n[resource]\nbone_map/LeftUpperLeg = &\"tail\"\n";
    folder.put_bytes("map.tres", godot);
    assert_eq!(turned_bones(&folder, &["--bone-map", "map.tres"]), ["tail", "thigh_r"]);
    // Next to the model, it is found.
    folder.put_bytes("model.bones.toml", b"\"mixamorig:RightUpLeg\" = false\n");
    assert_eq!(turned_bones(&folder, &[]), ["thigh_l"]);
    assert_eq!(turned_bones(&folder, &["--without", "model.bones.toml"]), found);
    assert_eq!(turned_bones(&folder, &["--bone-map", "map.toml"]), ["tail", "thigh_r"]);
    let json = folder.run_to(0, &["bones", "clip.gltf", "model.gltf", "--json"]).json();
    assert_eq!(json["unpaired_from"][0], "mixamorig:RightUpLeg");
}

#[test]
fn entries_of_a_bone_map_that_no_file_has_are_findings() {
    let folder = folder();
    folder.put_bytes("model.bones.toml", b"Spin = \"tail\"\n\"mixamorig:Spine\" = \"tails\"\n");
    let args = ["info", "model.gltf", "--with", "clip.gltf", "--json"];
    let text = folder.run_to(0, &args).stdout;
    assert!(
        text.contains(
            "model.bones.toml: there is no bone \\\"Spin\\\" in clip.gltf; \
             model.bones.toml: there is no bone \\\"tails\\\" in model.gltf; did you mean \\\"tail\\\"?"
        ),
        "{text}"
    );
    folder.put_bytes("model.bones.toml", b"a = \n");
    let text = folder.run_to(0, &args).stdout;
    assert!(text.contains("model.bones.toml is not used: line 1: "), "{text}");
}

/// The bones that VRM requires of a human.
const HUMAN: [(&str, Option<usize>, [f32; 3]); 15] = [
    ("Hips", None, [0.0, 1.0, 0.0]),
    ("Spine", Some(0), [0.0, 0.2, 0.0]),
    ("Head", Some(1), [0.0, 0.4, 0.0]),
    ("LeftUpLeg", Some(0), [0.1, 0.0, 0.0]),
    ("LeftLeg", Some(3), [0.0, -0.5, 0.0]),
    ("LeftFoot", Some(4), [0.0, -0.5, 0.0]),
    ("RightUpLeg", Some(0), [-0.1, 0.0, 0.0]),
    ("RightLeg", Some(6), [0.0, -0.5, 0.0]),
    ("RightFoot", Some(7), [0.0, -0.5, 0.0]),
    ("LeftArm", Some(1), [0.2, 0.2, 0.0]),
    ("LeftForeArm", Some(9), [0.3, 0.0, 0.0]),
    ("LeftHand", Some(10), [0.3, 0.0, 0.0]),
    ("RightArm", Some(1), [-0.2, 0.2, 0.0]),
    ("RightForeArm", Some(12), [-0.3, 0.0, 0.0]),
    ("RightHand", Some(13), [-0.3, 0.0, 0.0]),
];

#[test]
fn clips_of_humans_are_written_as_vrm_animations_and_play_on_other_models() {
    let folder = folder();
    folder.put_bytes("human.gltf", body(&HUMAN, true).as_bytes());
    folder.run_to(0, &["convert", "human.gltf", "-o", "wave.vrma"]);
    folder.run_to(0, &["convert", "human.gltf", "--to", "vrma", "-o", "same.vrma"]);
    let info = folder.run_to(0, &["info", "wave.vrma"]).stdout;
    assert!(info.contains("15 human bones"), "{info}");
    let args = ["retarget", "wave.vrma", "--to", "model.gltf", "-o", "out.glb", "--json"];
    let json = folder.run_to(0, &args).json();
    assert_eq!(json["files"][0]["pairs"], 8);
    let worst = &json["files"][0]["clips"][0]["worst"]["angle_deg"];
    assert!(worst.as_f64().unwrap() < 0.1, "{json}");
    folder.run_to(0, &["retarget", "clip.gltf", "--to", "human.gltf", "-o", "out.vrma"]);
    let stderr = folder.run_to(2, &["convert", "clip.gltf", "-o", "no.vrma"]).stderr;
    let missing = "this skeleton has no head, leftUpperArm, leftLowerArm, leftHand, rightUpperArm";
    assert!(stderr.contains(missing), "{stderr}");
    let stderr = folder.run_to(2, &["convert", "human.gltf", "-o", "no.vrm"]).stderr;
    assert!(stderr.contains(".vrm files are read-only; write .glb"), "{stderr}");
}

#[test]
fn a_skeleton_with_two_heads_names_them() {
    let folder = folder();
    let mut bones = MODEL.to_vec();
    bones.extend([("head", Some(1), [0.2, 0.4, 0.0]), ("head.001", Some(1), [-0.2, 0.4, 0.0])]);
    folder.put_bytes("hydra.gltf", body(&bones, false).as_bytes());
    let text = folder.run_to(0, &["bones", "clip.gltf", "hydra.gltf"]).stdout;
    let sentence = "hydra.gltf has several heads: head is that of the body, head.001 isn't";
    assert!(text.contains(sentence), "{text}");
    let args = ["retarget", "clip.gltf", "--to", "hydra.gltf", "-o", "out.glb"];
    let text = folder.run_to(0, &args).stdout;
    assert!(text.contains(sentence), "{text}");
}
