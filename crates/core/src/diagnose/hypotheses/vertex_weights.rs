//! Weights that belong to other vertices, and vertices without weights.

use std::collections::{BTreeSet, HashSet};

use glam::Vec3;

use super::weights::{lost, replacing, restored, rows_of};
use crate::diagnose::cause::causes;
use crate::diagnose::evidence::reach::{bone_lines, from_lines};
use crate::diagnose::evidence::shape::with_shape;
use crate::diagnose::evidence::{Evidence, from_reference, reach, weights};
use crate::diagnose::posed::Posed;
use crate::diagnose::specimen::{Shared, Specimen, skin_of, unweighted};
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{BoneId, InverseBindSkin, Mesh, MeshId, Model, counted, spread};

causes! {
    OTHER_VERTICES: "weights-of-other-vertices",
        "the weights belong to other vertices",
        "write the weights in the order of the vertices, and split or merge both in the same way",
        &["weight-island", "stretched-edge", "torn-seam"];
    WITHOUT_WEIGHTS: "vertices-without-weights",
        "no bone moves some of the vertices, because they have no weights",
        "assign the vertices to bones (Blender: Weights > Assign Automatic from Bones), and export all deforming bones",
        &["vertex-without-weights", "weights-not-normalized", "stretched-edge"];
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: WITHOUT_WEIGHTS,
        evidence: &[&weights::UNWEIGHTED, &from_reference::WEIGHTS],
        trials: without_weights,
    },
    Hypothesis {
        cause: OTHER_VERTICES,
        evidence: with_shape![&weights::JUMPS, &reach::REACH, &from_reference::WEIGHTS],
        trials: of_other_vertices,
    },
];

/// The number of vertices for which the distance from their bones is computed with each shift of the weights.
const NUM_PROBES: usize = 200;
/// The number of edges whose weights are compared with each shift near the best.
const NUM_EDGES: usize = 600;
/// Shifts that are about as good may be this far from the best.
const NEAR: usize = 400;
/// Meshes with more vertices would take too long.
const MAX_VERTICES: usize = 400_000;
/// The share of rows that must be rows of the reference.
const MIN_KNOWN: f64 = 0.97;

fn of_other_vertices(case: &Specimen, evidence: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    if evidence.is_from_reference() {
        return of_reference(case, items).into_iter().collect();
    }
    let meshes = case.affected(items, Shared::Influences);
    let mut trials = Vec::new();
    let shifts: Vec<(MeshId, usize)> =
        meshes.iter().filter_map(|mesh| Some((*mesh, best_shift(&case.model, *mesh)?))).collect();
    if !shifts.is_empty() {
        trials.push(Trial::new("moved along the list of vertices", move |model| {
            for &(mesh, shift) in &shifts {
                take_rows(model, mesh, |at, num| (at + shift) % num);
            }
        }));
    }
    let of_all = meshes.clone();
    trials.push(Trial::new("in reverse order", move |model| {
        for &mesh in &of_all {
            take_rows(model, mesh, |at, num| num - 1 - at);
        }
    }));
    trials.extend(swapped(case, &meshes));
    let jumps = (weights::JUMPS.measure)(case, &Posed::new(&case.model));
    let is_jumpy = |item: &usize| weights::JUMPS.is_suspicious(jumps[*item]);
    if items.iter().any(is_jumpy) {
        let estimate = Trial::new("", move |model| {
            for &mesh in &meshes {
                weigh_by_distance(model, mesh, true);
            }
        });
        trials.push(estimate.estimate());
    }
    trials
}

/// Gives each vertex the row that `of` returns for its index and the number of vertices.
fn take_rows(model: &mut Model, mesh: MeshId, of: impl Fn(usize, usize) -> usize) {
    let mesh = &mut model.meshes[mesh];
    let num = mesh.num_vertices();
    if let Some(skin) = mesh.inverse_bind_mut() {
        skin.influences = skin.influences.of_vertices((0..num).map(|at| of(at, num)));
    }
}

