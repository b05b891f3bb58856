//! Matches the vertices of A and B.

use std::cell::OnceCell;

use glam::Vec3;
use rayon::prelude::*;

use super::MatchBy;
use super::bones::{BoneMap, named_bones};
use super::by_position::{MATCH_RADIUS, by_position};
use super::side::{ComparedPose, ComparedSide, PosedVertices, Sides, distance, extent};
use crate::geometry::Points;
use crate::model::{Cancelled, Mesh, Model, Report};

/// Below this fraction of the extent, two poses are the same and the search for a better one ends.
const SAME_POSE: f64 = 1e-5;
/// A pair of poses replaces another only if its distance is smaller by this factor.
const CLEARLY_NEARER: f64 = 0.5;
/// The share of vertices whose position must agree at equal indices.
const MOST: f64 = 0.5;
/// Number of vertices by which a pair of poses is evaluated.
const MAX_PROBES: usize = 2000;

/// How vertices were matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchMethod {
    /// The first with the first, and so on.
    Index,
    /// By nearest position; of several at one place, the one with the same mesh and surrounding triangles, and
    /// the nearest UV, normal and weights.
    Position,
}

/// The vertices of two models that correspond to each other. Vertices are numbered through all meshes.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexMatching {
    /// The vertex of A for each vertex of B; several may share one, since exporters split and weld vertices.
    pub a_of_b: Vec<Option<u32>>,
    pub by: MatchMethod,
    /// The pose of A in which vertices were matched.
    pub pose_a: ComparedPose,
    /// The pose of B in which vertices were matched.
    pub pose_b: ComparedPose,
    /// Vertices of A without a vertex of B nearby.
    pub num_unmatched_a: usize,
    /// Vertices of B without a vertex of A nearby.
    pub num_unmatched_b: usize,
    /// The largest distance of these, on both sides, from the nearest vertex of the other side; `None` if all
    /// match.
    pub farthest_unmatched: Option<f64>,
}

/// Matches the vertices of `b` with those of `a`.
///
/// They are compared in a pose that both have: the default pose, or else the pair among default pose, first
/// key and stored vertices with the smallest distances.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn match_vertices(
    a: &Model,
    b: &Model,
    by: MatchBy,
    report: &Report,
) -> Result<VertexMatching, Cancelled> {
    let bones = named_bones(a, b);
    matched(&Sides::of(a, b), by, &bones, report).map(|common| common.matching)
}

/// A matching and the poses in which it was made.
pub(super) struct PosedMatching {
    pub(super) matching: VertexMatching,
    pub(super) a: PosedVertices,
    pub(super) b: PosedVertices,
    /// A's extent in its pose.
    pub(super) extent: f64,
}

/// How well two poses agree.
struct Fit {
    by: MatchMethod,
    /// Mean distance as a fraction of the extent; each distance counts as at most 1.
    mean: f64,
}

pub(super) fn matched(
    sides: &Sides<'_>,
    by: MatchBy,
    bones: &BoneMap,
    report: &Report,
) -> Result<PosedMatching, Cancelled> {
    let Sides { a, b, .. } = sides;
    let (poses_a, poses_b) = (a.poses(), b.poses());
    // Computed on demand: usually only the first is needed.
    let mut all_b: Vec<OnceCell<PosedVertices>> = poses_b.iter().map(|_| OnceCell::new()).collect();
    let mut best: Option<(Fit, usize, usize, PosedVertices)> = None;
    'search: for (at_a, &pose_a) in poses_a.iter().enumerate() {
        let posed_a = a.posed(pose_a);
        let tree = Points::new(&posed_a.positions);
        let mut improved = None;
        for (at_b, (cell, &pose_b)) in all_b.iter().zip(&poses_b).enumerate() {
            report.progress("matching vertices", 0.1 * at_a as f32)?;
            let posed_b = cell.get_or_init(|| b.posed(pose_b));
            let found = fit(sides, by, &posed_a.positions, &tree, &posed_b.positions);
            let so_far = improved.as_ref().map(|(fit, _): &(Fit, usize)| fit.mean);
            let so_far = so_far.or(best.as_ref().map(|best| best.0.mean));
            if so_far.is_none_or(|mean| found.mean < mean * CLEARLY_NEARER && mean > SAME_POSE) {
                let is_same = found.mean <= SAME_POSE;
                improved = Some((found, at_b));
                if is_same {
                    break;
                }
            }
        }
        if let Some((fit, at_b)) = improved {
            let is_same = fit.mean <= SAME_POSE;
            best = Some((fit, at_a, at_b, posed_a));
            if is_same {
                break 'search;
            }
        }
    }
    let (fit, at_a, at_b, posed_a) =
        best.unwrap_or((Fit { by: MatchMethod::Index, mean: 0.0 }, 0, 0, PosedVertices::default()));
    let posed_b = all_b.get_mut(at_b).and_then(OnceCell::take);
    let posed_b = posed_b.unwrap_or_else(|| b.posed(poses_b[at_b]));
    let extent = extent(&posed_a.positions);
    report.progress("matching vertices", 0.3)?;
    let a_of_b = match fit.by {
        MatchMethod::Index => by_index(a.num_vertices(), b.num_vertices()),
        MatchMethod::Position => by_position(sides, &posed_a, &posed_b, bones, extent),
    };
    report.progress("matching vertices", 0.4)?;
    let of_a = unmatched(&a_of_b, fit.by, &posed_a, &posed_b, extent);
    let of_b = unmatched_of_b(&a_of_b, &posed_a, &posed_b);
    let matching = VertexMatching {
        num_unmatched_a: of_a.0,
        farthest_unmatched: of_a.1.into_iter().chain(of_b).reduce(f64::max),
        num_unmatched_b: a_of_b.iter().filter(|vertex| vertex.is_none()).count(),
        a_of_b,
        by: fit.by,
        pose_a: poses_a.get(at_a).copied().unwrap_or_default(),
        pose_b: poses_b.get(at_b).copied().unwrap_or_default(),
    };
    Ok(PosedMatching { matching, a: posed_a, b: posed_b, extent })
}

