//! Compares the attributes of matched vertices: positions, normals, tangents, UVs, colours,
//! weights.

use glam::Vec2;
use rayon::prelude::*;

use super::DifferenceKind as Kind;
use super::bones::BoneMap;
use super::collector::{DifferenceCollector, Measured};
use super::side::{ComparedSide, Sides, angle_deg, distance};
use super::vertices::PosedMatching;
use crate::model::{Mesh, Skin, VertexData};

/// Coordinates that differ by less than half a step of 16 bits, apart from whole tiles, count as
/// the same.
const SAME_IN_TILE: f64 = 1.0 / 65535.0;

/// The largest difference of one attribute.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorstAmount {
    pub(super) amount: f64,
    /// The vertex of B.
    pub(super) vertex: usize,
    /// Number of vertices beyond the limit.
    count: u64,
    /// Number of compared vertices.
    num: u64,
}

impl WorstAmount {
    fn add(&mut self, vertex: usize, amount: f64, limit: f64) {
        self.num += 1;
        self.count += u64::from(amount > limit);
        if amount > self.amount {
            (self.amount, self.vertex) = (amount, vertex);
        }
    }

    /// The larger of both; the first if they are equal.
    fn join(self, other: Self) -> Self {
        let is_self = self.amount > other.amount
            || (self.amount == other.amount && self.vertex <= other.vertex);
        let worse = if is_self { self } else { other };
        Self { count: self.count + other.count, num: self.num + other.num, ..worse }
    }

    /// The amount, if anything was compared.
    fn known(&self) -> Option<f64> {
        (self.num > 0).then_some(self.amount)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct AttributeTotals {
    positions: WorstAmount,
    normals: WorstAmount,
    tangents: WorstAmount,
    uvs: WorstAmount,
    uvs_in_tile: WorstAmount,
    colors: WorstAmount,
    weights: WorstAmount,
}

impl AttributeTotals {
    fn join(self, other: Self) -> Self {
        Self {
            positions: self.positions.join(other.positions),
            normals: self.normals.join(other.normals),
            tangents: self.tangents.join(other.tangents),
            uvs: self.uvs.join(other.uvs),
            uvs_in_tile: self.uvs_in_tile.join(other.uvs_in_tile),
            colors: self.colors.join(other.colors),
            weights: self.weights.join(other.weights),
        }
    }
}

/// The largest differences; `None` for attributes that couldn't be compared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Largest {
    pub(super) position: Option<WorstAmount>,
    pub(super) normal_deg: Option<f64>,
    pub(super) uv: Option<f64>,
    pub(super) weight: Option<f64>,
}

/// Compares the attributes of matched vertices.
pub(super) fn compare(
    sides: &Sides<'_>,
    common: &PosedMatching,
    bones: &BoneMap,
    found: &mut DifferenceCollector<'_>,
) -> Largest {
    let tolerance = found.options.tolerance;
    let limits = Limits {
        position: tolerance * common.extent,
        angle_deg: tolerance.to_degrees(),
        plain: tolerance,
    };
    let pairs = common.matching.a_of_b.par_iter().enumerate();
    let all = pairs
        .filter_map(|(vertex, of_a)| Some((vertex, (*of_a)? as usize)))
        .fold(AttributeTotals::default, |mut all, (vertex, of_a)| {
            pair(sides, of_a, vertex, common, bones, &limits, &mut all);
            all
        })
        .reduce(AttributeTotals::default, AttributeTotals::join);
    add_differences(sides, common, &limits, &all, found);
    Largest {
        position: (all.positions.num > 0).then_some(all.positions),
        normal_deg: all.normals.known(),
        uv: all.uvs.known(),
        weight: all.weights.known(),
    }
}

struct Limits {
    position: f64,
    angle_deg: f64,
    plain: f64,
}

fn pair(
    Sides { a, b, .. }: &Sides<'_>,
    of_a: usize,
    of_b: usize,
    common: &PosedMatching,
    bones: &BoneMap,
    limits: &Limits,
    all: &mut AttributeTotals,
) {
    let positions = (common.a.positions[of_a], common.b.positions[of_b]);
    all.positions.add(of_b, distance(positions.0, positions.1), limits.position);
    let has = |side: &ComparedSide<'_>, vertex: usize, get: fn(&Mesh) -> bool| {
        side.of_vertex(vertex, |mesh, _| Some(get(mesh))) == Some(true)
    };
    let both = |get: fn(&Mesh) -> bool| has(a, of_a, get) && has(b, of_b, get);
    if both(has_normals) {
        let angle = angle_deg(common.a.normals[of_a], common.b.normals[of_b]);
        all.normals.add(of_b, angle, limits.angle_deg);
    }
    if both(has_tangents) {
        let (m, n) = (common.a.tangents[of_a], common.b.tangents[of_b]);
        let angle = if m.w == n.w { angle_deg(m.truncate(), n.truncate()) } else { 180.0 };
        all.tangents.add(of_b, angle, limits.angle_deg);
    }
    for set in 0..MAX_UV_SETS {
        let coords = |side: &ComparedSide<'_>, vertex| match set {
            0 => side.uv(vertex),
            _ => side.of_vertex(vertex, |mesh, at| uv(mesh, set, at)),
        };
        let (Some(m), Some(n)) = (coords(a, of_a), coords(b, of_b)) else { break };
        let apart = (m.as_dvec2() - n.as_dvec2()).abs();
        all.uvs.add(of_b, apart.max_element(), limits.plain);
        let in_tile = (apart - apart.round()).abs().max_element();
        all.uvs_in_tile.add(of_b, in_tile, limits.plain);
    }
    let color = |side: &ComparedSide<'_>, vertex| side.of_vertex(vertex, Mesh::color);
    if let (Some(m), Some(n)) = (color(a, of_a), color(b, of_b)) {
        let apart = f64::from((m - n).abs().max_element());
        all.colors.add(of_b, apart, limits.plain);
    }
    let (m, n) = (a.influences(of_a), b.influences(of_b));
    if has(a, of_a, is_moved) && has(b, of_b, is_moved) {
        let apart = f64::from(bones.weight_difference(&m, &n));
        all.weights.add(of_b, apart, limits.plain);
    }
}

