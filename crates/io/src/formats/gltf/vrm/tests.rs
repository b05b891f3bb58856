//! Avatars built in code.

use serde_json::{Value, json};

use super::super::tests::{FileJson, read, skinned};
use super::super::write::write;
use crate::formats::WriteOptions;
use glam::{Vec2, Vec3, Vec4};
use rigscope_core::model::{
    Approximation, Avatar, BoneId, Collider, ColliderShape, Detail, ExpressionColor,
    ExpressionGroup, ExpressionOverride, ExpressionTextures, MaterialId, MaterialProperty, MeshId,
    Model, Report, check,
};
use rigscope_core::pose::{PoseSpec, skin_model, to_display_space};

/// A skinned mesh with two morph targets, and `extensions`.
fn with(extensions: Value) -> Model {
    let mut file: FileJson = skinned();
    let offsets = file.floats("VEC3", &[0.0; 9]);
    let target = json!({ "POSITION": offsets });
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([target, target]);
    file.json["extensions"] = extensions;
    file.read().unwrap()
}

fn avatar(model: &Model) -> &Avatar {
    model.avatar.as_deref().unwrap()
}

#[test]
fn bones_expressions_and_springs_of_vrm_1_are_read() {
    let mesh_node =
        skinned().json["nodes"].as_array().unwrap().iter().position(|n| n.get("mesh").is_some());
    let model = with(json!({
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": { "name": "Mia", "authors": ["A", "B"], "licenseUrl": "https://vrm.dev/licenses/1.0/" },
            "humanoid": { "humanBones": { "hips": { "node": 1 }, "head": { "node": 99 } } },
            "expressions": {
                "preset": { "happy": {
                    "morphTargetBinds": [
                        { "node": mesh_node, "index": 1, "weight": 0.5 },
                        { "node": mesh_node, "index": 2, "weight": 1.0 },
                        { "node": "x", "index": 0 },
                    ],
                    "materialColorBinds": [{}],
                } },
                "custom": { "wink": {} },
            },
        },
        "VRMC_springBone": {
            "springs": [{ "name": "tail", "joints": [{ "node": 1, "hitRadius": 0.1 }, { "node": 2 }] }],
            "colliders": [
                { "node": 1, "shape": { "capsule": { "offset": [0, 1, 0], "tail": [0, 2, 0], "radius": 0.25 } } },
                { "node": 1, "shape": {} },
                { "node": 1, "shape": { "sphere": { "offset": [0, -10000, 0], "radius": 1e-5 } }, "extensions": {
                    "VRMC_springBone_extended_collider": { "shape": { "plane": { "offset": [1, 0, 0], "normal": [0, 0, 2] } } },
                } },
            ],
        },
    }));
    let avatar = avatar(&model);
    assert_eq!(avatar.humanoid, [(BoneId(1), "hips".to_owned())]);
    let [happy, wink] = &avatar.expressions[..] else { panic!("{:?}", avatar.expressions) };
    let weights: Vec<_> = happy.weights.iter().map(|w| (w.mesh, w.target, w.weight)).collect();
    assert_eq!((&*happy.name, weights), ("happy", vec![(MeshId(0), 1, 0.5)]));
    assert_eq!((happy.num_material_changes, &*wink.name), (1, "wink"));
    let [segment] = avatar.springs[0].segments[..] else { panic!("{:?}", avatar.springs) };
    assert_eq!((segment.bone, segment.tail, segment.radius), (BoneId(1), Some(BoneId(2)), 0.1));
    let shape = ColliderShape::Capsule { radius: 0.25, tail: Vec3::Y * 2.0 };
    let plane = ColliderShape::Plane { normal: Vec3::Z };
    let at = |center, shape| Collider { bone: BoneId(1), center, shape };
    assert_eq!(avatar.colliders, [at(Vec3::Y, shape), at(Vec3::X, plane)]);
    assert!(!model.axes.faces_backward);
    for detail in [("vrm", "1.0"), ("title", "Mia"), ("author", "A, B")] {
        assert!(
            model.details.contains(&(detail.0, Detail::Text(detail.1.to_owned()))),
            "{detail:?}"
        );
    }
}

