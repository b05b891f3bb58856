//! Which bones of a skeleton are which bones of a body.

use std::collections::{HashMap, HashSet};

use super::body::{BodyBone, BodyPart, Finger, Meaning, Side, meaning};
use super::words::Words;
use crate::model::{Avatar, BoneId, Skeleton};

/// The bones of a body in a skeleton.
#[derive(Clone, Debug, Default)]
pub struct BodyBones {
    by_bone: HashMap<BoneId, BodyBone>,
    by_body: HashMap<BodyBone, BoneId>,
    /// Whether the file itself names them (VRM).
    pub is_stated: bool,
    /// Bones that are called heads, but aren't below the head. They aren't bones of the body.
    pub further_heads: Vec<BoneId>,
}

impl BodyBones {
    /// Reads the table of an avatar, or else the names.
    #[must_use]
    pub fn of(skeleton: &Skeleton, avatar: Option<&Avatar>) -> Self {
        let stated = avatar.filter(|avatar| !avatar.humanoid.is_empty());
        let candidates: Vec<Candidate> = match stated {
            Some(avatar) => {
                let names = avatar.humanoid.iter();
                names.filter_map(|(bone, name)| Candidate::of(*bone, name)).collect()
            }
            None => {
                let bones = skeleton.bones().iter_enumerated();
                bones.filter_map(|(id, bone)| Candidate::of(id, &bone.name)).collect()
            }
        };
        let mut own = Self { is_stated: stated.is_some(), ..Self::default() };
        let tree = Tree::new(skeleton);
        for side in [Side::Left, Side::Right] {
            own.add_limbs(&candidates, side, &tree);
        }
        own.add_trunk(&candidates, &tree);
        own
    }

    /// The part of the body that a bone is.
    #[must_use]
    pub fn of_bone(&self, bone: BoneId) -> Option<BodyBone> {
        self.by_bone.get(&bone).copied()
    }

    /// The bone that is this part of the body.
    #[must_use]
    pub fn bone(&self, body: BodyBone) -> Option<BoneId> {
        self.by_body.get(&body).copied()
    }

    /// A bone of a part that isn't in a chain.
    #[must_use]
    pub fn part(&self, part: BodyPart, side: Option<Side>) -> Option<BoneId> {
        self.bone(BodyBone { part, side, number: 0 })
    }

    /// The bones of a chain, from the body outwards.
    #[must_use]
    pub fn chain(&self, part: BodyPart, side: Option<Side>) -> Vec<BoneId> {
        (0..).map_while(|number| self.bone(BodyBone { part, side, number })).collect()
    }

    /// Whether it has hips and legs, or hips, spine and arms.
    #[must_use]
    pub fn is_body(&self) -> bool {
        let has = |part| {
            [Side::Left, Side::Right].iter().all(|side| self.part(part, Some(*side)).is_some())
        };
        self.part(BodyPart::Hips, None).is_some()
            && (has(BodyPart::UpperLeg) || (has(BodyPart::UpperArm) && has(BodyPart::LowerArm)))
    }

    fn add(&mut self, bone: BoneId, part: BodyPart, side: Option<Side>, number: u32) {
        let body = BodyBone { part, side, number };
        if !self.by_bone.contains_key(&bone) && !self.by_body.contains_key(&body) {
            self.by_bone.insert(bone, body);
            self.by_body.insert(body, bone);
        }
    }

    fn add_limbs(&mut self, all: &[Candidate], side: Side, tree: &Tree<'_>) {
        let mut own: Vec<&Candidate> = all.iter().filter(|own| own.side == Some(side)).collect();
        own.sort_by_key(|own| (tree.depth(own.bone), own.bone));
        let meanings: HashSet<Meaning> = own.iter().map(|own| own.meaning).collect();
        let has = |wanted: Meaning| meanings.contains(&wanted);
        let has_part = |part: BodyPart| has(Meaning::Part(part));
        let part_of = |meaning: Meaning| match meaning {
            Meaning::Part(part) => Some(part),
            // In SMPL, the collar is the clavicle, and the shoulder the upper arm.
            Meaning::Shoulder if has_part(BodyPart::Shoulder) && !has_part(BodyPart::UpperArm) => {
                Some(BodyPart::UpperArm)
            }
            Meaning::Shoulder if !has_part(BodyPart::UpperArm) && !has(Meaning::Arm) => {
                Some(BodyPart::UpperArm)
            }
            Meaning::Shoulder if has_part(BodyPart::Shoulder) => None,
            Meaning::Shoulder => Some(BodyPart::Shoulder),
            Meaning::Arm if has_part(BodyPart::UpperArm) => Some(BodyPart::LowerArm),
            Meaning::Arm => Some(BodyPart::UpperArm),
            Meaning::Hip => (!has_part(BodyPart::UpperLeg)).then_some(BodyPart::UpperLeg),
            Meaning::Leg if has_part(BodyPart::UpperLeg) || has(Meaning::Hip) => {
                (!has_part(BodyPart::LowerLeg)).then_some(BodyPart::LowerLeg)
            }
            Meaning::Leg => Some(BodyPart::UpperLeg),
            Meaning::Foot if has_part(BodyPart::Foot) => Some(BodyPart::Toes),
            Meaning::Foot => Some(BodyPart::Foot),
            Meaning::NumberedFinger | Meaning::Palm | Meaning::Pelvis => None,
        };
        for candidate in &own {
            match part_of(candidate.meaning) {
                Some(BodyPart::Finger(_)) | None => {}
                Some(part) => self.add(candidate.bone, part, Some(side), 0),
            }
        }
        self.add_fingers(&own, side, tree);
    }

