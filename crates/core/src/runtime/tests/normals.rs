//! Normals, and bounds as spheres.

use super::*;
use crate::model::{
    Bone, BoneId, LocalTransform, MeshId, NormalMatrix, SkinNormals, StoredMesh, Trs,
};

fn scaled(name: &str, parent: Option<BoneId>) -> Bone {
    let scale = Vec3::new(1.0, 4.0, 1.0);
    let rest_local = LocalTransform::Trs(Trs { scale, ..Trs::IDENTITY });
    Bone { name: name.to_owned(), parent, rest_local, ..Bone::default() }
}

/// A mesh with slanted normals, attached to an unevenly scaled node or bound to a plain joint.
fn slanted(is_skinned: bool) -> Model {
    let builder =
        ModelBuilder::new().add_bone(scaled("node", None)).bones(&[("joint", None, Vec3::ZERO)]);
    let builder = builder.triangle().normal(Vec3::new(0.6, 0.8, 0.0));
    let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)]; 3];
    let mut model = if is_skinned {
        builder.skin(skin(&[(1, Mat4::IDENTITY)], lists)).build()
    } else {
        builder.attached_to(0).build()
    };
    let stored = StoredMesh { node: Some(BoneId(0)), ..StoredMesh::default() };
    model.meshes[MeshId(0)].stored = Some(Box::new(stored));
    model
}

fn normal(model: &Model) -> Vec3 {
    skin_model(model, &PoseSpec::default())[0].normals[0]
}

#[test]
fn normals_of_unskinned_meshes_are_exact() {
    let rules = Rules { normals: NormalMatrix::SameIfSkinned, ..Rules::EXACT };
    let model = slanted(false);
    let played = runtime(rules).play(&model);
    assert!(played.differences.is_empty());
    assert_eq!(normal(&played.model), normal(&model));
    let everywhere = Rules { normals: NormalMatrix::Same, ..Rules::EXACT };
    assert_eq!(runtime(everywhere).play(&model).differences[0].kind, "normals-tilted");
}

#[test]
fn the_node_of_a_skinned_mesh_tilts_its_normals() {
    let model = slanted(true);
    let rules = Rules {
        normals: NormalMatrix::SameIfSkinned,
        normal_node: NormalNode::OfMesh,
        ..Rules::EXACT
    };
    let played = runtime(rules).play(&model);
    // Divided by the square of the scale.
    let expected = Vec3::new(0.6, 0.8 / 16.0, 0.0).normalize_or_zero();
    assert!(normal(&played.model).distance(expected) < 1e-6, "{}", normal(&played.model));
    assert_eq!(played.differences[0].kind, "normals-tilted");
    let plain = Rules { normal_node: NormalNode::None, ..rules };
    let played = runtime(plain).play(&model);
    assert!(normal(&played.model).distance(normal(&model)) < 1e-6);
    assert!(played.differences.is_empty());
}

#[test]
fn uneven_scale_above_a_skeleton_makes_normals_exact() {
    let mut model = slanted(true);
    let parent = BoneId(0);
    let joint = model.skeleton.push(scaled("below", Some(parent)));
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).bones = vec![joint];
    let rules = Rules {
        normals: NormalMatrix::SameIfSkinned,
        normal_node: NormalNode::AboveSkeleton,
        ..Rules::EXACT
    };
    let played = runtime(rules).play(&model).model;
    let normals = inverse_bind(&played.meshes[MeshId(0)]).normals;
    assert_eq!(normals, SkinNormals::InverseTranspose);
    assert!(normal(&played).distance(normal(&model)) < 1e-6);
}

#[test]
fn spheres_contain_what_boxes_do_not() {
    let model = ModelBuilder::new()
        .bones(&[("a", None, Vec3::ZERO)])
        .mesh([Vec3::X * 4.0, Vec3::X * -4.0, Vec3::Y * 0.1])
        .indices([0, 1, 2])
        .bound([[(0, 1.0)], [(0, 1.0)], [(0, 1.0)]])
        .clip("turn", 1.0)
        .rotation(0, linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(1.5))]))
        .build();
    let culled = |culling| {
        let differences = runtime(Rules { culling, ..Rules::EXACT }).play(&model).differences;
        differences.iter().any(|own| own.kind == "culled-too-early")
    };
    assert!(culled(Culling::AsLoaded));
    assert!(!culled(Culling::SphereAsLoaded));
}
