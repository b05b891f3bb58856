//! The skeleton of a model: from a character file, or a substitute if none was found.
//!
//! Meshes, skills and skeletons of different files are matched by bone name, ignoring case.

use std::collections::HashMap;

use glam::{Quat, Vec3};

use super::character_file::{BoneRecord, SkeletonRecord};
use crate::formats::{Failure, Limits, ReadError};
use rigscope_core::model::{
    Bone, BoneId, FindingKind, LocalTransform, Place, Report, Skeleton, SkeletonError, Trs,
};

/// The parent name of a root.
pub(super) const NO_PARENT: &str = "NULL";

pub(super) struct BoneNames(HashMap<String, BoneId>);

impl BoneNames {
    /// The names of a skeleton; the first of equal names counts.
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        Self::new(skeleton.bones().iter().map(|bone| &*bone.name))
    }

    fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut known = HashMap::new();
        for (at, name) in names.enumerate() {
            known.entry(name.to_lowercase()).or_insert(BoneId::from_index(at));
        }
        Self(known)
    }

    /// The bone of that name, ignoring case.
    pub(super) fn get(&self, name: &str) -> Option<BoneId> {
        self.0.get(&name.to_lowercase()).copied()
    }
}

/// How many of `names` a skeleton has.
pub(super) fn num_known(record: &SkeletonRecord, names: &[String]) -> usize {
    let known = BoneNames::new(record.bones.iter().map(|bone| &*bone.name));
    names.iter().filter(|n| known.get(n).is_some()).count()
}

/// Converts a stored rotation to the bone's rotation.
///
/// The stored value is the conjugate: without conversion, a figure lies on its side (determined by fitting
/// the two copies of blended vertices in real files).
pub(super) fn rotation(stored: [f32; 4]) -> Option<Quat> {
    let [x, y, z, w] = stored;
    let rotated = Quat::from_xyzw(-x, -y, -z, w);
    let length = rotated.length();
    (length.is_finite() && length > f32::MIN_POSITIVE).then(|| rotated * length.recip())
}

/// Converts the skeleton of a character file.
pub(super) fn build(
    format: &'static str,
    record: &SkeletonRecord,
    limits: &Limits,
    report: &Report,
) -> Result<Skeleton, ReadError> {
    let failure = |place, what| Box::new(Failure::new(format, "skeleton", place, what));
    let num = record.bones.len();
    if num > limits.max_bones as usize {
        let what = format!("{num} bones exceed the {} allowed", limits.max_bones);
        return Err(ReadError::Limit(failure(Place::File, what)));
    }
    let names = BoneNames::new(record.bones.iter().map(|bone| &*bone.name));
    let mut bones = Vec::with_capacity(num);
    for (at, stored) in record.bones.iter().enumerate() {
        let place = Place::Bone(BoneId::from_index(at).0);
        bones.push(bone(stored, &names, place, report));
    }
    Skeleton::new(bones, true).map_err(|error| {
        let (SkeletonError::Cycle { bone } | SkeletonError::ParentOutOfRange { bone, .. }) = error;
        ReadError::Malformed(failure(Place::Bone(bone.0), error.to_string()))
    })
}

fn bone(stored: &BoneRecord, names: &BoneNames, place: Place, report: &Report) -> Bone {
    let has_parent = !stored.parent.is_empty() && !stored.parent.eq_ignore_ascii_case(NO_PARENT);
    let parent = names.get(&stored.parent).filter(|_| has_parent);
    if has_parent && parent.is_none() {
        report.add_many(FindingKind::ParentOutOfRange, place, 1, || {
            let (bone, parent) = (&stored.name, &stored.parent);
            format!("the parent of bone {bone:?} is {parent:?}, which isn't in the skeleton")
        });
    }
    let translation = Vec3::from(stored.position);
    let numbers = stored.position.iter().chain(&stored.rotation);
    let num_bad = numbers.filter(|number| !number.is_finite()).count();
    report.add_many(FindingKind::NotFinite, place, num_bad as u64, || {
        format!("the rest pose of {:?} isn't finite", stored.name)
    });
    Bone {
        name: stored.name.clone(),
        parent,
        rest_local: LocalTransform::Trs(Trs {
            translation: if translation.is_finite() { translation } else { Vec3::ZERO },
            rotation: rotation(stored.rotation).unwrap_or(Quat::IDENTITY),
            scale: Vec3::ONE,
        }),
        ..Bone::default()
    }
}

/// Bones without parents at the origin, for files whose skeleton is missing.
pub(super) fn without_places(names: &[String]) -> Skeleton {
    let bone = |name: &String| Bone { name: name.clone(), ..Bone::default() };
    // Bones without parents can't form a cycle.
    Skeleton::new(names.iter().map(bone).collect(), false).unwrap_or_default()
}
