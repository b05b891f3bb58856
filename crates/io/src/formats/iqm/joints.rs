//! Joints: bones, and the inverse bind matrices, which the format doesn't store.

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::header::{IqmHeader, TableLocation};
use super::tables::FileTables;
use crate::formats::record::record;
use crate::formats::{ReadError, ReadOptions};
use rigscope_core::model::{
    self, Bone, BoneId, Element, FindingKind, LocalTransform, Place, Skeleton, Trs, as_u32, counted,
};

record! {
    pub(super) struct JointRecord {
        name: u32 = "name";
        /// Negative without a parent.
        parent: i32 = "parent";
        translation: Vec3 = "translation";
        rotation: Quat = "rotation";
        scale: Vec3 = "scale";
    }
}

/// Reads the joints as a skeleton.
pub(super) fn joints(
    tables: &mut FileTables<'_>,
    header: &IqmHeader,
    options: &ReadOptions,
) -> Result<Skeleton, ReadError> {
    check_number(tables, header.joints, options, "joints")?;
    let records = tables.list::<JointRecord>(header.joints, Element::Bone, "joints")?;
    let num = records.len();
    let mut bones = tables.cursor.vec(num, "joints")?;
    for (index, joint) in records.enumerate() {
        let JointRecord { translation, rotation, scale, .. } = joint;
        let trs = Trs { translation, rotation: unit(rotation), scale };
        bones.push(Bone {
            name: tables.name(joint.name, "joint name")?,
            parent: parent_of(tables, index, joint.parent, num),
            rest_local: LocalTransform::Trs(rest(tables, index, trs)),
            ..Bone::default()
        });
    }
    skeleton(tables, bones)
}

/// Rejects more bones than allowed.
pub(super) fn check_number(
    tables: &FileTables<'_>,
    table: TableLocation,
    options: &ReadOptions,
    field: &'static str,
) -> Result<(), ReadError> {
    let max = options.limits.max_bones;
    if table.num > max {
        let what = format!("{field} {} exceed the {max} allowed", table.num);
        return Err(tables.cursor.over_limit(field, what));
    }
    Ok(())
}

/// Builds a skeleton from bones with valid parents.
pub(super) fn skeleton(tables: &FileTables<'_>, bones: Vec<Bone>) -> Result<Skeleton, ReadError> {
    Skeleton::new(bones, true).map_err(|error| tables.cursor.malformed("parent", error.to_string()))
}

/// The bone of a stored parent, which is negative without one. Reports unusual parents.
pub(super) fn parent_of(
    tables: &FileTables<'_>,
    bone: usize,
    stored: i32,
    num_bones: usize,
) -> Option<BoneId> {
    let parent = usize::try_from(stored).ok()?;
    let place = Place::Bone(as_u32(bone));
    if parent >= num_bones {
        tables.report.add_many(FindingKind::ParentOutOfRange, place, 1, || {
            let bones = counted(num_bones as u64, "bone");
            format!("the parent of bone {bone} is bone {parent}, but there are only {bones}")
        });
        return None;
    }
    let is_later = u64::from(parent > bone);
    tables.report.add_many(FindingKind::ParentAfterChild, place, is_later, || {
        format!("the parent of bone {bone} is bone {parent}, which follows it")
    });
    Some(BoneId::from_index(parent))
}

/// Converts ten channels to translation, rotation and scale.
pub(super) fn trs([tx, ty, tz, qx, qy, qz, qw, sx, sy, sz]: [f32; 10]) -> Trs {
    Trs {
        translation: Vec3::new(tx, ty, tz),
        rotation: unit(Quat::from_xyzw(qx, qy, qz, qw)),
        scale: Vec3::new(sx, sy, sz),
    }
}

/// Normalizes a rotation; non-finite ones are unchanged, so that the check finds them.
pub(super) fn unit(rotation: Quat) -> Quat {
    // Like the reference implementation, also if the length is 1 except for rounding.
    if rotation.length_squared().is_finite() { model::unit(rotation, -1.0) } else { rotation }
}

/// A finite rest transform: inverse bind matrices are computed from it.
pub(super) fn rest(tables: &FileTables<'_>, bone: usize, stored: Trs) -> Trs {
    if stored.to_affine().is_finite() {
        return stored;
    }
    let place = Place::Bone(as_u32(bone));
    tables.report.add_many(FindingKind::NotFinite, place, 1, || {
        format!("the rest transform of bone {bone} isn't finite")
    });
    Trs::IDENTITY
}

/// `bone_from_mesh` of all bones: vertices are stored in the rest pose of the joints.
pub(super) fn inverse_binds(tables: &FileTables<'_>, skeleton: &Skeleton) -> Vec<Mat4> {
    let inverse = |(bone, inverse): (BoneId, &Option<Affine3A>)| {
        if let Some(inverse) = inverse {
            return Mat4::from(*inverse);
        }
        tables.report.add_many(FindingKind::ZeroScaleBone, Place::Bone(bone.0), 1, || {
            let bone = bone.0;
            format!("bone {bone} has no volume at rest, so it has no inverse bind matrix")
        });
        Mat4::IDENTITY
    };
    skeleton.rest_binds().iter_enumerated().map(inverse).collect()
}
