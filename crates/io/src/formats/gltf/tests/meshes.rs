//! Primitives, attributes, skins and morph targets.

use glam::{Mat4, Vec2, Vec3, Vec4};
use rigscope_core::model::MeshId;
use serde_json::json;

use super::*;

fn triangles(mesh: &Mesh) -> Vec<u32> {
    mesh.indices.iter().collect()
}

#[test]
fn lists_strips_and_fans_become_triangles() {
    let cases: [(u32, &[u32]); 3] =
        [(4, &[0, 1, 2]), (5, &[0, 1, 2, 1, 3, 2, 2, 3, 4]), (6, &[1, 2, 0, 2, 3, 0, 3, 4, 0])];
    for (mode, expected) in cases {
        let mut file = FileJson::new();
        let position = file.positions(5);
        let index = file.indices(&[0, 1, 2, 3, 4]);
        let attributes = json!({ "POSITION": position });
        let plain = json!([{ "mode": mode, "attributes": attributes }]);
        let indexed = json!([{ "mode": mode, "indices": index, "attributes": attributes }]);
        let mut file = file.with_mesh(plain.clone());
        for primitives in [plain, indexed] {
            file.json["meshes"][0]["primitives"] = primitives;
            let (model, findings) = file.reported();
            assert_eq!(triangles(&model.meshes[MeshId(0)]), expected, "mode {mode}");
            assert_eq!(findings.contains(&FindingKind::SubsetNotTriangles), mode == 4);
        }
    }
}

#[test]
fn lines_strips_loops_and_points_are_loose_geometry_of_one_mesh() {
    let mut file = FileJson::new();
    let position = file.positions(4);
    let index = file.indices(&[3, 1, 0]);
    let attributes = json!({ "POSITION": position });
    let primitive = |mode: u32| json!({ "mode": mode, "attributes": attributes });
    let mut file = file.with_mesh(json!([
        primitive(4),
        json!({ "mode": 0, "attributes": attributes, "indices": index, "material": 1 }),
        primitive(1),
        json!({ "mode": 3, "attributes": attributes, "indices": index }),
        json!({ "mode": 2, "attributes": attributes, "indices": index, "material": 0 }),
        primitive(0),
    ]));
    let (model, findings) = file.reported();
    let [mesh] = &*model.meshes else { panic!("{} meshes", model.meshes.len()) };
    assert_eq!((mesh.num_vertices(), mesh.num_triangles()), (4, 1));
    let parts: Vec<_> =
        mesh.loose.iter().map(|loose| (loose.kind, &loose.indices[..], loose.material)).collect();
    let (lines, points) = (LooseKind::Lines, LooseKind::Points);
    let wanted: [(_, &[u32], _); 5] = [
        (points, &[3, 1, 0], Some(MaterialId(1))),
        (lines, &[0, 1, 2, 3], None),
        (lines, &[3, 1, 1, 0], None),
        (lines, &[3, 1, 1, 0, 0, 3], Some(MaterialId(0))),
        (points, &[0, 1, 2, 3], None),
    ];
    assert_eq!(parts, wanted);
    assert_eq!(findings, [FindingKind::SubsetNotTriangles], "of four vertices one is left");
    let past = file.indices(&[0, 1, 2, 4]);
    file.json["meshes"][0]["primitives"][2]["indices"] = json!(past);
    let mut model = file.read().unwrap();
    rigscope_core::model::check::check(&mut model, &Report::new());
    assert_eq!(model.meshes[MeshId(0)].loose[1].indices, [0, 1]);
    file.json["meshes"][0]["primitives"] = json!([primitive(7)]);
    assert!(file.error().contains("unknown mode"));
    file.json["meshes"][0]["primitives"] = json!([{ "attributes": {} }]);
    let (model, findings) = file.reported();
    assert!(model.meshes.is_empty() && findings == [FindingKind::Dropped]);
}

#[test]
fn primitives_with_the_same_attributes_are_subsets_and_share_vertices() {
    let mut file = FileJson::new();
    let (first, second) = (file.positions(3), file.positions(4));
    let (low, high) = (file.indices(&[0, 1, 2]), file.indices(&[1, 2, 3]));
    let file = file.with_mesh(json!([
        { "attributes": { "POSITION": first }, "indices": low, "material": 1 },
        { "attributes": { "POSITION": second }, "indices": high },
        { "attributes": { "POSITION": first }, "indices": low, "material": 0 },
    ]));
    let model = file.read().unwrap();
    let [mesh] = &*model.meshes else { panic!("{} meshes", model.meshes.len()) };
    assert_eq!(mesh.num_vertices(), 7);
    assert_eq!(triangles(mesh), [0, 1, 2, 4, 5, 6, 0, 1, 2]);
    let subsets: Vec<_> =
        mesh.subsets.iter().map(|s| (s.first_index, s.index_count, s.material)).collect();
    assert_eq!(subsets, [(0, 3, Some(MaterialId(1))), (3, 3, None), (6, 3, Some(MaterialId(0)))]);
}

