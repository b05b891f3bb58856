//! Orders triangles and vertices for the caches of a GPU.
//!
//! Triangles by Forsyth, "Linear-speed vertex cache optimisation", 2006, as implemented in meshoptimizer;
//! vertices in the order of their first use, so that fetches are local. If very many triangles share a
//! vertex, triangles by Sander et al., "Fast triangle reordering for vertex locality and reduced overdraw",
//! 2007, whose time isn't quadratic in their number.

use std::ops::Range;

/// Sorts the triangles in each of `ranges`, which must not overlap, and renumbers vertices. Returns the old
/// number of each new vertex. Vertices that no range uses are removed.
///
/// A range with an index outside the `num_vertices` vertices remains unchanged.
#[must_use]
pub fn cache_order(indices: &mut [u32], ranges: &[Range<usize>], num_vertices: usize) -> Vec<u32> {
    let mut numbers = Numbers::new(num_vertices);
    for range in ranges {
        if let Some(own) = indices.get_mut(range.clone()) {
            sort_triangles(own, &mut numbers);
        }
    }
    let mut new = Numbers::new(num_vertices);
    for range in ranges {
        for index in indices.get_mut(range.clone()).unwrap_or_default() {
            *index = new.of(*index).unwrap_or(*index);
        }
    }
    new.old
}

/// The most steps per triangle that Forsyth's algorithm may take on average; a closed surface takes 18.
const MAX_STEPS_A_TRIANGLE: u64 = 512;
/// Cache size for the other algorithm.
const CACHE_SIZE: u32 = 16;

/// New numbers of vertices, assigned in the order of requests.
struct Numbers {
    /// By old number.
    new: Vec<Option<u32>>,
    /// By new number.
    old: Vec<u32>,
}

impl Numbers {
    fn new(num_vertices: usize) -> Self {
        Self { new: vec![None; num_vertices], old: Vec::new() }
    }

    fn of(&mut self, old: u32) -> Option<u32> {
        let slot = self.new.get_mut(old as usize)?;
        if slot.is_none() {
            *slot = u32::try_from(self.old.len()).ok();
            self.old.push(old);
        }
        *slot
    }

    /// Clears all numbers, in time proportional to the assigned ones.
    fn clear(&mut self) {
        for old in self.old.drain(..) {
            if let Some(slot) = self.new.get_mut(old as usize) {
                *slot = None;
            }
        }
    }
}

/// Sorts the triangles of one range. Its vertices are renumbered meanwhile, because the library's cost grows
/// with the largest number, and a mesh may have very many ranges.
fn sort_triangles(indices: &mut [u32], numbers: &mut Numbers) {
    let local: Option<Vec<u32>> = indices.iter().map(|&index| numbers.of(index)).collect();
    // The C++ code doesn't check indices and reads three per triangle: `numbers` only assigns numbers below
    // `numbers.old.len()`, to existing vertices.
    if let Some(local) = local.filter(|local| !local.is_empty() && local.len().is_multiple_of(3)) {
        let num_vertices = numbers.old.len();
        let sorted = if !is_shared_too_often(&local, num_vertices) {
            meshopt::optimize_vertex_cache(&local, num_vertices)
        } else {
            meshopt::optimize_vertex_cache_fifo(&local, num_vertices, CACHE_SIZE)
        };
        for (index, local) in indices.iter_mut().zip(sorted) {
            *index = numbers.old.get(local as usize).copied().unwrap_or(*index);
        }
    }
    numbers.clear();
}

