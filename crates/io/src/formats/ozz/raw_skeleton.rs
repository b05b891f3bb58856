//! Reads `ozz-raw_skeleton`: joints as a tree, without numbers.
//!
//! Joints are numbered depth-first, as by ozz when it builds a skeleton.

use glam::{Quat, Vec3};

use super::archive::Archive;
use crate::formats::{Limits, ReadError};
use rigscope_core::model::{Bone, BoneId, Element, LocalTransform, Scalar, Skeleton, Trs};

const VERSION: u32 = 1;
/// Version of joints.
const JOINT_VERSION: u32 = 1;
/// Size of an empty name, a transform and an empty list of children.
const JOINT_MIN_BYTES: usize = 4 + 40 + 4;

/// Reads the data after the version.
pub(super) fn read(
    archive: &mut Archive<'_>,
    version: u32,
    limits: &Limits,
) -> Result<Skeleton, ReadError> {
    if version != VERSION {
        let what = format!("raw skeleton version {version}, only {VERSION} is read");
        return Err(archive.cursor.unsupported("raw skeleton version", what));
    }
    let mut bones: Vec<Bone> = Vec::new();
    // Joints with unread children and their number. An explicit stack, because files may be arbitrarily deep.
    let mut open: Vec<(Option<BoneId>, u32)> = vec![(None, children(archive)?)];
    while let Some((parent, left)) = open.last_mut() {
        let Some(rest) = left.checked_sub(1) else {
            open.pop();
            continue;
        };
        *left = rest;
        let parent = *parent;
        if bones.len() >= limits.max_bones as usize {
            let what = format!("there are more than the {} joints allowed", limits.max_bones);
            return Err(archive.cursor.over_limit("joints", what));
        }
        let name_len = archive.u32("joint name")?;
        archive.report_records(Element::Count, 0, 1, &[("name length", Scalar::U32, 1)]);
        let len = archive.cursor.fit(name_len, 1, "joint name")?;
        let name = archive.cursor.take(len, "joint name")?;
        archive.report_text(Element::BoneName, len);
        let number = bones.len();
        let [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz] = archive.floats("joint transform")?;
        const FIELDS: [(&str, Scalar, usize); 3] = [
            ("translation", Scalar::F32, 3),
            ("rotation", Scalar::F32, 4),
            ("scale", Scalar::F32, 3),
        ];
        archive.report_records(Element::BoneRest, number, 1, &FIELDS);
        bones.push(Bone {
            name: String::from_utf8_lossy(name).into_owned(),
            parent,
            rest_local: LocalTransform::Trs(Trs {
                translation: Vec3::new(tx, ty, tz),
                rotation: Quat::from_xyzw(qx, qy, qz, qw),
                scale: Vec3::new(sx, sy, sz),
            }),
            ..Bone::default()
        });
        let num = children(archive)?;
        open.push((Some(BoneId::from_index(number)), num));
    }
    Skeleton::new(bones, true)
        .map_err(|error| archive.cursor.malformed("joints", error.to_string()))
}

/// The number of joints in a list, limited by the bytes left.
fn children(archive: &mut Archive<'_>) -> Result<u32, ReadError> {
    let num = archive.versioned_count(JOINT_VERSION, "joints")?;
    archive.cursor.fit(num, JOINT_MIN_BYTES, "joints")?;
    Ok(num)
}
