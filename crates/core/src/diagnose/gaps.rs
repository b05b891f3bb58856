//! Neighbouring parts of the surface: the nearest points of pieces that aren't connected by triangles.
//!
//! Rigid parts have no edges that a wrong pose would stretch, but they come apart.

use std::collections::HashMap;

use glam::Vec3;

use super::parts::{MeshSample, size_of};
use super::users::{Shared, Users};
use crate::geometry::{DisjointSets, Points, welded_near};
use crate::model::{Mesh, Model, spread};

/// Parts that are farther apart than this fraction of the size aren't neighbours.
const NEAR: f32 = 0.3;
/// The most pieces of a model that are examined, and the most vertices of a mesh.
const MAX_PIECES: usize = 64;
const MAX_VERTICES: usize = 400_000;
/// Number of points from which the centre of a piece is computed.
const NUM_SPREAD: usize = 8;

/// A point of a sample: the index of the sample, and of the point in it.
pub(super) type PointAt = [usize; 2];

/// A piece of the surface and the piece nearest to it, which may be in another mesh that shares the skin.
pub(super) struct Gap {
    /// The nearest points of both.
    pub(super) ends: [PointAt; 2],
    /// Points whose mean is the centre of each piece.
    pub(super) spread: [Vec<PointAt>; 2],
}

/// The gaps between pieces of meshes that share a skin; their vertices are added to the points of the samples.
pub(super) fn gaps(model: &Model, samples: &mut [MeshSample], users: &Users) -> Vec<Gap> {
    let hashes = users.hashes(model, Shared::Skin);
    let mut groups: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, part) in samples.iter().enumerate() {
        if let Some(hash) = hashes[part.mesh] {
            groups.entry(hash).or_default().push(at);
        }
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    groups.sort_unstable();
    groups.iter().flat_map(|group| of_group(model, samples, group)).collect()
}

fn of_group(model: &Model, samples: &mut [MeshSample], group: &[usize]) -> Vec<Gap> {
    // Sampled vertices of each piece: sample, vertex, position.
    let mut pieces: Vec<Vec<(usize, u32, Vec3)>> = Vec::new();
    for &at in group {
        let mesh = &model.meshes[samples[at].mesh];
        let Some(own) = mesh.streams() else { continue };
        let mut of_piece: HashMap<u32, Vec<(usize, u32, Vec3)>> = HashMap::new();
        let Some(piece_of) = piece_of(mesh, &own.positions) else { continue };
        for &vertex in &samples[at].vertices {
            let (Some(piece), Some(position)) =
                (piece_of.get(vertex as usize), own.positions.get(vertex as usize))
            else {
                continue;
            };
            of_piece.entry(*piece).or_default().push((at, vertex, *position));
        }
        let mut own: Vec<_> = of_piece.into_iter().collect();
        own.sort_unstable_by_key(|(piece, _)| *piece);
        pieces.extend(own.into_iter().map(|(_, list)| list));
    }
    if pieces.len() < 2 {
        return Vec::new();
    }
    pieces.sort_by_key(|list| std::cmp::Reverse(list.len()));
    pieces.truncate(MAX_PIECES);
    let all: Vec<Vec3> = pieces.iter().flatten().map(|(.., position)| *position).collect();
    let size = size_of(&all);
    let trees: Vec<Points> = pieces
        .iter()
        .map(|list| Points::new(&list.iter().map(|(.., at)| *at).collect::<Vec<_>>()))
        .collect();
    let mut gaps = Vec::new();
    for (piece, list) in pieces.iter().enumerate() {
        // The nearest other piece only: a part hangs on one other.
        let mut nearest: Option<(f64, (usize, u32), (usize, u32), usize)> = None;
        for (other, tree) in trees.iter().enumerate().filter(|(other, _)| *other != piece) {
            for (sample, vertex, position) in list {
                let radius = nearest.map_or(f64::from(NEAR * size), |(distance, ..)| distance);
                let Some((at, distance)) = tree.nearest(*position, radius) else { continue };
                let (other_sample, other_vertex, _) = pieces[other][at as usize];
                if nearest.is_none_or(|(least, ..)| distance < least) {
                    let ends = ((*sample, *vertex), (other_sample, other_vertex));
                    nearest = Some((distance, ends.0, ends.1, other));
                }
            }
        }
        let Some((_, a, b, neighbour)) = nearest else { continue };
        let mut point = |(sample, vertex): (usize, u32)| [sample, samples[sample].add_point(vertex)];
        let ends = [point(a), point(b)];
        let of_piece = |of: usize| {
            let list = &pieces[of];
            let some = spread(list.len(), NUM_SPREAD).map(|at| (list[at].0, list[at].1));
            some.collect::<Vec<_>>()
        };
        let spread = [of_piece(piece), of_piece(neighbour)].map(|own| own.into_iter().map(&mut point).collect());
        gaps.push(Gap { ends, spread });
    }
    gaps
}

/// For each vertex, the lowest vertex of its connected piece.
fn piece_of(mesh: &Mesh, positions: &[Vec3]) -> Option<Vec<u32>> {
    if positions.len() > MAX_VERTICES {
        return None;
    }
    let welded = welded_near(positions);
    let mut sets = DisjointSets::new(positions.len());
    for (vertex, first) in (0u32..).zip(&welded) {
        sets.join(vertex, *first);
    }
    for [a, b, c] in mesh.triangles(0..mesh.indices.len()) {
        if [a, b, c].into_iter().all(|corner| (corner as usize) < positions.len()) {
            sets.join(a, b);
            sets.join(b, c);
        }
    }
    Some((0u32..).take(positions.len()).map(|vertex| sets.first_of(vertex)).collect())
}
