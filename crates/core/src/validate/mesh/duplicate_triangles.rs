//! Finds triangles that occur more than once, with the same or the opposite winding.

use super::Geometry;
use super::by_vertex::ByVertex;
use super::geometry::sorted;
use crate::model::{FindingKind, Report, findings};

findings! {
    pub(super) FINDINGS:
    DuplicateTriangle, "duplicate-triangle", Warning, Mesh,
        "a triangle occurs twice",
        "the triangle is drawn twice, which costs time; a transparent surface looks too dense there",
        "delete duplicate faces",
        "triangle 12 has the same vertices as triangle 8 at meshes[0].triangles[12]";
    DoubleSidedPair, "double-sided-pair", Info, Mesh,
        "two triangles share their vertices back to back, so the normals of one of them point inside",
        "one side is lit as if it faced away, too dark or too bright",
        "give the back face separate vertices and normals, or use a double-sided material",
        "triangles 833 and 2350 share their vertices back to back at meshes[0].triangles[2350]";
}

/// Reports triangles with the same three vertices.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    let places = geometry.triangles.iter().zip(0u32..);
    let whole = places.filter(|(triangle, _)| !triangle.repeats_a_vertex());
    let by_lowest = whole.map(|(triangle, place)| {
        let [a, b, c] = triangle.corners;
        ([a.min(b).min(c)], place)
    });
    let by_lowest = ByVertex::of(geometry.positions.len(), by_lowest);
    let (mut first_twin, mut first_pair) = (None, None);
    let (mut num_twins, mut num_pairs) = (0, 0);
    let mut keyed = Vec::new();
    let mut judge = |group: &[(([u32; 3], bool), u32)]| {
        // The sort puts one winding first, each in the order of the list.
        let num_even = group.partition_point(|entry| !entry.0.1);
        let (even, odd) = group.split_at(num_even);
        for side in [even, odd] {
            if let [(_, original), (_, repeated), ..] = side {
                num_twins += side.len() as u64 - 1;
                first_twin.get_or_insert((*original, *repeated));
            }
        }
        if let ([(_, front), ..], [(_, back), ..]) = (even, odd) {
            num_pairs += even.len().min(odd.len()) as u64;
            first_pair.get_or_insert(((*front).min(*back), (*front).max(*back)));
        }
    };
    for (_, own) in by_lowest.iter().filter(|(_, own)| own.len() > 1) {
        keyed.clear();
        let own = own.iter().filter_map(|&place| geometry.triangles.get(place as usize));
        keyed.extend(own.map(|triangle| (sorted(triangle.corners), triangle.number)));
        keyed.sort_unstable();
        keyed.chunk_by(|a, b| a.0.0 == b.0.0).for_each(&mut judge);
    }
    if let Some((original, repeated)) = first_twin {
        let place = geometry.triangle_place(repeated);
        report.add_many(FindingKind::DuplicateTriangle, place, num_twins, || {
            format!("triangle {repeated} has the same vertices as triangle {original}")
        });
    }
    if let Some((front, back)) = first_pair {
        let place = geometry.triangle_place(back);
        report.add_many(FindingKind::DoubleSidedPair, place, num_pairs, || {
            format!("triangles {front} and {back} share their vertices back to back")
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::clean::{clean_model, find, findings_of_rules, indices_of};

    #[test]
    fn triangle_with_rotated_corners_is_a_duplicate() {
        let mut model = clean_model();
        // Triangle 0 is 0, 1, 2.
        indices_of(&mut model).extend([1, 2, 0, 2, 0, 1]);
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::DuplicateTriangle).unwrap();
        assert_eq!(finding.count, 2);
        assert_eq!(finding.message, "triangle 12 has the same vertices as triangle 0");
        assert_eq!(find(&findings, FindingKind::DoubleSidedPair), None);
    }

    #[test]
    fn back_to_back_triangles_are_a_pair_and_not_duplicates() {
        let mut model = clean_model();
        indices_of(&mut model).extend([2, 1, 0]);
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::DoubleSidedPair).unwrap().count, 1);
        assert_eq!(find(&findings, FindingKind::DuplicateTriangle), None);
    }
}
