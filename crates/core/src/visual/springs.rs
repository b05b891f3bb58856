//! The springs of an avatar: a line per bone, a sphere at its end, and the shapes that springs don't enter.

use glam::{Affine3A, Vec3};

use super::Marks;
use super::marks::Line;
use super::sphere::Sphere;
use crate::model::{Aabb, Avatar, BoneId, Collider, ColliderShape, Model};
use crate::pose::{PoseSpec, sample};

/// Linear RGBA.
const SPRING: [f32; 4] = [1.0, 0.45, 0.05, 1.0];
const COLLIDER: [f32; 4] = [0.1, 0.5, 1.0, 1.0];
const SPRING_POINTS: f32 = 2.0;
const CAPSULE_POINTS: f32 = 1.2;
/// Side of the visible part of a plane, relative to the size of the skeleton.
const PLANE_SIZE: f32 = 0.5;
/// More springs than this would hide the model and take long.
const MAX_DRAWN: usize = 2048;

impl Marks {
    /// Adds the springs and colliders of the model in a pose.
    pub(super) fn add_springs(&mut self, model: &Model, spec: &PoseSpec) {
        let Some(avatar) = &model.avatar else { return };
        let pose = sample(model, spec);
        // Poses of baked keys have no bones.
        if pose.model_from_bone.len() < model.skeleton.len() {
            return;
        }
        let display_from_file = model.axes.display_from_file();
        let display_from_bone = |bone: BoneId| display_from_file * pose.model_from_bone[bone];
        self.add_segments(avatar, &display_from_file, display_from_bone);
        let heads = pose.model_from_bone.iter().map(|bone| Vec3::from(bone.translation));
        let heads = heads.map(|head| display_from_file.transform_point3(head));
        let size = Aabb::from_points(heads).extent();
        for collider in avatar.colliders.iter().take(MAX_DRAWN) {
            self.add_collider(collider, &display_from_bone(collider.bone), size);
        }
    }

    fn add_segments(
        &mut self,
        avatar: &Avatar,
        display_from_file: &Affine3A,
        display_from_bone: impl Fn(BoneId) -> Affine3A,
    ) {
        let scale = display_from_file.matrix3.x_axis.length();
        let segments = avatar.springs.iter().flat_map(|spring| &spring.segments);
        for segment in segments.take(MAX_DRAWN) {
            let at = |bone: BoneId| Vec3::from(display_from_bone(bone).translation);
            let from = at(segment.bone);
            let to = segment.tail.map_or_else(
                || display_from_bone(segment.bone).transform_point3(segment.tail_offset),
                at,
            );
            self.lines_on_top.push(Line { from, to, color: SPRING, width_points: SPRING_POINTS });
            // The length of a bone with another scale doesn't change the sphere.
            let sphere = Sphere { center: to, radius: segment.radius * scale };
            self.lines_on_top.extend(sphere.lines(&Affine3A::IDENTITY, SPRING));
        }
    }

    fn add_collider(&mut self, collider: &Collider, display_from_bone: &Affine3A, size: f32) {
        let center = collider.center;
        let sphere = |center: Vec3, radius: f32| {
            Sphere { center, radius }.lines(display_from_bone, COLLIDER)
        };
        match collider.shape {
            ColliderShape::Sphere { radius } => self.lines_on_top.extend(sphere(center, radius)),
            ColliderShape::Capsule { radius, tail } => {
                self.lines_on_top.extend(sphere(center, radius));
                self.lines_on_top.extend(sphere(tail, radius));
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    for side in [axis * radius, -axis * radius] {
                        self.add_line(display_from_bone, center + side, tail + side);
                    }
                }
            }
            ColliderShape::Plane { normal } => {
                let scale = display_from_bone.matrix3.x_axis.length();
                if !(scale > 0.0 && normal.is_normalized()) {
                    return;
                }
                // A part of the plane as large as the model, and the side on which springs stay.
                let (right, up) = normal.any_orthonormal_pair();
                let half = 0.5 * PLANE_SIZE * size / scale;
                let [right, up] = [right * half, up * half];
                let corners = [right + up, up - right, -right - up, right - up];
                for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                    self.add_line(display_from_bone, center + *from, center + *to);
                }
                self.add_line(display_from_bone, center, center + normal * half);
            }
        }
    }

    /// A line of a collider, in the space of its bone.
    fn add_line(&mut self, display_from_bone: &Affine3A, from: Vec3, to: Vec3) {
        let [from, to] = [from, to].map(|point| display_from_bone.transform_point3(point));
        self.lines_on_top.push(Line { from, to, color: COLLIDER, width_points: CAPSULE_POINTS });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::ModelBuilder;
    use crate::model::{Spring, SpringSegment};

    #[test]
    fn springs_are_lines_between_bones_with_spheres_at_their_ends() {
        let bones = [("root", None, Vec3::ZERO), ("tip", Some(0), Vec3::Y)];
        let mut model = ModelBuilder::new().bones(&bones).quad(Vec3::ZERO).checked();
        let segment = SpringSegment {
            bone: BoneId(0),
            tail: Some(BoneId(1)),
            tail_offset: Vec3::ZERO,
            radius: 0.5,
        };
        let spring = Spring { name: "hair".into(), segments: vec![segment] };
        let shape = ColliderShape::Capsule { radius: 0.25, tail: Vec3::ZERO };
        let collider = Collider { bone: BoneId(1), center: Vec3::X, shape };
        model.avatar = Some(Box::new(Avatar {
            springs: vec![spring],
            colliders: vec![collider],
            ..Avatar::default()
        }));
        let mut marks = Marks::default();
        marks.add_springs(&model, &PoseSpec::default());
        let of = |color: [f32; 4]| {
            let lines = marks.lines_on_top.iter();
            lines.filter(move |line| line.color == color).map(|line| line.from)
        };
        let spring: Vec<_> = of(SPRING).collect();
        assert_eq!(spring[0], Vec3::ZERO);
        assert!(spring[1..].iter().all(|from| (from.distance(Vec3::Y) - 0.5).abs() < 1e-5));
        let (a, b) = (Vec3::new(1.0, 1.0, 0.0), Vec3::Y);
        let near = |from: Vec3| from.distance(a).min(from.distance(b));
        assert!(of(COLLIDER).all(|from| (near(from) - 0.25).abs() < 1e-5));
        // A plane is a square with a line along its normal.
        let shape = ColliderShape::Plane { normal: Vec3::Y };
        let plane = Collider { bone: BoneId(1), center: Vec3::ZERO, shape };
        if let Some(avatar) = &mut model.avatar {
            avatar.colliders = vec![plane];
        }
        let mut marks = Marks::default();
        marks.add_springs(&model, &PoseSpec::default());
        let lines: Vec<_> = marks.lines_on_top.iter().filter(|l| l.color == COLLIDER).collect();
        assert_eq!(lines.len(), 5);
        assert!(lines[..4].iter().all(|line| (line.from.y - 1.0).abs() < 1e-6));
        assert!(lines[4].to.y > 1.1);
    }
}
