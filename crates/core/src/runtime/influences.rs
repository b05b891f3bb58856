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
/// Sums that differ by less from 1 are rounded.
const ROUNDING: f32 = 1e-6;

/// Drops influences, and normalizes weights.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    let keeps_all = rules.influences == Influencing::All
        && rules.weights == Weights::Specified
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
    let mut is_origin_used = false;
    let mut following = Tally::default();
    let mut vanished = Tally::default();
    let mut most_lost = 0.0f32;
    skin.influences.map_rows(|vertex, list| {
        let all = influence_row::sum(list);
        match rules.influences {
            Influencing::All => {}
            Influencing::FirstSet if has_sets => {
                list.truncate(usize::from(skin.in_first_set[vertex]));
            }
            Influencing::FirstSet => {}
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
        let sum = influence_row::sum(list);
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
            _ if (sum - 1.0).abs() > ROUNDING => {
                influence_row::normalize(list);
            }
            _ => {}
        }
        if let (Weights::RoundedToJoint(_), Some(max)) = (rules.weights, max_integer) {
            let max = f32::from(max);
            list.iter_mut().for_each(|(_, weight)| *weight = (*weight * max).round() / max);
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
