//! Triangles as keys of maps.

/// The corners rotated so that the lowest is first: equal for equal triangles with the same winding.
#[must_use]
pub(crate) fn from_lowest([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_equal_and_reversed_triangles_differ() {
        for corners in [[1, 2, 3], [2, 3, 1], [3, 1, 2]] {
            assert_eq!(from_lowest(corners), [1, 2, 3]);
        }
        assert_eq!(from_lowest([3, 2, 1]), [1, 3, 2]);
    }
}
