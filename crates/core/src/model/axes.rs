//! The file's axes and unit as data, and the only code that converts file space to display space.
//!
//! Display space is right-handed, Y up, in metres if the file states its unit and in file units
//! otherwise.

use std::borrow::Cow;

use glam::{Affine3A, Mat3, Vec3};

/// Which file axis points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpAxis {
    /// Y is up, as in display space.
    Y,
    /// Z is up; a point (x, z, -y) in display space.
    Z,
}

/// Handedness of the file's axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handedness {
    /// As display space.
    Right,
    /// Converting to display space negates x and reverses the winding.
    Left,
}

/// Order of a front face's corners in the stored numbers, whatever the handedness:
/// counter-clockwise if `(b - a) x (c - a)` points outward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Winding {
    /// As in display space.
    #[default]
    CounterClockwise,
    /// The reverse of display space.
    Clockwise,
}

/// How a file's coordinates relate to display space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// The axis that points up.
    pub up: UpAxis,
    /// Handedness of the stored coordinates.
    pub handedness: Handedness,
    /// Order of a front face's corners.
    pub winding: Winding,
    /// Metres per file unit; `None` if the format doesn't state it.
    pub unit_meters: Option<f64>,
    /// The model's front is at -Z of display space (VRM 0), so that it is turned about Y.
    pub faces_backward: bool,
}

impl Default for Axes {
    fn default() -> Self {
        Self {
            up: UpAxis::Y,
            handedness: Handedness::Right,
            winding: Winding::CounterClockwise,
            unit_meters: None,
            faces_backward: false,
        }
    }
}

impl Axes {
    /// Display units per unit of the file: metres, or 1 if the file doesn't state its unit.
    pub fn display_units_per_file_unit(&self) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "a unit needs no 53 bits")]
        let units = self.unit_meters.unwrap_or(1.0) as f32;
        units
    }

    /// The same axes, in the unit of `other` unless both files state their unit.
    #[must_use]
    pub fn in_unit_of(self, other: &Self) -> Self {
        let is_stated = self.unit_meters.is_some() && other.unit_meters.is_some();
        Self { unit_meters: if is_stated { self.unit_meters } else { other.unit_meters }, ..self }
    }

    /// Transforms file space to that of a file with other axes, so that both are displayed alike.
    #[must_use]
    pub fn change_to(&self, other: &Self) -> Affine3A {
        other.display_from_file().inverse() * self.display_from_file()
    }

    /// Transforms file space to display space.
    pub fn display_from_file(&self) -> Affine3A {
        let rotated = match self.up {
            UpAxis::Y => Mat3::IDENTITY,
            UpAxis::Z => Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y),
        };
        let handed = match self.handedness {
            Handedness::Right => Mat3::IDENTITY,
            Handedness::Left => Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0)),
        };
        let scale = self.display_units_per_file_unit();
        let turned = if self.faces_backward {
            Mat3::from_diagonal(Vec3::new(-1.0, 1.0, -1.0))
        } else {
            Mat3::IDENTITY
        };
        Affine3A::from_mat3(turned * handed * rotated * scale)
    }

    /// Name of the file's length unit: `cm`, `units of 0.05 m`, or `units` if it isn't stated.
    pub fn unit_name(&self) -> Cow<'static, str> {
        const NAMES: [(f64, &str); 6] =
            [(1.0, "m"), (0.01, "cm"), (0.001, "mm"), (0.0254, "in"), (0.3048, "ft"), (1e3, "km")];
        let Some(unit) = self.unit_meters else { return "units".into() };
        // Some formats state the unit as a 32-bit float.
        let named = NAMES.iter().find(|(meters, _)| (unit - meters).abs() <= 1e-6 * meters);
        named.map_or_else(|| format!("units of {unit} m").into(), |(_, name)| (*name).into())
    }

    /// Whether triangles must be reversed to keep winding counter-clockwise in display space.
    pub fn reverses_winding(&self) -> bool {
        self.is_mirrored() != (self.winding == Winding::Clockwise)
    }

    /// Whether display space mirrors the stored coordinates, which flips bitangents.
    pub fn is_mirrored(&self) -> bool {
        self.handedness == Handedness::Left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_units_have_names() {
        let name = |unit_meters| Axes { unit_meters, ..Axes::default() }.unit_name().into_owned();
        assert_eq!(name(None), "units");
        assert_eq!(name(Some(0.01)), "cm");
        assert_eq!(name(Some(f64::from(0.0254f32))), "in");
        assert_eq!(name(Some(0.05)), "units of 0.05 m");
    }

    #[test]
    fn z_up_becomes_x_z_minus_y() {
        let axes = Axes { up: UpAxis::Z, ..Axes::default() };
        let shown = axes.display_from_file().transform_point3(Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(shown, Vec3::new(1.0, 3.0, -2.0));
    }
}
