//! Finds edges of more than two faces.

use super::Geometry;
use super::by_vertex::ByVertex;
use super::geometry::{Triangle, sorted};
use crate::geometry::welded;
use crate::model::{FindingKind, Report, findings};

findings! {
    pub(super) FINDINGS:
    NonManifoldEdge, "non-manifold-edge", Info, Mesh,
        "more than two faces share an edge",
        "none in most models; computed normals and shadows may be wrong at the edge, and tools that need closed surfaces fail",
        "delete interior faces, and separate parts that only touch",
        "3 faces share the edge between vertices 376 and 415; one of them is triangle 12 at meshes[0].triangles[12]";
}

/// Reports edges of more than two faces. Vertices at the same position count as one, so that seams don't hide
/// an edge. Faces that occur twice or back to back count as one, because they have separate findings.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    let welded = welded(&geometry.positions);
    let weld = |corner: u32| welded.get(corner as usize).copied().unwrap_or(corner);
    let corners = |triangle: &Triangle| {
        let [a, b, c] = triangle.corners;
        sorted([weld(a), weld(b), weld(c)]).0
    };
    // An edge is assigned to the lower of its vertices, which is the first or second corner of a face.
    let places = geometry.triangles.iter().zip(0u32..).map(|(triangle, place)| {
        let [a, b, c] = corners(triangle);
        let is_face = a != b && b != c;
        (if is_face { [a, b] } else { [u32::MAX; 2] }, place)
    });
    let faces = ByVertex::of(geometry.positions.len(), places);
    let (mut count, mut worst) = (0, None::<(usize, u32, u32, u32)>);
    let mut edges = Vec::new();
    for (start, own) in faces.iter().filter(|(_, own)| !own.is_empty()) {
        edges.clear();
        for triangle in own.iter().filter_map(|&place| geometry.triangles.get(place as usize)) {
            let [a, b, c] = corners(triangle);
            if a == start {
                edges.extend([(b, c, triangle.number), (c, b, triangle.number)]);
            } else {
                edges.push((c, a, triangle.number));
            }
        }
        edges.sort_unstable();
        for edge in edges.chunk_by(|one, other| one.0 == other.0).filter(|edge| edge.len() > 2) {
            // Faces of an edge differ by their third corners.
            let num_faces = edge.chunk_by(|one, other| one.1 == other.1).count();
            if num_faces <= 2 {
                continue;
            }
            count += 1;
            let is_worse = worst.is_none_or(|(most, ..)| num_faces > most);
            let first = edge.iter().map(|(.., number)| *number).min();
            if let (true, Some((end, ..)), Some(number)) = (is_worse, edge.first(), first) {
                worst = Some((num_faces, start, *end, number));
            }
        }
    }
    if let Some((num_faces, start, end, number)) = worst {
        let place = geometry.triangle_place(number);
        report.add_many(FindingKind::NonManifoldEdge, place, count, || {
            format!(
                "{num_faces} faces share the edge between vertices {start} and {end}; one of them is \
                 triangle {number}"
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::Random;
    use crate::model::{MeshId, Streams};
    use crate::validate::fixtures::clean::{
        clean_model, find, findings_of_rules, indices_of, streams_of,
    };

    #[test]
    fn fin_on_a_closed_box_makes_its_edge_non_manifold() {
        let mut model = clean_model();
        let far = streams_of(&mut model).positions[0] * 3.0;
        crate::validate::fixtures::clean::add_copy_of_vertex_0(&mut model);
        streams_of(&mut model).positions[24] = far;
        indices_of(&mut model).extend([0, 1, 24]);
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::NonManifoldEdge).unwrap();
        assert_eq!(finding.count, 1);
        assert!(finding.message.starts_with("3 faces share the edge between vertices 0 and 1"));
    }

    #[test]
    fn back_to_back_triangles_are_not_non_manifold() {
        let mut model = clean_model();
        let backs: Vec<u32> = indices_of(&mut model).iter().rev().copied().collect();
        indices_of(&mut model).extend(backs);
        let findings = findings_of_rules(&model, super::super::check);
        assert!(find(&findings, FindingKind::DoubleSidedPair).is_some());
        assert_eq!(find(&findings, FindingKind::NonManifoldEdge), None);
    }
    #[test]
    fn non_manifold_edges_match_a_brute_force_search() {
        let mut random = Random(1);
        let mut next = |end: u32| u32::try_from(random.below(end as usize)).unwrap();
        let mut num_found = 0;
        for round in 0..200 {
            let num_vertices = 4 + round % 9;
            let mut model = clean_model();
            let streams = streams_of(&mut model);
            *streams = Streams::default();
            // Some positions coincide.
            let places = [-0.0, 0.0, 1.0];
            let mut place = || places[next(3) as usize];
            streams.positions =
                (0..num_vertices).map(|_| Vec3::new(place(), place(), place())).collect();
            let positions = streams.positions.clone();
            *indices_of(&mut model) = (0..3 * (round % 40)).map(|_| next(num_vertices)).collect();
            let geometry = Geometry::of(&model.meshes[MeshId(0)], 0, &model.axes);

            let weld = |corner: u32| {
                let own = positions[corner as usize];
                positions.iter().position(|other| *other == own).unwrap()
            };
            let mut faces = std::collections::BTreeMap::new();
            for triangle in &geometry.triangles {
                let mut corners = triangle.corners.map(weld);
                corners.sort_unstable();
                if corners[0] != corners[1] && corners[1] != corners[2] {
                    faces.entry(corners).or_insert(triangle.number);
                }
            }
            let mut edges = std::collections::BTreeMap::<_, Vec<u32>>::new();
            for ([a, b, c], number) in faces {
                for edge in [(a, b), (b, c), (a, c)] {
                    edges.entry(edge).or_default().push(number);
                }
            }
            edges.retain(|_, faces| faces.len() > 2);
            let most = edges.values().map(Vec::len).max();
            let worst = edges.iter().find(|(_, faces)| Some(faces.len()) == most);
            let expected = worst.map(|((a, b), faces)| {
                let (num, first) = (faces.len(), faces.iter().min().unwrap());
                let text = format!(
                    "{num} faces share the edge between vertices {a} and {b}; one of them is triangle {first}"
                );
                (edges.len() as u64, text)
            });

            let report = Report::new();
            check(&geometry, &report);
            let found = report.findings().pop().map(|finding| (finding.count, finding.message));
            assert_eq!(found, expected, "{positions:?}");
            num_found += u32::from(found.is_some());
        }
        assert!(num_found > 50, "{num_found}");
    }
}
