//! Disjoint sets of numbers, joined pair by pair (union-find).

use crate::model::as_u32;
/// Disjoint sets of the numbers from 0.
pub(crate) struct DisjointSets {
    /// A link to another number of the same set; the chain ends at the smallest.
    toward_first: Vec<u32>,
}

impl DisjointSets {
    /// `num` numbers, each in a separate set.
    pub(crate) fn new(num: usize) -> Self {
        Self { toward_first: (0..as_u32(num)).collect() }
    }

    /// The smallest number of the set, regardless of the order of joining.
    pub(crate) fn first_of(&mut self, number: u32) -> u32 {
        let mut at = number;
        while let Some(&next) = self.toward_first.get(at as usize) {
            if next == at {
                break;
            }
            // Path halving keeps the chain short.
            let after = self.toward_first.get(next as usize).copied();
            let after = after.unwrap_or(next);
            if let Some(slot) = self.toward_first.get_mut(at as usize) {
                *slot = after;
            }
            at = after;
        }
        at
    }

    /// Joins the sets of `a` and `b`.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first_of(a), self.first_of(b));
        if let Some(slot) = self.toward_first.get_mut(a.max(b) as usize) {
            *slot = a.min(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_identified_by_their_smallest_member_in_any_join_order() {
        let pairs = [(5, 3), (3, 7), (1, 2), (7, 8), (9, 9)];
        let named = |pairs: &mut dyn Iterator<Item = &(u32, u32)>| {
            let mut islands = DisjointSets::new(10);
            pairs.for_each(|&(a, b)| islands.join(a, b));
            (0..10).map(|n| islands.first_of(n)).collect::<Vec<_>>()
        };
        let wanted = [0, 1, 1, 3, 4, 3, 6, 3, 3, 9];
        assert_eq!(named(&mut pairs.iter()), wanted);
        assert_eq!(named(&mut pairs.iter().rev()), wanted);
    }
}
