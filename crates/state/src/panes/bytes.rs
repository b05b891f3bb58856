//! The bytes of a file, linked to the elements that were read from them.
//!
//! For: the Bytes pane. For a file that couldn't be read completely, it shows the spans that were
//! read and the field that failed.
//! Not for: the spans themselves, which readers record; their presentation, which is in `ui`.

use std::ops::Range;

use crate::{AppState, BytesColumns, Pane, Request, Selection, ToastLevel};
use rigscope_core::model::{ClipId, Element, Motion, Place, Provenance};
use rigscope_io::formats::{Content, FailureMark, FileMap};

/// A file that couldn't be read completely.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenFile {
    /// Without folder.
    pub name: String,
    pub content: Content,
    /// The spans that were read, and the failure.
    pub map: FileMap,
}

/// The contents of the pane.
#[derive(Clone, Copy, Debug)]
pub struct FileBytes<'a> {
    /// Without folder.
    pub name: &'a str,
    pub content: &'a Content,
    /// The spans that were read.
    pub provenance: &'a Provenance,
    /// The reason why reading failed.
    pub failure: Option<&'a FailureMark>,
}

/// The settings of the pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BytesView {
    /// The byte at the cursor.
    pub cursor: Option<u64>,
    /// Shows the broken file instead of the open one.
    pub shows_broken: bool,
    /// The file of the model that is shown, as numbered by [`rigscope_core::model::Span::file`].
    pub file: usize,
}

/// An action in the pane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BytesAction {
    /// Moves the cursor to a byte and selects the element read from it.
    MoveCursor(u64),
    /// Shows the bytes of the file that failed to load, or those of the open one.
    ShowBroken(bool),
    /// Shows a file of the open model.
    ShowFile(usize),
    /// Opens the pane at the selection.
    Reveal,
    /// Sets the column widths for all files.
    SetColumns(BytesColumns),
}

