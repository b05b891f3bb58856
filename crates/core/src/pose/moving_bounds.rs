//! The bounding box of a model in a pose, and over its motion.

use glam::Vec3;
use rayon::prelude::*;

use super::positions::skin_positions;
use super::{BoneAnchors, PoseSpec, bone_shapes, clip_times, extreme_poses, sample};
use crate::model::{Aabb, Cancelled, ClipId, Mesh, MeshId, Model, PartId, Report, as_u32, spread};

/// Evenly chosen moments per clip at which the box is always measured.
const NUM_EVEN: usize = 3;
/// Moments per clip among which those with bones farthest out are measured too.
const NUM_MOMENTS: usize = 64;
/// Vertices per task: enough to make the cost of distributing work negligible.
const CHUNK: usize = 4096;
/// The most clips to measure, so that files with many clips open quickly.
const BOUNDS_CLIPS: usize = 8;

/// The box around the default pose and moments of clips, display space.
///
/// # Errors
/// If `report` asks to stop.
pub fn moving_bounds(model: &Model, report: &Report) -> Result<Aabb, Cancelled> {
    let mut bounds = posed_bounds(model, &PoseSpec::default());
    let anchors = BoneAnchors::of(model);
    for (index, clip) in model.clips.iter().enumerate().take(BOUNDS_CLIPS) {
        // The keys of a bind pair aren't poses.
        if clip.as_sampled().is_some_and(|motion| motion.is_bind_pair) {
            continue;
        }
        let id = ClipId::from_index(index);
        let specs: Vec<PoseSpec> = match clip.as_sampled() {
            Some(motion) => {
                let keys = spread(motion.keys.num_keys(), NUM_MOMENTS);
                keys.map(|at| PoseSpec::at_key(id, as_u32(at))).collect()
            }
            None => {
                let times = clip_times(clip, NUM_MOMENTS / 2, NUM_MOMENTS);
                times.into_iter().map(|time_secs| PoseSpec::at_secs(id, time_secs)).collect()
            }
        };
        let last = specs.len().saturating_sub(1);
        let mut chosen: Vec<usize> = (0..NUM_EVEN).map(|at| at * last / (NUM_EVEN - 1)).collect();
        chosen.extend(extreme_poses(model, &anchors, &specs));
        chosen.sort_unstable();
        chosen.dedup();
        for spec in chosen.into_iter().filter_map(|at| specs.get(at)) {
            report.progress("measuring", 0.85)?;
            bounds = bounds.union(posed_bounds(model, spec));
        }
    }
    Ok(bounds)
}

/// The box around all skinned vertices, display space; around the bones if there are no vertices.
#[must_use]
pub fn posed_bounds(model: &Model, spec: &PoseSpec) -> Aabb {
    let display_from_file = model.axes.display_from_file();
    let pose = sample(model, spec);
    let in_display = |positions: &[Vec3]| {
        Aabb::from_points(positions.iter().map(|&p| display_from_file.transform_point3(p)))
    };
    let of_mesh = |(index, mesh): (usize, &Mesh)| {
        let positions = skin_positions(mesh, &pose.of_mesh(MeshId::from_index(index), mesh));
        let boxes = positions.par_chunks(CHUNK).map(in_display);
        boxes.reduce(|| Aabb::EMPTY, Aabb::union)
    };
    let boxes = model.meshes.iter().enumerate().map(of_mesh);
    let bounds = boxes.fold(Aabb::EMPTY, Aabb::union);
    if !bounds.is_empty() {
        return bounds;
    }
    let shapes = bone_shapes(model, &pose, &BoneAnchors::default());
    let ends = shapes.iter().flat_map(|shape| [shape.head, shape.tail]);
    Aabb::from_points(ends.map(|p| display_from_file.transform_point3(p)))
}

/// The box around the vertices of these mesh parts, display space. Without any, around all vertices, because
/// point clouds have no parts.
#[must_use]
pub fn part_bounds(model: &Model, spec: &PoseSpec, parts: &[(MeshId, PartId)]) -> Aabb {
    let pose = sample(model, spec);
    let mut bounds = Aabb::EMPTY;
    let mut all = Aabb::EMPTY;
    for (number, mesh) in model.meshes.iter().enumerate() {
        let id = MeshId::from_index(number);
        let mut parts = parts.iter().filter(|(of, _)| *of == id).peekable();
        if parts.peek().is_none() && !bounds.is_empty() {
            continue;
        }
        let positions = skin_positions(mesh, &pose.of_mesh(id, mesh));
        for corner in parts.flat_map(|(_, part)| mesh.part_corners(*part)) {
            if let Some(&position) = positions.get(corner as usize) {
                bounds.add(position);
            }
        }
        if bounds.is_empty() {
            positions.into_iter().for_each(|position| all.add(position));
        }
    }
    let bounds = if bounds.is_empty() { all } else { bounds };
    bounds.transformed(&model.axes.display_from_file())
}
