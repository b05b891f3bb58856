//! Euler angles in the nine orders of 3ds Max.
//!
//! Source: Max SDK `euler.h` ("all orderings are static axis") after Shoemake, "Euler angle conversion",
//! Graphics Gems IV. The angles are in the order of the letters; the rotation of the first letter is applied
//! first, about static axes.

use glam::{DMat3, DVec3};

/// The nine orders, as the letters of their axes.
const ORDERS: [&str; 9] = ["xyz", "xzy", "yzx", "yxz", "zxy", "zyx", "xyx", "yzy", "zxz"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order([Axis; 3]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn rotation(self, angle_rad: f64) -> DMat3 {
        let axis = match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        };
        DMat3::from_axis_angle(axis, angle_rad)
    }
}

impl Order {
    /// The order with that lower-case name.
    pub(super) fn of(name: &str) -> Option<Self> {
        if !ORDERS.contains(&name) {
            return None;
        }
        let mut axes = [Axis::X; 3];
        for (axis, letter) in axes.iter_mut().zip(name.chars()) {
            *axis = match letter {
                'x' => Axis::X,
                'y' => Axis::Y,
                _ => Axis::Z,
            };
        }
        Some(Self(axes))
    }

    /// The rotation as a matrix that maps columns. With `is_rotating` the axes rotate too, which equals the
    /// reverse order.
    pub(super) fn matrix(self, angles_rad: [f64; 3], is_rotating: bool) -> DMat3 {
        let [a, b, c] = self.0;
        let [alpha, beta, gamma] = angles_rad;
        let (first, second, third) = (a.rotation(alpha), b.rotation(beta), c.rotation(gamma));
        if is_rotating { first * second * third } else { third * second * first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Angles of a matrix, found by refining a grid search: slow, but apart from the rotation about one axis
    /// independent of the code under test.
    fn angles_of(matrix: DMat3, order: Order) -> [f64; 3] {
        let miss = |angles| {
            let made = order.matrix(angles, false);
            (0..3).map(|c| (made.col(c) - matrix.col(c)).length_squared()).sum::<f64>()
        };
        let mut best = [0.0; 3];
        for step in 0..12 * 12 * 12 {
            let angle = |at: i32| f64::from(at % 12) * std::f64::consts::TAU / 12.0;
            let tried = [angle(step), angle(step / 12), angle(step / 144)];
            if miss(tried) < miss(best) {
                best = tried;
            }
        }
        let mut width = 0.3;
        while width > 1e-9 {
            let before = best;
            for axis in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut tried = best;
                    tried[axis] += sign * width;
                    if miss(tried) < miss(best) {
                        best = tried;
                    }
                }
            }
            if best == before {
                width /= 2.0;
            }
        }
        best
    }

    #[test]
    fn rotations_round_trip_through_every_euler_order() {
        let rotation = DMat3::from_axis_angle(DVec3::new(0.48, -0.6, 0.64), 1.1);
        for name in ORDERS {
            let order = Order::of(name).unwrap();
            let made = order.matrix(angles_of(rotation, order), false);
            assert!(made.abs_diff_eq(rotation, 1e-6), "{name}");
        }
        assert!(Order::of("xxy").is_none() && Order::of("xy").is_none());
    }

    #[test]
    fn static_axes_rotate_in_the_order_of_the_letters() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let order = Order::of("xzy").unwrap();
        // The rotation about x moves Y to Z; z doesn't move it; y moves it to X.
        let rotated = order.matrix([quarter, quarter, quarter], false) * DVec3::Y;
        assert!(rotated.abs_diff_eq(DVec3::X, 1e-12), "{rotated}");
        let other = Order::of("yzx").unwrap();
        let [a, b, c] = [0.3, -0.7, 1.9];
        let rotating = other.matrix([c, b, a], true);
        assert!(rotating.abs_diff_eq(order.matrix([a, b, c], false), 1e-12));
    }
}
