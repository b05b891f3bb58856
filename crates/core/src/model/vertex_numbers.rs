//! Vertices numbered through all meshes of a model.

use super::{Mesh, Model, VertexAt};

/// Number of the first vertex of each mesh, and the total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexNumbers(Vec<usize>);

impl VertexNumbers {
    /// The numbers of the vertices of `model`.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let mut first = vec![0];
        let mut num = 0;
        for mesh in model.meshes.iter().map(Mesh::num_vertices) {
            num += mesh;
            first.push(num);
        }
        Self(first)
    }

    /// Number of vertices.
    #[must_use]
    pub fn num(&self) -> usize {
        self.0.last().copied().unwrap_or(0)
    }

    /// The number of the first vertex of a mesh; that of all vertices if there is no such mesh.
    #[must_use]
    #[inline]
    pub fn first_of(&self, mesh: usize) -> usize {
        self.0.get(mesh).copied().unwrap_or_else(|| self.num())
    }

    /// The number of a vertex; `None` if it doesn't exist.
    #[must_use]
    #[inline]
    pub fn get(&self, at: VertexAt) -> Option<u32> {
        let first = *self.0.get(at.mesh.index())?;
        let end = *self.0.get(at.mesh.index() + 1)?;
        let number = first.checked_add(at.vertex.index())?;
        u32::try_from(number).ok().filter(|_| number < end)
    }

    /// The vertex with a number.
    #[must_use]
    #[inline]
    pub fn at(&self, number: usize) -> VertexAt {
        // Empty meshes share their first number with the next mesh, which is the one found here.
        let mesh = self.0.partition_point(|&first| first <= number).saturating_sub(1);
        VertexAt::new(mesh, number.saturating_sub(self.first_of(mesh)))
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::ModelBuilder;

    #[test]
    fn numbers_go_through_all_meshes() {
        let builder = ModelBuilder::new().mesh(vec![Vec3::X; 3]).mesh(Vec::new());
        let numbers = VertexNumbers::of(&builder.mesh(vec![Vec3::Y; 2]).build());
        assert_eq!((numbers.num(), numbers.first_of(2)), (5, 3));
        for number in 0..5 {
            assert_eq!(numbers.get(numbers.at(number as usize)), Some(number));
        }
        assert_eq!(numbers.at(3), VertexAt::new(2, 0));
        assert_eq!(numbers.get(VertexAt::new(0, 3)), None);
        assert_eq!(numbers.get(VertexAt::new(3, 0)), None);
    }
}
