//! Selecting vertices by number and stepping through them.

use crate::{AppState, PickWhat, Request, Selection};
use rigscope_core::model::{Mesh, MeshId, VertexId, as_u32};

/// Selecting vertices by number, and the kind of item that clicks select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InspectAction {
    /// Selects a vertex by number and frames it.
    GoToVertex {
        mesh: MeshId,
        /// Index in the mesh.
        vertex: VertexId,
    },
    /// Sets the kind of item that a click selects.
    PickWhat(PickWhat),
}

impl AppState {
    pub(crate) fn apply_inspect(&mut self, action: InspectAction) -> Vec<Request> {
        match action {
            InspectAction::GoToVertex { mesh, vertex } => {
                let subset = self.subset_using(mesh, vertex);
                let selection = Selection::Vertex { mesh, vertex, subset };
                let exists = |document| selection.exists_in(document);
                if self.tab.document.as_ref().is_some_and(exists) {
                    self.close_dialog();
                    self.tab.selection = selection;
                    self.frame_selected();
                }
                Vec::new()
            }
            InspectAction::PickWhat(what) => {
                self.settings.pick = what;
                vec![Request::SaveSettings]
            }
        }
    }

    /// Copies the contents of the inspector, formatted by `written`.
    pub(crate) fn copy_facts(&self, written: fn(&[crate::FactSection]) -> String) -> Vec<Request> {
        let sections = self.inspector_facts();
        if sections.is_empty() { Vec::new() } else { vec![Request::CopyText(written(&sections))] }
    }

    /// A subset or list of lines or points that uses a vertex, preferably a visible one.
    fn subset_using(&self, mesh: MeshId, vertex: VertexId) -> Option<usize> {
        let document = self.tab.document.as_ref()?;
        let of_mesh = document.model.meshes.get(mesh)?;
        let rows = document.subsets.iter().enumerate();
        let uses = rows.filter(|(_, row)| {
            row.mesh == mesh && of_mesh.part_corners(row.part).any(|n| n == vertex.0)
        });
        let rows: Vec<usize> = uses.map(|(row, _)| row).collect();
        let visible = rows.iter().find(|row| self.tab.view.shows(**row));
        visible.or(rows.first()).copied()
    }

    /// Whether [`Self::step_vertex`] has a vertex to go to.
    pub fn can_step_vertex(&self) -> bool {
        let has_vertices = |document: &crate::Document| document.model.num_vertices() > 0;
        let is_of_mesh = !matches!(
            self.tab.selection,
            Selection::Bone(_) | Selection::Hull(_) | Selection::Clip(_)
        );
        is_of_mesh && self.tab.document.as_ref().is_some_and(has_vertices)
    }

    /// Selects the next or previous vertex of the subset, or of the mesh if none is known; from a
    /// subset or triangle, its first or last vertex. Wraps around.
    pub(crate) fn step_vertex(&mut self, is_forward: bool) {
        let Some(next) = self.stepped(is_forward) else { return };
        self.select(next);
    }

    fn stepped(&self, is_forward: bool) -> Option<Selection> {
        let document = self.tab.document.as_ref()?;
        let has_vertices = |mesh: &Mesh| mesh.num_vertices() > 0;
        let (mesh, subset, from) = match self.tab.selection {
            Selection::None => {
                let first = document.model.meshes.iter().position(has_vertices)?;
                (MeshId::from_index(first), None, None)
            }
            Selection::Subset(row) => (document.subsets.get(row)?.mesh, Some(row), None),
            Selection::Vertex { mesh, vertex, subset } => (mesh, subset, Some(vertex.0)),
            Selection::Triangle { mesh, triangle, subset } => {
                let indices = &document.model.meshes.get(mesh)?.indices;
                let at = triangle as usize * 3 + if is_forward { 0 } else { 2 };
                let vertex = VertexId(indices.get(at)?);
                return Some(Selection::Vertex { mesh, vertex, subset });
            }
            Selection::Bone(_) | Selection::Hull(_) | Selection::Clip(_) => return None,
        };
        let of_mesh = document.model.meshes.get(mesh)?;
        let vertex = match subset.and_then(|row| document.subsets.get(row)) {
            Some(row) => next_of(|| of_mesh.part_corners(row.part), from, is_forward)?,
            None => {
                let num = as_u32(of_mesh.num_vertices());
                next_of(|| 0..num, from, is_forward)?
            }
        };
        Some(Selection::Vertex { mesh, vertex: VertexId(vertex), subset })
    }
}

/// The next number after or before `from` in `all`, which is unordered.
fn next_of<I: Iterator<Item = u32>>(
    all: impl Fn() -> I,
    from: Option<u32>,
    is_forward: bool,
) -> Option<u32> {
    if is_forward {
        let later = all().filter(|&n| from.is_none_or(|from| n > from)).min();
        later.or_else(|| all().min())
    } else {
        let earlier = all().filter(|&n| from.is_none_or(|from| n < from)).max();
        earlier.or_else(|| all().max())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stepping_follows_vertex_numbers_and_wraps_at_both_ends() {
        let used = || [7, 3, 9, 3].into_iter();
        assert_eq!(next_of(used, None, true), Some(3));
        assert_eq!(next_of(used, Some(3), true), Some(7));
        assert_eq!(next_of(used, Some(9), true), Some(3));
        assert_eq!(next_of(used, Some(3), false), Some(9));
        assert_eq!(next_of(used, Some(8), false), Some(7));
    }
}