impl AppState {
    /// The file shown in the pane; `None` if no file is open and none has failed.
    pub fn file_bytes(&self) -> Option<FileBytes<'_>> {
        if let Some(broken) = self.shown_broken() {
            return Some(FileBytes {
                name: &broken.name,
                content: &broken.content,
                provenance: &broken.map.provenance,
                failure: broken.map.failure.as_ref(),
            });
        }
        let document = self.tab.document.as_ref()?;
        let file = document.bytes_of(self.tab.view.bytes.file);
        let (name, content, provenance) = file.or_else(|| document.bytes_of(0))?;
        Some(FileBytes { name, content, provenance, failure: None })
    }

    /// The broken file, if its bytes are shown.
    pub fn shown_broken(&self) -> Option<&BrokenFile> {
        let is_shown = self.tab.view.bytes.shows_broken || self.tab.document.is_none();
        self.tab.broken.as_ref().filter(|_| is_shown)
    }

    /// The ranges of the selection in the shown file, in file order; one per array that contains it.
    pub fn selected_bytes(&self) -> Vec<Range<u64>> {
        match self.file_bytes() {
            Some(file) if self.shown_broken().is_none() => self.bytes_of_selection(file.provenance),
            _ => Vec::new(),
        }
    }

    /// The ranges of the selection in a file of the open model.
    fn bytes_of_selection(&self, provenance: &Provenance) -> Vec<Range<u64>> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        match self.tab.selection {
            Selection::None => Vec::new(),
            Selection::Subset(number) => {
                document.subsets.get(number).map_or_else(Vec::new, |row| {
                    provenance.of_place(Place::Subset { mesh: row.mesh.0, subset: row.part.0 })
                })
            }
            Selection::Bone(bone) => {
                let mut ranges = provenance.of_place(Place::Bone(bone.0));
                ranges.extend(self.key_bytes(bone.0, provenance));
                ranges
            }
            Selection::Vertex { mesh, vertex, .. } => {
                provenance.of_place(Place::Vertex { mesh: mesh.0, vertex: vertex.0 })
            }
            Selection::Triangle { mesh, triangle, .. } => {
                provenance.of_place(Place::Triangle { mesh: mesh.0, triangle })
            }
            Selection::Hull(hull) => provenance.of(Element::Hull, hull as u64),
            Selection::Clip(clip) => provenance.of_place(Place::Clip(clip.0)),
        }
    }

    /// The bytes of a bone in the current key, if keys are matrices.
    fn key_bytes(&self, bone: u32, provenance: &Provenance) -> Vec<Range<u64>> {
        let (Some(clip), Some(key)) = (self.tab.playback.clip, self.current_key()) else {
            return Vec::new();
        };
        let Some(num_bones) = self.num_key_bones(clip).filter(|num| bone < *num) else {
            return Vec::new();
        };
        let record = key as u64 * u64::from(num_bones) + u64::from(bone);
        let element = Element::Key { clip: clip.0 };
        provenance.of(element, record)
    }

    /// Number of bones per key of `clip`, if its keys are matrices.
    fn num_key_bones(&self, clip: ClipId) -> Option<u32> {
        let clips = &self.tab.document.as_ref()?.model.clips;
        match &clips.get(clip)?.motion {
            Motion::Sampled(motion) => Some(motion.keys.num_bones()).filter(|num| *num > 0),
            _ => None,
        }
    }

    pub(crate) fn apply_bytes(&mut self, action: BytesAction) -> Vec<Request> {
        match action {
            BytesAction::MoveCursor(at) => self.look_at_byte(at),
            BytesAction::ShowBroken(shows_broken) => {
                let shows_broken = shows_broken && self.tab.broken.is_some();
                let file = self.tab.view.bytes.file;
                self.tab.view.bytes = BytesView { cursor: None, shows_broken, file };
                return self.open_bytes();
            }
            BytesAction::ShowFile(file) => {
                self.tab.view.bytes = BytesView { cursor: None, shows_broken: false, file };
            }
            BytesAction::Reveal => return self.reveal_selection(),
            BytesAction::SetColumns(columns) => {
                self.settings.bytes_columns = columns;
                return vec![Request::SaveSettings];
            }
        }
        Vec::new()
    }

    /// Shows the first file that contains the selection.
    fn reveal_selection(&mut self) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let first = |file| {
            let (_, _, provenance) = document.bytes_of(file)?;
            Some((file, self.bytes_of_selection(provenance).first()?.start))
        };
        let shown = self.tab.view.bytes.file;
        let found = std::iter::once(shown).chain(document.byte_files()).find_map(first);
        match found {
            Some((file, at)) => {
                self.tab.view.bytes = BytesView { cursor: Some(at), shows_broken: false, file };
            }
            None if self.tab.selection == Selection::None => {
                self.tab.view.bytes.shows_broken = false;
            }
            None => {
                let text = "The bytes of the selection aren't known: they are compressed, computed or part of a text.";
                self.toasts.push(ToastLevel::Info, text);
            }
        }
        self.open_bytes()
    }

    fn open_bytes(&mut self) -> Vec<Request> {
        if self.is_in_front(Pane::Bytes) {
            return Vec::new();
        }
        self.bring_to_front(Pane::Bytes);
        vec![Request::SaveSettings]
    }

    fn look_at_byte(&mut self, at: u64) {
        let num_bytes = self.file_bytes().map_or(0, |file| file.content.len());
        self.tab.view.bytes.cursor = (at < num_bytes).then_some(at);
        if self.shown_broken().is_some() || at >= num_bytes {
            return;
        }
        if let Some((clip, key, bone)) = self.key_at(at) {
            self.set_clip(clip);
            self.seek_key(key);
            self.tab.selection = Selection::Bone(bone);
        } else if let Some(selection) = self.selection_at_offset(at) {
            self.tab.selection = selection;
        }
    }

    /// The clip, key and bone that the byte at `at` belongs to, if keys are matrices.
    fn key_at(&self, at: u64) -> Option<(ClipId, usize, rigscope_core::model::BoneId)> {
        let document = self.tab.document.as_ref()?;
        let hit = self.file_bytes()?.provenance.at(at)?;
        let Element::Key { clip } = hit.span.element else { return None };
        let num_bones = u64::from(self.num_key_bones(ClipId(clip))?);
        let key = usize::try_from(hit.record / num_bones).ok()?;
        let bone = u32::try_from(hit.record % num_bones).ok()?;
        let bone = rigscope_core::model::BoneId(bone);
        Selection::Bone(bone).exists_in(document).then_some((ClipId(clip), key, bone))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tests::{load, model};
    use crate::{Action, Command};
    use rigscope_core::model::{MeshId, RelatedBytes, Span, VertexId};

    #[test]
    fn bytes_of_a_selection_are_shown_in_the_file_that_contains_them() {
        let mut with_buffer = model(["skin", "cloth"]);
        let vertices = Span::new(Element::Vertex { mesh: 0 }, 8, 12, 6);
        with_buffer.related_bytes.push(RelatedBytes {
            name: "mesh.bin".into(),
            bytes: Some(Arc::new(vec![7; 100])),
            provenance: Provenance::from_spans(vec![vertices]),
        });
        let mut state = AppState::default();
        load(&mut state, Action::Open("dir/a.gltf".into()), with_buffer);
        let vertex = Selection::Vertex { mesh: MeshId(0), vertex: VertexId(2), subset: None };
        state.apply(Action::Select(vertex));
        assert_eq!(state.selected_bytes(), [], "the main file is shown");
        state.apply(Action::Run(Command::RevealBytes));
        assert_eq!(state.file_bytes().unwrap().name, "mesh.bin");
        assert_eq!(state.selected_bytes(), vec![32..44]);
        assert_eq!(state.tab.view.bytes.cursor, Some(32));
        // A click on another vertex's bytes selects it.
        state.apply(Action::Bytes(BytesAction::MoveCursor(9)));
        assert!(matches!(state.tab.selection, Selection::Vertex { vertex: VertexId(0), .. }));
        assert_eq!(state.vertex_probe().unwrap().bytes.len(), 1);
        // A selection without bytes is reported.
        state.apply(Action::Select(Selection::Clip(ClipId(1))));
        state.apply(Action::Run(Command::RevealBytes));
        let toasts: Vec<_> = state.toasts.list().iter().map(|toast| toast.text.clone()).collect();
        assert!(toasts.iter().any(|text| text.contains("aren't known")), "{toasts:?}");
        state.apply(Action::Bytes(BytesAction::ShowFile(0)));
        assert_ne!(state.file_bytes().unwrap().name, "mesh.bin");
    }
}
