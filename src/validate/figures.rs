//! What several rules count and measure with.

use crate::model::{Aabb, Model};

/// Counts occurrences and keeps the worst of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worst<P> {
    /// In how many places.
    pub(super) count: u64,
    /// The largest measure, and where it is; the first of equals.
    pub(super) worst: Option<(f32, P)>,
}

impl<P> Default for Worst<P> {
    fn default() -> Self {
        Self {
            count: 0,
            worst: None,
        }
    }
}

impl<P> Worst<P> {
    /// Counts one occurrence of size `measure`.
    pub(super) fn add(&mut self, measure: f32, place: P) {
        self.count += 1;
        if self.worst.as_ref().is_none_or(|(most, _)| measure > *most) {
            self.worst = Some((measure, place));
        }
    }

    /// All occurrences of both; of equals, this one's.
    pub(super) fn merged(mut self, other: Self) -> Self {
        let count = self.count + other.count;
        if let Some((measure, place)) = other.worst {
            self.add(measure, place);
        }
        Self { count, ..self }
    }
}

/// Length of the diagonal of all meshes' vertices as stored, file units; 0 without any.
pub(super) fn extent(model: &Model) -> f32 {
    let mut bounds = Aabb::EMPTY;
    for mesh in &model.meshes {
        for vertex in 0..mesh.num_vertices() {
            if let Some(position) = mesh.position(vertex) {
                bounds.add(position);
            }
        }
    }
    bounds.extent()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_is_kept_and_all_are_counted() {
        let mut left = Worst::default();
        left.add(1.0, "a");
        left.add(3.0, "b");
        let mut right = Worst::default();
        right.add(3.0, "c");
        let both = left.merged(right);
        assert_eq!((both.count, both.worst), (3, Some((3.0, "b"))));
        assert_eq!(Worst::<u8>::default().merged(Worst::default()).count, 0);
    }
}
