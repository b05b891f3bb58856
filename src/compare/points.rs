//! Nearest points: a balanced k-d tree in the order of an array (Bentley, "Multidimensional binary
//! search trees used for associative searching", 1975).

use glam::Vec3;

/// Points to search among. The node of a range is its middle; axes take turns.
pub(super) struct Points<'a> {
    points: &'a [Vec3],
    order: Vec<u32>,
}

/// A range still to be searched, and the square of the distance to it.
struct Part {
    range: std::ops::Range<usize>,
    axis: usize,
    distance_squared: f32,
}

impl<'a> Points<'a> {
    pub(super) fn new(points: &'a [Vec3]) -> Self {
        let num = u32::try_from(points.len()).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (0..num).collect();
        let mut parts = vec![(0..order.len(), 0)];
        while let Some((range, axis)) = parts.pop() {
            if range.len() < 2 {
                continue;
            }
            let middle = range.len() / 2;
            order[range.clone()].select_nth_unstable_by(middle, |&i, &j| {
                points[i as usize][axis].total_cmp(&points[j as usize][axis])
            });
            let middle = range.start + middle;
            parts.push((range.start..middle, (axis + 1) % 3));
            parts.push((middle + 1..range.end, (axis + 1) % 3));
        }
        Self { points, order }
    }

    /// The nearest point not farther than `radius`, and its distance.
    pub(super) fn nearest(&self, at: Vec3, radius: f32) -> Option<(u32, f32)> {
        let mut best = None;
        let mut reach = radius * radius;
        self.walk(at, reach, |point, distance_squared| {
            if distance_squared < reach || best.is_none() {
                best = Some(point);
                reach = distance_squared;
            }
            Some(reach)
        });
        best.map(|point| (point, reach.sqrt()))
    }

    /// Points not farther than `radius`, in no order, at most `max`.
    pub(super) fn within(&self, at: Vec3, radius: f32, max: usize) -> Vec<u32> {
        let mut found = Vec::new();
        self.walk(at, radius * radius, |point, _| {
            found.push(point);
            (found.len() < max).then_some(radius * radius)
        });
        found
    }

    /// Calls `visit` with points whose squared distance is at most `reach`; it gives the next
    /// reach, or nothing to stop.
    fn walk(&self, at: Vec3, mut reach: f32, mut visit: impl FnMut(u32, f32) -> Option<f32>) {
        let mut parts = vec![Part {
            range: 0..self.order.len(),
            axis: 0,
            distance_squared: 0.0,
        }];
        while let Some(part) = parts.pop() {
            if part.range.is_empty() || part.distance_squared > reach {
                continue;
            }
            let middle = part.range.start + part.range.len() / 2;
            let point = self.order[middle];
            let position = self.points[point as usize];
            let distance_squared = position.distance_squared(at);
            if distance_squared <= reach {
                match visit(point, distance_squared) {
                    Some(next) => reach = next,
                    None => return,
                }
            }
            let across = at[part.axis] - position[part.axis];
            let (low, high) = (part.range.start..middle, middle + 1..part.range.end);
            let (near, far) = if across < 0.0 {
                (low, high)
            } else {
                (high, low)
            };
            let axis = (part.axis + 1) % 3;
            parts.push(Part {
                range: far,
                axis,
                distance_squared: across * across,
            });
            parts.push(Part {
                range: near,
                axis,
                distance_squared: 0.0,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_finds_what_a_search_of_all_points_finds() {
        let wave = |i: u16, by: f32| (f32::from(i) * by).sin();
        let points: Vec<Vec3> = (0..500)
            .map(|i| Vec3::new(wave(i, 1.3), wave(i, 2.1), wave(i, 0.7)))
            .collect();
        let tree = Points::new(&points);
        for i in 0..200 {
            let at = Vec3::new(wave(i, 0.9), wave(i, 1.7), wave(i, 3.1));
            let nearest = points.iter().map(|p| p.distance(at)).fold(9.0, f32::min);
            assert_eq!(tree.nearest(at, 9.0).unwrap().1, nearest);
            if nearest > 0.0 {
                assert_eq!(tree.nearest(at, nearest * 0.99), None);
            }
            let num = points.iter().filter(|p| p.distance(at) <= 0.5).count();
            assert_eq!(tree.within(at, 0.5, 1000).len(), num);
        }
    }

    #[test]
    fn a_hundred_thousand_points_in_one_place_take_no_time() {
        let points = vec![Vec3::ONE; 100_000];
        let tree = Points::new(&points);
        assert_eq!(tree.within(Vec3::ONE, 0.1, 8).len(), 8);
        assert!(tree.nearest(Vec3::ZERO, 1.0).is_none());
    }
}
