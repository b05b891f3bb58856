//! How far vertices are from the bones that move them.

use std::collections::HashMap;

use glam::Vec3;

use super::{Evidence, Items, Kind};
use crate::diagnose::specimen::{MeshSample, Specimen, size_of, skin_of};
use crate::model::{BoneId, InverseBindSkin, Model, numbers};

pub(super) const ALL: &[&Evidence] = &[&REACH, &GAP];

/// Mean distance of vertices from their strongest bone in the bind pose, minus the distance from the nearest bone,
/// as a fraction of the mesh's size.
pub(crate) const REACH: Evidence = Evidence {
    name: "bone-distance",
    meaning: "the difference between the mean distances of vertices from their strongest and their nearest bone",
    unit: "fraction",
    kind: Kind::Stored,
    items: Items::Meshes,
    noise: 0.012,
    weight: 1.0,
    measure: |case, model| each(case, model, true),
    text: |value| format!("{} of the mesh's size", numbers::percent(value)),
};

/// Mean distance of vertices from their strongest bone, divided by the smaller of two sizes: the mesh and the skeleton.
/// It is large if mesh and skeleton differ in position or size.
pub(crate) const GAP: Evidence = Evidence {
    name: "mesh-from-bones",
    meaning: "the mean distance of vertices from their strongest bone",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.1,
    weight: 1.0,
    measure: |case, model| each(case, model, false),
    text: |value| format!("{} times the size of mesh or bones", numbers::significant(value, 2)),
};

/// With fewer bones, all are about equally near.
const MIN_BONES: usize = 4;

/// All bones are equally near to a mesh if they are within this fraction of its size, as with inverse bind matrices
/// without translations.
const COLLAPSED: f32 = 0.05;

fn each(case: &Specimen, model: &Model, is_excess: bool) -> Vec<f64> {
    if !case.has_bones {
        return Vec::new();
    }
    let of_mesh = |part: &MeshSample| distance(model, part, is_excess).unwrap_or(f64::NAN);
    case.samples.iter().map(of_mesh).collect()
}

/// The line segments of each slot's bone in the bind pose, in mesh space: from its head to the heads of its children.
pub(in crate::diagnose) fn bone_lines(
    model: &Model,
    skin: &InverseBindSkin,
) -> Vec<Vec<[Vec3; 2]>> {
    let heads: Vec<Option<Vec3>> = skin
        .bone_from_mesh
        .iter()
        .map(|matrix| {
            let head = matrix.inverse().w_axis;
            Some(head.truncate() / head.w).filter(|head| head.is_finite())
        })
        .collect();
    let mut slot_of: HashMap<BoneId, usize> = HashMap::new();
    for (slot, bone) in skin.bones.iter().enumerate() {
        slot_of.entry(*bone).or_insert(slot);
    }
    let mut lines: Vec<Vec<[Vec3; 2]>> =
        heads.iter().map(|head| head.iter().map(|head| [*head, *head]).collect()).collect();
    for (slot, bone) in skin.bones.iter().enumerate() {
        let parent = model.skeleton.bones().get(*bone).and_then(|bone| bone.parent);
        let Some(&above) = parent.and_then(|parent| slot_of.get(&parent)) else { continue };
        if let (Some(&Some(from)), Some(&Some(to)), Some(list)) =
            (heads.get(above), heads.get(slot), lines.get_mut(above))
        {
            list.push([from, to]);
        }
    }
    lines
}

/// The distance of a point from the nearest of some line segments.
pub(in crate::diagnose) fn from_lines(lines: &[[Vec3; 2]], point: Vec3) -> Option<f32> {
    let from_line = |[from, to]: &[Vec3; 2]| {
        let along = *to - *from;
        let share = (point - from).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
        point.distance(from + along * share.clamp(0.0, 1.0))
    };
    lines.iter().map(from_line).reduce(f32::min)
}

fn distance(model: &Model, part: &MeshSample, is_excess: bool) -> Option<f64> {
    let mesh = &model.meshes[part.mesh];
    let skin = skin_of(mesh)?;
    if skin.bones.len() < MIN_BONES || skin.bone_from_mesh.len() != skin.bones.len() {
        return None;
    }
    let positions = &mesh.streams()?.positions;
    let lines = bone_lines(model, skin);
    let used = crate::model::stats::used_slots(mesh, skin);
    let size = size_of(positions);
    let heads: Vec<Vec3> = lines.iter().flatten().flatten().copied().collect();
    if is_excess && size_of(&heads) < size * COLLAPSED {
        return None;
    }
    let (mut sum, mut num) = (0.0, 0u32);
    for &vertex in part.vertices.iter() {
        let point = *positions.get(vertex as usize)?;
        let mut strongest: Option<(u32, f32)> = None;
        mesh.for_each_slot(skin, vertex as usize, |slot, weight| {
            if strongest.is_none_or(|(_, most)| weight > most) {
                strongest = Some((slot, weight));
            }
        });
        let own = strongest.and_then(|(slot, _)| from_lines(lines.get(slot as usize)?, point));
        let of_used = lines.iter().zip(&used).filter(|(_, is_used)| **is_used);
        let nearest = of_used.filter_map(|(lines, _)| from_lines(lines, point)).reduce(f32::min);
        if let (Some(own), Some(nearest)) = (own, nearest) {
            sum += f64::from(if is_excess { own - nearest } else { own });
            num += 1;
        }
    }
    let size = if is_excess { size } else { size.min(size_of(&heads)) };
    (num > 0 && size > 0.0).then(|| sum / f64::from(num) / f64::from(size))
}
