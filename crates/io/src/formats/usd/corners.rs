//! Converts corners of faces to vertices: corners of a point share a vertex if all their values are the same.

use rigscope_core::model::as_u32;

/// Marks the end of a point's list of vertices.
const NO_VERTEX: u32 = u32::MAX;
/// The most vertices of a point that a corner is compared with, newest first, so that time doesn't grow with the square
/// of the corners at one point.
const MAX_COMPARED: usize = 256;

/// Where the values of a primvar belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpolation {
    Constant,
    Uniform,
    Vertex,
    FaceVarying,
}

/// The values of a primvar, and the value of each element if it is indexed.
#[derive(Clone, Debug)]
pub(super) struct Primvar {
    pub(super) interpolation: Interpolation,
    /// `width` numbers for each value.
    pub(super) values: Vec<f32>,
    pub(super) width: usize,
    pub(super) indices: Option<Vec<u32>>,
}

/// A corner of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) number: usize,
    pub(super) face: usize,
    pub(super) point: u32,
}

impl Primvar {
    /// Number of elements that have a value.
    pub(super) fn len(&self) -> usize {
        let num_values = self.values.len() / self.width.max(1);
        self.indices.as_ref().map_or(num_values, Vec::len)
    }

    /// The value of a corner; `None` if it is missing.
    fn of(&self, corner: Corner) -> Option<&[f32]> {
        let element = match self.interpolation {
            Interpolation::Constant => 0,
            Interpolation::Uniform => corner.face,
            Interpolation::Vertex => corner.point as usize,
            Interpolation::FaceVarying => corner.number,
        };
        let value = match &self.indices {
            Some(indices) => *indices.get(element)? as usize,
            None => element,
        };
        let first = value.checked_mul(self.width)?;
        self.values.get(first..first.checked_add(self.width)?)
    }
}

/// Vertices, with the values of each primvar.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    /// The point of each vertex.
    pub(super) points: Vec<u32>,
    /// For each primvar, the values of all vertices; missing ones are 0.
    pub(super) values: Vec<Vec<f32>>,
    /// The vertex of each corner.
    pub(super) of_corner: Vec<u32>,
    /// Number of values that are missing.
    pub(super) num_missing: u64,
}

/// The points as vertices, if no primvar has different values for corners of a point. They keep the order of the file,
/// and points without faces are preserved.
pub(super) fn point_vertices(
    corners: impl Iterator<Item = Corner>,
    num_points: usize,
    primvars: &[&Primvar],
) -> Option<Vertices> {
    let is_split = |primvar: &&Primvar| {
        matches!(primvar.interpolation, Interpolation::Uniform | Interpolation::FaceVarying)
    };
    if primvars.iter().any(is_split) {
        return None;
    }
    let mut out = Vertices { points: (0..as_u32(num_points)).collect(), ..Vertices::default() };
    for primvar in primvars {
        let mut values = Vec::with_capacity(num_points.saturating_mul(primvar.width));
        for point in 0..num_points {
            let own = primvar.of(Corner { number: 0, face: 0, point: as_u32(point) });
            match own {
                Some(own) => values.extend_from_slice(own),
                None => {
                    out.num_missing += 1;
                    values.resize(values.len() + primvar.width, 0.0);
                }
            }
        }
        out.values.push(values);
    }
    out.of_corner = corners.map(|corner| corner.point).collect();
    Some(out)
}

/// The vertices of corners, whose points are below `num_points`.
pub(super) fn vertices(
    corners: impl Iterator<Item = Corner>,
    num_points: usize,
    primvars: &[&Primvar],
) -> Vertices {
    let mut out = Vertices { values: vec![Vec::new(); primvars.len()], ..Vertices::default() };
    let mut newest = vec![NO_VERTEX; num_points];
    let mut older: Vec<u32> = Vec::new();
    let mut own: Vec<f32> = Vec::new();
    for corner in corners {
        own.clear();
        for primvar in primvars {
            match primvar.of(corner) {
                // -0 as 0, so that equal values have equal bits.
                Some(values) => own.extend(values.iter().map(|value| value + 0.0)),
                None => {
                    out.num_missing += 1;
                    own.resize(own.len() + primvar.width, 0.0);
                }
            }
        }
        let Some(head) = newest.get_mut(corner.point as usize) else { continue };
        let mut vertex = *head;
        let mut left = MAX_COMPARED;
        while vertex != NO_VERTEX && left > 0 && !out.has(vertex, primvars, &own) {
            vertex = older.get(vertex as usize).copied().unwrap_or(NO_VERTEX);
            left -= 1;
        }
        if vertex == NO_VERTEX || left == 0 {
            vertex = as_u32(out.points.len());
            out.points.push(corner.point);
            older.push(*head);
            *head = vertex;
            let mut rest = own.as_slice();
            for (values, primvar) in out.values.iter_mut().zip(primvars) {
                let (first, others) = rest.split_at_checked(primvar.width).unwrap_or_default();
                values.extend_from_slice(first);
                rest = others;
            }
        }
        out.of_corner.push(vertex);
    }
    out
}

impl Vertices {
    /// Whether a vertex has these values.
    fn has(&self, vertex: u32, primvars: &[&Primvar], own: &[f32]) -> bool {
        let mut rest = own;
        self.values.iter().zip(primvars).all(|(values, primvar)| {
            let (wanted, others) = rest.split_at_checked(primvar.width).unwrap_or_default();
            rest = others;
            let first = vertex as usize * primvar.width;
            let stored = values.get(first..first + primvar.width).unwrap_or_default();
            stored
                .iter()
                .map(|value| value.to_bits())
                .eq(wanted.iter().map(|value| value.to_bits()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(points: &[u32]) -> Vec<Corner> {
        let corner = |(number, &point)| Corner { number, face: number / 3, point };
        points.iter().enumerate().map(corner).collect()
    }

    #[test]
    fn corners_with_equal_values_share_a_vertex() {
        let corners = corners(&[0, 1, 2, 2, 1, 3]);
        let uvs = Primvar {
            interpolation: Interpolation::FaceVarying,
            values: vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.5],
            width: 2,
            indices: Some(vec![0, 1, 2, 2, 3, 0]),
        };
        let colors = Primvar {
            interpolation: Interpolation::Vertex,
            values: vec![1.0, 2.0, 3.0],
            width: 1,
            indices: None,
        };
        let found = vertices(corners.iter().copied(), 4, &[&uvs, &colors]);
        assert_eq!(found.points, [0, 1, 2, 1, 3]);
        assert_eq!(found.of_corner, [0, 1, 2, 2, 3, 4]);
        assert_eq!(
            found.values,
            [vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.0, 0.0], vec![1.0, 2.0, 3.0, 2.0, 0.0],]
        );
        assert_eq!(found.num_missing, 1, "point 3 has no colour");
    }

    #[test]
    fn values_of_faces_split_points() {
        let corners = corners(&[0, 1, 2, 2, 1, 0]);
        let of_faces = Primvar {
            interpolation: Interpolation::Uniform,
            values: vec![1.0, 2.0],
            width: 1,
            indices: None,
        };
        let found = vertices(corners.iter().copied(), 3, &[&of_faces]);
        assert_eq!(found.points, [0, 1, 2, 2, 1, 0]);
        let constant = Primvar { interpolation: Interpolation::Constant, ..of_faces };
        let found = vertices(corners.iter().copied(), 3, &[&constant]);
        assert_eq!((found.points.len(), found.of_corner), (3, vec![0, 1, 2, 2, 1, 0]));
    }
}
