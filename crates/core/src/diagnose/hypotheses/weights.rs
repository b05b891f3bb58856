//! Faults of influences.

use std::collections::HashMap;

use crate::diagnose::cause::causes;
use crate::diagnose::evidence::shape::with_shape;
use crate::diagnose::evidence::{Evidence, from_reference, reach, weights};
use crate::diagnose::reference::MeshMatch;
use crate::diagnose::specimen::{Shared, Specimen, skin_of, unweighted};
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{
    BoneId, IdVec, Influences, InverseBindSkin, Mesh, MeshId, Model, OutsideInfluence,
    influence_row,
};

causes! {
    JOINT_INDICES_SHIFTED: "joint-indices-shifted",
        "the vertices refer to the wrong bones: their joint indices are off by one",
        "count the bones of a skin from 0, without a root bone that isn't in its list",
        &["bone-out-of-range", "weights-not-normalized", "vertex-without-weights"];
    JOINT_INDICES_PERMUTED: "joint-indices-permuted",
        "the vertices refer to the wrong bones: their joint indices assume a different bone order",
        "write joint indices as positions in the bone list of the skin",
        &[];
    JOINTS_OF_OTHER_SKIN: "joints-of-another-skin",
        "the vertices refer to the wrong bones: their joint indices belong to another bone list",
        "write the joint indices of each mesh as positions in the bone list of the mesh's skin",
        &["bone-out-of-range", "weights-not-normalized", "vertex-without-weights"];
    WEIGHTS_TRUNCATED: "weights-truncated",
        "the influences per vertex were reduced without normalizing the remaining weights",
        "after removing the smallest weights, divide the remaining ones by their sum",
        &["weights-not-normalized"];
    WEIGHTS_NOT_NORMALIZED: "weights-not-normalized",
        "the weights of the vertices don't sum to 1",
        "divide the weights of each vertex by their sum (Blender: Weights > Normalize All)",
        &["weights-not-normalized"];
    WEIGHTS_LOST: "influences-lost",
        "all influences of some bones are missing",
        "export all deforming bones, and check that the vertex groups have the names of the bones",
        &["vertex-without-weights", "weights-not-normalized"];
    WEIGHTS_REDUCED: "influences-reduced",
        "the influences per vertex were reduced",
        "export as many influences per vertex as the rig uses (Blender's glTF exporter: Bone Influences)",
        &[];
    WEIGHTS_QUANTIZED: "weights-quantized",
        "the weights were rounded too coarsely",
        "store weights with at least 8 bits",
        &[];
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: JOINT_INDICES_SHIFTED,
        evidence: with_shape![&reach::REACH, &weights::OUTSIDE, &from_reference::WEIGHTS],
        trials: shifted,
    },
    Hypothesis {
        cause: JOINTS_OF_OTHER_SKIN,
        evidence: with_shape![&reach::REACH, &from_reference::WEIGHTS],
        trials: other_skins,
    },
    Hypothesis {
        cause: JOINT_INDICES_PERMUTED,
        evidence: &[&from_reference::WEIGHTS],
        trials: permuted,
    },
    Hypothesis {
        cause: WEIGHTS_TRUNCATED,
        evidence: &[&weights::WEIGHT_SUMS, &from_reference::WEIGHTS],
        trials: |case, evidence, items| {
            if evidence.is_from_reference() {
                return [1, 2, 3, 4]
                    .into_iter()
                    .filter_map(|num| truncated(case, items, num))
                    .collect();
            }
            let mut meshes = without_lost(case, items);
            meshes.retain(|mesh| is_truncated(case, *mesh));
            if meshes.is_empty() { Vec::new() } else { vec![normalized("", meshes)] }
        },
    },
    Hypothesis {
        cause: WEIGHTS_NOT_NORMALIZED,
        evidence: &[&weights::WEIGHT_SUMS],
        trials: |case, _, items| {
            let meshes = without_lost(case, items);
            if meshes.is_empty() { Vec::new() } else { vec![normalized("", meshes)] }
        },
    },
    Hypothesis { cause: WEIGHTS_LOST, evidence: &[&from_reference::WEIGHTS], trials: lost },
    Hypothesis {
        cause: WEIGHTS_REDUCED,
        evidence: &[&from_reference::WEIGHTS],
        trials: |case, _, items| {
            let counts = [1, 2, 3, 4];
            let of = |num: usize| {
                from_reference(
                    case,
                    items,
                    &format!("to {}", crate::model::counted(num as u64, "influence")),
                    move |list| {
                        influence_row::keep_heaviest(list, num);
                        influence_row::normalize(list);
                    },
                )
            };
            counts.into_iter().filter_map(of).collect()
        },
    },
    Hypothesis {
        cause: WEIGHTS_QUANTIZED,
        evidence: &[&from_reference::WEIGHTS],
        trials: |case, _, items| {
            let steps = [2, 3, 4, 5, 7, 8, 10, 15, 16];
            let of = |steps: u8| {
                from_reference(case, items, &format!("to multiples of 1/{steps}"), move |list| {
                    let steps = f32::from(steps);
                    list.iter_mut()
                        .for_each(|(_, weight)| *weight = (*weight * steps).round() / steps);
                    list.retain(|(_, weight)| *weight > 0.0);
                    influence_row::normalize(list);
                })
            };
            steps.into_iter().filter_map(of).collect()
        },
    },
];

