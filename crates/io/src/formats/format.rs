//! The constant data and the functions of a file format.

use super::editor::Editor;
use super::losses::{Aspect, Held, Precision, Stored};
use super::{
    Confidence, Limits, NamedBoneMap, OutputFile, ProbeInput, ReadError, Source, WriteError,
    WriteOptions,
};
use rigscope_core::model::{
    Clip, Model, NormalMatrix, RelatedFileRole, Report, USUAL_FRAMES_PER_SEC, UpAxis,
};
use rigscope_core::rig::BoneMap;
use rigscope_core::runtime::Runtime;

/// A file format: a constant of its folder, listed in [`super::FORMATS`].
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub info: FormatInfo,
    /// How likely the bytes are this format. Cheap; only the content counts, never the name.
    pub probe: fn(&ProbeInput<'_>) -> Confidence,
    /// The runtime that defines how files are played, if the format has one.
    pub runtime: Option<&'static Runtime>,
    pub reader: Reader,
    /// `None` if the format is read-only.
    pub writer: Option<Writer>,
}

impl Format {
    /// How the format's runtime transforms normals; without a runtime, exactly.
    pub fn normal_matrix(&self) -> NormalMatrix {
        self.runtime.map_or(NormalMatrix::InverseTranspose, |runtime| runtime.rules.normals)
    }

    /// How much of `aspect` written files store.
    pub fn stored(&self, aspect: Aspect) -> Stored {
        self.writer.map_or(Stored::NO, |writer| (writer.stored)(aspect))
    }

    /// Whether files store how keys are interpolated, so that a clip can be played in steps.
    pub fn stores_step_keys(&self) -> bool {
        self.stored(Aspect::Interpolations).held(&WriteOptions::default()) == Held::Whole
    }

    /// The frame rate for reading a file back that was written from `model` at the rate `asked`:
    /// [`ReadOptions::fps`].
    pub fn written_fps(&self, model: &Model, asked: Option<f64>) -> f64 {
        self.writer.map_or(usual_fps as FpsFn, |writer| writer.fps)(model, asked)
    }
}

type ReadFn<T> = fn(&Source, &ReadOptions, &Report) -> Result<T, ReadError>;
type WriteFn = fn(&Model, &WriteOptions, &Report) -> Result<Vec<OutputFile>, WriteError>;
type FpsFn = fn(&Model, Option<f64>) -> f64;

/// How files of a format are read.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// Reads the model as authored, without borrowed faces. An error if the file can't be understood;
    /// recoverable problems are reported as findings.
    pub read: ReadFn<Model>,
    /// Reads all meshes as one, with the number of the file's point, from 0, for each vertex. `None` if the
    /// format doesn't number points as authoring tools do.
    pub read_numbered: Option<ReadFn<(Model, Vec<u32>)>>,
    /// Whether a file has a mesh, if its beginning shows that. Only called for files of this format.
    pub has_mesh: fn(&ProbeInput<'_>) -> Option<bool>,
    /// Whether a file with that beginning is read part by part, so that the model only has views of parts
    /// that were requested.
    pub reads_parts: fn(&[u8]) -> bool,
    /// Whether meshes have no faces and use those of another file; see `borrowed_faces`.
    pub borrows_faces: bool,
    /// Skeleton and animation files, if they are separate and can belong to meshes of other formats.
    pub rig_files: Option<RigFiles>,
    /// Whether skins may mirror what they move and rely on the application to reverse the triangles, as for
    /// meshes on mirrored nodes in authoring tools; see `mirrored_skins`.
    pub may_mirror_skins: bool,
}

impl Reader {
    /// A reader without any of the options.
    pub(super) const fn of(read: ReadFn<Model>) -> Self {
        Self {
            read,
            read_numbered: None,
            has_mesh: |_| None,
            reads_parts: |_| false,
            borrows_faces: false,
            rig_files: None,
            may_mirror_skins: false,
        }
    }
}

/// Skeleton and animation files of a format.
#[derive(Clone, Copy, Debug)]
pub struct RigFiles {
    pub extension: &'static str,
    /// The role of a file, from its beginning.
    pub role: fn(&[u8]) -> Option<RelatedFileRole>,
}