    /// Fingers are chains: the first bone of each name that the hand has below it, and so on.
    fn add_fingers(&mut self, own: &[&Candidate], side: Side, tree: &Tree<'_>) {
        let numbered = || own.iter().filter(|own| own.meaning == Meaning::NumberedFinger);
        // Biped counts fingers from 0, MakeHuman from 1.
        let first =
            numbered().filter_map(|own| own.numbered_finger()).map(|(finger, _)| finger).min();
        for (at, finger) in (0..).zip(Finger::ALL) {
            let is_own = |own: &&&Candidate| match own.meaning {
                Meaning::Part(BodyPart::Finger(other)) => other == finger,
                Meaning::NumberedFinger => own
                    .numbered_finger()
                    .is_some_and(|(number, _)| Some(number) == first.map(|f| f + at)),
                _ => false,
            };
            let mut chain: Vec<&&Candidate> = own.iter().filter(is_own).collect();
            chain.sort_by_key(|own| (tree.depth(own.bone), own.numbers.last(), own.bone));
            for (number, candidate) in (0..3).zip(chain) {
                self.add(candidate.bone, BodyPart::Finger(finger), Some(side), number);
            }
        }
    }

    /// Hips, spines, necks and head: a chain from the parent of the legs upwards.
    fn add_trunk(&mut self, all: &[Candidate], tree: &Tree<'_>) {
        let middle = || all.iter().filter(|own| own.side.is_none());
        let of = |wanted: &dyn Fn(Meaning) -> bool| -> Vec<BoneId> {
            let mut list: Vec<BoneId> =
                middle().filter(|own| wanted(own.meaning)).map(|own| own.bone).collect();
            list.sort_by_key(|bone| (tree.depth(*bone), *bone));
            list
        };
        let hips = of(&|own| {
            matches!(own, Meaning::Part(BodyPart::Hips) | Meaning::Hip | Meaning::Pelvis)
        });
        let mut spines = of(&|own| own == Meaning::Part(BodyPart::Spine));
        let mut necks = of(&|own| own == Meaning::Part(BodyPart::Neck));
        let heads = of(&|own| own == Meaning::Part(BodyPart::Head));
        if let Some(jaw) = of(&|own| own == Meaning::Part(BodyPart::Jaw)).first() {
            self.add(*jaw, BodyPart::Jaw, None, 0);
        }
        let legs: Vec<BoneId> = [Side::Left, Side::Right]
            .iter()
            .filter_map(|side| self.part(BodyPart::UpperLeg, Some(*side)))
            .collect();
        // The deepest hip bone above both legs; in some rigs, hip and pelvis are siblings.
        let above_legs: Vec<HashSet<BoneId>> =
            legs.iter().map(|leg| tree.ancestors(*leg).collect()).collect();
        let is_above_legs = |bone: &&BoneId| above_legs.iter().all(|above| above.contains(*bone));
        let hip = hips.iter().rfind(is_above_legs).copied();
        // Some rigs don't call any bone hips: they are the first spine in Rigify, and the root in MakeHuman.
        let hip = hip.or_else(|| {
            let found = tree.ancestors(*legs.first()?).find(|bone| is_above_legs(&bone))?;
            (legs.len() > 1).then_some(found)
        });
        spines.retain(|bone| Some(*bone) != hip);
        if let Some(hip) = hip {
            self.add(hip, BodyPart::Hips, None, 0);
        }
        let mut heads = heads;
        if heads.is_empty() && necks.is_empty() && spines.len() > 3 {
            let arms = [Side::Left, Side::Right].iter().filter_map(|side| {
                self.part(BodyPart::Shoulder, Some(*side))
                    .or(self.part(BodyPart::UpperArm, Some(*side)))
            });
            let arms: Vec<BoneId> = arms.collect();
            let above_arms: HashSet<BoneId> =
                arms.iter().flat_map(|arm| tree.ancestors(*arm)).collect();
            let is_below_neck = |bone: &BoneId| above_arms.contains(bone);
            let at = spines.iter().rposition(is_below_neck).map_or(spines.len(), |at| at + 1);
            necks = spines.split_off(at);
            heads.extend(necks.pop());
        }
        if let Some(head) = heads.first() {
            self.add(*head, BodyPart::Head, None, 0);
            let is_other = |bone: &&BoneId| tree.ancestors(**bone).all(|above| above != *head);
            self.further_heads = heads[1..].iter().filter(is_other).copied().collect();
        }
        for (part, chain) in [(BodyPart::Spine, spines), (BodyPart::Neck, necks)] {
            let free: Vec<BoneId> =
                chain.into_iter().filter(|bone| self.of_bone(*bone).is_none()).collect();
            for (number, bone) in (0..).zip(free) {
                self.add(bone, part, None, number);
            }
        }
    }
}

