//! Bones added, removed, renamed, re-parented.

use crate::model::MeshId;
use glam::{Mat4, Vec3};

use super::fixtures::{changed, compared, find, kinds, sheet, skin};
use crate::compare::DifferenceKind as Kind;
use crate::model::testing::{self, *};

fn with_bones(model: &mut Model, bones: Vec<Bone>) {
    model.skeleton = Skeleton::new(bones, true).unwrap();
}

#[test]
fn added_and_removed_bones_are_named_and_unused_ones_are_marked() {
    let more = |b: &mut Model| {
        let mut bones = b.skeleton.bones().to_vec();
        bones.push(bone("eye", Some(0), Vec3::Y));
        with_bones(b, bones);
    };
    let comparison = changed(more);
    let added = find(&comparison, Kind::BonesAdded);
    assert_eq!(added.what, "1 bone of B is not in A, which moves nothing: eye");
    assert_eq!(kinds(&comparison), [Kind::BonesAdded]);
    let mut a = sheet();
    more(&mut a);
    let comparison = compared(&a, &sheet(), 0.0);
    assert_eq!(find(&comparison, Kind::BonesRemoved).count, 1);
}

#[test]
fn added_helper_bones_are_not_a_difference() {
    let comparison = changed(|b| {
        let mut bones = b.skeleton.bones().to_vec();
        bones.push(Bone { kind: BoneKind::Helper, ..bone("", Some(0), Vec3::ZERO) });
        with_bones(b, bones);
    });
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
}

#[test]
fn renamed_bone_is_matched_by_its_vertices() {
    let comparison = changed(|b| {
        let mut bones = b.skeleton.bones().to_vec();
        bones[1].name = "upper".to_owned();
        with_bones(b, bones);
    });
    assert_eq!(kinds(&comparison), [Kind::BonesRenamed]);
    assert_eq!(find(&comparison, Kind::BonesRenamed).what, "\"arm\" in A is \"upper\" in B");
}

#[test]
fn renamed_unweighted_bone_is_matched_by_its_position() {
    let with_eye = |name: &str| {
        let mut model = sheet();
        let mut bones = model.skeleton.bones().to_vec();
        bones.push(bone(name, Some(1), Vec3::Y));
        bones.push(bone("ear", Some(1), Vec3::Z));
        with_bones(&mut model, bones);
        model
    };
    let comparison = compared(&with_eye("eye"), &with_eye("ocular"), 0.0);
    assert_eq!(kinds(&comparison), [Kind::BonesRenamed]);
}

#[test]
fn reparented_bone_is_reported() {
    let comparison = changed(|b| {
        let mut bones = b.skeleton.bones().to_vec();
        bones[2] = bone("hand", Some(0), Vec3::X * 4.0);
        with_bones(b, bones);
    });
    let moved = find(&comparison, Kind::BonesReparented);
    assert_eq!(moved.what, "\"hand\" is a child of \"arm\" in A, of \"root\" in B");
    assert!(kinds(&comparison).contains(&Kind::Skinned), "it does not follow the arm");
}

#[test]
fn different_rest_position_is_measured() {
    let comparison = changed(|b| {
        let mut bones = b.skeleton.bones().to_vec();
        bones[2] = bone("hand", Some(1), Vec3::X * 3.0);
        with_bones(b, bones);
    });
    let amount = find(&comparison, Kind::RestPose).amount.unwrap();
    assert!((amount * comparison.extent - 1.0).abs() < 1e-5, "{amount}");
}

#[test]
fn different_inverse_bind_matrix_is_reported_with_its_bone() {
    let comparison = changed(|b| {
        skin(b).bone_from_mesh[1] *= Mat4::from_translation(Vec3::Y * 0.5);
    });
    let bind = find(&comparison, Kind::InverseBinds);
    let arm = sheet().skeleton.display_name(BoneId(1));
    assert!(bind.what.contains(&format!("{arm:?}")), "{}", bind.what);
    assert_eq!((bind.count, bind.place), (1, Some(Place::Bone(1))));
    assert!((bind.amount.unwrap() * comparison.extent - 0.5).abs() < 1e-5);
}

#[test]
fn inverse_binds_without_translation_are_reported() {
    // Like matrices that were written transposed.
    let comparison = changed(|b| skin(b).bone_from_mesh.fill(Mat4::IDENTITY));
    let bind = find(&comparison, Kind::InverseBinds);
    assert!(bind.exceeds && bind.count > 0, "{bind:?}");
}

