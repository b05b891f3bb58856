//! A material in numbers, as `textured.wgsl` reads it.

use bytemuck::{Pod, Zeroable};
use glam::{Affine2, Mat2, Vec2, Vec4};

use crate::model::{AlphaMode, MaterialLook, TextureRef};

/// A material with textures. Keep in sync with `shaders/textured.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(in crate::gpu) struct MaterialInput {
    pub(in crate::gpu) base_color: Vec4,
    pub(in crate::gpu) base_from_uv_x: Vec4,
    pub(in crate::gpu) base_from_uv_y: Vec4,
    pub(in crate::gpu) normal_from_uv_x: Vec4,
    pub(in crate::gpu) normal_from_uv_y: Vec4,
    pub(in crate::gpu) tangents_from_normal_map: Vec4,
    pub(in crate::gpu) alpha_cutoff: f32,
    pub(in crate::gpu) flags: u32,
    pub(in crate::gpu) padding: [u32; 2],
}

impl MaterialInput {
    pub(in crate::gpu) const NORMAL_MAP: u32 = 1;
    pub(in crate::gpu) const TWO_SIDED: u32 = 2;
    pub(in crate::gpu) const UNLIT: u32 = 4;
    pub(in crate::gpu) const BLENDED: u32 = 8;
}

impl MaterialInput {
    pub(super) fn new(
        look: &MaterialLook,
        base: Option<&TextureRef>,
        normal: Option<&TextureRef>,
    ) -> Self {
        let from_uv = |texture: Option<&TextureRef>| {
            let texture = texture.and_then(|texture| texture.texture_from_uv.as_deref());
            texture.copied().unwrap_or(Affine2::IDENTITY)
        };
        let rows = |m: Affine2| {
            let (x, y, t) = (m.matrix2.x_axis, m.matrix2.y_axis, m.translation);
            [Vec4::new(x.x, y.x, t.x, 0.0), Vec4::new(x.y, y.y, t.y, 0.0)]
        };
        let (cutoff, is_blended) = match look.alpha {
            AlphaMode::Opaque => (f32::MIN, false),
            AlphaMode::Mask(cutoff) => (cutoff, false),
            AlphaMode::Blend => (f32::MIN, true),
        };
        let flags = [
            (normal.is_some(), Self::NORMAL_MAP),
            (look.is_two_sided, Self::TWO_SIDED),
            (look.is_unlit, Self::UNLIT),
            (is_blended, Self::BLENDED),
        ];
        let [base_from_uv_x, base_from_uv_y] = rows(from_uv(base));
        let [normal_from_uv_x, normal_from_uv_y] = rows(from_uv(normal));
        Self {
            base_color: look.base_color,
            base_from_uv_x,
            base_from_uv_y,
            normal_from_uv_x,
            normal_from_uv_y,
            tangents_from_normal_map: turn(from_uv(normal).matrix2),
            alpha_cutoff: cutoff,
            flags: flags.into_iter().filter_map(|(is_set, flag)| is_set.then_some(flag)).sum(),
            padding: [0; 2],
        }
    }
}

/// Right and up of a turned normal map, each as shares of tangent and bitangent, which lie along
/// the vertices' own coordinates.
fn turn(texture_from_uv: Mat2) -> Vec4 {
    let uv_from_texture = texture_from_uv.inverse();
    if texture_from_uv.determinant() == 0.0 || !uv_from_texture.is_finite() {
        return Vec4::new(1.0, 0.0, 0.0, 1.0);
    }
    let right = uv_from_texture.x_axis.normalize_or(Vec2::X);
    let down = uv_from_texture.y_axis.normalize_or(Vec2::Y);
    // v points down, the bitangent up.
    Vec4::new(right.x, -right.y, -down.x, down.y)
}
