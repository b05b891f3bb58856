//! Vertices of both sides, numbered through all meshes, and their pairing.

use glam::Vec3;

use super::Job;
use crate::model::{Origin, VertexAt, VertexNumbers, as_u32};

/// The expected position of a vertex in the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExpectedPosition {
    /// The position of a vertex of the source.
    One(u32),
    /// A point in the triangle of these vertices.
    Inside([u32; 3], Vec3),
}

impl ExpectedPosition {
    pub(super) fn position(&self, source: &[Vec3]) -> Option<Vec3> {
        let at = |vertex: u32| source.get(vertex as usize).copied();
        match *self {
            Self::One(vertex) => at(vertex),
            Self::Inside([a, b, c], shares) => {
                Some(at(a)? * shares.x + at(b)? * shares.y + at(c)? * shares.z)
            }
        }
    }

    pub(super) fn vertices(&self) -> impl Iterator<Item = u32> {
        let (list, num) = match *self {
            Self::One(vertex) => ([vertex; 3], 1),
            Self::Inside(corners, _) => (corners, 3),
        };
        list.into_iter().take(num)
    }

    /// The same with other vertex numbers.
    pub(super) fn renumbered(&self, number: impl Fn(u32) -> u32) -> Self {
        match *self {
            Self::One(vertex) => Self::One(number(vertex)),
            Self::Inside(corners, shares) => Self::Inside(corners.map(number), shares),
        }
    }
}

/// A vertex of the result and its expected position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) made: u32,
    pub(super) from: ExpectedPosition,
}

/// The pairs of one part.
#[derive(Clone, Debug, Default)]
pub(super) struct PartPairs {
    pub(super) numbers: VertexNumbers,
    pub(super) pairs: Vec<Pair>,
    /// The index of each pair in the list of origins, which also has entries without an origin.
    pub(super) listed: Vec<u32>,
    pub(super) num_listed: usize,
}

/// Vertices that aren't in any pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumUnpaired {
    /// Vertices of the source that weren't written.
    pub source: usize,
    /// Vertices of the result with unknown origin.
    pub made: usize,
}

/// All pairs of a job.
#[derive(Clone, Debug, Default)]
pub(super) struct AllPairs {
    pub(super) source: VertexNumbers,
    pub(super) parts: Vec<PartPairs>,
}

impl AllPairs {
    /// Number of vertices that are posed to compare a moment.
    pub(super) fn num_posed(&self, job: &Job<'_>) -> usize {
        let made = job.parts.iter().map(|part| part.made.model.num_vertices());
        self.source.num() + made.sum::<usize>()
    }

    pub(super) fn of(job: &Job<'_>) -> Self {
        let source = VertexNumbers::of(job.source.model);
        let part = |part: &super::MeasuredPart<'_>| {
            let numbers = VertexNumbers::of(part.made.model);
            let mut out = PartPairs::default();
            let meshes = part.origins.iter().zip(&part.made.model.meshes);
            for (mesh, (origins, made)) in meshes.enumerate() {
                origins.for_each(made.num_vertices(), |vertex, origin| {
                    let listed = as_u32(out.num_listed);
                    out.num_listed += 1;
                    let made = numbers.get(VertexAt::new(mesh, vertex as usize));
                    let from = match origin {
                        Origin::Vertex(at) => source.get(at).map(ExpectedPosition::One),
                        Origin::Inside { corners, shares } => {
                            match corners.map(|corner| source.get(corner)) {
                                [Some(a), Some(b), Some(c)] => {
                                    Some(ExpectedPosition::Inside([a, b, c], shares))
                                }
                                _ => None,
                            }
                        }
                    };
                    if let (Some(made), Some(from)) = (made, from) {
                        out.pairs.push(Pair { made, from });
                        out.listed.push(listed);
                    }
                });
            }
            out.numbers = numbers;
            out
        };
        let parts = job.parts.iter().map(part).collect();
        Self { source, parts }
    }

    pub(super) fn origin(&self, from: &ExpectedPosition) -> Origin {
        match *from {
            ExpectedPosition::One(vertex) => Origin::Vertex(self.source.at(vertex as usize)),
            ExpectedPosition::Inside(corners, shares) => Origin::Inside {
                corners: corners.map(|corner| self.source.at(corner as usize)),
                shares,
            },
        }
    }

    pub(super) fn num_unpaired(&self) -> NumUnpaired {
        let mut is_source = vec![false; self.source.num()];
        let mut made = 0;
        for part in &self.parts {
            let mut is_made = vec![false; part.numbers.num()];
            for pair in &part.pairs {
                if let Some(flag) = is_made.get_mut(pair.made as usize) {
                    *flag = true;
                }
                for vertex in pair.from.vertices() {
                    if let Some(flag) = is_source.get_mut(vertex as usize) {
                        *flag = true;
                    }
                }
            }
            made += is_made.iter().filter(|is| !**is).count();
        }
        NumUnpaired { source: is_source.iter().filter(|is| !**is).count(), made }
    }
}

impl Job<'_> {
    /// Number of vertices on both sides that aren't in any pair.
    pub fn num_unpaired(&self) -> NumUnpaired {
        AllPairs::of(self).num_unpaired()
    }
}
