//! Matches the bones of A and B, and compares them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use glam::Affine3A;

use super::DifferenceKind as Kind;
use super::collector::{DifferenceCollector, Measured, first_names};
use super::side::{ComparedPose, ComparedSide, Sides, extent, matrix_difference};
use crate::model::stats::used_bones;
use crate::model::{
    AddedBone, Blending, Bone, BoneId, BoneNoun, IdVec, MeshOrigins, Model, Place, Skeleton, Skin,
    added_bones, counted, match_bones, singular_or_plural,
};

/// Rest positions closer than this fraction of the extent are the same.
const SAME_PLACE: f64 = 1e-4;
/// Bones whose weights agree to this fraction are equally similar: formats round weights to 8 bits.
const SAME_WEIGHTS: f64 = 0.01;
/// By how much less similar another bone may be that is free, as a fraction of the sum of the weights. Formats that
/// store few influences change the weights of others.
const LESS_SIMILAR: f64 = 0.2;

/// The bone of A that corresponds to each bone of B. Several bones of B may share one: a packed bone is a
/// pair of a bone and an inverse bind matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct BoneMap {
    pub(super) a_of_b: IdVec<BoneId, Option<BoneId>>,
    /// Bones of A that repeat another ([`AddedBone::Copy`]), and that bone.
    copies_in_a: Vec<(BoneId, BoneId)>,
}

impl BoneMap {
    pub(super) fn a_of(&self, b: BoneId) -> Option<BoneId> {
        // A skin may refer to bones of a skeleton that wasn't found.
        if self.a_of_b.is_empty() {
            return Some(b);
        }
        self.a_of_b[b]
    }

    /// The first bone of B that corresponds to each bone of A.
    pub(super) fn b_of_a(&self, a: &Skeleton) -> IdVec<BoneId, Option<BoneId>> {
        let mut out = IdVec::filled(None, a.bones());
        for (b, a) in self.a_of_b.iter_enumerated() {
            if let Some(a) = *a {
                out[a].get_or_insert(b);
            }
        }
        out
    }

    /// The largest difference in the weight of one bone.
    pub(super) fn weight_difference(&self, a: &[(BoneId, f32)], b: &[(BoneId, f32)]) -> f32 {
        let original = |bone: BoneId| {
            let copy = self.copies_in_a.iter().find(|(copy, _)| *copy == bone);
            copy.map_or(bone, |(_, original)| *original)
        };
        let of_a = |bone: BoneId| -> f32 {
            let entries = a.iter().filter(|(other, _)| original(*other) == bone);
            entries.map(|(_, weight)| weight).sum()
        };
        let of_b = |bone: Option<BoneId>| -> f32 {
            let entries = b.iter().filter(|(other, _)| self.a_of(*other) == bone);
            entries.map(|(_, weight)| weight).sum()
        };
        let bones_a = a.iter().map(|(bone, _)| original(*bone));
        let from_a = bones_a.map(|bone| of_a(bone) - of_b(Some(bone)));
        let from_b = b.iter().map(|&(bone, weight)| match self.a_of(bone) {
            Some(bone) => of_a(bone) - of_b(Some(bone)),
            None => weight,
        });
        from_a.chain(from_b).map(f32::abs).fold(0.0, f32::max)
    }
}

fn has_names(skeleton: &Skeleton) -> bool {
    skeleton.bones().iter().any(|bone| !bone.name.is_empty())
}

/// Matches bones by name, if both sides have names. Otherwise, the vertices that bones move are better evidence than
/// their order and generated names.
pub(super) fn named_bones(a: &Model, b: &Model) -> BoneMap {
    let (bones_a, bones_b) = (&a.skeleton, &b.skeleton);
    let mut a_of_b = if has_names(bones_a) && has_names(bones_b) {
        match_bones(bones_b, bones_a)
    } else {
        IdVec::filled(None, bones_b.bones())
    };
    for (copy, original) in copies(b) {
        a_of_b[copy] = a_of_b[copy].or(a_of_b[original]);
    }
    BoneMap { a_of_b, copies_in_a: copies(a) }
}

