//! Triangulates polygons with very many corners, in less than quadratic time.
//!
//! Clips ears like the library: a corner is an ear if it is convex and no other corner is in its triangle,
//! and only reflex corners can be in one. Reflex corners are found in a tree of boxes ([`Points`]); a corner
//! is tested again only if one of its neighbours was cut. Source: D. Eberly, "Triangulation by Ear Clipping",
//! 2002; M. Held, "FIST", 2001.
//!
//! A polygon that intersects itself, or is so convoluted that the tree doesn't help, uses up its steps: the
//! rest is cut at arbitrary corners, which are counted. No triangulation crate supports a step limit or
//! cancellation, and the library's own algorithm takes minutes for 400,000 corners.

pub mod ears;
mod points;

use std::collections::VecDeque;

use points::{Points, orient};

use crate::model::Cancelled;

/// Polygons with more corners aren't left to ufbx or [`ears`], which may test all of them for each.
pub const MANY_CORNERS: usize = 512;
/// The most boxes and points of the tree to visit per position. Round, jagged and random shapes need 20 to 150.
const STEPS_PER_POSITION: usize = 512;
/// The same per corner, and corners of the queue to test: a polygon may return to its positions any number of times,
/// for a few bytes each.
const STEPS_PER_CORNER: usize = 16;
/// Corners between checks for cancellation.
const CORNERS_PER_LOOK: usize = 1 << 12;

/// A triangulated polygon.
#[derive(Debug, Default)]
pub struct Triangulation {
    /// Indices of corners, in the winding of the polygon; there are two fewer triangles than corners.
    pub triangles: Vec<[u32; 3]>,
    /// Number of triangles that aren't ears: they may overlap others.
    pub num_forced: usize,
}

/// Triangulates a polygon with these corners. Regularly calls `go_on` with the finished fraction.
///
/// # Errors
/// If cancelled.
pub fn triangulate(
    corners: &[[f64; 3]],
    go_on: &mut dyn FnMut(f32) -> Result<(), Cancelled>,
) -> Result<Triangulation, Cancelled> {
    let Ok(num) = u32::try_from(corners.len()) else { return Ok(Triangulation::default()) };
    if num < 3 {
        return Ok(Triangulation::default());
    }
    let flat = flat(corners);
    let steps_left = num_positions(&flat)
        .saturating_mul(STEPS_PER_POSITION)
        .saturating_add(corners.len().saturating_mul(STEPS_PER_CORNER));
    let points = Points::of(flat);
    let mut ring = Ring {
        next: (1..num).chain([0]).collect(),
        previous: std::iter::once(num - 1).chain(0..num - 1).collect(),
        turn: vec![0; corners.len()],
        queue: (0..num).map(|corner| (corner, 0)).collect(),
        num_left: corners.len(),
        steps_left,
        points,
        cut: Triangulation::default(),
    };
    ring.cut.triangles.reserve_exact(corners.len() - 2);
    for corner in 0..num {
        let is_in_the_way = !ring.turns_right(corner);
        ring.points.set(corner, is_in_the_way);
    }
    ring.cut_all(go_on)?;
    Ok(ring.cut)
}

