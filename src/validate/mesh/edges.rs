//! Edges that more than two faces meet in.

use std::collections::HashMap;

use super::Geometry;
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
    faces.sort_unstable();
    faces.dedup_by_key(|face| face.0);
    let mut edges = Vec::with_capacity(faces.len() * 3);
    for ([a, b, c], number) in faces {
        edges.extend([(a, b, number), (b, c, number), (a, c, number)]);
    }
    edges.sort_unstable();
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
    let mut first_at = HashMap::with_capacity(geometry.positions.len());
    let numbered = geometry.positions.iter().zip(0u32..);
    numbered
        .map(|(position, vertex)| {
            // Adding 0 turns -0 into 0.
            let key = position.to_array().map(|x| (x + 0.0).to_bits());
            *first_at.entry(key).or_insert(vertex)
        })
        .collect()
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
