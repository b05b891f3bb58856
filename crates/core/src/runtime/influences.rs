//! Influences that a runtime reads, and its normalization of weights.

use super::effect::Effect;
use super::{Influencing, Rules, Weights};
use crate::model::{Influences, InverseBindSkin, Model, Place, Skin, counted, numbers};

/// Weights that differ by less from a sum of 1 are normalized.
const SUM_TOLERANCE: f32 = 1e-3;

/// The entries of a vertex: slot and weight.
type List = Vec<(u32, f32)>;

/// Drops influences, and normalizes weights.
pub(super) fn apply(model: &mut Model, rules: &Rules, effects: &mut Vec<Effect>) {
    let keeps_all = rules.influences == Influencing::All && rules.weights == Weights::AsStored;
    if keeps_all {
        return;
    }
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let num_vertices = mesh.num_vertices();
        if let Skin::InverseBind(skin) = &mut mesh.skin {
            of_skin(skin, number, num_vertices, rules, effects);
        }
    }
}

fn of_skin(
    skin: &mut InverseBindSkin,
    mesh: u32,
    num_vertices: usize,
    rules: &Rules,
    effects: &mut Vec<Effect>,
) {
    if !matches!(skin.influences, Influences::Rows { .. }) {
        return;
    }
    let has_sets = skin.in_first_set.len() == num_vertices;
    let mut dropped = Tally::default();
    let mut rescaled = Tally::default();
    let mut following = Tally::default();
    let mut vanished = Tally::default();
    let mut most_lost = 0.0f32;
    let mut lists: Vec<List> = Vec::with_capacity(num_vertices);
    for vertex in 0..num_vertices {
        let mut list = List::new();
        skin.influences.for_each(vertex, |slot, weight| list.push((slot, weight)));
        let all: f32 = list.iter().map(|(_, weight)| weight).sum();
        match rules.influences {
            Influencing::All => {}
            Influencing::FirstSet if has_sets => {
                list.truncate(usize::from(skin.in_first_set[vertex]));
            }
            Influencing::FirstSet => {}
            Influencing::First(most) => list.truncate(most),
            Influencing::Heaviest(most) => {
                if list.len() > most {
                    list.sort_by(|a, b| b.1.total_cmp(&a.1));
                    list.truncate(most);
                }
            }
        }
        let sum: f32 = list.iter().map(|(_, weight)| weight).sum();
        if all - sum > SUM_TOLERANCE * all.abs() {
            dropped.add(vertex);
            most_lost = most_lost.max((all - sum) / all);
        }
        if rules.weights == Weights::ClampedToJoint {
            list.iter_mut().for_each(|(_, weight)| *weight = weight.clamp(0.0, 1.0));
        }
        if list.iter().all(|(_, weight)| *weight == 0.0) {
            match rules.weights {
                Weights::AsStored => {}
                Weights::Normalized => {
                    list = vec![(0, f32::NAN)];
                    vanished.add(vertex);
                }
                Weights::NormalizedToJoint | Weights::ClampedToJoint => {
                    list = vec![(0, 1.0)];
                    following.add(vertex);
                }
            }
        }
        let sum: f32 = list.iter().map(|(_, weight)| weight).sum();
        if rules.weights != Weights::AsStored && sum != 0.0 {
            // Only the file's own sums are reported here; those after dropping influences are a consequence.
            if all != 0.0 && (all - 1.0).abs() > SUM_TOLERANCE {
                rescaled.add(vertex);
            }
            list.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        lists.push(list);
    }
    skin.influences = Influences::from_lists(lists.iter().map(|list| &list[..]));
    skin.in_first_set = Vec::new();
    let vertices = |tally: &Tally| counted(tally.count, "vertex");
    dropped.report(mesh, effects, "influences-dropped", |tally| {
        let which = match rules.influences {
            Influencing::Heaviest(most) => format!("all but the {most} heaviest influences"),
            Influencing::First(most) => format!("all but the first {most} influences"),
            _ => "influences outside JOINTS_0".to_owned(),
        };
        let share = numbers::percent(f64::from(most_lost));
        format!("{which} of {} are ignored, up to {share} of the weight", vertices(tally))
    });
    following.report(mesh, effects, "unweighted-follow-joint", |tally| {
        format!("{} without weights follow the first joint", vertices(tally))
    });
    vanished.report(mesh, effects, "unweighted-vanish", |tally| {
        format!("{} without weights disappear", vertices(tally))
    });
    rescaled.report(mesh, effects, "weights-normalized", |tally| {
        format!("weights of {} that don't sum to 1 are normalized", vertices(tally))
    });
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
        effects: &mut Vec<Effect>,
        kind: &'static str,
        text: impl Fn(&Self) -> String,
    ) {
        let Some(first) = self.first else { return };
        let vertex = u32::try_from(first).unwrap_or(u32::MAX);
        let place = Place::Vertex { mesh, vertex };
        effects.push(Effect { kind, text: text(self), place, count: self.count });
    }
}
