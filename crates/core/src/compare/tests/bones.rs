//! Bones added, removed, renamed, re-parented.

use glam::{Mat4, Vec3};

use super::fixtures::{changed, compared, find, kinds, sheet, skin};
use crate::compare::DifferenceKind as Kind;
use crate::model::testing::*;

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
