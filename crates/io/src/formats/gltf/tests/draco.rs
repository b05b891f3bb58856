//! Meshes compressed by Draco. The streams are written by Khronos' reference encoder (`draco3dgltf`
//! 1.5.7).

use base64::Engine as _;
use glam::Vec3;
use rigscope_core::model::MeshId;
use serde_json::json;

use super::*;

/// Three quads along y on two joints; the encoder reorders the vertices ("edgebreaker").
const REORDERED: &str = "RFJBQ08CAgEBAAAACAYDBgAAA1/XAf8BEf8CVUD/AlVA/wJVQAT/AAAAAAABAAACAAABAAkDAAACAQQCBAABAQEECQQAAgIBAwkCAAMCAQEBAA0DATAnARADALiVUtVUBQAAUFUAAAAAAAAAAP8PAAAAAAAAAAAAAAAAAAAAAEBADAEBAQEBAgE+AQIDAL+TAAAAAAEAAAABAQEADQMBMCcBEAMAuJWiqqkKAACQqqoKAAAAAAAAAAAA/w8AAAAAAAAAAAAAAAAAAAAAAAAAAIA/DAEBAQALAwEwHwEQAwC4lQaQKgCqAgAAAAAA/wMAAAAAAAAAAAAAAACAPwo=";
/// The same mesh in its original order ("sequential").
const IN_ORDER: &str = "RFJBQ08CAgEAAAAGCAEAAQIBAwICAwQDBQQEBQYFBwYBBAAJAwAABAIEAAEECQQAAgMJAgADAgECAgABAQANAwEIJwE4AwBQhVBVAACAVFVVAFBVAACAVFVVAFBVAACAVFVVAFBVAAAAAAAAAP8PAAAAAQEBAQIBPgECAwC/kwAAAAABAAAAAAEBAA0DASgnARgDAEixAamqqgAAAJCqqgoAAACpqqoAAAAAAAAAAP8PAAAAAQEACwMBKB8BGAMASLEkgKoJoGoCqBoAAAAA/wMAAAAAAAAAAAAAAAAAAAAAQEAMAAAAAAAAAAAAAAAAAAAAAAAAgD8MAAAAAAAAAAAAAIA/Cg==";
/// Half a quantum of the positions, whose longest side is 3, and of the weights.
const PRECISION: f32 = 3.0 / 4095.0 / 2.0 + 1e-6;

