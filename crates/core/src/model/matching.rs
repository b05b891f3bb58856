//! Matches the parts of two models by their names: bones, clips, meshes, morph targets, materials.
//!
//! For: comparison, diagnosis with a reference, related files and the window, so that all of them match two files
//! alike. Not for: evidence other than names, such as the vertices that a bone moves (`compare::bones`).
//!
//! | part | by name | the rest |
//! |---|---|---|
//! | bones | also without case and namespace | by index, if no name matches and both have as many |
//! | clips | | in order |
//! | meshes | names that both have equally often | in order, if both have as many |
//! | morph targets | in the matching mesh, then in any mesh | by index in the matching mesh, if one of the two has no name and both meshes have as many |
//! | materials | | in order, if both have as many |
//!
//! Parts with the same name are matched in order: the first with the first, the second with the second, and so on.
//!
//! Invariant: each part is used at most once.
//! Invariant: matching in the other direction finds the same pairs.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::{BoneId, Clip, ClipId, Id, IdVec, Material, MaterialId, Mesh, MeshId, Skeleton};

/// The bone of `to` that corresponds to each bone of `from`.
#[must_use]
pub fn match_bones(from: &Skeleton, to: &Skeleton) -> IdVec<BoneId, Option<BoneId>> {
    let names = |of: &Skeleton, key: fn(&str) -> String| -> Vec<Option<String>> {
        let bones = of.bones().iter();
        bones.map(|bone| (!bone.name.is_empty()).then(|| key(&bone.name))).collect()
    };
    let mut pairs = Pairs::new(from.len(), to.len());
    for key in [str::to_owned, plain_name] {
        pairs.by_key(names(from, key), names(to, key));
    }
    if from.len() == to.len() && pairs.found.iter().all(Option::is_none) {
        pairs.in_order();
    }
    pairs.ids().into()
}

/// The name of a bone without case and namespace, which is the part before the last `:` or `|`.
#[must_use]
pub fn plain_name(name: &str) -> String {
    name.rsplit([':', '|']).next().unwrap_or(name).to_lowercase()
}

/// Matching clips of both sides, in the order of `b`.
#[must_use]
pub fn match_clips(a: &[Clip], b: &[Clip]) -> Vec<(ClipId, ClipId)> {
    let names = |clips| names(clips, |clip: &Clip| &clip.name).into_iter().map(Some);
    let mut pairs = Pairs::new(b.len(), a.len());
    pairs.by_key(names(b), names(a));
    pairs.in_order();
    let pairs = pairs.ids().into_iter().enumerate();
    pairs.filter_map(|(b, a)| Some((a?, ClipId::from_index(b)))).collect()
}

/// The mesh of `to` that corresponds to each mesh of `from`.
#[must_use]
pub fn match_meshes(from: &[Mesh], to: &[Mesh]) -> Vec<Option<MeshId>> {
    let names = |meshes| names(meshes, |mesh: &Mesh| &mesh.name);
    mesh_pairs(&names(from), &names(to)).ids()
}

fn mesh_pairs(from: &[&str], to: &[&str]) -> Pairs {
    // If a mesh was split or merged, it isn't known which of its parts has the vertices.
    let mut nums: HashMap<&str, [usize; 2]> = HashMap::new();
    from.iter().for_each(|name| nums.entry(name).or_default()[0] += 1);
    to.iter().for_each(|name| nums.entry(name).or_default()[1] += 1);
    let is_known = |name: &str| nums.get(name).is_some_and(|[a, b]| a == b);
    let mut pairs = Pairs::new(from.len(), to.len());
    pairs.by_key(
        from.iter().map(|name| is_known(name).then_some(*name)),
        to.iter().map(|name| is_known(name).then_some(*name)),
    );
    pairs.in_order_if_as_many();
    pairs
}

/// The material of `to` that corresponds to each material of `from`.
#[must_use]
pub fn match_materials(from: &[Material], to: &[Material]) -> Vec<Option<MaterialId>> {
    let names = |materials| names(materials, |own: &Material| &own.name).into_iter().map(Some);
    let mut pairs = Pairs::new(from.len(), to.len());
    pairs.by_key(names(from), names(to));
    pairs.in_order_if_as_many();
    pairs.ids()
}

