//! Checks triangles and subsets: indices in range, subsets within the index list.

use super::Tally;
use crate::model::{
    FindingKind, Indices, Mesh, Place, Report, Subset, as_u32, counted, numbers, singular_or_plural,
};

/// Checks triangles and subsets of one mesh and removes subsets that are out of range.
///
/// A mesh without subsets gets one that covers all triangles.
pub(super) fn check(mesh: &mut Mesh, number: u32, num_materials: usize, report: &Report) {
    let num_indices = mesh.indices.len();
    if num_indices == 0 && mesh.loose.is_empty() {
        report.add(FindingKind::NoTriangles, Place::Mesh(number), "the mesh has no triangles");
    }
    if mesh.subsets.is_empty() && num_indices >= 3 {
        mesh.subsets.push(Subset {
            first_index: 0,
            index_count: u32::try_from(num_indices / 3 * 3).unwrap_or(u32::MAX / 3 * 3),
            material: None,
        });
    }
    let bad_triangles = bad_triangles(mesh, number, report);
    let mut kept = Vec::new();
    for (index, subset) in mesh.subsets.iter().enumerate() {
        let place = Place::Subset { mesh: number, subset: as_u32(index) };
        if subset.range().end > num_indices {
            report.add_many(FindingKind::SubsetOutOfRange, place, 1, || {
                format!(
                    "subset {index} has {} from index {} on, but the mesh has only {}",
                    counted(u64::from(subset.index_count), "index"),
                    subset.first_index,
                    numbers::grouped(num_indices as u64)
                )
            });
            continue;
        }
        if names_bad_vertex(&bad_triangles, subset) {
            continue;
        }
        kept.push(fixed_subset(*subset, index, place, num_materials, report));
    }
    mesh.subsets = kept;
    coverage(mesh, number, report);
    fix_indices(mesh, &bad_triangles);
}

/// Makes triangles with missing vertices degenerate. Without any vertex, all triangles are removed.
fn fix_indices(mesh: &mut Mesh, bad: &[usize]) {
    let num_vertices = mesh.num_vertices();
    let num_indices = mesh.indices.len();
    // The list may end with an incomplete triangle.
    let rest = num_indices / 3 * 3..num_indices;
    let is_bad =
        |at: usize| mesh.indices.get(at).is_some_and(|index| index as usize >= num_vertices);
    if bad.is_empty() && !rest.clone().any(is_bad) {
        return;
    }
    if num_vertices == 0 {
        mesh.indices = Indices::default();
        mesh.subsets.clear();
        return;
    }
    let mut indices: Vec<u32> = mesh.indices.iter().collect();
    for triangle in bad.iter().map(|at| at / 3 * 3) {
        indices[triangle..triangle + 3].fill(0);
    }
    indices[rest].fill(0);
    mesh.indices = Indices::U32(indices);
}

/// Sorted positions in the index list that refer to a vertex past the end; reports them and
/// degenerate triangles.
fn bad_triangles(mesh: &Mesh, number: u32, report: &Report) -> Vec<usize> {
    let num_vertices = mesh.num_vertices();
    let (mut out_of_range, mut degenerate) = (Tally::default(), Tally::default());
    let mut bad = Vec::new();
    for (triangle, corners) in mesh.triangles(0..mesh.indices.len()).enumerate() {
        let [a, b, c] = corners;
        degenerate.add(a == b || b == c || a == c, triangle);
        for (corner, index) in corners.into_iter().enumerate() {
            if index as usize >= num_vertices {
                out_of_range.add(true, triangle);
                bad.push(triangle * 3 + corner);
            }
        }
    }
    let place = |triangle| Place::Triangle { mesh: number, triangle };
    let corners_of = |triangle: u32| {
        let first = triangle as usize * 3;
        [0, 1, 2].map(|corner| mesh.indices.get(first + corner).unwrap_or_default())
    };
    let triangle = out_of_range.first;
    let places = out_of_range.all.iter().map(|&triangle| place(triangle));
    report.add_places(FindingKind::IndexOutOfRange, out_of_range.count, places, || {
        let outside = corners_of(triangle).into_iter().find(|at| *at as usize >= num_vertices);
        let vertex = outside.unwrap_or_default();
        let vertices = counted(num_vertices as u64, "vertex");
        format!("triangle {triangle} refers to vertex {vertex}, but the mesh has {vertices}")
    });
    let triangle = degenerate.first;
    let places = degenerate.all.iter().map(|&triangle| place(triangle));
    report.add_places(FindingKind::DegenerateTriangle, degenerate.count, places, || {
        let [a, b, c] = corners_of(triangle);
        format!("triangle {triangle} has the same vertex at two corners: {a}, {b}, {c}")
    });
    bad
}

fn names_bad_vertex(bad: &[usize], subset: &Subset) -> bool {
    let range = subset.range();
    let from = bad.partition_point(|&at| at < range.start);
    bad.get(from).is_some_and(|&at| at < range.end)
}

/// The subset with whole triangles and an existing material.
fn fixed_subset(
    mut subset: Subset,
    index: usize,
    place: Place,
    num_materials: usize,
    report: &Report,
) -> Subset {
    if !subset.index_count.is_multiple_of(3) {
        report.add_many(FindingKind::SubsetNotTriangles, place, 1, || {
            let indices = counted(u64::from(subset.index_count), "index");
            format!("subset {index} has {indices}, which isn't a multiple of 3")
        });
        subset.index_count -= subset.index_count % 3;
    }
    if let Some(material) = subset.material
        && material.index() >= num_materials
    {
        report.add_many(FindingKind::MaterialOutOfRange, place, 1, || {
            let materials = counted(num_materials as u64, "material");
            format!(
                "subset {index} refers to material {}, but the model has {materials}",
                material.0
            )
        });
        subset.material = None;
    }
    subset
}

/// Reports subsets that cover the same triangles, and triangles that no subset covers.
fn coverage(mesh: &Mesh, number: u32, report: &Report) {
    let mut order: Vec<usize> = (0..mesh.subsets.len()).collect();
    order.sort_by_key(|&i| mesh.subsets.get(i).map_or(0, |s| s.first_index));
    let (mut end, mut covered) = (0, 0);
    let mut overlapping = Tally::default();
    for index in order {
        let Some(subset) = mesh.subsets.get(index) else { continue };
        let range = subset.range();
        overlapping.add(!range.is_empty() && range.start < end, index);
        covered += range.end.saturating_sub(range.start.max(end));
        end = end.max(range.end);
    }
    let subset = overlapping.first;
    let place = Place::Subset { mesh: number, subset };
    report.add_many(FindingKind::OverlappingSubsets, place, overlapping.count, || {
        format!("subset {subset} covers triangles of an earlier subset")
    });
    let lost = mesh.indices.len().saturating_sub(covered);
    if lost > 0 {
        report.add(
            FindingKind::UncoveredIndices,
            Place::Mesh(number),
            format!(
                "{} of {} {} to no subset",
                numbers::grouped(lost as u64),
                counted(mesh.indices.len() as u64, "index"),
                singular_or_plural(lost as u64, "belongs", "belong")
            ),
        );
    }
}
