//! Triangulates faces, with the same triangles as ufbx, in its order.
//!
//! A quad is cut along the shorter diagonal, unless that leads outside. A larger polygon is projected along its
//! normal, and ears are clipped: of two neighbouring corners, the one whose triangle has the larger smallest angle
//! is tried first. Source: D. Eberly, "Triangulation by Ear Clipping", 2002. Triangles are in the order of the
//! corners that were clipped.
//!
//! Not for: polygons with very many corners, or that need too many steps ([`super::triangulate`]).

use glam::{DVec2, DVec3};

/// Vectors up to this length have no direction: the square root of the smallest normal number, as in ufbx.
const MIN_LENGTH: f64 = 1.491_668_146_240_041_3e-154;
/// The most points to test per corner.
const TESTS_PER_CORNER: usize = 1024;

/// The two triangles of a quad, as its corners.
#[must_use]
pub fn quad(corners: [DVec3; 4]) -> [[usize; 3]; 2] {
    let [v0, v1, v2, v3] = corners;
    let (a, b) = (v2 - v0, v3 - v1);
    let facing = |diagonal: DVec3, one: DVec3, other: DVec3| {
        unit(diagonal.cross(one)).dot(unit(diagonal.cross(other)))
    };
    // Negative if both other corners are on the same side.
    let (facing_a, facing_b) = (facing(a, v1 - v0, v0 - v3), facing(b, v1 - v0, v2 - v1));
    let is_along_a =
        if facing_a < 0.0 || facing_b < 0.0 { facing_a >= facing_b } else { a.dot(a) <= b.dot(b) };
    if is_along_a { [[0, 1, 2], [2, 3, 0]] } else { [[1, 2, 3], [3, 0, 1]] }
}

fn unit(v: DVec3) -> DVec3 {
    let len = v.dot(v).sqrt();
    if len > MIN_LENGTH { v * (1.0 / len) } else { DVec3::ZERO }
}

/// The triangles of a polygon of at least five corners with that normal, of any length; `None` if they aren't
/// found soon.
#[must_use]
pub fn clip_ears(corners: &[DVec3], normal: DVec3) -> Option<Vec<[usize; 3]>> {
    if corners.len() < 5 {
        return None;
    }
    let mut ring = Ring::of(corners, normal);
    let some_corner = ring.clip_ears()?;
    Some(ring.finish(some_corner))
}

/// The remaining corners of a polygon.
struct Ring {
    points: Vec<DVec2>,
    /// Corners that weren't convex at first, by their x coordinate. Only these can be in a triangle.
    reflex: Vec<usize>,
    previous: Vec<usize>,
    next: Vec<usize>,
    /// For each clipped corner, its neighbours at the time.
    clipped: Vec<Option<[usize; 2]>>,
    num_left: usize,
    tests_left: usize,
}

impl Ring {
    fn of(corners: &[DVec3], normal: DVec3) -> Self {
        let len = normal.dot(normal).sqrt();
        let normal = if len > MIN_LENGTH { normal * (1.0 / len) } else { DVec3::X };
        let other = if normal.x * normal.x < 0.5 { DVec3::X } else { DVec3::Y };
        let u = unit(other.cross(normal));
        let v = unit(normal.cross(u));
        let points: Vec<DVec2> =
            (corners.iter()).map(|corner| DVec2::new(u.dot(*corner), v.dot(*corner))).collect();
        let num = points.len();
        let mut ring = Self {
            previous: std::iter::once(num - 1).chain(0..num - 1).collect(),
            next: (1..num).chain([0]).collect(),
            clipped: vec![None; num],
            num_left: num,
            tests_left: num.saturating_mul(TESTS_PER_CORNER),
            reflex: Vec::new(),
            points,
        };
        let turn = |at: usize| ring.orient([ring.previous[at], at, ring.next[at]]);
        let mut reflex: Vec<usize> = (0..num).filter(|&at| turn(at) <= 0.0).collect();
        reflex.sort_by(|a, b| ring.points[*a].x.total_cmp(&ring.points[*b].x));
        ring.reflex = reflex;
        ring
    }

    fn orient(&self, corners: [usize; 3]) -> f64 {
        orient(corners.map(|at| self.points[at]))
    }