fn fit(
    Sides { a, b, .. }: &Sides<'_>,
    by: MatchBy,
    positions_a: &[Vec3],
    tree: &Points,
    positions_b: &[Vec3],
) -> Fit {
    let extent = extent(positions_a);
    let pairs = positions_a.iter().zip(positions_b);
    let apart = |(&a, &b): (&Vec3, &Vec3)| (distance(a, b) / extent).min(1.0);
    let num = positions_a.len().max(positions_b.len()).max(1) as f64;
    let missing = positions_a.len().abs_diff(positions_b.len()) as f64;
    let by_index = || Fit {
        by: MatchMethod::Index,
        mean: (pairs.clone().map(apart).sum::<f64>() + missing) / num,
    };
    let may_be_index = match by {
        MatchBy::Index => return by_index(),
        MatchBy::Position => false,
        MatchBy::Auto => positions_a.len() == positions_b.len(),
    };
    // Also true if posing has overflowed, which makes distances meaningless.
    let bits =
        |(a, b): (&Vec3, &Vec3)| a.to_array().map(f32::to_bits) == b.to_array().map(f32::to_bits);
    if may_be_index && pairs.clone().all(bits) {
        return Fit { by: MatchMethod::Index, mean: 0.0 };
    }
    let num_near = pairs.clone().map(apart).filter(|&d| d <= MATCH_RADIUS);
    let num_near = num_near.count() as f64;
    let is_index = may_be_index && num_near >= MOST * num;
    // Writers that sort vertices leave many in place.
    if is_index && (num_near >= num || has_same_triangles(a, b)) {
        return by_index();
    }
    let step = positions_b.len().div_ceil(MAX_PROBES).max(1);
    let probes: Vec<f64> = positions_b
        .par_iter()
        .step_by(step)
        .map(|&point| match tree.nearest(point, f64::INFINITY) {
            Some((nearest, _)) => {
                (distance(positions_a[nearest as usize], point) / extent).min(1.0)
            }
            None => 1.0,
        })
        .collect();
    let num_probes = probes.len().max(1) as f64;
    let near = probes.iter().filter(|&&d| d <= MATCH_RADIUS).count() as f64;
    // The whole model is moved: positions don't help, but the triangles are the same.
    if may_be_index && near < MOST * num_probes && has_same_triangles(a, b) {
        return by_index();
    }
    let mean = probes.iter().sum::<f64>() / num_probes;
    let index = by_index();
    if is_index && mean >= index.mean * CLEARLY_NEARER {
        return index;
    }
    Fit { by: MatchMethod::Position, mean }
}

fn has_same_triangles(a: &ComparedSide<'_>, b: &ComparedSide<'_>) -> bool {
    let same = |(a, b): (&Mesh, &Mesh)| {
        a.num_vertices() == b.num_vertices() && a.indices.iter().eq(b.indices.iter())
    };
    let (a, b) = (&a.model.meshes, &b.model.meshes);
    let is_empty = a.iter().all(|mesh| mesh.indices.is_empty());
    !is_empty && a.len() == b.len() && a.iter().zip(b).all(same)
}

fn by_index(num_a: usize, num_b: usize) -> Vec<Option<u32>> {
    let number = |vertex: usize| u32::try_from(vertex).ok().filter(|_| vertex < num_a);
    (0..num_b).map(number).collect()
}

/// How many vertices of A have no vertex of B nearby, and their largest distance from the nearest one.
fn unmatched(
    a_of_b: &[Option<u32>],
    by: MatchMethod,
    a: &PosedVertices,
    b: &PosedVertices,
    extent: f64,
) -> (usize, Option<f64>) {
    let mut is_hit = vec![false; a.positions.len()];
    for vertex in a_of_b.iter().flatten() {
        if let Some(hit) = is_hit.get_mut(*vertex as usize) {
            *hit = true;
        }
    }
    let missed: Vec<usize> = (0..is_hit.len()).filter(|&vertex| !is_hit[vertex]).collect();
    if missed.is_empty() {
        return (0, None);
    }
    let radius = match by {
        MatchMethod::Index => -1.0,
        MatchMethod::Position => MATCH_RADIUS * extent,
    };
    let tree = Points::new(&b.positions);
    let nearest = |&vertex: &usize| {
        let found = tree.nearest(a.positions[vertex], f64::INFINITY);
        found.map_or(f64::INFINITY, |(_, apart)| apart)
    };
    let far = missed.par_iter().map(nearest).filter(|&apart| apart > radius);
    let far: Vec<f64> = far.collect();
    (far.len(), far.into_iter().reduce(f64::max))
}

/// The largest distance of unmatched vertices of B from the nearest vertex of A.
fn unmatched_of_b(a_of_b: &[Option<u32>], a: &PosedVertices, b: &PosedVertices) -> Option<f64> {
    if a_of_b.iter().all(Option::is_some) {
        return None;
    }
    let tree = Points::new(&a.positions);
    let alone = a_of_b.par_iter().zip(&b.positions).filter(|(of_a, _)| of_a.is_none());
    let nearest = alone.map(|(_, &at)| {
        let found = tree.nearest(at, f64::INFINITY);
        found.map_or(f64::INFINITY, |(_, apart)| apart)
    });
    nearest.reduce_with(f64::max)
}