/// Shifts joint indices by one: in all meshes, or in all with the bones of the suspicious ones. An exporter that makes
/// this mistake makes it in every mesh of a skin, even if it shows only in some. A single mesh of several may well be
/// nearer to the neighbours of its bones, and be right.
fn shifted(case: &Specimen, evidence: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    let some = case.affected(items, Shared::Influences);
    let mut scopes = vec![case.all_meshes(), case.with_users(&some, Shared::Bones)];
    scopes.dedup();
    let of = |(meshes, (shift, name)): (&Vec<MeshId>, (i64, &str))| {
        let meshes = meshes.clone();
        let trial = Trial::new(name, move |model| {
            for &mesh in &meshes {
                if let Some(skin) = model.meshes[mesh].inverse_bind_mut() {
                    shift_slots(skin, shift);
                }
            }
        });
        // Influences of missing bones vanish with any change that moves them into range, so that other evidence must
        // improve too.
        let needs_support = evidence.name == weights::OUTSIDE.name;
        Trial { needs_support, ..trial }
    };
    let shifts = [(-1, "one too high"), (1, "one too low")];
    let pairs = shifts.iter().flat_map(|shift| scopes.iter().map(|scope| (scope, *shift)));
    pairs.map(of).collect()
}

/// Adds `shift` to all slots, including those that the reader removed because they are out of range.
fn shift_slots(skin: &mut InverseBindSkin, shift: i64) {
    let num = i64::try_from(skin.bones.len()).unwrap_or(i64::MAX);
    if skin.outside.is_empty() {
        if let Influences::Rows { slots, .. } = &mut skin.influences {
            for slot in slots {
                // In this case an exporter has taken the remainder.
                let wrapped = (i64::from(*slot) + shift).rem_euclid(num.max(1));
                *slot = u32::try_from(wrapped).unwrap_or(*slot);
            }
        }
        return;
    }
    let Influences::Rows { first, .. } = &skin.influences else { return };
    let num_vertices = first.len().saturating_sub(1);
    let mut outside = Vec::new();
    skin.influences = Influences::from_lists((0..num_vertices).map(|vertex| {
        let mut row = skin.stored_row(vertex);
        for (entry, (slot, weight)) in (0..).zip(&mut row) {
            let meant = i64::from(*slot) + shift;
            if *weight == 0.0 {
                continue;
            }
            if (0..num).contains(&meant) {
                *slot = u32::try_from(meant).unwrap_or(*slot);
            } else {
                let vertex = u32::try_from(vertex).unwrap_or(u32::MAX);
                outside.push(OutsideInfluence { vertex, entry, slot: *slot, weight: *weight });
                (*slot, *weight) = (0, 0.0);
            }
        }
        row
    }));
    skin.outside = outside;
}