/// UV sets beyond this number aren't compared.
const MAX_UV_SETS: usize = 8;

/// A coordinate of a UV set beyond the first.
fn uv(mesh: &Mesh, set: usize, vertex: usize) -> Option<Vec2> {
    match &mesh.vertices {
        VertexData::Streams(streams) => streams.uv_sets.get(set)?.coords.get(vertex).copied(),
        VertexData::Packed(_) => None,
    }
}

fn has_normals(mesh: &Mesh) -> bool {
    matches!(mesh.skin, Skin::BoneLocal(_)) || mesh.normal(0).is_some()
}

fn has_tangents(mesh: &Mesh) -> bool {
    mesh.tangent(0).is_some()
}

fn is_moved(mesh: &Mesh) -> bool {
    !matches!(mesh.skin, Skin::None) || mesh.attached_to.is_some()
}

fn add_differences(
    Sides { a, b, .. }: &Sides<'_>,
    common: &PosedMatching,
    limits: &Limits,
    all: &AttributeTotals,
    found: &mut DifferenceCollector<'_>,
) {
    let place = |vertex: usize| {
        let of_a = common.matching.a_of_b.get(vertex).copied().flatten();
        let of_a = of_a.map_or(String::new(), |v| a.describe(v as usize));
        format!("{of_a} of A, {} of B", b.describe(vertex))
    };
    let angle = limits.angle_deg;
    let is_tiles_only = all.uvs_in_tile.amount <= limits.plain.max(SAME_IN_TILE);
    let uvs = if is_tiles_only && all.uvs.amount > 0.5 { Kind::UvTiles } else { Kind::Uvs };
    let rows = [
        (Kind::Positions, &all.positions, limits.position),
        (Kind::Normals, &all.normals, angle),
        (Kind::Tangents, &all.tangents, angle),
        (uvs, &all.uvs, limits.plain),
        (Kind::Colors, &all.colors, limits.plain),
        (Kind::Weights, &all.weights, limits.plain),
    ];
    for (kind, worst, limit) in rows {
        let measured = Measured { amount: worst.amount, limit, count: worst.count };
        found.measured(kind, measured, || place(worst.vertex));
        found.locate(kind, b.place(worst.vertex));
    }
    lacking(a, b, found);
}

/// Reports attributes that only one side has.
fn lacking(a: &ComparedSide<'_>, b: &ComparedSide<'_>, found: &mut DifferenceCollector<'_>) {
    let any = |side: &ComparedSide<'_>, has: fn(&Mesh) -> bool| side.model.meshes.iter().any(has);
    let num_sets = |side: &ComparedSide<'_>| {
        let sets = |mesh: &Mesh| match &mesh.vertices {
            VertexData::Streams(streams) => streams.uv_sets.len(),
            VertexData::Packed(_) => 1,
        };
        side.model.meshes.iter().map(sets).max().unwrap_or(0)
    };
    let has_colors = |mesh: &Mesh| mesh.color(0).is_some();
    let mut lacking = Vec::new();
    let mut ask = |name: &str, has: fn(&Mesh) -> bool| match (any(a, has), any(b, has)) {
        (true, false) => lacking.push(format!("{name} only in A")),
        (false, true) => lacking.push(format!("{name} only in B")),
        _ => {}
    };
    ask("normals", has_normals);
    ask("tangents", has_tangents);
    ask("colours", has_colors);
    if num_sets(a) != num_sets(b) {
        lacking.push(format!("{} UV sets in A, {} in B", num_sets(a), num_sets(b)));
    }
    found.structure(Kind::Attributes, lacking.len(), || lacking.join("; "));
}
