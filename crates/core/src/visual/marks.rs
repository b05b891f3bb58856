//! Lines and faces beside the model.

use std::ops::Range;

use glam::Vec3;

/// Length of normals and tangents where nobody has asked for another, in thousandths of the extent
/// of the box around the model.
pub const USUAL_GLYPH_PERMILLE: u16 = 10;

/// A line of even width on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Where it begins, display space.
    pub from: Vec3,
    /// Where it ends, display space.
    pub to: Vec3,
    /// Linear RGBA, straight alpha.
    pub color: [f32; 4],
    /// On the screen.
    pub width_points: f32,
}

/// A triangle, seen from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Display space.
    pub corners: [Vec3; 3],
    /// Linear RGBA, straight alpha.
    pub color: [f32; 4],
}

/// Which of the lines and faces are of a hull.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HullMarks {
    /// Its number.
    pub number: usize,
    /// In [`Marks::faces`].
    pub faces: Range<usize>,
    /// In [`Marks::lines`].
    pub lines: Range<usize>,
    /// In [`Marks::lines_on_top`].
    pub lines_on_top: Range<usize>,
}

/// What is drawn beside the model. For what is small: hulls, boxes, axes, trails. What each vertex
/// has belongs on the GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Hidden by what is before them.
    pub lines: Vec<Line>,
    /// Never hidden.
    pub lines_on_top: Vec<Line>,
    /// See-through, hidden by what is before them, lit a little; opaque ones are flat silhouettes.
    pub faces: Vec<Face>,
    /// What of that is of which hull.
    pub hulls: Vec<HullMarks>,
}

impl Marks {
    /// No marks, for those who have none.
    pub const NONE: &'static Self =
        &Self { lines: Vec::new(), lines_on_top: Vec::new(), faces: Vec::new(), hulls: Vec::new() };

    /// Whether nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.lines_on_top.is_empty() && self.faces.is_empty()
    }

    /// Adds the twelve edges of an upright box.
    pub fn add_box(&mut self, bounds: &crate::model::Aabb, color: [f32; 4], width_points: f32) {
        if bounds.is_empty() {
            return;
        }
        let corner = |number: usize| {
            let pick = |bit: usize, low: f32, high: f32| if number & bit == 0 { low } else { high };
            Vec3::new(
                pick(1, bounds.min.x, bounds.max.x),
                pick(2, bounds.min.y, bounds.max.y),
                pick(4, bounds.min.z, bounds.max.z),
            )
        };
        for from in 0..8usize {
            for bit in [1, 2, 4] {
                if from & bit == 0 {
                    self.lines.push(Line {
                        from: corner(from),
                        to: corner(from | bit),
                        color,
                        width_points,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Aabb;

    #[test]
    fn a_box_has_twelve_edges_along_the_axes() {
        let mut marks = Marks::default();
        let bounds = Aabb::from_points([Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)]);
        marks.add_box(&bounds, [1.0; 4], 1.0);
        assert_eq!(marks.lines.len(), 12);
        let length: f32 = marks.lines.iter().map(|l| l.from.distance(l.to)).sum();
        assert_eq!(length, 4.0 * (1.0 + 2.0 + 3.0));
        marks.add_box(&Aabb::EMPTY, [1.0; 4], 1.0);
        assert_eq!(marks.lines.len(), 12);
        assert!(!marks.is_empty() && Marks::NONE.is_empty());
    }
}
