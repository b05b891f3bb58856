//! Instances of meshes (`EXT_mesh_gpu_instancing`).

use glam::Vec3;
use rigscope_core::model::MeshId;
use serde_json::json;

use super::*;

/// A triangle at x = 0, 1 and 2 with normals, and instances of it by `attributes`.
fn instanced(attributes: impl Fn(&mut FileJson) -> Value) -> FileJson {
    let mut file = FileJson::new();
    let position = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let normal = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let target = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let attributes = attributes(&mut file);
    let mut file = file.with_mesh(json!([{
        "attributes": { "POSITION": position, "NORMAL": normal },
        "targets": [{ "POSITION": target }],
    }]));
    file.json["nodes"][0]["translation"] = json!([0, 9, 0]);
    file.json["nodes"][0]["extensions"] =
        json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
    file.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    file.json["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
    file
}

#[test]
fn instances_are_one_mesh_in_the_space_of_the_node() {
    let file = instanced(|file| {
        let moves = file.floats("VEC3", &[5.0, 0.0, 0.0, 0.0, 0.0, 7.0]);
        // A half turn about x, as normalized bytes, and none.
        let turns = file.accessor("VEC4", I8, 2, &[127, 0, 0, 0, 0, 0, 0, 127]);
        file.json["accessors"][turns]["normalized"] = json!(true);
        let scales = file.floats("VEC3", &[2.0, 2.0, 2.0, -1.0, 1.0, 1.0]);
        json!({ "TRANSLATION": moves, "ROTATION": turns, "SCALE": scales, "_ID": moves })
    });
    let (model, findings) = file.reported();
    assert_eq!(findings, []);
    let [mesh] = &*model.meshes else { panic!("{} meshes", model.meshes.len()) };
    assert_eq!((mesh.attached_to, mesh.subsets.len()), (Some(BoneId(0)), 1));
    let wanted = [[5, 0, 0], [7, 0, 0], [5, -2, 0], [0, 0, 7], [-1, 0, 7], [0, 1, 7]];
    for (vertex, wanted) in wanted.iter().enumerate() {
        let wanted = Vec3::from(wanted.map(|at: i16| f32::from(at)));
        assert!(mesh.position(vertex).unwrap().abs_diff_eq(wanted, 1e-5), "{vertex}");
    }
    let triangles: Vec<u32> = mesh.indices.iter().collect();
    assert_eq!(triangles, [0, 1, 2, 3, 5, 4], "a mirrored instance keeps its front");
    for (vertex, z) in [(0, -1.0), (3, 1.0)] {
        assert!(mesh.normal(vertex).unwrap().abs_diff_eq(Vec3::Z * z, 1e-5), "{vertex}");
    }
    let shape = &mesh.morph_targets[0].shapes[0];
    assert_eq!(shape.vertices, [VertexId(2), VertexId(5)]);
    assert!(shape.position_offsets[0].abs_diff_eq(Vec3::Z * -2.0, 1e-5));
}

#[test]
fn without_transforms_the_mesh_is_shown_once() {
    for attributes in [json!({}), json!({ "_ID": 0 })] {
        let file = instanced(|_| attributes.clone());
        assert_eq!(file.read().unwrap().meshes[MeshId(0)].num_vertices(), 3);
    }
}

#[test]
fn attributes_of_different_lengths_are_an_error() {
    let file = instanced(|file| {
        let (moves, scales) = (file.positions(2), file.positions(3));
        json!({ "TRANSLATION": moves, "SCALE": scales })
    });
    assert!(file.error().contains("node 0: attributes of 2 and of 3 instances"));
    let file = instanced(|_| json!({ "SCALE": "x" }));
    assert!(file.error().contains("SCALE is not an index"));
}

#[test]
fn skinned_meshes_and_too_many_instances_are_reported() {
    let mut file = skinned();
    let moves = file.positions(4);
    file.json["nodes"][0]["extensions"] =
        json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": moves } } });
    let report = Report::new();
    let model = read(&file.glb(), &report).unwrap();
    assert_eq!(model.meshes[MeshId(0)].num_vertices(), 3);
    let [finding] = &report.findings()[..] else { panic!("{:?}", report.findings()) };
    assert_eq!(finding.kind, FindingKind::InstancesLeftOut);
    assert_eq!(
        finding.message,
        "node 0: 3 of 4 instances of mesh 0 aren't shown, because it is skinned"
    );

    let mut file = FileJson::new();
    let position = file.accessor("VEC3", F32, 60_000, &[0; 12 * 60_000]);
    let moves = file.accessor("VEC3", F32, 60_000, &[0; 12 * 60_000]);
    let mut file = file.with_mesh(json!([{ "mode": 0, "attributes": { "POSITION": position } }]));
    file.json["nodes"][0]["extensions"] =
        json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": moves } } });
    let report = Report::new();
    let model =
        (GLTF.reader.read)(&Source::new("a.glb", file.glb()), &ReadOptions::default(), &report);
    let shown = model.unwrap().meshes[MeshId(0)].num_vertices() / 60_000;
    let finding = report.findings().into_iter().find(|n| n.kind == FindingKind::InstancesLeftOut);
    let message = finding.unwrap().message;
    assert!((100..1000).contains(&shown), "{shown}");
    assert!(message.contains("of 60,000 instances of mesh 0 aren't shown"), "{message}");
}