/// Bones that a writer added as copies of their parents, and these.
fn copies(model: &Model) -> Vec<(BoneId, BoneId)> {
    let added = added_bones(model);
    let copies = added.iter_enumerated().filter(|(_, added)| **added == Some(AddedBone::Copy));
    let bones = model.skeleton.bones();
    copies.filter_map(|(copy, _)| Some((copy, bones[copy].parent?))).collect()
}

/// Matches bones by the generated name of a nameless bone on the other side.
fn shown_alike(a: &Skeleton, b: &Skeleton) -> IdVec<BoneId, Option<BoneId>> {
    let a_is_named = has_names(a);
    let names = |skeleton: &Skeleton, is_named: bool| -> Vec<Option<String>> {
        let name = |(id, bone): (BoneId, &Bone)| {
            (bone.name.is_empty() != is_named).then(|| skeleton.display_name(id))
        };
        skeleton.bones().iter_enumerated().map(name).collect()
    };
    let known: HashMap<String, BoneId> = (names(a, a_is_named).into_iter().enumerate())
        .filter_map(|(index, name)| Some((name?, BoneId::from_index(index))))
        .collect();
    let of_b = names(b, !a_is_named).into_iter();
    of_b.map(|name| known.get(&name?).copied()).collect()
}

/// Extends `named`. Bones without a match are matched by the vertices that they move; then, unless that contradicts the
/// matches so far, by generated names or by index; then by rest position under the same parent, relative to `extent`.
pub(super) fn all_bones(
    Sides { a, b, .. }: &Sides<'_>,
    named: BoneMap,
    a_of_b: &[Option<u32>],
    extent: impl FnOnce() -> f64,
) -> BoneMap {
    let mut map = named;
    by_weights(a, b, a_of_b, &mut map);
    let (bones_a, bones_b) = (&a.model.skeleton, &b.model.skeleton);
    match (has_names(bones_a), has_names(bones_b)) {
        (true, true) => {}
        // Writers that require names use the generated ones that are shown for nameless bones.
        (true, false) | (false, true) => {
            by_guess(bones_a, &mut map, &shown_alike(bones_a, bones_b))
        }
        (false, false) if bones_a.len() == bones_b.len() => {
            by_guess(bones_a, &mut map, &bones_a.bones().ids().map(Some).collect());
        }
        (false, false) => {}
    }
    by_place(a, b, &mut map, extent);
    map
}

/// Matches free bones as `guess` does, if most of the matches so far agree with it.
fn by_guess(a: &Skeleton, map: &mut BoneMap, guess: &IdVec<BoneId, Option<BoneId>>) {
    let known = map.a_of_b.iter().zip(guess).filter(|(known, _)| known.is_some());
    let (num, num_same) = known.fold((0, 0), |(num, num_same), (known, guess)| {
        (num + 1, num_same + usize::from(known == guess))
    });
    if num_same * 2 < num {
        return;
    }
    let mut is_taken: IdVec<BoneId, bool> = map.b_of_a(a).iter().map(Option::is_some).collect();
    for (own, guess) in map.a_of_b.iter_mut().zip(guess) {
        if let (None, Some(guess)) = (*own, *guess)
            && !std::mem::replace(&mut is_taken[guess], true)
        {
            *own = Some(guess);
        }
    }
}

/// A bone of B and a bone of A that may be the same.
struct Candidate {
    bone_a: BoneId,
    bone_b: BoneId,
    /// How similar their weights are on the vertices of the bone of B, in steps of [`SAME_WEIGHTS`].
    similarity: i64,
    /// How many more vertices the bone of A moves, as the logarithm of a factor, in the same steps.
    excess: i64,
}

