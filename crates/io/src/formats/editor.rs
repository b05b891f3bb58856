//! Functions of a format that change files in place.
//!
//! Not for: arrays that the byte map describes; `crate::fix::arrays` writes them for all formats.

use super::Source;
use rigscope_core::model::{Model, Provenance};

/// A fix of findings about the file itself, which its model doesn't show.
#[derive(Debug)]
pub struct FileFix {
    /// Codes of the findings that it removes.
    pub codes: &'static [&'static str],
    /// The change, as an imperative without a full stop.
    pub action: &'static str,
    /// Whether it is applied only if its finding is named, because it changes the visible parts of the model.
    pub on_request: bool,
    /// Why the finding may remain after the change, as a phrase; empty if that can't happen.
    pub refusal: &'static str,
}

impl FileFix {
    pub const fn new(codes: &'static [&'static str], action: &'static str) -> Self {
        Self { codes, action, on_request: false, refusal: "" }
    }
}

/// Names and contents of files.
pub type NamedFiles = Vec<(String, Vec<u8>)>;

/// Functions that change files of a format.
#[derive(Clone, Copy)]
pub struct Editor {
    /// Fixes that [`Self::edit`] can apply.
    pub fixes: &'static [FileFix],
    /// The file and its external arrays as a single file of the same format; `None` if that is impossible.
    pub joined: fn(&Source) -> Option<Vec<u8>>,
    /// Changes values outside arrays. Returns the new file; `None` if the changes can't be made in place.
    pub edit: fn(Edit<'_>) -> Option<Edited>,
    /// Splits a joined file into the files to write, the main file first. `None` if they can't be in the given place.
    pub files: fn(Vec<u8>, &Source, &EditPlace<'_>) -> Option<NamedFiles>,
}

/// An edited file.
#[derive(Clone, Debug)]
pub struct Edited {
    pub bytes: Vec<u8>,
    /// Number of bytes that were replaced or inserted outside arrays, if the length of the file has changed.
    pub num_outside: u64,
}

impl Edited {
    /// A file of the same length.
    pub fn in_place(bytes: Vec<u8>) -> Self {
        Self { bytes, num_outside: 0 }
    }
}

/// The place of edited files.
#[derive(Clone, Copy, Debug)]
pub struct EditPlace<'a> {
    /// Name of the main file without its extension, which is that of the source.
    pub stem: &'a str,
    /// Whether it is in the folder of the source, so that relative paths stay valid.
    pub is_in_same_folder: bool,
}

impl std::fmt::Debug for Editor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Editor").field("fixes", &self.fixes).finish_non_exhaustive()
    }
}

/// [`Editor::joined`] for single-file formats: the file itself.
pub(super) fn whole(source: &Source) -> Option<Vec<u8>> {
    source.content.whole().ok().map(|bytes| bytes.to_vec())
}

/// [`Editor::files`] for single-file formats: the file itself.
pub(super) fn one_file(
    bytes: Vec<u8>,
    source: &Source,
    place: &EditPlace<'_>,
) -> Option<NamedFiles> {
    Some(vec![(format!("{}.{}", place.stem, source.extension()), bytes)])
}

/// A file to change.
pub struct Edit<'a> {
    /// The joined file.
    pub original: &'a [u8],
    /// The joined file with changed arrays.
    pub patched: Vec<u8>,
    /// The model as read, in plain form, and the fixed model.
    pub before: &'a Model,
    pub after: &'a Model,
    /// The byte map of the joined file.
    pub provenance: &'a Provenance,
    /// Codes of the findings to fix.
    pub codes: &'a [&'a str],
}

impl Edit<'_> {
    /// Whether findings with this code should be fixed.
    pub fn fixes(&self, code: &str) -> bool {
        self.codes.contains(&code)
    }

    /// Whether a rest transform or a name differs. The byte map describes neither.
    pub fn has_new_bones(&self) -> bool {
        let (old, new) = (&self.before.skeleton, &self.after.skeleton);
        let names = |model: &Model| -> Vec<String> {
            let clips = model.clips.iter().map(|clip| clip.name.clone());
            clips.chain(model.skeleton.bones().iter().map(|bone| bone.name.clone())).collect()
        };
        old.rest_locals() != new.rest_locals() || names(self.before) != names(self.after)
    }
}
