//! Local transforms of prims.
//!
//! Source: OpenUSD, `UsdGeomXformable` and `UsdGeomXformOp`. The operations of `xformOpOrder` are matrices for row
//! vectors that are multiplied from the last to the first, so that for column vectors the first one is outermost.

use glam::{DMat4, DQuat, DVec3};
use openusd::sdf::{Path, Value};

use super::attributes::Attributes;
use super::values::{matrix, number, quat, tokens, vec3};

const ORDER: &str = "xformOpOrder";
const RESET: &str = "!resetXformStack!";
const INVERSE: &str = "!invert!";
const PREFIX: &str = "xformOp:";
/// The most operations of a prim.
const MAX_OPERATIONS: usize = 256;

/// The operations of a prim.
#[derive(Debug, Default)]
pub(super) struct Operations {
    list: Vec<Operation>,
    /// Whether transforms of the prim's ancestors don't apply.
    pub(super) resets: bool,
}

#[derive(Debug)]
struct Operation {
    kind: String,
    is_inverse: bool,
    /// The value at the default time.
    default: Option<Parameter>,
    /// Values by time code, ascending.
    keys: Vec<(f64, Parameter)>,
}

/// The value of an operation.
#[derive(Clone, Copy, Debug)]
enum Parameter {
    Number(f64),
    Vector(DVec3),
    Rotation(DQuat),
    Matrix(DMat4),
}

impl Parameter {
    fn of(value: Value) -> Option<Self> {
        if let Some(number) = number(&value) {
            return Some(Self::Number(number));
        }
        let vector = vec3(value.clone()).map(Self::Vector);
        let rotation = || quat(value.clone()).map(Self::Rotation);
        vector.or_else(rotation).or_else(|| matrix(value.clone()).map(Self::Matrix))
    }

    /// The library interpolates as well, but not numbers of text layers that are written without a decimal point.
    fn lerp(self, to: Self, share: f64) -> Self {
        match (self, to) {
            (Self::Number(from), Self::Number(to)) => Self::Number(from + (to - from) * share),
            (Self::Vector(from), Self::Vector(to)) => Self::Vector(from.lerp(to, share)),
            (Self::Rotation(from), Self::Rotation(to)) => Self::Rotation(from.slerp(to, share)),
            (Self::Matrix(from), Self::Matrix(to)) => {
                Self::Matrix(from * (1.0 - share) + to * share)
            }
            (from, _) => from,
        }
    }
}

impl Operations {
    pub(super) fn of(attributes: &Attributes<'_>, prim: &Path) -> Self {
        let order = attributes.value(prim, ORDER).and_then(tokens).unwrap_or_default();
        let mut operations = Self::default();
        for name in order.into_iter().take(MAX_OPERATIONS) {
            if name == RESET {
                // Operations before it don't apply either.
                operations = Self { resets: true, list: Vec::new() };
                continue;
            }
            let (is_inverse, attribute) = match name.strip_prefix(INVERSE) {
                Some(attribute) => (true, attribute),
                None => (false, name.as_str()),
            };
            let Some(kind) = attribute.strip_prefix(PREFIX) else { continue };
            let kind = kind.split(':').next().unwrap_or_default().to_owned();
            let keys = attributes.samples(prim, attribute);
            operations.list.push(Operation {
                kind,
                is_inverse,
                default: attributes.at(prim, attribute, None).and_then(Parameter::of),
                keys: keys
                    .into_iter()
                    .filter_map(|(time, value)| Some((time, Parameter::of(value)?)))
                    .collect(),
            });
        }
        operations
    }

    /// Whether there is any operation.
    pub(super) fn has_effect(&self) -> bool {
        self.resets || !self.list.is_empty()
    }

    /// Whether the transform is one matrix, whose elements are interpolated.
    pub(super) fn is_matrix(&self) -> bool {
        matches!(&self.list[..], [own] if own.kind == "transform")
    }

    /// The time codes of all samples, ascending.
    pub(super) fn times(&self) -> Vec<f64> {
        let own = self.list.iter().flat_map(|own| own.keys.iter().map(|(time, _)| *time));
        let mut times: Vec<f64> = own.collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// `parent_from_prim` at a time code, or the default without one, in which operations without a default have the
    /// value of their first sample.
    pub(super) fn local(&self, time: Option<f64>) -> DMat4 {
        self.list.iter().fold(DMat4::IDENTITY, |outer, own| {
            let inner = own.at(time).and_then(|value| own.matrix(value));
            let inner = inner.unwrap_or(DMat4::IDENTITY);
            outer * if own.is_inverse { inner.inverse() } else { inner }
        })
    }
}

impl Operation {
    fn at(&self, time: Option<f64>) -> Option<Parameter> {
        let first = self.keys.first().map(|(_, value)| *value);
        let Some(time) = time.filter(|_| first.is_some()) else { return self.default.or(first) };
        let next = self.keys.partition_point(|(key, _)| *key <= time);
        let (before, after) =
            (next.checked_sub(1).and_then(|at| self.keys.get(at)), self.keys.get(next));
        match (before, after) {
            (Some((start, from)), Some((end, to))) => {
                Some(from.lerp(*to, (time - start) / (end - start)))
            }
            (Some((_, value)), None) | (None, Some((_, value))) => Some(*value),
            (None, None) => None,
        }
    }

    fn matrix(&self, value: Parameter) -> Option<DMat4> {
        use Parameter::{Matrix, Number, Rotation, Vector};
        if let Some(axes) = self.kind.strip_prefix("rotate") {
            return rotation(axes, value);
        }
        Some(match (self.kind.as_str(), value) {
            ("translate", Vector(by)) => DMat4::from_translation(by),
            ("translateX", Number(by)) => DMat4::from_translation(DVec3::X * by),
            ("translateY", Number(by)) => DMat4::from_translation(DVec3::Y * by),
            ("translateZ", Number(by)) => DMat4::from_translation(DVec3::Z * by),
            ("scale", Vector(by)) => DMat4::from_scale(by),
            ("scaleX", Number(by)) => DMat4::from_scale(DVec3::new(by, 1.0, 1.0)),
            ("scaleY", Number(by)) => DMat4::from_scale(DVec3::new(1.0, by, 1.0)),
            ("scaleZ", Number(by)) => DMat4::from_scale(DVec3::new(1.0, 1.0, by)),
            ("orient", Rotation(by)) if by.length() > 0.0 => DMat4::from_quat(by.normalize()),
            ("transform", Matrix(matrix)) => matrix,
            _ => return None,
        })
    }
}

/// The rotation by degrees about axes, the first one applied first.
fn rotation(axes: &str, value: Parameter) -> Option<DMat4> {
    let about = |axis: char, degrees: f64| match axis {
        'X' => DMat4::from_rotation_x(degrees.to_radians()),
        'Y' => DMat4::from_rotation_y(degrees.to_radians()),
        _ => DMat4::from_rotation_z(degrees.to_radians()),
    };
    let degrees = match value {
        Parameter::Number(degrees) if axes.len() == 1 => {
            return Some(about(axes.chars().next()?, degrees));
        }
        Parameter::Vector(degrees) => degrees,
        _ => return None,
    };
    Some(axes.chars().fold(DMat4::IDENTITY, |inner, axis| {
        let own = match axis {
            'X' => degrees.x,
            'Y' => degrees.y,
            _ => degrees.z,
        };
        about(axis, own) * inner
    }))
}
