//! Truncated files, arbitrary numbers and malformed compressed views.

use glam::Vec3;
use rigscope_core::model::MeshId;
use serde_json::json;

use super::*;
use crate::formats::open;

/// Reads and checks; only a panic fails.
fn survive(bytes: Vec<u8>) -> bool {
    let options = ReadOptions { format: Some("gltf".into()), ..ReadOptions::default() };
    let opened = open(&Source::new("a.glb", bytes), &options, &Report::new());
    let is_read = opened.is_ok();
    if let Ok(opened) = opened {
        let _ = rigscope_core::pose::skin_model(
            &opened.model,
            &rigscope_core::pose::PoseSpec::default(),
        );
    }
    is_read
}

#[test]
fn a_truncated_container_is_always_an_error() {
    let bytes = skinned().glb();
    assert!(survive(bytes.clone()));
    for len in 0..bytes.len() {
        assert!(!survive(bytes[..len].to_vec()), "cut to {len}");
    }
}

/// Paths of all numbers below `value`.
fn numbers(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(path.to_owned()),
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                numbers(value, &format!("{path}/{at}"), found);
            }
        }
        Value::Object(map) => {
            for (key, value) in map {
                numbers(value, &format!("{path}/{key}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn no_number_causes_a_panic() {
    let mut file = skinned();
    file.json["buffers"] = json!([{ "byteLength": file.bin.len() }]);
    let mut paths = Vec::new();
    numbers(&file.json, "", &mut paths);
    assert!(paths.len() > 50);
    let hostile = [
        json!(0),
        json!(1),
        json!(3),
        json!(255),
        json!(65_536),
        json!(u32::MAX - 1),
        json!(u32::MAX),
        json!(1u64 << 32),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(-1),
        json!(1e39),
        json!(null),
        json!("text"),
    ];
    for path in &paths {
        for value in &hostile {
            let mut changed = FileJson { json: file.json.clone(), bin: file.bin.clone() };
            *changed.json.pointer_mut(path).unwrap() = value.clone();
            survive(changed.glb());
        }
    }
}

/// Positions in a compressed view, as the extensions define it.
fn compressed(name: &str, extension: Value, encoded: &[u8], num: u64) -> FileJson {
    let mut file = FileJson::new();
    let view = file.view(encoded);
    file.json["buffers"] = json!([{ "byteLength": file.bin.len() }, { "byteLength": 1 << 20 }]);
    let mut extension = extension;
    extension["buffer"] = json!(0);
    extension["byteLength"] = json!(encoded.len());
    file.json["bufferViews"][view] = json!({
        "buffer": 1, "byteLength": num * 12, "byteStride": 12, "extensions": { name: extension },
    });
    let accessor = json!({
        "bufferView": view, "componentType": F32, "count": num, "type": "VEC3",
    });
    let position = file.push("accessors", accessor);
    file.with_mesh(json!([{ "attributes": { "POSITION": position } }]))
}

fn points() -> (Vec<[f32; 3]>, Vec<u8>) {
    let points: Vec<[f32; 3]> = (0..6u8).map(|at| [f32::from(at), 0.5, -1.0]).collect();
    let encoded = meshopt::encode_vertex_buffer(&points).unwrap();
    (points, encoded)
}

#[test]
fn both_compression_extensions_are_read() {
    let (points, encoded) = points();
    for name in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let extension = json!({ "byteStride": 12, "count": 6, "mode": "ATTRIBUTES" });
        let model = compressed(name, extension, &encoded, 6).read().unwrap();
        let expected: Vec<Vec3> = points.iter().map(|&p| Vec3::from(p)).collect();
        assert_eq!(streams(&model.meshes[MeshId(0)]).positions, expected);
    }
}

#[test]
fn compressed_views_with_invalid_counts_strides_or_modes_are_errors() {
    let (_, encoded) = points();
    let extension = |stride: u64, count: u64, mode: &str, filter: &str| json!({ "byteStride": stride, "count": count, "mode": mode, "filter": filter });
    let cases = [
        extension(12, 5, "ATTRIBUTES", "NONE"),
        extension(12, 4000, "ATTRIBUTES", "NONE"),
        extension(12, u64::from(u32::MAX), "ATTRIBUTES", "NONE"),
        extension(12, u64::MAX, "ATTRIBUTES", "NONE"),
        extension(0, 6, "ATTRIBUTES", "NONE"),
        extension(6, 6, "ATTRIBUTES", "NONE"),
        extension(260, 6, "ATTRIBUTES", "NONE"),
        extension(16, 6, "ATTRIBUTES", "NONE"),
        extension(12, 6, "ATTRIBUTES", "OCTAHEDRAL"),
        extension(12, 6, "ATTRIBUTES", "QUATERNION"),
        extension(12, 6, "ATTRIBUTES", "COLOR"),
        extension(12, 6, "ATTRIBUTES", "OTHER"),
        extension(4, 6, "TRIANGLES", "EXPONENTIAL"),
        extension(4, 7, "TRIANGLES", "NONE"),
        extension(3, 6, "TRIANGLES", "NONE"),
        extension(4, 6, "TRIANGLES", "NONE"),
        extension(2, 6, "INDICES", "NONE"),
        extension(8, 6, "INDICES", "NONE"),
        extension(12, 6, "", "NONE"),
        json!({ "count": -1 }),
        json!(7),
    ];
    for case in cases {
        if !case.is_object() {
            continue;
        }
        let file = compressed("EXT_meshopt_compression", case.clone(), &encoded, 6);
        assert!(file.read().is_err(), "{case}");
    }
}

#[test]
fn compressed_indices_out_of_range_are_reported_like_others() {
    for (mode, indices) in [
        ("TRIANGLES", &[0, 1, 2, 2, 1, 70_000][..]),
        ("TRIANGLES", &[0, 1, 4]),
        ("INDICES", &[0, 1, u32::MAX - 1]),
        ("INDICES", &[0, 1, 70_000, 2, 1, 0]),
    ] {
        let bytes = match mode {
            "TRIANGLES" => meshopt::encode_index_buffer(indices, 70_001).unwrap(),
            _ => meshopt::encode_index_sequence(indices, 70_001).unwrap(),
        };
        let mut file = FileJson::new();
        let position = file.positions(4);
        let view = file.view(&bytes);
        let num_bytes = indices.len() * 4;
        file.json["buffers"] =
            json!([{ "byteLength": file.bin.len() }, { "byteLength": num_bytes }]);
        file.json["bufferViews"][view] = json!({
            "buffer": 1, "byteLength": num_bytes,
            "extensions": { "EXT_meshopt_compression": {
                "buffer": 0, "byteOffset": file.json["bufferViews"][view]["byteOffset"],
                "byteLength": bytes.len(), "byteStride": 4, "count": indices.len(), "mode": mode,
            } },
        });
        let accessor = json!({
            "bufferView": view, "componentType": U32, "count": indices.len(), "type": "SCALAR",
        });
        let accessor = file.push("accessors", accessor);
        let glb = file
            .with_mesh(json!([{ "attributes": { "POSITION": position }, "indices": accessor }]))
            .glb();
        let report = Report::new();
        let options = ReadOptions { format: Some("gltf".into()), ..ReadOptions::default() };
        let model = open(&Source::new("a.glb", glb), &options, &report).unwrap().model;
        let is_reported =
            report.findings().iter().any(|finding| finding.kind == FindingKind::IndexOutOfRange);
        assert!(is_reported, "{indices:?}: {:?}", report.findings());
        assert_eq!(rigscope_core::model::check::verify(&model), Ok(()));
    }
}

#[test]
fn damaged_compressed_bytes_never_panic() {
    let (_, encoded) = points();
    let triangles = meshopt::encode_index_buffer(&[0, 1, 2, 2, 1, 3], 4).unwrap();
    let sequence = meshopt::encode_index_sequence(&[0, 1, 2, 2, 1, 3], 4).unwrap();
    let strides: [(&str, &str, u64, &[u8]); 9] = [
        ("ATTRIBUTES", "NONE", 12, &encoded),
        ("ATTRIBUTES", "EXPONENTIAL", 12, &encoded),
        ("ATTRIBUTES", "QUATERNION", 8, &encoded),
        ("ATTRIBUTES", "OCTAHEDRAL", 4, &encoded),
        ("ATTRIBUTES", "OCTAHEDRAL", 8, &encoded),
        ("ATTRIBUTES", "COLOR", 4, &encoded),
        ("ATTRIBUTES", "COLOR", 8, &encoded),
        ("TRIANGLES", "NONE", 2, &triangles),
        ("INDICES", "NONE", 4, &sequence),
    ];
    for (mode, filter, stride, bytes) in strides {
        for count in [3u64, 6, 18, 36, 300] {
            for at in 0..=bytes.len() {
                let extension = json!({
                    "byteStride": stride, "count": count, "mode": mode, "filter": filter,
                });
                let mut changed = bytes.to_vec();
                if let Some(byte) = changed.get_mut(at) {
                    *byte ^= 0xff;
                }
                let cut = &bytes[..at];
                for bytes in [&changed[..], cut] {
                    survive(
                        compressed("EXT_meshopt_compression", extension.clone(), bytes, 1).glb(),
                    );
                }
            }
        }
    }
}

#[test]
fn text_of_a_million_small_objects_is_limited() {
    let mut text = br#"{"asset":{"version":"2.0"},"nodes":[{}"#.to_vec();
    text.extend(b",{}".repeat(1_000_000));
    text.extend(b"]}");
    assert!(matches!(read(&text, &Report::new()), Err(ReadError::Limit(_))));
}
