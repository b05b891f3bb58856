//! Offset, rotation and scale of a texture.

use std::fmt;

use glam::{Affine2, Mat2, Vec2, Vec4};

use super::TextureRef;

/// The parts of a transform from the vertices' UVs (v down) to a texture's UVs, in the order of
/// `KHR_texture_transform`: scale, rotation, offset.
///
/// Source: Khronos, "KHR_texture_transform".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureTransform {
    /// Applied last.
    pub offset: Vec2,
    /// From u towards -v, which is up.
    pub rotation_rad: f32,
    /// Applied first.
    pub scale: Vec2,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self { offset: Vec2::ZERO, rotation_rad: 0.0, scale: Vec2::ONE }
    }
}

impl TextureTransform {
    /// The transform of `texture`, without its shear.
    pub fn of(texture: &TextureRef) -> Self {
        texture.texture_from_uv.as_deref().map_or_else(Self::default, Self::from_affine)
    }

    /// The closest transform without shear.
    pub fn from_affine(texture_from_uv: &Affine2) -> Self {
        let (u, v) = (texture_from_uv.matrix2.x_axis, texture_from_uv.matrix2.y_axis);
        let rotation_rad = if u == Vec2::ZERO { v.x.atan2(v.y) } else { (-u.y).atan2(u.x) };
        let (sin, cos) = rotation_rad.sin_cos();
        let scale = Vec2::new(u.dot(Vec2::new(cos, -sin)), v.dot(Vec2::new(sin, cos)));
        Self { offset: texture_from_uv.translation, rotation_rad, scale }
    }

    /// The transform as a matrix.
    pub fn to_affine(self) -> Affine2 {
        let (sin, cos) = self.rotation_rad.sin_cos();
        let rotation = Mat2::from_cols(Vec2::new(cos, -sin), Vec2::new(sin, cos));
        Affine2::from_mat2_translation(rotation * Mat2::from_diagonal(self.scale), self.offset)
    }
}

/// A part of a [`TextureTransform`] that a clip can animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureProperty {
    /// [`TextureTransform::offset`].
    Offset,
    /// [`TextureTransform::rotation_rad`].
    Rotation,
    /// [`TextureTransform::scale`].
    Scale,
}

impl TextureProperty {
    /// Number of components.
    pub const fn num_components(self) -> usize {
        match self {
            Self::Rotation => 1,
            Self::Offset | Self::Scale => 2,
        }
    }

    /// Sets the part to the first components of `value`.
    pub fn set(self, transform: &mut TextureTransform, value: Vec4) {
        let pair = value.truncate().truncate();
        match self {
            Self::Offset => transform.offset = pair,
            Self::Rotation => transform.rotation_rad = value.x,
            Self::Scale => transform.scale = pair,
        }
    }

    /// The part, followed by zeros.
    pub fn get(self, transform: &TextureTransform) -> Vec4 {
        let pair = |pair: Vec2| pair.extend(0.0).extend(0.0);
        match self {
            Self::Offset => pair(transform.offset),
            Self::Rotation => Vec4::X * transform.rotation_rad,
            Self::Scale => pair(transform.scale),
        }
    }
}

impl fmt::Display for TextureProperty {
    /// Its name in messages, such as `offset`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Offset => "offset",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_are_separated_into_parts() {
        for rotation_rad in [-2.0, 0.0, 0.5, 3.0] {
            for scale in [Vec2::new(2.0, 0.5), Vec2::new(1.0, -1.0)] {
                let transform =
                    TextureTransform { offset: Vec2::new(0.25, -4.0), rotation_rad, scale };
                let matrix = transform.to_affine();
                let found = TextureTransform::from_affine(&matrix).to_affine();
                assert!(found.abs_diff_eq(matrix, 1e-6), "{transform:?}");
            }
        }
    }

    #[test]
    fn a_transform_scales_then_rotates_counter_clockwise_then_translates() {
        let quarter = TextureTransform {
            offset: Vec2::new(0.5, 0.25),
            rotation_rad: std::f32::consts::FRAC_PI_2,
            scale: Vec2::new(2.0, 3.0),
        };
        let moved = |u, v| quarter.to_affine().transform_point2(Vec2::new(u, v));
        let near = |a: Vec2, b: Vec2| assert!(a.abs_diff_eq(b, 1e-6), "{a} {b}");
        near(moved(0.0, 0.0), Vec2::new(0.5, 0.25));
        // v is down: a rotation from right to up goes towards smaller v.
        near(moved(1.0, 0.0), Vec2::new(0.5, 0.25 - 2.0));
        near(moved(0.0, 1.0), Vec2::new(0.5 + 3.0, 0.25));
    }

    #[test]
    fn each_property_is_a_different_part() {
        use TextureProperty::{Offset, Rotation, Scale};
        let mut transform = TextureTransform::default();
        let value = |at: u8| Vec4::new(f32::from(at) + 2.0, f32::from(at) + 3.0, 0.0, 0.0);
        for (at, property) in (0..).zip([Offset, Rotation, Scale]) {
            property.set(&mut transform, value(at));
        }
        for (at, property) in (0..).zip([Offset, Rotation, Scale]) {
            let num = property.num_components();
            let stored = property.get(&transform).to_array();
            assert_eq!(stored[..num], value(at).to_array()[..num], "{property}");
            assert!(stored[num..].iter().all(|rest| *rest == 0.0), "{property}");
        }
    }
}
