//! Reads `ozz-skeleton`: names, parents, rest pose.

use glam::{Quat, Vec3};

use super::archive::Archive;
use crate::formats::{Limits, ReadError};
use rigscope_core::model::{Bone, BoneId, Element, LocalTransform, Scalar, Skeleton, Trs};

/// The only supported version.
pub(super) const VERSION: u32 = 2;
/// Number of joints in one block of the rest pose.
pub(super) const LANES: usize = 4;
/// Size of 10 values for 4 joints.
const BLOCK_BYTES: usize = 10 * LANES * 4;
pub(super) const NO_PARENT: i16 = -1;

/// Reads the data after the version; `is_shown` for the first skeleton of the file.
pub(super) fn read(
    archive: &mut Archive<'_>,
    version: u32,
    limits: &Limits,
    is_shown: bool,
) -> Result<Skeleton, ReadError> {
    let element = |element| if is_shown { element } else { Element::Unread };
    if version != VERSION {
        // Version 1 (before 0.11) numbers joints breadth-first and packs other properties.
        let what = format!("skeleton version {version}, only {VERSION} (ozz 0.11 on) is read");
        return Err(archive.cursor.unsupported("skeleton version", what));
    }
    let num = archive.count("number of joints")?;
    archive.report_records(Element::Count, 0, 1, &[("number of joints", Scalar::I32, 1)]);
    if num == 0 {
        return Ok(Skeleton::default());
    }
    if num > limits.max_bones {
        let what = format!("number of joints {num} exceeds the {} allowed", limits.max_bones);
        return Err(archive.cursor.over_limit("number of joints", what));
    }
    let num_characters = archive.count("joint names")?;
    archive.report_records(Element::Count, 0, 1, &[("joint names", Scalar::I32, 1)]);
    let names = archive.text(num_characters, element(Element::BoneName), "joint names")?;
    let mut names = names.split('\0');
    let parents = archive.list(num, 2, "parents", |archive| archive.i16("parents"))?;
    let parent_fields = [("parent", Scalar::I16, 1)];
    archive.report_records(element(Element::BoneParent), 0, parents.len(), &parent_fields);
    let num_blocks = num.div_ceil(4);
    let blocks = archive.list(num_blocks, BLOCK_BYTES, "rest pose", block)?;
    let block_fields = [
        ("translations", Scalar::F32, 3 * LANES),
        ("rotations", Scalar::F32, 4 * LANES),
        ("scales", Scalar::F32, 3 * LANES),
    ];
    archive.report_records(element(Element::BoneRest), 0, blocks.len(), &block_fields);
    let mut bones = archive.cursor.vec(parents.len(), "joints")?;
    for (joint, (&parent, rest)) in parents.iter().zip(blocks.as_flattened()).enumerate() {
        let parent = match usize::try_from(parent) {
            Err(_) if parent == NO_PARENT => None,
            Ok(index) if index < parents.len() => Some(BoneId::from_index(index)),
            _ => {
                let what = format!("parent {parent} of joint {joint} does not exist");
                return Err(archive.cursor.malformed("parents", what));
            }
        };
        bones.push(Bone {
            name: names.next().unwrap_or_default().to_owned(),
            parent,
            rest_local: LocalTransform::Trs(*rest),
            ..Bone::default()
        });
    }
    Skeleton::new(bones, true)
        .map_err(|error| archive.cursor.malformed("parents", error.to_string()))
}

/// Four transforms, stored as structure of arrays.
fn block(archive: &mut Archive<'_>) -> Result<[Trs; LANES], ReadError> {
    let mut rows = [[0.0; LANES]; 10];
    for row in &mut rows {
        *row = archive.floats("rest pose")?;
    }
    let [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz] = rows;
    let mut transforms = [Trs::IDENTITY; LANES];
    let lanes = (tx.into_iter().zip(ty).zip(tz))
        .zip(qx.into_iter().zip(qy).zip(qz).zip(qw))
        .zip(sx.into_iter().zip(sy).zip(sz));
    for (transform, ((((tx, ty), tz), (((qx, qy), qz), qw)), ((sx, sy), sz))) in
        transforms.iter_mut().zip(lanes)
    {
        *transform = Trs {
            translation: Vec3::new(tx, ty, tz),
            rotation: Quat::from_xyzw(qx, qy, qz, qw),
            scale: Vec3::new(sx, sy, sz),
        };
    }
    Ok(transforms)
}