/// Matches the bones of B that have no match with the free bones of A whose weights are the most similar on the same
/// vertices: the most similar pairs first, and one to one as far as possible.
fn by_weights(
    a: &ComparedSide<'_>,
    b: &ComparedSide<'_>,
    a_of_b: &[Option<u32>],
    map: &mut BoneMap,
) {
    let mut is_taken: IdVec<BoneId, bool> =
        map.b_of_a(&a.model.skeleton).iter().map(Option::is_some).collect();
    if map.a_of_b.iter().all(Option::is_some) || is_taken.iter().all(|taken| *taken) {
        return;
    }
    let mut candidates = candidates(a, b, a_of_b, map, &is_taken);
    candidates.sort_by_key(|own| {
        let distance = own.bone_a.0.abs_diff(own.bone_b.0);
        (Reverse(own.similarity), own.excess, distance, own.bone_b, own.bone_a)
    });
    for own in &candidates {
        if map.a_of_b[own.bone_b].is_none() && !is_taken[own.bone_a] {
            is_taken[own.bone_a] = true;
            map.a_of_b[own.bone_b] = Some(own.bone_a);
        }
    }
    for own in &candidates {
        map.a_of_b[own.bone_b].get_or_insert(own.bone_a);
    }
}

/// Pairs of bones without a match that move the same vertices with similar weights.
fn candidates(
    a: &ComparedSide<'_>,
    b: &ComparedSide<'_>,
    a_of_b: &[Option<u32>],
    map: &BoneMap,
    is_taken: &IdVec<BoneId, bool>,
) -> Vec<Candidate> {
    // The sum of each bone's weights, and by how much less a bone of B differs from a bone of A than from none.
    let mut sums_a = IdVec::filled(0.0f64, a.model.skeleton.bones());
    let mut sums_b = IdVec::filled(0.0f64, b.model.skeleton.bones());
    let mut gains: BTreeMap<BoneId, BTreeMap<BoneId, f64>> = BTreeMap::new();
    for (vertex, of_a) in a_of_b.iter().enumerate() {
        let Some(of_a) = of_a else { continue };
        let mut influences = a.influences(*of_a as usize);
        influences.retain(|(bone, _)| !is_taken[*bone]);
        influences.iter().for_each(|&(bone, weight)| sums_a[bone] += f64::from(weight));
        for (bone_b, weight_b) in b.influences(vertex) {
            if map.a_of(bone_b).is_some() {
                continue;
            }
            sums_b[bone_b] += f64::from(weight_b);
            let gains = gains.entry(bone_b).or_default();
            for &(bone_a, weight_a) in &influences {
                let gain = weight_b - (weight_a - weight_b).abs();
                *gains.entry(bone_a).or_default() += f64::from(gain);
            }
        }
    }
    let steps = |value: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
        let steps = (value / SAME_WEIGHTS).round() as i64;
        steps
    };
    let of_bone = |(bone_b, gains): (BoneId, BTreeMap<BoneId, f64>)| {
        let sum = sums_b[bone_b];
        let most = gains.values().copied().fold(f64::NEG_INFINITY, f64::max);
        let similar = gains.into_iter().filter(move |(_, gain)| *gain >= most - LESS_SIMILAR * sum);
        let of_pair = |(bone_a, gain): (BoneId, f64)| Candidate {
            bone_a,
            bone_b,
            similarity: steps(gain / sum),
            excess: steps((sums_a[bone_a] / sum).ln()),
        };
        similar.map(of_pair).collect::<Vec<_>>()
    };
    gains.into_iter().flat_map(of_bone).collect()
}

/// The bone of `source` that corresponds to each bone of `made`, whose vertices have these `origins`.
#[must_use]
pub fn bone_of_source(
    source: &Model,
    made: &Model,
    origins: &[MeshOrigins],
) -> IdVec<BoneId, Option<BoneId>> {
    let sides = Sides::in_unit(source, made, None);
    let Sides { a, b, .. } = &sides;
    let mut a_of_b = vec![None; b.num_vertices()];
    for (mesh, (origins, own)) in origins.iter().zip(&made.meshes).enumerate() {
        origins.for_each(own.num_vertices(), |vertex, origin| {
            let at = origin.nearest();
            let is_there = source.meshes.get(at.mesh);
            let is_there = is_there.is_some_and(|mesh| at.vertex.index() < mesh.num_vertices());
            if let Some(slot) = a_of_b.get_mut(b.number(mesh, vertex)).filter(|_| is_there) {
                *slot = u32::try_from(a.number(at.mesh.index(), at.vertex.0)).ok();
            }
        });
    }
    let named = named_bones(source, made);
    // This poses all of the source, so it's only computed on demand.
    let extent = || extent(&a.posed(ComparedPose::Default).positions);
    all_bones(&sides, named, &a_of_b, extent).a_of_b
}

