//! The binding of a mesh: its joints, and the influences of its vertices.
//!
//! Source: OpenUSD, `UsdSkelBindingAPI`: `elementSize` influences per point, or the same ones for all points.

use std::collections::HashMap;

use glam::{DMat4, Mat4};
use openusd::sdf::{Path, Value};

use super::layer::{Layer, PerElement, token, tokens};
use super::skeleton::{Joints, stored};
use crate::formats::WriteError;
use rigscope_core::model::{Blending, BoneId, Mesh, Report, Skin, influence_row};

/// Tolerance of the sum of weights around 1, per weight.
const ROUNDING: f32 = 6e-8;

/// The binding of a mesh to a skeleton.
pub(super) struct Binding {
    geometry: DMat4,
    /// The joints of the mesh.
    joints: Vec<usize>,
    /// For each vertex, or for all if there is one row, places in `joints` and weights.
    rows: Vec<Vec<(usize, f32)>>,
    is_dual: bool,
}

impl Binding {
    /// The binding of a mesh that is skinned, attached to a bone, or doesn't move.
    pub(super) fn of(
        mesh: &Mesh,
        joints: &mut Joints,
        report: &Report,
    ) -> Result<Self, WriteError> {
        let Skin::InverseBind(skin) = &mesh.skin else {
            let slot = (mesh.attached_to, Mat4::IDENTITY);
            let (geometry, joints) = joints.bind(&[slot], true, report)?;
            return Ok(Self { geometry, joints, rows: vec![vec![(0, 1.0)]], is_dual: false });
        };
        let num = mesh.num_vertices();
        let has_weights =
            |vertex| skin.influences.row(vertex).any(|(_, weight): (u32, f32)| weight > 0.0);
        let has_still = !(0..num).all(has_weights);
        let bind = |slot: usize| skin.bone_from_mesh.get(slot).copied().unwrap_or_default();
        let mut slots: Vec<(Option<BoneId>, Mat4)> =
            skin.bones.iter().enumerate().map(|(slot, bone)| (Some(*bone), bind(slot))).collect();
        if has_still {
            slots.push((None, Mat4::IDENTITY));
        }
        let (geometry, of_slots) = joints.bind(&slots, false, report)?;
        // Slots may share a joint.
        let mut list: Vec<usize> = Vec::new();
        let mut known: HashMap<usize, usize> = HashMap::new();
        let place_of_slot: Vec<usize> = of_slots
            .into_iter()
            .map(|joint| {
                *known.entry(joint).or_insert_with(|| {
                    list.push(joint);
                    list.len() - 1
                })
            })
            .collect();
        let still = place_of_slot.last().copied().unwrap_or_default();
        let mut rows = Vec::with_capacity(num);
        for vertex in 0..num {
            let mut row: Vec<(usize, f32)> = Vec::new();
            for (slot, weight) in skin.influences.row(vertex).filter(|(_, weight)| *weight > 0.0) {
                if let Some(&place) = place_of_slot.get(slot as usize) {
                    influence_row::add(&mut row, place, weight);
                }
            }
            if row.is_empty() {
                row.push((still, 1.0));
            }
            normalize(&mut row);
            row.sort_by(|a, b| b.1.total_cmp(&a.1));
            rows.push(row);
            if vertex % 65_536 == 0 {
                report.progress("writing influences", vertex as f32 / num as f32)?;
            }
        }
        if let [first, others @ ..] = &rows[..]
            && others.iter().all(|row| row == first)
        {
            rows.truncate(1);
        }
        let is_dual = skin.blending == Blending::DualQuaternion;
        Ok(Self { geometry, joints: list, rows, is_dual })
    }

    /// Writes the binding as properties of the mesh's prim.
    pub(super) fn write(&self, prim: &Path, skeleton: &Path, joints: &Joints, layer: &mut Layer) {
        let paths = tokens(self.joints.iter().map(|joint| joints.path(*joint)));
        layer.attribute(prim, "skel:joints", "token[]").uniform().value(paths);
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(1);
        let per = if self.rows.len() == 1 { PerElement::Mesh } else { PerElement::Vertex };
        let (mut indices, mut weights) = (Vec::new(), Vec::new());
        for row in &self.rows {
            for at in 0..width {
                let (place, weight) = row.get(at).copied().unwrap_or((0, 0.0));
                indices.push(i32::try_from(place).unwrap_or(i32::MAX));
                weights.push(weight);
            }
        }
        let size = i32::try_from(width).unwrap_or(i32::MAX);
        layer
            .attribute(prim, "primvars:skel:jointIndices", "int[]")
            .value(Value::IntVec(indices))
            .per(per)
            .with("elementSize", size);
        layer
            .attribute(prim, "primvars:skel:jointWeights", "float[]")
            .value(Value::FloatVec(weights))
            .per(per)
            .with("elementSize", size);
        layer
            .attribute(prim, "primvars:skel:geomBindTransform", "matrix4d")
            .value(Value::Matrix4d(stored(&self.geometry)));
        if self.is_dual {
            layer
                .attribute(prim, "primvars:skel:skinningMethod", "token")
                .uniform()
                .value(token("dualQuaternion"));
        }
        layer.relate(prim, "skel:skeleton", vec![skeleton.clone()]);
    }
}

fn normalize(row: &mut [(usize, f32)]) {
    let sum: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
    if (sum - 1.0).abs() > f64::from(ROUNDING) * row.len() as f64 {
        for (_, weight) in row {
            #[expect(clippy::cast_possible_truncation, reason = "a weight is up to 1")]
            let own = (f64::from(*weight) / sum) as f32;
            *weight = own;
        }
    }
}
