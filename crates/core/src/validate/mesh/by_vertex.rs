//! Groups numbers by vertex in one flat list, because a list per vertex would be too slow for millions of
//! triangles.

/// Numbers grouped by vertex.
pub(super) struct ByVertex {
    /// Start of the numbers of each vertex, and the end of the last.
    starts: Vec<usize>,
    numbers: Vec<u32>,
}

impl ByVertex {
    /// Adds the number of each of `entries` to its vertices, in order. Skips vertices that don't exist.
    pub(super) fn of<const N: usize>(
        num_vertices: usize,
        entries: impl Iterator<Item = ([u32; N], u32)> + Clone,
    ) -> Self {
        // Offset by one, so that filling moves each start to the start of the next vertex.
        let mut starts = vec![0; num_vertices + 2];
        let next = |vertex: u32| (vertex as usize) + 1;
        let is_known = |vertex: u32| (vertex as usize) < num_vertices;
        for (vertices, _) in entries.clone() {
            for vertex in vertices.into_iter().filter(|&vertex| is_known(vertex)) {
                if let Some(num) = starts.get_mut(next(vertex) + 1) {
                    *num += 1;
                }
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut numbers = vec![0; sum];
        for (vertices, number) in entries {
            for vertex in vertices.into_iter().filter(|&vertex| is_known(vertex)) {
                let Some(place) = starts.get_mut(next(vertex)) else { continue };
                if let Some(slot) = numbers.get_mut(*place) {
                    *slot = number;
                }
                *place += 1;
            }
        }
        Self { starts, numbers }
    }

    /// Each vertex with its numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let ranges = self.starts.windows(2).map(|ends| match *ends {
            [start, end] => self.numbers.get(start..end).unwrap_or_default(),
            _ => &[],
        });
        (0..).zip(ranges).take(self.starts.len() - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_grouped_by_vertex_in_order() {
        let entries = [([2, 9], 7), ([0, 2], 1), ([2, 3], 5), ([9, 9], 3)];
        let filed = ByVertex::of(4, entries.into_iter());
        let all: Vec<_> = filed.iter().map(|(vertex, own)| (vertex, own.to_vec())).collect();
        let expected = [(0, vec![1]), (1, vec![]), (2, vec![7, 1, 5]), (3, vec![5])];
        assert_eq!(all, expected);
        assert_eq!(ByVertex::of(0, entries.into_iter()).iter().count(), 0);
    }
}
