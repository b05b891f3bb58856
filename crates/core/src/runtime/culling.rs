//! Bounds by which a runtime culls meshes outside the view.

use super::playback_difference::PlaybackDifference;
use super::{Culling, Rules};
use crate::model::{Aabb, ClipId, Mesh, MeshId, Model, Place, Skin, numbers, spread};
use crate::pose::{PoseSpec, sample, skin_some_positions};

/// The most vertices per mesh, clips, and moments per clip that are measured.
const MAX_VERTICES: usize = 300;
const MAX_CLIPS: usize = 16;
const MOMENTS_PER_CLIP: usize = 7;
/// Vertices that leave the bounds by less than this part of the size are rarely noticed.
const MIN_SHARE: f32 = 0.25;

/// Reports clips that move skinned meshes far out of the bounds by which they are culled.
pub(super) fn check(model: &Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if rules.culling == Culling::EveryFrame {
        return;
    }
    let still = match rules.culling {
        Culling::Stored => stored_positions(model),
        _ => positions(model, &PoseSpec::default()),
    };
    let bounds: Vec<Aabb> =
        still.iter().map(|own| Aabb::from_points(own.iter().copied())).collect();
    let mut most = (0.0f32, ClipId(0));
    for number in spread(model.clips.len(), MAX_CLIPS) {
        let clip = &model.clips[ClipId::from_index(number)];
        let id = ClipId::from_index(number);
        for part in 0..MOMENTS_PER_CLIP {
            let share = part as f64 / (MOMENTS_PER_CLIP - 1) as f64;
            let secs = clip.start_secs + clip.duration_secs.max(0.0) * share;
            for (own, bounds) in positions(model, &PoseSpec::linear(id, secs)).iter().zip(&bounds) {
                let size = bounds.extent();
                let outside = own.iter().map(|p| p.distance(p.clamp(bounds.min, bounds.max)));
                let share = outside.fold(0.0, f32::max) / size;
                if size > 0.0 && share > most.0 {
                    most = (share, id);
                }
            }
        }
    }
    if most.0 > MIN_SHARE {
        let share = numbers::up_to_percent(f64::from(most.0));
        let which = if rules.culling == Culling::Stored { "stored" } else { "initial" };
        differences.push(PlaybackDifference {
            kind: "culled-too-early",
            text: format!(
                "meshes are culled by their {which} bounds, but clips move them out by {share} of their size, \
                 so that they disappear near the edges of the view"
            ),
            place: Place::Clip(most.1.0),
            count: 1,
        });
    }
}

/// Some vertices of each skinned mesh as stored, transformed by its node.
fn stored_positions(model: &Model) -> Vec<Vec<glam::Vec3>> {
    let pose = sample(model, &PoseSpec::default());
    let of_mesh = |mesh: &Mesh| {
        let node = mesh.stored.as_ref().and_then(|stored| stored.node);
        let Some(node) = node.and_then(|node| pose.model_from_bone.get(node)) else {
            return Vec::new();
        };
        let vertices = spread(mesh.num_vertices(), MAX_VERTICES);
        vertices.filter_map(|at| Some(node.transform_point3(mesh.position(at)?))).collect()
    };
    model.meshes.iter().map(of_mesh).collect()
}

/// Some vertices of each skinned mesh in a pose; none of other meshes.
fn positions(model: &Model, spec: &PoseSpec) -> Vec<Vec<glam::Vec3>> {
    let pose = sample(model, spec);
    let of_mesh = |(number, mesh): (usize, &Mesh)| {
        if !matches!(mesh.skin, Skin::InverseBind(_)) {
            return Vec::new();
        }
        let vertices: Vec<u32> = spread(mesh.num_vertices(), MAX_VERTICES)
            .filter_map(|vertex| u32::try_from(vertex).ok())
            .collect();
        skin_some_positions(mesh, &pose.of_mesh(MeshId::from_index(number), mesh), &vertices)
    };
    model.meshes.iter().enumerate().map(of_mesh).collect()
}
