//! Files whose meshes are attached to nodes and have no skin.

use super::*;
use rigscope_core::model::{BoneNoun, MeshId};

/// Both triangles as separate meshes, each attached to its bone.
fn rigid() -> Model {
    let mut model = model(["paint", ""]);
    let whole = model.meshes.as_mut_vec().remove(0);
    for (number, name) in ["body", "wheel"].into_iter().enumerate() {
        let mut mesh = whole.clone();
        mesh.name = name.into();
        mesh.skin = Skin::None;
        mesh.attached_to = Some(BoneId::from_index(number));
        mesh.subsets = vec![mesh.subsets[number]];
        model.meshes.push(mesh);
    }
    model
}

#[test]
fn parents_of_rigid_meshes_are_nodes_and_subsets_include_mesh_names() {
    let mut state = opened();
    load(&mut state, Action::Open("car.glb".into()), rigid());
    let document = state.tab.document.as_ref().unwrap();
    assert_eq!(document.model.bone_noun(), BoneNoun::Node);
    assert_eq!(document.subset_name(0), "body · paint");
    assert_eq!(document.subset_name(1), "wheel", "its material has no name");
    assert_eq!(document.material_name(0), "paint");
    // The distinguishing part comes first because a list may cut off the end.
    let mut car = rigid();
    let wheel = car.meshes[MeshId(1)].subsets[0];
    car.meshes[MeshId(0)].subsets.push(wheel);
    load(&mut state, Action::Open("car.glb".into()), car);
    let document = state.tab.document.as_ref().unwrap();
    let names: Vec<_> = (0..3).map(|row| document.subset_name(row)).collect();
    assert_eq!(names, ["paint · body", "subset 1 · body", "wheel"]);
    // The names of other meshes have the same order.
    let mut car = rigid();
    let wheel = car.meshes[MeshId(1)].subsets[0];
    car.meshes[MeshId(0)].subsets.push(wheel);
    car.meshes[MeshId(1)].subsets[0].material = car.meshes[MeshId(0)].subsets[0].material;
    load(&mut state, Action::Open("car.glb".into()), car);
    let document = state.tab.document.as_ref().unwrap();
    assert_eq!(document.subset_name(2), "paint · wheel");
    let ndc = Vec2::ZERO;
    let hit = PickHit {
        point: Some(PickedPoint { mesh: MeshId(1), vertex: VertexId(3), subset: None }),
        ..PickHit::default()
    };
    state.hover_over(ndc, &hit);
    let lines = state.hover_at(ndc).unwrap().lines.clone();
    let node = document_bone(&state, 1);
    assert_eq!(lines.last(), Some(&format!("attached to node {node}")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("bone")), "{lines:?}");
    state.apply(Action::Select(Selection::Bone(BoneId(1))));
    assert_eq!(state.inspector_facts()[0].title, "Node 1");
}

#[test]
fn skinned_file_with_one_mesh_uses_bones_and_material_names() {
    let state = opened();
    let document = state.tab.document.as_ref().unwrap();
    assert_eq!(document.model.bone_noun(), BoneNoun::Bone);
    assert_eq!(document.subset_name(0), "skin");
}

fn document_bone(state: &AppState, bone: u32) -> String {
    let skeleton = &state.tab.document.as_ref().unwrap().model.skeleton;
    skeleton.display_name(BoneId(bone))
}
