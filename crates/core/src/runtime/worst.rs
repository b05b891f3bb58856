//! How far a runtime places vertices from where the specification does.

use std::cmp::Reverse;

use crate::compare::Moved;
use crate::measure::key_moments;
use crate::model::{Aabb, Cancelled, ClipId, MeshId, Model, Report, spread};
use crate::pose::{PoseSpec, sample, skin_positions, skin_some_positions};

/// The most clips, and intervals between keys per clip, that are compared.
const MAX_CLIPS: usize = 16;
const MAX_INTERVALS: usize = 24;
/// The parts of an interval at which poses are compared. Both kinds of interpolation of rotations agree in the middle
/// of an interval, and differ most near these parts.
const PARTS: [f64; 3] = [0.0, 0.2, 0.5];
/// Smaller deviations, relative to the size of the model, are due to rounding.
const ROUNDING_SHARE: f32 = 1e-6;
/// The most vertices per mesh that decide which moments are compared in full.
const MAX_SAMPLED_VERTICES: usize = 2000;
/// About a second of work.
const MAX_SKINNED: usize = 30_000_000;
/// Moments that are compared in full, however many vertices there are.
const MIN_MOMENTS: usize = 3;

/// The distances of all vertices between a model and the same model as a runtime plays it.
#[derive(Clone, Debug, Default)]
pub struct Deviations {
    /// The largest of each vertex, in file units. The vertices of all meshes follow one another.
    pub of_vertices: Vec<f32>,
    /// The largest of all; `None` if no vertex deviates.
    pub worst: Option<Moved>,
}

/// Compares a model with a played one: the default pose, and moments at keys and between them. For large models, only
/// the moments at which a sample of their vertices deviates most.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn deviations(model: &Model, played: &Model, report: &Report) -> Result<Deviations, Cancelled> {
    let mut deviations = Deviations { of_vertices: vec![0.0; model.num_vertices()], worst: None };
    let comparer = Comparer { model, played };
    let moments = moments(model);
    let num_full = (MAX_SKINNED / model.num_vertices().max(1)).max(MIN_MOMENTS);
    let mut chosen = moments;
    if chosen.len() > num_full {
        let mut ranked = Vec::with_capacity(chosen.len());
        for (at, moment) in chosen.iter().enumerate() {
            report.progress("comparing poses", at as f32 / chosen.len() as f32)?;
            let most = comparer.at(*moment, MAX_SAMPLED_VERTICES, |_, _| ());
            ranked.push((most.distance, *moment));
        }
        ranked.sort_by_key(|(distance, _)| Reverse(distance.to_bits()));
        ranked.truncate(num_full);
        chosen = ranked.into_iter().map(|(_, moment)| moment).collect();
    }
    let mut size = 0.0f32;
    for (at, moment) in chosen.iter().enumerate() {
        report.progress("comparing vertices", at as f32 / chosen.len() as f32)?;
        let of_vertices = &mut deviations.of_vertices;
        let most = comparer.at(*moment, usize::MAX, |vertex, distance| {
            if let Some(own) = of_vertices.get_mut(vertex) {
                *own = own.max(distance);
            }
        });
        size = size.max(most.size);
        if most.distance > deviations.worst.map_or(0.0, |worst| worst.distance) {
            let Most { distance, mesh, vertex, .. } = most;
            deviations.worst = Some(Moved { distance, share: 0.0, mesh, vertex, moment: *moment });
        }
    }
    let share = |worst: &Moved| if size > 0.0 { worst.distance / size } else { 0.0 };
    deviations.worst = deviations
        .worst
        .map(|worst| Moved { share: share(&worst), ..worst })
        .filter(|worst| worst.share > ROUNDING_SHARE);
    if deviations.worst.is_none() {
        deviations.of_vertices.fill(0.0);
    }
    Ok(deviations)
}

/// The default pose, and moments of all clips.
fn moments(model: &Model) -> Vec<Option<(ClipId, f64)>> {
    let mut moments = vec![None];
    for number in spread(model.clips.len(), MAX_CLIPS) {
        let Some(clip) = model.clips.get(number) else { continue };
        let keys: Vec<f64> = key_moments(clip, clip).into_iter().map(|(secs, _)| secs).collect();
        for at in spread(keys.len(), MAX_INTERVALS) {
            let (key, next) = (keys[at], keys.get(at + 1));
            let parts = &PARTS[..if next.is_some() { PARTS.len() } else { 1 }];
            let span = next.map_or(0.0, |next| next - key);
            moments.extend(parts.iter().map(|part| {
                let secs = clip.start_secs + key + span * part;
                Some((ClipId::from_index(number), secs))
            }));
        }
    }
    moments
}

/// The largest distance at one moment.
struct Most {
    distance: f32,
    mesh: MeshId,
    vertex: u32,
    /// The size of the model.
    size: f32,
}

struct Comparer<'a> {
    model: &'a Model,
    played: &'a Model,
}

impl Comparer<'_> {
    /// Compares up to `max_vertices` of each mesh, and visits the number of each over all meshes with its distance.
    fn at(
        &self,
        moment: Option<(ClipId, f64)>,
        max_vertices: usize,
        mut visit: impl FnMut(usize, f32),
    ) -> Most {
        let spec =
            moment.map_or_else(PoseSpec::default, |(clip, secs)| PoseSpec::linear(clip, secs));
        let poses = [sample(self.model, &spec), sample(self.played, &spec)];
        let mut most = Most { distance: 0.0, mesh: MeshId(0), vertex: 0, size: 0.0 };
        let mut bounds = Aabb::EMPTY;
        let mut first = 0;
        for (number, pair) in self.model.meshes.iter().zip(&self.played.meshes).enumerate() {
            let mesh = MeshId::from_index(number);
            let vertices: Vec<u32> = spread(pair.0.num_vertices(), max_vertices)
                .filter_map(|vertex| u32::try_from(vertex).ok())
                .collect();
            let is_full = vertices.len() == pair.0.num_vertices();
            let [own, other] = [(pair.0, &poses[0]), (pair.1, &poses[1])].map(|(own, pose)| {
                let pose = pose.of_mesh(mesh, own);
                if is_full {
                    skin_positions(own, &pose)
                } else {
                    skin_some_positions(own, &pose, &vertices)
                }
            });
            for ((a, b), vertex) in own.iter().zip(&other).zip(vertices) {
                bounds = bounds.union(Aabb { min: *a, max: *a });
                let distance = a.distance(*b);
                visit(first + vertex as usize, distance);
                if distance > most.distance {
                    most = Most { distance, mesh, vertex, ..most };
                }
            }
            first += pair.0.num_vertices();
        }
        Most { size: bounds.extent(), ..most }
    }
}