/// The rest transform of each bone, display space.
fn rest(side: &ComparedSide<'_>) -> IdVec<BoneId, Affine3A> {
    let skeleton = &side.model.skeleton;
    let bones = skeleton.bones();
    let mut out = skeleton.rest_locals().clone();
    for &bone in skeleton.parents_first() {
        if let Some(parent) = bones[bone].parent {
            out[bone] = out[parent] * out[bone];
        }
    }
    out.iter().map(|matrix| side.space.matrix(*matrix)).collect()
}

/// Matches bones with other names by rest position under the same parent.
fn by_place(
    a: &ComparedSide<'_>,
    b: &ComparedSide<'_>,
    map: &mut BoneMap,
    extent: impl FnOnce() -> f64,
) {
    if !a.model.skeleton.has_hierarchy() || !b.model.skeleton.has_hierarchy() {
        return;
    }
    let extent = extent();
    let (rest_a, rest_b) = (rest(a), rest(b));
    let (parents_a, parents_b) =
        (a.model.skeleton.shown_parents(), b.model.skeleton.shown_parents());
    let mut is_taken: IdVec<BoneId, bool> =
        map.b_of_a(&a.model.skeleton).iter().map(Option::is_some).collect();
    // Unmatched children of each parent. Nodes that only carry a mesh may be at the place of a bone.
    let (added_a, added_b) = (added_bones(a.model), added_bones(b.model));
    let mut free: HashMap<Option<BoneId>, Vec<BoneId>> = HashMap::new();
    for (bone, parent) in parents_a.iter_enumerated() {
        let is_shown = !a.model.skeleton.bones()[bone].is_helper() && added_a[bone].is_none();
        if !is_taken[bone] && is_shown {
            free.entry(*parent).or_default().push(bone);
        }
    }
    for &bone in b.model.skeleton.parents_first() {
        let is_shown = !b.model.skeleton.bones()[bone].is_helper() && added_b[bone].is_none();
        if map.a_of_b[bone].is_some() || !is_shown {
            continue;
        }
        let parent = match parents_b[bone] {
            None => None,
            Some(parent) => match map.a_of(parent) {
                None => continue,
                of_a => of_a,
            },
        };
        let siblings = free.get(&parent).map_or(&[][..], |list| &list[..]);
        let found = siblings.iter().copied().find(|&at| {
            !is_taken[at] && matrix_difference(&rest_a[at], &rest_b[bone], extent) < SAME_PLACE
        });
        if let Some(at) = found {
            is_taken[at] = true;
            map.a_of_b[bone] = Some(at);
        }
    }
}

