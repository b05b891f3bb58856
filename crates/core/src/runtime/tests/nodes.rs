//! Nodes: split, decomposed, with rotations of other lengths, and meshes without joints.

use glam::Affine3A;

use super::*;
use crate::model::{
    Bone, BoneId, LocalTransform, LooseGeometry, LooseKind, MeshId, StoredMesh, StoredTarget,
};

fn stored(model: &mut Model, mesh: usize, stored: StoredMesh) {
    model.meshes[MeshId::from_index(mesh)].stored = Some(Box::new(stored));
}

fn rest(model: &Model, mesh: usize) -> Vec3 {
    skin_model(model, &PoseSpec::default())[mesh].positions[0]
}

/// A skinned mesh in a moved node, with an unskinned mesh below it.
fn skinned_with_child() -> Model {
    let bones =
        [("joint", None, Vec3::ZERO), ("skinned", None, Vec3::X), ("child", Some(1), Vec3::Y)];
    let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)]; 3];
    let mut model = ModelBuilder::new()
        .bones(&bones)
        .triangle()
        .skin(skin(&[(0, Mat4::IDENTITY)], lists))
        .mesh([Vec3::ZERO])
        .attached_to(2)
        .clip("move", 1.0)
        .translation(1, linear([(0.0, Vec3::X), (1.0, Vec3::Z)]))
        .build();
    let (skin, node) = (Some(0), Some(BoneId(1)));
    stored(&mut model, 0, StoredMesh { skin, node, ..StoredMesh::default() });
    model
}

#[test]
fn nodes_of_skinned_meshes_lose_their_transform_for_children() {
    let model = skinned_with_child();
    let played = runtime(Rules { splits_skinned_nodes: true, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "skinned-nodes-split");
    assert_eq!(rest(&model, 1), Vec3::X + Vec3::Y);
    assert_eq!(rest(&played.model, 1), Vec3::Y);
    // The clip moves the mesh instead of the child.
    let at_end = skin_model(&played.model, &PoseSpec::linear(None, 1.0));
    assert_eq!(at_end[1].positions[0], Vec3::Y);
    let moved = at_end[0].positions[0] - rest(&model, 0);
    assert!(moved.distance(Vec3::Z) < 1e-6, "{moved}");
    let plain = turning(Interpolation::Linear);
    let rules = Rules { splits_skinned_nodes: true, ..Rules::EXACT };
    assert!(runtime(rules).play(&plain).differences.is_empty());
}

#[test]
fn rotations_of_nodes_are_used_as_stored() {
    let mut model = ModelBuilder::new()
        .bones(&[("a", None, Vec3::ZERO)])
        .mesh([Vec3::X])
        .attached_to(0)
        .build();
    model.stored.raw_rotations.push((BoneId(0), Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)));
    let played = |node_rotations| runtime(Rules { node_rotations, ..Rules::EXACT }).play(&model);
    let raw = played(NodeRotations::Raw);
    assert_eq!(raw.differences[0].kind, "node-rotations-unnormalized");
    assert_eq!(rest(&raw.model, 0), Vec3::X);
    assert_eq!(rest(&played(NodeRotations::Homogeneous).model, 0), Vec3::X * 4.0);
    assert!(played(NodeRotations::Normalized).differences.is_empty());
}

#[test]
fn shear_of_matrices_is_dropped() {
    let mut sheared = Affine3A::IDENTITY;
    sheared.matrix3.y_axis.x = 0.5;
    let model = |matrix| {
        let rest_local = LocalTransform::Matrix(matrix);
        let bone = Bone { rest_local, ..Bone::default() };
        ModelBuilder::new().add_bone(bone).mesh([Vec3::Y]).attached_to(0).build()
    };
    let rules = runtime(Rules { matrix_nodes: MatrixNodes::DecomposedToUnit, ..Rules::EXACT });
    let played = rules.play(&model(sheared));
    assert_eq!(played.differences[0].kind, "shear-dropped");
    let length = Vec3::new(0.5, 1.0, 0.0).length();
    assert!((rest(&played.model, 0).length() - length).abs() < 1e-6);
    let mirrored = Affine3A::from_scale(Vec3::new(-2.0, 3.0, 1.0));
    assert!(rules.play(&model(mirrored)).differences.is_empty());
}

#[test]
fn primitives_without_joints_are_placed_by_the_runtime() {
    let bones = [("a", None, Vec3::Z), ("b", None, Vec3::Y), ("node", None, Vec3::X)];
    let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)]; 3];
    let mut model = ModelBuilder::new()
        .bones(&bones)
        .triangle()
        .skin(skin(&[(0, Mat4::IDENTITY), (1, Mat4::IDENTITY)], lists))
        .mesh([Vec3::ONE])
        .attached_to(2)
        .build();
    for mesh in 0..2 {
        let (skin, node) = (Some(0), Some(BoneId(2)));
        stored(&mut model, mesh, StoredMesh { skin, node, ..StoredMesh::default() });
    }
    for (jointless, place) in [
        (Jointless::InNode, Vec3::ONE + Vec3::X),
        (Jointless::InScene, Vec3::ONE),
        (Jointless::AtOrigin, Vec3::X),
        (Jointless::ToSecondJoint, Vec3::ONE + Vec3::Y),
    ] {
        let played = runtime(Rules { jointless, ..Rules::EXACT }).play(&model);
        assert_eq!(rest(&played.model, 1), place, "{jointless:?}");
    }
}

