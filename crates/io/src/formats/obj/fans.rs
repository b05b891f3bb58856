//! The corners of smooth surfaces that share a normal.
//!
//! An edge is smooth if one of its faces is and it has exactly two. The faces around a point are followed across
//! such edges from the first corner of the point; corners that aren't reached get a separate normal. If the faces
//! don't all have the same winding, one of these paths leads along several points; ufbx follows it once for each of
//! them, and the last numbers stay.

use super::faces::{Corner, MISSING, MeshFaces};
use rigscope_core::model::as_u32;

/// The most steps per corner; one path per point needs 2.
const STEPS_PER_CORNER: usize = 16;

/// The edges of a mesh: each begins at a corner, and has its number.
pub(super) struct Fans {
    edges: Vec<Edge>,
    /// Points, each with its first corner.
    firsts: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct Edge {
    previous: u32,
    next: u32,
    /// The other face's edge; [`MISSING`] if there isn't exactly one.
    twin: u32,
    /// Whether its face is smooth.
    is_smooth: bool,
}

impl Fans {
    /// `is_smooth` is parallel to the faces. `of_point` has a number for each point of the file, [`MISSING`] before
    /// and after.
    pub(super) fn of(mesh: &MeshFaces<'_>, is_smooth: &[bool], of_point: &mut [u32]) -> Self {
        let mut edges = Vec::with_capacity(mesh.corners.len());
        for (range, &is_smooth) in mesh.ranges().zip(is_smooth) {
            for at in range.clone() {
                let next = as_u32(if at + 1 < range.end { at + 1 } else { range.start });
                let previous = as_u32(if at > range.start { at } else { range.end } - 1);
                edges.push(Edge { previous, next, twin: MISSING, is_smooth });
            }
        }
        let mut firsts = Vec::new();
        for (number, corner) in mesh.corners.iter().enumerate() {
            if let Some(own) = of_point.get_mut(corner.point as usize)
                && *own == MISSING
            {
                *own = 0;
                firsts.push((corner.point, as_u32(number)));
            }
        }
        let mut fans = Self { edges, firsts };
        fans.find_twins(mesh.corners, of_point);
        // Fans are numbered in the order of points.
        fans.firsts.sort_unstable();
        fans
    }

    /// Finds pairs of edges with the same ends, grouped by the lower end.
    fn find_twins(&mut self, corners: &[Corner], of_point: &mut [u32]) {
        let point = |at: u32| corners.get(at as usize).map_or(MISSING, |corner| corner.point);
        let ends = |at: usize, edge: &Edge| {
            let (a, b) = (point(as_u32(at)), point(edge.next));
            (a.min(b), a.max(b))
        };
        for (at, edge) in self.edges.iter().enumerate() {
            if let Some(num) = of_point.get_mut(ends(at, edge).0 as usize) {
                *num += 1;
            }
        }
        let mut end = 0;
        for (point, _) in &self.firsts {
            if let Some(own) = of_point.get_mut(*point as usize) {
                end += std::mem::replace(own, end);
            }
        }
        let mut grouped = vec![(MISSING, MISSING); self.edges.len()];
        for (at, edge) in self.edges.iter().enumerate() {
            let (low, high) = ends(at, edge);
            let Some(end) = of_point.get_mut(low as usize) else { continue };
            if let Some(slot) = grouped.get_mut(*end as usize) {
                *slot = (high, as_u32(at));
                *end += 1;
            }
        }
        let mut start = 0;
        for (point, _) in &self.firsts {
            let Some(own) = of_point.get_mut(*point as usize) else { continue };
            let end = std::mem::replace(own, MISSING) as usize;
            let group = grouped.get_mut(start..end).unwrap_or_default();
            group.sort_unstable();
            for same in group.chunk_by(|a, b| a.0 == b.0) {
                let [(_, a), (_, b)] = same else { continue };
                for (own, other) in [(a, b), (b, a)] {
                    if let Some(edge) = self.edges.get_mut(*own as usize) {
                        edge.twin = *other;
                    }
                }
            }
            start = end;
        }
    }

    /// Numbers the normals of the corners, which have none; returns how many there are.
    pub(super) fn number_normals(&self, corners: &mut [Corner]) -> usize {
        let mut num = 0;
        let mut steps_left = corners.len().saturating_mul(STEPS_PER_CORNER);
        let mut set = |corner: u32, normal: usize| {
            if let Some(corner) = corners.get_mut(corner as usize) {
                corner.normal = as_u32(normal);
            }
        };
        for &(_, first) in &self.firsts {
            if steps_left == 0 {
                break;
            }
            let start = self.start(first, &mut steps_left);
            set(start, num);
            num += 1;
            let mut at = start;
            while let Some(next) = self.across_previous(at)
                && next != start
                && steps_left > 0
            {
                steps_left -= 1;
                num += usize::from(!self.is_smooth(next));
                set(next, num - 1);
                at = next;
            }
        }
        for corner in corners.iter_mut().filter(|corner| corner.normal == MISSING) {
            corner.normal = as_u32(num);
            num += 1;
        }
        num
    }

    /// The corner at which a path through `first` begins: at an end, or at an edge that isn't smooth.
    fn start(&self, first: u32, steps_left: &mut usize) -> u32 {
        let (mut start, mut at) = (first, first);
        while *steps_left > 0 {
            *steps_left -= 1;
            if !self.is_smooth(at) {
                start = at;
            }
            match self.across_next(at) {
                None => return at,
                Some(next) if next == first => break,
                Some(next) => at = next,
            }
        }
        start
    }

    fn edge(&self, at: u32) -> Option<&Edge> {
        self.edges.get(at as usize)
    }

    /// The corner after the twin of the edge at a corner.
    fn across_next(&self, at: u32) -> Option<u32> {
        Some(self.edge(self.edge(at)?.twin)?.next)
    }

    /// The inverse of [`Self::across_next`].
    fn across_previous(&self, at: u32) -> Option<u32> {
        let twin = self.edge(self.edge(at)?.previous)?.twin;
        (twin != MISSING).then_some(twin)
    }

    fn is_smooth(&self, at: u32) -> bool {
        let is_smooth = |edge: &Edge| edge.is_smooth;
        let edge = self.edge(at);
        edge.is_some_and(is_smooth)
            || edge.and_then(|edge| self.edge(edge.twin)).is_some_and(is_smooth)
    }
}
