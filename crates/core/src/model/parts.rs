//! Parts of a mesh: its subsets, then its loose geometry.

use super::{LooseGeometry, LooseKind, Mesh, Model, PartId, Subset};

impl Mesh {
    /// Number of lines or points outside triangles.
    pub fn num_loose(&self, kind: LooseKind) -> usize {
        let of_kind = self.loose.iter().filter(|loose| loose.kind == kind);
        of_kind.map(LooseGeometry::len).sum()
    }

    /// Number of subsets and loose geometries, which are numbered after the subsets. Each part can
    /// be shown, hidden and selected individually.
    pub fn num_parts(&self) -> usize {
        self.subsets.len() + self.loose.len()
    }

    /// The loose geometry of a part; `None` for subsets.
    pub fn loose_part(&self, part: PartId) -> Option<&LooseGeometry> {
        self.loose.get(part.index().checked_sub(self.subsets.len())?)
    }

    /// The vertices that a part refers to, with repetitions; empty past the end.
    pub fn part_corners(&self, part: PartId) -> impl Iterator<Item = u32> + '_ {
        let range = self.subsets.get(part.index()).map_or(0..0, Subset::range);
        let of_triangles = range.map_while(|at| self.indices.get(at));
        let loose = self.loose_part(part);
        let of_loose = loose.map_or(&[][..], |loose| &loose.indices);
        of_triangles.chain(of_loose.iter().copied())
    }
}

impl Model {
    /// Whether each part of all meshes, in order, belongs to a mesh that the file hides.
    pub fn hidden_parts(&self) -> impl Iterator<Item = bool> + '_ {
        let of_mesh = |mesh: &Mesh| std::iter::repeat_n(mesh.is_hidden, mesh.num_parts());
        self.meshes.iter().flat_map(of_mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Indices;

    #[test]
    fn loose_geometry_follows_the_subsets() {
        let loose = |kind, indices: &[u32]| LooseGeometry {
            kind,
            indices: indices.to_vec(),
            material: None,
        };
        let mesh = Mesh {
            indices: Indices::U32(vec![0, 1, 2]),
            subsets: vec![Subset { first_index: 0, index_count: 3, material: None }],
            loose: vec![loose(LooseKind::Lines, &[4, 5, 5, 6]), loose(LooseKind::Points, &[7])],
            ..Mesh::default()
        };
        let corners = |part| mesh.part_corners(PartId(part)).collect::<Vec<_>>();
        assert_eq!(mesh.num_parts(), 3);
        assert_eq!(corners(0), [0, 1, 2]);
        assert_eq!(corners(1), [4, 5, 5, 6]);
        assert_eq!(corners(2), [7]);
        assert!(corners(3).is_empty());
        assert_eq!(mesh.num_loose(LooseKind::Lines), 2);
        assert_eq!(mesh.num_loose(LooseKind::Points), 1);
    }
}
