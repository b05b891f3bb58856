//! Lines and faces drawn in addition to the model.

use std::ops::Range;

use glam::Vec3;

/// Default length of normals and tangents, in thousandths of the size of the model's box.
pub const USUAL_GLYPH_PERMILLE: u16 = 10;

/// A line of constant width on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Start, in display space.
    pub from: Vec3,
    /// End, in display space.
    pub to: Vec3,
    /// Linear RGBA, straight alpha.
    pub color: [f32; 4],
    /// Width on the screen, in points.
    pub width_points: f32,
}

/// A two-sided triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Corners in display space.
    pub corners: [Vec3; 3],
    /// Linear RGBA, straight alpha.
    pub color: [f32; 4],
}

/// The lines and faces that belong to a hull.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HullMarks {
    /// Index of the hull.
    pub number: usize,
    /// Range in [`Marks::faces`].
    pub faces: Range<usize>,
    /// Range in [`Marks::lines`].
    pub lines: Range<usize>,
    /// Range in [`Marks::lines_on_top`].
    pub lines_on_top: Range<usize>,
}

/// Drawn in addition to the model. For small numbers of elements: hulls, boxes, axes, motion paths.
/// Per-vertex elements are generated on the GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Hidden by surfaces in front.
    pub lines: Vec<Line>,
    /// Never hidden.
    pub lines_on_top: Vec<Line>,
    /// Translucent faces are hidden by surfaces in front and lit slightly; opaque ones are flat
    /// silhouettes.
    pub faces: Vec<Face>,
    /// The elements of each hull.
    pub hulls: Vec<HullMarks>,
}

impl Marks {
    /// An empty instance, for callers without marks.
    pub const NONE: &'static Self =
        &Self { lines: Vec::new(), lines_on_top: Vec::new(), faces: Vec::new(), hulls: Vec::new() };

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.lines_on_top.is_empty() && self.faces.is_empty()
    }

    /// Adds the twelve edges of an axis-aligned box.
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
