//! Converts triangle strips and fans to triangle lists.

use gltf_json::mesh::Mode;

/// Number of indices that [`list`] makes of `num`; an upper bound for strips.
pub(super) fn num_indices(mode: Mode, num: usize) -> usize {
    match mode {
        Mode::Triangles => num - num % 3,
        Mode::TriangleStrip | Mode::TriangleFan => num.saturating_sub(2).saturating_mul(3),
        _ => 0,
    }
}

/// The triangles of `indices`, counter-clockwise as stored (section 3.7.2.1). Strip triangles with
/// a repeated vertex only join parts of the strip, and are left out.
pub(super) fn list(mode: Mode, mut indices: Vec<u32>, out: &mut Vec<u32>) {
    match mode {
        Mode::Triangles => {
            indices.truncate(num_indices(mode, indices.len()));
            out.append(&mut indices);
        }
        Mode::TriangleStrip => {
            for (at, corners) in indices.windows(3).enumerate() {
                let &[a, b, c] = corners else { continue };
                if a == b || b == c || a == c {
                    continue;
                }
                match at % 2 {
                    0 => out.extend([a, b, c]),
                    _ => out.extend([a, c, b]),
                }
            }
        }
        Mode::TriangleFan => {
            if let Some((&hub, rim)) = indices.split_first() {
                for corners in rim.windows(2) {
                    let &[b, c] = corners else { continue };
                    out.extend([b, c, hub]);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(mode: Mode, indices: &[u32]) -> Vec<u32> {
        let mut out = Vec::new();
        list(mode, indices.to_vec(), &mut out);
        assert!(out.len() <= num_indices(mode, indices.len()));
        out
    }

    #[test]
    fn strips_and_fans_keep_their_winding() {
        assert_eq!(made(Mode::Triangles, &[0, 1, 2, 3]), [0, 1, 2]);
        let strip = made(Mode::TriangleStrip, &[0, 1, 2, 3]);
        assert_eq!(strip, [0, 1, 2, 1, 3, 2]);
        let stitched = made(Mode::TriangleStrip, &[0, 1, 2, 2, 5, 5, 5, 6, 7]);
        assert_eq!(stitched, [0, 1, 2, 5, 6, 7]);
        let fan = made(Mode::TriangleFan, &[9, 1, 2, 3]);
        assert_eq!(fan, [1, 2, 9, 2, 3, 9]);
        for mode in [Mode::Triangles, Mode::TriangleStrip, Mode::TriangleFan] {
            assert!(made(mode, &[0, 1]).is_empty() && made(mode, &[]).is_empty());
        }
        assert!(made(Mode::Lines, &[0, 1, 2, 3]).is_empty());
    }
}
