//! The bone that panes show for a selection: the selected one, or the strongest of a vertex or triangle.

use crate::{AppState, Selection};
use rigscope_core::model::{BoneId, influence_row};

impl AppState {
    /// The selected bone, or the bone with the largest weight on the selected vertex or triangle.
    pub fn subject_bone(&self) -> Option<BoneId> {
        let strongest = || self.selected_influences().first().map(|(bone, _)| *bone);
        self.tab.selection.bone().or_else(strongest)
    }

    /// The bones that influence the selected vertex or triangle, with the sums of their weights, strongest
    /// first.
    pub(crate) fn selected_influences(&self) -> Vec<(BoneId, f32)> {
        let meshes = self.tab.document.as_ref().map(|document| &document.model.meshes);
        let (mesh, triangle) = match self.tab.selection {
            Selection::Vertex { mesh, .. } => (mesh, None),
            Selection::Triangle { mesh, triangle, .. } => (mesh, Some(triangle as usize)),
            _ => return Vec::new(),
        };
        let Some(mesh) = meshes.and_then(|meshes| meshes.get(mesh)) else {
            return Vec::new();
        };
        let corner = |at: usize| mesh.indices.get(at).map(|vertex| vertex as usize);
        let vertices: Vec<usize> = match (self.tab.selection, triangle) {
            (Selection::Vertex { vertex, .. }, _) => vec![vertex.index()],
            (_, Some(triangle)) => (0..3).filter_map(|at| corner(3 * triangle + at)).collect(),
            _ => Vec::new(),
        };
        let mut influences: Vec<(BoneId, f32)> = Vec::new();
        for vertex in vertices {
            mesh.for_each_influence(vertex, |bone, weight| {
                if weight > 0.0 {
                    influence_row::add(&mut influences, bone, weight);
                }
            });
        }
        influences.sort_by(|a, b| b.1.total_cmp(&a.1));
        influences
    }
}
