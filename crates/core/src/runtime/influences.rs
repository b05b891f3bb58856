//! Influences that a runtime reads, and its normalization of weights.

use std::collections::HashMap;

use glam::{Mat4, Vec3};

use super::playback_difference::PlaybackDifference;
use super::{Center, Influencing, Rules, Weights};
use crate::model::{
    Bone, BoneId, BoneKind, Influences, InverseBindSkin, Model, NodeTransform, Place, Skin, as_u32,
    counted, influence_row, numbers,
};

/// Sums that differ by less from 1 are not reported.
const SUM_TOLERANCE: f32 = 1e-3;
/// Numbers that differ by less from an integer are that integer in single precision.
const INTEGER_TOLERANCE: f64 = 0.01;
/// Influences of a set.
const SET: usize = 4;
/// Sums that differ by less from 1 are rounded.
const ROUNDING: f32 = 1e-6;

/// Drops influences, and normalizes weights.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    let keeps_all = rules.influences == Influencing::All
        && rules.weights == Weights::Specified
        && !rules.replaces_repeated_joints
        && !rules.uses_negative_weights
        && !rules.applies_node_scale;
    if keeps_all {
        return;
    }
    // A bone that moves everything to the origin takes the missing weight of vertices whose weights aren't normalized.
    let world = BoneId::from_index(model.skeleton.len());
    let mut is_used = false;
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let num_vertices = mesh.num_vertices();
        let node = mesh.stored.as_ref().and_then(|stored| stored.node);
        let node = node.filter(|node| model.skeleton.bones().contains_id(*node));
        let origin = match rules.weights {
            Weights::Raw(Center::Node) | Weights::NormalizedFloats(Center::Node) => {
                node.unwrap_or(world)
            }
            _ => world,
        };
        let max_integer = mesh.stored.as_ref().and_then(|stored| stored.max_integer_weight);
        if let Skin::InverseBind(skin) = &mut mesh.skin {
            let source = Source { mesh: number, num_vertices, max_integer, origin };
            is_used |= of_skin(skin, &source, rules, differences) && origin == world;
            if let Some(node) = node.filter(|_| rules.applies_node_scale) {
                skin.node_transform = NodeTransform::RigidInverse(node);
                differences.push(PlaybackDifference {
                    kind: "node-scale-applied",
                    text: "the scale of a skinned mesh's node is applied".to_owned(),
                    place: Place::Mesh(number),
                    count: 1,
                });
            }
        }
    }
    if is_used {
        let kind = BoneKind::Helper;
        model.skeleton.push_root(Bone { name: "origin".to_owned(), kind, ..Bone::default() });
    }
}

/// The mesh of a skin.
struct Source {
    mesh: u32,
    num_vertices: usize,
    /// The integer that stands for a weight of 1; `None` for floats.
    max_integer: Option<u16>,
    /// The bone that moves vertices without weights.
    origin: BoneId,
}

