//! Reduces the number of influences.

use crate::model::{Model, influence_row};
use crate::reshape::float::forget_source;

/// Keeps the `limit` largest influences of each vertex of a plain model, scaled to sum to 1. Also
/// returns the largest fraction of weight that a vertex lost.
#[must_use]
pub fn with_influences(model: &Model, limit: usize) -> (Model, f32) {
    let mut out = model.clone();
    let mut worst = 0.0f32;
    let mut is_cut = false;
    for mesh in &mut out.meshes {
        let Some(skin) = mesh.inverse_bind_mut() else { continue };
        let mut influences = skin.influences.clone();
        let mut is_cut_here = false;
        influences.map_rows(|_, row| {
            for (slot, weight) in std::mem::take(row) {
                influence_row::add(row, slot, weight);
            }
            if row.len() > limit {
                let total = influence_row::sum(row);
                influence_row::keep_heaviest(row, limit);
                let kept = influence_row::sum(row);
                if kept > 0.0 {
                    influence_row::normalize(row);
                    worst = worst.max((total - kept) / total);
                }
                is_cut_here = true;
            }
        });
        if is_cut_here {
            skin.influences = influences;
        }
        is_cut |= is_cut_here;
    }
    if is_cut {
        forget_source(&mut out);
    }
    (out, worst)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MeshId;
    use crate::reshape::fixture::bent_strip;

    #[test]
    fn the_largest_influences_remain_and_sum_to_one() {
        let (model, worst) = with_influences(&bent_strip(), 1);
        assert!((worst - 0.2).abs() < 1e-6);
        let mut seen = Vec::new();
        model.meshes[MeshId(0)].for_each_influence(2, |bone, weight| seen.push((bone.0, weight)));
        assert_eq!(seen, [(1, 1.0)]);
        assert_eq!(with_influences(&bent_strip(), 2).1, 0.0);
    }
}
