//! Neighbouring parts of the surface: the nearest points of pieces that no triangle connects. The sides of a seam are
//! pieces too.
//!
//! Rigid parts have no edges that a wrong pose would stretch, but they come apart.

use std::collections::HashMap;

use glam::Vec3;

use super::parts::{MeshSample, size_of};
use super::users::{Shared, Users};
use crate::geometry::{DisjointSets, Points};
use crate::model::{Mesh, Model, spread};

/// Parts that are farther apart than this fraction of the size aren't neighbours.
const NEAR: f32 = 0.3;
/// The most pieces of a model that are examined, and the most vertices of a mesh.
const MAX_PIECES: usize = 64;
const MAX_VERTICES: usize = 400_000;
/// Pieces touch if their distance is below this fraction of the size.
const TOUCHING: f32 = 0.01;
/// The most neighbours of a piece.
const MAX_NEIGHBOURS: usize = 6;
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
    let mut spreads: Vec<Option<Vec<PointAt>>> = vec![None; pieces.len()];
    let mut gaps = Vec::new();
    for (piece, list) in pieces.iter().enumerate() {
        let mut near: Vec<Near> = trees
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != piece)
            .filter_map(|(other, tree)| nearest(list, tree, other, NEAR * size))
            .collect();
        near.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        // All pieces that touch this one, or the nearest.
        let touching = near.first().map_or(0.0, |own| own.distance) + f64::from(TOUCHING * size);
        near.retain(|own| own.distance <= touching);
        near.truncate(MAX_NEIGHBOURS);
        for Near { piece: neighbour, ends: [a, b], .. } in near {
            let own = list[a];
            let other = pieces[neighbour][b];
            let mut point =
                |(sample, vertex): (usize, u32)| [sample, samples[sample].add_point(vertex)];
            let ends = [point((own.0, own.1)), point((other.0, other.1))];
            let spread = [piece, neighbour].map(|of| {
                let new = || {
                    let list = &pieces[of];
                    let some = spread(list.len(), NUM_SPREAD).map(|at| (list[at].0, list[at].1));
                    some.map(&mut point).collect::<Vec<PointAt>>()
                };
                spreads[of].get_or_insert_with(new).clone()
            });
            gaps.push(Gap { ends, spread });
        }
    }
    gaps
}

/// Where another piece is nearest.
struct Near {
    distance: f64,
    piece: usize,
    /// Indices of the points in both pieces.
    ends: [usize; 2],
}

fn nearest(list: &[(usize, u32, Vec3)], tree: &Points, piece: usize, within: f32) -> Option<Near> {
    let mut found: Option<Near> = None;
    for (at, (.., position)) in list.iter().enumerate() {
        let radius = found.as_ref().map_or(f64::from(within), |near| near.distance);
        let Some((other, distance)) = tree.nearest(*position, radius) else { continue };
        if found.as_ref().is_none_or(|near| distance < near.distance) {
            found = Some(Near { distance, piece, ends: [at, other as usize] });
        }
        if distance == 0.0 {
            break;
        }
    }
    found
}

/// For each vertex, the lowest vertex of its connected piece.
fn piece_of(mesh: &Mesh, positions: &[Vec3]) -> Option<Vec<u32>> {
    if positions.len() > MAX_VERTICES {
        return None;
    }
    let mut sets = DisjointSets::new(positions.len());
    for [a, b, c] in mesh.triangles(0..mesh.indices.len()) {
        if [a, b, c].into_iter().all(|corner| (corner as usize) < positions.len()) {
            sets.join(a, b);
            sets.join(b, c);
        }
    }
    Some((0u32..).take(positions.len()).map(|vertex| sets.first_of(vertex)).collect())
}
