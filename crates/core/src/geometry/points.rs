//! Nearest-point search: a balanced k-d tree (Bentley, "Multidimensional binary search trees used
//! for associative searching", 1975) whose nodes have boxes, split along the longest side of the
//! box.
//!
//! Points at the same position are one point of the tree, so that every split separates points:
//! points on a line, at one position or with huge coordinates are found as fast as others.
//! Distances are in double precision, which can represent the squares of all single-precision
//! numbers.

use crate::model::as_u32;
use std::collections::HashMap;

use glam::{DVec3, Vec3};

use super::position_key;

/// Positions per leaf.
const LEAF: usize = 8;
/// After this number of leaves, a search returns the nearest position so far. Only a query with
/// thousands of equidistant positions gets there.
const MAX_LEAVES: usize = 512;

/// Points to search.
pub(crate) struct Points {
    places: Vec<DVec3>,
    /// Points sorted by position.
    points: Vec<u32>,
    /// Index of the first point of each position, and the end.
    first_point: Vec<u32>,
    /// Positions in tree order.
    order: Vec<u32>,
    nodes: Vec<Node>,
}

struct Node {
    min: DVec3,
    max: DVec3,
    first: u32,
    end: u32,
    /// The node of the upper half; the lower half is the next node. `None` for leaves.
    upper: Option<u32>,
}

impl Node {
    fn distance_squared(&self, at: DVec3) -> f64 {
        at.clamp(self.min, self.max).distance_squared(at)
    }
}

impl Points {
    pub(crate) fn new(points: &[Vec3]) -> Self {
        let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(points.len());
        let mut places = Vec::new();
        let mut num_at: Vec<u32> = Vec::new();
        let mut place_of = Vec::with_capacity(points.len());
        for point in points {
            // Non-finite coordinates become the farthest possible.
            let place = *known.entry(position_key(*point)).or_insert_with(|| {
                let clean = |x: f64| {
                    if x.is_finite() { x } else { f64::from(f32::MAX) }
                };
                places.push(DVec3::from(point.as_dvec3().to_array().map(clean)));
                num_at.push(0);
                as_u32(places.len() - 1)
            });
            if let Some(num) = num_at.get_mut(place as usize) {
                *num += 1;
            }
            place_of.push(place);
        }
        let mut first_point = vec![0u32];
        for num in &num_at {
            first_point.push(first_point.last().copied().unwrap_or(0) + num);
        }
        let mut next = first_point.clone();
        let mut sorted = vec![0u32; points.len()];
        for (point, place) in place_of.iter().enumerate() {
            if let Some(at) = next.get_mut(*place as usize) {
                if let Some(slot) = sorted.get_mut(*at as usize) {
                    *slot = as_u32(point);
                }
                *at += 1;
            }
        }
        let mut tree = Self {
            order: (0..as_u32(places.len())).collect(),
            places,
            points: sorted,
            first_point,
            nodes: Vec::new(),
        };
        tree.build();
        tree
    }

    fn build(&mut self) {
        // Ranges to turn into nodes, each with the node whose upper half it is. The lower half
        // directly follows its node.
        let mut ranges: Vec<(usize, usize, Option<usize>)> = vec![(0, self.order.len(), None)];
        while let Some((first, end, upper_of)) = ranges.pop() {
            if let Some(above) = upper_of {
                let own = as_u32(self.nodes.len());
                self.nodes[above].upper = Some(own);
            }
            let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for &place in &self.order[first..end] {
                let at = self.places[place as usize];
                (min, max) = (min.min(at), max.max(at));
            }
            let own = self.nodes.len();
            self.nodes.push(Node { min, max, first: as_u32(first), end: as_u32(end), upper: None });
            if end - first <= LEAF {
                continue;
            }
            let axis = (max - min).max_position();
            let middle = (end - first) / 2;
            let places = &self.places;
            self.order[first..end].select_nth_unstable_by(middle, |&i, &j| {
                let along = |place: u32| places[place as usize][axis];
                along(i).total_cmp(&along(j)).then(i.cmp(&j))
            });
            // The last range that is pushed is processed next.
            ranges.push((first + middle, end, Some(own)));
            ranges.push((first, first + middle, None));
        }
    }

    /// The first of the nearest points within `radius`, and its distance.
    pub(crate) fn nearest(&self, at: Vec3, radius: f64) -> Option<(u32, f64)> {
        let mut best: Option<(f64, u32)> = None;
        let mut reach = radius * radius;
        let mut num_leaves = 0;
        self.walk(at, reach, |places| {
            num_leaves += 1;
            for &place in places {
                let apart = self.places[place as usize].distance_squared(at.as_dvec3());
                let is_nearer = match best {
                    None => apart <= reach,
                    Some((known, other)) => apart < known || (apart == known && place < other),
                };
                if is_nearer {
                    best = Some((apart, place));
                    reach = apart;
                }
            }
            (num_leaves < MAX_LEAVES).then_some(reach)
        });
        let (apart, place) = best?;
        let first = *self.first_point.get(place as usize)?;
        Some((*self.points.get(first as usize)?, apart.sqrt()))
    }

