//! Files that each contradict the specification in one way: finding, place and message.

use serde_json::json;

use super::*;

/// The only finding of a file.
fn only(file: &FileJson) -> Finding {
    let report = Report::new();
    read(&file.glb(), &report).unwrap();
    match &report.findings()[..] {
        [finding] => finding.clone(),
        other => panic!("{other:#?}"),
    }
}

/// Changes [`sound`] and expects one finding with `words` in its message.
fn expect(kind: FindingKind, place: Place, words: &[&str], change: impl Fn(&mut FileJson)) {
    let mut file = sound();
    change(&mut file);
    let finding = only(&file);
    assert_eq!((finding.kind, finding.place), (kind, place), "{}", finding.message);
    for words in words {
        assert!(finding.message.contains(words), "{words:?} in {:?}", finding.message);
    }
}

/// A skinned and animated triangle as a good exporter writes it: an armature with a rotation and a
/// scale above mesh and joints.
fn sound() -> FileJson {
    let mut file = skinned();
    file.json["nodes"] = json!([
        { "mesh": 0, "skin": 0, "name": "body" },
        { "children": [2], "name": "hip" },
        { "name": "knee", "translation": [0, 1, 0] },
        { "children": [0, 1], "name": "armature", "translation": [0, 3, 0], "scale": [2, 2, 2] },
    ]);
    file.json["scenes"] = json!([{ "nodes": [3] }]);
    file.json["scene"] = json!(0);
    file.json["skins"][0]["skeleton"] = json!(1);
    file.json["meshes"][0]["name"] = json!("skin");
    file
}

fn attributes(file: &mut FileJson) -> &mut Value {
    &mut file.json["meshes"][0]["primitives"][0]["attributes"]
}

#[test]
fn a_valid_file_has_no_finding() {
    assert_eq!(sound().reported().1, []);
    assert_eq!(skinned().reported().1, [], "without scene and armature");
}

#[test]
fn a_skinned_node_with_a_transform_relative_to_its_joints_is_reported() {
    let (kind, mesh) = (FindingKind::SkinnedNodeTransform, Place::Mesh(0));
    expect(kind, mesh, &["node 0 \"body\"", "translation of 5 m"], |file| {
        file.json["nodes"][0]["translation"] = json!([3, 4, 0]);
    });
    expect(kind, mesh, &["a rotation by 90°"], |file| {
        file.json["nodes"][0]["rotation"] = json!([0, 0, 0.70710677, 0.70710677]);
    });
    expect(kind, mesh, &["a scale of 0.01"], |file| {
        file.json["nodes"][0]["scale"] = json!([0.01, 0.01, 0.01]);
    });
    // A node above the mesh only.
    expect(kind, mesh, &["translation of 7 m"], |file| {
        file.json["nodes"][3]["children"] = json!([4, 1]);
        file.push("nodes", json!({ "children": [0], "translation": [0, 0, 7] }));
    });
    // The joints are elsewhere in the scene.
    expect(kind, mesh, &["node 0", "a scale of 2"], |file| {
        file.json["nodes"][3]["children"] = json!([0]);
        file.json["scenes"] = json!([{ "nodes": [3, 1] }]);
    });
}

#[test]
fn a_dequantization_transform_on_a_skinned_node_is_not_reported() {
    let mut file = sound();
    let position = file.accessor("VEC3", I16, 3, &[0; 24]);
    file.json["accessors"][position]["min"] = json!([0, 0, 0]);
    file.json["accessors"][position]["max"] = json!([0, 0, 0]);
    let view = file.json["accessors"][position]["bufferView"].as_u64().unwrap();
    file.json["bufferViews"][usize::try_from(view).unwrap()]["byteStride"] = json!(8);
    attributes(&mut file)["POSITION"] = json!(position);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    file.json["nodes"][0]["scale"] = json!([0.01, 0.01, 0.01]);
    assert_eq!(file.reported().1, []);
}

#[test]
fn a_clip_that_animates_the_node_of_a_skinned_mesh_is_reported() {
    let words = ["clip 0 \"lift\" moves the skinned node 0 \"body\""];
    expect(FindingKind::SkinnedNodeAnimated, Place::Clip(0), &words, |file| {
        file.json["animations"][0]["channels"][0]["target"]["node"] = json!(0);
    });
}

