//! Directions of a block of vertices, one array a component, so that compilers work on several vertices at once.
//!
//! Not for: how directions follow a matrix (`normals`). To the bit the same as one by one.

use glam::Vec3A;

use crate::model::SNORM10_MAX;

/// Vertices of a block: what a first-level cache holds with all that is known of them.
pub(super) const BLOCK: usize = 64;

/// One direction a vertex.
pub(super) struct Directions {
    x: [f32; BLOCK],
    y: [f32; BLOCK],
    z: [f32; BLOCK],
}

impl Directions {
    /// All zero.
    pub(super) const ZERO: Self = Self { x: [0.0; BLOCK], y: [0.0; BLOCK], z: [0.0; BLOCK] };

    /// What packed vertices hold: see [`crate::model::unpack_snorm1010102`].
    #[inline]
    pub(super) fn unpack_snorm1010102(&mut self, words: &[u32; BLOCK]) {
        for (components, shift) in [(&mut self.x, 22), (&mut self.y, 12), (&mut self.z, 2)] {
            for (component, word) in components.iter_mut().zip(words) {
                #[expect(clippy::cast_possible_wrap, reason = "the bits are two's complement")]
                let steps = (word << shift) as i32 >> 22;
                *component = larger(steps as f32 / SNORM10_MAX, -1.0);
            }
        }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Vec3A {
        Vec3A::new(self.x[at], self.y[at], self.z[at])
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize, direction: Vec3A) {
        [self.x[at], self.y[at], self.z[at]] = direction.to_array();
    }

    /// Gives each unit length, or makes it zero: see [`super::normals::unit_or_zero`].
    #[inline]
    pub(super) fn make_unit(&mut self) {
        for ((x, y), z) in self.x.iter_mut().zip(&mut self.y).zip(&mut self.z) {
            let largest = larger(larger(x.abs(), z.abs()), larger(y.abs(), z.abs()));
            let [scaled_x, scaled_y, scaled_z] = [*x / largest, *y / largest, *z / largest];
            let squared = scaled_x * scaled_x + scaled_y * scaled_y + scaled_z * scaled_z;
            let reciprocal = 1.0 / squared.sqrt();
            let is_sound = is_positive(largest) & is_positive(reciprocal);
            let unit = |scaled: f32| if is_sound { scaled * reciprocal } else { 0.0 };
            [*x, *y, *z] = [unit(scaled_x), unit(scaled_y), unit(scaled_z)];
        }
    }
}

/// Whether `x` is over zero, and a number.
#[inline]
fn is_positive(x: f32) -> bool {
    (x > 0.0) & (x < f32::INFINITY)
}

/// As one instruction of most processors has it, and other than [`f32::max`] where one is no number.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::unpack_snorm1010102;
    use crate::pose::normals::unit_or_zero;

    #[test]
    fn every_word_is_unpacked_as_by_itself() {
        let mut all = Directions::ZERO;
        for first in (0..=u32::MAX - 40_000_003).step_by(40_000_003) {
            let words = std::array::from_fn(|at| {
                let step = u32::try_from(at).unwrap_or_default();
                first.wrapping_add(step.wrapping_mul(620_001))
            });
            all.unpack_snorm1010102(&words);
            for (at, word) in words.into_iter().enumerate() {
                assert_eq!(all.get(at), Vec3A::from_vec4(unpack_snorm1010102(word)), "{word:x}");
            }
        }
    }

    #[test]
    fn lengths_are_one_or_nothing_to_the_bit_as_one_by_one() {
        let few = [0.0, -0.0, 1.0, -1.5, 1e-30, -1e-45, 3e38, f32::MAX, 7e-20, f32::INFINITY];
        let mut random = 1u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match random >> 28 {
                0..4 => few[(random >> 8) as usize % few.len()],
                4 => f32::NAN,
                _ => f32::from_bits(random.rotate_left(7)),
            }
        };
        for _ in 0..2000 {
            let mut all = Directions::ZERO;
            let wanted: Vec<_> = (0..BLOCK).map(|_| Vec3A::new(next(), next(), next())).collect();
            for (at, direction) in wanted.iter().enumerate() {
                all.set(at, *direction);
            }
            all.make_unit();
            for (at, direction) in wanted.into_iter().enumerate() {
                let unit = unit_or_zero(direction);
                let bits = |v: Vec3A| v.to_array().map(f32::to_bits);
                assert_eq!(bits(all.get(at)), bits(unit), "{direction}");
            }
        }
    }
}
