//! Selecting the next or previous item with the keyboard.

use crate::{AppState, Selection};
use rigscope_core::model::{BoneId, ClipId, VertexId};

impl AppState {
    /// Selects the next or previous item of the same kind; without a selection, the first item.
    pub(crate) fn select_neighbour(&mut self, is_forward: bool) {
        if let Some(wanted) = self.neighbour(is_forward) {
            self.select(wanted);
        }
    }

    fn neighbour(&self, is_forward: bool) -> Option<Selection> {
        let document = self.tab.document.as_ref()?;
        let step = |at: usize| if is_forward { at.checked_add(1) } else { at.checked_sub(1) };
        let bones = document.model.skeleton.bones();
        let bone_from = |start: Option<usize>| {
            let mut at = start?;
            // Helper bones aren't listed.
            while bones.get(BoneId::from_index(at))?.is_helper() {
                at = step(at)?;
            }
            Some(Selection::Bone(BoneId::from_index(at)))
        };
        let wanted = match self.tab.selection {
            Selection::None if document.subsets.is_empty() => bone_from(Some(0))?,
            Selection::None => Selection::Subset(0),
            Selection::Subset(number) => Selection::Subset(step(number)?),
            Selection::Bone(bone) => bone_from(step(bone.index()))?,
            Selection::Clip(clip) => Selection::Clip(ClipId::from_index(step(clip.index())?)),
            Selection::Vertex { mesh, vertex, .. } => Selection::Vertex {
                mesh,
                vertex: VertexId(u32::try_from(step(vertex.index())?).ok()?),
                subset: None,
            },
            Selection::Triangle { .. } | Selection::Hull(_) => return None,
        };
        wanted.exists_in(document).then_some(wanted)
    }
}