#[test]
fn joints_without_a_skin_or_outside_the_scene_are_reported() {
    let words = ["mesh 0 \"skin\"", "node 0 \"body\" has no skin"];
    expect(FindingKind::JointsWithoutSkin, Place::Mesh(0), &words, |file| {
        file.json["nodes"][0].as_object_mut().unwrap().remove("skin");
    });
    let words = ["2 of 2 joints of skin 0", "node 1 \"hip\""];
    expect(FindingKind::JointsOutsideScene, Place::Mesh(0), &words, |file| {
        file.json["nodes"][3] = json!({ "children": [0], "name": "armature" });
    });
}

#[test]
fn skins_with_repeated_joints_or_a_stray_skeleton_are_reported() {
    expect(FindingKind::JointListedTwice, Place::Mesh(0), &["skin 0", "node 2 \"knee\""], |file| {
        file.json["skins"][0]["joints"] = json!([1, 2, 2]);
    });
    let words = ["node 2 \"knee\", isn't above node 1 \"hip\""];
    expect(FindingKind::SkeletonNotAncestor, Place::Mesh(0), &words, |file| {
        file.json["skins"][0]["skeleton"] = json!(2);
    });
}

#[test]
fn a_joint_repeated_in_a_vertex_is_reported() {
    let place = Place::Vertex { mesh: 0, vertex: 0 };
    let words = ["mesh 0 \"skin\"", "vertex 0 lists joint 1"];
    expect(FindingKind::JointRepeatedInVertex, place, &words, |file| {
        let joints = file.accessor("VEC4", U8, 3, &[1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
        attributes(file)["JOINTS_0"] = json!(joints);
    });
}

#[test]
fn larger_influences_in_later_sets_are_reported() {
    let second = |file: &mut FileJson, weight: f32| {
        let joints = file.accessor("VEC4", U8, 3, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let mut weights = [0.0; 12];
        weights[4] = weight;
        let weights = file.floats("VEC4", &weights);
        attributes(file)["JOINTS_1"] = json!(joints);
        attributes(file)["WEIGHTS_1"] = json!(weights);
    };
    let place = Place::Vertex { mesh: 0, vertex: 1 };
    expect(FindingKind::HeaviestInfluenceDropped, place, &["1.5", "at most 1"], |file| {
        second(file, 1.5);
    });
    let mut file = sound();
    second(&mut file, 0.5);
    assert_eq!(file.reported().1, []);

    let words = ["JOINTS_1, but no JOINTS_0"];
    expect(FindingKind::FirstInfluencesMissing, Place::Mesh(0), &words, |file| {
        second(file, 0.5);
        for name in ["JOINTS_0", "WEIGHTS_0"] {
            attributes(file).as_object_mut().unwrap().remove(name);
        }
    });
    let words = ["primitive 0 has JOINTS_1, but no WEIGHTS_1"];
    expect(FindingKind::JointsWithoutWeights, Place::Mesh(0), &words, |file| {
        second(file, 0.5);
        attributes(file).as_object_mut().unwrap().remove("WEIGHTS_1");
    });
}

#[test]
fn integer_weights_that_are_not_normalized_are_reported() {
    let words = ["WEIGHTS_0 is stored as 8-bit unsigned integers"];
    expect(FindingKind::WeightsNotFractions, Place::Mesh(0), &words, |file| {
        let weights = file.accessor("VEC4", U8, 3, &[255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
        attributes(file)["WEIGHTS_0"] = json!(weights);
    });
    let mut file = sound();
    let weights = file.accessor("VEC4", U8, 3, &[255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
    file.json["accessors"][weights]["normalized"] = json!(true);
    attributes(&mut file)["WEIGHTS_0"] = json!(weights);
    assert_eq!(file.reported().1, []);
}

#[test]
fn stored_bounds_of_positions_are_compared_with_the_positions() {
    let accessor = |file: &mut FileJson| {
        let index = attributes(file)["POSITION"].as_u64().unwrap();
        usize::try_from(index).unwrap()
    };
    let (kind, mesh) = (FindingKind::PositionBoundsWrong, Place::Mesh(0));
    expect(kind, mesh, &["mesh 0 \"skin\"", "up to 50 % of", "outside"], |file| {
        let at = accessor(file);
        file.json["accessors"][at]["max"] = json!([1, 0, 0]);
    });
    expect(kind, mesh, &["up to 100 % of", "larger"], |file| {
        let at = accessor(file);
        file.json["accessors"][at]["min"] = json!([0, -2, 0]);
    });
    expect(FindingKind::PositionBoundsMissing, mesh, &["no min and max"], |file| {
        let at = accessor(file);
        file.json["accessors"][at].as_object_mut().unwrap().remove("min");
    });
    // Two nodes with the same mesh get one finding.
    let mut file = sound();
    let at = accessor(&mut file);
    file.json["accessors"][at]["max"] = json!([1, 0, 0]);
    file.json["nodes"][3]["children"] = json!([0, 1, 4]);
    file.push("nodes", json!({ "mesh": 0, "skin": 0 }));
    assert_eq!(only(&file).count, 1);
    // Written with few decimals.
    let mut file = sound();
    file.json["accessors"][at]["max"] = json!([2.000_000_2, 0, 0]);
    assert_eq!(file.reported().1, []);
}

#[test]
fn stored_bounds_of_key_times_are_compared_with_the_times() {
    let words = ["clip 0 \"lift\", translation of node 2 \"knee\"", "1 s and 5 s"];
    expect(FindingKind::KeyTimeBoundsWrong, Place::Clip(0), &words, |file| {
        let input = file.json["animations"][0]["samplers"][0]["input"].as_u64().unwrap();
        file.json["accessors"][usize::try_from(input).unwrap()]["max"] = json!([5]);
    });
}

#[test]
fn quantized_attributes_without_the_extension_are_reported() {
    let integers = |file: &mut FileJson| {
        let bytes: Vec<u8> = [0i16, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]
            .into_iter()
            .flat_map(i16::to_le_bytes)
            .collect();
        let position = file.accessor("VEC3", I16, 3, &bytes);
        file.json["accessors"][position]["min"] = json!([0, 0, 0]);
        file.json["accessors"][position]["max"] = json!([2, 0, 0]);
        let view = file.json["accessors"][position]["bufferView"].as_u64().unwrap();
        file.json["bufferViews"][usize::try_from(view).unwrap()]["byteStride"] = json!(8);
        attributes(file)["POSITION"] = json!(position);
    };
    let words = ["primitive 0: POSITION is stored as 16-bit signed integers"];
    expect(FindingKind::QuantizedWithoutExtension, Place::Mesh(0), &words, integers);
    let mut file = sound();
    integers(&mut file);
    file.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    assert_eq!(file.reported().1, []);
}

#[test]
fn repeated_sparse_indices_are_reported() {
    let sparse = |file: &mut FileJson, indices: [u16; 2]| {
        let index = file.view(&indices.map(u16::to_le_bytes).concat());
        let values: Vec<u8> = [0.0f32; 6].into_iter().flat_map(f32::to_le_bytes).collect();
        let value = file.view(&values);
        let at = file.floats("VEC3", &[0.0; 9]);
        file.json["accessors"][at]["sparse"] = json!({
            "count": 2,
            "indices": { "bufferView": index, "componentType": U16 },
            "values": { "bufferView": value },
        });
        attributes(file)["POSITION"] = json!(at);
    };
    for (indices, words) in [([1, 1], ": 1 follows 1"), ([2, 0], ": 0 follows 2")] {
        expect(FindingKind::SparseIndicesUnsorted, Place::File, &[words], |file| {
            sparse(file, indices);
        });
    }
    let mut file = sound();
    sparse(&mut file, [0, 2]);
    assert_eq!(file.reported().1, []);
}

#[test]
fn morph_weight_counts_are_compared_with_the_number_of_targets() {
    let targets = |file: &mut FileJson| {
        let offsets = file.floats("VEC3", &[0.0; 9]);
        file.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": offsets }]);
    };
    let words = ["mesh 0 \"skin\" has 3 weights for 1 morph target"];
    expect(FindingKind::MorphWeightCount, Place::Mesh(0), &words, |file| {
        targets(file);
        file.json["meshes"][0]["weights"] = json!([0, 0, 0]);
    });
    let words = ["node 0 \"body\" has 0 weights for 1 morph target"];
    expect(FindingKind::MorphWeightCount, Place::Mesh(0), &words, |file| {
        targets(file);
        file.json["nodes"][0]["weights"] = json!([]);
    });
    let mut file = sound();
    targets(&mut file);
    file.json["meshes"][0]["weights"] = json!([0.5]);
    assert_eq!(file.reported().1, []);
}

#[test]
fn rotations_that_are_not_unit_length_are_reported() {
    for (rotation, words) in
        [(json!([0, 0, 0, 2]), "a length of 2 and"), (json!([0, 0, 0, 0]), "a length of 0, so")]
    {
        let words = ["node 2 \"knee\"", words];
        expect(FindingKind::RestRotationNotUnit, Place::Bone(2), &words, |file| {
            file.json["nodes"][2]["rotation"] = rotation.clone();
        });
    }
    let mut file = sound();
    file.json["nodes"][2]["rotation"] = json!([0.707, 0, 0, 0.707]);
    assert_eq!(file.reported().1, [], "three decimals");
}

#[test]
fn an_animated_node_with_a_matrix_is_reported() {
    let words = ["clip 0 \"lift\" moves node 2 \"knee\""];
    expect(FindingKind::AnimatedMatrixNode, Place::Clip(0), &words, |file| {
        file.json["nodes"][2] = json!({
            "name": "knee",
            "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1],
        });
    });
}

#[test]
fn unreadable_channels_are_reported_with_clip_node_property_and_key() {
    let with_times = |times: [f32; 2]| {
        let mut file = sound();
        let input = file.floats("SCALAR", &times);
        file.json["animations"][0]["samplers"][0]["input"] = json!(input);
        let report = Report::new();
        read(&file.glb(), &report).unwrap();
        let findings = report.findings();
        findings
            .into_iter()
            .find(|finding| finding.kind == FindingKind::ChannelLeftOut)
            .unwrap()
            .message
    };
    let subject = "clip 0 \"lift\", channel 0 (translation of node 2 \"knee\"): ";
    let infinite = with_times([0.0, f32::NAN]);
    let words = "the time of key 1 isn't a finite number; the channel is left out";
    assert_eq!(infinite, format!("{subject}{words}"));
}

#[test]
fn animated_properties_are_reported_without_parser_errors() {
    let pointer = "/cameras/0/perspective/yfov";
    let words = ["1 channel animates properties", "(channel 1 of clip 0)", pointer];
    expect(FindingKind::PropertyAnimation, Place::Clip(0), &words, |file| {
        let channels = file.json["animations"][0]["channels"].as_array_mut().unwrap();
        let pointer = json!({ "KHR_animation_pointer": { "pointer": pointer } });
        let target = json!({ "path": "pointer", "extensions": pointer });
        channels.push(json!({ "sampler": 0, "target": target }));
    });
}

#[test]
fn each_unsupported_extension_is_reported_once_with_its_effect() {
    let words = ["VRMC_node_constraint", "aren't simulated"];
    expect(FindingKind::ExtensionNotSupported, Place::File, &words, |file| {
        file.json["extensionsUsed"] = json!(["VRMC_node_constraint"]);
        let constraint = json!({ "VRMC_node_constraint": {} });
        file.json["nodes"][0]["extensions"] = constraint;
    });
    let words = ["MY_vendor is ignored: its effect isn't known", "MSFT_lod", "highest level"];
    expect(FindingKind::ExtensionIgnored, Place::File, &words, |file| {
        file.json["extensionsUsed"] = json!(["MY_vendor", "MSFT_lod"]);
    });
}

#[test]
fn meshes_that_are_not_shown_are_reported_with_the_reason() {
    let words = ["1 mesh is not part of the file's scene; the first is at node 4 \"stray\""];
    expect(FindingKind::MeshesOutsideScene, Place::File, &words, |file| {
        file.push("nodes", json!({ "mesh": 0, "skin": 0, "name": "stray" }));
    });
    let mut file = sound();
    file.push("nodes", json!({ "mesh": 0, "skin": 0 }));
    file.json["nodes"][0]["extensions"] = json!({ "MSFT_lod": { "ids": [4] } });
    let (_, findings) = file.reported();
    assert_eq!(findings, [FindingKind::ExtensionIgnored, FindingKind::PartShown]);
}

#[test]
fn joints_of_the_wrong_type_are_errors_with_mesh_and_attribute() {
    let mut file = sound();
    let joints = file.floats("VEC4", &[0.0; 12]);
    attributes(&mut file)["JOINTS_0"] = json!(joints);
    let error = file.error();
    let words = format!("mesh 0 \"skin\", JOINTS: accessor {joints} stores floats where unsigned");
    assert!(error.contains(&words), "{error}");
}