/// The shift of the rows with which vertices are nearest to their strongest bones, if that halves the distance.
fn best_shift(model: &Model, mesh: MeshId) -> Option<usize> {
    let mesh = &model.meshes[mesh];
    let skin = skin_of(mesh)?;
    let positions = &mesh.streams()?.positions;
    let num = positions.len();
    if !(8..=MAX_VERTICES).contains(&num) {
        return None;
    }
    let lines = bone_lines(model, skin);
    let strongest: Vec<Option<u32>> =
        (0..num).map(|vertex| strongest(mesh, skin, vertex)).collect();
    let probes: Vec<(usize, Vec<f32>)> = spread(num, NUM_PROBES)
        .map(|vertex| {
            let at = positions[vertex];
            let distance = |lines: &Vec<[Vec3; 2]>| from_lines(lines, at).unwrap_or(0.0);
            (vertex, lines.iter().map(distance).collect())
        })
        .collect();
    let cost = |shift: usize| {
        let of_probe = |(vertex, distances): &(usize, Vec<f32>)| {
            let slot = strongest[(vertex + shift) % num];
            slot.and_then(|slot| distances.get(slot as usize)).copied().unwrap_or(0.0)
        };
        probes.iter().map(of_probe).sum::<f32>()
    };
    let coarse = (1..num).min_by(|a, b| cost(*a).total_cmp(&cost(*b)))?;
    let (own, least) = (cost(0), cost(coarse));
    if least * 2.0 > own {
        return None;
    }
    // Many shifts are about as near; the right one makes neighbours alike.
    let jumps = |shift: usize| {
        let of_edge = |triangle: usize| {
            let [a, b] = [0, 1].map(|corner| mesh.indices.get(triangle * 3 + corner));
            let [a, b] =
                [a?, b?].map(|vertex| skin.influences.row((vertex as usize + shift) % num));
            let (a, b): (Vec<_>, Vec<_>) = (a.collect(), b.collect());
            let of = |slot: u32| b.iter().find(|(own, _)| *own == slot).map_or(0.0, |own| own.1);
            let apart = |(slot, weight): &(u32, f32)| (weight - of(*slot)).abs();
            Some(a.iter().map(apart).sum::<f32>())
        };
        spread(mesh.num_triangles(), NUM_EDGES).filter_map(of_edge).sum::<f32>()
    };
    let near = (0..=NEAR * 2).map(|at| (coarse + num + at).saturating_sub(NEAR) % num);
    let near = near.filter(|shift| *shift != 0 && cost(*shift) <= least * 1.3);
    near.min_by(|a, b| jumps(*a).total_cmp(&jumps(*b)))
}

fn strongest(mesh: &Mesh, skin: &InverseBindSkin, vertex: usize) -> Option<u32> {
    let mut most: Option<(u32, f32)> = None;
    mesh.for_each_slot(skin, vertex, |slot, weight| {
        if most.is_none_or(|(_, own)| weight > own) {
            most = Some((slot, weight));
        }
    });
    most.map(|(slot, _)| slot)
}

/// Exchanges the weights of meshes with the same bones and number of vertices.
fn swapped(case: &Specimen, meshes: &[MeshId]) -> Vec<Trial> {
    const MAX_PAIRS: usize = 16;
    let mut pairs = Vec::new();
    for (at, &a) in meshes.iter().enumerate() {
        for &b in &meshes[at + 1..] {
            let num = |mesh: MeshId| case.model.meshes[mesh].num_vertices();
            if num(a) == num(b) && case.share(a, b, Shared::Bones) && pairs.len() < MAX_PAIRS {
                pairs.push((a, b));
            }
        }
    }
    let trial = |(a, b): (MeshId, MeshId)| {
        let name = |mesh: MeshId| &case.model.meshes[mesh].name;
        let detail = format!("of meshes {:?} and {:?} are exchanged", name(a), name(b));
        Trial::new(detail, move |model| {
            let own = |model: &Model, mesh: MeshId| {
                skin_of(&model.meshes[mesh]).map(|skin| skin.influences.clone())
            };
            let (of_a, of_b) = (own(model, a), own(model, b));
            for (mesh, influences) in [(a, of_b), (b, of_a)] {
                if let (Some(skin), Some(influences)) =
                    (model.meshes[mesh].inverse_bind_mut(), influences)
                {
                    skin.influences = influences;
                }
            }
        })
    };
    pairs.into_iter().map(trial).collect()
}

