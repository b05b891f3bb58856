//! How far the rest pose is from the bind pose.

use glam::{Affine3A, Vec3};

use super::Evidence;
use crate::diagnose::case::{Case, MeshSample, size_of, skin_of, streams};
use crate::model::{ClipId, MeshId, Model, numbers, spread};
use crate::pose::{Moment, Pose, PoseSpec, sample};

/// Mean distance of vertices between both poses, as a fraction of the mesh's size. A transform of the whole
/// mesh doesn't count.
pub(crate) const REST_TO_BIND: Evidence = Evidence {
    name: "rest-to-bind",
    meaning: "the mean distance of vertices between the rest pose and the bind pose",
    unit: "fraction",
    noise: 2e-3,
    weight: 1.0,
    suspicious: 0.03,
    measure,
    text: |value| format!("{} of the mesh's size", numbers::percent(value)),
};

/// The most skinning matrices to try as the transform of the whole mesh.
const MAX_CANDIDATES: usize = 12;
/// The most clips whose first pose is tried as the bind pose, in case the rest pose isn't.
const MAX_CLIPS: usize = 6;

fn measure(case: &Case, model: &Model) -> Vec<f64> {
    if !case.has_bones {
        return Vec::new();
    }
    let poses = poses(model);
    let of_mesh = |part: &MeshSample| {
        let all = poses.iter().filter_map(|pose| distance(model, part, pose));
        all.reduce(f64::min).unwrap_or(f64::NAN)
    };
    case.samples.iter().map(of_mesh).collect()
}

fn poses(model: &Model) -> Vec<Pose> {
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let first = spread(model.clips.len(), MAX_CLIPS).filter_map(|at| {
        let clip = model.clips.get(at)?;
        Some(PoseSpec::linear(ClipId::from_index(at), clip.start_secs))
    });
    std::iter::once(rest).chain(first).map(|spec| sample(model, &spec)).collect()
}

/// The mean distance between the skinned vertices of a mesh and the same vertices moved as a whole, by the skinning
/// matrix that fits best.
fn distance(model: &Model, part: &MeshSample, pose: &Pose) -> Option<f64> {
    let mesh = model.meshes.get(part.mesh)?;
    let skin = skin_of(mesh)?;
    if skin.bone_from_mesh.len() != skin.bones.len() {
        return None;
    }
    let id = MeshId::from_index(part.mesh);
    let palette = pose.of_mesh(id, mesh).palette;
    let positions = &streams(mesh)?.positions;
    // All positions of a large mesh would take longer than everything else.
    let sampled = part.vertices.iter().filter_map(|at| positions.get(*at as usize).copied());
    let size = size_of(&sampled.collect::<Vec<_>>());
    let mut held: Vec<(Vec3, Affine3A, f32)> = Vec::new();
    for &vertex in &part.vertices {
        let Some(&position) = positions.get(vertex as usize) else { continue };
        mesh.for_each_slot(skin, vertex as usize, |slot, weight| {
            if let Some(&matrix) = palette.get(slot as usize) {
                held.push((position, matrix, weight));
            }
        });
    }
    let misfit = |common: &Affine3A| {
        let scale = common.matrix3.determinant().abs().cbrt();
        let (mut sum, mut weights) = (0.0, 0.0);
        for (position, matrix, weight) in &held {
            let moved = matrix.transform_point3(*position);
            sum += f64::from(moved.distance(common.transform_point3(*position)) * weight);
            weights += f64::from(*weight);
        }
        sum / (weights * f64::from(size * scale).max(f64::MIN_POSITIVE))
    };
    let candidates = spread(held.len(), MAX_CANDIDATES).filter_map(|at| held.get(at));
    let candidates = candidates.map(|(_, matrix, _)| *matrix).chain([Affine3A::IDENTITY]);
    let usable = candidates.filter(|matrix| matrix.matrix3.determinant().abs() > f32::MIN_POSITIVE);
    let least = usable.map(|matrix| misfit(&matrix)).filter(|value| value.is_finite());
    least.reduce(f64::min).filter(|_| size > 0.0)
}
