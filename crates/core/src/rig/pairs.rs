//! Pairs the bones of two skeletons.

use std::collections::{HashMap, HashSet, VecDeque};

use super::body::BodyPart;
use super::limbs::{BodyBones, Tree};
use super::words::Words;
use crate::model::{
    BoneId, ClipSource, IdVec, Model, PairedBone, PairedBones, Skeleton, plain_name,
};

/// The most bones of one name that are tried as the counterpart of another.
const MAX_LOOKS: usize = 64;

/// Why two bones are a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairReason {
    /// They are an entry of a bone map.
    Given,
    /// Both have the same name.
    Name,
    /// Both have the same name apart from case and namespace.
    PlainName,
    /// Both are the same bone of a body.
    Body,
    /// Their names have the same words, sides and numbers.
    Words,
    /// They are at the same place between other pairs.
    Place,
    /// They have the same number in the lists of bones.
    Order,
}

impl PairReason {
    /// The reason as a phrase.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Given => "bone map",
            Self::Name => "same name",
            Self::PlainName => "same name, apart from case and namespace",
            Self::Body => "same part of the body",
            Self::Words => "same words",
            Self::Place => "same place in the hierarchy",
            Self::Order => "same number",
        }
    }

    /// The stable name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "map",
            Self::Name => "name",
            Self::PlainName => "plain-name",
            Self::Body => "body",
            Self::Words => "words",
            Self::Place => "place",
            Self::Order => "order",
        }
    }

    /// How sure the pair is, from 0 to 1. An estimate for sorting and colours, not a measured frequency.
    #[must_use]
    pub fn certainty(self) -> f32 {
        match self {
            Self::Given | Self::Name => 1.0,
            Self::PlainName => 0.95,
            Self::Body => 0.9,
            Self::Words => 0.8,
            Self::Place | Self::Order => 0.5,
        }
    }
}

/// Two corresponding bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BonePair {
    /// In the first skeleton.
    pub from: BoneId,
    /// In the second skeleton.
    pub to: BoneId,
    /// Why they correspond.
    pub reason: PairReason,
}

/// The pairs of two skeletons.
#[derive(Clone, Debug, Default)]
pub struct BonePairs {
    /// In the order of the first skeleton.
    pub pairs: Vec<BonePair>,
    /// The bones of a body in both.
    pub bodies: [BodyBones; 2],
    /// Bones that store values, such as the weights of expressions, and have no counterparts.
    pub values: [HashSet<BoneId>; 2],
}

impl BonePairs {
    /// The bone of the second skeleton for each bone of the first, which has `num` bones.
    #[must_use]
    pub fn to_of_from(&self, num: usize) -> IdVec<BoneId, Option<BoneId>> {
        let mut found = vec![None; num];
        for pair in &self.pairs {
            if let Some(slot) = found.get_mut(pair.from.index()) {
                *slot = Some(pair.to);
            }
        }
        found.into()
    }

    /// Bones that are matched by their names or by their order.
    #[must_use]
    pub fn of_matching(
        bones: &IdVec<BoneId, Option<BoneId>>,
        is_by_order: bool,
        [from, to]: [&Skeleton; 2],
    ) -> Self {
        let pair = |(own, other): (BoneId, &Option<BoneId>)| {
            let other = (*other)?;
            let is_same = from.bones().get(own)?.name == to.bones().get(other)?.name;
            let reason = match (is_by_order, is_same) {
                (true, _) => PairReason::Order,
                (false, true) => PairReason::Name,
                (false, false) => PairReason::PlainName,
            };
            Some(BonePair { from: own, to: other, reason })
        };
        Self { pairs: bones.iter_enumerated().filter_map(pair).collect(), ..Self::default() }
    }

    /// The pairs as a property of the first model's file.
    #[must_use]
    pub fn of_file(&self, source: ClipSource, is_retargeted: bool) -> PairedBones {
        let from = &source.animation.skeleton;
        let mut by_bone: HashMap<BoneId, &BonePair> = HashMap::new();
        by_bone.extend(self.pairs.iter().map(|pair| (pair.from, pair)));
        let bone = |(id, _)| {
            let pair = by_bone.get(&id);
            PairedBone {
                name: from.display_name(id),
                parent: from.bones()[id].parent,
                is_helper: from.bones()[id].is_helper(),
                to: pair.map(|pair| pair.to),
                reason: pair.map_or("", |pair| pair.reason.text()),
                certainty: pair.map_or(0.0, |pair| pair.reason.certainty()),
            }
        };
        let bones = from.bones().iter_enumerated().map(bone).collect();
        PairedBones { bones, is_retargeted, source }
    }

    /// The bones of both skeletons that are in no pair.
    #[must_use]
    pub fn unpaired(&self, from: &Skeleton, to: &Skeleton) -> [Vec<BoneId>; 2] {
        let known = |of: fn(&BonePair) -> BoneId, values: &HashSet<BoneId>| {
            self.pairs.iter().map(of).chain(values.iter().copied()).collect()
        };
        [
            Tree::new(from).others(&known(|own| own.from, &self.values[0])),
            Tree::new(to).others(&known(|own| own.to, &self.values[1])),
        ]
    }