    /// Clips ears while there are any; returns a remaining corner.
    fn clip_ears(&mut self) -> Option<usize> {
        let mut window = [0, 1, 2, 3];
        let mut num_passed = 0;
        while self.num_left > 3 {
            let [a, b, c, d] = window;
            let candidates = [[a, b, c], [b, c, d]];
            let fitness = candidates.map(|corners| self.fitness(corners));
            let better = usize::from(fitness[1] > fitness[0]);
            let ear = [better, 1 - better]
                .into_iter()
                .take_while(|side| fitness[*side] >= 0.0)
                .find(|side| !self.contains_corner(candidates[*side]));
            self.tests_left = self.tests_left.checked_sub(1)?;
            if let Some(side) = ear {
                let [previous, corner, next] = candidates[side];
                self.clip(previous, corner, next);
                num_passed = 0;
                window = match side {
                    0 => [self.previous[a], a, c, d],
                    _ => [a, b, d, self.next[d]],
                };
                continue;
            }
            window = [b, c, d, self.next[d]];
            num_passed += 1;
            // After two rounds, the rest of the polygon crosses itself.
            if num_passed >= 2 * self.points.len() {
                break;
            }
        }
        Some(window[1])
    }

    fn clip(&mut self, previous: usize, corner: usize, next: usize) {
        self.clipped[corner] = Some([previous, next]);
        self.next[previous] = next;
        self.previous[next] = previous;
        self.num_left -= 1;
    }

    /// How much a triangle differs from a needle, negative for one that isn't convex.
    fn fitness(&self, corners: [usize; 3]) -> f64 {
        let [a, b, c] = corners.map(|at| self.points[at]);
        if orient([a, b, c]) <= 0.0 {
            return -1.0;
        }
        let squared = |a: DVec2, b: DVec2| {
            let (x, y) = (a.x - b.x, a.y - b.y);
            x * x + y * y
        };
        let (ab, bc, ca) = (squared(a, b), squared(b, c), squared(c, a));
        let cosine = |one: f64, other: f64, opposite: f64| {
            (one + other - opposite) / (4.0 * one * other).sqrt()
        };
        let largest = cosine(ab, bc, ca).max(cosine(bc, ca, ab)).max(cosine(ca, ab, bc));
        MIN_LENGTH.max(2.0 - largest)
    }

    /// Whether a reflex corner is in a triangle or on its edge.
    fn contains_corner(&mut self, corners: [usize; 3]) -> bool {
        let [a, b, c] = corners.map(|at| self.points[at]);
        let (min, max) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
        let first = self.reflex.partition_point(|&at| self.points[at].x < min);
        for &at in self.reflex.get(first..).unwrap_or_default() {
            let p = self.points[at];
            if p.x > max {
                break;
            }
            self.tests_left = self.tests_left.saturating_sub(1);
            let sides = [orient([p, a, b]), orient([p, b, c]), orient([p, c, a])];
            let is_inside =
                sides.iter().all(|side| *side <= 0.0) || sides.iter().all(|side| *side >= 0.0);
            if is_inside && !corners.contains(&at) {
                return true;
            }
        }
        false
    }

    /// Clips the remaining corners, whether they are ears or not.
    fn finish(mut self, mut corner: usize) -> Vec<[usize; 3]> {
        while self.num_left >= 3 {
            let (previous, next) = (self.previous[corner], self.next[corner]);
            self.clip(previous, corner, next);
            corner = next;
        }
        let clipped = self.clipped.into_iter().enumerate();
        clipped
            .filter_map(|(corner, around)| around.map(|[previous, next]| [previous, corner, next]))
            .collect()
    }
}

/// Twice the area of a triangle, positive if it is counter-clockwise.
fn orient([a, b, c]: [DVec2; 3]) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_are_split_along_an_interior_diagonal() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let dart = [[0.0, 0.0], [1.0, 0.2], [0.2, 0.2], [0.2, 1.0]];
        let kite = [[1.0, 0.2], [0.2, 0.2], [0.2, 1.0], [0.0, 0.0]];
        let solid = |[x, y]: [f64; 2]| DVec3::new(x, y, 0.0);
        assert_eq!(quad(square.map(solid)), [[0, 1, 2], [2, 3, 0]]);
        assert_eq!(quad(dart.map(solid)), [[0, 1, 2], [2, 3, 0]]);
        assert_eq!(quad(kite.map(solid)), [[1, 2, 3], [3, 0, 1]]);
    }

    #[test]
    fn ear_clipping_gives_up_after_too_many_tests() {
        // Long teeth, each of which the triangles of all others are compared with.
        let tooth = |at: u32| {
            let (x, y) = (f64::from(at % 2), f64::from(at) * 1e-3);
            DVec3::new(x, y, 0.0)
        };
        let saw = |num: u32| -> Vec<DVec3> {
            (0..num)
                .map(tooth)
                .chain([DVec3::new(-1.0, f64::from(num), 0.0), DVec3::NEG_X])
                .collect()
        };
        assert_eq!(clip_ears(&saw(8), DVec3::Z).map(|cut| cut.len()), Some(8));
        let mut ring = Ring::of(&saw(400), DVec3::Z);
        ring.tests_left = 1000;
        assert_eq!(ring.clip_ears(), None);
    }
}
