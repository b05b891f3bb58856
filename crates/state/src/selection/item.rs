//! The selection.

use crate::{AppState, Document};
use rigscope_core::model::{BoneId, ClipId, MeshId, VertexId};
use rigscope_core::visual::OutlineTarget;

/// The item shown in the inspector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// The model as a whole.
    #[default]
    None,
    /// Index over the subsets of all meshes.
    Subset(usize),
    Bone(BoneId),
    Vertex {
        mesh: MeshId,
        /// Index in the mesh.
        vertex: VertexId,
        /// The subset in which it was picked, counted over all meshes.
        subset: Option<usize>,
    },
    Triangle {
        mesh: MeshId,
        /// Index in the mesh; its corners are the indices 3 n to 3 n + 2.
        triangle: u32,
        /// The subset in which it was picked, counted over all meshes.
        subset: Option<usize>,
    },
    Hull(usize),
    Clip(ClipId),
}

impl Selection {
    /// Whether the selected item exists in `document`.
    pub fn exists_in(&self, document: &Document) -> bool {
        match *self {
            Self::None => true,
            Self::Subset(number) => number < document.subsets.len(),
            Self::Bone(bone) => bone.index() < document.model.skeleton.len(),
            Self::Vertex { mesh, vertex, .. } => document
                .model
                .meshes
                .get(mesh)
                .is_some_and(|mesh| vertex.index() < mesh.num_vertices()),
            Self::Triangle { mesh, triangle, .. } => document
                .model
                .meshes
                .get(mesh)
                .is_some_and(|mesh| (triangle as usize) < mesh.indices.len() / 3),
            Self::Hull(hull) => hull < num_hulls(document),
            Self::Clip(clip) => clip.index() < document.model.clips.len(),
        }
    }

    /// The selected subset, or the one in which the vertex or triangle was picked.
    pub fn subset(&self) -> Option<usize> {
        match *self {
            Self::Subset(number) => Some(number),
            Self::Vertex { subset, .. } | Self::Triangle { subset, .. } => subset,
            _ => None,
        }
    }

    /// The part of the view to outline; a vertex has a marker instead.
    pub fn outlined(&self) -> Option<OutlineTarget> {
        match *self {
            Self::Subset(number) => Some(OutlineTarget::Part(number)),
            Self::Bone(bone) => Some(OutlineTarget::Bone(bone)),
            Self::Triangle { mesh, triangle, .. } => {
                Some(OutlineTarget::Triangle { mesh, triangle })
            }
            Self::Hull(hull) => Some(OutlineTarget::Hull(hull)),
            Self::None | Self::Vertex { .. } | Self::Clip(_) => None,
        }
    }

    /// The selected bone, which is highlighted in the view.
    pub fn bone(&self) -> Option<BoneId> {
        match *self {
            Self::Bone(bone) => Some(bone),
            _ => None,
        }
    }
}

impl AppState {
    /// Selects `selection` if it exists. A clip also becomes the current clip.
    pub(crate) fn select(&mut self, selection: Selection) {
        let exists = |document| selection.exists_in(document);
        if self.tab.document.as_ref().is_some_and(exists) {
            self.tab.selection = selection;
        }
        if let Selection::Clip(clip) = selection {
            self.set_clip(clip);
        }
    }

    pub(crate) fn select_parent(&mut self) {
        if let Some(parent) = self.parent_of_selected() {
            self.tab.selection = Selection::Bone(parent);
        }
    }

    pub(crate) fn hide_subset(&mut self) {
        let Some(number) = self.tab.selection.subset() else { return };
        if self.tab.view.isolated == Some(number) {
            self.tab.view.isolated = None;
        }
        if let Some(look) = self.tab.view.looks.get_mut(number) {
            look.is_visible = false;
        }
    }

    /// Shows only the selected subset, or all subsets if it is isolated already.
    pub(crate) fn isolate_subset(&mut self) {
        let wanted = self.tab.selection.subset();
        self.tab.view.isolated = wanted.filter(|_| self.tab.view.isolated != wanted);
    }

    pub(crate) fn show_all_subsets(&mut self) {
        self.tab.view.isolated = None;
        for look in &mut self.tab.view.looks {
            look.is_visible = true;
        }
    }
}

fn num_hulls(document: &Document) -> usize {
    document.model.hulls.len()
}
