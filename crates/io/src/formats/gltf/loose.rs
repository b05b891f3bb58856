//! Converts line and point primitives to index lists (glTF 2.0, section 3.7.2.1).

use gltf_json::mesh::Mode;

use rigscope_core::model::LooseKind;

/// The kind of geometry of a primitive's `mode`; `None` for triangles.
pub(super) fn kind(mode: Mode) -> Option<LooseKind> {
    match mode {
        Mode::Points => Some(LooseKind::Points),
        Mode::Lines | Mode::LineLoop | Mode::LineStrip => Some(LooseKind::Lines),
        Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan => None,
    }
}

/// Upper bound on the number of indices that [`list`] makes of `num`.
pub(super) fn num_indices(mode: Mode, num: usize) -> usize {
    match mode {
        Mode::LineStrip | Mode::LineLoop => num.saturating_mul(2),
        _ => num,
    }
}

/// Pairs of line ends, or points.
pub(super) fn list(mode: Mode, mut indices: Vec<u32>) -> Vec<u32> {
    match mode {
        Mode::Points => indices,
        Mode::Lines => {
            indices.truncate(indices.len() - indices.len() % 2);
            indices
        }
        Mode::LineStrip | Mode::LineLoop => {
            let along = indices.windows(2).flatten().copied();
            let mut ends: Vec<u32> = along.collect();
            // A loop of two would repeat the same line backwards.
            if let ([first, _, .., last], Mode::LineLoop) = (&indices[..], mode)
                && indices.len() > 2
            {
                ends.extend([*last, *first]);
            }
            ends
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_strips_connect_and_line_loops_close() {
        let made = |mode, indices: &[u32]| {
            let ends = list(mode, indices.to_vec());
            assert!(ends.len() <= num_indices(mode, indices.len()));
            ends
        };
        assert_eq!(made(Mode::Lines, &[0, 1, 2, 3, 4]), [0, 1, 2, 3]);
        assert_eq!(made(Mode::LineStrip, &[5, 6, 7]), [5, 6, 6, 7]);
        assert_eq!(made(Mode::LineLoop, &[5, 6, 7]), [5, 6, 6, 7, 7, 5]);
        assert_eq!(made(Mode::LineLoop, &[5, 6]), [5, 6]);
        assert_eq!(made(Mode::Points, &[3, 1]), [3, 1]);
        for mode in [Mode::Lines, Mode::LineStrip, Mode::LineLoop] {
            assert!(made(mode, &[4]).is_empty() && made(mode, &[]).is_empty());
        }
        assert!(made(Mode::Triangles, &[0, 1, 2]).is_empty());
    }
}
