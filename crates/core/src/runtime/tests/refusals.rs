//! Files that make a runtime fail, and features that no compared file had.

use super::*;
use crate::model::{BoneId, MeshId, StoredMesh};

fn refusal(model: &Model, fails_on: Faults) -> Option<String> {
    runtime(Rules { fails_on, ..Rules::EXACT }).refusal(model)
}

#[test]
fn faults_of_the_file_are_refused_by_runtimes_that_fail_on_them() {
    let mut model = two_sets();
    model.stored.has_pointer_channels = true;
    model.stored.has_channels_without_node = true;
    model.stored.depth_first = vec![BoneId(0)];
    let stored = StoredMesh {
        is_mixed: true,
        has_different_targets: true,
        num_color_sets: 2,
        ..StoredMesh::default()
    };
    model.meshes[MeshId(0)].stored = Some(Box::new(stored));
    assert_eq!(refusal(&model, Faults::NONE), None);
    let none = Faults::NONE;
    for (fails_on, text) in [
        (Faults { pointer_channels: true, ..none }, "channels with KHR_animation_pointer"),
        (Faults { channels_without_node: true, ..none }, "channels without a node"),
        (Faults { mixed_meshes: true, ..none }, "nodes with a skin and in nodes without"),
        (Faults { different_targets: true, ..none }, "different numbers of morph targets"),
        (Faults { outside_joints: true, ..none }, "outside the scene"),
        (Faults { second_colors: true, ..none }, "second set of vertex colours"),
    ] {
        assert!(refusal(&model, fails_on).unwrap().contains(text), "{text}");
    }
    assert_eq!(refusal(&model, Faults { partial_targets: true, ..none }), None);
    assert_eq!(refusal(&model, Faults { unweighted: true, ..none }), None);
}

#[test]
fn features_without_a_compared_file_are_listed() {
    let mut model = two_sets();
    let used = ["KHR_materials_ior", "KHR_draco_mesh_compression", "KHR_mesh_quantization"];
    model.stored.used_extensions = used.map(str::to_owned).to_vec();
    let engine = Runtime::of_id("three.js").unwrap();
    assert_eq!(engine.untested(&model), ["KHR_draco_mesh_compression"]);
    assert!(GLTF.untested(&model).is_empty());
}