fn bytes(text: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

/// A skinned mesh of `stream`, whose accessors have no buffer views.
fn compressed(stream: &[u8]) -> FileJson {
    let mut file = FileJson::new();
    let view = file.view(stream);
    let mut accessor = |kind: &str, component: u32, count: u64| {
        file.push("accessors", json!({ "componentType": component, "count": count, "type": kind }))
    };
    let index = accessor("SCALAR", U16, 18);
    let (position, joints) = (accessor("VEC3", F32, 8), accessor("VEC4", U8, 8));
    let (weights, uv) = (accessor("VEC4", F32, 8), accessor("VEC2", F32, 8));
    let stored = &mut file.json["accessors"][position];
    (stored["min"], stored["max"]) = (json!([0, 0, 0]), json!([1, 3, 0]));
    let mut file = file.with_mesh(json!([{
        "indices": index,
        "attributes": {
            "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights, "TEXCOORD_0": uv,
        },
        "extensions": { "KHR_draco_mesh_compression": {
            "bufferView": view,
            "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2, "TEXCOORD_0": 3 },
        } },
    }]));
    file.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    file.json["nodes"] = json!([
        { "mesh": 0, "skin": 0 },
        { "children": [2], "name": "hip" },
        { "name": "knee", "translation": [0, 1, 0] },
    ]);
    file.json["skins"] = json!([{ "joints": [1, 2] }]);
    file
}

/// Expects the mesh that was compressed, in any order of its vertices.
fn check(mesh: &Mesh) {
    let read = streams(mesh);
    let skin = mesh.inverse_bind().unwrap();
    assert_eq!((mesh.num_vertices(), mesh.num_triangles()), (8, 6));
    let mut found = Vec::new();
    for (vertex, position) in read.positions.iter().enumerate() {
        let corner = position.round();
        assert!(position.abs_diff_eq(corner, PRECISION), "{position}");
        found.push(corner.y * 2.0 + corner.x);
        let uv = read.uv_sets[0].coords[vertex];
        assert!((uv.y - corner.y / 3.0).abs() < 1e-3, "{uv}");
        let mut weights = [0.0; 2];
        mesh.for_each_slot(skin, vertex, |slot, weight| weights[slot as usize] += weight);
        assert!((weights[1] - corner.y / 3.0).abs() < PRECISION, "{weights:?}");
        assert!((weights[0] + weights[1] - 1.0).abs() < 2.0 * PRECISION, "{weights:?}");
    }
    found.sort_by(f32::total_cmp);
    assert_eq!(found, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    for corners in mesh.triangles(0..18) {
        let [a, b, c] = corners.map(|corner| read.positions[corner as usize]);
        assert!((b - a).cross(c - a).z > 0.9, "faces +z");
    }
}

#[test]
fn a_skinned_mesh_is_decoded_in_either_encoding() {
    for stream in [REORDERED, IN_ORDER] {
        let (model, findings) = compressed(&bytes(stream)).reported();
        check(&model.meshes[MeshId(0)]);
        assert_eq!(findings, []);
    }
}

#[test]
fn sequential_data_keeps_the_order_that_morph_targets_need() {
    let mut file = compressed(&bytes(IN_ORDER));
    let offsets: Vec<f32> = (0..8u8).flat_map(|at| [0.0, 0.0, f32::from(at)]).collect();
    let target = file.floats("VEC3", &offsets);
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": target }]);
    let model = file.read().unwrap();
    let shape = &model.meshes[MeshId(0)].morph_targets[0].shapes[0];
    for (vertex, offset) in shape.vertices.iter().zip(&shape.position_offsets) {
        let position = model.meshes[MeshId(0)].position(vertex.index()).unwrap().round();
        assert_eq!(offset.z, position.y * 2.0 + position.x);
    }
}

#[test]
fn decoded_values_replace_plain_ones_and_other_attributes_stay_plain() {
    let mut file = compressed(&bytes(IN_ORDER));
    file.json["extensionsRequired"] = json!([]);
    let wrong = file.view(&[0xff; 96]);
    file.json["accessors"][1]["bufferView"] = json!(wrong);
    let colors = file.accessor("VEC4", U8, 8, &[51; 32]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(colors);
    let model = file.read().unwrap();
    check(&model.meshes[MeshId(0)]);
    assert_eq!(streams(&model.meshes[MeshId(0)]).colors[7].x, 0.2);
}

#[test]
fn primitives_share_accessors_of_different_streams_and_streams_of_different_types() {
    let mut file = compressed(&bytes(IN_ORDER));
    let mut second = file.json["meshes"][0]["primitives"][0].clone();
    let view = file.view(&bytes(REORDERED));
    second["extensions"]["KHR_draco_mesh_compression"]["bufferView"] = json!(view);
    let mut third = second.clone();
    let joints = json!({ "componentType": U16, "count": 8, "type": "VEC4" });
    third["attributes"]["JOINTS_0"] = json!(file.push("accessors", joints));
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().extend([second, third]);
    let model = file.read().unwrap();
    let [mesh] = &*model.meshes else { panic!("{} meshes", model.meshes.len()) };
    assert_eq!((mesh.num_vertices(), mesh.num_triangles()), (24, 18));
    let corner = |vertex| mesh.position(vertex).unwrap().round();
    assert_eq!([corner(0), corner(8)], [Vec3::ZERO, Vec3::new(1.0, 3.0, 0.0)]);
    assert_eq!(corner(8), corner(16), "the same stream");
}

#[test]
fn strips_are_stored_as_single_triangles() {
    let mut file = compressed(&bytes(REORDERED));
    file.json["meshes"][0]["primitives"][0]["mode"] = json!(5);
    file.json["accessors"][0]["count"] = json!(8);
    let (model, findings) = file.reported();
    check(&model.meshes[MeshId(0)]);
    assert_eq!(findings, []);
}

#[test]
fn other_counts_are_reported_and_the_decoded_ones_are_used() {
    let mut file = compressed(&bytes(REORDERED));
    for (accessor, count) in [(0, 15), (1, 6), (2, 6), (3, 6), (4, 6)] {
        file.json["accessors"][accessor]["count"] = json!(count);
    }
    file.json["meshes"][0]["name"] = json!("leg");
    let report = Report::new();
    let model = read(&file.glb(), &report).unwrap();
    check(&model.meshes[MeshId(0)]);
    let [finding] = &report.findings()[..] else { panic!("{:?}", report.findings()) };
    assert_eq!(finding.kind, FindingKind::DracoCountDiffers);
    let wanted = "mesh 0 \"leg\", primitive 0: the Draco data has 8 vertices, but accessor 1 \
                  states 6";
    assert!(finding.message.starts_with(wanted), "{}", finding.message);
    assert!(
        finding.message.contains("18 indices, but accessor 0 states 15"),
        "{}",
        finding.message
    );
}

#[test]
fn data_that_contradicts_its_description_is_an_error_with_its_place() {
    let error = |change: &dyn Fn(&mut FileJson)| {
        let mut file = compressed(&bytes(REORDERED));
        change(&mut file);
        file.error()
    };
    fn extension(file: &mut FileJson) -> &mut Value {
        let primitive = &mut file.json["meshes"][0]["primitives"][0];
        &mut primitive["extensions"]["KHR_draco_mesh_compression"]
    }
    let text = error(&|file| extension(file)["attributes"]["POSITION"] = json!(9));
    assert!(
        text.contains(
            "mesh 0, primitive 0, POSITION: the Draco data has no attribute with the id 9"
        )
    );
    let text = error(&|file| extension(file)["attributes"]["POSITION"] = json!("x"));
    assert!(text.contains("the id of POSITION is not an integer"), "{text}");
    let text = error(&|file| extension(file)["bufferView"] = json!(7));
    assert!(text.contains("bufferView 7 exceeds 1"), "{text}");
    let text = error(&|file| extension(file)["bufferView"] = json!(-1));
    assert!(text.contains("bufferView is not an index"), "{text}");
    let text = error(&|file| file.json["accessors"][1]["type"] = json!("VEC4"));
    assert!(text.contains("has 3 components, but accessor 1 states 4"), "{text}");
    let text = error(&|file| file.json["accessors"][1]["componentType"] = json!(U8));
    assert!(text.contains("doesn't fit the type of accessor 1"), "{text}");
    let text = error(&|file| file.json["accessors"][0]["count"] = json!(3));
    assert!(text.contains("primitive 0: the Draco data can't be decoded"), "{text}");
    let text = error(&|file| file.json["accessors"][1]["count"] = json!(u64::MAX));
    assert!(text.contains("more memory"), "{text}");
}

#[test]
fn damaged_data_is_an_error_and_never_a_panic() {
    for stream in [REORDERED, IN_ORDER] {
        let stream = bytes(stream);
        for len in 0..stream.len() - 1 {
            let _ = compressed(&stream[..len]).read();
        }
        assert!(compressed(&stream[..40]).error().contains("Draco data can't be decoded"));
        for at in 0..stream.len() {
            for bit in [0, 4, 7] {
                let mut damaged = stream.clone();
                damaged[at] ^= 1 << bit;
                let _ = compressed(&damaged).read();
            }
        }
    }
}

#[test]
fn the_byte_map_has_one_span_for_the_stream() {
    let file = compressed(&bytes(IN_ORDER));
    let report = Report::new();
    report.open_spans();
    let model = read(&file.glb(), &report).unwrap();
    let spans = &model.provenance.spans;
    let of_stream = spans.iter().filter(|span| span.element == Element::Compressed);
    assert_eq!(of_stream.map(|span| span.len).collect::<Vec<_>>(), [file.bin.len() as u64]);
    assert!(!spans.iter().any(|span| matches!(span.element, Element::Vertex { .. })));
}