    /// The names of the bones without a pair that aren't helpers of the file format.
    #[must_use]
    pub fn unpaired_names(&self, models: [&Model; 2]) -> [Vec<String>; 2] {
        let [from, to] = self.unpaired(&models[0].skeleton, &models[1].skeleton);
        [(from, models[0]), (to, models[1])].map(|(bones, model)| {
            let skeleton = &model.skeleton;
            let is_bone =
                |id: &BoneId| skeleton.bones().get(*id).is_some_and(|bone| !bone.is_helper());
            bones.into_iter().filter(is_bone).map(|id| skeleton.display_name(id)).collect()
        })
    }
}

/// Pairs the bones of two models. `given` are fixed pairs, and bones without a counterpart.
#[must_use]
pub fn pair_bones(from: &Model, to: &Model, given: &[(BoneId, Option<BoneId>)]) -> BonePairs {
    let bodies = [from, to].map(|model| BodyBones::of(&model.skeleton, model.avatar.as_deref()));
    let values = [from, to].map(|model| {
        let avatar = model.avatar.iter();
        avatar.flat_map(|avatar| avatar.value_bones()).collect::<HashSet<BoneId>>()
    });
    let mut pairing = Pairing::new([&from.skeleton, &to.skeleton], &bodies);
    pairing.used.clone_from(&values);
    for (own, other) in given {
        match other {
            Some(other) => pairing.add(*own, *other, PairReason::Given),
            None => {
                pairing.used[0].insert(*own);
            }
        }
    }
    let are_bodies = bodies.iter().all(BodyBones::is_body);
    // Names mean the same in two skeletons of one convention; otherwise the part of the body decides.
    let same = |own: &str| own.to_owned();
    pairing.by_key(PairReason::Name, |name| (!name.is_empty()).then(|| same(name)));
    pairing.by_key(PairReason::PlainName, |name| (!name.is_empty()).then(|| plain_name(name)));
    if are_bodies {
        pairing.by_body([from, to]);
    }
    pairing.by_key(PairReason::Words, |name| {
        let words = Words::of(name);
        let is_named = !words.words.is_empty() && !words.is_helper;
        is_named.then(|| (words.joined(), words.side, words.numbers))
    });
    pairing.by_place();
    let mut pairs = pairing.pairs;
    pairs.sort_by_key(|pair| pair.from);
    BonePairs { pairs, bodies, values }
}

struct Pairing<'a> {
    skeletons: [&'a Skeleton; 2],
    bodies: &'a [BodyBones; 2],
    pairs: Vec<BonePair>,
    used: [HashSet<BoneId>; 2],
}

