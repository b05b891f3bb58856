//! Points in a tree of boxes, to find whether any active one is in a triangle.
//!
//! The tree is balanced and stored in an array: the children of box `n` are `2 n + 1` and `2 n + 2`. Boxes
//! store their number of active points, so that searches skip empty ones.

use crate::model::as_u32;
/// Twice the area of a triangle, positive if it is counter-clockwise.
pub(super) fn orient(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The most points in a box of the lowest level.
const POINTS_PER_LEAF: usize = 8;

/// A box of the tree.
#[derive(Clone, Copy)]
struct Node {
    min: [f64; 2],
    max: [f64; 2],
    /// Number of active points.
    num: u32,
    /// First point in [`Points::order`].
    first: u32,
    end: u32,
}

const EMPTY: Node =
    Node { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2], num: 0, first: 0, end: 0 };

/// Numbered points, some of which are active.
pub(super) struct Points {
    at: Vec<[f64; 2]>,
    counts: Vec<bool>,
    /// Point numbers, grouped by box.
    order: Vec<u32>,
    /// The lowest-level box of each point.
    leaf: Vec<u32>,
    nodes: Vec<Node>,
    /// The first box without child boxes.
    first_leaf: usize,
}

impl Points {
    /// A tree of points, all inactive.
    pub(super) fn of(at: Vec<[f64; 2]>) -> Self {
        let num = as_u32(at.len());
        let num_leaves = at.len().div_ceil(POINTS_PER_LEAF).next_power_of_two();
        let mut points = Self {
            counts: vec![false; at.len()],
            order: (0..num).collect(),
            leaf: vec![0; at.len()],
            nodes: vec![EMPTY; 2 * num_leaves - 1],
            first_leaf: num_leaves - 1,
            at,
        };
        let whole = 0..points.order.len();
        points.build(0, whole, 0);
        points
    }

    fn build(&mut self, node: usize, range: std::ops::Range<usize>, axis: usize) {
        let own = &mut self.order[range.clone()];
        let mut bounds = EMPTY;
        for &point in &*own {
            for (axis, value) in self.at[point as usize].into_iter().enumerate() {
                bounds.min[axis] = bounds.min[axis].min(value);
                bounds.max[axis] = bounds.max[axis].max(value);
            }
        }
        (bounds.first, bounds.end) = (as_u32(range.start), as_u32(range.end));
        self.nodes[node] = bounds;
        if node >= self.first_leaf {
            for &point in &*own {
                self.leaf[point as usize] = as_u32(node);
            }
            return;
        }
        let middle = own.len() / 2;
        if middle > 0 {
            let value = |point: &u32| self.at[*point as usize][axis];
            own.select_nth_unstable_by(middle, |a, b| value(a).total_cmp(&value(b)));
        }
        let middle = range.start + middle;
        self.build(2 * node + 1, range.start..middle, 1 - axis);
        self.build(2 * node + 2, middle..range.end, 1 - axis);
    }

    /// The position of a point.
    pub(super) fn at(&self, point: u32) -> [f64; 2] {
        self.at[point as usize]
    }

    /// Activates or deactivates a point.
    pub(super) fn set(&mut self, point: u32, counts: bool) {
        let own = &mut self.counts[point as usize];
        if *own == counts {
            return;
        }
        *own = counts;
        let mut node = self.leaf[point as usize] as usize;
        loop {
            let num = &mut self.nodes[node].num;
            *num = if counts { *num + 1 } else { *num - 1 };
            if node == 0 {
                return;
            }
            node = (node - 1) / 2;
        }
    }

    /// Whether any other active point is in the counter-clockwise triangle of three points, or on its
    /// boundary. With `is_lenient`, points at the same position as its corners don't count. Visits are
    /// subtracted from `steps_left`; without any left, returns true.
    pub(super) fn is_any_in(
        &self,
        corners: [u32; 3],
        is_lenient: bool,
        steps_left: &mut usize,
    ) -> bool {
        let triangle = corners.map(|corner| self.at(corner));
        let mut open = [0; 64];
        let mut num_open = 1;
        while num_open > 0 {
            num_open -= 1;
            let node: usize = open[num_open];
            let Some(left) = steps_left.checked_sub(1) else { return true };
            *steps_left = left;
            let own = &self.nodes[node];
            if own.num == 0 || is_apart(own, &triangle) {
                continue;
            }
            if node < self.first_leaf {
                open[num_open] = 2 * node + 1;
                open[num_open + 1] = 2 * node + 2;
                num_open += 2;
                continue;
            }
            let points = &self.order[own.first as usize..own.end as usize];
            for &point in points {
                let is_other = self.counts[point as usize] && !corners.contains(&point);
                let at = self.at(point);
                if is_other && is_inside(at, &triangle) && !(is_lenient && triangle.contains(&at)) {
                    return true;
                }
            }
        }
        false
    }
}

fn is_inside(at: [f64; 2], [a, b, c]: &[[f64; 2]; 3]) -> bool {
    orient(*a, *b, at) >= 0.0 && orient(*b, *c, at) >= 0.0 && orient(*c, *a, at) >= 0.0
}

/// Whether a side of the counter-clockwise triangle separates it from the box.
fn is_apart(node: &Node, triangle: &[[f64; 2]; 3]) -> bool {
    for axis in [0, 1] {
        let values = triangle.map(|corner| corner[axis]);
        let (min, max) =
            (values[0].min(values[1]).min(values[2]), values[0].max(values[1]).max(values[2]));
        if min > node.max[axis] || max < node.min[axis] {
            return true;
        }
    }
    let sides = [(0, 1), (1, 2), (2, 0)];
    sides.into_iter().any(|(from, to)| {
        let (a, b) = (triangle[from], triangle[to]);
        // The corner of the box that is farthest to the left of the side.
        let x = if b[1] > a[1] { node.min[0] } else { node.max[0] };
        let y = if b[0] > a[0] { node.max[1] } else { node.min[1] };
        orient(a, b, [x, y]) < 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_search_matches_a_linear_search() {
        let random = |number: u32, part: u32| {
            let mixed = (number * 2 + part).wrapping_mul(0x9e37_79b9);
            f64::from((mixed ^ (mixed >> 15)) % 101)
        };
        let at: Vec<[f64; 2]> = (0..500).map(|n| [random(n, 0), random(n, 1)]).collect();
        let mut points = Points::of(at.clone());
        (0..500).for_each(|point| points.set(point, point % 3 != 0));
        (0..500).for_each(|point| points.set(point, point % 3 == 1));
        let (mut num_found, mut num_clear) = (0, 0);
        for number in 0..2000u32 {
            let mut corners = [number % 500, (number * 7 + 1) % 500, (number * 13 + 2) % 500];
            let area = |corners: [u32; 3]| {
                let [a, b, c] = corners.map(|corner| at[corner as usize]);
                orient(a, b, c)
            };
            if area(corners) < 0.0 {
                corners.swap(0, 1);
            }
            if area(corners) == 0.0 {
                continue;
            }
            let triangle = corners.map(|corner| at[corner as usize]);
            let expected = (0..500u32).any(|point| {
                let is_other = point % 3 == 1 && !corners.contains(&point);
                is_other && is_inside(at[point as usize], &triangle)
            });
            let mut steps = usize::MAX;
            assert_eq!(points.is_any_in(corners, false, &mut steps), expected);
            num_found += u32::from(expected);
            num_clear += u32::from(!expected);
        }
        assert!(num_found > 100 && num_clear > 20, "{num_found} {num_clear}");
        assert!(points.is_any_in([0, 1, 2], false, &mut 0));
    }
}
