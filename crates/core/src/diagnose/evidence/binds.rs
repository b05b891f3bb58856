//! How far the rest pose is from the bind pose.

use glam::{Affine3A, Mat4, Vec3, Vec4};

use super::{Evidence, Items, Kind, by_sample};
use crate::diagnose::specimen::{MeshSample, Shared, Specimen, size_of, skin_of};
use crate::model::{ClipId, Model, numbers, spread};
use crate::pose::{Moment, Pose, PoseSpec, sample};

pub(super) const ALL: &[&Evidence] = &[&REST_TO_BIND, &LAST_ROWS];

/// Mean distance of vertices between both poses, as a fraction of the mesh's size. A transform of the whole
/// mesh doesn't count.
pub(crate) const REST_TO_BIND: Evidence = Evidence {
    name: "rest-to-bind",
    meaning: "the mean distance of vertices between the rest pose and the bind pose",
    unit: "fraction",
    kind: Kind::Stored,
    items: Items::Meshes,
    noise: 2e-3,
    weight: 1.0,
    measure: |case, model| measure(case, model),
    text: |value| format!("{} of the mesh's size", numbers::percent(value)),
};

/// The most skinning matrices to try as the transform of the whole mesh.
const MAX_CANDIDATES: usize = 12;
/// The most clips whose first pose is tried as the bind pose, in case the rest pose isn't.
const MAX_CLIPS: usize = 6;

fn measure(case: &Specimen, model: &Model) -> Vec<f64> {
    if !case.has_bones {
        return Vec::new();
    }
    let poses = poses(model);
    // Meshes with the same skin are stored in the same space, so that one transform must fit all of them. A mesh that
    // follows a single bone fits by itself in any case.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (item, part) in case.samples.iter().enumerate() {
        let is_same = |group: &&mut Vec<usize>| {
            let first = group.first().and_then(|first| case.samples.get(*first));
            first.is_some_and(|first| case.share(first.mesh, part.mesh, Shared::Skin))
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    let mut values = vec![f64::NAN; case.samples.len()];
    for group in groups {
        let parts: Vec<&MeshSample> =
            group.iter().filter_map(|item| case.samples.get(*item)).collect();
        let all = poses.iter().filter_map(|pose| distance(model, &parts, pose));
        let least = all.reduce(f64::min).unwrap_or(f64::NAN);
        for item in group {
            if let Some(value) = values.get_mut(item) {
                *value = least;
            }
        }
    }
    values
}

/// Share of inverse bind matrices whose last row isn't 0 0 0 1; one item per mesh. It is where the translation of a
/// transposed matrix ends up.
pub(crate) const LAST_ROWS: Evidence = Evidence {
    name: "bind-last-rows",
    meaning: "the share of inverse bind matrices whose last row isn't 0 0 0 1",
    unit: "fraction",
    kind: Kind::Stored,
    items: Items::Meshes,
    noise: 1e-3,
    weight: 0.5,
    measure: |case, model| {
        const ROUNDING: f32 = 1e-4;
        let of_mesh = |part: &MeshSample| {
            let skin = skin_of(&model.meshes[part.mesh])?;
            let is_off = |matrix: &&Mat4| !matrix.row(3).abs_diff_eq(Vec4::W, ROUNDING);
            let num = skin.bone_from_mesh.iter().filter(is_off).count();
            Some(num as f64 / skin.bone_from_mesh.len().max(1) as f64)
        };
        by_sample(case, of_mesh)
    },
    text: |value| numbers::percent(value),
};

fn poses(model: &Model) -> Vec<Pose> {
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let first = spread(model.clips.len(), MAX_CLIPS)
        .map(ClipId::from_index)
        .map(|id| PoseSpec::linear(id, model.clips[id].start_secs));
    std::iter::once(rest).chain(first).map(|spec| sample(model, &spec)).collect()
}

/// The mean distance between the skinned vertices of some meshes and the same vertices moved as a whole, by the
/// skinning matrix that fits best.
fn distance(model: &Model, parts: &[&MeshSample], pose: &Pose) -> Option<f64> {
    let mut held: Vec<(Vec3, Affine3A, f32)> = Vec::new();
    // All positions of a large mesh would take longer than everything else.
    let mut sampled: Vec<Vec3> = Vec::new();
    for part in parts {
        let mesh = &model.meshes[part.mesh];
        let skin = skin_of(mesh)?;
        if skin.bone_from_mesh.len() != skin.bones.len() {
            return None;
        }
        let palette = pose.of_mesh(part.mesh, mesh).palette;
        let positions = &mesh.streams()?.positions;
        for &vertex in &part.vertices {
            let Some(&position) = positions.get(vertex as usize) else { continue };
            sampled.push(position);
            mesh.for_each_slot(skin, vertex as usize, |slot, weight| {
                if let Some(&matrix) = palette.get(slot as usize) {
                    held.push((position, matrix, weight));
                }
            });
        }
    }
    let size = size_of(&sampled);
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
