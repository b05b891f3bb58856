//! Converts a model to display space, for formats that only support that space.
//!
//! For: normals, tangents and rounding of packed data. Not for: positions and matrices, which [`SpaceChange`] converts.

use glam::{Affine3A, Mat3A, Vec3, Vec4};

use crate::model::{Axes, SpaceChange};

/// The change from a file's space to display space, optionally scaled up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    space: SpaceChange,
    rotations: bool,
    reverses_winding: bool,
}

/// Directions with a length in this range count as normalised: they are stored with 10 bits per
/// component.
const UNIT_LENGTHS: std::ops::RangeInclusive<f32> = 0.5..=1.05;

impl Conversion {
    /// `scale` must be above 0.
    pub(super) fn of(axes: &Axes, scale: f32) -> Self {
        let display_from_file = Affine3A::from_scale(Vec3::splat(scale)) * axes.display_from_file();
        Self {
            space: SpaceChange::new(display_from_file),
            rotations: display_from_file.matrix3 != Mat3A::IDENTITY,
            reverses_winding: axes.reverses_winding(),
        }
    }

    #[inline]
    pub(super) fn point(&self, point: Vec3) -> Vec3 {
        self.space.point(point)
    }

    /// A direction normalised to unit length, or zero. A direction of about unit length that
    /// doesn't need to be rotated is kept to the last bit, so that packed data is packed
    /// identically again.
    #[inline]
    pub(super) fn direction(&self, direction: Vec3) -> Vec3 {
        if !self.rotations && UNIT_LENGTHS.contains(&direction.length()) {
            return direction;
        }
        self.space.offset(direction).normalize_or_zero()
    }

    /// A tangent; a mirror flips the sign of its bitangent.
    #[inline]
    pub(super) fn tangent(&self, tangent: Vec4) -> Vec4 {
        let sign = if self.space.is_mirror() { -tangent.w } else { tangent.w };
        self.direction(tangent.truncate()).extend(sign)
    }

    pub(super) fn matrix(&self, matrix: Affine3A) -> Affine3A {
        self.space.matrix(matrix)
    }

    /// Corners in the order that keeps front faces counter-clockwise.
    pub(super) fn triangle(&self, [a, b, c]: [u32; 3]) -> [u32; 3] {
        if self.reverses_winding { [a, c, b] } else { [a, b, c] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipId, MeshId, Report};
    use crate::pack::{PackOptions, pack};
    use crate::pose::{Moment, Normals, PoseSpec, Sampling, skin_model};
    use crate::reshape::fixture::bent_strip;

    #[test]
    fn axes_conversion_commutes_with_posing() {
        let source = bent_strip();
        let display_from_file = source.axes.display_from_file();
        for hierarchy in [false, true] {
            let options = PackOptions { hierarchy, ..PackOptions::default() };
            let mut packing = pack(&source, &options, &Report::new()).unwrap();
            let packed = packing.parts.remove(0).model;
            assert_eq!(packed.axes, Axes::default());
            for key in [0u32, 15, 30] {
                let spec = |moment| PoseSpec {
                    clip: Some(ClipId(0)),
                    moment,
                    sampling: Sampling::Linear,
                    // Runtimes of BSM2 transform them differently.
                    normals: Normals::Exact,
                    ..PoseSpec::default()
                };
                let time_secs = f64::from(key) / 30.0;
                let expected = skin_model(&source, &spec(Moment::TimeSecs(time_secs)));
                let found = skin_model(&packed, &spec(Moment::Key(key)));
                for vertex in 0..3 {
                    let wanted = display_from_file.transform_point3(expected[0].positions[vertex]);
                    assert!(wanted.distance(found[0].positions[vertex]) < 1e-6);
                    let wanted = display_from_file.transform_vector3(expected[0].normals[vertex]);
                    let rotated = wanted.normalize_or_zero().distance(found[0].normals[vertex]);
                    assert!(rotated < 3e-3, "10 bits: {rotated}");
                }
            }
        }
    }

    #[test]
    fn packing_preserves_front_faces_and_bitangent_direction() {
        let mut packing = pack(&bent_strip(), &PackOptions::default(), &Report::new()).unwrap();
        let packed = packing.parts.remove(0).model;
        let mesh = &packed.meshes[MeshId(0)];
        let corners: Vec<_> =
            mesh.indices.iter().map(|i| mesh.position(i as usize).unwrap()).collect();
        let front = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        let normal = mesh.normal(0).unwrap();
        assert!(front.dot(normal) > 0.99, "{front} {normal}");

        let (normal_in_file, tangent) = (Vec3::new(-1.0, 0.0, 3.0), Vec3::Y);
        let bitangent = normal_in_file.cross(tangent);
        let shown = bent_strip().axes.display_from_file().transform_vector3(bitangent);
        let stored = mesh.tangent(0).unwrap();
        let rebuilt = normal.cross(stored.truncate()) * stored.w;
        assert!(rebuilt.dot(shown) > 0.0);
    }
}
