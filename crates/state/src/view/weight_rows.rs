//! Weights as a list: rows of vertices, and figures about them.

use super::weights_mode::WeightsMode;
use rigscope_core::model::BoneId;
use rigscope_core::visual::WeightTable;

/// Sums that miss 1 by less are right: a unit in the last place of a byte is 0.004.
const SUM_TOLERANCE: f32 = 1e-4;

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightRow {
    /// Counted over all meshes.
    pub vertex: u32,
    /// Weight of the bone; the sum; or what is lost.
    pub value: f32,
    /// Weight of the locked bone; or the number of influences that are dropped.
    pub other: f32,
}

/// Figures about what is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightFigures {
    /// Vertices that the bone moves.
    pub vertices: usize,
    /// Its weights added up.
    pub sum: f32,
    /// Vertices that the locked bone moves.
    pub locked_vertices: usize,
    /// Its weights added up.
    pub locked_sum: f32,
    /// Vertices that both move.
    pub shared_vertices: usize,
    /// The smaller of both weights, added up.
    pub shared_sum: f32,
    /// The largest value of the list; for sums, how far the worst misses 1.
    pub worst: f32,
}

/// The list of a mode, and figures about it.
pub(super) fn listed(
    table: &WeightTable,
    mode: WeightsMode,
    [bone, locked]: [Option<BoneId>; 2],
) -> (Vec<WeightRow>, WeightFigures) {
    let of = |bone: Option<BoneId>| bone.map_or(&[][..], |bone| table.of_bone(bone));
    let sum = |list: &[(u32, f32)]| list.iter().map(|(_, weight)| weight).sum::<f32>();
    let (own, of_locked) = (of(bone), of(locked));
    let mut figures = WeightFigures {
        vertices: own.len(),
        sum: sum(own),
        locked_vertices: of_locked.len(),
        locked_sum: sum(of_locked),
        ..WeightFigures::default()
    };
    let by_vertex = |values: &[f32], least: f32, row: &dyn Fn(u32) -> WeightRow| {
        let numbered = (0u32..).zip(values);
        let mut list: Vec<(u32, f32)> = numbered
            .filter(|(_, value)| **value > least)
            .map(|(vertex, value)| (vertex, *value))
            .collect();
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let worst = list.first().map_or(0.0, |(_, value)| *value);
        let rows = list.into_iter().map(|(vertex, _)| row(vertex)).collect();
        (rows, worst)
    };
    let rows: Vec<WeightRow>;
    match mode {
        WeightsMode::Bone => {
            let row = |&(vertex, value): &(u32, f32)| WeightRow { vertex, value, other: 0.0 };
            rows = own.iter().map(row).collect();
            figures.worst = rows.first().map_or(0.0, |row| row.value);
        }
        WeightsMode::Compare => {
            let others = locked.map(|bone| table.values(bone));
            let other = |vertex: u32| {
                let value = others.as_ref().and_then(|all| all.get(vertex as usize));
                value.copied().unwrap_or(0.0)
            };
            let shared = own.iter().map(|&(vertex, value)| WeightRow {
                vertex,
                value,
                other: other(vertex),
            });
            let mut shared: Vec<_> = shared.filter(|row| row.other > 0.0).collect();
            let least = |row: &WeightRow| row.value.min(row.other);
            shared.sort_by(|a, b| least(b).total_cmp(&least(a)));
            figures.shared_vertices = shared.len();
            figures.shared_sum = shared.iter().map(least).sum();
            rows = shared;
        }
        WeightsMode::BoneColors => rows = Vec::new(),
        WeightsMode::Sums => {
            let row = |vertex| WeightRow { vertex, value: table.sum(vertex), other: 0.0 };
            (rows, figures.worst) = by_vertex(table.sum_errors(), SUM_TOLERANCE, &row);
        }
        WeightsMode::Packing => {
            let lost = table.lost();
            let row = |vertex: u32| WeightRow {
                vertex,
                value: lost.get(vertex as usize).copied().unwrap_or(0.0),
                other: f32::from(table.num_dropped(vertex)),
            };
            (rows, figures.worst) = by_vertex(lost, 0.0, &row);
        }
    }
    (rows, figures)
}
