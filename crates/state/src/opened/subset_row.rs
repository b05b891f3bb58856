//! The subsets and loose geometry of all meshes as one list.

use rigscope_core::model::{LooseGeometry, LooseKind, MeshId, Model, PartId, Subset};

/// A subset, or lines or points that belong to no triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubsetRow {
    pub mesh: MeshId,
    /// Its number among the parts of the mesh.
    pub part: PartId,
    /// Material and index range; the range is empty for lines and points.
    pub subset: Subset,
    /// Whether another subset contains some of the same triangles.
    pub overlaps: bool,
    /// The kind of loose geometry, if it isn't a subset.
    pub loose: Option<LooseKind>,
}

impl SubsetRow {
    /// The number of triangles, lines or points in `model`, with the unit's name.
    pub fn content(&self, model: &Model) -> (usize, &'static str) {
        match (self.loose, model.mesh(self.mesh).loose_part(self.part)) {
            (Some(kind), loose) => (loose.map_or(0, LooseGeometry::len), kind.name()),
            (None, _) => (self.subset.num_triangles() as usize, "triangles"),
        }
    }
}

/// The rows of all meshes of `model`, in order.
pub(super) fn subset_rows(model: &Model) -> Vec<SubsetRow> {
    let mut rows = Vec::with_capacity(model.num_parts());
    for (index, mesh) in model.meshes.iter().enumerate() {
        let overlaps = overlapping(&mesh.subsets);
        for (number, (&subset, overlaps)) in mesh.subsets.iter().zip(overlaps).enumerate() {
            rows.push(SubsetRow {
                mesh: MeshId::from_index(index),
                part: PartId::from_index(number),
                subset,
                overlaps,
                loose: None,
            });
        }
        for (number, loose) in (mesh.subsets.len()..).zip(&mesh.loose) {
            rows.push(SubsetRow {
                mesh: MeshId::from_index(index),
                part: PartId::from_index(number),
                subset: Subset { first_index: 0, index_count: 0, material: loose.material },
                overlaps: false,
                loose: Some(loose.kind),
            });
        }
    }
    rows
}

/// Marks subsets that share an index with another one. Sorts once, since there may be thousands.
fn overlapping(subsets: &[Subset]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..subsets.len()).collect();
    order.retain(|&i| subsets[i].index_count > 0);
    order.sort_by_key(|&i| subsets[i].first_index);
    let mut overlaps = vec![false; subsets.len()];
    // Of the subsets that start no later, the one that ends last.
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
