//! Readers from bytes to a [`Model`](rigscope_core::model::Model) with findings, and writers from a model to
//! bytes with losses.
//!
//! For: all formats. Each has a folder and a constant in [`FORMATS`]; file dialogs, `rigscope formats` and
//! the README are generated from that list.
//! Not for: opening files. Readers only see a [`Source`], which also provides related files.
//!
//! [`open()`] chooses the format by content (a different extension is a finding), and runs its reader, which
//! asks the [`Source`] for related files. Then it adds faces to meshes without faces (`borrowed_faces`), the clips of
//! additional files (`related_clips`: bones by name, else by order if the structure agrees) and textures (`textures`),
//! and runs the check. The stages have these parts in common:
//!
//! - *Content.* Most readers take the whole file, and the model keeps views of its bytes. GLB files are read
//!   array by array ([`reads_parts`]), so that file and model are never in memory together; a file that has
//!   changed since it was opened is refused.
//! - *Related files.* Every file that is used or left out is reported. If no file names them, skeletons and
//!   animations are chosen by how well they fit (`related_file_choice`), then by name; a poor fit isn't used.
//! - *Effects.* `effect` joins the packed meshes of several files on one skeleton, without changing their
//!   bytes, and adds the materials of the config file. A mesh opened by itself gets them too if such a file
//!   is in a folder above it.
//! - *Provenance.* Readers report the spans of bytes that they read, which become `Model::provenance`; after
//!   an error, [`FileMap`] has the spans before it and the bytes of the faulty field.
//! - *Records.* `record` declares a binary structure once: from its rows of field, type and name follow the
//!   struct, its reader and writer, and the byte map.
//! - *Writing.* A format that refers to images by name gets the names from `related_images`; an image that
//!   already exists in place is referred to and not written again.
//!
//! Invariant: a count is checked against the bytes left before memory is allocated for it.
//! Invariant: a problem that the reader can recover from is a finding; any other is a [`ReadError`] with
//! format, offset and field.
//! Invariant: every model returned by [`open()`] has passed [`rigscope_core::model::check`].

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

/// Declares the format folders and the list of formats.
macro_rules! formats {
    ($($(#[$condition:meta])? $folder:ident: $($format:ident)+;)+) => {
        $($(#[$condition])? pub mod $folder;)+

        /// All formats. The order only matters if several claim a file equally and the extension doesn't
        /// decide.
        pub const FORMATS: &[&Format] =
            &[$($(#[$condition])? $(&$folder::$format),+),+];

        $($(#[$condition])? $(
            const _: () =
                assert!($folder::$format.info.can_write == $folder::$format.writer.is_some());
        )+)+
    };
}

// `cargo fmt` doesn't find modules declared in macros; `make fmt` passes the files explicitly.
formats! {
    bsm2: BSM2;
    fbx: FBX;
    obj: OBJ;
    gltf: GLTF;
    ozz: OZZ;
    sims: SKN BMF CMX BCF FAR;
    bonespro: BONESPRO;
    bsm: BSM;
    iqm: IQM;
    #[cfg(feature = "usd")]
    usd: USD;
    effect: EFFECT;
    model_json: JSON;
}

mod added_bones;
mod bone_maps;
mod borrowed_faces;
pub mod content;
mod content_name;
mod cursor;
mod editor;
mod error;
mod failure_cause;
mod file_map;
mod file_names;
mod filtered_folder;
mod folder;
mod foreign;
mod format;
mod image_bytes;
mod image_places;
mod limits;
pub mod loss_list;
pub mod loss_summary;
pub mod losses;
mod mirrored_skins;
mod open;
mod options;
mod output_file;
mod plausibility;
mod probe;
mod record;
mod registry;
mod related_clips;
mod related_file_choice;
mod related_images;
mod rigged_model;
mod source;
pub mod text;
mod texture_suffixes;
mod textures;
mod ufbx_scene;
mod unknown_bytes;
mod user_messages;

pub use bone_maps::{
    BONE_MAP_SUFFIX, MAX_MAP_BYTES, NamedBoneMap, bone_map_problems, bone_map_text,
    merged_bone_map, pairs_of_bone_map, parse_bone_map,
};
pub(crate) use bone_maps::{find_bone_map, is_bone_map, missing_bone};
pub use content::{Content, ReadAt};
#[cfg(test)]
pub(crate) use content_name::content_name;
pub use content_name::{NAMING_EXTENSIONS, digits_of, has_digits};
pub use cursor::Cursor;
pub use editor::{Edit, EditPlace, Edited, Editor, FileFix, NamedFiles};
pub use effect::{CONFIG as EFFECT_CONFIG, may_be_in_effect};
pub use error::{Failure, FailureCause, ReadError, WriteError};
pub use file_map::{FailureMark, FileMap, map};
pub(crate) use file_names::below;
pub use file_names::{extension_of, is_device, is_special};
pub use file_names::{last_part, leads_outside};
pub use folder::{Folder, PathQuery};
pub use format::{
    Caps, Format, FormatInfo, FormatKind, MimeType, PartInfo, PoseWords, ReadOptions, Reader,
    RigFiles, Writer,
};
pub use image_places::{ImagePlaces, PathState, PathStateFn};
pub use limits::{Budget, Limits};
pub use open::{Opened, open, write};
pub use options::{Check, ConvertOptions, TextureMode, WriteOptions};
pub use output_file::{OutputFile, OutputPlace};
pub use plausibility::{may_be_model, may_begin_model};
pub use probe::{Confidence, PROBE_WINDOW_BYTES, ProbeInput, TextHead};
use registry::choose;
pub use registry::{
    COMMON_EXTENSIONS, Candidate, ContentKind, by_id, candidates, content_kind, is_model_file,
    reads_parts,
};
pub use related_clips::MATCH_BY_ORDER;
pub use source::{Absence, RelatedFile, Source};
pub use source::{RelatedFileCandidate, common_prefix, stem};
pub use textures::{is_image, wants_image};
