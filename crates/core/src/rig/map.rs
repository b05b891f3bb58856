//! Pairs that the user states, by names.

use std::collections::HashMap;

use super::body::{BodyBone, BodyPart, Finger, Meaning, meaning};
use super::limbs::BodyBones;
use super::words::Words;
use crate::model::{BoneId, Model, plain_name};

/// Bone names of one file, with their counterparts in another.
///
/// A name may also be one of a humanoid profile (VRM, Godot), which stands for that part of the body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoneMap {
    /// In the order of the file.
    pub entries: Vec<BoneMapEntry>,
}

/// A row of a [`BoneMap`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoneMapEntry {
    /// In the file with the clips.
    pub from: String,
    /// In the model; `None` for a bone without a counterpart.
    pub to: Option<String>,
}

/// The entries of a map that two models have, and what is wrong with the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedMap {
    /// Bones of the first model with their counterparts.
    pub pairs: Vec<(BoneId, Option<BoneId>)>,
    /// Names that the first model and the second model lack.
    pub missing: [Vec<String>; 2],
    /// Two names of the first model with the same counterpart; the second one is left out.
    pub doubles: Vec<[String; 3]>,
}

impl BoneMap {
    /// The bones of the entries. A map that was made for the other direction is reversed.
    #[must_use]
    pub fn resolve(&self, from: &Model, to: &Model) -> ResolvedMap {
        let names = [from, to].map(Names::of);
        let forward = self.resolve_in(&names, [0, 1]);
        let backward = self.resolve_in(&names, [1, 0]);
        // Only if it fits better: names that both have are in their stated order.
        if backward.num_missing() < forward.num_missing() { backward } else { forward }
    }

    /// With the names on the left in the model `sides[0]`.
    fn resolve_in(&self, names: &[Names<'_>; 2], sides: [usize; 2]) -> ResolvedMap {
        let mut resolved = ResolvedMap::default();
        let mut known: HashMap<BoneId, &str> = HashMap::new();
        for entry in &self.entries {
            let left = names[sides[0]].find(&entry.from);
            let right = entry.to.as_ref().map(|name| (name, names[sides[1]].find(name)));
            if left.is_none() {
                resolved.missing[sides[0]].push(entry.from.clone());
            }
            if let Some((name, None)) = &right {
                resolved.missing[sides[1]].push((*name).clone());
            }
            let pair = match (left, right) {
                (Some(left), Some((_, Some(right)))) if sides[0] == 0 => (left, Some(right)),
                (Some(left), Some((_, Some(right)))) => (right, Some(left)),
                (Some(left), None) if sides[0] == 0 => (left, None),
                _ => continue,
            };
            if let Some(to) = pair.1 {
                if let Some(other) = known.get(&to) {
                    let own = [(*other).to_owned(), entry.from.clone()];
                    let [first, second] = own;
                    let to = entry.to.clone().unwrap_or_default();
                    resolved.doubles.push([first, second, to]);
                    continue;
                }
                known.insert(to, &entry.from);
            }
            resolved.pairs.push(pair);
        }
        resolved
    }
}

impl ResolvedMap {
    fn num_missing(&self) -> usize {
        self.missing.iter().map(Vec::len).sum()
    }
}

/// The bones of a model by name.
struct Names<'a> {
    exact: HashMap<&'a str, BoneId>,
    plain: HashMap<String, BoneId>,
    body: BodyBones,
}

impl<'a> Names<'a> {
    fn of(model: &'a Model) -> Self {
        let bones = || model.skeleton.bones().iter_enumerated();
        let (mut exact, mut plain) = (HashMap::new(), HashMap::new());
        for (id, bone) in bones() {
            exact.entry(bone.name.as_str()).or_insert(id);
            plain.entry(plain_name(&bone.name)).or_insert(id);
        }
        Self { exact, plain, body: BodyBones::of(&model.skeleton, model.avatar.as_deref()) }
    }

    /// By name, by name without case and namespace, or by the part of the body that the name means in a profile.
    fn find(&self, name: &str) -> Option<BoneId> {
        let found = self.exact.get(name).or_else(|| self.plain.get(&plain_name(name)));
        found.copied().or_else(|| self.body.bone(body_of_name(name)?))
    }
}