impl<'a> Pairing<'a> {
    fn new(skeletons: [&'a Skeleton; 2], bodies: &'a [BodyBones; 2]) -> Self {
        Self { skeletons, bodies, pairs: Vec::new(), used: Default::default() }
    }

    fn is_free(&self, side: usize, bone: BoneId) -> bool {
        !self.used[side].contains(&bone)
    }

    fn add(&mut self, from: BoneId, to: BoneId, reason: PairReason) {
        if self.is_free(0, from) && self.is_free(1, to) {
            self.used[0].insert(from);
            self.used[1].insert(to);
            self.pairs.push(BonePair { from, to, reason });
        }
    }

    /// Whether two bones may be a pair: they aren't different bones of a body, or of different sides.
    fn is_possible(&self, from: BoneId, to: BoneId) -> bool {
        let side = |skeleton: &Skeleton, bone: BoneId| {
            skeleton.bones().get(bone).and_then(|bone| Words::of(&bone.name).side)
        };
        let sides = [side(self.skeletons[0], from), side(self.skeletons[1], to)];
        if let [Some(a), Some(b)] = sides
            && a != b
        {
            return false;
        }
        match [self.bodies[0].of_bone(from), self.bodies[1].of_bone(to)] {
            [Some(a), Some(b)] => {
                let is_chain = matches!(a.part, BodyPart::Spine | BodyPart::Neck);
                a.part == b.part && a.side == b.side && (is_chain || a.number == b.number)
            }
            _ => true,
        }
    }

    /// Pairs free bones with the same key, in order.
    fn by_key<K: Eq + std::hash::Hash>(
        &mut self,
        reason: PairReason,
        key: impl Fn(&str) -> Option<K>,
    ) {
        let mut free: HashMap<K, VecDeque<BoneId>> = HashMap::new();
        for (id, bone) in self.skeletons[1].bones().iter_enumerated() {
            if let Some(key) = key(&bone.name).filter(|_| self.is_free(1, id)) {
                free.entry(key).or_default().push_back(id);
            }
        }
        for (id, bone) in self.skeletons[0].bones().iter_enumerated() {
            let Some(key) = key(&bone.name).filter(|_| self.is_free(0, id)) else { continue };
            let Some(others) = free.get_mut(&key) else { continue };
            // Bones with equal names are paired in order, so that only the first ones need a look.
            let at = others.iter().take(MAX_LOOKS).position(|other| self.is_possible(id, *other));
            if let Some(other) = at.and_then(|at| others.remove(at)) {
                self.add(id, other, reason);
            }
        }
    }

    /// Pairs the same bones of two bodies. Chains of different lengths are paired from both ends, unless both files
    /// state the names of their bones (VRM).
    fn by_body(&mut self, models: [&Model; 2]) {
        let bones: Vec<BoneId> = self.skeletons[0].bones().ids().collect();
        for bone in bones {
            let Some(body) = self.bodies[0].of_bone(bone) else { continue };
            if matches!(body.part, BodyPart::Spine | BodyPart::Neck) {
                continue;
            }
            if let Some(other) = self.bodies[1].bone(body) {
                self.add(bone, other, PairReason::Body);
            }
        }
        for part in [BodyPart::Spine, BodyPart::Neck] {
            let [a, b] = [0, 1].map(|side| self.bodies[side].chain(part, None));
            // Names of a chain count only if all of them agree: `Spine` is the first one here, and the second one there.
            let paired: HashMap<BoneId, BoneId> =
                self.pairs.iter().map(|pair| (pair.from, pair.to)).collect();
            let is_pair = |(from, to): (&BoneId, &BoneId)| paired.get(from) == Some(to);
            let are_all_named = a.len() == b.len() && a.iter().zip(&b).all(is_pair);
            if !are_all_named {
                self.unpair(&a);
            }
            if self.bodies.iter().all(|body| body.is_stated) {
                let [names, others] = models.map(stated_names);
                let others: HashMap<&str, BoneId> =
                    b.iter().filter_map(|to| Some((*others.get(to)?, *to))).collect();
                for from in &a {
                    let to = names.get(from).and_then(|name| others.get(name));
                    to.into_iter().for_each(|to| self.add(*from, *to, PairReason::Body));
                }
                continue;
            }
            for (from, to) in along(a.len(), b.len()) {
                if let (Some(from), Some(to)) = (a.get(from), b.get(to)) {
                    self.add(*from, *to, PairReason::Body);
                }
            }
        }
    }

    /// Undoes the pairs of some bones, except those of a bone map.
    fn unpair(&mut self, bones: &[BoneId]) {
        let bones: HashSet<BoneId> = bones.iter().copied().collect();
        let (used, pairs) = (&mut self.used, &mut self.pairs);
        pairs.retain(|pair| {
            let is_kept = pair.reason == PairReason::Given || !bones.contains(&pair.from);
            if !is_kept {
                used[0].remove(&pair.from);
                used[1].remove(&pair.to);
            }
            is_kept
        });
    }

    /// Pairs the only free child, or equally many in the same order, of two paired bones, again and again.
    fn by_place(&mut self) {
        let trees = self.skeletons.map(Tree::new);
        let children = [trees[0].children(), trees[1].children()];
        let none = Vec::new();
        let mut open: Vec<[BoneId; 2]> =
            self.pairs.iter().map(|pair| [pair.from, pair.to]).collect();
        while let Some([from, to]) = open.pop() {
            let free = |side: usize, bone: BoneId| -> Vec<BoneId> {
                let all = children[side].get(&Some(bone)).unwrap_or(&none);
                all.iter().copied().filter(|bone| self.is_free(side, *bone)).collect()
            };
            let (a, b) = (free(0, from), free(1, to));
            let ([own], [other]) = (&a[..], &b[..]) else { continue };
            let is_helper = |skeleton: &Skeleton, bone: BoneId| {
                let bone = skeleton.bones().get(bone);
                bone.is_none_or(|bone| bone.is_helper() || Words::of(&bone.name).is_helper)
            };
            let are_bones =
                !is_helper(self.skeletons[0], *own) && !is_helper(self.skeletons[1], *other);
            if are_bones && self.is_possible(*own, *other) {
                self.add(*own, *other, PairReason::Place);
                open.push([*own, *other]);
            }
        }
    }
}

/// The names by which a file states the bones of a body.
fn stated_names(model: &Model) -> HashMap<BoneId, &str> {
    let stated = model.avatar.iter().flat_map(|avatar| &avatar.humanoid);
    stated.map(|(bone, name)| (*bone, name.as_str())).collect()
}

/// Index pairs of two chains, evenly spread: the first with the first, the last with the last.
fn along(num_a: usize, num_b: usize) -> Vec<(usize, usize)> {
    let num = num_a.min(num_b);
    let place = |at: usize, of: usize| {
        if num < 2 { 0 } else { (at * (of - 1) + (num - 1) / 2) / (num - 1) }
    };
    (0..num).map(|at| (place(at, num_a), place(at, num_b))).collect()
}