/// The corners projected on the plane with the largest area, counter-clockwise.
fn flat(corners: &[[f64; 3]]) -> Vec<[f64; 2]> {
    // Newell's normal, relative to the first corner, for precision far from the origin.
    let origin = corners.first().copied().unwrap_or_default();
    let from_origin = |p: &[f64; 3]| [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
    let mut normal = [0.0; 3];
    let mut last = corners.last().map(from_origin).unwrap_or_default();
    for corner in corners.iter().map(from_origin) {
        normal[0] += (last[1] - corner[1]) * (last[2] + corner[2]);
        normal[1] += (last[2] - corner[2]) * (last[0] + corner[0]);
        normal[2] += (last[0] - corner[0]) * (last[1] + corner[1]);
        last = corner;
    }
    let [x, y, z] = normal.map(f64::abs);
    let (u, v, along) = match () {
        () if x >= y && x >= z => (1, 2, normal[0]),
        () if y >= z => (2, 0, normal[1]),
        () => (0, 1, normal[2]),
    };
    let (u, v) = if along < 0.0 { (v, u) } else { (u, v) };
    corners.iter().map(|corner| [corner[u], corner[v]]).collect()
}

/// Number of different positions.
fn num_positions(corners: &[[f64; 2]]) -> usize {
    let mut all: Vec<[u64; 2]> = corners.iter().map(|corner| corner.map(f64::to_bits)).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

/// The remaining polygon.
struct Ring {
    next: Vec<u32>,
    previous: Vec<u32>,
    /// How often each corner was queued; older queue entries are stale.
    turn: Vec<u32>,
    /// Corners to test, each with its count in `turn`.
    queue: VecDeque<(u32, u32)>,
    num_left: usize,
    steps_left: usize,
    points: Points,
    cut: Triangulation,
}

impl Ring {
    fn cut_all(
        &mut self,
        go_on: &mut dyn FnMut(f32) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        let num = self.num_left;
        let mut num_looks = 0usize;
        let mut num_left_before = usize::MAX;
        // Ignore corners at the same position as those of an ear: bridges to holes have them.
        let mut is_lenient = false;
        let mut some_corner = 0;
        while self.num_left > 3 && self.steps_left > 0 {
            if num_looks.is_multiple_of(CORNERS_PER_LOOK) {
                go_on(1.0 - self.num_left as f32 / num as f32)?;
            }
            num_looks += 1;
            self.steps_left = self.steps_left.saturating_sub(1);
            if let Some((corner, turn)) = self.queue.pop_front() {
                if self.turn[corner as usize] == turn && self.is_ear(corner, is_lenient) {
                    some_corner = self.next[corner as usize];
                    self.take(corner);
                }
                continue;
            }
            // No ears are left: test everything again while that makes progress.
            if !is_lenient || self.num_left < num_left_before {
                is_lenient = true;
                num_left_before = self.num_left;
                self.refill(some_corner);
                continue;
            }
            let next = self.next[some_corner as usize];
            self.force(some_corner);
            some_corner = next;
        }
        while self.num_left >= 3 {
            let next = self.next[some_corner as usize];
            if self.num_left > 3 {
                self.force(some_corner)
            } else {
                self.take(some_corner)
            }
            some_corner = next;
        }
        Ok(())
    }

    fn refill(&mut self, first: u32) {
        let mut corner = first;
        for _ in 0..self.num_left {
            self.queue.push_back((corner, self.turn[corner as usize]));
            corner = self.next[corner as usize];
        }
    }

    fn around(&self, corner: u32) -> [u32; 3] {
        let at = corner as usize;
        [self.previous[at], corner, self.next[at]]
    }

    fn area(&self, corner: u32) -> f64 {
        let [a, b, c] = self.around(corner).map(|corner| self.points.at(corner));
        orient(a, b, c)
    }

    fn turns_right(&self, corner: u32) -> bool {
        self.area(corner) > 0.0
    }

    fn is_ear(&mut self, corner: u32, is_lenient: bool) -> bool {
        let around = self.around(corner);
        self.turns_right(corner)
            && !(self.points).is_any_in(around, is_lenient, &mut self.steps_left)
    }

    /// Cuts a corner that isn't an ear. One without area doesn't overlap anything.
    fn force(&mut self, corner: u32) {
        self.cut.num_forced += usize::from(self.area(corner) != 0.0);
        self.take(corner);
    }

    fn take(&mut self, corner: u32) {
        let [previous, _, next] = self.around(corner);
        self.cut.triangles.push([previous, corner, next]);
        self.num_left -= 1;
        self.next[previous as usize] = next;
        self.previous[next as usize] = previous;
        self.turn[corner as usize] += 1;
        self.points.set(corner, false);
        for beside in [previous, next] {
            let is_in_the_way = !self.turns_right(beside);
            self.points.set(beside, is_in_the_way);
            // Queue the neighbours last, so that ears are cut all around instead of as a fan.
            let turn = &mut self.turn[beside as usize];
            *turn += 1;
            self.queue.push_back((beside, *turn));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn area(corners: &[[f64; 2]]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        let pairs = corners.iter().zip(next);
        pairs.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
    }

    /// Triangulates a polygon on a slope; every corner must be used, and no area covered twice.
    fn check(corners: &[[f64; 2]]) -> Triangulation {
        let solid: Vec<[f64; 3]> = corners.iter().map(|&[x, y]| [x, y, x + 2.0 * y]).collect();
        let cut = triangulate(&solid, &mut |_| Ok(())).unwrap();
        assert_eq!(cut.triangles.len(), corners.len() - 2);
        let of = |triangle: &[u32; 3]| {
            let corners = triangle.map(|corner| corners[corner as usize]);
            area(&corners)
        };
        let areas: Vec<f64> = cut.triangles.iter().map(of).collect();
        let (whole, extent) = (area(corners), areas.iter().map(|a| a.abs()).sum::<f64>());
        assert!(
            (extent - whole.abs()).abs() < 1e-9 * whole.abs(),
            "{extent} of {whole}, {} forced",
            cut.num_forced
        );
        assert_eq!(cut.num_forced, 0);
        cut
    }

    /// Corners around the centre, at distances given by `radius`.
    fn around(num: u32, radius: impl Fn(u32) -> f64) -> Vec<[f64; 2]> {
        let corner = |number: u32| {
            let (sin, cos) = (TAU * f64::from(number) / f64::from(num)).sin_cos();
            [radius(number) * cos, radius(number) * sin]
        };
        (0..num).map(corner).collect()
    }

    fn random(number: u32) -> f64 {
        let mixed = number.wrapping_mul(0x9e37_79b9) ^ (number >> 3).wrapping_mul(0x85eb_ca6b);
        f64::from(mixed % 10_007) / 10_007.0
    }

    fn comb(num_teeth: u32) -> Vec<[f64; 2]> {
        let teeth = (0..num_teeth).flat_map(|tooth| {
            let x = f64::from(tooth);
            [[x, 100.0 + random(tooth)], [x + 0.5, 0.0]]
        });
        let floor = [[f64::from(num_teeth), -1.0], [0.0, -1.0]];
        teeth.chain(floor).collect()
    }

    fn spiral(num: u32) -> Vec<[f64; 2]> {
        let arm = |number: u32, width: f64| {
            let turn = f64::from(number) * 0.05;
            [(turn + width) * turn.cos(), (turn + width) * turn.sin()]
        };
        let outer = (20..num).map(|number| arm(number, 2.0));
        outer.chain((20..num).rev().map(|number| arm(number, 0.0))).collect()
    }

    #[test]
    fn triangulation_preserves_the_area_of_all_shapes() {
        check(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        check(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]);
        check(&around(1000, |_| 5.0));
        check(&around(1000, |number| if number % 2 == 0 { 1.0 } else { 3.0 }));
        check(&around(3000, |number| 0.2 + random(number)));
        check(&comb(1000));
        check(&spiral(2000));
        // In the opposite direction, far from the origin, with many corners on one line.
        let mut far = around(1000, |number| 1.0 + random(number));
        far.iter_mut().for_each(|[x, y]| (*x, *y) = (*x + 4096.0, *y - 4096.0));
        far.reverse();
        check(&far);
        let line = (0..=500u32).map(|at| [f64::from(at), 0.0]);
        check(&line.chain([[500.0, 10.0], [0.0, 10.0]]).collect::<Vec<_>>());
    }

    #[test]
    fn polygons_with_a_bridged_hole_are_triangulated() {
        let mut corners = around(600, |_| 10.0);
        corners.push(corners[0]);
        let mut hole = around(600, |_| 5.0);
        hole.push(hole[0]);
        hole.reverse();
        corners.extend(hole);
        check(&corners);
    }

    #[test]
    fn triangulation_steps_grow_less_than_quadratically() {
        for shape in [
            around(60_000, |_| 1.0),
            around(60_000, |number| 0.5 + random(number)),
            comb(30_000),
            spiral(30_000),
        ] {
            let solid: Vec<[f64; 3]> = shape.iter().map(|&[x, y]| [x, y, 0.0]).collect();
            let cut = triangulate(&solid, &mut |_| Ok(())).unwrap();
            assert_eq!(cut.num_forced, 0, "the steps sufficed");
        }
    }

    #[test]
    fn invalid_polygons_give_n_minus_2_triangles_and_are_reported() {
        let crossing = around(2000, |number| random(number) - 0.5);
        let solid: Vec<[f64; 3]> = crossing.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        let crossed = triangulate(&solid, &mut |_| Ok(())).unwrap();
        assert_eq!(crossed.triangles.len(), 1998);
        assert!(crossed.num_forced > 0);
        let all_at = |value: f64| vec![[value; 3]; 600];
        for corners in [all_at(1.0), all_at(f64::NAN), all_at(f64::INFINITY), all_at(1e300)] {
            let cut = triangulate(&corners, &mut |_| Ok(())).unwrap();
            assert_eq!(cut.triangles.len(), 598);
        }
        assert!(triangulate(&[[0.0; 3]; 2], &mut |_| Ok(())).unwrap().triangles.is_empty());
    }

    #[test]
    fn corners_at_few_positions_take_few_steps() {
        let num_looks = |num: usize| {
            let corners: Vec<[f64; 3]> = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
                .into_iter()
                .cycle()
                .take(num)
                .collect();
            let mut num_looks = 0;
            let mut go_on = |_| {
                num_looks += 1;
                Ok(())
            };
            let cut = triangulate(&corners, &mut go_on).unwrap();
            assert_eq!(cut.triangles.len(), num - 2);
            num_looks
        };
        let (small, large) = (num_looks(30_000), num_looks(300_000));
        assert!(large <= 12 * small.max(1), "{small} {large}");
    }

    #[test]
    fn triangulation_can_be_cancelled() {
        let corners: Vec<[f64; 3]> =
            around(20_000, |_| 1.0).iter().map(|&[x, y]| [x, y, 0.0]).collect();
        let mut num_asked = 0;
        let mut go_on = |share: f32| {
            num_asked += 1;
            if share > 0.3 { Err(Cancelled) } else { Ok(()) }
        };
        assert!(triangulate(&corners, &mut go_on).is_err());
        assert!(num_asked > 1);
    }
}