/// Compares the skeletons.
pub(super) fn compare(
    sides: &Sides<'_>,
    map: &BoneMap,
    extent: f64,
    found: &mut DifferenceCollector<'_>,
) {
    let Sides { a, b, .. } = sides;
    let (bones_a, bones_b) = (&a.model.skeleton, &b.model.skeleton);
    let of_a = map.b_of_a(bones_a);
    let removed = unmatched(a.model, |bone| of_a[bone].is_some());
    found.structure(Kind::BonesRemoved, removed.len(), || summary(a.model, &removed, "A", "B"));
    if let Some(bone) = removed.first() {
        found.locate_in_a(Kind::BonesRemoved, Place::Bone(bone.0));
    }
    let added = unmatched(b.model, |bone| map.a_of(bone).is_some());
    found.structure(Kind::BonesAdded, added.len(), || summary(b.model, &added, "B", "A"));
    if let Some(bone) = added.first() {
        found.locate(Kind::BonesAdded, Place::Bone(bone.0));
    }

    let pairs: Vec<(BoneId, BoneId)> =
        of_a.iter_enumerated().filter_map(|(a, b)| Some((a, (*b)?))).collect();
    let renamed: Vec<_> = pairs
        .iter()
        .filter(|(a, b)| bones_a.bones()[*a].name != bones_b.bones()[*b].name)
        .collect();
    let names = |(a, b): (BoneId, BoneId)| {
        let (a, b) = (bones_a.display_name(a), bones_b.display_name(b));
        format!("{a:?} in A is {b:?} in B")
    };
    found.structure(Kind::BonesRenamed, renamed.len(), || {
        match (has_names(bones_a), has_names(bones_b)) {
            (true, false) => "bones have names only in A".to_owned(),
            (false, true) => "bones have names only in B".to_owned(),
            _ => renamed.first().map_or_else(String::new, |pair| names(**pair)),
        }
    });
    if let Some((bone_a, bone_b)) = renamed.first() {
        found.locate(Kind::BonesRenamed, Place::Bone(bone_b.0));
        found.locate_in_a(Kind::BonesRenamed, Place::Bone(bone_a.0));
    }
    if bones_a.is_empty() || bones_b.is_empty() {
        return;
    }
    let (has_a, has_b) = (bones_a.has_hierarchy(), bones_b.has_hierarchy());
    // If all bones of one side are roots, the other side lacks nothing by not storing parents.
    let has_parents = |bones: &Skeleton| bones.shown_parents().iter().any(Option::is_some);
    let (parents_a, parents_b) = (has_a && has_parents(bones_a), has_b && has_parents(bones_b));
    let is_only_in_one = has_a != has_b && parents_a != parents_b;
    found.structure(Kind::Hierarchy, usize::from(is_only_in_one), || {
        let with = if parents_a { "A" } else { "B" };
        format!("bones have parents only in {with}")
    });
    if has_a && has_b {
        reparented(sides, map, &pairs, found);
        rests(sides, &pairs, extent, found);
    }
}

/// Visible bones that have no match on the other side. Nodes that only carry a skinned mesh don't count: few formats
/// have them, and the mesh is compared.
fn unmatched(model: &Model, is_matched: impl Fn(BoneId) -> bool) -> Vec<BoneId> {
    let added = added_bones(model);
    let bones = model.skeleton.bones().iter_enumerated();
    let shown = bones.filter(|(id, bone)| !bone.is_helper() && added[*id].is_none());
    shown.map(|(id, _)| id).filter(|&bone| !is_matched(bone)).collect()
}

fn summary(model: &Model, bones: &[BoneId], here: &str, there: &str) -> String {
    let used = used_bones(model);
    let num_idle = bones.iter().filter(|bone| !used[**bone]).count();
    let names: Vec<_> = bones.iter().map(|&bone| model.skeleton.display_name(bone)).collect();
    let move_nothing = singular_or_plural(num_idle as u64, "moves nothing", "move nothing");
    let idle = match num_idle {
        0 => String::new(),
        num if num == bones.len() => format!(", which {move_nothing}"),
        num => format!(", {num} of which {move_nothing}"),
    };
    let names = first_names(names.iter().map(String::as_str));
    let num = bones.len() as u64;
    let is_bone = bones.iter().any(|&bone| model.noun_of(bone) == BoneNoun::Bone);
    let noun = if is_bone { BoneNoun::Bone } else { BoneNoun::Node };
    let (bones, are) = (counted(num, noun.one()), singular_or_plural(num, "is", "are"));
    format!("{bones} of {here} {are} not in {there}{idle}: {names}")
}

