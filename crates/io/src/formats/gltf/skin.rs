//! Influences of vertices, and the skins that they refer to.

use glam::Mat4;
use rayon::prelude::*;

use super::accessor::{BLOCK, Integers, as_many};
use super::asset::Asset;
use super::fault::{malformed, nth, within};
use super::influence_sets::{self, Set};
use super::spans::AccessorUse;
use crate::formats::ReadError;
use rigscope_core::model::{BoneId, Element, Influences, InverseBindSkin, as_u32};

/// Vertex, slot and weight of the nonzero influences in a block of vertices.
fn entries(sets: &[Set], block: usize) -> impl Iterator<Item = (usize, u32, f32)> + '_ {
    let num = sets.first().map_or(0, |(slots, _)| slots.len());
    let vertices = block * BLOCK..((block + 1) * BLOCK).min(num);
    vertices
        .flat_map(move |vertex| {
            sets.iter().flat_map(move |(slots, weights)| {
                let of_vertex = (slots.get(vertex), weights.get(vertex));
                let pairs =
                    of_vertex.0.into_iter().flatten().zip(of_vertex.1.into_iter().flatten());
                pairs.map(move |(&slot, &weight)| (vertex, slot, weight))
            })
        })
        .filter(|(_, _, weight)| *weight != 0.0)
}

/// Splits a slice into consecutive parts of the given lengths.
fn split_by_counts<'a, T>(mut list: &'a mut [T], counts: &[usize]) -> Vec<&'a mut [T]> {
    let part = |&count: &usize| {
        let whole = std::mem::take(&mut list);
        let (part, rest) = whole.split_at_mut(count.min(whole.len()));
        list = rest;
        part
    };
    counts.iter().map(part).collect()
}

/// Influences in compressed rows; see [`Influences::Rows`].
#[derive(Debug, Default)]
pub(super) struct InfluenceRows {
    first: Vec<u32>,
    slots: Vec<u32>,
    weights: Vec<f32>,
    /// See [`InverseBindSkin::in_first_set`].
    in_first_set: Vec<u8>,
    /// See [`InverseBindSkin::unweighted_slots`].
    unweighted_slots: Vec<(u32, u32)>,
    /// The largest slot that any vertex lists, also with a weight of 0.
    largest_slot: u32,
}

