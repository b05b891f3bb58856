//! Writes `ozz-skeleton`: bones in ozz's order.
//!
//! Joints are numbered depth-first (`animation/runtime/skeleton.h`: parents before children, and all
//! descendants of a joint before its next sibling). A last block of fewer than four is padded with identity.
#![expect(clippy::indexing_slicing, reason = "ids of a checked model index its own tables")]

use super::archive_writer::{ArchiveWriter, too_many};
use super::objects::SKELETON;
use super::skeleton::{LANES, NO_PARENT, VERSION};
use crate::formats::WriteError;
use crate::formats::added_bones::{WITHOUT_WEIGHTS, report_added_bone};
use crate::formats::record::bytes_of;
use rigscope_core::model::{BoneId, FindingKind, IdVec, Model, Place, Report, STILL_NAME, Trs};

/// `SKELETON_MAX_JOINTS` of `skeleton.h`.
const MAX_JOINTS: usize = 1024;

pub(super) struct Joint {
    pub(super) name: String,
    /// Number of the parent, or -1.
    pub(super) parent: i16,
    pub(super) rest: Trs,
    /// The bone; `None` for the joint that never moves.
    pub(super) bone: Option<BoneId>,
}

/// All joints in stored order.
pub(super) struct Joints {
    pub(super) list: Vec<Joint>,
    /// The joint of each bone.
    joint_of: IdVec<BoneId, u16>,
    /// The joint that never moves, if one is needed.
    pub(super) still: Option<u16>,
}

impl Joints {
    /// The joints for `model`'s bones, and one that never moves if `needs_still`.
    pub(super) fn of(
        model: &Model,
        needs_still: bool,
        report: &Report,
    ) -> Result<Self, WriteError> {
        let bones = model.skeleton.bones();
        let num = bones.len() + usize::from(needs_still);
        if num > MAX_JOINTS {
            return Err(too_many("joints", num, MAX_JOINTS as u64));
        }
        let mut joint_of = IdVec::filled(0, bones);
        let mut list = Vec::with_capacity(num);
        for id in depth_first(model) {
            let bone = &bones[id];
            joint_of[id] = u16::try_from(list.len()).unwrap_or(u16::MAX);
            let above = bone.parent.map(|parent| joint_of[parent]);
            let parent = above.and_then(|joint| i16::try_from(joint).ok());
            list.push(Joint {
                name: name(model, id, report),
                parent: parent.unwrap_or(NO_PARENT),
                rest: bone.rest_local.to_trs(),
                bone: Some(id),
            });
        }
        let still = needs_still.then(|| {
            report_added_bone(STILL_NAME, WITHOUT_WEIGHTS, report);
            list.push(Joint {
                name: STILL_NAME.to_owned(),
                parent: NO_PARENT,
                rest: Trs::IDENTITY,
                bone: None,
            });
            u16::try_from(list.len() - 1).unwrap_or(u16::MAX)
        });
        Ok(Self { list, joint_of, still })
    }

    /// The joint for `bone`.
    pub(super) fn number(&self, bone: BoneId) -> u16 {
        self.joint_of[bone]
    }
}

/// Bones in joint order; roots and siblings are in the order of the model.
fn depth_first(model: &Model) -> Vec<BoneId> {
    let bones = model.skeleton.bones();
    let mut children = IdVec::filled(Vec::new(), bones);
    let mut path = Vec::new();
    // In reverse order, because the stack is popped from its end.
    for (id, bone) in bones.iter_enumerated().rev() {
        let siblings = bone.parent.map_or(&mut path, |parent| &mut children[parent]);
        siblings.push(id);
    }
    let mut order = Vec::with_capacity(bones.len());
    while let Some(bone) = path.pop() {
        order.push(bone);
        path.append(&mut children[bone]);
    }
    order
}

/// A non-empty name without zeros, which would terminate it.
fn name(model: &Model, id: BoneId, report: &Report) -> String {
    let stored = &model.skeleton.bones()[id].name;
    if !stored.is_empty() && !stored.contains('\0') {
        return stored.clone();
    }
    let name = model.skeleton.display_name(id).replace('\0', "_");
    let place = Place::Bone(id.0);
    report.add_many(FindingKind::ChangedName, place, 1, || {
        format!("the bone named {stored:?} is written as {name:?}")
    });
    name
}

/// Writes the object.
pub(super) fn put(out: &mut ArchiveWriter, joints: &Joints) -> Result<(), WriteError> {
    out.object(SKELETON, VERSION);
    out.count("joints", joints.list.len())?;
    if joints.list.is_empty() {
        return Ok(());
    }
    let mut names = Vec::new();
    for joint in &joints.list {
        names.extend_from_slice(joint.name.as_bytes());
        names.push(0);
    }
    if i32::try_from(names.len()).is_err() {
        let what = "bytes of joint names";
        return Err(too_many(what, names.len(), u64::from(i32::MAX.unsigned_abs())));
    }
    out.count("bytes of joint names", names.len())?;
    out.bytes(&names);
    out.bytes(&bytes_of(&joints.list.iter().map(|joint| joint.parent).collect::<Vec<i16>>()));
    for block in joints.list.chunks(LANES) {
        let lane = |at: usize| block.get(at).map_or(Trs::IDENTITY, |joint| joint.rest);
        let lanes: [Trs; LANES] = std::array::from_fn(lane);
        let rows: [fn(&Trs) -> f32; 10] = [
            |trs| trs.translation.x,
            |trs| trs.translation.y,
            |trs| trs.translation.z,
            |trs| trs.rotation.x,
            |trs| trs.rotation.y,
            |trs| trs.rotation.z,
            |trs| trs.rotation.w,
            |trs| trs.scale.x,
            |trs| trs.scale.y,
            |trs| trs.scale.z,
        ];
        for row in rows {
            out.f32s(lanes.iter().map(row));
        }
    }
    Ok(())
}
