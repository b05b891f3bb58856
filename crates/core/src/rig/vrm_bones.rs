//! The bones of a human that VRM names, and which bones of a model they are.
//!
//! Source: VRM Consortium, "VRM 1.0", `humanoid.md`. VRM 0 calls the bones of the thumb differently.

use std::collections::HashSet;

use super::body::{BodyBone, BodyPart, Finger, Side};
use super::limbs::BodyBones;
use crate::model::{Avatar, BoneId, Model};

/// Bones in the middle of the body: name, parent, whether every human has it.
const MIDDLE: [(&str, &str, bool); 7] = [
    ("hips", "", true),
    ("spine", "hips", true),
    ("chest", "spine", false),
    ("upperChest", "chest", false),
    ("neck", "upperChest", false),
    ("head", "neck", true),
    ("jaw", "head", false),
];

/// Bones of both sides, in the same form; parents may be in the middle.
const SIDED: [(&str, &str, bool); 23] = [
    ("UpperLeg", "hips", true),
    ("LowerLeg", "UpperLeg", true),
    ("Foot", "LowerLeg", true),
    ("Toes", "Foot", false),
    ("Shoulder", "upperChest", false),
    ("UpperArm", "Shoulder", true),
    ("LowerArm", "UpperArm", true),
    ("Hand", "LowerArm", true),
    ("ThumbMetacarpal", "Hand", false),
    ("ThumbProximal", "ThumbMetacarpal", false),
    ("ThumbDistal", "ThumbProximal", false),
    ("IndexProximal", "Hand", false),
    ("IndexIntermediate", "IndexProximal", false),
    ("IndexDistal", "IndexIntermediate", false),
    ("MiddleProximal", "Hand", false),
    ("MiddleIntermediate", "MiddleProximal", false),
    ("MiddleDistal", "MiddleIntermediate", false),
    ("RingProximal", "Hand", false),
    ("RingIntermediate", "RingProximal", false),
    ("RingDistal", "RingIntermediate", false),
    ("LittleProximal", "Hand", false),
    ("LittleIntermediate", "LittleProximal", false),
    ("LittleDistal", "LittleIntermediate", false),
];

/// A bone of a model that VRM names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VrmBone {
    /// The name, such as `leftUpperArm`.
    pub name: String,
    /// The bone of the model.
    pub bone: BoneId,
    /// The nearest ancestor, by VRM's hierarchy, that the model has too: its place in the list.
    pub parent: Option<usize>,
}

/// The bones of `model` that VRM names, parents first: those that its file states, or else those of a body. Without
/// the eyes, which look-at moves.
///
/// # Errors
/// The names of missing bones that VRM requires.
pub fn vrm_bones(model: &Model) -> Result<Vec<VrmBone>, Vec<String>> {
    let stated = model.avatar.as_deref().filter(|avatar| !avatar.humanoid.is_empty());
    let named = match stated {
        Some(avatar) => stated_names(avatar, model.axes.faces_backward),
        None => body_names(&BodyBones::of(&model.skeleton, None)),
    };
    let bone_of = |name: &str| named.iter().find(|(_, own)| own == name).map(|(bone, _)| *bone);
    let mut missing = Vec::new();
    let mut found: Vec<VrmBone> = Vec::new();
    let mut used = HashSet::new();
    for (name, parent, is_required) in all() {
        match bone_of(&name).filter(|bone| used.insert(*bone)) {
            Some(bone) => {
                let parent = nearest(&parent, &found);
                found.push(VrmBone { name, bone, parent });
            }
            None if is_required => missing.push(name),
            None => {}
        }
    }
    if missing.is_empty() { Ok(found) } else { Err(missing) }
}

/// Name, parent and whether it is required; parents first.
fn all() -> impl Iterator<Item = (String, String, bool)> {
    let middle = MIDDLE.iter().map(|(name, parent, is_required)| {
        ((*name).to_owned(), (*parent).to_owned(), *is_required)
    });
    let sided = ["left", "right"].into_iter().flat_map(|side| {
        SIDED.iter().map(move |(name, parent, is_required)| {
            (format!("{side}{name}"), sided_parent(side, parent), *is_required)
        })
    });
    middle.chain(sided)
}

fn sided_parent(side: &str, parent: &str) -> String {
    let is_middle = MIDDLE.iter().any(|(name, ..)| *name == parent);
    if is_middle { parent.to_owned() } else { format!("{side}{parent}") }
}

/// The place in `found` of the bone called `name`, or of its nearest ancestor.
fn nearest(name: &str, found: &[VrmBone]) -> Option<usize> {
    let mut name = name.to_owned();
    while !name.is_empty() {
        if let Some(at) = found.iter().position(|own| own.name == name) {
            return Some(at);
        }
        name = all().find(|(own, ..)| *own == name)?.1;
    }
    None
}

/// The names in a file, in those of VRM 1.
fn stated_names(avatar: &Avatar, is_vrm_0: bool) -> Vec<(BoneId, String)> {
    // Only VRM 0 has such a bone.
    let is_vrm_0 =
        is_vrm_0 || avatar.humanoid.iter().any(|(_, name)| name.ends_with("ThumbIntermediate"));
    let renamed = |name: &str| {
        let ends = [("ThumbProximal", "ThumbMetacarpal"), ("ThumbIntermediate", "ThumbProximal")];
        let found = ends.iter().find_map(|(old, new)| Some((name.strip_suffix(old)?, new)));
        match found.filter(|_| is_vrm_0) {
            Some((side, new)) => format!("{side}{new}"),
            None => name.to_owned(),
        }
    };
    avatar.humanoid.iter().map(|(bone, name)| (*bone, renamed(name))).collect()
}