impl InfluenceRows {
    /// Reads all sets of four influences per vertex (section 3.7.3.3), without those of weight 0.
    pub(super) fn read(
        asset: &mut Asset<'_>,
        sets: &[(usize, usize)],
        num: usize,
        mesh: u32,
        name: &str,
    ) -> Result<Self, ReadError> {
        let mut read = Vec::new();
        for &(joints, weights) in sets {
            let slots = asset.integers::<4>(joints).and_then(|slots| as_many(slots, num, joints));
            let slots = slots.map_err(within(format!("{name}, JOINTS")))?;
            let shares = asset.floats::<4>(weights, Integers::Fractions);
            let shares = shares.and_then(|shares| as_many(shares, num, weights));
            let shares = shares.map_err(within(format!("{name}, WEIGHTS")))?;
            read.push((slots.collect(), shares.collect()));
        }
        if sets.first().is_some_and(|(joints, _)| asset.is_first_check(*joints)) {
            influence_sets::check(&read, asset.report, mesh, name);
        }
        // Count the entries per block, so that all blocks can be filled in parallel.
        let blocks = || (0..num.div_ceil(BLOCK)).into_par_iter();
        let counts: Vec<usize> = blocks().map(|block| entries(&read, block).count()).collect();
        let num_entries = counts.iter().sum();
        let mut rows = Self {
            first: asset.zeros(num.saturating_add(1), "influences")?,
            slots: asset.zeros(num_entries, "influences")?,
            weights: asset.zeros(num_entries, "influences")?,
            in_first_set: asset.vec(if sets.len() > 1 { num } else { 0 }, "influences")?,
            unweighted_slots: Vec::new(),
            largest_slot: read
                .iter()
                .flat_map(|(slots, _)| slots)
                .flatten()
                .copied()
                .max()
                .unwrap_or(0),
        };
        if let [(_, first), _, ..] = &read[..] {
            let num_used =
                |weights: &[f32; 4]| weights.iter().map(|w| u8::from(*w != 0.0)).sum::<u8>();
            rows.in_first_set.extend(first.iter().map(num_used));
        }
        let base_of_next = |base: &mut u32, count: &usize| {
            let own = *base;
            *base = base.saturating_add(as_u32(*count));
            Some(own)
        };
        if let [(slots, weights), ..] = &read[..] {
            let is_weighted =
                |vertex: usize| weights.get(vertex).is_some_and(|weights| *weights != [0.0; 4]);
            let listed = slots.iter().enumerate();
            let others = listed.filter(|(vertex, slots)| slots[0] != 0 && !is_weighted(*vertex));
            let pairs = others.filter_map(|(at, slots)| Some((u32::try_from(at).ok()?, slots[0])));
            rows.unweighted_slots.extend(pairs);
        }
        rows.num_entries()?;
        let bases: Vec<u32> = counts.iter().scan(0, base_of_next).collect();
        let ends = rows.first.get_mut(1..).unwrap_or_default();
        let own = split_by_counts(&mut rows.slots, &counts)
            .into_iter()
            .zip(split_by_counts(&mut rows.weights, &counts));
        let work = blocks().zip(ends.par_chunks_mut(BLOCK)).zip(bases).zip(own.collect::<Vec<_>>());
        work.for_each(|(((block, ends), base), (slots, weights))| {
            let first = block * BLOCK;
            let own = slots.iter_mut().zip(weights);
            for ((vertex, slot, weight), (own_slot, own_weight)) in entries(&read, block).zip(own) {
                (*own_slot, *own_weight) = (slot, weight);
                if let Some(num) = ends.get_mut(vertex - first) {
                    *num += 1;
                }
            }
            let mut end = base;
            for num in ends {
                end += *num;
                *num = end;
            }
        });
        Ok(rows)
    }

    fn num_entries(&self) -> Result<u32, ReadError> {
        let num = self.slots.len();
        u32::try_from(num).map_err(|_| malformed("influences", format!("{num} influences")))
    }

    /// Appends the rows of other vertices.
    pub(super) fn append(
        &mut self,
        mut other: Self,
        asset: &mut Asset<'_>,
    ) -> Result<(), ReadError> {
        asset.charge::<[u32; 2]>(other.first.len(), "influences")?;
        asset.charge::<[u32; 4]>(other.slots.len(), "influences")?;
        let base = self.num_entries()?;
        let num = |rows: &Self| rows.first.len().saturating_sub(1);
        let (own, others) = (num(self), num(&other));
        if !self.in_first_set.is_empty() || !other.in_first_set.is_empty() {
            asset.charge::<u8>(own.saturating_add(others), "influences")?;
            // Primitives with a single set have at most four influences per vertex.
            self.in_first_set.resize(own, 4);
            other.in_first_set.resize(others, 4);
            self.in_first_set.append(&mut other.in_first_set);
        }
        asset.charge::<[u32; 2]>(other.unweighted_slots.len(), "influences")?;
        self.largest_slot = self.largest_slot.max(other.largest_slot);
        let first_vertex = as_u32(own);
        let moved = other.unweighted_slots.iter();
        self.unweighted_slots
            .extend(moved.map(|(vertex, slot)| (vertex.saturating_add(first_vertex), *slot)));
        self.slots.append(&mut other.slots);
        self.weights.append(&mut other.weights);
        self.num_entries()?;
        let firsts = other.first.iter().skip(1);
        self.first.extend(firsts.map(|first| first.saturating_add(base)));
        Ok(())
    }

    /// Skin `index` with these influences, for the model's mesh `mesh`.
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
            // Section 3.7.3.1: the default is identity matrices, since the vertices are already in
            // bind space.
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
            lists_unknown_slots: self.largest_slot as usize >= bones.len(),
            bones,
            bone_from_mesh,
            influences: Influences::Rows {
                first: self.first,
                slots: self.slots,
                weights: self.weights,
            },
            in_first_set: self.in_first_set,
            unweighted_slots: self.unweighted_slots,
            ..InverseBindSkin::default()
        })
    }
}
