//! The interface of a file format.

use super::losses::{Aspect, Held, Precision};
use super::{Confidence, Limits, ProbeInput, ReadError, Source, WriteError, WriteOptions};
use rigscope_core::model::{
    Clip, CompanionRole, Model, NormalMatrix, Origins, Report, USUAL_FRAMES_PER_SEC, UpAxis,
};

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

/// Location of a written file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputPlace {
    /// The requested path.
    Main,
    /// In the same folder, with this inserted between stem and extension, for example `.0` or `.skeleton`.
    Suffix(String),
    /// In the same folder, under a name that other written files refer to.
    Named(String),
    /// Not written: the file exists at this path relative to the main file, and other files refer to it.
    There(String),
}

/// A written file.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputFile {
    pub place: OutputPlace,
    pub bytes: Vec<u8>,
    /// Whether it's read together with the files before it and not by itself.
    pub is_companion: bool,
    /// For the vertices and clips read back from it, their origins in the written model; unused for
    /// companions.
    pub origins: Origins,
}

impl OutputFile {
    /// Whether the file exists already and isn't written.
    pub fn is_there(&self) -> bool {
        matches!(self.place, OutputPlace::There(_))
    }

    /// The only file of a format that uses one.
    #[must_use]
    pub fn main(bytes: Vec<u8>) -> Self {
        Self { place: OutputPlace::Main, bytes, is_companion: false, origins: Origins::default() }
    }

    /// Sets the origins of its vertices and clips.
    pub fn of(self, origins: Origins) -> Self {
        Self { origins, ..self }
    }
}

/// A file format. Implemented by unit structs, which are listed in [`super::FORMATS`].
pub trait Format: Sync {
    /// The static properties.
    fn info(&self) -> &'static FormatInfo;

    /// How likely the bytes are this format. Cheap; only the content counts, never the name.
    fn probe(&self, input: &ProbeInput<'_>) -> Confidence;

    /// Whether a file has a mesh, if its beginning shows that. Only called for files of this format.
    fn has_mesh(&self, input: &ProbeInput<'_>) -> Option<bool> {
        let _ = input;
        None
    }

    /// Whether a file with that beginning is read part by part, so that the model only has views of parts
    /// that were requested.
    fn reads_parts(&self, front: &[u8]) -> bool {
        let _ = front;
        false
    }

    /// Reads the model as authored, without borrowed faces.
    ///
    /// # Errors If the file can't be understood; recoverable problems are reported as findings.
    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError>;

    /// Reads all meshes as one, with the number of the file's point, from 0, for each vertex. `None` if the
    /// format doesn't number points as authoring tools do.
    ///
    /// # Errors As [`Self::read`].
    fn read_numbered(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Option<Result<(Model, Vec<u32>), ReadError>> {
        let _ = (source, options, report);
        None
    }

    /// Whether its meshes have no faces and use those of another file; see `borrowed_faces`.
    fn borrows_faces(&self) -> bool {
        false
    }

    /// The extension of skeleton and animation files, if they are separate and can belong to meshes of other
    /// formats.
    fn rig_extension(&self) -> Option<&'static str> {
        None
    }

    /// The role of a file of a format with [`Self::rig_extension`], from its beginning.
    fn role(&self, front: &[u8]) -> Option<CompanionRole> {
        let _ = front;
        None
    }

    /// Whether skins may mirror what they move and rely on the application to reverse the triangles, as for
    /// meshes on mirrored nodes in authoring tools; see `mirrored_skins`.
    fn may_mirror_skins(&self) -> bool {
        false
    }

    /// How the format's own runtime transforms normals.
    fn normal_matrix(&self) -> NormalMatrix {
        NormalMatrix::default()
    }

    /// How much of `aspect` a file written with `options` stores. [`super::loss_list`] compares it with the
    /// model read back.
    fn holds(&self, aspect: Aspect, options: &WriteOptions) -> Held {
        let _ = (aspect, options);
        Held::No
    }

    /// How many of the `count` of `aspect` in `model` a file written with `options` stores. Follows from
    /// [`Self::holds`] unless it depends on the model.
    fn num_held(&self, model: &Model, aspect: Aspect, options: &WriteOptions, count: u64) -> u64 {
        let _ = model;
        self.holds(aspect, options).of(count)
    }

    /// Whether parents, names and inverse bind matrices are optional: [`WriteOptions::hierarchy`].
    fn has_choice_of_hierarchy(&self) -> bool {
        false
    }

    /// The frame rate for reading a file back that was written from `model` at the rate `asked`:
    /// [`ReadOptions::fps`].
    fn written_fps(&self, model: &Model, asked: Option<f64>) -> f64 {
        let of_clip = || model.clips.first().and_then(Clip::frames_per_sec);
        asked.or_else(of_clip).unwrap_or(USUAL_FRAMES_PER_SEC)
    }

    /// Whether `model` is written exactly as it was read, without any loss.
    fn is_verbatim(&self, model: &Model, options: &WriteOptions) -> bool {
        let _ = (model, options);
        false
    }

    /// Writes a checked model. Formats without a writer keep this default.
    ///
    /// # Errors If the format can't store the model.
    fn write(
        &self,
        model: &Model,
        options: &WriteOptions,
        report: &Report,
    ) -> Result<Vec<OutputFile>, WriteError> {
        let _ = (model, options, report);
        Err(WriteError::ReadOnly { format: self.info().id })
    }
}
