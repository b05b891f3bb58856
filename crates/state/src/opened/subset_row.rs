//! The parts of all meshes in one list.

use rigscope_core::model::{Loose, LooseKind, MeshId, Model, Subset};

/// A part among those of all meshes: a subset, or lines or points that belong to no triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubsetRow {
    /// Its mesh.
    pub mesh: MeshId,
    /// Its number among the mesh's parts.
    pub number: usize,
    /// The range, which is empty where there are no triangles, and the material.
    pub subset: Subset,
    /// Another subset covers some of its triangles too.
    pub overlaps: bool,
    /// What it holds in place of triangles.
    pub loose: Option<LooseKind>,
}

impl SubsetRow {
    /// How many triangles, lines or points it has in `model`, and what they are called.
    pub fn content(&self, model: &Model) -> (usize, &'static str) {
        let mesh = model.meshes.get(self.mesh.index());
        match (self.loose, mesh.and_then(|mesh| mesh.loose_part(self.number))) {
            (Some(kind), loose) => (loose.map_or(0, Loose::len), kind.name()),
            (None, _) => (self.subset.num_triangles() as usize, "triangles"),
        }
    }
}

/// The parts of all meshes of `model`, one after another.
pub(super) fn subset_rows(model: &Model) -> Vec<SubsetRow> {
    let mut rows = Vec::with_capacity(model.num_parts());
    for (index, mesh) in model.meshes.iter().enumerate() {
        let overlaps = overlapping(&mesh.subsets);
        for (number, (&subset, overlaps)) in mesh.subsets.iter().zip(overlaps).enumerate() {
            rows.push(SubsetRow {
                mesh: MeshId::from_index(index),
                number,
                subset,
                overlaps,
                loose: None,
            });
        }
        for (number, loose) in (mesh.subsets.len()..).zip(&mesh.loose) {
            rows.push(SubsetRow {
                mesh: MeshId::from_index(index),
                number,
                subset: Subset { first_index: 0, index_count: 0, material: loose.material },
                overlaps: false,
                loose: Some(loose.kind),
            });
        }
    }
    rows
}

/// Which subsets share an index with another one; one sort, since there may be thousands.
fn overlapping(subsets: &[Subset]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..subsets.len()).collect();
    order.retain(|&i| subsets[i].index_count > 0);
    order.sort_by_key(|&i| subsets[i].first_index);
    let mut overlaps = vec![false; subsets.len()];
    // The subset that reaches furthest of those that begin no later.
    let mut furthest: Option<usize> = None;
    for i in order {
        match furthest {
            Some(other) if subsets[i].range().start < subsets[other].range().end => {
                overlaps[i] = true;
                overlaps[other] = true;
                if subsets[i].range().end > subsets[other].range().end {
                    furthest = Some(i);
                }
            }
            _ => furthest = Some(i),
        }
    }
    overlaps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subset(first_index: u32, index_count: u32) -> Subset {
        Subset { first_index, index_count, material: None }
    }

    #[test]
    fn subsets_that_share_triangles_are_marked_and_neighbours_are_not() {
        let all = [subset(0, 6), subset(6, 3), subset(9, 12), subset(12, 3), subset(3, 0)];
        assert_eq!(overlapping(&all), [false, false, true, true, false]);
        assert_eq!(overlapping(&[subset(0, 3), subset(0, 3)]), [true, true]);
    }
}
