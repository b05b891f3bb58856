//! Morph targets, bounds and shared skins.

use super::*;
use crate::model::{
    Bone, BoneId, LocalTransform, MeshId, MorphShape, MorphTarget, StoredMesh, Trs, VertexId,
};

#[test]
fn clips_that_leave_the_bounds_as_loaded_are_reported() {
    let model = |x: f32| {
        ModelBuilder::new()
            .bones(&[("a", None, Vec3::ZERO)])
            .mesh([Vec3::X, Vec3::Y, Vec3::ZERO])
            .indices([0, 1, 2])
            .bound([[(0, 1.0)], [(0, 1.0)], [(0, 1.0)]])
            .clip("walk", 1.0)
            .translation(0, linear([(0.0, Vec3::ZERO), (1.0, Vec3::X * x)]))
            .build()
    };
    let rules = runtime(Rules { culling: Culling::AsLoaded, ..Rules::EXACT });
    let differences = rules.play(&model(3.0)).differences;
    assert_eq!(differences[0].kind, "culled-too-early");
    // Three times the diagonal of the triangle's box, divided by the square root of 2.
    assert!(differences[0].text.contains("up to 212 % of their size"), "{}", differences[0]);
    assert!(rules.play(&model(0.1)).differences.is_empty());
}

#[test]
fn weights_of_the_mesh_apply_if_those_of_the_node_are_ignored() {
    let mut model = two_sets();
    let mesh = &mut model.meshes[MeshId(0)];
    mesh.morph_targets = ["a", "b"]
        .map(|name| MorphTarget {
            name: name.to_owned(),
            default_weight: 0.5,
            ..MorphTarget::default()
        })
        .to_vec();
    let overridden_morph_weights = Some(vec![0.25]);
    mesh.stored = Some(Box::new(StoredMesh { overridden_morph_weights, ..StoredMesh::default() }));
    let played = runtime(Rules { reads_node_weights: false, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "node-weights-ignored");
    let weights =
        played.model.meshes[MeshId(0)].morph_targets.iter().map(|target| target.default_weight);
    assert_eq!(weights.collect::<Vec<_>>(), [0.25, 0.0]);
}

#[test]
fn bones_are_found_by_name_and_skins_are_shared() {
    // Two bones with the same name, and two meshes with skins that differ only in their bones.
    let bones = [("arm", None, Vec3::ZERO), ("arm", None, Vec3::X), ("n", None, Vec3::Y)];
    let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)]; 3];
    let mut builder = ModelBuilder::new().bones(&bones);
    for bone in [0, 1] {
        builder = builder.triangle().skin(skin(&[(bone, Mat4::IDENTITY)], lists));
    }
    let mut model = builder.build();
    for (at, node) in [0, 2].into_iter().enumerate() {
        model.meshes[MeshId::from_index(at)].stored = Some(Box::new(StoredMesh {
            mesh: at,
            skin: Some(at),
            node: Some(BoneId(node)),
            ..StoredMesh::default()
        }));
    }
    model.stored.depth_first = [0, 1, 2].map(BoneId).to_vec();
    let rules = runtime(Rules { binding: Binding::ByName, ..Rules::EXACT });
    let played = rules.play(&model);
    assert_eq!(played.differences[0].kind, "skins-shared");
    assert_eq!(inverse_bind(&played.model.meshes[MeshId(1)]).bones, [BoneId(0)]);
    let moved = |model: &Model, mesh: usize| {
        let posed = &skin_model(model, &PoseSpec::default())[mesh];
        posed.positions[0] - model.meshes[MeshId::from_index(mesh)].position(0).unwrap()
    };
    assert_eq!([moved(&model, 0), moved(&model, 1)], [Vec3::ZERO, Vec3::X]);
    // The second mesh is placed by its node, relative to the node of the first.
    assert_eq!([moved(&played.model, 0), moved(&played.model, 1)], [Vec3::ZERO, Vec3::Y]);
}

#[test]
fn the_scale_of_the_node_of_a_skinned_mesh_is_applied() {
    let mut model = two_sets();
    let scaled = Bone {
        rest_local: LocalTransform::Trs(Trs { scale: Vec3::splat(3.0), ..Trs::IDENTITY }),
        ..Bone::default()
    };
    let node = model.skeleton.push_root(scaled);
    model.meshes[MeshId(0)].stored =
        Some(Box::new(StoredMesh { node: Some(node), ..StoredMesh::default() }));
    let played = runtime(Rules { applies_node_scale: true, ..Rules::EXACT }).play(&model).model;
    let first = |model: &Model| skin_model(model, &PoseSpec::default())[0].positions[2];
    assert!(first(&played).distance(first(&model) * 9.0) < 1e-5);
}

#[test]
fn sparse_targets_and_many_joints_are_refused_or_ignored() {
    let mut model = two_sets();
    let shape = MorphShape {
        vertices: vec![VertexId(0)],
        position_offsets: vec![Vec3::X],
        ..MorphShape::default()
    };
    model.meshes[MeshId(0)].morph_targets.push(MorphTarget::single("wide".to_owned(), shape));
    let has_sparse_targets = true;
    model.meshes[MeshId(0)].stored =
        Some(Box::new(StoredMesh { has_sparse_targets, ..StoredMesh::default() }));
    let played =
        runtime(Rules { sparse_targets: SparseTargets::Ignored, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "sparse-morphs-ignored");
    assert!(played.model.meshes[MeshId(0)].morph_targets[0].shapes[0].vertices.is_empty());
    let refusal = |rules| runtime(rules).refusal(&model);
    let refused = Rules { sparse_targets: SparseTargets::Refused, ..Rules::EXACT };
    assert!(refusal(refused).unwrap().contains("sparse accessors"));
    assert_eq!(refusal(Rules { max_joints: Some(2), ..Rules::EXACT }), None);
    let few = refusal(Rules { max_joints: Some(1), ..Rules::EXACT }).unwrap();
    assert_eq!(few, "a skin has 2 joints, and at most 1 are supported");
}