/// The part of the body that a name means in the profiles of Godot (`SkeletonProfileHumanoid`) and VRM 1.0.
fn body_of_name(name: &str) -> Option<BodyBone> {
    let words = Words::of(name);
    let joined = words.joined();
    let part = match meaning(&joined)? {
        Meaning::Part(part) => part,
        Meaning::Shoulder => BodyPart::Shoulder,
        Meaning::Foot => BodyPart::Foot,
        _ => return None,
    };
    let number = match part {
        BodyPart::Spine => {
            ["spine", "chest", "upperchest"].iter().position(|own| *own == joined)?
        }
        BodyPart::Finger(finger) => {
            let thumb = usize::from(finger == Finger::Thumb);
            let ends = [("metacarpal", 0), ("proximal", thumb), ("intermediate", 1), ("distal", 2)];
            ends.iter().find(|(end, _)| joined.ends_with(end))?.1
        }
        _ => 0,
    };
    Some(BodyBone { part, side: words.side, number: u32::try_from(number).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::tests::body_named;

    fn map(entries: &[(&str, Option<&str>)]) -> BoneMap {
        let entry = |(from, to): &(&str, Option<&str>)| BoneMapEntry {
            from: (*from).to_owned(),
            to: to.map(str::to_owned),
        };
        BoneMap { entries: entries.iter().map(entry).collect() }
    }

    fn named(models: [&Model; 2], resolved: &ResolvedMap) -> Vec<(String, Option<String>)> {
        let name = |side: usize, bone: BoneId| models[side].skeleton.display_name(bone);
        let pairs = resolved.pairs.iter();
        pairs.map(|(from, to)| (name(0, *from), to.map(|to| name(1, to)))).collect()
    }

    #[test]
    fn a_map_works_in_both_directions() {
        let (from, to) = (body_named("Mixamo"), body_named("Unreal Engine"));
        let map = map(&[("mixamorig:Hips", Some("pelvis")), ("mixamorig:LeftArm", Some("Hand_R"))]);
        let there = map.resolve(&from, &to);
        let expected = [
            ("mixamorig:Hips".to_owned(), Some("pelvis".to_owned())),
            ("mixamorig:LeftArm".to_owned(), Some("hand_r".to_owned())),
        ];
        assert_eq!(named([&from, &to], &there), expected);
        let back = map.resolve(&to, &from);
        let swapped = expected.map(|(a, b)| (b.unwrap(), Some(a)));
        assert_eq!(named([&to, &from], &back), swapped);
        assert_eq!((there.missing, back.missing), Default::default());
    }

    #[test]
    fn names_of_a_profile_stand_for_parts_of_the_body() {
        let (from, to) = (body_named("Mixamo"), body_named("Unreal Engine"));
        let map = map(&[
            ("Hips", Some("pelvis")),
            ("UpperChest", Some("spine_02")),
            ("LeftThumbMetacarpal", Some("thumb_01_l")),
            ("LeftThumbDistal", Some("thumb_03_l")),
            ("RightIndexIntermediate", Some("index_02_r")),
        ]);
        let resolved = map.resolve(&from, &to);
        let pairs = named([&from, &to], &resolved);
        let names: Vec<&str> = pairs.iter().map(|(from, _)| from.as_str()).collect();
        let expected = [
            "mixamorig:Hips",
            "mixamorig:Spine2",
            "mixamorig:LeftHandThumb1",
            "mixamorig:LeftHandThumb3",
            "mixamorig:RightHandIndex2",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn mistakes_are_listed_and_the_other_entries_remain() {
        let (from, to) = (body_named("Mixamo"), body_named("Unreal Engine"));
        let map = map(&[
            ("mixamorig:Hips", Some("pelvis")),
            ("mixamorig:Spine", Some("pelvis")),
            ("Tail", Some("spine_01")),
            ("mixamorig:Neck", Some("nack")),
            ("mixamorig:Head", None),
        ]);
        let resolved = map.resolve(&from, &to);
        assert_eq!(resolved.pairs.len(), 2);
        assert_eq!(resolved.missing, [vec!["Tail".to_owned()], vec!["nack".to_owned()]]);
        let double = ["mixamorig:Hips", "mixamorig:Spine", "pelvis"].map(str::to_owned);
        assert_eq!(resolved.doubles, [double]);
    }
}
