//! Writes joints: the bind pose as translation, rotation and scale, parents first.

use glam::{Affine3A, DAffine3};

use super::ID;
use crate::formats::WriteError;
use crate::formats::rigged_model::{RiggedBone, RiggedModel};
use rigscope_core::model::{BoneId, FindingKind, Place, Report, Trs, as_u32};

/// Number of joints that vertices can address with 8-bit indexes.
const MAX_NAMED: usize = 256;
/// Difference up to which a rest transform equals the bind transform, relative to the size of the
/// model.
const ROUNDING: f64 = 4e-6;

pub(super) struct WrittenJoint<'a> {
    pub(super) bone: &'a RiggedBone,
    /// Whether it is a second joint of its bone, a child of the first.
    pub(super) is_second: bool,
    /// Negative without a parent.
    pub(super) parent: i32,
    /// Relative to its parent.
    pub(super) trs: Trs,
}

/// All joints in file order.
pub(super) struct WrittenJoints<'a> {
    pub(super) list: Vec<WrittenJoint<'a>>,
    /// Index in `list` of each rigged bone.
    pub(super) number_of: Vec<usize>,
    /// Whether they are in the order of the model's bones.
    pub(super) is_in_order: bool,
}

/// Converts translation, rotation and scale to channels.
pub(super) fn channels(trs: Trs) -> [f32; 10] {
    let ([tx, ty, tz], [sx, sy, sz]) = (trs.translation.to_array(), trs.scale.to_array());
    let [qx, qy, qz, qw] = trs.rotation.to_array();
    [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz]
}

pub(super) fn joints<'a>(
    rigged: &'a RiggedModel,
    report: &Report,
) -> Result<WrittenJoints<'a>, WriteError> {
    let bones = &rigged.bones;
    let order = order(rigged, report)?;
    let mut number_of = vec![0; bones.len()];
    for (number, &bone) in order.iter().enumerate() {
        if let Some(slot) = number_of.get_mut(bone) {
            *slot = number;
        }
    }
    let extent = bones.iter().map(|bone| bone.bind.translation.length());
    let tolerance = extent.fold(1.0, f64::max) * ROUNDING;
    let skeleton = rigged.model.skeleton.bones();
    // The bind transforms that readers will compute, so that rounding and shear don't accumulate
    // down the hierarchy.
    let mut found = vec![DAffine3::IDENTITY; bones.len()];
    let mut list = Vec::with_capacity(bones.len());
    for &index in &order {
        let Some(bone) = bones.get(index) else { continue };
        let above = bone.parent.and_then(|parent| found.get(parent)).copied();
        let above = above.unwrap_or(DAffine3::IDENTITY);
        let inverse = Some(above.inverse()).filter(DAffine3::is_finite);
        let wanted = inverse.unwrap_or(DAffine3::IDENTITY) * bone.bind;
        let is_second = index >= skeleton.len();
        let rest = skeleton.get(BoneId::from_index(index)).map(|bone| bone.rest_local.to_trs());
        // Prefer the model's rest transform if it is equal.
        let rest = rest.filter(|rest| wide(rest.to_affine()).abs_diff_eq(wanted, tolerance));
        let trs = rest.unwrap_or_else(|| Trs::from_affine(narrow(wanted)));
        if let Some(slot) = found.get_mut(index) {
            *slot = above * wide(trs.to_affine());
        }
        let is_sheared =
            !(above * wide(trs.to_affine())).abs_diff_eq(bone.bind, 1e-3 * tolerance / ROUNDING);
        report.add_many(
            FindingKind::ShearedBind,
            Place::Bone(as_u32(index)),
            u64::from(is_sheared),
            || format!("the bind transform of bone {:?} has shear", bone.name),
        );
        let parent = bone.parent.and_then(|parent| number_of.get(parent));
        list.push(WrittenJoint {
            bone,
            is_second,
            parent: parent.map_or(-1, |&parent| i32::try_from(parent).unwrap_or(-1)),
            trs,
        });
    }
    let is_in_order = order.iter().enumerate().all(|(at, &bone)| at == bone);
    Ok(WrittenJoints { list, number_of, is_in_order })
}

/// Rigged bones in file order: parents before children, as runtimes require, and if there are many,
/// those with vertices first.
fn order(rigged: &RiggedModel, report: &Report) -> Result<Vec<usize>, WriteError> {
    let bones = &rigged.bones;
    let mut order: Vec<usize> = Vec::with_capacity(bones.len());
    let is_sorted =
        bones.iter().enumerate().all(|(at, bone)| bone.parent.is_none_or(|parent| parent < at));
    if is_sorted {
        order.extend(0..bones.len());
    } else {
        let parents_first = rigged.model.skeleton.parents_first();
        order.extend(parents_first.iter().map(|bone| bone.index()));
        order.extend(parents_first.len()..bones.len());
    }
    if bones.len() <= MAX_NAMED {
        return Ok(order);
    }
    // Also mark the ancestors of these bones, from last to first, since parents come before their
    // children.
    let mut is_needed = rigged.weighted_bones(report)?;
    for &bone in order.iter().rev() {
        let parent = bones.get(bone).and_then(|bone| bone.parent);
        if is_needed.get(bone) == Some(&true)
            && let Some(flag) = parent.and_then(|parent| is_needed.get_mut(parent))
        {
            *flag = true;
        }
    }
    let is_needed = |bone: &usize| is_needed.get(*bone) == Some(&true);
    let num_needed = order.iter().filter(|bone| is_needed(bone)).count();
    if num_needed > MAX_NAMED {
        return Err(WriteError::TooMany {
            format: ID,
            what: "bones that move vertices or are parents of such bones",
            count: num_needed as u64,
            limit: MAX_NAMED as u64,
        });
    }
    order.sort_by_key(|bone| !is_needed(bone));
    Ok(order)
}

fn narrow(matrix: DAffine3) -> Affine3A {
    Affine3A {
        matrix3: matrix.matrix3.as_mat3().into(),
        translation: matrix.translation.as_vec3().into(),
    }
}

fn wide(matrix: Affine3A) -> DAffine3 {
    DAffine3 {
        matrix3: glam::Mat3::from(matrix.matrix3).as_dmat3(),
        translation: glam::Vec3::from(matrix.translation).as_dvec3(),
    }
}
