//! Clips that animate material factors.

use glam::{Affine2, Vec2, Vec3, Vec4};
use rigscope_core::model::{ClipId, MaterialId};
use serde_json::{Value, json};

use super::super::write::write;
use super::{FileJson, read, skinned};
use crate::formats::WriteOptions;
use rigscope_core::pose::{PoseSpec, posed_look, posed_texture};
use rigscope_testing::*;

/// A channel of the first clip that animates the property at `pointer`.
fn add_channel(file: &mut FileJson, pointer: &str, kind: &str, times: &[f32], values: &[f32]) {
    let input = file.floats("SCALAR", times);
    let output = file.floats(kind, values);
    let samplers = file.json["animations"][0]["samplers"].as_array_mut().unwrap();
    samplers.push(json!({ "input": input, "output": output }));
    let sampler = samplers.len() - 1;
    let extensions = json!({ "KHR_animation_pointer": { "pointer": pointer } });
    let target = json!({ "path": "pointer", "extensions": extensions });
    let channels = file.json["animations"][0]["channels"].as_array_mut().unwrap();
    channels.push(json!({ "sampler": sampler, "target": target }));
}

fn with_material(material: Value) -> FileJson {
    let mut file = skinned();
    file.json["materials"] = json!([{ "name": "lamp" }, material]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(1);
    file
}

fn look_at(model: &Model, time_secs: f64) -> MaterialLook {
    let at_rest = model.materials[MaterialId(1)].look.as_deref().copied().unwrap();
    posed_look(model, MaterialId(1), &at_rest, &PoseSpec::at_secs(ClipId(0), time_secs))
}

#[test]
fn factors_follow_their_channels() {
    let mut file = with_material(json!({ "emissiveFactor": [0.0, 0.0, 0.0] }));
    let color = "/materials/1/pbrMetallicRoughness/baseColorFactor";
    add_channel(&mut file, color, "VEC4", &[1.0, 3.0], &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5]);
    let roughness = "/materials/1/pbrMetallicRoughness/roughnessFactor";
    add_channel(&mut file, roughness, "SCALAR", &[1.0, 2.0], &[1.0, 0.5]);
    let (model, findings) = file.reported();
    assert!(findings.is_empty(), "{findings:?}");
    let clip = &model.clips[ClipId(0)];
    assert_eq!((clip.start_secs, clip.duration_secs), (1.0, 2.0), "the longest channel");
    assert_eq!(clip.material_tracks.len(), 2);
    let halfway = look_at(&model, 2.0);
    assert_eq!(halfway.base_color, Vec4::new(0.5, 0.0, 0.5, 0.75));
    assert_eq!((halfway.roughness, look_at(&model, 1.5).roughness), (0.5, 0.75));
}