fn names<'m, T>(items: &'m [T], name: impl Fn(&'m T) -> &'m str) -> Vec<&'m str> {
    items.iter().map(name).collect()
}

/// A mesh, and the index of one of its morph targets.
pub type MorphTargetAt = (MeshId, usize);

/// The morph target of `to` that corresponds to each morph target of `from`, by mesh and index.
#[must_use]
pub fn match_morph_targets(from: &[Mesh], to: &[Mesh]) -> HashMap<MorphTargetAt, MorphTargetAt> {
    let (all, others) = (morph_targets(from), morph_targets(to));
    let mesh_of = meshes_with_targets(from, to);
    let own_name = |at| target_name(from, at).filter(|name| !name.is_empty());
    let other_name = |at| target_name(to, at).filter(|name| !name.is_empty());
    let num = |meshes: &[Mesh], mesh: MeshId| Some(meshes.get(mesh.index())?.morph_targets.len());
    let mut pairs = Pairs::new(all.len(), others.len());
    pairs.by_key(
        all.iter().map(|&at| Some((*mesh_of.get(&at.0)?, own_name(at)?))),
        others.iter().map(|&at| Some((at.0, other_name(at)?))),
    );
    pairs.by_key(
        all.iter().map(|&at| {
            let mesh = *mesh_of.get(&at.0)?;
            let is_nameless = own_name(at).is_none() || other_name((mesh, at.1)).is_none();
            (is_nameless && num(from, at.0) == num(to, mesh)).then_some((mesh, at.1))
        }),
        others.iter().map(|&at| Some(at)),
    );
    pairs.by_key(all.iter().map(|&at| own_name(at)), others.iter().map(|&at| other_name(at)));
    let found = all.into_iter().zip(pairs.found);
    found.filter_map(|(at, of)| Some((at, *others.get(of?)?))).collect()
}

fn target_name(meshes: &[Mesh], (mesh, target): MorphTargetAt) -> Option<&str> {
    Some(&meshes.get(mesh.index())?.morph_targets.get(target)?.name)
}

/// All morph targets of some meshes.
fn morph_targets(meshes: &[Mesh]) -> Vec<MorphTargetAt> {
    let all = meshes.iter().enumerate().flat_map(|(at, mesh)| {
        (0..mesh.morph_targets.len()).map(move |target| (MeshId::from_index(at), target))
    });
    all.collect()
}

/// As [`match_meshes`], for the meshes that have morph targets: clips of a face come without the body.
fn meshes_with_targets(from: &[Mesh], to: &[Mesh]) -> HashMap<MeshId, MeshId> {
    fn some(meshes: &[Mesh]) -> (Vec<MeshId>, Vec<&str>) {
        let all = meshes.iter().enumerate().filter(|(_, mesh)| !mesh.morph_targets.is_empty());
        all.map(|(at, mesh)| (MeshId::from_index(at), &mesh.name[..])).unzip()
    }
    let ((from, names), (to, others)) = (some(from), some(to));
    let found = from.into_iter().zip(mesh_pairs(&names, &others).found);
    found.filter_map(|(at, of)| Some((at, *to.get(of?)?))).collect()
}

/// The matches between two lists so far.
struct Pairs {
    /// The index in the second list for each item of the first.
    found: Vec<Option<usize>>,
    /// Which items of the second list have no match.
    is_free: Vec<bool>,
}

impl Pairs {
    fn new(num_from: usize, num_to: usize) -> Self {
        Self { found: vec![None; num_from], is_free: vec![true; num_to] }
    }

