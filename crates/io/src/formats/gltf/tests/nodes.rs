//! Trees of nodes, scenes and rest transforms.

use glam::{Affine3A, Quat, Vec3};
use rigscope_core::model::BoneId;
use serde_json::json;

use super::*;

fn with_nodes(nodes: Value) -> FileJson {
    let mut file = FileJson::new();
    file.json["nodes"] = nodes;
    file
}

#[test]
fn a_hidden_node_hides_its_descendants_meshes() {
    let mut file = FileJson::new();
    let position = file.positions(3);
    let mut file = file.with_mesh(json!([{ "attributes": { "POSITION": position } }]));
    let visible = |value: Value| json!({ "KHR_node_visibility": { "visible": value } });
    file.json["nodes"] = json!([
        { "mesh": 0 },
        { "mesh": 0, "extensions": visible(json!(false)), "children": [2] },
        { "children": [3], "extensions": visible(json!(true)) },
        { "mesh": 0 },
        { "mesh": 0, "extensions": visible(json!(true)) },
    ]);
    file.json["extensionsRequired"] = json!(["KHR_node_visibility"]);
    let (model, findings) = file.reported();
    let hidden: Vec<_> = model.hidden_parts().collect();
    assert_eq!((hidden, findings), (vec![false, true, true, false], vec![]));
}

#[test]
fn nodes_are_bones_in_file_order_with_their_transforms() {
    let model = with_nodes(json!([
        { "name": "hand", "rotation": [0, 0, 2, 0] },
        { "children": [0], "translation": [1, 2, 3], "scale": [1, 1, 2] },
        { "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1], "rotation": [0, 0, 0, 0] },
        { "rotation": [0, 0, 0, 0] },
    ]))
    .read()
    .unwrap();
    let bones = model.skeleton.bones();
    assert_eq!(bones[BoneId(0)].name, "hand");
    assert_eq!(bones[BoneId(0)].parent, Some(BoneId(1)));
    let trs = bones[BoneId(0)].rest_local.to_trs();
    assert_eq!(trs.rotation, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
    let trs = bones[BoneId(1)].rest_local.to_trs();
    assert_eq!(trs.translation, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(trs.scale, Vec3::new(1.0, 1.0, 2.0));
    let moved = Affine3A::from_scale_rotation_translation(
        Vec3::splat(2.0),
        Quat::IDENTITY,
        Vec3::new(5.0, 6.0, 7.0),
    );
    assert_eq!(bones[BoneId(2)].rest_local, LocalTransform::Matrix(moved));
    assert_eq!(bones[BoneId(3)].rest_local.to_trs().rotation, Quat::IDENTITY);
    assert_eq!(model.axes.unit_meters, Some(1.0));
}

#[test]
fn a_node_cycle_is_an_error() {
    let rings = [
        json!([{ "children": [0] }]),
        json!([{ "children": [1] }, { "children": [0] }]),
        json!([{ "children": [1] }, { "children": [2] }, { "children": [0] }]),
    ];
    for ring in rings {
        assert!(with_nodes(ring).error().contains("is its own ancestor"));
    }
}

#[test]
fn a_node_with_two_parents_is_an_error() {
    let error = with_nodes(json!([{ "children": [2] }, { "children": [2] }, {}])).error();
    assert_eq!(error, "node 2 is a child of node 0 and of node 1 (glTF nodes)");
    let twice = with_nodes(json!([{ "children": [1, 1] }, {}]));
    assert!(matches!(twice.read(), Err(ReadError::Malformed(_))));
}

#[test]
fn a_missing_child_or_scene_is_an_error() {
    for child in [1u64, 9, u64::from(u32::MAX)] {
        let error = with_nodes(json!([{ "children": [child] }])).error();
        assert!(error.contains(&format!("child {child} of node 0 exceeds 1")), "{error}");
    }
    let mut file = with_nodes(json!([{}]));
    file.json["scenes"] = json!([{ "nodes": [7] }]);
    assert!(file.error().contains("node 7 exceeds 1"));
    file.json["scene"] = json!(1);
    assert!(file.error().contains("scene 1 exceeds 1"));
}

#[test]
fn the_longest_allowed_chain_of_nodes_does_not_overflow_the_stack() {
    let num = 60_000;
    let nodes: Vec<Value> = (1..=num).map(|child| json!({ "children": [child] })).collect();
    let mut file = with_nodes(Value::Array(nodes));
    file.push("nodes", json!({}));
    file.json["scenes"] = json!([{ "nodes": [0] }]);
    assert_eq!(file.read().unwrap().skeleton.len(), num + 1);
    let many = with_nodes(Value::Array(vec![json!({}); 70_000]));
    assert!(matches!(many.read(), Err(ReadError::Limit(_))));
}

#[test]
fn only_the_default_scene_s_meshes_are_shown() {
    let mut file = FileJson::new();
    let position = file.positions(3);
    let mut file = file.with_mesh(json!([{ "attributes": { "POSITION": position } }]));
    file.json["nodes"] = json!([{ "mesh": 0 }, { "children": [2] }, { "mesh": 0 }]);
    let shown = |file: &FileJson| -> Vec<Option<u32>> {
        let model = file.read().unwrap();
        let meshes = model.meshes.iter();
        meshes.map(|mesh| mesh.attached_to.map(|bone| bone.0)).collect()
    };
    assert_eq!(shown(&file), [Some(0), Some(2)], "no scene: all nodes");
    file.json["scenes"] = json!([{ "nodes": [0] }, { "nodes": [1] }]);
    assert_eq!(shown(&file), [Some(0)], "the first");
    file.json["scene"] = json!(1);
    assert_eq!(shown(&file), [Some(2)]);
    assert_eq!(file.reported().1, [FindingKind::MeshesOutsideScene]);
}

/// Nodes 0 to 4: an armature, its joint, a prop at the joint, the mesh's own node, and a second armature
/// whose joint no mesh uses.
#[test]
fn joints_and_their_ancestors_are_bones() {
    let mut file = with_nodes(json!([
        { "children": [1, 3] }, { "children": [2] }, {}, { "name": "mesh" }, { "scale": [0, 0, 0] },
    ]));
    let position = file.positions(3);
    file.json["meshes"] = json!([{ "primitives": [{ "attributes": { "POSITION": position } }] }]);
    let kinds = |file: &FileJson| -> Vec<_> {
        file.read().unwrap().skeleton.bones().iter().map(|bone| bone.kind).collect()
    };
    use BoneKind::{Bone, Node};
    assert_eq!(kinds(&file), [Node; 5], "nothing is skinned");
    file.json["skins"] = json!([{ "joints": [1] }, { "joints": [4] }]);
    assert_eq!(kinds(&file), [Bone, Bone, Node, Node, Bone]);
    file.json.as_object_mut().unwrap().remove("skins");
    file.json.as_object_mut().unwrap().remove("meshes");
    assert_eq!(kinds(&file), [Bone; 5], "an animation of a skeleton");
}
