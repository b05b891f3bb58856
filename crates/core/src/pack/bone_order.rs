//! Selects and orders the bones of a packed model.

use std::collections::{BTreeSet, HashMap};

use super::bones::Pair;
use super::options::{MAX_BONES, PackOptions};
use crate::model::{BoneId, IdVec, Skeleton};

/// A stored bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedBone {
    /// `None` for a bone that doesn't move.
    pub(super) bone: Option<BoneId>,
    /// The pair that vertices refer to; `None` for a bone that doesn't move any vertex.
    pub(super) pair: Option<u32>,
    pub(super) parent: Option<usize>,
    /// Whether another entry stores the same bone.
    pub(super) is_double: bool,
}

/// Selects the bones to store for those that vertices refer to.
pub(super) struct BoneOrder<'a> {
    skeleton: &'a Skeleton,
    pairs: &'a [Pair],
    options: PackOptions,
    /// Position of each bone in an order with parents before children.
    rank: IdVec<BoneId, usize>,
}

impl<'a> BoneOrder<'a> {
    pub(super) fn new(skeleton: &'a Skeleton, pairs: &'a [Pair], options: &PackOptions) -> Self {
        let mut rank = IdVec::filled(0, skeleton.bones());
        for (at, &bone) in skeleton.parents_first().iter().enumerate() {
            rank[bone] = at;
        }
        Self { skeleton, pairs, options: *options, rank }
    }

    /// Ancestors of a pair that must be stored.
    fn ancestors(&self, pair: u32) -> impl Iterator<Item = BoneId> + '_ {
        let bone = self.pairs.get(pair as usize).and_then(|pair| pair.bone);
        let bones = self.skeleton.bones();
        let parent = |bone: &BoneId| bones[*bone].parent;
        let first = bone.filter(|_| self.options.hierarchy);
        std::iter::successors(first.and_then(|bone| parent(&bone)), parent)
            .filter(|bone| !bones[*bone].is_helper())
    }

    /// All bones to store for the `used` pairs, parents first.
    pub(super) fn kept(&self, used: &BTreeSet<u32>) -> Vec<PackedBone> {
        let mut of_bone: HashMap<Option<BoneId>, Vec<u32>> = HashMap::new();
        for &pair in used {
            let bone = self.pairs.get(pair as usize).and_then(|pair| pair.bone);
            of_bone.entry(bone).or_default().push(pair);
        }
        let mut bones: BTreeSet<BoneId> = of_bone.keys().copied().flatten().collect();
        bones.extend(used.iter().flat_map(|&pair| self.ancestors(pair)));
        let needed: usize =
            bones.iter().map(|bone| of_bone.get(&Some(*bone)).map_or(1, Vec::len)).sum();
        self.add_last_bones(&mut bones, needed);
        let mut sorted: Vec<BoneId> = bones.into_iter().collect();
        sorted.sort_by_key(|bone| self.rank[*bone]);

        let mut kept: Vec<PackedBone> = Vec::new();
        let mut first_of: HashMap<BoneId, usize> = HashMap::new();
        for bone in sorted {
            let parent = self.parent(bone, &first_of);
            first_of.insert(bone, kept.len());
            let pairs = of_bone.get(&Some(bone)).map_or(&[][..], Vec::as_slice);
            let mut all: Vec<Option<u32>> = pairs.iter().map(|&pair| Some(pair)).collect();
            if all.is_empty() {
                all.push(None);
            }
            for (at, pair) in all.into_iter().enumerate() {
                // A copy is a child of the first, so that its keys are constant.
                let first = first_of.get(&bone).copied().filter(|_| self.options.hierarchy);
                let parent = if at > 0 { first } else { parent };
                kept.push(PackedBone { bone: Some(bone), pair, parent, is_double: at > 0 });
            }
        }
        for &pair in of_bone.get(&None).into_iter().flatten() {
            kept.push(PackedBone { bone: None, pair: Some(pair), parent: None, is_double: false });
        }
        kept
    }

    /// Adds bones that don't move any vertex, if requested and if there is room.
    fn add_last_bones(&self, bones: &mut BTreeSet<BoneId>, needed: usize) {
        let keeps_all = bones.is_empty() || (self.options.last_bones && self.options.hierarchy);
        if !keeps_all && !self.options.last_bones {
            return;
        }
        let mut room = MAX_BONES.saturating_sub(needed);
        let mut is_below = IdVec::filled(false, self.skeleton.bones());
        for &bone in self.skeleton.parents_first() {
            let source = &self.skeleton.bones()[bone];
            let is_wanted = keeps_all || source.parent.is_some_and(|parent| is_below[parent]);
            let is_kept = bones.contains(&bone);
            is_below[bone] = is_wanted || is_kept;
            if is_wanted && !is_kept && !source.is_helper() && room > 0 {
                bones.insert(bone);
                room -= 1;
            }
        }
    }

    /// The nearest stored ancestor.
    fn parent(&self, bone: BoneId, stored: &HashMap<BoneId, usize>) -> Option<usize> {
        if !self.options.hierarchy {
            return None;
        }
        let parent = |bone: &BoneId| self.skeleton.bones()[*bone].parent;
        let mut above = std::iter::successors(parent(&bone), parent);
        above.find_map(|bone| stored.get(&bone).copied())
    }

    /// Adds `pairs` to `before` and returns the number of bones that are then needed.
    pub(super) fn count_with(
        &self,
        before: &mut Needed,
        pairs: impl IntoIterator<Item = u32>,
    ) -> usize {
        for pair in pairs {
            if !before.pairs.insert(pair) {
                continue;
            }
            if let Some(bone) = self.pairs.get(pair as usize).and_then(|pair| pair.bone) {
                before.bones.insert(bone);
                before.bound.insert(bone);
            }
            for bone in self.ancestors(pair) {
                // All ancestors of a known bone are known: deep chains are climbed once.
                if !before.bones.insert(bone) {
                    break;
                }
            }
        }
        // Every pair, and every ancestor without a pair.
        before.pairs.len() + before.bones.len() - before.bound.len()
    }
}

/// The bones that a part needs, during assembly.
#[derive(Clone, Default)]
pub(super) struct Needed {
    pub(super) pairs: BTreeSet<u32>,
    bones: BTreeSet<BoneId>,
    bound: BTreeSet<BoneId>,
}