    /// Matches free items with the same key, in order. Items without a key remain free.
    fn by_key<K: Hash + Eq>(
        &mut self,
        from: impl IntoIterator<Item = Option<K>>,
        to: impl IntoIterator<Item = Option<K>>,
    ) {
        let mut free: HashMap<K, VecDeque<usize>> = HashMap::new();
        for ((at, key), is_free) in to.into_iter().enumerate().zip(&self.is_free) {
            if let (Some(key), true) = (key, is_free) {
                free.entry(key).or_default().push_back(at);
            }
        }
        for (found, key) in self.found.iter_mut().zip(from).filter(|(found, _)| found.is_none()) {
            *found = key.and_then(|key| free.get_mut(&key)?.pop_front());
            if let Some(at) = *found {
                self.is_free[at] = false;
            }
        }
    }

    /// Matches the free items in order.
    fn in_order(&mut self) {
        let free = self.is_free.iter_mut().enumerate().filter(|(_, is_free)| **is_free);
        let rest = self.found.iter_mut().filter(|found| found.is_none());
        for (found, (at, is_free)) in rest.zip(free) {
            *found = Some(at);
            *is_free = false;
        }
    }

    /// Pairs are one to one, so that as many are free as if the lists have the same length.
    fn in_order_if_as_many(&mut self) {
        if self.found.len() == self.is_free.len() {
            self.in_order();
        }
    }

