//! Cuts a triangle where its texture coordinates cross whole numbers.
//!
//! Not for: selecting the triangles to cut, or processing the pieces.

use glam::{DVec2, DVec3, IVec2};

/// Smaller pieces, in squared tiles, aren't visible.
const MIN_AREA: f64 = 1e-12;

/// A point inside a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) uv: DVec2,
    /// Barycentric coordinates.
    pub(super) shares: DVec3,
}

/// The convex pieces of a triangle, each with its tile; tiles are from `low` to before `high`.
pub(super) fn by_tile(
    triangle: &[Corner; 3],
    low: IVec2,
    high: IVec2,
) -> Vec<(IVec2, Vec<Corner>)> {
    let mut pieces = Vec::new();
    for u in low.x..high.x {
        let column = between(triangle, 0, u);
        if column.len() < 3 {
            continue;
        }
        for v in low.y..high.y {
            let piece = between(&column, 1, v);
            if area(&piece).abs() > MIN_AREA {
                pieces.push((IVec2::new(u, v), piece));
            }
        }
    }
    // Without area in the texture, pieces can't be distinguished.
    if pieces.is_empty() {
        pieces.push((low, triangle.to_vec()));
    }
    pieces
}

/// The part of a polygon whose coordinate `axis` is between `tile` and the next one.
fn between(polygon: &[Corner], axis: usize, tile: i32) -> Vec<Corner> {
    let above = clipped(polygon, axis, f64::from(tile), 1.0);
    clipped(&above, axis, f64::from(tile) + 1.0, -1.0)
}

/// Clips a polygon at a line by Sutherland and Hodgman's algorithm; with `side` 1, keeps the part
/// above.
fn clipped(polygon: &[Corner], axis: usize, line: f64, side: f64) -> Vec<Corner> {
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (at, corner) in polygon.iter().enumerate() {
        let Some(next) = polygon.get((at + 1) % polygon.len()) else { continue };
        let distance = |corner: &Corner| (corner.uv[axis] - line) * side;
        let (here, there) = (distance(corner), distance(next));
        if here >= 0.0 {
            out.push(*corner);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            out.push(crossing(corner, next, axis, line));
        }
    }
    out
}

/// The intersection of an edge with the line; the same for both directions of the edge.
fn crossing(a: &Corner, b: &Corner, axis: usize, line: f64) -> Corner {
    let (low, high) = if a.uv[axis] < b.uv[axis] { (a, b) } else { (b, a) };
    let share = (line - low.uv[axis]) / (high.uv[axis] - low.uv[axis]);
    let mut uv = low.uv.lerp(high.uv, share);
    uv[axis] = line;
    Corner { uv, shares: low.shares.lerp(high.shares, share) }
}

fn area(polygon: &[Corner]) -> f64 {
    let Some((first, rest)) = polygon.split_first() else { return 0.0 };
    let triangles = rest.windows(2).map(|pair| match pair {
        [a, b] => (a.uv - first.uv).perp_dot(b.uv - first.uv) / 2.0,
        _ => 0.0,
    });
    triangles.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(u: f64, v: f64, shares: DVec3) -> Corner {
        Corner { uv: DVec2::new(u, v), shares }
    }

    #[test]
    fn pieces_stay_within_their_tiles_and_cover_the_triangle() {
        let triangle =
            [corner(-0.5, 0.25, DVec3::X), corner(2.5, 0.5, DVec3::Y), corner(0.5, 1.75, DVec3::Z)];
        let pieces = by_tile(&triangle, IVec2::new(-1, 0), IVec2::new(3, 2));
        assert!(pieces.len() >= 5, "{}", pieces.len());
        let mut total = 0.0;
        for (tile, piece) in &pieces {
            let (low, high) = (tile.as_dvec2() - 1e-12, tile.as_dvec2() + 1.0 + 1e-12);
            for corner in piece {
                assert!(corner.uv.cmpge(low).all() && corner.uv.cmple(high).all());
                let made = triangle.iter().zip(corner.shares.to_array());
                let made: DVec2 = made.map(|(c, share)| c.uv * share).sum();
                assert!(made.distance(corner.uv) < 1e-12, "the shares give its position");
                assert!((corner.shares.element_sum() - 1.0).abs() < 1e-12);
            }
            assert!(area(piece) > 0.0, "the winding stays");
            total += area(piece);
        }
        assert!((total - area(&triangle)).abs() < 1e-12);
    }

    #[test]
    fn degenerate_triangle_is_not_split() {
        let line =
            [corner(0.5, 0.5, DVec3::X), corner(1.5, 0.5, DVec3::Y), corner(1.5, 0.5, DVec3::Z)];
        let pieces = by_tile(&line, IVec2::ZERO, IVec2::new(2, 1));
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].1.len(), 3);
    }
}