#[test]
fn matrix_shared_by_all_inverse_binds_is_not_a_difference() {
    let moved = Mat4::from_translation(Vec3::new(3.0, 1.0, 0.0));
    let comparison = changed(|b| {
        for bone_from_mesh in &mut skin(b).bone_from_mesh {
            *bone_from_mesh *= moved;
        }
    });
    assert!(!comparison.differences.iter().any(|d| d.kind == Kind::InverseBinds && d.exceeds));
}

#[test]
fn reordered_unnamed_bones_are_matched_by_their_vertices() {
    let unnamed = |order: [u32; 3]| {
        let mut model = sheet();
        let bones = vec![Bone::default(); 3];
        model.skeleton = Skeleton::new(bones, false).unwrap();
        model.clips.as_mut_vec().clear();
        skin(&mut model).bones = order.map(BoneId).to_vec();
        skin(&mut model).bone_from_mesh.clear();
        model
    };
    let comparison = compared(&unnamed([0, 1, 2]), &unnamed([2, 0, 1]), 0.0);
    assert_eq!(comparison.max.weight, Some(0.0));
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
}

/// The sheet on bones without names and parents; `lists` are the influences of the last two columns.
fn unnamed(num_bones: usize, lists: &[(u32, f32)]) -> Model {
    let mut model = sheet();
    model.skeleton = Skeleton::new(vec![Bone::default(); num_bones], false).unwrap();
    model.clips.as_mut_vec().clear();
    let num = model.meshes[MeshId(0)].num_vertices();
    let of = |vertex: usize| if vertex % 6 < 4 { vec![(0, 1.0)] } else { lists.to_vec() };
    let slots: Vec<_> =
        (0..u32::try_from(num_bones).unwrap()).map(|at| (at, Mat4::IDENTITY)).collect();
    model.meshes[MeshId(0)].skin = testing::skin(&slots, (0..num).map(of).collect::<Vec<_>>());
    skin(&mut model).bone_from_mesh.clear();
    model
}

#[test]
fn rounded_weights_do_not_match_a_bone_with_a_heavier_neighbour() {
    let a = unnamed(3, &[(1, 0.6), (2, 0.4)]);
    let b = unnamed(3, &[(1, 0.599_999_9), (2, 0.400_000_1)]);
    let comparison = compared(&a, &b, 1e-6);
    assert!(comparison.max.weight.unwrap() < 1e-6, "{:?}", comparison.max.weight);
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
    // An eighth of a step of 8 bits.
    let b = unnamed(3, &[(1, 0.5995), (2, 0.4005)]);
    let comparison = compared(&a, &b, 1e-3);
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
}

#[test]
fn bones_with_equal_weights_match_one_to_one() {
    let a = unnamed(4, &[(1, 0.5), (2, 0.5)]);
    let b = unnamed(4, &[(2, 0.5), (3, 0.5)]);
    let comparison = compared(&a, &b, 0.0);
    assert_eq!(comparison.max.weight, Some(0.0));
    let of_moving = [0, 2, 3].map(|bone| comparison.bones[BoneId(bone)]);
    assert_eq!(of_moving, [0, 2, 1].map(|bone| Some(BoneId(bone))));
}

#[test]
fn bones_that_are_all_roots_have_no_more_parents_than_bones_without_a_hierarchy() {
    let a = unnamed(3, &[(1, 0.6), (2, 0.4)]);
    let mut b = a.clone();
    with_bones(&mut b, vec![Bone::default(); 3]);
    let comparison = compared(&a, &b, 0.0);
    assert!(!kinds(&comparison).contains(&Kind::Hierarchy), "{:#?}", comparison.differences);
}

#[test]
fn lost_names_and_parents_are_one_difference_each() {
    let comparison = changed(|b| {
        let bones: Vec<_> = b
            .skeleton
            .bones()
            .iter()
            .map(|bone| Bone { name: String::new(), ..bone.clone() })
            .collect();
        b.skeleton = Skeleton::new(bones, false).unwrap();
    });
    assert_eq!(kinds(&comparison), [Kind::BonesRenamed, Kind::Hierarchy]);
    let what = &find(&comparison, Kind::BonesRenamed).what;
    assert_eq!(what, "bones have names only in A");
}