#[test]
fn emission_is_the_product_of_factor_and_strength() {
    let strength = |strength: f32| {
        let extension = json!({ "emissiveStrength": strength });
        json!({ "KHR_materials_emissive_strength": extension })
    };
    let mut file =
        with_material(json!({ "emissiveFactor": [0.5, 0.0, 0.25], "extensions": strength(4.0) }));
    let pointer =
        "/materials/1/extensions/KHR_materials_emissive_strength/emissiveStrength".to_owned();
    add_channel(&mut file, &pointer, "SCALAR", &[1.0, 2.0], &[0.0, 8.0]);
    assert_eq!(look_at(&file.reported().0, 1.5).emissive, Vec3::new(2.0, 0.0, 1.0));
    // A second channel of the same product is refused.
    let factor = "/materials/1/emissiveFactor";
    add_channel(&mut file, factor, "VEC3", &[1.0, 2.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(file.reported().1, [FindingKind::ChannelLeftOut]);
    let mut file = with_material(json!({ "extensions": strength(4.0) }));
    add_channel(&mut file, factor, "VEC3", &[1.0, 2.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(look_at(&file.reported().0, 2.0).emissive, Vec3::splat(4.0));
}

#[test]
fn malformed_channels_of_materials_are_reported_with_their_property() {
    let pointer = "/materials/1/alphaCutoff";
    let mut file = with_material(json!({ "alphaMode": "MASK" }));
    add_channel(&mut file, pointer, "SCALAR", &[1.0, 2.0], &[0.5, 0.2, 0.1]);
    let report = Report::new();
    let model = read(&file.glb(), &report).unwrap();
    assert!(model.clips[ClipId(0)].material_tracks.is_empty());
    let message = report.findings()[0].message.clone();
    let subject = "clip 0 \"lift\", channel 1 (alpha cutoff of material 1): ";
    assert!(message.starts_with(subject), "{message}");
    assert!(message.ends_with("the channel is left out"), "{message}");
    // A material and a sampler that don't exist.
    let mut file = with_material(json!({}));
    add_channel(&mut file, "/materials/7/alphaCutoff", "SCALAR", &[1.0], &[0.5]);
    file.json["animations"][0]["channels"][1]["sampler"] = json!(9);
    assert_eq!(file.reported().1, [FindingKind::ChannelLeftOut]);
    file.json["animations"][0]["channels"][1]["sampler"] = json!(1);
    assert_eq!(file.reported().1, [FindingKind::ChannelLeftOut]);
}

#[test]
fn textures_of_factors_that_start_at_0_are_visible() {
    let texture = json!({ "index": 0 });
    let mut file = with_material(json!({ "emissiveTexture": texture, "occlusionTexture": {
        "index": 0, "strength": 0.0,
    } }));
    file.json["images"] = json!([{ "uri": "glow.png" }]);
    file.json["textures"] = json!([{ "source": 0 }]);
    let roles = |file: &FileJson| {
        let (model, _) = file.reported();
        model.materials[MaterialId(1)]
            .textures
            .iter()
            .map(|texture| texture.role)
            .collect::<Vec<_>>()
    };
    assert_eq!(roles(&file), [TextureRole::Other; 2]);
    let pointer = "/materials/1/emissiveFactor";
    add_channel(&mut file, pointer, "VEC3", &[1.0, 2.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let pointer = "/materials/1/occlusionTexture/strength";
    add_channel(&mut file, pointer, "SCALAR", &[1.0, 2.0], &[0.0, 1.0]);
    assert_eq!(roles(&file), [TextureRole::Occlusion, TextureRole::Emissive]);
    assert_eq!(look_at(&file.reported().0, 1.0).occlusion_strength, 0.0);
}

#[test]
fn written_files_have_the_same_tracks() {
    let mut file = with_material(json!({}));
    for (pointer, kind, values) in [
        ("/materials/1/pbrMetallicRoughness/baseColorFactor", "VEC4", &[1.0f32; 8][..]),
        ("/materials/1/emissiveFactor", "VEC3", &[0.0, 0.0, 0.0, 3.0, 0.0, 1.0]),
        ("/materials/1/extensions/KHR_materials_clearcoat/clearcoatFactor", "SCALAR", &[0.0, 1.0]),
    ] {
        add_channel(&mut file, pointer, kind, &[1.0, 2.0], values);
    }
    let mut model = file.read().unwrap();
    check::check(&mut model, &Report::new());
    let report = Report::new();
    let files = write(&model, &WriteOptions::default(), &report).unwrap();
    assert!(report.findings().is_empty(), "{:?}", report.findings());
    let bytes = &files[0].bytes;
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let used = json["extensionsUsed"].as_array().unwrap();
    assert!(used.contains(&json!("KHR_animation_pointer")), "{used:?}");
    // An animated property must exist, and factors are at most 1.
    let extensions = &json["materials"][1]["extensions"];
    assert_eq!(extensions["KHR_materials_clearcoat"]["clearcoatFactor"], 0.0);
    assert_eq!(extensions["KHR_materials_emissive_strength"]["emissiveStrength"], 4.0);
    let report = Report::new();
    let back = read(bytes, &report).unwrap();
    assert!(report.findings().is_empty(), "{:?}", report.findings());
    assert_eq!(back.clips[ClipId(0)].material_tracks, model.clips[ClipId(0)].material_tracks);
}

#[test]
fn transforms_of_textures_are_animated_and_written() {
    let texture = json!({ "index": 0 });
    let mut file = with_material(json!({
        "pbrMetallicRoughness": { "baseColorTexture": texture },
        "normalTexture": texture,
    }));
    file.json["images"] = json!([{ "uri": "a.png" }]);
    file.json["textures"] = json!([{ "source": 0 }]);
    let part =
        |texture, name| format!("/materials/1/{texture}/extensions/KHR_texture_transform/{name}");
    let base = "pbrMetallicRoughness/baseColorTexture";
    for (pointer, kind, values) in [
        (part(base, "offset"), "VEC2", &[0.0f32, 0.0, 0.5, 1.0][..]),
        (part(base, "scale"), "VEC2", &[1.0, 1.0, 2.0, 1.0]),
        (part("normalTexture", "rotation"), "SCALAR", &[0.0, 1.0]),
        // The material has no such texture.
        (part("emissiveTexture", "rotation"), "SCALAR", &[0.0, 1.0]),
    ] {
        add_channel(&mut file, &pointer, kind, &[0.0, 1.0], values);
    }
    let (mut model, findings) = file.reported();
    assert!(findings.is_empty(), "{findings:?}");
    check::check(&mut model, &Report::new());
    let spec = PoseSpec::at_secs(ClipId(0), 0.5);
    let rest = Affine2::IDENTITY;
    let base_color = TextureRole::BaseColor;
    let posed = posed_texture(&model, MaterialId(1), base_color, &rest, &spec).unwrap();
    let moved = posed.transform_point2(Vec2::new(1.0, 1.0));
    assert!(moved.abs_diff_eq(Vec2::new(1.75, 1.5), 1e-6), "{moved}");

    let report = Report::new();
    let files = write(&model, &WriteOptions::default(), &report).unwrap();
    let lost: Vec<_> = report.findings().into_iter().map(|finding| finding.message).collect();
    let lost: Vec<_> = lost.iter().filter(|message| message.contains("animated")).collect();
    let wanted = "the animated texture rotation (emissive) of material 1 is left out, because no such texture is written";
    assert_eq!(lost, [wanted]);
    let back = read(&files[0].bytes, &Report::new()).unwrap();
    let [tracks, written] = [&back, &model].map(|own| &own.clips[ClipId(0)].material_tracks);
    assert_eq!(tracks[..], written[..3]);
}