/// Restores the weights of the reference, if the file has the `num` largest of them unchanged.
fn truncated(case: &Specimen, items: &[usize], num: usize) -> Option<Trial> {
    let detail = format!("to {}", crate::model::counted(num as u64, "influence"));
    from_reference(case, items, &detail, |list| influence_row::keep_heaviest(list, num))
}

/// Restores the weights of the reference, if the file has all of them except those of some bones.
pub(super) fn lost(case: &Specimen, _: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let mut used: Vec<Option<BoneId>> = Vec::new();
    let mut meant: Vec<Option<BoneId>> = Vec::new();
    for &item in items {
        let (Some(part), Some(Some(matched))) =
            (case.samples.get(item), reference.meshes.get(item))
        else {
            continue;
        };
        let meshes = (case.model.meshes.get(part.mesh), reference.model.meshes.get(matched.mesh));
        let (Some(own), Some(other)) = meshes else { continue };
        let all = |mesh: &Mesh, vertices: &[u32], bone: &dyn Fn(BoneId) -> Option<BoneId>| {
            let lists =
                vertices.iter().flat_map(|vertex| from_reference::weights_of(mesh, *vertex, bone));
            lists.filter(|(_, weight)| *weight > 0.0).map(|(bone, _)| bone).collect::<Vec<_>>()
        };
        used.extend(all(own, &part.vertices, &|bone| reference.bones.get(bone).copied().flatten()));
        meant.extend(all(other, &matched.vertices, &Some));
    }
    meant.retain(|bone| !used.contains(bone));
    meant.sort_unstable_by_key(|bone| bone.map(|bone| bone.0));
    meant.dedup();
    let names: Vec<String> =
        meant.iter().flatten().map(|bone| reference.model.skeleton.display_name(*bone)).collect();
    let detail = match &names[..] {
        [] => return Vec::new(),
        [name] => format!("of {name}"),
        [name, rest @ ..] => {
            format!("of {name} and {}", crate::model::counted(rest.len() as u64, "other bone"))
        }
    };
    // The remaining weights may have been normalized again.
    let without =
        |list: &mut Vec<(Option<BoneId>, f32)>| list.retain(|(bone, _)| !meant.contains(bone));
    let scaled = |list: &mut Vec<(Option<BoneId>, f32)>| {
        without(list);
        influence_row::normalize(list);
    };
    let trials = [
        from_reference(case, items, &detail, without),
        from_reference(case, items, &detail, scaled),
    ];
    trials.into_iter().flatten().collect()
}

/// Replaces the slot of each influence; `change` also gets the number of slots.
fn map_slots(model: &mut Model, mesh: MeshId, change: impl Fn(u32, u32) -> u32) {
    let Some(skin) = model.meshes[mesh].inverse_bind_mut() else {
        return;
    };
    let num = crate::diagnose::specimen::index(skin.bones.len());
    if let Influences::Rows { slots, .. } = &mut skin.influences {
        slots.iter_mut().for_each(|slot| *slot = change(*slot, num).min(num.saturating_sub(1)));
    }
}

/// The meshes of some items, except those with vertices without weights: partial sums next to these are part of the same
/// loss, and normalizing them would hide it.
fn without_lost(case: &Specimen, items: &[usize]) -> Vec<MeshId> {
    let mut meshes = case.affected(items, Shared::Influences);
    meshes.retain(|mesh| unweighted(&case.model, *mesh).is_empty());
    meshes
}

fn normalized(detail: &str, meshes: Vec<MeshId>) -> Trial {
    Trial::new(detail, move |model| {
        for &mesh in &meshes {
            if let Some(skin) = model.meshes.get_mut(mesh).and_then(Mesh::inverse_bind_mut) {
                skin.influences.map_rows(|_, row| influence_row::normalize(row));
            }
        }
    })
}