#[test]
fn an_index_past_a_primitives_vertices_does_not_refer_to_the_next_primitive() {
    let mut file = FileJson::new();
    let (first, second) = (file.positions(3), file.positions(3));
    let (bad, good) = (file.indices(&[0, 1, 3]), file.indices(&[0, 1, 2]));
    let file = file.with_mesh(json!([
        { "attributes": { "POSITION": first }, "indices": bad },
        { "attributes": { "POSITION": second }, "indices": good },
    ]));
    let model = file.read().unwrap();
    assert_eq!(triangles(&model.meshes[MeshId(0)]), [0, 1, u32::MAX, 3, 4, 5]);
}

#[test]
fn primitives_with_different_attributes_are_separate_meshes() {
    let mut file = FileJson::new();
    let position = file.positions(3);
    let file = file.with_mesh(json!([
        { "attributes": { "POSITION": position } },
        { "attributes": { "POSITION": position, "NORMAL": position } },
    ]));
    let model = file.read().unwrap();
    let normals: Vec<_> = model.meshes.iter().map(|m| streams(m).normals.len()).collect();
    assert_eq!(normals, [0, 3], "missing normals stay missing");
}

#[test]
fn colors_tangents_and_uv_sets_are_read() {
    let mut file = FileJson::new();
    let position = file.positions(2);
    let tangent = file.floats("VEC4", &[1.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0]);
    let rgb = file.accessor("VEC3", U8, 2, &[255, 51, 0, 0, 0, 255]);
    let rgba = file.accessor(
        "VEC4",
        U16,
        2,
        &[0xff, 0xff, 0, 0, 0, 0, 0x33, 0x33, 0, 0, 0, 0, 0, 0, 0, 0],
    );
    let uv = file.floats("VEC2", &[0.25, 0.5, 0.0, 1.0]);
    let mut file = file.with_mesh(json!([{ "mode": 0, "attributes": {
        "POSITION": position, "TANGENT": tangent, "COLOR_0": rgb,
        "TEXCOORD_0": uv, "TEXCOORD_2": uv, "TEXCOORD_4000000000": uv, "_OWN": uv,
    } }]));
    let (model, findings) = file.reported();
    let read = streams(&model.meshes[MeshId(0)]);
    assert_eq!(read.tangents[0], Vec4::new(1.0, 0.0, 0.0, -1.0));
    assert_eq!(read.colors, [Vec4::new(1.0, 0.2, 0.0, 1.0), Vec4::new(0.0, 0.0, 1.0, 1.0)]);
    let names: Vec<_> = read.uv_sets.iter().map(|set| &*set.name).collect();
    assert_eq!(names, ["TEXCOORD_0", "", "TEXCOORD_2"], "a set's number is its place");
    assert_eq!(read.uv_sets[2].coords[0], Vec2::new(0.25, 0.5));
    assert_eq!(findings, [FindingKind::UvSetLeftOut]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(rgba);
    let model = file.read().unwrap();
    assert_eq!(streams(&model.meshes[MeshId(0)]).colors[0], Vec4::new(1.0, 0.0, 0.0, 0.2));
}

fn skin_of(model: &Model) -> &InverseBindSkin {
    inverse_bind(&model.meshes[MeshId(0)])
}

fn rows(skin: &InverseBindSkin) -> (&[u32], &[u32], &[f32]) {
    match &skin.influences {
        Influences::Rows { first, slots, weights } => (first, slots, weights),
        Influences::InVertices => panic!("in vertices"),
    }
}

#[test]
fn a_skin_has_bones_and_influences_without_zero_weights() {
    let mut file = skinned();
    file.json["nodes"][0]["translation"] = json!([9, 9, 9]);
    let model = file.read().unwrap();
    let skin = skin_of(&model);
    assert_eq!(skin.bones, [BoneId(1), BoneId(2)]);
    assert_eq!(skin.bone_from_mesh, [Mat4::IDENTITY; 2]);
    assert_eq!(rows(skin), (&[0, 2, 3, 4][..], &[0, 1, 1, 1][..], &[0.5, 0.5, 1.0, 0.25][..]));
    assert_eq!(model.meshes[MeshId(0)].attached_to, None, "its own node moves it not");
    let mut matrices = Mat4::from_translation(Vec3::X).to_cols_array().to_vec();
    matrices.extend(Mat4::from_translation(Vec3::Y).to_cols_array());
    let accessor = file.floats("MAT4", &matrices);
    file.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
    let model = file.read().unwrap();
    assert_eq!(skin_of(&model).bone_from_mesh[1], Mat4::from_translation(Vec3::Y));
    file.json["accessors"][accessor]["count"] = json!(1);
    assert!(file.error().contains("1 matrices for 2 joints"));
}

#[test]
fn several_influence_sets_are_combined_per_vertex() {
    let mut file = skinned();
    let bytes = [1, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let joints = file.accessor("VEC4", U8, 3, &[0; 12]);
    // Without `normalized`, as some exporters write it.
    let weights = file.accessor("VEC4", U8, 3, &bytes);
    let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_1"] = json!(joints);
    attributes["WEIGHTS_1"] = json!(weights);
    let model = file.read().unwrap();
    let (first, _, weights) = rows(skin_of(&model));
    assert_eq!(first, [0, 4, 5, 6]);
    assert_eq!(weights[..4], [0.5, 0.5, 1.0 / 255.0, 1.0]);
}

#[test]
fn missing_joints_skins_and_meshes_are_errors() {
    for bad in [3u64, u64::from(u32::MAX)] {
        let mut file = skinned();
        file.json["skins"][0]["joints"][1] = json!(bad);
        assert!(file.error().contains(&format!("joint {bad} of skin 0 exceeds 3")));
        for key in ["mesh", "skin"] {
            let mut file = skinned();
            file.json["nodes"][0][key] = json!(bad);
            assert!(file.error().contains(&format!("{key} {bad} exceeds 1")));
        }
        for key in ["POSITION", "JOINTS_0", "WEIGHTS_0"] {
            let mut file = skinned();
            file.json["meshes"][0]["primitives"][0]["attributes"][key] = json!(bad + 90);
            assert!(file.read().is_err());
        }
    }
}

#[test]
fn a_skinned_mesh_without_influences_is_attached_to_its_node() {
    let mut file = skinned();
    let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
    attributes.as_object_mut().unwrap().remove("WEIGHTS_0");
    let (model, findings) = file.reported();
    assert_eq!(model.meshes[MeshId(0)].attached_to, Some(BoneId(0)));
    assert!(matches!(model.meshes[MeshId(0)].skin, Skin::None));
    assert_eq!(findings, [FindingKind::SkinWithoutJoints, FindingKind::JointsWithoutWeights]);
}

#[test]
fn morph_targets_have_names_weights_and_only_moved_vertices() {
    let mut file = FileJson::new();
    let position = file.positions(3);
    let offset = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0]);
    let turn = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let mut file = file.with_mesh(json!([
        {
            "attributes": { "POSITION": position },
            "targets": [{ "POSITION": offset, "NORMAL": turn, "TANGENT": turn }, {}],
        },
        { "attributes": { "POSITION": offset }, "targets": [{}, { "POSITION": offset }] },
    ]));
    file.json["meshes"][0]["extras"] = json!({ "targetNames": ["smile", 7] });
    file.json["meshes"][0]["weights"] = json!([0.25, 0.75]);
    let (model, findings) = file.reported();
    let [smile, second] = &model.meshes[MeshId(0)].morph_targets[..] else { panic!("targets") };
    assert_eq!((&*smile.name, smile.default_weight), ("smile", 0.25));
    assert_eq!((&*second.name, second.default_weight), ("", 0.75));
    let moved: Vec<u32> = smile.shapes[0].vertices.iter().map(|v| v.0).collect();
    assert_eq!(moved, [1, 2]);
    assert_eq!(smile.shapes[0].position_offsets, [Vec3::Y * 5.0, Vec3::ZERO]);
    assert_eq!(smile.shapes[0].normal_offsets, [Vec3::ZERO, Vec3::X]);
    assert_eq!(second.shapes[0].vertices[0].0, 4, "behind the first primitive's");
    assert_eq!(findings, [FindingKind::MorphTangentsLeftOut]);
    file.json["nodes"][0]["weights"] = json!([1.0, 0.0]);
    let model = file.read().unwrap();
    assert_eq!(model.meshes[MeshId(0)].morph_targets[0].default_weight, 1.0);
    file.json["buffers"] = json!([{ "byteLength": file.bin.len() }]);
    let text = serde_json::to_string(&file.json).unwrap();
    let escaped = text.replace("targetNames", "target\\u004eames");
    assert_ne!(text, escaped);
    let model = read(&container(escaped.as_bytes(), &file.bin), &Report::new()).unwrap();
    assert_eq!(model.meshes[MeshId(0)].morph_targets[0].name, "smile");
}

#[test]
fn many_nodes_of_one_large_mesh_are_limited() {
    let mut file = FileJson::new();
    let position = file.positions(2000);
    let mut file = file.with_mesh(json!([{ "attributes": { "POSITION": position } }]));
    file.json["nodes"] = Value::Array(vec![json!({ "mesh": 0 }); 20]);
    assert_eq!(file.read().unwrap().meshes.len(), 20);
    file.json["nodes"] = Value::Array(vec![json!({ "mesh": 0 }); 30_000]);
    assert!(matches!(file.read(), Err(ReadError::Limit(_))));
}
