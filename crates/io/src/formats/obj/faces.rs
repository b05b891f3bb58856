//! The faces, lines and points of a file, and the lists that their corners refer to.

use rigscope_core::model::as_u32;
use std::ops::Range;

use glam::{Vec2, Vec3, Vec4};

use super::counts::StatementCounts;

/// Index of an attribute that a corner doesn't have.
pub(super) const MISSING: u32 = u32::MAX;

/// The values of all `v`, `vt` and `vn` statements.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// In double precision, in which normals and triangulations are computed.
    pub(super) points: Vec<[f64; 3]>,
    /// v down.
    pub(super) uvs: Vec<Vec2>,
    pub(super) normals: Vec<Vec3>,
    /// Linear, one per point; empty if no point has a colour. Points without one are white.
    pub(super) colors: Vec<Vec4>,
    /// Parallel to `colors`.
    pub(super) has_color: Vec<bool>,
}

/// The part of [`Lists`] that a chunk of the file contains.
pub(super) struct ListsPart<'a> {
    pub(super) points: &'a mut [[f64; 3]],
    pub(super) uvs: &'a mut [Vec2],
    pub(super) normals: &'a mut [Vec3],
}

impl Lists {
    pub(super) fn new(totals: &StatementCounts) -> Self {
        let [num_points, num_uvs, num_normals, _] = totals.0;
        Self {
            points: vec![[0.0; 3]; num_points],
            uvs: vec![Vec2::ZERO; num_uvs],
            normals: vec![Vec3::ZERO; num_normals],
            ..Self::default()
        }
    }

    /// Divides the lists among chunks with these counts.
    pub(super) fn parts<'a>(&'a mut self, counts: &[StatementCounts]) -> Vec<ListsPart<'a>> {
        let (mut points, mut uvs, mut normals) =
            (&mut *self.points, &mut *self.uvs, &mut *self.normals);
        let part =
            |StatementCounts([num_points, num_uvs, num_normals, _]): &StatementCounts| ListsPart {
                points: take(&mut points, *num_points),
                uvs: take(&mut uvs, *num_uvs),
                normals: take(&mut normals, *num_normals),
            };
        counts.iter().map(part).collect()
    }

    /// Colours points, given by their numbers.
    pub(super) fn set_colors(&mut self, colors: impl IntoIterator<Item = (u32, Vec4)>) {
        for (point, color) in colors {
            if self.colors.is_empty() {
                self.colors = vec![Vec4::ONE; self.points.len()];
                self.has_color = vec![false; self.points.len()];
            }
            let point = point as usize;
            if let (Some(own), Some(has_color)) =
                (self.colors.get_mut(point), self.has_color.get_mut(point))
            {
                (*own, *has_color) = (color, true);
            }
        }
    }
}

/// Removes the first `num` elements.
fn take<'a, T>(list: &mut &'a mut [T], num: usize) -> &'a mut [T] {
    let whole = std::mem::take(list);
    let (first, rest) = whole.split_at_mut(num.min(whole.len()));
    *list = rest;
    first
}

/// Indices in [`Lists`], or [`MISSING`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) point: u32,
    pub(super) uv: u32,
    pub(super) normal: u32,
}

/// A statement that affects the following faces.
#[derive(Debug)]
pub(super) enum Setting {
    Object(String),
    /// Empty to leave a group.
    Group(String),
    Material(Option<String>),
    Smoothing(bool),
    /// Groups don't divide the file into meshes.
    MergedGroups,
}

/// Faces, segments of lines, and points, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Faces {
    pub(super) corners: Vec<Corner>,
    /// The end of each face in `corners`.
    pub(super) ends: Vec<u32>,
    /// Settings, each with the number of the face that it precedes.
    pub(super) settings: Vec<(usize, Setting)>,
}

impl Faces {
    pub(super) fn set(&mut self, setting: Setting) {
        self.settings.push((self.ends.len(), setting));
    }

    /// Ends a face after the last corner.
    pub(super) fn end_face(&mut self) {
        self.ends.push(as_u32(self.corners.len()));
    }

    /// Adds those of the following chunk.
    pub(super) fn append(&mut self, next: Self) {
        let (num_corners, num_faces) = (self.corners.len(), self.ends.len());
        self.corners.extend_from_slice(&next.corners);
        self.ends.extend(next.ends.iter().map(|&end| as_u32(num_corners + end as usize)));
        let settings = next.settings.into_iter();
        self.settings.extend(settings.map(|(face, setting)| (num_faces + face, setting)));
    }
}

/// The corners of a range of faces with these ends.
pub(super) fn corner_range(ends: &[u32], faces: &Range<usize>) -> Range<usize> {
    let end = |face: usize| match face.checked_sub(1) {
        Some(last) => ends.get(last).map_or(0, |end| *end as usize),
        None => 0,
    };
    end(faces.start)..end(faces.end)
}

/// The corners and faces of a mesh.
pub(super) struct MeshFaces<'a> {
    pub(super) points: &'a [[f64; 3]],
    pub(super) corners: &'a mut [Corner],
    /// The end of each face in the corners of the file.
    pub(super) ends: &'a [u32],
    /// The first corner of the mesh in the file.
    pub(super) first: usize,
}

impl MeshFaces<'_> {
    /// The corners of each face, as ranges of `corners`.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        face_ranges(self.ends, self.first)
    }
}

/// The corners of each face, counted from `first`.
pub(super) fn face_ranges(ends: &[u32], first: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let ends = ends.iter().map(move |&end| (end as usize).saturating_sub(first));
    std::iter::once(0).chain(ends.clone()).zip(ends).map(|(start, end)| start..end)
}