/// Whether only vertices with the most influences have sums below 1, while other vertices have a sum of 1.
fn is_truncated(case: &Specimen, mesh: MeshId) -> bool {
    let own = &case.model.meshes[mesh];
    let Some(skin) = skin_of(own) else { return false };
    let rows: Vec<(usize, f32)> = (0..own.num_vertices())
        .map(|vertex| {
            let (mut num, mut sum) = (0, 0.0);
            own.for_each_slot(skin, vertex, |_, weight| {
                num += usize::from(weight > 0.0);
                sum += weight;
            });
            (num, sum)
        })
        .collect();
    let most = rows.iter().map(|(num, _)| *num).max().unwrap_or(0);
    let is_off = |sum: f32| sum != 0.0 && (sum - 1.0).abs() > weights::TOLERANCE;
    let off = || rows.iter().filter(|(_, sum)| is_off(*sum));
    // Vertices that always had few influences still have a sum of 1.
    let num_whole = rows.iter().filter(|(_, sum)| *sum > 0.0 && !is_off(*sum)).count();
    off().all(|(num, sum)| *num == most && *sum < 1.0) && num_whole > 0
}

/// Interprets the joint indices with the bone lists of other skins, or as indices of the skeleton's bones.
fn other_skins(case: &Specimen, _: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    const MAX_SKINS: usize = 8;
    let own_meshes = case.affected(items, Shared::Influences);
    let skins =
        case.model.meshes.iter().filter_map(|mesh| Some((mesh.name.clone(), skin_of(mesh)?)));
    let mut lists: Vec<(String, Vec<BoneId>)> = Vec::new();
    for (name, skin) in skins {
        if lists.len() < MAX_SKINS && lists.iter().all(|(_, list)| *list != skin.bones) {
            lists.push((format!("the skin of mesh {name:?}"), skin.bones.clone()));
        }
    }
    let all: Vec<BoneId> = case.model.skeleton.bones().ids().collect();
    lists.push(("all bones of the skeleton".to_owned(), all));
    let trial = |(detail, list): (String, Vec<BoneId>)| {
        let meshes = own_meshes.clone();
        Trial::new(detail, move |model| {
            for &mesh in &meshes {
                let bones = skin_of(&model.meshes[mesh]).map(|skin| skin.bones.clone());
                let Some(bones) = bones else { continue };
                let slot_of: HashMap<BoneId, u32> = bones.iter().copied().zip(0..).collect();
                map_slots(model, mesh, |slot, _| {
                    let meant = list.get(slot as usize).and_then(|bone| slot_of.get(bone));
                    meant.copied().unwrap_or(slot)
                });
            }
        })
    };
    lists.into_iter().map(trial).collect()
}