/// Whether Forsyth's algorithm would take too long: for each emitted triangle it revisits all others at the
/// same vertices.
fn is_shared_too_often(indices: &[u32], num_vertices: usize) -> bool {
    let mut num_at = vec![0u64; num_vertices];
    for &index in indices {
        if let Some(num) = num_at.get_mut(index as usize) {
            *num += 1;
        }
    }
    let num_steps = num_at.iter().fold(0u64, |sum, num| sum.saturating_add(num * num));
    num_steps > (indices.len() as u64).saturating_mul(MAX_STEPS_A_TRIANGLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of squares whose triangles are in the worst possible order.
    fn shuffled_grid(side: u32) -> Vec<u32> {
        let corner = |x: u32, y: u32| y * (side + 1) + x;
        let mut triangles = Vec::new();
        for y in 0..side {
            for x in 0..side {
                let [a, b, c, d] =
                    [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| corner(x, y));
                triangles.extend([[a, b, c], [c, b, d]]);
            }
        }
        let num = triangles.len();
        // 101 is coprime to the numbers of triangles used here.
        (0..num).flat_map(|at| triangles[at * 101 % num]).collect()
    }

    /// Vertices shaded per triangle with a FIFO cache of 16.
    fn misses(indices: &[u32]) -> f64 {
        let mut cache = std::collections::VecDeque::new();
        let mut num = 0;
        for index in indices {
            if !cache.contains(index) {
                cache.push_back(*index);
                num += 1;
            }
            if cache.len() > 16 {
                cache.pop_front();
            }
        }
        f64::from(num) / (indices.len() as f64 / 3.0)
    }

    /// Triangles by old vertex numbers, each starting at its smallest corner, sorted.
    fn triangles(indices: &[u32], old: impl Fn(u32) -> u32) -> Vec<[u32; 3]> {
        let mut list: Vec<[u32; 3]> = indices
            .as_chunks::<3>()
            .0
            .iter()
            .map(|corners| {
                let mut corners = corners.map(&old);
                let least = (0..3).min_by_key(|&at| corners[at]).unwrap();
                corners.rotate_left(least);
                corners
            })
            .collect();
        list.sort_unstable();
        list
    }

    #[test]
    fn reordering_stays_within_ranges_and_reduces_cache_misses() {
        let before = shuffled_grid(20);
        let mut after = before.clone();
        let ranges = [0..1200, 1200..2400];
        let old = cache_order(&mut after, &ranges, 21 * 21 + 5);
        assert_eq!(old.len(), 21 * 21, "vertices that nothing names are gone");
        for range in ranges {
            assert_eq!(
                triangles(&before[range.clone()], |v| v),
                triangles(&after[range.clone()], |v| old[v as usize])
            );
            let (bad, good) = (misses(&before[range.clone()]), misses(&after[range]));
            assert!(good < 0.6 * bad, "{bad} {good}");
        }
        let mut highest = 0;
        for index in after {
            assert!(index <= highest, "vertices come in the order of their first use");
            highest = highest.max(index + 1);
        }
    }

    #[test]
    fn many_triangles_at_one_vertex_or_edge_are_reordered_quickly() {
        let fan = |num: u32| (1..=num).flat_map(|at| [0, at, at + 1]);
        let edge = |num: u32| (2..num + 2).flat_map(|at| [0, 1, at]);
        let equal = |num: u32| (0..num).flat_map(|_| [0, 1, 2]);
        let num = 300_000;
        let all: [Vec<u32>; 3] = [fan(num).collect(), edge(num).collect(), equal(num).collect()];
        for before in all {
            let mut after = before.clone();
            let num_vertices = before.iter().max().unwrap() + 1;
            let old = cache_order(
                &mut after,
                std::slice::from_ref(&(0..before.len())),
                num_vertices as usize,
            );
            assert_eq!(triangles(&before, |v| v), triangles(&after, |v| old[v as usize]));
        }
    }

    #[test]
    fn fan_with_an_out_of_range_index_is_not_reordered() {
        // Enough triangles to use the other algorithm.
        let sound: Vec<u32> = (1..=5000).flat_map(|at| [0, at, at + 1]).collect();
        for bad in [5002, u32::MAX] {
            let mut before = sound.clone();
            before[7001] = bad;
            let mut after = before.clone();
            let old = cache_order(&mut after, std::slice::from_ref(&(0..before.len())), 5002);
            let named = |&index: &u32| old.get(index as usize).copied().unwrap_or(index);
            let named: Vec<u32> = after.iter().map(named).collect();
            assert_eq!(named, before, "only renumbered");
        }
    }

    #[test]
    fn out_of_range_indices_and_incomplete_triangles_are_unchanged() {
        let mut indices = vec![0, 1, 9, 2, 1];
        let old = cache_order(&mut indices, &[0..3, 3..5, 4..99], 3);
        assert_eq!(indices, [0, 1, 9, 2, 1]);
        assert_eq!(old, [0, 1, 2]);
    }
}
