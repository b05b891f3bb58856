//! How files of a format are changed in place.
//!
//! Not for: arrays that the byte map describes; `crate::fix::arrays` writes them for all formats.

use super::Source;
use rigscope_core::model::{Model, Provenance};

/// A fix of findings about the file itself, which its model doesn't show.
#[derive(Debug)]
pub struct FileFix {
    /// Codes of the findings that it removes.
    pub codes: &'static [&'static str],
    /// What it does, as an imperative without a full stop.
    pub action: &'static str,
    /// Whether it is applied only if its finding is named, because what is shown changes.
    pub on_request: bool,
}

impl FileFix {
    pub const fn new(codes: &'static [&'static str], action: &'static str) -> Self {
        Self { codes, action, on_request: false }
    }
}

/// Names and contents of files.
pub type NamedFiles = Vec<(String, Vec<u8>)>;

/// Functions that change files of a format.
#[derive(Clone, Copy)]
pub struct Editor {
    /// Fixes that [`Self::edit`] can apply.
    pub fixes: &'static [FileFix],
    /// The file and the arrays that it refers to as a single file of the same format; `None` if that is impossible.
    pub joined: fn(&Source) -> Option<Vec<u8>>,
    /// Changes what isn't in arrays. Returns the new file; `None` if the changes can't be made in place.
    pub edit: fn(Edit<'_>) -> Option<Vec<u8>>,
    /// The files to write for a joined one, the main file first, which is named `stem` and has the extension of the
    /// source.
    pub files: fn(Vec<u8>, &Source, stem: &str) -> Option<NamedFiles>,
}

impl std::fmt::Debug for Editor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Editor").field("fixes", &self.fixes).finish_non_exhaustive()
    }
}

/// The file itself, for formats of one file: [`Editor::joined`].
pub(super) fn whole(source: &Source) -> Option<Vec<u8>> {
    source.content.whole().ok().map(|bytes| bytes.to_vec())
}

/// The file itself, for formats of one file: [`Editor::files`].
pub(super) fn one_file(
    bytes: Vec<u8>,
    source: &Source,
    stem: &str,
) -> Option<NamedFiles> {
    Some(vec![(format!("{stem}.{}", source.extension()), bytes)])
}

/// A file to change.
pub struct Edit<'a> {
    /// The joined file.
    pub original: &'a [u8],
    /// The same with changed arrays.
    pub patched: Vec<u8>,
    /// The model as read, in plain form, and as it should be.
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

    /// Whether a rest transform or a name differs, neither of which the byte map describes.
    pub fn has_new_bones(&self) -> bool {
        let (old, new) = (&self.before.skeleton, &self.after.skeleton);
        let names = |model: &Model| -> Vec<String> {
            let clips = model.clips.iter().map(|clip| clip.name.clone());
            clips.chain(model.skeleton.bones().iter().map(|bone| bone.name.clone())).collect()
        };
        old.rest_locals() != new.rest_locals() || names(self.before) != names(self.after)
    }
}
