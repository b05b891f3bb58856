//! Computed per-vertex colours or values.

use std::sync::Arc;

/// One entry per vertex, mesh by mesh.
#[derive(Clone, Debug)]
pub enum VertexPaint {
    /// Values shown with the [`heat`] colours; non-finite values are grey.
    Heat {
        /// One value per vertex.
        values: Arc<Vec<f32>>,
        /// The value that starts the scale; it and lower values are blue, for none.
        low: f32,
        /// The value shown as red.
        high: f32,
    },
    /// Opaque sRGB colours.
    Colors(Arc<Vec<[u8; 4]>>),
}

impl PartialEq for VertexPaint {
    /// Whether both share the same data; the contents aren't compared.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Colors(a), Self::Colors(b)) => Arc::ptr_eq(a, b),
            (
                Self::Heat { values, low, high },
                Self::Heat { values: other, low: other_low, high: other_high },
            ) => Arc::ptr_eq(values, other) && low == other_low && high == other_high,
            _ => false,
        }
    }
}

/// Linear RGB for none, little, half and all: the usual colours of weight painting tools.
/// Keep in sync with `shaders/common.wgsl`.
pub const HEAT_STOPS: [[f32; 3]; 4] =
    [[0.02, 0.06, 0.45], [0.03, 0.45, 0.08], [0.80, 0.62, 0.02], [0.78, 0.03, 0.02]];

/// Fraction of the range at which the "little" colour is reached.
const LITTLE: f32 = 0.02;

/// The colour of `value` between `low` and `high`, linear RGB: blue for none, then green, yellow
/// and red; grey if it isn't finite. Keep in sync with `shaders/common.wgsl`.
#[must_use]
pub fn heat(value: f32, low: f32, high: f32) -> [f32; 3] {
    if !value.is_finite() {
        return [0.2; 3];
    }
    let share = ((value - low) / (high - low).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    let [none, little, half, all] = HEAT_STOPS.map(glam::Vec3::from);
    let color = if share < LITTLE {
        none.lerp(little, share / LITTLE)
    } else if share < 0.5 {
        little.lerp(half, (share - LITTLE) / (0.5 - LITTLE))
    } else {
        half.lerp(all, (share - 0.5) * 2.0)
    };
    color.to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_map_ranges_from_blue_to_red() {
        let [none, _, half, all] = HEAT_STOPS;
        assert_eq!(heat(0.0, 0.0, 2.0), none);
        assert_eq!(heat(1.0, 0.0, 2.0), half);
        assert_eq!(heat(9.0, 0.0, 2.0), all);
        assert_eq!(heat(f32::NAN, 0.0, 2.0), [0.2; 3]);
        assert_eq!(heat(0.0, 0.0, 0.0), none);
    }
}