#[test]
fn points_and_lines_follow_their_node_instead_of_bones() {
    let mut model = skinned_with_child();
    model.meshes[MeshId(0)].indices = Default::default();
    model.meshes[MeshId(0)].loose =
        vec![LooseGeometry { kind: LooseKind::Points, indices: vec![0, 1, 2], material: None }];
    let played = runtime(Rules { skins_loose: false, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "loose-unskinned");
    let moved = rest(&played.model, 0) - rest(&model, 0);
    assert!(moved.distance(Vec3::X) < 1e-6, "{moved}");
}

#[test]
fn instances_can_be_drawn_once() {
    let mut model = ModelBuilder::new()
        .bones(&[("a", None, Vec3::ZERO)])
        .mesh([Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE, Vec3::ONE, Vec3::ONE])
        .indices([0, 1, 2, 3, 4, 5])
        .attached_to(0)
        .build();
    let instances = Some((2, Affine3A::from_translation(Vec3::X)));
    stored(&mut model, 0, StoredMesh { instances, ..StoredMesh::default() });
    let played = runtime(Rules { draws_instances: false, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "instances-ignored");
    let mesh = &played.model.meshes[MeshId(0)];
    assert_eq!((mesh.num_vertices(), mesh.num_triangles()), (3, 1));
    assert_eq!(rest(&played.model, 0), Vec3::ZERO);
}

#[test]
fn targets_without_positions_add_those_of_the_mesh() {
    let mut model = ModelBuilder::new()
        .mesh([Vec3::X, Vec3::Y])
        .morph("a", &[(0, Vec3::Z)])
        .morph("b", &[])
        .build();
    let target = |has_positions| StoredTarget { has_positions, has_normals: false };
    let targets = vec![target(true), target(false)];
    stored(&mut model, 0, StoredMesh { targets, ..StoredMesh::default() });
    model.meshes[MeshId(0)].morph_targets[1].default_weight = 1.0;
    let played = runtime(Rules { adds_missing_offsets: true, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "morph-targets-add-mesh");
    assert_eq!(rest(&played.model, 0), Vec3::X * 2.0);
}

#[test]
fn joints_outside_the_scene_do_not_move() {
    let bones = [("above", None, Vec3::Z), ("joint", Some(0), Vec3::Y), ("mesh", None, Vec3::X)];
    let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)]; 3];
    let mut model = ModelBuilder::new()
        .bones(&bones)
        .triangle()
        .skin(skin(&[(1, Mat4::IDENTITY)], lists))
        .clip("move", 1.0)
        .translation(1, linear([(0.0, Vec3::Y), (1.0, Vec3::ZERO)]))
        .build();
    stored(&mut model, 0, StoredMesh { node: Some(BoneId(2)), ..StoredMesh::default() });
    model.stored.depth_first = vec![BoneId(2)];
    let at_stored = model.meshes[MeshId(0)].position(0).unwrap();
    for (outside_joints, moved) in [
        (OutsideJoints::Played, Vec3::Z),
        (OutsideJoints::AtRest, Vec3::Z + Vec3::Y),
        (OutsideJoints::AtRestInSkeleton, Vec3::Y),
        (OutsideJoints::NodeOfMesh, Vec3::X),
    ] {
        let played = runtime(Rules { outside_joints, ..Rules::EXACT }).play(&model).model;
        let at_end = skin_model(&played, &PoseSpec::linear(None, 1.0))[0].positions[0];
        assert_eq!(at_end - at_stored, moved, "{outside_joints:?}");
    }
}

#[test]
fn vertices_between_bones_without_inverse_binds_are_skinned_twice() {
    let quarter = Quat::from_rotation_z(90f32.to_radians());
    let track = Track {
        times_secs: vec![0.0, 1.0],
        values: vec![Quat::IDENTITY, quarter],
        interpolation: Interpolation::Linear,
    };
    let mut model = ModelBuilder::new()
        .bones(&[("a", None, Vec3::ZERO), ("b", Some(0), Vec3::X)])
        .mesh([Vec3::ZERO, Vec3::Y, Vec3::Z])
        .indices([0, 1, 2])
        .bound([[(0, 0.5), (1, 0.5)]; 3])
        .clip("turn", 1.0)
        .rotation(1, track)
        .build();
    let mesh = &mut model.meshes[MeshId(0)];
    inverse_bind_mut(mesh).bone_from_mesh = vec![Mat4::IDENTITY; 2];
    mesh.stored = Some(Box::new(StoredMesh { skin: Some(0), ..StoredMesh::default() }));
    let played = runtime(Rules { skins_to_bind_pose: true, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "bind-pose-rebuilt");
    let is_at = |model: &Model, secs: f64, expected: [f32; 3]| {
        let found = first_vertex(model, secs);
        assert!((found - Vec3::from(expected)).length() < 1e-5, "{found}");
    };
    // Half-way between both bones, at rest and in the bind pose.
    is_at(&model, 0.0, [0.5, 0.0, 0.0]);
    is_at(&played.model, 0.0, [0.5, 0.0, 0.0]);
    // Half of the vertex in the bind pose turns about the second bone.
    is_at(&model, 1.0, [0.5, 0.0, 0.0]);
    is_at(&played.model, 1.0, [0.75, -0.25, 0.0]);
}
