//! Faces of a mesh, and their triangles.

use std::ops::Range;

use glam::Vec3;
use openusd::sdf::Path;

use super::attributes::Attributes;
use super::corners::Corner;
use super::values::{ints, token};
use crate::formats::ReadError;
use rigscope_core::geometry::polygon;
use rigscope_core::model::{FindingKind, Place, counted};

/// The faces of a mesh.
pub(super) struct Faces {
    /// The corners of each face in the file, or nothing if it isn't shown.
    ranges: Vec<Option<Range<usize>>>,
    /// The point of each corner.
    points: Vec<u32>,
    /// Where each face's corners begin among those of all shown faces.
    first_shown: Vec<usize>,
    is_left_handed: bool,
}

impl Faces {
    pub(super) fn read(
        attributes: &Attributes<'_>,
        path: &Path,
        points: &[Vec3],
    ) -> Result<Self, ReadError> {
        let list = |name| attributes.value(path, name).and_then(ints).unwrap_or_default();
        let (sizes, indices, holes) =
            (list("faceVertexCounts"), list("faceVertexIndices"), list("holeIndices"));
        attributes.take::<[usize; 4]>(sizes.len(), "faces")?;
        let point = |index: &i32| u32::try_from(*index).unwrap_or(u32::MAX);
        let corners: Vec<u32> = indices.iter().map(point).collect();
        let orientation = attributes.value(path, "orientation").and_then(token);
        let mut out = Self {
            ranges: Vec::with_capacity(sizes.len()),
            points: corners,
            first_shown: Vec::with_capacity(sizes.len()),
            is_left_handed: orientation.as_deref() == Some("leftHanded"),
        };
        let mut begin = 0usize;
        let mut bad = Vec::new();
        for (face, &size) in sizes.iter().enumerate() {
            let size = usize::try_from(size).unwrap_or_default();
            let range = begin..begin.saturating_add(size);
            begin = range.end;
            let own = out.points.get(range.clone());
            let is_good = own.is_some_and(|own| {
                own.len() >= 3 && own.iter().all(|point| (*point as usize) < points.len())
            });
            if !is_good {
                bad.push(face);
            }
            out.ranges.push(is_good.then_some(range));
        }
        for hole in holes {
            let place = usize::try_from(hole).ok().and_then(|hole| out.ranges.get_mut(hole));
            if let Some(place) = place {
                *place = None;
            }
        }
        let mut first = 0;
        for range in &out.ranges {
            out.first_shown.push(first);
            first += range.as_ref().map_or(0, Range::len);
        }
        out.report(attributes, path, &bad, begin);
        Ok(out)
    }

    fn report(&self, attributes: &Attributes<'_>, path: &Path, bad: &[usize], num_stated: usize) {
        let num = bad.len() as u64;
        attributes.report.add_many(FindingKind::FaceLeftOut, Place::File, num, || {
            format!(
                "{path}: face {} has fewer than 3 corners or a point that doesn't exist; {} left out",
                bad.first().copied().unwrap_or_default(),
                if num == 1 { "it is".to_owned() } else { format!("{} are", counted(num, "face")) }
            )
        });
        if num_stated != self.points.len() {
            let message = format!(
                "{path}: faceVertexCounts adds up to {num_stated}, but faceVertexIndices has {}",
                self.points.len()
            );
            attributes.report.add(FindingKind::BrokenRecord, Place::File, message);
        }
    }

    /// Number of faces in the file.
    pub(super) fn num(&self) -> usize {
        self.ranges.len()
    }

    /// Number of corners in the file.
    pub(super) fn num_corners(&self) -> usize {
        self.points.len()
    }

    /// The corners of all shown faces.
    pub(super) fn corners(&self) -> impl Iterator<Item = Corner> {
        self.ranges.iter().enumerate().flat_map(move |(face, range)| {
            let range = range.clone().unwrap_or_default();
            range.filter_map(move |number| {
                Some(Corner { number, face, point: self.points.get(number).copied()? })
            })
        })
    }

    /// The corners of a face among those of all shown faces.
    pub(super) fn vertices_of(&self, face: usize) -> Range<usize> {
        let first = self.first_shown.get(face).copied().unwrap_or_default();
        let num = self.ranges.get(face).and_then(Option::as_ref).map_or(0, Range::len);
        first..first + num
    }

    /// Appends the triangles of a face with these vertices.
    pub(super) fn triangulate(
        &self,
        vertices: &[u32],
        position: impl Fn(u32) -> Vec3,
        indices: &mut Vec<u32>,
        attributes: &Attributes<'_>,
    ) -> Result<(), ReadError> {
        let first = indices.len();
        match *vertices {
            [] => return Ok(()),
            [a, b, c] => indices.extend([a, b, c]),
            [a, b, c, d] => {
                let [pa, pb, pc, pd] = [a, b, c, d].map(&position);
                let turn = |x: Vec3, y: Vec3, z: Vec3| (y - x).cross(z - x);
                // A concave corner must be on the diagonal.
                if turn(pa, pb, pc).dot(turn(pa, pc, pd)) >= 0.0 {
                    indices.extend([a, b, c, a, c, d]);
                } else {
                    indices.extend([a, b, d, b, c, d]);
                }
            }
            _ => {
                let corners: Vec<[f64; 3]> = vertices
                    .iter()
                    .map(|&vertex| position(vertex).to_array().map(f64::from))
                    .collect();
                let report = attributes.report;
                let mut go_on = |_: f32| report.progress("triangulating a polygon", 0.5);
                let cut = polygon::triangulate(&corners, &mut go_on)?;
                let vertex = |&corner: &u32| vertices.get(corner as usize).copied();
                indices.extend(cut.triangles.iter().flatten().filter_map(vertex));
            }
        }
        if self.is_left_handed {
            let (triangles, _) = indices.get_mut(first..).unwrap_or_default().as_chunks_mut::<3>();
            triangles.iter_mut().for_each(|own| own.swap(1, 2));
        }
        Ok(())
    }
}
