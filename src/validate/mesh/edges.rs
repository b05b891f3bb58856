//! Edges that more than two faces meet in.

use glam::Vec3;

use super::Geometry;
use super::sorted::sorted_by_vertex;
use crate::model::{NoteKind, Report, notes};

notes! {
    pub(super) FINDINGS:
    NonManifoldEdge, "non-manifold-edge", Info, Mesh, "more than two faces meet in an edge",
        "delete inner faces and separate parts that only touch";
}

/// Notes edges of more than two faces. Vertices at the same position count as one, so that seams
/// do not hide an edge; faces that occur twice or back to back count as one, since
/// they have findings of their own.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    let welded = welded(geometry);
    let weld = |corner: u32| welded.get(corner as usize).copied().unwrap_or(corner);
    let mut faces: Vec<([u32; 3], u32)> = Vec::with_capacity(geometry.triangles.len());
    for triangle in &geometry.triangles {
        let mut corners = triangle.corners.map(weld);
        corners.sort_unstable();
        let [a, b, c] = corners;
        if a != b && b != c {
            faces.push((corners, triangle.number));
        }
    }
    let num_vertices = geometry.positions.len();
    let mut faces = sorted_by_vertex(faces, num_vertices, |([first, ..], _)| *first);
    faces.dedup_by_key(|face| face.0);
    let mut edges = Vec::with_capacity(faces.len() * 3);
    for ([a, b, c], number) in faces {
        edges.extend([(a, b, number), (b, c, number), (a, c, number)]);
    }
    let edges = sorted_by_vertex(edges, num_vertices, |edge| edge.0);
    let (mut count, mut worst): (u64, &[(u32, u32, u32)]) = (0, &[]);
    for edge in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if edge.len() > 2 {
            count += 1;
            if edge.len() > worst.len() {
                worst = edge;
            }
        }
    }
    if let [(a, b, number), ..] = *worst {
        let place = geometry.triangle_place(number);
        report.note_many(NoteKind::NonManifoldEdge, place, count, || {
            format!(
                "{} faces meet between vertices {a} and {b}, one is triangle {number}",
                worst.len()
            )
        });
    }
}

/// For each vertex the first one at the same position.
fn welded(geometry: &Geometry<'_>) -> Vec<u32> {
    let key = |position: Vec3, vertex: u32| {
        // Adding 0 turns -0 into 0.
        let [x, y, z] = position.to_array().map(|x| u128::from((x + 0.0).to_bits()));
        x << 96 | y << 64 | z << 32 | u128::from(vertex)
    };
    let numbered = geometry.positions.iter().zip(0u32..);
    let mut keys: Vec<u128> = numbered.map(|(position, vertex)| key(*position, vertex)).collect();
    keys.sort_unstable();
    let mut first = vec![0; keys.len()];
    for same in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        let vertices = same.iter().map(|key| vertex_of(*key));
        let lowest = same.first().map_or(0, |key| vertex_of(*key));
        for vertex in vertices {
            if let Some(slot) = first.get_mut(vertex as usize) {
                *slot = lowest;
            }
        }
    }
    first
}

#[expect(clippy::cast_possible_truncation, reason = "the lower 32 bits are the vertex")]
fn vertex_of(key: u128) -> u32 {
    key as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::clean::{clean_model, find, indices_of, notes_of, streams_of};

    #[test]
    fn a_fin_on_a_closed_box_makes_its_edge_one_of_three_faces() {
        let mut model = clean_model();
        let far = streams_of(&mut model).positions[0] * 3.0;
        crate::validate::fixtures::clean::add_copy_of_vertex_0(&mut model);
        streams_of(&mut model).positions[24] = far;
        indices_of(&mut model).extend([0, 1, 24]);
        let notes = notes_of(&model, super::super::check);
        let note = find(&notes, NoteKind::NonManifoldEdge).unwrap();
        assert_eq!(note.count, 1);
        assert!(note.message.starts_with("3 faces meet between vertices 0 and 1"));
    }

    #[test]
    fn a_back_to_back_pair_makes_no_edge_of_four() {
        let mut model = clean_model();
        let backs: Vec<u32> = indices_of(&mut model).iter().rev().copied().collect();
        indices_of(&mut model).extend(backs);
        let notes = notes_of(&model, super::super::check);
        assert!(find(&notes, NoteKind::DoubleSidedPair).is_some());
        assert_eq!(find(&notes, NoteKind::NonManifoldEdge), None);
    }
}
