//! Converts skinned vertices to display space.

use super::SkinnedMesh;
use crate::model::Axes;

/// Moves vertices from the space of a file with these axes to display space.
pub fn to_display_space(axes: &Axes, meshes: &mut [SkinnedMesh]) {
    let display_from_file = axes.display_from_file();
    // Without the unit, the map only swaps and negates axes, which preserves lengths to the last
    // bit.
    let rotation = Axes { unit_meters: None, ..*axes }.display_from_file();
    // A mirror flips the cross product of normal and tangent.
    let sign = if axes.is_mirrored() { -1.0 } else { 1.0 };
    for mesh in meshes {
        for position in &mut mesh.positions {
            *position = display_from_file.transform_point3(*position);
        }
        for normal in &mut mesh.normals {
            *normal = rotation.transform_vector3(*normal);
        }
        for tangent in &mut mesh.tangents {
            let direction = rotation.transform_vector3(tangent.truncate());
            *tangent = direction.extend(sign * tangent.w);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec3, Vec4};

    use super::*;
    use crate::model::{Handedness, UpAxis};

    #[test]
    fn directions_stay_normalised_and_mirroring_preserves_the_bitangent() {
        let axes = Axes {
            up: UpAxis::Z,
            handedness: Handedness::Left,
            unit_meters: Some(0.01),
            ..Axes::default()
        };
        let mut meshes = [SkinnedMesh {
            positions: vec![Vec3::new(100.0, 200.0, 300.0)],
            normals: vec![Vec3::Z],
            tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0)],
        }];
        let rotated = |v: Vec3| axes.display_from_file().transform_vector3(v) * 100.0;
        let bitangent = rotated(Vec3::Z.cross(Vec3::X));
        to_display_space(&axes, &mut meshes);
        let [mesh] = meshes;
        assert!(mesh.positions[0].distance(Vec3::new(-1.0, 3.0, -2.0)) < 1e-6);
        assert_eq!(mesh.normals[0], Vec3::Y);
        let tangent = mesh.tangents[0];
        let found = mesh.normals[0].cross(tangent.truncate()) * tangent.w;
        assert!(found.distance(bitangent) < 1e-5, "{found} {bitangent}");
    }
}
