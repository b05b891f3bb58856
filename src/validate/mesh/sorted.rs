//! Sorting records of a mesh that begin with a vertex, millions of them.

/// As `sort_unstable` sorts `items`, which are compared by `vertex` before all else: first dealt out by it,
/// then each vertex's few by themselves.
pub(super) fn sorted_by_vertex<T: Copy + Ord>(
    mut items: Vec<T>,
    num_vertices: usize,
    vertex: impl Fn(&T) -> u32,
) -> Vec<T> {
    let vertex = |item: &T| vertex(item) as usize;
    if items.iter().any(|item| vertex(item) >= num_vertices) {
        items.sort_unstable();
        return items;
    }
    // Of each vertex where the next of its items goes.
    let mut places = vec![0; num_vertices + 1];
    for item in &items {
        if let Some(num) = places.get_mut(vertex(item) + 1) {
            *num += 1;
        }
    }
    let mut sum = 0;
    for place in &mut places {
        sum += *place;
        *place = sum;
    }
    let mut sorted = items.clone();
    for item in items {
        let Some(place) = places.get_mut(vertex(&item)) else { continue };
        if let Some(slot) = sorted.get_mut(*place) {
            *slot = item;
        }
        *place += 1;
    }
    let mut start = 0;
    for end in places {
        if let Some(own) = sorted.get_mut(start..end) {
            own.sort_unstable();
        }
        start = end;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_sorted_as_by_all_they_are() {
        let mut step = 1u32;
        let mut next = |end: u32| {
            step = step.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (step >> 8) % end
        };
        for (num, num_vertices) in [(0, 0), (1, 1), (500, 7), (500, 90), (3, 1000)] {
            let items: Vec<_> = (0..num).map(|_| (next(num_vertices), next(5), next(9))).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            let vertex = |item: &(u32, u32, u32)| item.0;
            assert_eq!(sorted_by_vertex(items.clone(), num_vertices as usize, vertex), expected);
            assert_eq!(sorted_by_vertex(items, 3, vertex), expected, "some beyond the mesh");
        }
    }
}