/// Returns whether the bone `origin` moves vertices.
fn of_skin(
    skin: &mut InverseBindSkin,
    source: &Source,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) -> bool {
    let Source { mesh, num_vertices, max_integer, origin } = *source;
    if rules.uses_negative_weights {
        restore_negative(skin, mesh, differences);
    }
    if !matches!(skin.influences, Influences::Rows { .. }) {
        return false;
    }
    let origin_slot = as_u32(skin.bones.len());
    let has_sets = skin.in_first_set.len() == num_vertices;
    let first_slots: HashMap<usize, u32> =
        skin.unweighted_slots.iter().map(|(vertex, slot)| (*vertex as usize, *slot)).collect();
    let mut dropped = Tally::default();
    let mut clamped = Tally::default();
    let mut raw = Tally::default();
    let mut repeated = Tally::default();
    let mut rounded = Tally::default();
    let mut is_origin_used = false;
    let mut following = Tally::default();
    let mut vanished = Tally::default();
    let mut most_lost = 0.0f32;
    skin.influences.map_rows(|vertex, list| {
        let follows = matches!(rules.weights, Weights::Raw(_) | Weights::RoundedToJoint(_));
        if follows && !has_sets && first_slots.contains_key(&vertex) {
            // The reader may have bound it to a joint or a node.
            list.clear();
        }
        let all = influence_row::sum(list);
        match rules.influences {
            Influencing::All => {}
            Influencing::FirstSet | Influencing::FirstSetOrHeaviest if has_sets => {
                list.truncate(usize::from(skin.in_first_set[vertex]));
            }
            Influencing::FirstSet => {}
            Influencing::FirstSetOrHeaviest if list.len() > SET => {
                influence_row::keep_heaviest(list, SET);
            }
            Influencing::FirstSetOrHeaviest => {}
            Influencing::First(most) => list.truncate(most),
            Influencing::Heaviest(most) => {
                if list.len() > most {
                    influence_row::keep_heaviest(list, most);
                }
            }
        }
        let sum = influence_row::sum(list);
        if all - sum > SUM_TOLERANCE * all.abs() {
            dropped.add(vertex);
            most_lost = most_lost.max((all - sum) / all);
        }
        if rules.weights == Weights::ClampedToJoint {
            let is_outside = |(_, weight): &(u32, f32)| !(0.0..=1.0).contains(weight);
            if list.iter().any(is_outside) {
                clamped.add(vertex);
            }
            list.iter_mut().for_each(|(_, weight)| *weight = weight.clamp(0.0, 1.0));
        }
        if rules.replaces_repeated_joints {
            repeated.add_if(vertex, keep_last_entries(list));
        }
        let sum = match rules.weights {
            Weights::RoundedToJoint(_) => list.iter().map(|(_, weight)| weight.abs()).sum(),
            _ => influence_row::sum(list),
        };
        let is_empty = list.iter().all(|(_, weight)| *weight == 0.0);
        let is_integer = max_integer.is_some();
        let mut is_raw = false;
        match rules.weights {
            Weights::Specified => {}
            Weights::Raw(_) => is_raw = true,
            Weights::NormalizedFloats(_) if is_integer => is_raw = true,
            Weights::Normalized | Weights::NormalizedFloats(_) if is_empty => {
                *list = vec![(0, f32::NAN)];
                vanished.add(vertex);
            }
            _ if is_empty => {
                *list = vec![(first_slots.get(&vertex).copied().unwrap_or_default(), 1.0)];
                following.add(vertex);
            }
            Weights::RoundedToJoint(_) => rounded.add_if(vertex, divide_by_sum(list, max_integer)),
            _ if (sum - 1.0).abs() > ROUNDING => {
                influence_row::normalize(list);
            }
            _ => {}
        }
        if is_raw && (all - 1.0).abs() > SUM_TOLERANCE {
            raw.add(vertex);
        }
        if is_raw || matches!(rules.weights, Weights::RoundedToJoint(_)) {
            let missing = 1.0 - influence_row::sum(list);
            if missing.abs() > ROUNDING {
                list.push((origin_slot, missing));
                is_origin_used = true;
            }
        }
    });
    skin.in_first_set = Vec::new();
    if is_origin_used {
        skin.bones.push(origin);
        skin.bone_from_mesh.push(Mat4::from_scale(Vec3::ZERO));
    }
    let vertices = |tally: &Tally| counted(tally.count, "vertex");
    dropped.report(mesh, differences, "influences-dropped", |tally| {
        let which = match rules.influences {
            Influencing::Heaviest(most) => format!("all but the {most} heaviest influences"),
            Influencing::FirstSetOrHeaviest if !has_sets => {
                format!("all but the {SET} heaviest influences")
            }
            Influencing::First(most) => format!("all but the first {most} influences"),
            _ => "influences outside JOINTS_0".to_owned(),
        };
        let share = numbers::up_to_percent(f64::from(most_lost));
        format!("{which} of {} are ignored, {share} of the weight", vertices(tally))
    });
    following.report(mesh, differences, "unweighted-follow-joint", |tally| {
        format!("{} without weights follow the first joint in their list", vertices(tally))
    });
    vanished.report(mesh, differences, "unweighted-vanish", |tally| {
        format!("{} without weights disappear", vertices(tally))
    });
    repeated.report(mesh, differences, "repeated-joints-replaced", |tally| {
        format!("only the last entry of a joint in {} counts", vertices(tally))
    });
    rounded.report(mesh, differences, "weights-rounded", |tally| {
        format!("integer weights of {} are rounded again after normalization", vertices(tally))
    });
    clamped.report(mesh, differences, "weights-clamped", |tally| {
        format!("weights of {} are clamped to the range from 0 to 1", vertices(tally))
    });
    raw.report(mesh, differences, "weights-not-normalized", |tally| {
        format!(
            "{} with weights that don't sum to 1 are moved towards the origin or away from it",
            vertices(tally)
        )
    });
    is_origin_used
}

