//! Bounds by which a runtime culls meshes outside the view.

use glam::{Affine3A, Vec3};

use super::playback_difference::PlaybackDifference;
use super::{Culling, Rules};
use crate::model::{Aabb, ClipId, Mesh, MeshId, Model, Place, Skin, numbers, spread};
use crate::pose::{Pose, PoseSpec, sample, skin_some_positions};

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
    let is_sphere = rules.culling == Culling::SphereAsLoaded;
    let rest = sample(model, &PoseSpec::default());
    let still = match rules.culling {
        Culling::Stored => stored_positions(model),
        _ => positions(model, &rest),
    };
    let bounds: Vec<Bounds> = still.iter().map(|own| Bounds::of(own, is_sphere)).collect();
    let mut most = (0.0f32, ClipId(0));
    for number in spread(model.clips.len(), MAX_CLIPS) {
        let clip = &model.clips[ClipId::from_index(number)];
        let id = ClipId::from_index(number);
        for part in 0..MOMENTS_PER_CLIP {
            let share = part as f64 / (MOMENTS_PER_CLIP - 1) as f64;
            let secs = clip.start_secs + clip.duration_secs.max(0.0) * share;
            let pose = sample(model, &PoseSpec::linear(id, secs));
            let all = positions(model, &pose);
            for ((own, bounds), mesh) in all.iter().zip(&bounds).zip(&model.meshes) {
                let from_now =
                    if is_sphere { moved_back(mesh, &rest, &pose) } else { Affine3A::IDENTITY };
                let outside = own.iter().map(|p| bounds.distance(from_now.transform_point3(*p)));
                let size = bounds.bounds.extent();
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

/// The bounds of a mesh, and the radius of the sphere around their centre if that counts.
struct Bounds {
    bounds: Aabb,
    radius: Option<f32>,
}

impl Bounds {
    fn of(points: &[Vec3], is_sphere: bool) -> Self {
        let bounds = Aabb::from_points(points.iter().copied());
        let center = bounds.center();
        let radius = points.iter().map(|point| point.distance(center)).fold(0.0, f32::max);
        Self { bounds, radius: is_sphere.then_some(radius) }
    }

    /// The distance of a point outside of them.
    fn distance(&self, point: Vec3) -> f32 {
        match self.radius {
            Some(radius) => (point.distance(self.bounds.center()) - radius).max(0.0),
            None => point.distance(point.clamp(self.bounds.min, self.bounds.max)),
        }
    }
}

/// Some vertices of each skinned mesh as stored, transformed by its node.
fn stored_positions(model: &Model) -> Vec<Vec<Vec3>> {
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

/// The transform from where the node of a mesh is in a pose to where it was at rest: bounds follow the node.
fn moved_back(mesh: &Mesh, rest: &Pose, pose: &Pose) -> Affine3A {
    let node = mesh.stored.as_ref().and_then(|stored| stored.node);
    let places = node
        .and_then(|node| Some((rest.model_from_bone.get(node)?, pose.model_from_bone.get(node)?)));
    places.map_or(Affine3A::IDENTITY, |(rest, now)| *rest * now.inverse())
}

/// Some vertices of each skinned mesh in a pose; none of other meshes.
fn positions(model: &Model, pose: &Pose) -> Vec<Vec<Vec3>> {
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