    fn ids<I: Id>(self) -> Vec<Option<I>> {
        self.found.into_iter().map(|at| at.map(I::from_index)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{ModelBuilder, morph};

    /// The index of the counterpart of each name, or -1.
    type Found<'a> = &'a [i32];
    type Case<'a> = (&'a [&'a str], &'a [&'a str], Found<'a>);

    fn index<I: Id>(at: Option<I>) -> i32 {
        at.map_or(-1, |at| i32::try_from(at.index()).unwrap())
    }

    fn meshes(names: &[&str]) -> Vec<Mesh> {
        names.iter().map(|name| Mesh { name: (*name).to_owned(), ..Mesh::default() }).collect()
    }

    fn materials(names: &[&str]) -> Vec<Material> {
        let of = |name: &&str| Material { name: (*name).to_owned(), ..Material::default() };
        names.iter().map(of).collect()
    }

    fn clips(names: &[&str]) -> Vec<Clip> {
        names.iter().map(|name| ModelBuilder::new().clip(name, 1.0).into_clip()).collect()
    }

    fn bones(from: &[&str], to: &[&str]) -> Vec<i32> {
        let skeleton = |names: &[&str]| ModelBuilder::new().chain(names).build().skeleton;
        match_bones(&skeleton(from), &skeleton(to)).into_vec().into_iter().map(index).collect()
    }

    fn all_clips(from: &[&str], to: &[&str]) -> Vec<i32> {
        let pairs = match_clips(&clips(from), &clips(to));
        let of = |at: usize| pairs.iter().find(|(own, _)| own.index() == at).map(|(_, of)| *of);
        (0..from.len()).map(|at| index(of(at))).collect()
    }

    fn all_meshes(from: &[&str], to: &[&str]) -> Vec<i32> {
        match_meshes(&meshes(from), &meshes(to)).into_iter().map(index).collect()
    }

    fn all_materials(from: &[&str], to: &[&str]) -> Vec<i32> {
        match_materials(&materials(from), &materials(to)).into_iter().map(index).collect()
    }

    /// Checks both directions.
    fn check(of: fn(&[&str], &[&str]) -> Vec<i32>, cases: &[Case<'_>]) {
        for (from, to, expected) in cases {
            assert_eq!(of(from, to), *expected, "{from:?} {to:?}");
            let mut reverse = vec![-1; to.len()];
            for (at, found) in expected.iter().enumerate() {
                if let Ok(found) = usize::try_from(*found) {
                    reverse[found] = i32::try_from(at).unwrap();
                }
            }
            assert_eq!(of(to, from), reverse, "{to:?} {from:?}");
        }
    }

    #[test]
    fn bones_are_matched_by_name_then_without_namespace_then_by_index() {
        check(
            bones,
            &[
                (&["b", "a"], &["a", "b", "c"], &[1, 0]),
                (&["x:Spine", "y"], &["hips", "spine"], &[1, -1]),
                (&["x:hips", "Hips"], &["Hips"], &[-1, 0]),
                (&["a", "a", "a"], &["b", "a", "a"], &[1, 2, -1]),
                (&["a", "b"], &["c", "d"], &[0, 1]),
                (&["a", "b"], &["c", "d", "e"], &[-1, -1]),
                (&["a", ""], &["a", ""], &[0, -1]),
            ],
        );
    }

    #[test]
    fn clips_are_matched_by_name_then_in_order() {
        check(
            all_clips,
            &[
                (&["run", "walk"], &["walk", "run"], &[1, 0]),
                (&["run", "walk", "jump"], &["walk", "idle"], &[1, 0, -1]),
                (&["a", "a"], &["a", "a", "b"], &[0, 1]),
                (&["a", ""], &["", "b"], &[1, 0]),
            ],
        );
    }

    #[test]
    fn meshes_and_materials_are_matched_by_name_then_in_order_if_both_have_as_many() {
        let both: &[Case<'_>] = &[
            (&["a", "b"], &["b", "a"], &[1, 0]),
            (&["a", "b"], &["b", "c"], &[1, 0]),
            (&["a", "b"], &["b", "c", "d"], &[-1, 0]),
            (&["", ""], &["", ""], &[0, 1]),
        ];
        check(all_meshes, both);
        check(all_materials, both);
        check(all_materials, &[(&["a"], &["a", "a"], &[0])]);
        check(all_meshes, &[(&["a"], &["a", "a"], &[-1])]);
    }

    /// A mesh with these morph targets.
    type Face<'a> = (&'a str, &'a [&'a str]);

    fn faces(faces: &[Face<'_>]) -> Vec<Mesh> {
        let of = |(name, targets): &Face<'_>| Mesh {
            name: (*name).to_owned(),
            morph_targets: targets.iter().map(|name| morph(name, &[])).collect(),
            ..Mesh::default()
        };
        faces.iter().map(of).collect()
    }

    #[test]
    fn morph_targets_are_matched_in_their_mesh_then_in_any_mesh() {
        type At = (u32, usize);
        type Case<'a> = (&'a [Face<'a>], &'a [Face<'a>], &'a [(At, At)]);
        let cases: &[Case<'_>] = &[
            (&[("a", &["x", "y"])], &[("b", &["y", "z"])], &[((0, 1), (0, 0))]),
            // Duplicates in order.
            (&[("a", &["x", "x"])], &[("a", &["x", "x"])], &[((0, 0), (0, 0)), ((0, 1), (0, 1))]),
            // Without names by index, if both have as many.
            (&[("a", &["", ""])], &[("a", &["x", ""])], &[((0, 0), (0, 0)), ((0, 1), (0, 1))]),
            (&[("a", &["", ""])], &[("a", &["", "", ""])], &[]),
            (&[("a", &["x"])], &[("a", &["y"])], &[]),
            // The same name in two meshes whose order differs.
            (
                &[("a", &["x"]), ("b", &["x"])],
                &[("b", &["x"]), ("a", &["x"])],
                &[((0, 0), (1, 0)), ((1, 0), (0, 0))],
            ),
            // A split mesh.
            (
                &[("a", &["x", "y"])],
                &[("c", &["y"]), ("d", &["x"])],
                &[((0, 0), (1, 0)), ((0, 1), (0, 0))],
            ),
            // Meshes without targets don't count.
            (&[("a", &[]), ("b", &[""])], &[("c", &[""])], &[((1, 0), (0, 0))]),
        ];
        for (from, to, expected) in cases {
            let found = match_morph_targets(&faces(from), &faces(to));
            let mut found: Vec<_> = found.into_iter().collect();
            found.sort_unstable();
            let expected = expected.iter().map(|(a, b)| ((MeshId(a.0), a.1), (MeshId(b.0), b.1)));
            let expected: Vec<_> = expected.collect();
            assert_eq!(found, expected, "{from:?} {to:?}");
            let mut reverse: Vec<_> = match_morph_targets(&faces(to), &faces(from))
                .into_iter()
                .map(|(b, a)| (a, b))
                .collect();
            reverse.sort_unstable();
            assert_eq!(reverse, expected, "{to:?} {from:?}");
        }
    }
}
