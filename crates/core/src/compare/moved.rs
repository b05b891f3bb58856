//! The largest distance of a vertex between two versions of a model, such as before and after a fix.

use glam::Vec3;

use crate::model::{Aabb, ClipId, MeshId, Model, numbered, numbers, spread};
use crate::pose::{PoseSpec, sample, skin_some_positions};

/// The most vertices per mesh, clips, and moments per clip that are compared.
const MAX_VERTICES: usize = 5000;
const MAX_CLIPS: usize = 16;
const MOMENTS_PER_CLIP: usize = 5;

/// The largest distance between a vertex of one model and the same vertex of another, in the same pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// In file units.
    pub distance: f32,
    /// Relative to the size of the first model in its default pose.
    pub share: f32,
    pub mesh: MeshId,
    pub vertex: u32,
    /// The clip and time; `None` in the rest pose.
    pub moment: Option<(ClipId, f64)>,
}

/// Compares the rest pose and some moments of all clips. `None` if the models have different meshes, vertices or
/// clips, or if no vertex differs.
pub fn moved(before: &Model, after: &Model) -> Option<Moved> {
    let has_same_vertices = before.meshes.len() == after.meshes.len()
        && before
            .meshes
            .iter()
            .zip(&after.meshes)
            .all(|(a, b)| a.num_vertices() == b.num_vertices())
        && before.clips.len() == after.clips.len();
    if !has_same_vertices {
        return None;
    }
    let mut moments = vec![None];
    for clip in spread(after.clips.len(), MAX_CLIPS) {
        let own = &after.clips[clip];
        let id = ClipId::from_index(clip);
        moments.extend((0..MOMENTS_PER_CLIP).map(|part| {
            let share = part as f64 / (MOMENTS_PER_CLIP - 1) as f64;
            Some((id, own.start_secs + own.duration_secs.max(0.0) * share))
        }));
    }
    let mut most: Option<Moved> = None;
    let mut bounds = Aabb::EMPTY;
    for moment in moments {
        let spec =
            moment.map_or_else(PoseSpec::default, |(clip, secs)| PoseSpec::linear(clip, secs));
        let poses = [sample(before, &spec), sample(after, &spec)];
        for (index, (a, b)) in before.meshes.iter().zip(&after.meshes).enumerate() {
            let mesh = MeshId::from_index(index);
            let vertices: Vec<u32> = spread(b.num_vertices(), MAX_VERTICES)
                .filter_map(|vertex| u32::try_from(vertex).ok())
                .collect();
            let [a, b]: [Vec<Vec3>; 2] = [(a, &poses[0]), (b, &poses[1])].map(|(own, pose)| {
                let pose = pose.of_mesh(mesh, own);
                skin_some_positions(own, &pose, &vertices)
            });
            if moment.is_none() {
                bounds = bounds.union(Aabb::from_points(a.iter().copied()));
            }
            for ((a, b), vertex) in a.iter().zip(&b).zip(vertices) {
                let distance = a.distance(*b);
                if distance > most.as_ref().map_or(0.0, |most| most.distance) {
                    most = Some(Moved { distance, share: 0.0, mesh, vertex, moment });
                }
            }
        }
    }
    let size = bounds.extent();
    let share = |most: &Moved| if size > 0.0 { most.distance / size } else { 0.0 };
    most.map(|most| Moved { share: share(&most), ..most })
}

/// A sentence without a full stop: `no vertex moves`, or the distance and place.
#[must_use]
pub fn moved_text(model: &Model, moved: Option<&Moved>) -> String {
    let Some(moved) = moved else { return "no vertex moves".to_owned() };
    let unit = model.axes.display_from_file().matrix3.x_axis.length();
    let distance = numbers::length(moved.distance * unit, model.axes.unit_meters.is_some());
    let share = numbers::percent(moved.share);
    let when = match moved.moment {
        None => "at rest".to_owned(),
        Some((clip, secs)) => {
            let name = model.clips.get(clip.index()).map_or("", |clip| &clip.name);
            format!("at {} of {}", numbers::seconds(secs), numbered("clip", clip.index(), name))
        }
    };
    format!(
        "vertices move by up to {distance} ({share} of the model's size): vertex {} of mesh {} {when}",
        moved.vertex,
        moved.mesh.index()
    )
}
