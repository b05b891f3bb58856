//! A few pairs that show when to compare all pairs.
//!
//! The difference between two matrices of a bone is an affine map of its vertices, whose length is largest at
//! an outermost vertex. So the probes are the outermost vertices along each axis among those that each bone
//! moves most, plus the pairs that differed most at keys, which may have other causes, and an even selection.

use std::collections::HashMap;

use super::Job;
use super::pairs::{AllPairs, Pair, PartPairs};
use super::posed::Vertices;
use crate::model::{BoneId, VertexAt};

/// Up to this number, all pairs are probes.
const FEW: usize = 512;
/// Number of evenly selected probes.
const NUM_SPREAD: usize = 64;
const MAX_PROBES: usize = 2048;

/// Selected pairs, renumbered, and their vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct SampledPairs {
    /// Per mesh of the source.
    pub(super) source: Vec<Vec<u32>>,
    /// Per part and mesh.
    pub(super) made: Vec<Vec<Vec<u32>>>,
    pub(super) parts: Vec<PartPairs>,
    is_all: bool,
}

impl SampledPairs {
    /// Selects probes among all pairs. `farthest` are the pairs with the largest distances so far, as part
    /// and pair.
    pub(super) fn choose(job: &Job<'_>, all: &AllPairs, farthest: &[(usize, usize)]) -> Self {
        let num_pairs: usize = all.parts.iter().map(|part| part.pairs.len()).sum();
        if num_pairs <= FEW {
            return Self { parts: all.parts.clone(), is_all: true, ..Self::default() };
        }
        let mut chosen: Vec<(usize, usize)> = farthest.to_vec();
        chosen.extend(spread(all, num_pairs));
        chosen.extend(outermost(job, all));
        chosen.truncate(MAX_PROBES);
        chosen.sort_unstable();
        chosen.dedup();
        Self::of(job, all, &chosen)
    }

    fn of(job: &Job<'_>, all: &AllPairs, chosen: &[(usize, usize)]) -> Self {
        let pair =
            |&(part, at): &(usize, usize)| Some((part, *all.parts.get(part)?.pairs.get(at)?));
        let chosen: Vec<(usize, Pair)> = chosen.iter().filter_map(pair).collect();
        let of_source = chosen.iter().flat_map(|(_, pair)| pair.from.vertices());
        let source =
            Subset::of(of_source, &|n| all.source.at(n as usize), job.source.model.meshes.len());
        let (mut made, mut parts) = (Vec::new(), Vec::new());
        for (number, part) in all.parts.iter().enumerate() {
            let own = chosen.iter().filter(|(of, _)| *of == number);
            let own: Vec<Pair> = own.map(|(_, pair)| *pair).collect();
            let num_meshes = job.parts.get(number).map_or(0, |p| p.made.model.meshes.len());
            let listed = own.iter().map(|pair| pair.made);
            let numbers = Subset::of(listed, &|n| part.numbers.at(n as usize), num_meshes);
            let renumbered = |pair: &Pair| Pair {
                made: numbers.number(pair.made),
                from: pair.from.renumbered(|n| source.number(n)),
            };
            parts.push(PartPairs {
                pairs: own.iter().map(renumbered).collect(),
                ..PartPairs::default()
            });
            made.push(numbers.lists);
        }
        Self { source: source.lists, made, parts, is_all: false }
    }

    pub(super) fn of_source(&self) -> Vertices<'_> {
        if self.is_all { Vertices::All } else { Vertices::Some(&self.source) }
    }

    pub(super) fn of_part(&self, part: usize) -> Vertices<'_> {
        match (self.is_all, self.made.get(part)) {
            (true, _) => Vertices::All,
            (false, Some(lists)) => Vertices::Some(lists),
            (false, None) => Vertices::Some(&[]),
        }
    }
}

/// Some vertices of a model, ascending in each mesh, and the original number of each.
struct Subset {
    lists: Vec<Vec<u32>>,
    number_of: HashMap<u32, u32>,
}

impl Subset {
    fn of(
        numbers: impl Iterator<Item = u32>,
        at: &dyn Fn(u32) -> VertexAt,
        num_meshes: usize,
    ) -> Self {
        let mut sorted: Vec<u32> = numbers.collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut lists = vec![Vec::new(); num_meshes];
        let mut number_of = HashMap::with_capacity(sorted.len());
        for (new, old) in (0u32..).zip(sorted) {
            let VertexAt { mesh, vertex } = at(old);
            if let Some(list) = lists.get_mut(mesh.index()) {
                list.push(vertex.0);
            }
            number_of.insert(old, new);
        }
        Self { lists, number_of }
    }

    fn number(&self, old: u32) -> u32 {
        self.number_of.get(&old).copied().unwrap_or(u32::MAX)
    }
}

/// An even selection of pairs.
fn spread(all: &AllPairs, num_pairs: usize) -> Vec<(usize, usize)> {
    let step = num_pairs.div_ceil(NUM_SPREAD).max(1);
    let parts = all.parts.iter().enumerate();
    parts
        .flat_map(|(number, part)| (0..part.pairs.len()).step_by(step).map(move |at| (number, at)))
        .collect()
}

/// The pairs that are outermost along each axis, per mesh and bone.
fn outermost(job: &Job<'_>, all: &AllPairs) -> Vec<(usize, usize)> {
    type Extremes = [Option<(f32, (usize, usize))>; 6];
    let mut of_bone: HashMap<(usize, Option<BoneId>), Extremes> = HashMap::new();
    for (number, part) in all.parts.iter().enumerate() {
        for (at, pair) in part.pairs.iter().enumerate() {
            let Some(vertex) = pair.from.vertices().next() else { continue };
            let VertexAt { mesh, vertex } = all.source.at(vertex as usize);
            let own = job.source.model.mesh(mesh);
            let Some(position) = own.position(vertex.index()) else { continue };
            // Vertices without bones follow their mesh.
            let key = (mesh.index(), own.heaviest_bone(vertex.index()));
            let extremes = of_bone.entry(key).or_default();
            let values = [position.to_array(), (-position).to_array()];
            for (slot, value) in extremes.iter_mut().zip(values.into_iter().flatten()) {
                if slot.is_none_or(|(known, _)| value > known) {
                    *slot = Some((value, (number, at)));
                }
            }
        }
    }
    let mut bones: Vec<_> = of_bone.into_iter().collect();
    bones.sort_unstable_by_key(|(key, _)| *key);
    let found = bones.into_iter().flat_map(|(_, extremes)| extremes);
    found.flatten().map(|(_, pair)| pair).collect()
}
