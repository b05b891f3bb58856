//! The deviations caused by packing one vertex into 32 bytes.
//!
//! The vertex is packed as in `pack` and decoded again. Effects on its neighbours (splits, joints,
//! reordering) aren't included; the export reports them.

use glam::{Vec2, Vec3};

use rigscope_core::model::{Axes, Mesh, PackedVertex, pack_snorm1010102};
use rigscope_core::pack::{MAX_PACKED_INFLUENCES, quantise_weights};

/// Deviations of the packed vertex from the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantised {
    /// Distance between the positions, display space.
    pub position_off: f32,
    /// Angle between the normals, if there are any.
    pub normal_off_rad: Option<f32>,
    /// Angle between the tangents, if there are any.
    pub tangent_off_rad: Option<f32>,
    /// Difference of the UVs, if there are any.
    pub uv_off: Option<Vec2>,
    /// Whole tiles by which the UV is shifted, since only 0 to 1 can be stored.
    pub uv_tile: Vec2,
    /// Largest difference in the weight of a bone, including removed ones.
    pub weight_off: f32,
    /// Bones that are removed because only four can be stored.
    pub num_cut: usize,
}

/// `values` in 0 to 1 as 16-bit numbers.
fn unorm16(values: Vec2) -> [u16; 2] {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 16 bits")]
    #[expect(clippy::cast_sign_loss, reason = "clamped to 16 bits")]
    let stored = |value: f32| (value.clamp(0.0, 1.0) * 65_535.0).round() as u16;
    values.to_array().map(stored)
}

impl Quantised {
    /// Packs and decodes vertex `index` of `mesh`.
    pub(super) fn of(mesh: &Mesh, axes: &Axes, index: usize) -> Option<Self> {
        let display_from_file = axes.display_from_file();
        let rotated = |v: Vec3| display_from_file.transform_vector3(v).normalize_or_zero();
        let position = display_from_file.transform_point3(mesh.position(index)?);
        let normal = mesh.normal(index).map(rotated).filter(|n| *n != Vec3::ZERO);
        let tangent = mesh.tangent(index).map(|t| rotated(t.truncate()));
        let tangent = tangent.filter(|t| *t != Vec3::ZERO);
        let uv = mesh.uv(index);
        // The edges belong to the tile.
        let is_inside = |uv: Vec2| uv.min_element() >= 0.0 && uv.max_element() <= 1.0;
        let uv_tile = match uv.filter(|uv| !is_inside(*uv)) {
            Some(uv) => uv.floor(),
            None => Vec2::ZERO,
        };
        let shares = shares(mesh, index);
        let slots: Vec<(u8, f32)> = (0..=u8::MAX).zip(shares.iter().copied()).collect();
        let weights = quantise_weights(&slots);
        let record = PackedVertex {
            position,
            normal: pack_snorm1010102(normal.unwrap_or_default(), 0),
            tangent: pack_snorm1010102(tangent.unwrap_or_default(), 0),
            uv: unorm16(uv.unwrap_or_default() - uv_tile),
            bones: weights.bones,
            weights: weights.weights,
        };
        let back = PackedVertex::from_bytes(&record.to_bytes());
        let stored: Vec<(u8, f32)> =
            if shares.is_empty() { Vec::new() } else { back.influences().collect() };
        let share_off = |(slot, share): &(u8, f32)| {
            let stored = stored.iter().find(|(bone, _)| bone == slot);
            (stored.map_or(0.0, |(_, weight)| *weight) - share).abs()
        };
        Some(Self {
            position_off: back.position.distance(position),
            normal_off_rad: normal.map(|n| angle(n, back.normal_decoded())),
            tangent_off_rad: tangent.map(|t| angle(t, back.tangent_decoded().truncate())),
            uv_off: uv.map(|uv| (back.uv_decoded() + uv_tile - uv).abs()),
            uv_tile,
            weight_off: slots.iter().map(share_off).fold(0.0, f32::max),
            num_cut: shares.len().saturating_sub(MAX_PACKED_INFLUENCES),
        })
    }
}

/// The normalised weights of a vertex, without bone indices.
fn shares(mesh: &Mesh, index: usize) -> Vec<f32> {
    mesh.normalized_influences(index).into_iter().map(|(_, share)| share).collect()
}

/// The angle between two directions. Computed from both sine and cosine, because each is imprecise
/// for some angles.
pub(super) fn angle(a: Vec3, b: Vec3) -> f32 {
    a.cross(b).length().atan2(a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_testing::*;

    fn mesh(normal: Vec3, uv: Vec2, weights: &[f32]) -> Mesh {
        let list: Vec<(u32, f32)> = (0u32..).zip(weights.iter().copied()).collect();
        let point = ModelBuilder::new().mesh([Vec3::new(0.1, 0.2, 0.3)]).normal(normal).uvs([uv]);
        point.bound_by_keys(8, [list]).into_mesh()
    }

    #[test]
    fn exact_values_are_lossless_and_others_deviate_by_half_a_step_at_most() {
        let axes = Axes::default();
        let exact = mesh(Vec3::Y, Vec2::new(1.0, 0.0), &[1.0]);
        let off = Quantised::of(&exact, &axes, 0).unwrap();
        assert_eq!((off.position_off, off.weight_off, off.num_cut), (0.0, 0.0, 0));
        assert_eq!(off.uv_off, Some(Vec2::ZERO));
        assert!(off.normal_off_rad.unwrap() < 1e-6);

        let odd = mesh(Vec3::new(0.3, 0.5, 0.8), Vec2::splat(0.123_456), &[0.7, 0.3]);
        let off = Quantised::of(&odd, &axes, 0).unwrap();
        let angle = off.normal_off_rad.unwrap();
        assert!(angle > 0.0 && angle < 2e-3, "{angle}");
        let uv = off.uv_off.unwrap().max_element();
        assert!(uv > 0.0 && uv <= 0.5 / 65_535.0 + 1e-7, "{uv}");
        assert!(off.weight_off > 0.0 && off.weight_off <= 1.0 / 255.0);
    }

    #[test]
    fn uvs_move_by_whole_tiles_and_small_influences_are_dropped() {
        let many = mesh(Vec3::Y, Vec2::new(2.25, -0.5), &[0.3, 0.25, 0.2, 0.15, 0.1]);
        let off = Quantised::of(&many, &Axes::default(), 0).unwrap();
        assert_eq!(off.uv_tile, Vec2::new(2.0, -1.0));
        assert!(off.uv_off.unwrap().max_element() < 1e-5);
        assert_eq!(off.num_cut, 1);
        assert!((off.weight_off - 0.1).abs() < 1e-3, "{}", off.weight_off);
    }
}
