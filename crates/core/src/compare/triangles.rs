//! Compares triangles as sets of matched vertices; their order and first corner don't matter.

use std::collections::HashMap;

use super::DifferenceKind as Kind;
use super::collector::DifferenceCollector;
use super::side::{ComparedSide, Sides};
use super::vertices::{MatchMethod, PosedMatching};
use crate::geometry::{Points, from_lowest};
use crate::model::{Place, as_u32, counted};

/// Vertices of A closer than this fraction of the extent are one corner.
const SAME_PLACE: f64 = 1e-6;
/// The most vertices at one position to consider.
const MAX_TIED: usize = 64;

/// Finds triangles that only one side has, and flipped ones.
pub(super) fn compare(
    Sides { a, b, .. }: &Sides<'_>,
    common: &PosedMatching,
    found: &mut DifferenceCollector<'_>,
) {
    let corner = corners_of(common);
    let num_a = as_u32(corner.len());
    let number_a = |vertex: usize| corner.get(vertex).copied().unwrap_or(u32::MAX);
    let number_b = |vertex: usize| match common.matching.a_of_b.get(vertex).copied().flatten() {
        Some(vertex) => number_a(vertex as usize),
        // A number beyond the vertices of A.
        None => num_a.saturating_add(as_u32(vertex)),
    };
    // How many more of each triangle A has than B.
    let mut surplus: HashMap<[u32; 3], i64> = HashMap::new();
    for_each(a, number_a, |_, key| *surplus.entry(key).or_default() += 1);
    for_each(b, number_b, |_, key| *surplus.entry(key).or_default() -= 1);
    surplus.retain(|_, num| *num != 0);
    let (mut num_added, mut num_removed, mut num_flipped) = (0u64, 0u64, 0u64);
    for (&[x, y, z], &num) in &surplus {
        let other = surplus.get(&[x, z, y]).copied().unwrap_or(0);
        // If A has a surplus of one winding and B of the other, they are flipped.
        let flipped = match num.signum() * other.signum() {
            -1 => num.unsigned_abs().min(other.unsigned_abs()),
            _ => 0,
        };
        let rest = num.unsigned_abs() - flipped;
        if num > 0 {
            num_removed += rest;
            num_flipped += flipped;
        } else {
            num_added += rest
        }
    }
    let count = |found: &mut DifferenceCollector<'_>, kind, num: u64, what: &str| {
        let num = usize::try_from(num).unwrap_or(usize::MAX);
        found.structure(kind, num, || format!("{} {what}", counted(num as u64, "triangle")));
    };
    count(found, Kind::TrianglesAdded, num_added, "only in B");
    if num_added > 0 {
        let is_added = |[x, y, z]: [u32; 3]| {
            let flipped = surplus.get(&[x, z, y]).copied().unwrap_or(0);
            surplus.get(&[x, y, z]).is_some_and(|&num| num < 0 && num + flipped < 0)
        };
        if let Some(place) = first_place(b, number_b, is_added) {
            found.locate(Kind::TrianglesAdded, place);
        }
    }
    count(found, Kind::TrianglesRemoved, num_removed, "only in A");
    if num_removed > 0 {
        let is_removed = |[x, y, z]: [u32; 3]| {
            let flipped = surplus.get(&[x, z, y]).copied().unwrap_or(0);
            surplus.get(&[x, y, z]).is_some_and(|&num| num > 0 && num + flipped > 0)
        };
        if let Some(place) = first_place(a, number_a, is_removed) {
            found.locate_in_a(Kind::TrianglesRemoved, place);
        }
    }
    count(found, Kind::TrianglesFlipped, num_flipped, "face the other way in B");
    if num_flipped > 0 {
        let is_flipped = |[x, y, z]: [u32; 3]| {
            let of = |key: [u32; 3]| surplus.get(&key).copied().unwrap_or(0).signum();
            of([x, y, z]) * of([x, z, y]) < 0
        };
        if let Some(place) = first_place(b, number_b, is_flipped) {
            found.locate(Kind::TrianglesFlipped, place);
        }
        if let Some(place) = first_place(a, number_a, is_flipped) {
            found.locate_in_a(Kind::TrianglesFlipped, place);
        }
    }
}

/// The first triangle of a side whose key passes the test.
fn first_place(
    side: &ComparedSide<'_>,
    number: impl Fn(usize) -> u32,
    is_meant: impl Fn([u32; 3]) -> bool,
) -> Option<Place> {
    let mut first = None;
    for_each(side, number, |place, key| {
        if first.is_none() && is_meant(key) {
            first = Some(place);
        }
    });
    first
}

/// The representative of each vertex of A: the first of those at the same position, any of which a vertex of
/// B may be matched with.
fn corners_of(common: &PosedMatching) -> Vec<u32> {
    let positions = &common.a.positions;
    if common.matching.by == MatchMethod::Index {
        return (0..positions.len()).map(as_u32).collect();
    }
    let tree = Points::new(positions);
    let radius = SAME_PLACE * common.extent;
    let first = |(vertex, &at): (usize, &glam::Vec3)| {
        let tied = tree.within(at, radius, MAX_TIED);
        tied.into_iter().min().unwrap_or(as_u32(vertex))
    };
    positions.iter().enumerate().map(first).collect()
}

/// Calls `visit` with the place and the key of each triangle with an area: the numbers of its corners, the
/// smallest first.
fn for_each(
    side: &ComparedSide<'_>,
    number: impl Fn(usize) -> u32,
    mut visit: impl FnMut(Place, [u32; 3]),
) {
    let is_reversed = side.model.axes.reverses_winding();
    for (index, mesh) in side.model.meshes.iter().enumerate() {
        let num_vertices = mesh.num_vertices();
        let mesh_number = as_u32(index);
        for (triangle, corners) in (0u32..).zip(mesh.triangles(0..mesh.indices.len())) {
            // The check has removed it together with its subset.
            if corners.iter().any(|&corner| corner as usize >= num_vertices) {
                continue;
            }
            let [x, y, z] = corners.map(|corner| number(side.number(index, corner)));
            if x == y || y == z || z == x {
                continue;
            }
            let [x, y, z] = if is_reversed { [x, z, y] } else { [x, y, z] };
            visit(Place::Triangle { mesh: mesh_number, triangle }, from_lowest([x, y, z]));
        }
    }
}