/// Finds the permutation of slots that gives the weights of the reference.
fn permuted(case: &Specimen, _: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let mut found: Vec<(usize, HashMap<u32, u32>)> = Vec::new();
    for &item in items {
        let (Some(part), Some(Some(matched))) =
            (case.samples.get(item), reference.meshes.get(item))
        else {
            continue;
        };
        let (Some(own), Some(other)) =
            (case.model.meshes.get(part.mesh), reference.model.meshes.get(matched.mesh))
        else {
            continue;
        };
        let Some(skin) = skin_of(own) else { continue };
        let slot_of_reference: HashMap<BoneId, u32> = skin
            .bones
            .iter()
            .zip(0..)
            .filter_map(|(bone, slot)| Some((reference.bones.get(*bone).copied().flatten()?, slot)))
            .collect();
        let mut votes: HashMap<u32, HashMap<u32, f32>> = HashMap::new();
        for (a, b) in part.vertices.iter().zip(&matched.vertices) {
            let theirs = from_reference::weights_of(other, *b, Some);
            own.for_each_slot(skin, *a as usize, |slot, weight| {
                // Influences with the same weight correspond.
                for (bone, other) in &theirs {
                    let meant = bone.and_then(|bone| slot_of_reference.get(&bone));
                    if let Some(meant) = meant.filter(|_| (weight - other).abs() < 0.01) {
                        *votes.entry(slot).or_default().entry(*meant).or_default() += weight;
                    }
                }
            });
        }
        let best = votes.into_iter().filter_map(|(slot, meant)| {
            let best = meant.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
            Some((slot, best.0))
        });
        let map: HashMap<u32, u32> = best.collect();
        let mut targets: Vec<u32> = map.values().copied().collect();
        targets.sort_unstable();
        targets.dedup();
        if targets.len() == map.len() && map.iter().any(|(slot, meant)| slot != meant) {
            found.push((part.mesh.index(), map));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    vec![Trial::new("", move |model| {
        for (mesh, map) in &found {
            map_slots(model, MeshId::from_index(*mesh), |slot, _| {
                map.get(&slot).copied().unwrap_or(slot)
            });
        }
    })]
}

/// Restores the weights of the reference, if applying `reduce` to them gives the weights in the file.
fn from_reference(
    case: &Specimen,
    items: &[usize],
    detail: &str,
    reduce: impl Fn(&mut Vec<(Option<BoneId>, f32)>),
) -> Option<Trial> {
    /// The largest difference of weights that rounding to 8 bits explains.
    const SAME_WEIGHT: f32 = 0.006;
    let reference = case.reference.as_ref()?;
    let mut found = Vec::new();
    for &item in items {
        let (part, matched) = (case.samples.get(item)?, reference.meshes.get(item)?.as_ref()?);
        let own = &case.model.meshes[part.mesh];
        let other = &reference.model.meshes[matched.mesh];
        let is_reduced = |(a, b): (&u32, &u32)| {
            let a = from_reference::weights_of(own, *a, |bone| {
                reference.bones.get(bone).copied().flatten()
            });
            let mut b = from_reference::weights_of(other, *b, Some);
            reduce(&mut b);
            let of = |list: &[(Option<BoneId>, f32)], bone: Option<BoneId>| {
                list.iter().find(|(own, _)| *own == bone).map_or(0.0, |(_, weight)| *weight)
            };
            a.iter().all(|(bone, weight)| (weight - of(&b, *bone)).abs() < SAME_WEIGHT)
                && b.iter().all(|(bone, weight)| (weight - of(&a, *bone)).abs() < SAME_WEIGHT)
        };
        let num =
            part.vertices.iter().zip(&matched.vertices).filter(|pair| is_reduced(*pair)).count();
        if num * 100 < part.vertices.len() * 97 {
            return None;
        }
        found.push((part.mesh, restored(own, other, matched, &reference.bones)?));
    }
    (!found.is_empty()).then(|| replacing(detail, found))
}

/// Replaces the influences of meshes.
pub(super) fn replacing(detail: &str, found: Vec<(MeshId, Influences)>) -> Trial {
    Trial::new(detail, move |model| {
        for (mesh, influences) in &found {
            if let Some(skin) = model.meshes[*mesh].inverse_bind_mut() {
                skin.influences = influences.clone();
            }
        }
    })
}

/// The influences of the matching vertices of the reference, with the slots of the examined mesh; `None` if not all
/// vertices have a match.
pub(in crate::diagnose) fn restored(
    own: &Mesh,
    other: &Mesh,
    matched: &MeshMatch,
    bones: &IdVec<BoneId, Option<BoneId>>,
) -> Option<Influences> {
    let skin = skin_of(own)?;
    let slots: HashMap<BoneId, u32> = skin
        .bones
        .iter()
        .zip(0..)
        .filter_map(|(bone, slot)| Some((bones.get(*bone).copied().flatten()?, slot)))
        .collect();
    let row = |vertex: usize| {
        let of = matched.counterpart(u32::try_from(vertex).ok()?)?;
        let mut list = Vec::new();
        other.for_each_influence(of as usize, |bone, weight| {
            list.extend(slots.get(&bone).map(|slot| (*slot, weight)));
        });
        Some(list)
    };
    let rows: Option<Vec<Vec<(u32, f32)>>> = (0..own.num_vertices()).map(row).collect();
    Some(Influences::from_lists(rows?))
}

/// The influences of each vertex, by bone of the reference.
pub(super) fn rows_of(
    mesh: &Mesh,
    bone: impl Fn(BoneId) -> Option<BoneId> + Copy,
) -> impl Iterator<Item = Vec<(Option<BoneId>, f32)>> {
    let vertices = 0..u32::try_from(mesh.num_vertices()).unwrap_or(u32::MAX);
    vertices.map(move |vertex| from_reference::weights_of(mesh, vertex, bone))
}