#[test]
fn weights_of_vrm_0_are_percentages_and_its_springs_include_all_bones_below() {
    let model = with(json!({ "VRM": {
        "meta": { "title": "Tom", "author": "C", "otherLicenseUrl": "", "licenseName": "CC0" },
        "humanoid": { "humanBones": [{ "bone": "hips", "node": 1 }, { "bone": "spine" }] },
        "blendShapeMaster": { "blendShapeGroups": [{
            "name": "", "presetName": "joy", "binds": [{ "mesh": 0, "index": 0, "weight": 70 }],
        }] },
        "secondaryAnimation": {
            "boneGroups": [{ "comment": "hair", "hitRadius": 0.02, "bones": [1, 1, 77] }],
            "colliderGroups": [{ "node": 2, "colliders": [{ "offset": { "x": 1, "z": 2 }, "radius": 0.5 }] }],
        },
    } }));
    let avatar = avatar(&model);
    assert_eq!(avatar.humanoid, [(BoneId(1), "hips".to_owned())]);
    assert_eq!(avatar.humanoid_name(BoneId(1)), Some("hips"));
    let joy = &avatar.expressions[0];
    assert_eq!((&*joy.name, joy.weights[0].weight), ("joy", 0.7));
    let bones: Vec<_> = avatar.springs[0].segments.iter().map(|s| (s.bone, s.tail)).collect();
    assert_eq!(bones, [(BoneId(1), Some(BoneId(2))), (BoneId(2), None)]);
    // The knee is above the hip.
    assert_eq!(avatar.springs[0].segments[1].tail_offset, Vec3::Y * 0.07);
    assert!(model.details.contains(&("license", Detail::Text("CC0".to_owned()))));
    assert!(model.axes.faces_backward);
    assert_eq!(avatar.colliders[0].center, Vec3::new(1.0, 0.0, -2.0));
}

#[test]
fn values_of_any_type_are_tolerated() {
    for value in [
        json!(null),
        json!(3),
        json!([]),
        json!("x"),
        json!({ "meta": 1, "humanoid": [], "expressions": 2 }),
    ] {
        let model = with(json!({ "VRM": value, "VRMC_springBone": value }));
        assert_eq!(avatar(&model), &Avatar::default());
        let model = with(json!({ "VRMC_vrm": value, "VRMC_springBone": value }));
        assert_eq!(avatar(&model), &Avatar::default());
    }
    assert_eq!(skinned().read().unwrap().avatar, None);
}

#[test]
fn avatars_of_both_versions_face_the_front_in_display_space() {
    let mut old = with(json!({ "VRM": {} }));
    let new = with(json!({ "VRMC_vrm": {} }));
    assert_eq!(old.axes.display_from_file().transform_point3(Vec3::Z), Vec3::NEG_Z);
    assert_eq!(new.axes.display_from_file().transform_point3(Vec3::Z), Vec3::Z);
    // A glTF file has no such extension, so that its vertices are turned.
    check::check(&mut old, &Report::new());
    let files = write(&old, &WriteOptions::default(), &Report::new()).unwrap();
    let back = read(&files[0].bytes, &Report::new()).unwrap();
    let display = |model: &Model| {
        let mut skinned = skin_model(model, &PoseSpec::default());
        to_display_space(&model.axes, &mut skinned);
        skinned.swap_remove(0).positions
    };
    for (own, written) in display(&old).iter().zip(display(&back)) {
        assert!(own.abs_diff_eq(written, 1e-6), "{own} {written}");
    }
}

#[test]
fn bones_of_a_vrm_animation_are_read() {
    let model = with(json!({
        "VRMC_vrm_animation": {
            "specVersion": "1.0",
            "humanoid": { "humanBones": { "hips": { "node": 1 }, "spine": { "node": 2 }, "head": {} } },
            "expressions": {
                "preset": { "happy": { "node": 0 }, "sad": { "node": 99 } },
                "custom": { "wink": { "node": 1 } },
            },
            "lookAt": { "node": 2 },
        },
    }));
    let avatar = avatar(&model);
    assert_eq!(avatar.humanoid, [(BoneId(1), "hips".into()), (BoneId(2), "spine".into())]);
    let drivers: Vec<_> = avatar
        .expressions
        .iter()
        .map(|own| (own.key(), own.preset.is_some(), own.driver.unwrap()))
        .collect();
    assert_eq!(drivers, [("happy", true, BoneId(0)), ("wink", false, BoneId(1))]);
    assert_eq!(avatar.gaze, Some(BoneId(2)));
}

