//! Reduces the number of influences.

use crate::model::{Influences, Model, Skin};
use crate::reshape::float::forget_source;

/// Keeps the `limit` largest influences of each vertex of a plain model, scaled to sum to 1. Also
/// returns the largest fraction of weight that a vertex lost.
#[must_use]
pub fn with_influences(model: &Model, limit: usize) -> (Model, f32) {
    let mut out = model.clone();
    let mut worst = 0.0f32;
    let mut is_cut = false;
    for mesh in &mut out.meshes {
        let num_vertices = mesh.num_vertices();
        let Skin::InverseBind(skin) = &mut mesh.skin else { continue };
        let mut lists = Vec::with_capacity(num_vertices);
        let mut list: Vec<(u32, f32)> = Vec::new();
        let mut is_cut_here = false;
        for vertex in 0..num_vertices {
            list.clear();
            skin.influences.for_each(vertex, |slot, weight| {
                match list.iter_mut().find(|(known, _)| *known == slot) {
                    Some((_, sum)) => *sum += weight,
                    None => list.push((slot, weight)),
                }
            });
            if list.len() > limit {
                let total: f32 = list.iter().map(|(_, weight)| weight).sum();
                list.sort_by(|a, b| b.1.total_cmp(&a.1));
                list.truncate(limit);
                let kept: f32 = list.iter().map(|(_, weight)| weight).sum();
                if kept > 0.0 {
                    list.iter_mut().for_each(|(_, weight)| *weight /= kept);
                    worst = worst.max((total - kept) / total);
                }
                is_cut_here = true;
            }
            lists.push(list.clone());
        }
        if is_cut_here {
            skin.influences = Influences::from_lists(lists.iter().map(|list| &list[..]));
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
