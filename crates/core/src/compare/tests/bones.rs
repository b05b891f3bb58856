//! Bones added, removed, renamed, re-parented.

use glam::{Mat4, Vec3};

use super::fixtures::{changed, compared, find, kinds, sheet, skin};
use crate::compare::DifferenceKind as Kind;
use crate::model::testing::*;

fn with_bones(model: &mut Model, bones: Vec<Bone>) {
    model.skeleton = Skeleton::new(bones, true).unwrap();
}

#[test]
fn added_and_removed_bones_are_named_and_what_moves_nothing_is_told() {
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
fn helpers_are_not_missed() {
    let comparison = changed(|b| {
        let mut bones = b.skeleton.bones().to_vec();
        bones.push(Bone { kind: BoneKind::Helper, ..bone("", Some(0), Vec3::ZERO) });
        with_bones(b, bones);
    });
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
}

#[test]
fn a_bone_of_another_name_that_moves_the_same_is_renamed() {
    let comparison = changed(|b| {
        let mut bones = b.skeleton.bones().to_vec();
        bones[1].name = "upper".to_owned();
        with_bones(b, bones);
    });
    assert_eq!(kinds(&comparison), [Kind::BonesRenamed]);
    assert_eq!(find(&comparison, Kind::BonesRenamed).what, "\"arm\" in A is \"upper\" in B");
}

#[test]
fn a_renamed_bone_that_moves_nothing_is_known_by_its_place() {
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
fn a_bone_on_another_parent_is_told() {
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
fn a_bone_that_rests_elsewhere_is_measured() {
    let comparison = changed(|b| {
        let mut bones = b.skeleton.bones().to_vec();
        bones[2] = bone("hand", Some(1), Vec3::X * 3.0);
        with_bones(b, bones);
    });
    let amount = find(&comparison, Kind::RestPose).amount.unwrap();
    assert!((amount * comparison.extent - 1.0).abs() < 1e-5, "{amount}");
}

#[test]
fn an_inverse_bind_matrix_that_differs_is_named_by_its_bone() {
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
fn inverse_binds_that_lost_their_translation_are_named() {
    // Like matrices that were written transposed.
    let comparison = changed(|b| skin(b).bone_from_mesh.fill(Mat4::IDENTITY));
    let bind = find(&comparison, Kind::InverseBinds);
    assert!(bind.exceeds && bind.count > 0, "{bind:?}");
}

#[test]
fn a_matrix_that_all_inverse_binds_share_is_no_difference_of_bones() {
    let moved = Mat4::from_translation(Vec3::new(3.0, 1.0, 0.0));
    let comparison = changed(|b| {
        for bone_from_mesh in &mut skin(b).bone_from_mesh {
            *bone_from_mesh *= moved;
        }
    });
    assert!(!comparison.differences.iter().any(|d| d.kind == Kind::InverseBinds && d.exceeds));
}

#[test]
fn bones_without_names_in_another_order_are_known_by_what_they_move() {
    let unnamed = |order: [u32; 3]| {
        let mut model = sheet();
        let bones = vec![Bone::default(); 3];
        model.skeleton = Skeleton::new(bones, false).unwrap();
        model.clips.clear();
        skin(&mut model).bones = order.map(BoneId).to_vec();
        skin(&mut model).bone_from_mesh.clear();
        model
    };
    let comparison = compared(&unnamed([0, 1, 2]), &unnamed([2, 0, 1]), 0.0);
    assert_eq!(comparison.max.weight, Some(0.0));
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
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
