//! Influences of vertices, and the skins that they name.

use glam::Mat4;

use super::accessor::Integers;
use super::accessor::as_many;
use super::asset::Asset;
use super::fault::{malformed, nth};
use super::spans::AccessorUse;
use crate::formats::ReadError;
use crate::model::{BoneId, Element, Influences, InverseBindSkin};

/// Compressed rows of influences; see [`Influences::Rows`].
#[derive(Debug, Default)]
pub(super) struct Rows {
    first: Vec<u32>,
    slots: Vec<u32>,
    weights: Vec<f32>,
}

impl Rows {
    /// Reads all sets of four influences a vertex (section 3.7.3.3), without those of weight 0.
    pub(super) fn read(
        asset: &mut Asset<'_>,
        sets: &[(usize, usize)],
        num: usize,
    ) -> Result<Self, ReadError> {
        let mut read = Vec::new();
        let mut num_entries = 0;
        for &(joints, weights) in sets {
            let slots = asset.integers::<4>(joints)?;
            let shares = asset.floats::<4>(weights, Integers::Fractions)?;
            let slots: Vec<_> = as_many(slots, num, joints)?.collect();
            let shares: Vec<_> = as_many(shares, num, weights)?.collect();
            num_entries += shares.iter().flatten().filter(|&&w| w != 0.0).count();
            read.push((slots, shares));
        }
        let mut rows = Self {
            first: asset.vec(num.saturating_add(1), "influences")?,
            slots: asset.vec(num_entries, "influences")?,
            weights: asset.vec(num_entries, "influences")?,
        };
        rows.first.push(0);
        for vertex in 0..num {
            for (slots, shares) in &read {
                let (slots, shares) = (slots.get(vertex), shares.get(vertex));
                let pairs = slots.into_iter().flatten().zip(shares.into_iter().flatten());
                for (&slot, &weight) in pairs.filter(|(_, weight)| **weight != 0.0) {
                    rows.slots.push(slot);
                    rows.weights.push(weight);
                }
            }
            rows.first.push(rows.num_entries()?);
        }
        Ok(rows)
    }

    fn num_entries(&self) -> Result<u32, ReadError> {
        let num = self.slots.len();
        u32::try_from(num).map_err(|_| malformed("influences", format!("{num} influences")))
    }

    /// Puts the rows of other vertices behind these.
    pub(super) fn append(
        &mut self,
        mut other: Self,
        asset: &mut Asset<'_>,
    ) -> Result<(), ReadError> {
        asset.charge::<[u32; 2]>(other.first.len(), "influences")?;
        asset.charge::<[u32; 4]>(other.slots.len(), "influences")?;
        let base = self.num_entries()?;
        self.slots.append(&mut other.slots);
        self.weights.append(&mut other.weights);
        self.num_entries()?;
        let firsts = other.first.iter().skip(1);
        self.first.extend(firsts.map(|first| first.saturating_add(base)));
        Ok(())
    }

    /// The skin `index` with these influences, which are of the model's mesh `mesh`.
    pub(super) fn into_skin(
        self,
        asset: &mut Asset<'_>,
        index: usize,
        mesh: u32,
    ) -> Result<InverseBindSkin, ReadError> {
        let skin = nth(&asset.root.skins, index, "skin")?;
        let num_nodes = asset.root.nodes.len();
        let mut bones = asset.vec(skin.joints.len(), "joints")?;
        for joint in &skin.joints {
            if joint.value() >= num_nodes {
                let what = format!("joint {} of skin {index} exceeds {num_nodes}", joint.value());
                return Err(malformed("skins", what));
            }
            bones.push(BoneId::from_index(joint.value()));
        }
        asset.charge::<Mat4>(bones.len(), "joints")?;
        let bone_from_mesh = match skin.inverse_bind_matrices {
            // Section 3.7.3.1: identities, as the bind is in the vertices already.
            None => vec![Mat4::IDENTITY; bones.len()],
            Some(accessor) => {
                let usage = AccessorUse {
                    element: Element::SkinInverseBind { mesh },
                    first: 0,
                    per_record: 1,
                    name: "inverse bind matrix",
                    integers: Integers::AsStated,
                };
                asset.add_span(accessor.value(), usage);
                let matrices = asset.floats::<16>(accessor.value(), Integers::AsStated)?;
                let (num, num_joints) = (matrices.len(), bones.len());
                if num < num_joints {
                    let what = format!("skin {index} has {num} matrices for {num_joints} joints");
                    return Err(malformed("inverseBindMatrices", what));
                }
                let matrices = matrices.iter().take(num_joints);
                matrices.map(Mat4::from_cols_array).collect()
            }
        };
        Ok(InverseBindSkin {
            bones,
            bone_from_mesh,
            influences: Influences::Rows {
                first: self.first,
                slots: self.slots,
                weights: self.weights,
            },
            ..InverseBindSkin::default()
        })
    }
}
