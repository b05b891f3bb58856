//! FBX (`.fbx`): Autodesk's interchange format, versions 3 to 7.7, binary and text. Read only.
//!
//! Source: `ufbx.h` 0.23; the format itself is not published.
//!
//! | file | begins with |
//! |---|---|
//! | binary | `Kaydara FBX Binary  ` and bytes 00 1a 00 |
//! | text | a comment `; FBX 7.5.0 project file`, or the node `FBXHeaderExtension:` |
//!
//! The scene is converted to metres, right-handed, Y up: its axes cannot be left as they stand, as
//! they take part in pivots and inherited scales. The details tell what they were. Clips are in
//! file order and on the file's own clock; the first is the default.
//!
//! Ambiguous: nothing says how skins turn normals. ufbx itself makes new ones from the posed
//! triangles (`ufbx_compute_normals`) and turns those of nodes by the inverse transpose
//! (`ufbx_matrix_for_normals`), which is done here.
//!
//! There is no writer: only Autodesk's own library writes files that every program reads.

mod fault;
mod probe;
mod read;
mod records;
#[cfg(test)]
mod tests;
mod tokens;

use fault::Fault;

use super::losses::Precision;
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, MimeType, PoseWords, ProbeInput, ReadError,
    ReadOptions, Source,
};
use rigscope_core::model::{Model, Report};

/// The format's id.
const ID: &str = "fbx";

/// FBX.
pub struct Fbx;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Autodesk FBX",
    extensions: &["fbx"],
    mime_types: &[MimeType::own(
        "application/vnd.autodesk.fbx",
        "fbx",
        &[(0, b"Kaydara FBX Binary"), (0, b"; FBX ")],
    )],
    kind: FormatKind::Binary,
    can_read: true,
    can_write: false,
    caps: Caps { mesh: true, skin: true, clips: true, collision: false },
    pose_words: PoseWords {
        rest: "Lcl Translation, Lcl Rotation and Lcl Scaling of the models",
        bind: "TransformLink of the skin clusters",
    },
    parts: &[],
    precision: Precision::EXACT,
    citation: "ufbx 0.23, ufbx.h",
};

impl Format for Fbx {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        probe::probe(input)
    }

    fn may_mirror_skins(&self) -> bool {
        true
    }

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        read::read(source, options, report)
    }
}
