//! The springs of an avatar: a line per bone, a sphere at its end, and the shapes that springs don't enter.

use glam::{Affine3A, Vec3};

use super::Marks;
use super::marks::Line;
use super::sphere::Sphere;
use crate::model::{Avatar, BoneId, Collider, Model};
use crate::pose::{PoseSpec, sample};

/// Linear RGBA.
const SPRING: [f32; 4] = [1.0, 0.45, 0.05, 1.0];
const COLLIDER: [f32; 4] = [0.1, 0.5, 1.0, 1.0];
const SPRING_POINTS: f32 = 2.0;
const CAPSULE_POINTS: f32 = 1.2;
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
        for collider in avatar.colliders.iter().take(MAX_DRAWN) {
            self.add_collider(collider, &display_from_bone(collider.bone));
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
            let to = segment.tail.map_or(from, at);
            self.lines_on_top.push(Line { from, to, color: SPRING, width_points: SPRING_POINTS });
            // The length of a bone with another scale doesn't change the sphere.
            let sphere = Sphere { center: to, radius: segment.radius * scale };
            self.lines_on_top.extend(sphere.lines(&Affine3A::IDENTITY, SPRING));
        }
    }

    fn add_collider(&mut self, collider: &Collider, display_from_bone: &Affine3A) {
        let Collider { center, tail, radius, .. } = *collider;
        let ends = [Some(center), tail].into_iter().flatten();
        for center in ends {
            let sphere = Sphere { center, radius };
            self.lines_on_top.extend(sphere.lines(display_from_bone, COLLIDER));
        }
        let Some(tail) = tail else { return };
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            for side in [axis * radius, -axis * radius] {
                let at = |point: Vec3| display_from_bone.transform_point3(point + side);
                let (from, to) = (at(center), at(tail));
                let width_points = CAPSULE_POINTS;
                self.lines_on_top.push(Line { from, to, color: COLLIDER, width_points });
            }
        }
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
        let segment = SpringSegment { bone: BoneId(0), tail: Some(BoneId(1)), radius: 0.5 };
        let spring = Spring { name: "hair".into(), segments: vec![segment] };
        let collider =
            Collider { bone: BoneId(1), center: Vec3::X, tail: Some(Vec3::ZERO), radius: 0.25 };
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
    }
}