/// Restores the negative weights that `model::check` has set to 0.
fn restore_negative(
    skin: &mut InverseBindSkin,
    mesh: u32,
    differences: &mut Vec<PlaybackDifference>,
) {
    let negative = skin.negative.take().map(|own| own.list).unwrap_or_default();
    let mut tally = Tally::default();
    let (first, weights) = match &mut skin.influences {
        Influences::Rows { first, weights, .. } => (first, weights),
        Influences::InVertices => return,
    };
    for own in &negative {
        let start = first.get(own.vertex as usize).copied().unwrap_or(u32::MAX);
        let slot = weights.get_mut(start.saturating_add(own.entry) as usize);
        if let Some(weight) = slot.filter(|weight| **weight == 0.0) {
            *weight = own.weight;
            tally.add(own.vertex as usize);
        }
    }
    tally.report(mesh, differences, "negative-weights-used", |tally| {
        format!("negative weights of {} are used", counted(tally.count, "vertex"))
    });
}

/// Divides weights by the sum of their magnitudes in double precision. Weights that were integers, up to `max`, are
/// rounded to integers again (three.js 0.187.0, objects/SkinnedMesh.js: normalizeSkinWeights;
/// core/BufferAttribute.js: setXYZW; math/MathUtils.js: normalize). Returns whether that changes any.
fn divide_by_sum(list: &mut [(u32, f32)], max: Option<u16>) -> bool {
    let max = max.map(f64::from);
    let stored = |weight: f32| match max {
        Some(max) => {
            let nearest = (f64::from(weight) * max).round();
            // The weights of an edited model may be others.
            let is_integer = (f64::from(weight) * max - nearest).abs() < INTEGER_TOLERANCE;
            if is_integer { nearest / max } else { f64::from(weight) }
        }
        None => f64::from(weight),
    };
    let sum: f64 = list.iter().map(|(_, weight)| stored(*weight).abs()).sum();
    if sum == 0.0 {
        return false;
    }
    let scale = 1.0 / sum;
    let mut is_rounded = false;
    for (_, weight) in list {
        let scaled = stored(*weight) * scale;
        let rounded = max.map_or(scaled, |max| (scaled * max + 0.5).floor() / max);
        #[expect(clippy::cast_possible_truncation, reason = "weights are of single precision")]
        let own = rounded as f32;
        *weight = own;
        is_rounded |= (rounded - scaled).abs() > f64::from(ROUNDING);
    }
    is_rounded
}

/// Drops all but the last entry of each slot; returns whether there were any.
fn keep_last_entries(list: &mut Vec<(u32, f32)>) -> bool {
    let num = list.len();
    let all = std::mem::take(list);
    for (at, entry) in all.iter().enumerate() {
        if !all[at + 1..].iter().any(|later| later.0 == entry.0) {
            list.push(*entry);
        }
    }
    list.len() < num
}

/// The first of some vertices, and their number.
#[derive(Default)]
struct Tally {
    first: Option<usize>,
    count: u64,
}

impl Tally {
    fn add(&mut self, vertex: usize) {
        self.first.get_or_insert(vertex);
        self.count += 1;
    }

    fn add_if(&mut self, vertex: usize, is_one: bool) {
        if is_one {
            self.add(vertex);
        }
    }

    fn report(
        &self,
        mesh: u32,
        differences: &mut Vec<PlaybackDifference>,
        kind: &'static str,
        text: impl Fn(&Self) -> String,
    ) {
        let Some(first) = self.first else { return };
        let vertex = as_u32(first);
        let place = Place::Vertex { mesh, vertex };
        differences.push(PlaybackDifference { kind, text: text(self), place, count: self.count });
    }
}