/// The names of the bones of a body. VRM has three bones of the spine: the first, the last and one in the middle.
fn body_names(body: &BodyBones) -> Vec<(BoneId, String)> {
    let mut names = Vec::new();
    let mut add = |bone: Option<BoneId>, name: String| {
        names.extend(bone.map(|bone| (bone, name)));
    };
    add(body.part(BodyPart::Hips, None), "hips".to_owned());
    let spines = body.chain(BodyPart::Spine, None);
    let last = spines.len().saturating_sub(1);
    for (at, name) in [(0, "spine"), (last.div_ceil(2), "chest"), (last, "upperChest")] {
        let is_free = name == "spine" || (at > 0 && (name == "chest" || last > 1));
        add(spines.get(at).copied().filter(|_| is_free), name.to_owned());
    }
    add(body.part(BodyPart::Neck, None), "neck".to_owned());
    add(body.part(BodyPart::Head, None), "head".to_owned());
    add(body.part(BodyPart::Jaw, None), "jaw".to_owned());
    for (side, prefix) in [(Side::Left, "left"), (Side::Right, "right")] {
        for (part, name) in [
            (BodyPart::UpperLeg, "UpperLeg"),
            (BodyPart::LowerLeg, "LowerLeg"),
            (BodyPart::Foot, "Foot"),
            (BodyPart::Toes, "Toes"),
            (BodyPart::Shoulder, "Shoulder"),
            (BodyPart::UpperArm, "UpperArm"),
            (BodyPart::LowerArm, "LowerArm"),
            (BodyPart::Hand, "Hand"),
        ] {
            add(body.part(part, Some(side)), format!("{prefix}{name}"));
        }
        for finger in Finger::ALL {
            let name = match finger {
                Finger::Thumb => "Thumb",
                Finger::Index => "Index",
                Finger::Middle => "Middle",
                Finger::Ring => "Ring",
                Finger::Little => "Little",
            };
            let joints = match finger {
                Finger::Thumb => ["Metacarpal", "Proximal", "Distal"],
                _ => ["Proximal", "Intermediate", "Distal"],
            };
            for (number, joint) in (0..).zip(joints) {
                let part = BodyPart::Finger(finger);
                let bone = body.bone(BodyBone { part, side: Some(side), number });
                add(bone, format!("{prefix}{name}{joint}"));
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::as_u32;
    use crate::model::testing::*;
    use glam::Vec3;

    fn names(model: &Model) -> Vec<String> {
        vrm_bones(model).unwrap().into_iter().map(|own| own.name).collect()
    }

    fn human(spines: &[&str]) -> ModelBuilder {
        let mut bones: Vec<(String, Option<u32>)> = vec![("Hips".into(), None)];
        for spine in spines {
            bones.push(((*spine).into(), Some(as_u32(bones.len()) - 1)));
        }
        let chest = as_u32(bones.len()) - 1;
        bones.push(("Head".into(), Some(chest)));
        for side in ["Left", "Right"] {
            for (chain, mut parent) in
                [(["Arm", "ForeArm", "Hand"], chest), (["UpLeg", "Leg", "Foot"], 0)]
            {
                for name in chain {
                    bones.push((format!("{side}{name}"), Some(parent)));
                    parent = as_u32(bones.len()) - 1;
                }
            }
        }
        let bones: Vec<_> =
            bones.iter().map(|(name, parent)| (name.as_str(), *parent, Vec3::Y)).collect();
        ModelBuilder::new().bones(&bones)
    }

    #[test]
    fn spines_become_up_to_three() {
        for (spines, expected) in [
            (&["Spine"][..], &["spine"][..]),
            (&["Spine", "Spine1"], &["spine", "chest"]),
            (&["Spine", "Spine1", "Spine2"], &["spine", "chest", "upperChest"]),
            (&["Spine", "Spine1", "Spine2", "Spine3"], &["spine", "chest", "upperChest"]),
        ] {
            let model = human(spines).build();
            let found = names(&model);
            let own: Vec<_> =
                found.iter().filter(|n| n.contains("pine") || n.contains("hest")).collect();
            assert_eq!(own, expected, "{spines:?}");
            // The arm is below the last one.
            let bones = vrm_bones(&model).unwrap();
            let arm = bones.iter().find(|own| own.name == "leftUpperArm").unwrap();
            assert_eq!(&bones[arm.parent.unwrap()].name, expected.last().unwrap());
        }
    }

    #[test]
    fn missing_bones_are_named() {
        let model = ModelBuilder::new().chain(&["Hips", "Spine", "Head"]).build();
        let missing = vrm_bones(&model).unwrap_err();
        assert_eq!(missing.len(), 12, "{missing:?}");
        assert_eq!(missing[0], "leftUpperLeg");
    }

    #[test]
    fn stated_names_win_and_thumbs_of_vrm_0_are_renamed() {
        let mut model = human(&["Spine"]).build();
        let own = vrm_bones(&model).unwrap();
        let humanoid = own.iter().map(|own| (own.bone, own.name.clone())).collect();
        model.avatar = Some(Box::new(Avatar { humanoid, ..Avatar::default() }));
        assert_eq!(vrm_bones(&model).unwrap(), own);
        let avatar = Avatar {
            humanoid: [(1, "leftThumbProximal"), (2, "leftThumbIntermediate")]
                .map(|(bone, name)| (BoneId::from_index(bone), name.to_owned()))
                .to_vec(),
            ..Avatar::default()
        };
        let renamed: Vec<_> =
            stated_names(&avatar, false).into_iter().map(|(_, name)| name).collect();
        assert_eq!(renamed, ["leftThumbMetacarpal", "leftThumbProximal"]);
    }
}
