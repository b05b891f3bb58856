//! Weights as a list of vertices, with statistics.

use super::weights_mode::WeightsMode;
use rigscope_core::model::BoneId;
use rigscope_core::visual::WeightTable;

/// Smaller deviations of a sum from 1 are ignored; one step of a byte is 0.004.
const SUM_TOLERANCE: f32 = 1e-4;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightRow {
    /// Counted over all meshes.
    pub vertex: u32,
    /// Depending on the mode, the weight of the bone, the sum, or the lost weight.
    pub value: f32,
    /// Depending on the mode, the weight of the locked bone or the number of removed influences.
    pub other: f32,
}

/// Statistics of the current mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightStatistics {
    /// Vertices influenced by the bone.
    pub vertices: usize,
    /// Sum of its weights.
    pub sum: f32,
    /// Vertices influenced by the locked bone.
    pub locked_vertices: usize,
    /// Sum of its weights.
    pub locked_sum: f32,
    /// Vertices influenced by both.
    pub shared_vertices: usize,
    /// Sum of the smaller of both weights.
    pub shared_sum: f32,
    /// The largest value of the list; for sums, the largest deviation from 1.
    pub worst: f32,
}

/// The rows and statistics of a mode.
pub(super) fn listed(
    table: &WeightTable,
    mode: WeightsMode,
    [bone, locked]: [Option<BoneId>; 2],
) -> (Vec<WeightRow>, WeightStatistics) {
    let of = |bone: Option<BoneId>| bone.map_or(&[][..], |bone| table.of_bone(bone));
    let sum = |list: &[(u32, f32)]| list.iter().map(|(_, weight)| weight).sum::<f32>();
    let (own, of_locked) = (of(bone), of(locked));
    let mut figures = WeightStatistics {
        vertices: own.len(),
        sum: sum(own),
        locked_vertices: of_locked.len(),
        locked_sum: sum(of_locked),
        ..WeightStatistics::default()
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
