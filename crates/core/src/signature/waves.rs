//! Sums of waves over points.

use glam::DVec3;

/// Wavelength in units of the model's size.
pub(super) const WAVELENGTH: f64 = 3e-4;

/// Perpendicular directions that aren't parallel to the axes or to symmetry planes of usual models.
const DIRECTIONS: [DVec3; 3] = [
    DVec3::new(0.749_085, 0.406_169, 0.523_353),
    DVec3::new(-0.652_222, 0.590_607, 0.475_174),
    DVec3::new(-0.116_095, -0.697_288, 0.707_327),
];

/// The directions in which samples are farthest out.
pub(super) const OUTWARD: [DVec3; 4] = [
    DVec3::new(0.577, 0.603, 0.551),
    DVec3::new(0.563, -0.589, -0.580),
    DVec3::new(-0.601, 0.567, -0.563),
    DVec3::new(-0.571, -0.557, 0.603),
];

/// Waves of weighted points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waves(pub(super) [f64; 6]);

impl Waves {
    /// Adds a point in units of the size.
    pub(super) fn add(&mut self, point: DVec3, weight: f64) {
        for (direction, sum) in DIRECTIONS.iter().zip(self.0.as_chunks_mut::<2>().0) {
            let (sin, cos) = angle(direction.dot(point)).sin_cos();
            sum[0] += cos * weight;
            sum[1] += sin * weight;
        }
    }

    pub(super) fn plus(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(sum, other)| *sum += other);
        self
    }
}

/// One wave of points with phases: along all three directions in turn, so that no motion leaves it unchanged.
pub(super) fn add_phased(sum: &mut [f64; 2], point: DVec3, phase: f64, weight: f64) {
    for (turn, direction) in DIRECTIONS.iter().enumerate() {
        let (sin, cos) = (angle(direction.dot(point)) + phase * (turn + 1) as f64).sin_cos();
        sum[0] += cos * weight;
        sum[1] += sin * weight;
    }
}

/// The phase of a coordinate. Reduced before it is multiplied, which would lose digits.
fn angle(coordinate: f64) -> f64 {
    let waves = coordinate / WAVELENGTH;
    (waves - waves.floor()) * std::f64::consts::TAU
}

/// The phase of a name, 0 to 2π: FNV-1a, which is stable across versions and platforms.
pub(super) fn phase_of(name: &str) -> f64 {
    f64::from(hash_of(name)) / f64::from(u32::MAX) * std::f64::consts::TAU
}

/// FNV-1a with 32 bits (Fowler, Noll, Vo).
pub(super) fn hash_of(text: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_perpendicular_unit_vectors() {
        for (at, direction) in DIRECTIONS.iter().enumerate() {
            assert!((direction.length() - 1.0).abs() < 1e-3, "{direction}");
            for other in &DIRECTIONS[at + 1..] {
                assert!(direction.dot(*other).abs() < 1e-3, "{direction} {other}");
            }
        }
    }
}
