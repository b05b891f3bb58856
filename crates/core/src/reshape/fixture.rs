//! Models that several tests of this module pose.

use glam::{Quat, Vec2, Vec3, Vec4};

use crate::model::testing::*;
use crate::pose::{PoseSpec, skin_model};

/// A bent strip of two bones in inches, z up and left-handed.
pub(crate) fn bent_strip() -> Model {
    let lists: [&[(u32, f32)]; 3] = [ONE, &[(1, 1.0)], &[(0, 0.2), (1, 0.8)]];
    let rotated = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.0);
    let axes = Axes {
        up: UpAxis::Z,
        handedness: Handedness::Left,
        unit_meters: Some(0.0254),
        ..Axes::default()
    };
    ModelBuilder::new()
        .bones(&[("at 0", None, Vec3::ZERO), ("at 2", Some(0), Vec3::X * 2.0)])
        .mesh([Vec3::ZERO, Vec3::new(3.0, 0.0, 1.0), Vec3::new(3.0, 2.0, 1.0)])
        .indices([0, 1, 2])
        // In a left-handed file, the cross product of a front face in file space agrees with its normal.
        .normal(Vec3::new(-1.0, 0.0, 3.0).normalize_or_zero())
        .tangent(Vec4::new(0.0, 1.0, 0.0, 1.0))
        .uvs([Vec2::new(0.25, 0.5); 3])
        .bound(lists)
        .clip("bend", 1.0)
        .rotation(1, linear([(0.0, Quat::IDENTITY), (1.0, rotated)]))
        .with(|model| model.axes = axes)
        .checked()
}

/// A clip in which the first bone has keys at these times and doesn't move.
pub(crate) fn still_clip(times_secs: Vec<f64>) -> Clip {
    let keys = times_secs.into_iter().map(|secs| (secs, Vec3::ZERO));
    ModelBuilder::new().clip("still", 0.0).translation(0, linear(keys)).into_clip()
}

/// A triangle on the last of a chain of bones, `num_mirrors` of which mirror, next to the same triangle on
/// the first bone, which doesn't.
///
/// Before any bone moves them, both face +z, and their texture has u along +x and v along -y.
pub(crate) fn mirrored_triangle(num_mirrors: u32) -> Model {
    let mut builder = ModelBuilder::new();
    for number in 0..=num_mirrors {
        let rest = Trs {
            translation: Vec3::new(0.5, 1.0, 0.0),
            rotation: Quat::from_rotation_y(0.3 * number as f32),
            scale: if number == 0 { Vec3::ONE } else { Vec3::new(-2.0, 1.0, 1.0) },
        };
        let bone = bone(&format!("bone {number}"), number.checked_sub(1), Vec3::ZERO);
        builder = builder.add_bone(bone).rest(LocalTransform::Trs(rest));
    }
    for bone in [num_mirrors, 0] {
        builder = builder
            .triangle()
            .normal(Vec3::Z)
            .tangent(Vec4::new(1.0, 0.0, 0.0, 1.0))
            .uvs([(0.1, 0.9), (0.9, 0.9), (0.1, 0.1)].map(Vec2::from))
            .attached_to(bone);
    }
    builder.checked()
}

/// For each triangle of a posed [`mirrored_triangle`] model: whether it faces along its normals, and its
/// bitangent points toward decreasing v.
pub(crate) fn outward(model: &Model) -> Vec<bool> {
    let posed = skin_model(model, &PoseSpec::default());
    let mut out = Vec::new();
    for (mesh, posed) in model.meshes.iter().zip(&posed) {
        for corners in mesh.triangles(0..mesh.indices.len()) {
            let corners = corners.map(|corner| corner as usize);
            let [a, b, c] = corners.map(|corner| posed.positions[corner]);
            let front = (b - a).cross(c - a);
            let [first, ..] = corners;
            let (normal, tangent) = (posed.normals[first], posed.tangents[first]);
            let bitangent = normal.cross(tangent.truncate()) * tangent.w;
            let coords = corners.map(|corner| mesh.uv(corner).unwrap());
            let highest = (0..3).min_by(|a, b| coords[*a].y.total_cmp(&coords[*b].y));
            let top = posed.positions[corners[highest.unwrap()]];
            let below = corners.map(|corner| posed.positions[corner]);
            let up: Vec3 = below.iter().map(|corner| top - *corner).sum();
            out.push(front.dot(normal) > 0.0 && bitangent.dot(up) > 0.0);
        }
    }
    out
}
