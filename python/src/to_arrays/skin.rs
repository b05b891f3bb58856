//! Skins: influences as compressed rows, and inverse bind matrices.

use glam::Vec3;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::model::{Blending, BoneLocalSkin, Influences, InverseBindSkin, Mesh, Skin, as_u32};

use super::vectors;
use crate::arrays::{matrices, owned_array};

pub(super) fn set_skin(mesh: &Bound<'_, PyDict>, own: &Mesh) -> PyResult<()> {
    match &own.skin {
        Skin::None => Ok(()),
        Skin::InverseBind(skin) => set_inverse_bind(mesh, own, skin),
        Skin::BoneLocal(skin) => set_bone_local(mesh, skin),
    }
}

fn set_inverse_bind(mesh: &Bound<'_, PyDict>, own: &Mesh, skin: &InverseBindSkin) -> PyResult<()> {
    let py = mesh.py();
    match &skin.influences {
        Influences::Rows { first, slots, weights } => {
            set_rows(mesh, first.clone(), slots.clone(), weights.clone())?;
        }
        Influences::InVertices => {
            let (mut first, mut slots, mut weights) = (vec![0], Vec::new(), Vec::new());
            for vertex in 0..own.num_vertices() {
                own.for_each_slot(skin, vertex, |slot, weight| {
                    slots.push(slot);
                    weights.push(weight);
                });
                // At most four per vertex, of which there are fewer than 2^27.
                first.push(as_u32(slots.len()));
            }
            set_rows(mesh, first, slots, weights)?;
        }
    }
    let bones: Vec<u32> = skin.bones.iter().map(|bone| bone.0).collect();
    let num = bones.len();
    mesh.set_item("skin_bones", owned_array(py, bones, [num])?)?;
    // Empty if keys contain the matrices.
    let binds = matrices(py, skin.bone_from_mesh.iter().copied())?;
    mesh.set_item("inverse_bind_matrices", binds)?;
    match &skin.blending {
        Blending::Linear => Ok(()),
        Blending::DualQuaternion => mesh.set_item("blending", "dual-quaternion"),
        Blending::Mixed(shares) => {
            mesh.set_item("blending", owned_array(py, shares.clone(), [shares.len()])?)
        }
    }
}

fn set_bone_local(mesh: &Bound<'_, PyDict>, skin: &BoneLocalSkin) -> PyResult<()> {
    let own = || skin.influences.iter();
    let bones = own().map(|influence| influence.bone.0).collect();
    let weights = own().map(|influence| influence.weight).collect();
    set_rows(mesh, skin.first.clone(), bones, weights)?;
    let positions: Vec<Vec3> = own().map(|influence| influence.position).collect();
    let normals: Vec<Vec3> = own().map(|influence| influence.normal).collect();
    mesh.set_item("influence_positions", vectors(mesh.py(), &positions)?)?;
    mesh.set_item("influence_normals", vectors(mesh.py(), &normals)?)
}

fn set_rows(
    mesh: &Bound<'_, PyDict>,
    first: Vec<u32>,
    slots: Vec<u32>,
    weights: Vec<f32>,
) -> PyResult<()> {
    let (py, num_first, num) = (mesh.py(), first.len(), slots.len());
    let rows = (
        owned_array(py, first, [num_first])?,
        owned_array(py, slots, [num])?,
        owned_array(py, weights, [num])?,
    );
    mesh.set_item("influences", rows)
}