    /// At most `max` points within `radius`, in no particular order.
    pub(crate) fn within(&self, at: Vec3, radius: f64, max: usize) -> Vec<u32> {
        let mut found = Vec::new();
        let reach = radius * radius;
        self.walk(at, reach, |places| {
            for &place in places {
                if self.places[place as usize].distance_squared(at.as_dvec3()) <= reach {
                    let place = place as usize;
                    let own =
                        self.first_point[place] as usize..self.first_point[place + 1] as usize;
                    found.extend(self.points[own].iter().take(max - found.len().min(max)));
                }
            }
            (found.len() < max).then_some(reach)
        });
        found
    }

    /// Calls `visit` with the positions of leaves whose squared distance is at most `reach`,
    /// nearest leaves first. `visit` returns the next reach, or `None` to stop.
    fn walk(&self, at: Vec3, mut reach: f64, mut visit: impl FnMut(&[u32]) -> Option<f64>) {
        let at = at.as_dvec3();
        let mut open: Vec<(usize, f64)> = match self.nodes.first() {
            Some(root) if root.first < root.end => vec![(0, root.distance_squared(at))],
            _ => return,
        };
        while let Some((node, apart)) = open.pop() {
            if apart > reach {
                continue;
            }
            let own = &self.nodes[node];
            let Some(upper) = own.upper else {
                match visit(&self.order[own.first as usize..own.end as usize]) {
                    Some(next) => reach = next,
                    None => return,
                }
                continue;
            };
            let both = [node + 1, upper as usize].map(|n| (n, self.nodes[n].distance_squared(at)));
            let [near, far] = match both {
                [lower, upper] if upper.1 < lower.1 => [upper, lower],
                both => both,
            };
            open.push(far);
            open.push(near);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn wave(i: u16, by: f32) -> f32 {
        (f32::from(i) * by).sin()
    }

    #[test]
    fn tree_search_matches_a_brute_force_search() {
        for scale in [1.0, 1e30, 1e-30] {
            let points: Vec<Vec3> = (0..500)
                .map(|i| Vec3::new(wave(i, 1.3), wave(i, 2.1), wave(i, 0.7)) * scale)
                .collect();
            let tree = Points::new(&points);
            let apart = |a: Vec3, b: Vec3| a.as_dvec3().distance(b.as_dvec3());
            for i in 0..200 {
                let at = Vec3::new(wave(i, 0.9), wave(i, 1.7), wave(i, 3.1)) * scale;
                let all = points.iter().map(|p| apart(*p, at));
                let nearest = all.fold(f64::INFINITY, f64::min);
                assert_eq!(tree.nearest(at, f64::INFINITY).unwrap().1, nearest);
                if nearest > 0.0 {
                    assert_eq!(tree.nearest(at, nearest * 0.99), None);
                }
                let radius = 0.5 * f64::from(scale);
                let num = points.iter().filter(|p| apart(**p, at) <= radius).count();
                assert_eq!(tree.within(at, radius, 1000).len(), num);
                assert_eq!(tree.within(at, radius, 3).len(), num.min(3));
            }
        }
    }

    /// Points that alternating axes wouldn't separate, or whose squares exceed single precision.
    #[test]
    fn degenerate_and_huge_point_sets_are_searched_quickly() {
        const NUM: u32 = 100_000;
        let along = |i: u32| i as f32 / NUM as f32;
        type Shape = fn(f32) -> Vec3;
        let shapes: [(&str, Shape); 5] = [
            ("a line", |t| Vec3::new(t, 0.0, 0.0)),
            ("a slanted line", |t| Vec3::splat(t)),
            ("one place", |_| Vec3::ONE),
            ("huge", |t| Vec3::new(t * 1e30, 1e30, -1e30)),
            ("on a circle", |t| {
                let (sin, cos) = (t * std::f32::consts::TAU).sin_cos();
                Vec3::new(sin, cos, 0.0)
            }),
        ];
        for (name, shape) in shapes {
            let points: Vec<Vec3> = (0..NUM).map(|i| shape(along(i))).collect();
            let begin = Instant::now();
            let tree = Points::new(&points);
            for i in (0..NUM).step_by(10) {
                let at = shape(along(i));
                assert_eq!(tree.nearest(at, f64::INFINITY).unwrap().1, 0.0, "{name}");
                assert!(!tree.within(at, 0.0, 64).is_empty());
            }
            // From the centre of the circle, all are equally far.
            for i in 0..1000u16 {
                let _ = tree.nearest(Vec3::Z * f32::from(i) * 1e-9, f64::INFINITY);
            }
            let took = begin.elapsed();
            assert!(took < Duration::from_secs(30), "{name}: {took:?}");
        }
    }

    #[test]
    fn empty_tree_finds_no_points() {
        let tree = Points::new(&[]);
        assert!(tree.nearest(Vec3::ZERO, f64::INFINITY).is_none());
        assert!(tree.within(Vec3::ZERO, 1.0, 8).is_empty());
    }
}