/// How files of a format are written.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    /// Writes a checked model. An error if the format can't store it.
    pub write: WriteFn,
    /// The table of stored aspects, made with `stored!`.
    pub stored: fn(Aspect) -> Stored,
    /// See [`Format::written_fps`].
    pub fps: FpsFn,
    /// Whether a model is written exactly as it was read, without any loss.
    pub is_verbatim: fn(&Model, &WriteOptions) -> bool,
    /// Whether parents, names and inverse bind matrices are optional: [`WriteOptions::hierarchy`].
    pub has_choice_of_hierarchy: bool,
    /// Extensions of files that are read, but not written.
    pub unwritten: &'static [&'static str],
    /// Changes files in place; `None` if only arrays can be changed.
    pub editor: Option<Editor>,
}

impl Writer {
    /// A writer without any of the options.
    pub(super) const fn of(write: WriteFn, stored: fn(Aspect) -> Stored) -> Self {
        Self {
            write,
            stored,
            fps: usual_fps,
            is_verbatim: |_, _| false,
            has_choice_of_hierarchy: false,
            unwritten: &[],
            editor: None,
        }
    }
}

fn usual_fps(model: &Model, asked: Option<f64>) -> f64 {
    let of_clip = || model.clips.first().and_then(Clip::frames_per_sec);
    asked.or_else(of_clip).unwrap_or(USUAL_FRAMES_PER_SEC)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    Binary,
    Text,
}

/// Capabilities of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    pub mesh: bool,
    pub skin: bool,
    pub clips: bool,
    /// Convex hulls or an occlusion mesh.
    pub collision: bool,
}

/// The static properties of a format, from which file dialogs, help and the README are generated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormatInfo {
    /// Stable identifier in lower case; the value of `--format`.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Lower case, without dot; the usual one first.
    pub extensions: &'static [&'static str],
    /// MIME types; empty if files are only recognized by their content.
    pub mime_types: &'static [MimeType],
    pub kind: FormatKind,
    pub can_read: bool,
    pub can_write: bool,
    /// Its capabilities.
    pub caps: Caps,
    /// Where it stores the poses outside clips, for tooltips.
    pub pose_words: PoseWords,
    /// Files that can be written individually; empty if the format uses a single file.
    pub parts: &'static [PartInfo],
    /// Precision of written numbers.
    pub precision: Precision,
    /// Source of the specification.
    pub citation: &'static str,
}

/// Where a format stores the poses outside clips, in its own words, for tooltips; empty for a pose that it
/// doesn't store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoseWords {
    /// The rest pose.
    pub rest: &'static str,
    /// The pose that meshes were bound in.
    pub bind: &'static str,
}

/// A MIME type for desktop integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MimeType {
    /// Registered, or with `x-`.
    pub name: &'static str,
    /// Lower case, without dot.
    pub extension: &'static str,
    /// Magic bytes with their offset; any one of them suffices. Empty if the extension is enough.
    pub magic: &'static [(u32, &'static [u8])],
    /// Whether desktops already know the type.
    pub is_known: bool,
}

impl MimeType {
    /// A type that has to be registered with desktops.
    pub(super) const fn own(
        name: &'static str,
        extension: &'static str,
        magic: &'static [(u32, &'static [u8])],
    ) -> Self {
        Self { name, extension, magic, is_known: false }
    }

    /// A type that desktops already know.
    pub(super) const fn known(name: &'static str, extension: &'static str) -> Self {
        Self { name, extension, magic: &[], is_known: true }
    }
}

#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Id of the format to use, regardless of the probes.
    pub format: Option<String>,
    pub limits: Limits,
    /// Frames per second, for formats that count frames without storing a rate.
    pub fps: Option<f64>,
    /// Overrides the format's up axis, because some exporters ignore it.
    pub up: Option<UpAxis>,
    /// Also read the images of textures; otherwise they are only searched for.
    pub images: bool,
    /// Keep the bytes of related files that have spans ([`rigscope_core::model::RelatedBytes`]).
    pub related_bytes: bool,
    /// Match the bones of supplied animations by their order if no name matches, even if hierarchies or lengths
    /// differ.
    pub bones_by_order: bool,
    /// Pairs of bones that the user states, before those of any file.
    pub bone_pairs: BoneMap,
    /// Pairs of bones in files of the user, instead of those of a file next to the model.
    pub bone_maps: Vec<NamedBoneMap>,
}

/// A file or kind of file that can be written individually.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartInfo {
    /// Identifier; the value of `--part`.
    pub id: &'static str,
    /// The extension that selects it; the extension of the format if all parts share it.
    pub extension: &'static str,
    /// Its content in one phrase.
    pub meaning: &'static str,
}