fn reparented(
    Sides { a, b, .. }: &Sides<'_>,
    map: &BoneMap,
    pairs: &[(BoneId, BoneId)],
    found: &mut DifferenceCollector<'_>,
) {
    let (bones_a, bones_b) = (&a.model.skeleton, &b.model.skeleton);
    let of_a = map.b_of_a(bones_a);
    let (parents_a, parents_b) = (bones_a.shown_parents(), bones_b.shown_parents());
    // Skips parents that only one side has: they are reported as removed or added.
    let known = |mut at: Option<BoneId>,
                 parents: &IdVec<BoneId, Option<BoneId>>,
                 is_known: &dyn Fn(BoneId) -> bool| {
        while let Some(bone) = at.filter(|&bone| !is_known(bone)) {
            at = parents[bone];
        }
        at
    };
    let parents = |&(bone_a, bone_b): &(BoneId, BoneId)| {
        let in_a = known(parents_a[bone_a], &parents_a, &|bone| of_a[bone].is_some());
        let in_b = known(parents_b[bone_b], &parents_b, &|bone| map.a_of(bone).is_some());
        (in_a, in_b)
    };
    let moved: Vec<_> = pairs
        .iter()
        .filter(|pair| {
            let (in_a, in_b) = parents(pair);
            in_a != in_b.and_then(|bone| map.a_of(bone))
        })
        .collect();
    found.structure(Kind::BonesReparented, moved.len(), || {
        let Some(pair) = moved.first() else { return String::new() };
        let (in_a, in_b) = parents(pair);
        let name = |skeleton: &Skeleton, bone: Option<BoneId>| {
            bone.map_or("nothing".to_owned(), |bone| format!("{:?}", skeleton.display_name(bone)))
        };
        let own = bones_a.display_name(pair.0);
        let (in_a, in_b) = (name(bones_a, in_a), name(bones_b, in_b));
        format!("{own:?} is a child of {in_a} in A, of {in_b} in B")
    });
    if let Some((bone_a, bone_b)) = moved.first() {
        found.locate(Kind::BonesReparented, Place::Bone(bone_b.0));
        found.locate_in_a(Kind::BonesReparented, Place::Bone(bone_a.0));
    }
}

fn rests(
    Sides { a, b, .. }: &Sides<'_>,
    pairs: &[(BoneId, BoneId)],
    extent: f64,
    found: &mut DifferenceCollector<'_>,
) {
    let (rest_a, rest_b) = (rest(a), rest(b));
    let mut measured = Measured::within(found.options.tolerance);
    let mut worst = None;
    for &(bone_a, bone_b) in pairs {
        let (m, n) = (&rest_a[bone_a], &rest_b[bone_b]);
        if measured.add(matrix_difference(m, n, extent)) {
            worst = Some((bone_a, bone_b));
        }
    }
    found.measured(Kind::RestPose, measured, || {
        let name = worst.map(|(bone, _)| a.model.skeleton.display_name(bone));
        format!("the rest transform of bone {:?} differs", name.unwrap_or_default())
    });
    if let Some((bone_a, bone_b)) = worst {
        found.locate(Kind::RestPose, Place::Bone(bone_b.0));
        found.locate_in_a(Kind::RestPose, Place::Bone(bone_a.0));
    }
}

/// Compares how vertices are bound to bones.
pub(super) fn compare_skins(a: &Model, b: &Model, found: &mut DifferenceCollector<'_>) {
    // If any mesh uses dual quaternions, the model counts as using them.
    let kind = |model: &Model| {
        let skins = model.meshes.iter().map(|mesh| match &mesh.skin {
            Skin::None if mesh.attached_to.is_some() => 1,
            Skin::None => 0,
            Skin::BoneLocal(_) => 2,
            Skin::InverseBind(skin) => match skin.blending {
                Blending::Linear => 2,
                Blending::DualQuaternion => 3,
                Blending::Mixed(_) => 4,
            },
        });
        skins.max().unwrap_or(0)
    };
    const NAMES: [&str; 5] = [
        "no skin",
        "rigid meshes on bones",
        "linear skinning",
        "dual quaternions",
        "linear skinning mixed with dual quaternions",
    ];
    let (kind_a, kind_b) = (kind(a), kind(b));
    found.structure(Kind::Skin, usize::from(kind_a != kind_b), || {
        format!("{} in A, {} in B", NAMES[kind_a], NAMES[kind_b])
    });
}
