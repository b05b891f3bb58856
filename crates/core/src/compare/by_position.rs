//! Matches vertices by position. Of several at one place, the mesh, the surrounding triangles, UV, normal and
//! weights decide.

use glam::Vec3;
use rayon::prelude::*;

use super::bones::BoneMap;
use super::fans::{Fan, fans};
use super::side::{ComparedSide, PosedVertices, Sides};
use crate::geometry::Points;

/// A vertex without any vertex of the other side within this fraction of A's extent has no match.
pub(super) const MATCH_RADIUS: f64 = 0.01;
/// Vertices that are farther than the nearest one by at most this fraction of the extent count as equally
/// near.
const SAME_PLACE: f64 = 1e-6;
/// Quantised positions are farther apart by at most this multiple of their median distance.
const SPREAD_OF_MEDIAN: f64 = 4.0;
/// The largest distance, as a fraction of the extent, that is attributed to quantisation: 10 bits.
const MAX_QUANTISATION: f64 = 1e-3;
/// The most vertices at one position to consider.
const MAX_TIED: usize = 64;
/// UV distances are rounded to this step, so that rounding errors don't hide other criteria.
const UV_STEP: f32 = 1e-3;
/// The same for normals, as the length of their difference.
const NORMAL_STEP: f32 = 0.02;
/// A mesh corresponds to the one with at least this share of its vertices.
const MOST_OF_MESH: f64 = 0.9;

/// The nearest vertex of A for each vertex of B, within [`MATCH_RADIUS`].
pub(super) fn by_position(
    sides: &Sides<'_>,
    posed_a: &PosedVertices,
    posed_b: &PosedVertices,
    bones: &BoneMap,
    extent: f64,
) -> Vec<Option<u32>> {
    let Sides { a, b, .. } = sides;
    let tree = Points::new(&posed_a.positions);
    let radius = MATCH_RADIUS * extent;
    let nearest: Vec<Option<(u32, f64)>> =
        posed_b.positions.par_iter().map(|&at| tree.nearest(at, radius)).collect();
    let median = median_distance(&nearest).min(MAX_QUANTISATION * extent / SPREAD_OF_MEDIAN);
    let slack = SAME_PLACE * extent + SPREAD_OF_MEDIAN * median;
    let score = Score {
        sides,
        normals: [&posed_a.normals, &posed_b.normals],
        bones,
        a_of_b_mesh: corresponding_meshes(sides, &nearest),
        fans: [fans(a, &posed_a.positions), fans(b, &posed_b.positions)],
        slack,
    };
    let one = |vertex: usize| {
        let (nearest, distance) = nearest[vertex]?;
        let at = posed_b.positions[vertex];
        let tied = tree.within(at, distance + slack, MAX_TIED);
        if tied.len() < 2 {
            return Some(nearest);
        }
        let of_vertex = score.of(vertex);
        let scored = tied.into_iter().map(|candidate| {
            let apart = posed_a.positions[candidate as usize].distance(at);
            (of_vertex(candidate), apart, candidate)
        });
        let best = scored.min_by(|x, y| {
            let parts = x.0.iter().zip(&y.0).map(|(x, y)| x.total_cmp(y));
            // Of equals, the nearest, then the one with the same number, otherwise the first.
            let rank = |candidate: u32| (candidate as usize != vertex, candidate);
            parts
                .fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
                .then(x.1.total_cmp(&y.1))
                .then_with(|| rank(x.2).cmp(&rank(y.2)))
        });
        best.map(|(.., candidate)| candidate)
    };
    (0..b.num_vertices()).into_par_iter().map(one).collect()
}

/// Half of the vertices are at most this far from their nearest one.
fn median_distance(nearest: &[Option<(u32, f64)>]) -> f64 {
    let mut distances: Vec<f64> = nearest.iter().flatten().map(|(_, distance)| *distance).collect();
    if distances.is_empty() {
        return 0.0;
    }
    let middle = distances.len() / 2;
    *distances.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The mesh of A for each mesh of B: the only one with its name, or else the one with most of its vertices.
fn corresponding_meshes(
    Sides { a, b, .. }: &Sides<'_>,
    nearest: &[Option<(u32, f64)>],
) -> Vec<Option<usize>> {
    let (meshes_a, meshes_b) = (&a.model.meshes, &b.model.meshes);
    let only = |side: &ComparedSide<'_>, name: &str| -> Option<usize> {
        let mut named = side.model.meshes.iter().enumerate().filter(|(_, mesh)| mesh.name == name);
        let (first, other) = (named.next(), named.next());
        first.filter(|_| !name.is_empty() && other.is_none()).map(|(index, _)| index)
    };
    let mut votes = vec![vec![0u64; meshes_a.len()]; meshes_b.len()];
    for (vertex, of_a) in nearest.iter().enumerate() {
        if let Some((of_a, _)) = of_a {
            votes[b.locate(vertex).0][a.locate(*of_a as usize).0] += 1;
        }
    }
    let most = |votes: &[u64]| {
        let (mesh, &num) = votes.iter().enumerate().max_by_key(|(_, num)| **num)?;
        (num as f64 >= MOST_OF_MESH * votes.iter().sum::<u64>() as f64).then_some(mesh)
    };
    let corresponding = |(mesh, votes): (&crate::model::Mesh, &Vec<u64>)| {
        only(b, &mesh.name).and_then(|_| only(a, &mesh.name)).or_else(|| most(votes))
    };
    meshes_b.iter().zip(&votes).map(corresponding).collect()
}

/// Compares vertices at one place. A and B are the two elements of each array.
struct Score<'a> {
    sides: &'a Sides<'a>,
    normals: [&'a [Vec3]; 2],
    bones: &'a BoneMap,
    a_of_b_mesh: Vec<Option<usize>>,
    fans: [Vec<Fan>; 2],
    slack: f64,
}

impl Score<'_> {
    /// How badly a vertex of A fits `vertex` of B; the first different number decides.
    fn of(&self, vertex: usize) -> impl Fn(u32) -> [f32; 5] {
        let Sides { a, b, .. } = self.sides;
        let (uv, influences) = (b.uv(vertex), b.influences(vertex));
        let mesh = self.a_of_b_mesh[b.locate(vertex).0];
        let steps = |amount: f32, step: f32| (amount / step).round();
        let unless = |is_same: bool| if is_same { 0.0 } else { 1.0 };
        move |candidate| {
            let number = candidate as usize;
            let uv = match (uv, a.uv(number)) {
                (Some(b), Some(a)) => steps((a - b).abs().max_element(), UV_STEP),
                _ => 0.0,
            };
            let normals = self.normals[0][number].distance(self.normals[1][vertex]);
            let [fans_a, fans_b] = &self.fans;
            [
                unless(mesh.is_none_or(|mesh| mesh == a.locate(number).0)),
                unless(fans_a[number].is_like(&fans_b[vertex], self.slack)),
                uv,
                steps(normals, NORMAL_STEP),
                self.bones.weight_difference(&a.influences(number), &influences),
            ]
        }
    }
}
