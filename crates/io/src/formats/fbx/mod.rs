//! FBX (`.fbx`): Autodesk's interchange format, versions 3 to 7.7, binary and text. Read only.
//!
//! Source: `ufbx.h` 0.23; the format itself is not published.
//!
//! | file | starts with |
//! |---|---|
//! | binary | `Kaydara FBX Binary  ` and bytes 00 1a 00 |
//! | text | a comment `; FBX 7.5.0 project file`, or the node `FBXHeaderExtension:` |
//!
//! The scene is converted to metres, right-handed, Y up. Its axes can't be kept, because pivots and
//! inherited scales depend on them; the details state the original ones. Clips are in file order
//! with the file's own times; the first is the default.
//!
//! Ambiguous: it isn't specified how skins transform normals. ufbx itself computes new ones from
//! the posed triangles (`ufbx_compute_normals`) and transforms those of nodes by the inverse
//! transpose (`ufbx_matrix_for_normals`), which is used here.
//!
//! There is no writer: only Autodesk's own library writes files that every program reads.

mod fault;
mod probe;
mod read;
mod records;
#[cfg(test)]
mod tests;
mod tokens;

use fault::FbxFault;

use super::losses::Precision;
use super::{Caps, Format, FormatInfo, FormatKind, MimeType, PoseWords, Reader};
use rigscope_core::runtime;

const ID: &str = "fbx";

pub const FBX: Format = Format {
    info: FormatInfo {
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
    },
    probe: probe::probe,
    runtime: Some(&runtime::UFBX),
    reader: Reader { may_mirror_skins: true, ..Reader::of(read::read) },
    writer: None,
};
