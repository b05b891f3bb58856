//! Selects the subject of a finding.

use crate::{AppState, Selection};
use rigscope_core::model::{
    BoneId, ClipId, Element, MICROS_PER_SEC, MeshId, PartId, Place, VertexId,
};

impl AppState {
    /// Selects the element at `place` and frames it. Elements without a position leave the camera
    /// unchanged.
    pub(crate) fn focus(&mut self, place: Place) {
        let Some(selection) = self.selection_of(place) else { return };
        self.tab.selection = selection;
        match place {
            Place::Clip(clip) => self.set_clip(ClipId(clip)),
            Place::Key { clip, key, .. } => {
                self.set_clip(ClipId(clip));
                self.seek_key(key as usize);
            }
            Place::Moment { clip, micros, .. } => {
                self.set_clip(ClipId(clip));
                let start_secs = self.clip().map_or(0.0, |clip| clip.start_secs);
                self.seek(start_secs + micros as f64 / MICROS_PER_SEC);
            }
            _ => {}
        }
        let has_place = !matches!(self.tab.selection, Selection::None | Selection::Clip(_));
        if has_place {
            self.frame_selected();
        }
    }

    /// Whether the selection is the element at `place`; `false` if there is no such element.
    pub fn is_about_selection(&self, place: Place) -> bool {
        let Some(named) = self.selection_of(place) else {
            return false;
        };
        match (named, self.tab.selection) {
            // The subset in which it was picked doesn't matter.
            (
                Selection::Vertex { mesh: a, vertex: n, .. },
                Selection::Vertex { mesh: b, vertex: m, .. },
            ) => (a, n) == (b, m),
            (
                Selection::Triangle { mesh: a, triangle: n, .. },
                Selection::Triangle { mesh: b, triangle: m, .. },
            ) => (a, n) == (b, m),
            (named, selected) => named == selected,
        }
    }

    fn selection_of(&self, place: Place) -> Option<Selection> {
        let document = self.tab.document.as_ref()?;
        let row = |mesh: u32, part: u32| document.subset_row(MeshId(mesh), PartId(part));
        let selection = match place {
            Place::File | Place::Line { .. } => Selection::None,
            Place::Offset(at) => return self.selection_at_offset(at),
            Place::Vertex { mesh, vertex } => {
                Selection::Vertex { mesh: MeshId(mesh), vertex: VertexId(vertex), subset: None }
            }
            Place::Triangle { mesh, triangle } => {
                Selection::Triangle { mesh: MeshId(mesh), triangle, subset: None }
            }
            Place::Subset { mesh, subset } => Selection::Subset(row(mesh, subset)?),
            Place::Mesh(mesh) => Selection::Subset(row(mesh, 0)?),
            Place::Bone(bone)
            | Place::Key { bone, .. }
            | Place::Moment { bone: Some(bone), .. } => Selection::Bone(BoneId(bone)),
            Place::Material(material) => {
                let mut rows = document.subsets.iter();
                let uses = |id: rigscope_core::model::MaterialId| id.0 == material;
                Selection::Subset(rows.position(|row| row.subset.material.is_some_and(uses))?)
            }
            Place::Clip(clip) | Place::Moment { clip, bone: None, .. } => {
                Selection::Clip(ClipId(clip))
            }
        };
        selection.exists_in(document).then_some(selection)
    }

    /// The element read from the record at offset `at` of the file in the Bytes pane.
    pub(crate) fn selection_at_offset(&self, at: u64) -> Option<Selection> {
        let document = self.tab.document.as_ref()?;
        let hit = self.file_bytes()?.provenance.at(at)?;
        let record = u32::try_from(hit.record).ok()?;
        let selection = match hit.span.element {
            Element::Vertex { mesh } | Element::Morph { mesh, .. } => {
                Selection::Vertex { mesh: MeshId(mesh), vertex: VertexId(record), subset: None }
            }
            Element::Subset { mesh } => {
                Selection::Subset(document.subset_row(MeshId(mesh), PartId(record))?)
            }
            Element::MaterialName => return self.selection_of(Place::Material(record)),
            Element::BoneKey { bone, .. } => Selection::Bone(BoneId(bone)),
            Element::ClipName { clip }
            | Element::ClipHeader { clip }
            | Element::Key { clip }
            | Element::KeyTime { clip }
            | Element::KeySeek { clip }
            | Element::MorphKey { clip } => Selection::Clip(ClipId(clip)),
            Element::Index { mesh } => {
                let indices = &document.model.meshes.get(MeshId(mesh))?.indices;
                Selection::Vertex {
                    mesh: MeshId(mesh),
                    vertex: VertexId(indices.get(record as usize)?),
                    subset: None,
                }
            }
            element if element.subject() == Element::Bone => Selection::Bone(BoneId(record)),
            _ => return None,
        };
        selection.exists_in(document).then_some(selection)
    }

    /// Jumps to key `key` of the clip and pauses.
    pub(crate) fn seek_key(&mut self, key: usize) {
        let time = self.key_times().and_then(|keys| keys.secs(key));
        if let Some(time) = time {
            self.seek(time);
        }
    }
}
