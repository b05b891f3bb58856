//! Merges all meshes into one list of packed vertices, welds equal ones, and sorts triangles by
//! material.

use std::collections::HashMap;

use glam::Vec3;

use super::soup::{Groups, Soup, Triangle, UNDRAWN};
use crate::model::{Origin, as_u32, pack_snorm1010102};
use crate::pack::influences::{Quantised, quantise};

/// The packed data of a vertex, with bones as pair numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MergedVertex {
    position_bits: [u32; 3],
    pub(super) normal: u32,
    pub(super) tangent: u32,
    pub(super) uv: [u16; 2],
    pub(super) pairs: [u32; 4],
    pub(super) weights: [u8; 4],
}

impl MergedVertex {
    pub(super) fn position(&self) -> Vec3 {
        Vec3::from(self.position_bits.map(f32::from_bits))
    }

    /// The pairs that move it.
    #[inline]
    pub(super) fn used_pairs(&self) -> impl Iterator<Item = u32> + '_ {
        let slots = self.pairs.into_iter().zip(self.weights);
        slots.filter(|(_, weight)| *weight > 0).map(|(pair, _)| pair)
    }
}

/// A vertex that lost influences.
#[derive(Clone, Debug)]
pub(super) struct CutVertex {
    pub(super) position: Vec3,
    /// All original influences.
    pub(super) before: Vec<(u32, f32)>,
    /// The remaining influences.
    pub(super) after: Vec<(u32, f32)>,
}

/// The merged meshes.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) vertices: Vec<MergedVertex>,
    pub(super) origins: Vec<(u32, Origin)>,
    /// Sorted by group; those that aren't drawn are last.
    pub(super) triangles: Vec<Triangle>,
    pub(super) groups: Groups,
    pub(super) cut: Vec<CutVertex>,
    pub(super) worst_share: f32,
    pub(super) num_clamped: usize,
    numbers: HashMap<MergedVertex, u32>,
}

impl Merged {
    pub(super) fn add(&mut self, soup: &Soup, v_up: bool) {
        let num = soup.vertices.len();
        let mut numbers = Vec::with_capacity(num);
        self.numbers.reserve(num);
        self.vertices.reserve(num);
        self.origins.reserve(num);
        for vertex in &soup.vertices {
            let influences = soup.influences_of(vertex);
            let quantised = quantise(influences);
            if quantised.dropped > 0.0 {
                self.cut_vertex(vertex.position, influences, &quantised);
            }
            // A coordinate within half a step of the range rounds to its end without loss.
            let is_outside = |x: f32| unorm16_exact(x) < -0.5 || unorm16_exact(x) > 65_535.5;
            let is_clamped = soup.has_uvs && (is_outside(vertex.uv.x) || is_outside(vertex.uv.y));
            self.num_clamped += usize::from(is_clamped);
            let v = if v_up { 1.0 - vertex.uv.y } else { vertex.uv.y };
            let sign = if vertex.tangent.w < 0.0 { -1 } else { 1 };
            let merged = MergedVertex {
                position_bits: vertex.position.to_array().map(f32::to_bits),
                normal: pack_snorm1010102(vertex.normal, 0),
                tangent: pack_snorm1010102(vertex.tangent.truncate(), sign),
                uv: [unorm16(vertex.uv.x), unorm16(v)],
                pairs: quantised.bones,
                weights: quantised.weights,
            };
            let next = as_u32(self.vertices.len());
            let number = *self.numbers.entry(merged).or_insert(next);
            if number == next {
                self.vertices.push(merged);
            }
            self.origins.push((number, vertex.origin));
            numbers.push(number);
        }
        let number = |corner: u32| numbers.get(corner as usize).copied().unwrap_or(0);
        let triangles = soup.triangles.iter();
        self.triangles.extend(
            triangles
                .map(|triangle| Triangle { corners: triangle.corners.map(number), ..*triangle }),
        );
    }

    /// Groups triangles by material, in their original order.
    pub(super) fn sort(&mut self) {
        self.triangles.sort_by_key(|triangle| triangle.group);
        self.numbers = HashMap::new();
    }

    fn cut_vertex(&mut self, position: Vec3, before: &[(u32, f32)], quantised: &Quantised) {
        self.worst_share = self.worst_share.max(quantised.dropped);
        let kept = quantised.bones.into_iter().zip(quantised.weights);
        let after: Vec<_> = kept
            .filter(|(_, weight)| *weight > 0)
            .filter_map(|(pair, _)| {
                let same = before.iter().filter(|(bone, _)| *bone == pair);
                let weight: f32 = same.map(|(_, weight)| weight.max(0.0)).sum();
                (weight > 0.0).then_some((pair, weight))
            })
            .collect();
        self.cut.push(CutVertex { position, before: before.to_vec(), after });
    }

    /// Ranges of [`Self::triangles`] with their group.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u32, &[Triangle])> {
        let runs = self.triangles.chunk_by(|a, b| a.group == b.group);
        runs.filter_map(|run| Some((run.first()?.group, run)))
    }

    /// Whether a group is drawn.
    pub(super) fn is_drawn(group: u32) -> bool {
        group != UNDRAWN
    }
}

fn unorm16_exact(value: f32) -> f32 {
    value * 65_535.0
}

fn unorm16(value: f32) -> u16 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 16 bits")]
    #[expect(clippy::cast_sign_loss, reason = "clamped to 16 bits")]
    let stored = unorm16_exact(value.clamp(0.0, 1.0)).round() as u16;
    stored
}
