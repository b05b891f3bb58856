//! Surfaces around a line of rings, used for all body parts.

use glam::{Vec2, Vec3};

/// A cross section.
#[derive(Clone)]
pub(super) struct Ring {
    pub(super) center: Vec3,
    /// Half axis across, and half axis towards the front.
    pub(super) radii: Vec2,
    /// (bone, weight), the same for all vertices.
    pub(super) weights: Vec<(u32, f32)>,
}

/// A mesh under construction.
#[derive(Default)]
pub(super) struct Shape {
    pub(super) positions: Vec<Vec3>,
    pub(super) uvs: Vec<Vec2>,
    pub(super) weights: Vec<Vec<(u32, f32)>>,
    pub(super) indices: Vec<u32>,
}

impl Shape {
    /// Connects `rings` with `sides` quads each; ends are closed if their radii are zero. Rings are perpendicular to the
    /// line through their centres; `forward` is the direction of their second radius.
    pub(super) fn tube(&mut self, rings: &[Ring], sides: u32, forward: Vec3) {
        let first = self.positions.len();
        let num = rings.len();
        for (at, ring) in rings.iter().enumerate() {
            let before = rings[at.saturating_sub(1)].center;
            let after = rings[(at + 1).min(num - 1)].center;
            let along = (after - before).normalize_or(Vec3::Y);
            let across = along.cross(forward).normalize_or(Vec3::X);
            let front = across.cross(along);
            // One vertex more than sides, because u = 0 and u = 1 are at the same position.
            for side in 0..=sides {
                let turn = side as f32 / sides as f32;
                let (sin, cos) = (turn * std::f32::consts::TAU).sin_cos();
                let offset = across * (sin * ring.radii.x) - front * (cos * ring.radii.y);
                self.positions.push(ring.center + offset);
                self.uvs.push(Vec2::new(turn, 1.0 - at as f32 / (num - 1) as f32));
                self.weights.push(ring.weights.clone());
            }
        }
        let first = u32::try_from(first).unwrap_or(0);
        for ring in 0..u32::try_from(num).unwrap_or(1) - 1 {
            for side in 0..sides {
                let a = first + ring * (sides + 1) + side;
                let (b, c, d) = (a + 1, a + sides + 1, a + sides + 2);
                self.triangle(a, c, b);
                self.triangle(b, c, d);
            }
        }
    }

    /// Adds a triangle unless two of its corners coincide, as at a closed end.
    fn triangle(&mut self, a: u32, b: u32, c: u32) {
        let [pa, pb, pc] = [a, b, c].map(|i| self.positions[i as usize]);
        if pa != pb && pb != pc && pa != pc {
            self.indices.extend([a, b, c]);
        }
    }

    /// An ellipsoid as a tube of `stacks` rings, all moved by one bone.
    pub(super) fn ball(&mut self, center: Vec3, half: Vec3, bone: u32, [sides, stacks]: [u32; 2]) {
        let rings: Vec<Ring> = (0..=stacks)
            .map(|stack| {
                let angle = stack as f32 / stacks as f32 * std::f32::consts::PI;
                let (sin, cos) = angle.sin_cos();
                let sin = if stack == 0 || stack == stacks { 0.0 } else { sin };
                Ring {
                    center: center - Vec3::Y * (cos * half.y),
                    radii: Vec2::new(half.x, half.z) * sin,
                    weights: vec![(bone, 1.0)],
                }
            })
            .collect();
        self.tube(&rings, sides, Vec3::Z);
    }

    /// Removes unused vertices: the last of each closed end.
    pub(super) fn without_unused(self) -> Self {
        let mut numbers = vec![None; self.positions.len()];
        let mut kept = Self::default();
        for &index in &self.indices {
            let old = index as usize;
            let next = u32::try_from(kept.positions.len()).unwrap_or(0);
            let number = *numbers[old].get_or_insert(next);
            if number == next {
                kept.positions.push(self.positions[old]);
                kept.uvs.push(self.uvs[old]);
                kept.weights.push(self.weights[old].clone());
            }
            kept.indices.push(number);
        }
        kept
    }

    /// Smooth normals: the mean of the faces at each position, across seams.
    pub(super) fn normals(&self) -> Vec<Vec3> {
        // Adding zero turns -0 into 0, whose bits differ.
        let key = |p: Vec3| (p * 1e5).round().to_array().map(|f| (f + 0.0).to_bits());
        let mut sums = std::collections::HashMap::new();
        for triangle in self.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| self.positions[triangle[i] as usize]);
            // Not normalised, so that large faces have more weight.
            let face = (b - a).cross(c - a);
            for corner in [a, b, c] {
                *sums.entry(key(corner)).or_insert(Vec3::ZERO) += face;
            }
        }
        let normal = |&p: &Vec3| sums.get(&key(p)).copied().unwrap_or(Vec3::Y);
        self.positions.iter().map(|p| normal(p).normalize_or(Vec3::Y)).collect()
    }
}