/// Replaces the weights of vertices with weights, or of those without, by weights of the nearest bones that decrease
/// with the distance.
fn weigh_by_distance(model: &mut Model, mesh: MeshId, are_weighted: bool) {
    const NUM_BONES: usize = 3;
    let own = &model.meshes[mesh];
    let (Some(skin), Some(streams)) = (skin_of(own), own.streams()) else { return };
    let lines = bone_lines(model, skin);
    let used = crate::model::stats::used_slots(own, skin);
    // Parts of machines don't bend.
    let has_several = |vertex: &usize| skin.influences.row(*vertex).count() > 1;
    let num = streams.positions.len();
    let is_rigid = (0..num).filter(has_several).count() * 10 < num;
    let row = |at: &Vec3| {
        let of_slot = |((slot, lines), is_used): ((u32, &Vec<[Vec3; 2]>), &bool)| {
            Some((slot, from_lines(lines, *at)?)).filter(|_| *is_used || !are_weighted)
        };
        let mut near: Vec<(u32, f32)> = (0..).zip(&lines).zip(&used).filter_map(of_slot).collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1));
        near.truncate(if is_rigid { 1 } else { NUM_BONES });
        let least = near.first().map_or(0.0, |near| near.1).max(f32::MIN_POSITIVE);
        near.iter_mut().for_each(|(_, distance)| *distance = (least / distance.max(least)).powi(4));
        crate::model::influence_row::normalize(&mut near);
        near
    };
    let rows: Vec<Vec<(u32, f32)>> = streams.positions.iter().map(row).collect();
    if let Some(skin) = model.meshes[mesh].inverse_bind_mut() {
        skin.influences.map_rows(|vertex, own| {
            if own.iter().any(|(_, weight)| *weight > 0.0) == are_weighted {
                own.clone_from(&rows[vertex]);
            }
        });
    }
}

/// Restores the weights of the reference, if the file has its rows at other vertices.
fn of_reference(case: &Specimen, items: &[usize]) -> Option<Trial> {
    let reference = case.reference.as_ref()?;
    let mut found = Vec::new();
    for &item in items {
        let (part, matched) = (case.samples.get(item)?, reference.meshes.get(item)?.as_ref()?);
        let own = &case.model.meshes[part.mesh];
        let other = &reference.model.meshes[matched.mesh];
        let theirs: HashSet<Vec<(Option<BoneId>, u32)>> =
            rows_of(other, Some).map(rounded).collect();
        let bone = |own: BoneId| reference.bones.get(own).copied().flatten();
        let num = own.num_vertices();
        let is_known = rows_of(own, bone).map(rounded).filter(|row| theirs.contains(row)).count();
        if (is_known as f64) < MIN_KNOWN * num as f64 {
            return None;
        }
        found.push((part.mesh, restored(own, other, matched, &reference.bones)?));
    }
    (!found.is_empty()).then(|| replacing("", found))
}

/// A row of influences that can be compared: sorted by bone, with weights rounded to 7 bits.
fn rounded(row: Vec<(Option<BoneId>, f32)>) -> Vec<(Option<BoneId>, u32)> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
    let of = |weight: f32| (weight.max(0.0) * 127.0).round() as u32;
    let rounded: BTreeSet<(Option<u32>, u32)> = row
        .into_iter()
        .map(|(bone, weight)| (bone.map(|bone| bone.0), of(weight)))
        .filter(|(_, weight)| *weight > 0)
        .collect();
    rounded.into_iter().map(|(bone, weight)| (bone.map(BoneId), weight)).collect()
}

fn without_weights(case: &Specimen, evidence: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    let meshes = case.affected(items, Shared::Influences);
    let mut num = 0;
    for mesh in &meshes {
        num += unweighted(&case.model, *mesh).len();
    }
    if num == 0 {
        return Vec::new();
    }
    let detail = counted(num as u64, "vertex");
    if evidence.is_from_reference() {
        // The loss of all influences of some bones says more.
        if !lost(case, evidence, items).is_empty() {
            return Vec::new();
        }
        let reference = case.reference.as_ref();
        let of_item = |item: &usize| {
            let (reference, part) = (reference?, case.samples.get(*item)?);
            let matched = reference.meshes.get(*item)?.as_ref()?;
            let own = &case.model.meshes[part.mesh];
            let other = &reference.model.meshes[matched.mesh];
            let influences = restored(own, other, matched, &reference.bones)?;
            Some((part.mesh, unweighted(&case.model, part.mesh), influences))
        };
        let all: Vec<_> = items.iter().filter_map(of_item).collect();
        return vec![Trial::new(detail, move |model| {
            for (mesh, vertices, influences) in &all {
                if let Some(skin) = model.meshes[*mesh].inverse_bind_mut() {
                    skin.influences.map_rows(|vertex, row| {
                        if vertices.binary_search(&vertex).is_ok() {
                            *row = influences.row(vertex).collect();
                        }
                    });
                }
            }
        })];
    }
    let trial = Trial::new(detail, move |model| {
        for &mesh in &meshes {
            weigh_by_distance(model, mesh, false);
        }
    });
    vec![trial.estimate()]
}
