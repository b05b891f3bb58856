//! Component types, strides, sparse values and bounds.

use rigscope_core::model::MeshId;
use serde_json::{Value, json};

use super::*;

/// A file whose first UV set is the accessor that `make` adds.
fn with_uv(make: impl FnOnce(&mut FileJson) -> usize, num: u16) -> FileJson {
    let mut file = FileJson::new();
    let position = file.positions(num);
    let uv = make(&mut file);
    file.with_mesh(json!([{ "attributes": { "POSITION": position, "TEXCOORD_0": uv } }]))
}

fn uvs(file: &FileJson) -> Vec<[f32; 2]> {
    let model = file.read().unwrap();
    let coords = &streams(&model.meshes[MeshId(0)]).uv_sets[0].coords;
    coords.iter().map(|uv| uv.to_array()).collect()
}

#[test]
fn every_component_type_is_read_as_integer_and_as_fraction() {
    let u32_bytes = [u32::MAX.to_le_bytes(), 7u32.to_le_bytes()].concat();
    let f32_bytes = [(-2.5f32).to_le_bytes(), 0.75f32.to_le_bytes()].concat();
    // Component type, bytes of two values, the values, the values as fractions.
    type Row<'a> = (u32, &'a [u8], [f32; 2], [f32; 2]);
    let rows: [Row<'_>; 6] = [
        (I8, &[0x80, 127], [-128.0, 127.0], [-1.0, 1.0]),
        (U8, &[255, 51], [255.0, 51.0], [1.0, 0.2]),
        (I16, &[0, 0x80, 0xff, 0x7f], [-32768.0, 32767.0], [-1.0, 1.0]),
        (U16, &[0xff, 0xff, 0x33, 0x33], [65535.0, 13107.0], [1.0, 0.2]),
        (U32, &u32_bytes, [u32::MAX as f32, 7.0], [1.0, 7.0 / u32::MAX as f32]),
        (F32, &f32_bytes, [-2.5, 0.75], [-2.5, 0.75]),
    ];
    for (component, bytes, plain, fraction) in rows {
        for is_fraction in [false, true] {
            let file = with_uv(
                |file| {
                    let accessor = file.accessor("VEC2", component, 1, bytes);
                    file.json["accessors"][accessor]["normalized"] = json!(is_fraction);
                    accessor
                },
                1,
            );
            let expected = if is_fraction { fraction } else { plain };
            assert_eq!(uvs(&file), [expected], "{component} {is_fraction}");
        }
    }
}

