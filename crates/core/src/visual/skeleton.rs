//! Colours of bones, and additional lines about them.

use glam::{Affine3A, Vec3};

use super::{Line, Marks, SELECTED};
use crate::model::{BoneId, IdVec, Skeleton};

/// Linear RGB of bones that move vertices.
pub const DEFORMING_BONE: [f32; 3] = [0.22, 0.46, 0.78];
/// Linear RGB of bones that move no vertices.
pub const OTHER_BONE: [f32; 3] = [0.30, 0.30, 0.30];
/// Linear RGB of the bones from the selected one to its root.
pub const BONE_ON_PATH: [f32; 3] = [0.90, 0.66, 0.08];
/// Linear RGB of the bone that the selected one is compared with.
pub const LOCKED_BONE: [f32; 3] = [0.50, 0.12, 0.80];
/// Linear RGB of the skeleton in the rest pose.
pub const REST_SKELETON: [f32; 3] = [0.08, 0.75, 0.28];
/// Linear RGB of the skeleton in the bind pose.
pub const BIND_SKELETON: [f32; 3] = [0.85, 0.14, 0.60];
/// The skeleton that a clip was made for.
pub const SOURCE_SKELETON: [f32; 3] = [0.95, 0.62, 0.10];
/// Linear RGB of bone boxes.
pub const BONE_BOX: [f32; 3] = [0.62, 0.36, 0.20];
/// Linear RGB of a bone's motion path.
pub const MOTION_PATH: [f32; 3] = [0.05, 0.75, 0.85];
/// Linear RGB of the centre of a bone's influence.
pub const INFLUENCE_CENTER: [f32; 3] = [1.0, 1.0, 1.0];
/// Linear RGB of the x, y and z axes.
pub const AXES: [[f32; 3]; 3] = [[0.80, 0.05, 0.06], [0.12, 0.55, 0.05], [0.08, 0.22, 0.85]];

/// A colour per bone: by whether it moves vertices, and by its relation to the `selected` one.
#[must_use]
pub fn bone_colors(
    skeleton: &Skeleton,
    is_used: &IdVec<BoneId, bool>,
    selected: Option<BoneId>,
    locked: Option<BoneId>,
) -> Vec<[f32; 3]> {
    let color = |&is_used: &bool| if is_used { DEFORMING_BONE } else { OTHER_BONE };
    let mut colors: IdVec<_, _> = is_used.iter().map(color).collect();
    let mut put = |bone: BoneId, color| {
        if let Some(entry) = colors.get_mut(bone) {
            *entry = color;
        }
    };
    let bones = skeleton.bones();
    let parent = |bone: BoneId| bones.get(bone).and_then(|info| info.parent);
    let mut above = selected.and_then(parent);
    while let Some(bone) = above {
        put(bone, BONE_ON_PATH);
        above = parent(bone);
    }
    if let Some(bone) = locked {
        put(bone, LOCKED_BONE);
    }
    if let Some(bone) = selected {
        put(bone, SELECTED);
    }
    colors.into_vec()
}

/// `rgb` with alpha 1.
#[must_use]
pub fn opaque([r, g, b]: [f32; 3]) -> [f32; 4] {
    [r, g, b, 1.0]
}

impl Marks {
    /// Adds the x, y and z axes of `display_from_bone` in red, green and blue, each with `length`
    /// regardless of scale.
    pub(super) fn add_axes(&mut self, display_from_bone: &Affine3A, length: f32) {
        let from: Vec3 = display_from_bone.translation.into();
        let m = display_from_bone.matrix3;
        for (axis, color) in [m.x_axis, m.y_axis, m.z_axis].into_iter().zip(AXES) {
            let along = Vec3::from(axis).normalize_or_zero();
            if along != Vec3::ZERO {
                self.lines_on_top.push(Line {
                    from,
                    to: from + along * length,
                    color: opaque(color),
                    width_points: 2.0,
                });
            }
        }
    }

    /// Adds a cross of three short lines at `at`, visible from all sides.
    pub fn add_cross(&mut self, at: Vec3, half: f32, color: [f32; 4], width_points: f32) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            self.lines_on_top.push(Line {
                from: at - axis * half,
                to: at + axis * half,
                color,
                width_points,
            });
        }
    }

    /// Adds the twelve edges of a bone's box, which starts at the bone's origin along x and is
    /// centred on it along y and z.
    pub fn add_bone_box(&mut self, display_from_bone: &Affine3A, size: Vec3, color: [f32; 4]) {
        let corner = |number: usize| {
            let share = |bit: usize| if number & bit == 0 { 0.0 } else { 1.0 };
            let at = Vec3::new(share(1), share(2) - 0.5, share(4) - 0.5);
            display_from_bone.transform_point3(at * size)
        };
        for from in 0..8usize {
            for bit in [1, 2, 4] {
                if from & bit == 0 {
                    self.lines_on_top.push(Line {
                        from: corner(from),
                        to: corner(from | bit),
                        color,
                        width_points: 1.2,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bone;

    #[test]
    fn bones_are_coloured_by_use_and_relation_to_the_selection() {
        let bone = |parent: Option<u32>| Bone { parent: parent.map(BoneId), ..Bone::default() };
        let bones = [None, Some(0), Some(1), Some(0)].map(bone);
        let skeleton = Skeleton::new(bones.into(), true).unwrap();
        let used = vec![false, true, true, true].into();
        let plain = bone_colors(&skeleton, &used, None, None);
        assert_eq!(plain[..2], [OTHER_BONE, DEFORMING_BONE]);
        let colors = bone_colors(&skeleton, &used, Some(BoneId(2)), Some(BoneId(3)));
        let wanted = [BONE_ON_PATH, BONE_ON_PATH, SELECTED, LOCKED_BONE];
        assert_eq!(colors, wanted);
    }

    #[test]
    fn axes_ignore_scale_and_a_box_starts_at_the_bone() {
        let mut marks = Marks::default();
        let scaled = Affine3A::from_scale(Vec3::new(5.0, 0.1, 0.0));
        marks.add_axes(&scaled, 2.0);
        assert_eq!(marks.lines_on_top.len(), 2, "an axis without length has no line");
        for line in &marks.lines_on_top {
            assert!((line.from.distance(line.to) - 2.0).abs() < 1e-5);
        }
        let mut marks = Marks::default();
        marks.add_bone_box(&Affine3A::IDENTITY, Vec3::new(4.0, 2.0, 2.0), [1.0; 4]);
        assert_eq!(marks.lines_on_top.len(), 12);
        let lines = marks.lines_on_top.iter();
        let ends = lines.flat_map(|line| [line.from, line.to]);
        let bounds = crate::model::Aabb::from_points(ends);
        assert_eq!(bounds.min, Vec3::new(0.0, -1.0, -1.0));
        assert_eq!(bounds.max, Vec3::new(4.0, 1.0, 1.0));
    }
}
