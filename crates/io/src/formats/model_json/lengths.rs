//! Lengths of the lists of a mesh.

use super::parse::malformed;
use crate::formats::ReadError;

/// Checks the lengths of the lists of a mesh.
pub(super) struct Lengths {
    pub(super) mesh: usize,
    pub(super) num_vertices: usize,
}

impl Lengths {
    pub(super) fn fault(&self, what: &str) -> ReadError {
        malformed("meshes", format!("meshes[{}].{what}", self.mesh))
    }

    pub(super) fn exact<T>(&self, name: &str, list: Vec<T>) -> Result<Vec<T>, ReadError> {
        self.check(name, list.len(), self.num_vertices, "positions")?;
        Ok(list)
    }

    /// An empty list means that the mesh doesn't have the attribute.
    pub(super) fn optional<T>(&self, name: &str, list: Vec<T>) -> Result<Vec<T>, ReadError> {
        if list.is_empty() { Ok(list) } else { self.exact(name, list) }
    }

    pub(super) fn check(
        &self,
        name: &str,
        num: usize,
        expected: usize,
        other: &str,
    ) -> Result<(), ReadError> {
        if num == expected {
            return Ok(());
        }
        Err(self.fault(&format!("{name} has {num} entries, but {other} has {expected}")))
    }
}