#[test]
fn colours_overrides_and_look_at_of_both_versions_are_read() {
    let red = [1.0, 0.0, 0.0, 0.5];
    let with = |extensions: Value| {
        let mut file: FileJson = skinned();
        file.json["materials"] = json!([{ "name": "cloth" }, { "name": "skin" }]);
        file.json["extensions"] = extensions;
        file.read().unwrap()
    };
    let model = with(json!({ "VRMC_vrm": {
        "expressions": { "preset": { "blinkLeft": {
            "isBinary": true,
            "overrideBlink": "block",
            "overrideMouth": "blend",
            "materialColorBinds": [
                { "material": 1, "type": "color", "targetValue": red },
                { "material": 0, "type": "emissionColor", "targetValue": red },
                { "material": 0, "type": "shadeColor", "targetValue": red },
                { "material": 9, "type": "color", "targetValue": red },
                { "material": 0, "type": "color", "targetValue": "x" },
            ],
            "textureTransformBinds": [
                { "material": 0, "offset": [0.5, 0.0] },
                { "material": 9, "offset": [0.5, 0.0] },
                { "material": 0, "scale": [0.5] },
            ],
        } } },
        "lookAt": {
            "type": "expression",
            "rangeMapVerticalUp": { "inputMaxValue": 0, "outputScale": 0.5 },
        },
    } }));
    let own = &avatar(&model).expressions[0];
    let color = |material, property, value| ExpressionColor { material, property, value };
    assert_eq!(
        own.colors,
        [
            color(MaterialId(1), MaterialProperty::BaseColor, Vec4::from(red)),
            color(MaterialId(0), MaterialProperty::Emissive, Vec4::X),
        ]
    );
    let textures = |offset, scale| ExpressionTextures { material: MaterialId(0), offset, scale };
    assert_eq!(own.textures, [textures(Vec2::new(0.5, 0.0), Vec2::ONE)]);
    assert_eq!((own.preset, own.num_material_changes), (Some("blinkLeft"), 8));
    assert_eq!((own.is_binary, own.group()), (true, Some(ExpressionGroup::Blink)));
    use ExpressionOverride::{Blend, Block, None};
    assert_eq!(own.overrides, [Block, None, Blend]);
    let look_at = avatar(&model).look_at.unwrap();
    assert!(look_at.by_expressions);
    assert_eq!((look_at.up.most_output, look_at.down.most_output), (0.5, 1.0));
    assert_eq!(look_at.up.output(30.0), 0.5);

    let model = with(json!({ "VRM": {
        "blendShapeMaster": { "blendShapeGroups": [
            { "name": "Blink_L", "presetName": "blink_l", "isBinary": true, "materialValues": [
                { "materialName": "skin", "propertyName": "_Color", "targetValue": [0.5, 0, 0, 1] },
                { "materialName": "skin", "propertyName": "_MainTex_ST", "targetValue": [1, 0.5, 0, 0.25] },
                { "materialName": "hair", "propertyName": "_Color", "targetValue": red },
            ] },
            { "name": "Cat", "presetName": "unknown" },
        ] },
        "firstPerson": { "lookAtHorizontalInner": { "xRange": 45, "yRange": 8 } },
    } }));
    let [blink, cat] = &avatar(&model).expressions[..] else { panic!("two expressions") };
    assert_eq!((blink.key(), &*blink.name, cat.key()), ("blinkLeft", "Blink_L", "Cat"));
    assert_eq!((blink.is_binary, blink.colors.len(), blink.num_material_changes), (true, 1, 3));
    let textures = &blink.textures[0];
    assert_eq!((textures.offset, textures.scale), (Vec2::new(0.0, 0.25), Vec2::new(1.0, 0.5)));
    assert!((blink.colors[0].value.x - 0.2140).abs() < 1e-3, "{:?}", blink.colors);
    let look_at = avatar(&model).look_at.unwrap();
    assert!(!look_at.by_expressions);
    assert_eq!((look_at.inner.output(90.0), look_at.outer.output(45.0)), (8.0, 5.0));
}

#[test]
fn toon_materials_springs_and_constraints_are_reported_as_missing() {
    let messages = |change: &dyn Fn(&mut FileJson)| {
        let mut file: FileJson = skinned();
        file.json["materials"] = json!([{ "name": "skin" }, { "name": "cloth" }]);
        change(&mut file);
        let report = Report::new();
        let model = read(&file.glb(), &report).unwrap();
        let toon = model
            .materials
            .iter()
            .map(|own| own.approximated.contains(Approximation::ToonShading))
            .collect::<Vec<_>>();
        let found = report.findings();
        (found.into_iter().map(|own| own.message).collect::<Vec<_>>().join("\n"), toon)
    };
    let (text, toon) = messages(&|file| {
        file.json["materials"][1]["extensions"] = json!({ "VRMC_materials_mtoon": {} });
        file.json["extensionsUsed"] = json!(["VRMC_materials_mtoon"]);
        file.json["extensions"] = json!({ "VRMC_vrm": {}, "VRMC_springBone": {} });
        file.json["nodes"][1]["extensions"] = json!({ "VRMC_node_constraint": {} });
    });
    for sentence in [
        "VRMC_materials_mtoon is ignored: toon shading (MToon) isn't shown",
        "VRMC_springBone is read in part: springs are drawn, but not simulated",
        "VRMC_node_constraint is not supported: node constraints aren't simulated",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
    assert_eq!(toon, [false, true]);
    let (text, toon) = messages(&|file| {
        file.json["extensions"] = json!({ "VRM": {
            "materialProperties": [{ "shader": "VRM/MToon" }, { "shader": "VRM_USE_GLTFSHADER" }],
            "secondaryAnimation": { "boneGroups": [{ "bones": [1] }] },
        } });
    });
    let sentence = "VRM is read in part: first person isn't applied, toon shading (MToon) isn't shown, springs are drawn, but not simulated";
    assert!(text.contains(sentence), "{text}");
    assert_eq!(toon, [true, false]);
    let (text, _) = messages(&|file| file.json["extensions"] = json!({ "VRM": {} }));
    assert!(text.ends_with("VRM is read in part: first person isn't applied"), "{text}");
}
