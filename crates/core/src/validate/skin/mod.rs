//! Rules about bones and skinning.
//!
//! For: influences that packing drops, inverse bind matrices with defects, poses that contradict
//! each other. Not for: problems that `model::check` counts (weight sums, rows without weights,
//! bones that don't exist or don't move vertices, last rows of inverse binds).

mod bound_mesh;

rules! {
    ALL: Rule = check;
    weights,
    bones,
    inverse_binds,
    bind_pose,
    shared_binds,
    whole_mesh,
    body_size,
    shear,
    seams,
    islands,
    baked
}
rules! { OF_NORMALS: Rule = check; runtime_normals }

pub(crate) use seams::seam_pairs;

use glam::{Affine3A, Vec3};

use super::{Rule, run};
use crate::model::{Aabb, Cancelled, InverseBindSkin, Mesh, Model, Report, Skin};

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    run(&ALL, "checking skins", model, report)?;
    run(&OF_NORMALS, "checking skins", model, report)
}

/// Meshes with inverse bind matrices, with their indices.
fn bound_meshes(model: &Model) -> impl Iterator<Item = (u32, &Mesh, &InverseBindSkin)> {
    let numbered = (0u32..).zip(&model.meshes);
    numbered.filter_map(|(number, mesh)| match &mesh.skin {
        Skin::InverseBind(skin) if !skin.bone_from_mesh.is_empty() => Some((number, mesh, skin)),
        _ => None,
    })
}

/// The corners of a mesh's stored bounds, mesh space.
fn bounds_corners(mesh: &Mesh) -> [Vec3; 8] {
    Aabb::from_points((0..mesh.num_vertices()).filter_map(|at| mesh.position(at))).corners()
}

/// The distance between a box moved by two matrices, as a fraction of its size after the first.
///
/// Compares the effect instead of the entries: an error in a rotation matters more the farther away
/// the mesh is.
fn misfit(corners: &[Vec3; 8], one: &Affine3A, other: &Affine3A) -> f32 {
    let moved = corners.map(|corner| one.transform_point3(corner));
    let size = Aabb::from_points(moved).extent();
    let others = corners.map(|corner| other.transform_point3(corner));
    let farthest = moved.iter().zip(others).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
    // A mesh without size has no relative distance.
    if size > 0.0 { farthest / size } else { 0.0 }
}