#[test]
fn elements_are_one_stride_apart_after_both_offsets() {
    let file = with_uv(
        |file| {
            let view = file.view(&[9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 5, 6]);
            file.json["bufferViews"][view]["byteStride"] = json!(4);
            file.push(
                "accessors",
                json!({
                    "bufferView": view, "byteOffset": 2, "componentType": U8, "count": 3,
                    "type": "VEC2",
                }),
            )
        },
        3,
    );
    assert_eq!(uvs(&file), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
}

/// Two of three elements replaced, over stored values or over zeros.
fn sparse(over: bool, count: u64, places: &[u8]) -> FileJson {
    let mut values = None;
    let mut file = with_uv(
        |file| {
            let accessor = file.accessor("VEC2", U8, 3, &[1, 2, 3, 4, 5, 6]);
            let index = file.view(places);
            let value = file.view(&[70, 71, 80, 81]);
            values = Some((index, value));
            if !over {
                let accessor = file.json["accessors"][accessor].as_object_mut().unwrap();
                accessor.remove("bufferView");
            }
            accessor
        },
        3,
    );
    let (index, value) = values.unwrap();
    file.json["accessors"][1]["sparse"] = json!({
        "count": count,
        "indices": { "bufferView": index, "componentType": U8 },
        "values": { "bufferView": value },
    });
    file
}

#[test]
fn sparse_values_replace_stored_ones_and_zeros() {
    assert_eq!(uvs(&sparse(true, 2, &[0, 2])), [[70.0, 71.0], [3.0, 4.0], [80.0, 81.0]]);
    assert_eq!(uvs(&sparse(false, 2, &[0, 2])), [[70.0, 71.0], [0.0, 0.0], [80.0, 81.0]]);
    assert_eq!(uvs(&sparse(false, 1, &[1])), [[0.0, 0.0], [70.0, 71.0], [0.0, 0.0]]);
}

#[test]
fn sparse_indices_out_of_range_are_errors() {
    let error = sparse(true, 2, &[0, 3]).error();
    assert_eq!(error, "mesh 0, TEXCOORD_0: accessor 1 replaces element 3 of 3 (glTF sparse)");
    for count in [3, 4, u64::from(u32::MAX), u64::MAX] {
        assert!(sparse(true, count, &[0, 1]).read().is_err(), "{count}");
    }
    let mut file = sparse(true, 2, &[0, 1]);
    file.json["accessors"][1]["sparse"]["indices"]["componentType"] = json!(F32);
    assert!(file.error().contains("no known type"));
    for part in ["indices", "values"] {
        let mut file = sparse(true, 2, &[0, 1]);
        file.json["accessors"][1]["sparse"][part]["bufferView"] = json!(99);
        assert!(file.error().contains("bufferView 99 exceeds"));
        let mut file = sparse(true, 2, &[0, 1]);
        file.json["accessors"][1]["sparse"][part]["byteOffset"] = json!(u64::MAX);
        assert!(file.read().is_err());
    }
}

#[test]
fn ranges_past_the_end_are_errors_before_allocation() {
    let sound = || {
        let mut file = with_uv(|file| file.accessor("VEC2", U8, 3, &[1, 2, 3, 4, 5, 6]), 3);
        file.json["buffers"] = json!([{ "byteLength": file.bin.len() }]);
        file
    };
    assert!(sound().read().is_ok());
    let huge = [u64::from(u32::MAX), u64::from(i32::MAX as u32), 1 << 62, u64::MAX];
    let places: [(&str, usize, &str); 8] = [
        ("accessors", 1, "count"),
        ("accessors", 1, "byteOffset"),
        ("accessors", 1, "bufferView"),
        ("bufferViews", 1, "byteOffset"),
        ("bufferViews", 1, "byteLength"),
        ("bufferViews", 1, "byteStride"),
        ("bufferViews", 1, "buffer"),
        ("buffers", 0, "byteLength"),
    ];
    for (list, at, key) in places {
        for value in huge {
            if matches!(key, "buffer" | "bufferView") && value.trailing_zeros() >= 32 {
                // The crate's types truncate indices to 32 bits, so this one would refer to another
                // object.
                continue;
            }
            let mut file = sound();
            file.json[list][at][key] = json!(value);
            assert!(file.read().is_err(), "{list} {key} {value}");
        }
    }
    let mut file = sound();
    file.json["bufferViews"][1]["byteLength"] = json!(5);
    assert_eq!(
        file.error(),
        "mesh 0, TEXCOORD_0: accessor 1 has 3 elements of 2 bytes at 0, which exceed 5 bytes left \
         (glTF accessors)"
    );
    let mut file = sound();
    file.json["bufferViews"][1]["byteStride"] = json!(1);
    assert!(file.error().contains("stride of 1 bytes for elements of 2 bytes"));
}

#[test]
fn wrong_types_are_refused() {
    let cases: [(&str, Value); 4] = [
        ("type", json!("VEC3")),
        ("type", json!("VEC9")),
        ("componentType", json!(5124)),
        ("componentType", json!("float")),
    ];
    for (key, value) in cases {
        let mut file = with_uv(|file| file.floats("VEC2", &[0.0; 6]), 3);
        file.json["accessors"][1][key] = value.clone();
        assert!(file.read().is_err(), "{key} {value}");
    }
    let few = with_uv(|file| file.floats("VEC2", &[0.0; 4]), 3);
    assert!(few.error().contains("accessor 1 has 2 values for 3 vertices"));
}

#[test]
fn accessors_without_data_are_limited() {
    let mut file = FileJson::new();
    let accessor = json!({ "componentType": F32, "count": 3, "type": "VEC3" });
    let position = file.push("accessors", accessor);
    let mut file = file.with_mesh(json!([{ "attributes": { "POSITION": position } }]));
    assert_eq!(streams(&file.read().unwrap().meshes[MeshId(0)]).positions.len(), 3);
    for count in [100_000_000u64, u64::from(u32::MAX), 1 << 60, u64::MAX] {
        file.json["accessors"][0]["count"] = json!(count);
        assert!(matches!(file.read(), Err(ReadError::Limit(_))), "{count}");
    }
}