/// A bone whose name has a meaning.
struct Candidate {
    bone: BoneId,
    meaning: Meaning,
    side: Option<Side>,
    numbers: Vec<String>,
}

impl Candidate {
    fn of(bone: BoneId, name: &str) -> Option<Self> {
        let words = Words::of(name);
        let joined = words.joined();
        // `NeckTwist` is a neck in Character Creator.
        if words.is_helper && joined != "necktwist" {
            return None;
        }
        let (meaning, side) = match meaning(&joined) {
            Some(meaning) => (meaning, words.side),
            None => glued(&joined).filter(|_| words.side.is_none())?,
        };
        Some(Self { bone, meaning, side, numbers: words.numbers })
    }

    /// The number of the finger and of its bone: `Finger1`, `Finger12`, `finger1-2`.
    fn numbered_finger(&self) -> Option<(u32, u32)> {
        let digits: Vec<u32> =
            self.numbers.concat().chars().map_while(|c| c.to_digit(10)).collect();
        let [finger, rest @ ..] = &digits[..] else { return None };
        Some((*finger, rest.first().copied().unwrap_or_default()))
    }
}

/// A side without a separator: `larm`, `rthigh`.
fn glued(word: &str) -> Option<(Meaning, Option<Side>)> {
    let sides = [("l", Side::Left), ("r", Side::Right)];
    sides.into_iter().find_map(|(letter, side)| {
        let meaning = meaning(word.strip_prefix(letter)?)?;
        Some((meaning, Some(side)))
    })
}

/// The hierarchy of a skeleton.
pub(super) struct Tree<'a> {
    skeleton: &'a Skeleton,
    depths: Vec<u32>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let mut depths = vec![0; skeleton.len()];
        for &bone in skeleton.parents_first() {
            if let Some(parent) = skeleton.bones()[bone].parent {
                depths[bone.index()] = depths[parent.index()] + 1;
            }
        }
        Self { skeleton, depths }
    }

    pub(super) fn depth(&self, bone: BoneId) -> u32 {
        self.depths.get(bone.index()).copied().unwrap_or_default()
    }

    pub(super) fn parent(&self, bone: BoneId) -> Option<BoneId> {
        self.skeleton.bones().get(bone)?.parent
    }

    /// The ancestors of a bone, nearest first.
    pub(super) fn ancestors(&self, bone: BoneId) -> impl Iterator<Item = BoneId> + '_ {
        std::iter::successors(self.parent(bone), |bone| self.parent(*bone))
    }

    /// The children of each bone.
    pub(super) fn children(&self) -> HashMap<Option<BoneId>, Vec<BoneId>> {
        let mut all: HashMap<Option<BoneId>, Vec<BoneId>> = HashMap::new();
        for (id, bone) in self.skeleton.bones().iter_enumerated() {
            all.entry(bone.parent).or_default().push(id);
        }
        all
    }

    /// The bones that aren't in a set.
    pub(super) fn others(&self, known: &HashSet<BoneId>) -> Vec<BoneId> {
        self.skeleton.bones().ids().filter(|bone| !known.contains(bone)).collect()
    }
}
