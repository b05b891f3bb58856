//! What a format is to the rest of the program.

use super::losses::{Aspect, Held, Precision};
use super::{Confidence, ImagePlaces, Limits, ProbeInput, ReadError, Source, WriteError};
use rigscope_core::bake::SamplingLimit;
use rigscope_core::model::{
    Clip, CompanionRole, Model, NormalMatrix, Origins, Report, USUAL_FRAMES_PER_SEC, UpAxis,
};

/// Whether a format is text or binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// Bytes.
    Binary,
    /// Lines.
    Text,
}

/// What a format can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Triangles and vertices.
    pub mesh: bool,
    /// Bones and influences.
    pub skin: bool,
    /// Motion.
    pub clips: bool,
    /// Convex hulls or an occluder.
    pub collision: bool,
}

/// All static facts about a format; file dialogs, help and README are made from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormatInfo {
    /// Stable, lower case; what `--format` takes.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// Lower case, without dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// What desktops call its files; empty where they are told by nothing but their content.
    pub mime_types: &'static [MimeType],
    /// Text or binary.
    pub kind: FormatKind,
    /// Whether there is a reader.
    pub can_read: bool,
    /// Whether there is a writer.
    pub can_write: bool,
    /// What it can hold.
    pub caps: Caps,
    /// Where it stores the poses outside clips, for tooltips.
    pub pose_words: PoseWords,
    /// Files that a writer makes and that can be asked for alone; empty for formats of one file.
    pub parts: &'static [PartInfo],
    /// How exact written numbers are.
    pub precision: Precision,
    /// Where its facts come from.
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

/// What desktops call some files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MimeType {
    /// Registered, or with `x-`.
    pub name: &'static str,
    /// Lower case, without dot.
    pub extension: &'static str,
    /// Bytes that such files have at an offset; one of these is enough. Empty where the name tells alone.
    pub magic: &'static [(u32, &'static [u8])],
    /// Whether desktops know it without being told.
    pub is_known: bool,
}

impl MimeType {
    /// One that desktops must be told of.
    pub(super) const fn own(
        name: &'static str,
        extension: &'static str,
        magic: &'static [(u32, &'static [u8])],
    ) -> Self {
        Self { name, extension, magic, is_known: false }
    }

    /// One that they know.
    pub(super) const fn known(name: &'static str, extension: &'static str) -> Self {
        Self { name, extension, magic: &[], is_known: true }
    }
}

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Id of the format to take the bytes for, whatever the probes say.
    pub format: Option<String>,
    /// How much the file may ask for.
    pub limits: Limits,
    /// Frames a second, for formats that count frames and do not say how fast they go.
    pub fps: Option<f64>,
    /// The axis that points up, overriding the format's: exporters do not always keep to it.
    pub up: Option<UpAxis>,
    /// Read the pixels of textures too; without it they are only looked for.
    pub images: bool,
}

/// A file or kind of file that a format of several can be asked for alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartInfo {
    /// What `--part` takes.
    pub id: &'static str,
    /// The extension that asks for it; the format's own where all parts have that.
    pub extension: &'static str,
    /// What it is, as one phrase.
    pub meaning: &'static str,
}

/// How to write. Which clips there are, their rate where it is given, scale and merging are not
/// here: they are changes to the model, made before.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// The main output's name without extension: files that name one another use it.
    pub stem: String,
    /// Only this part of the format's [`FormatInfo::parts`].
    pub part: Option<String>,
    /// Keys a second where the format stores keys at equal intervals; `None` for the keys' own
    /// rate, or 30 for curves.
    pub rate: Option<f64>,
    /// Store parents, names and inverse bind matrices where the format leaves the choice.
    pub hierarchy: bool,
    /// Keep bones that move nothing below those that do, where the format leaves them out.
    pub last_bones: bool,
    /// Fail where a model has to be split into several files.
    pub never_split: bool,
    /// Make a convex hull of every mesh, where the format holds hulls and the model has none.
    pub make_hulls: bool,
    /// Make a simplified occlusion mesh, where the format holds one and the model has none.
    pub make_occluder: bool,
    /// What sampling clips may take.
    pub sampling: SamplingLimit,
    /// Where images of textures lie already, and which names are free for those that are written.
    pub images: ImagePlaces,
}

/// Where a written file goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputPlace {
    /// The path that was asked for.
    Main,
    /// Beside it: this goes between its stem and its extension, as in `.0` or `.skeleton`.
    Suffix(String),
    /// Beside it, under a name that other written files know it by.
    Named(String),
    /// Nowhere: it lies there already, seen from the main file, and others name it.
    There(String),
}

/// One file that a writer made.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputFile {
    /// Where it goes.
    pub place: OutputPlace,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether it is read together with the files before it and not by itself.
    pub is_companion: bool,
    /// Where the vertices and clips come from of what is read back of it, in the model that was
    /// written; of no meaning for companions.
    pub origins: Origins,
}

impl OutputFile {
    /// Whether it lies there already, and is not written.
    pub fn is_there(&self) -> bool {
        matches!(self.place, OutputPlace::There(_))
    }

    /// The one file of a format that needs no more.
    #[must_use]
    pub fn main(bytes: Vec<u8>) -> Self {
        Self { place: OutputPlace::Main, bytes, is_companion: false, origins: Origins::default() }
    }

    /// The same, with where all comes from that is read back of it.
    pub fn of(self, origins: Origins) -> Self {
        Self { origins, ..self }
    }
}

/// One file format. Unit structs only; the list of them is [`super::FORMATS`].
pub trait Format: Sync {
    /// The static facts.
    fn info(&self) -> &'static FormatInfo;

    /// How likely the bytes are this format. Cheap; looks at content only, never at the name.
    fn probe(&self, input: &ProbeInput<'_>) -> Confidence;

    /// Whether a file has a mesh, as far as its front says; asked only of this format's own files.
    fn has_mesh(&self, input: &ProbeInput<'_>) -> Option<bool> {
        let _ = input;
        None
    }

    /// Whether a file with that front is read part by part, and nothing of the model is a view of it but
    /// what is asked for alone.
    fn reads_parts(&self, front: &[u8]) -> bool {
        let _ = front;
        false
    }

    /// Reads the model as authored, without faces that it borrows.
    ///
    /// # Errors
    /// When the file cannot be understood; what can be lived with is noted in `report`.
    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError>;

    /// Reads all meshes as one; and for each of its vertices, from 0, which of the file's points it is.
    /// `None` where files do not number points as authoring tools do.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn read_numbered(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Option<Result<(Model, Vec<u32>), ReadError>> {
        let _ = (source, options, report);
        None
    }

    /// Whether its meshes have no faces, and borrow those of another file: see `borrowed_faces`.
    fn borrows_faces(&self) -> bool {
        false
    }

    /// The extension of skeletons and animations where those are files of their own, which go with
    /// meshes of other formats too.
    fn rig_extension(&self) -> Option<&'static str> {
        None
    }

    /// What a file of a format with [`Self::rig_extension`] is to the others, by its front.
    fn role(&self, front: &[u8]) -> Option<CompanionRole> {
        let _ = front;
        None
    }

    /// Whether skins of its files may mirror what they move and count on whoever shows them to turn
    /// it, as meshes of authoring tools on mirrored nodes do; see `skin_fronts`.
    fn may_mirror_skins(&self) -> bool {
        false
    }

    /// What turns normals of its files in the format's own runtime.
    fn normal_matrix(&self) -> NormalMatrix {
        NormalMatrix::default()
    }

    /// How much of `aspect` a file written with `options` holds. [`super::loss_list`] holds it against
    /// what is read back.
    fn holds(&self, aspect: Aspect, options: &WriteOptions) -> Held {
        let _ = (aspect, options);
        Held::No
    }

    /// How many of the `count` of `aspect` that `model` has a file written with `options` holds: what
    /// [`Self::holds`] says, unless it depends on the model.
    fn num_held(&self, model: &Model, aspect: Aspect, options: &WriteOptions, count: u64) -> u64 {
        let _ = model;
        self.holds(aspect, options).of(count)
    }

    /// Whether its files may have parents, names and inverse binds or not: [`WriteOptions::hierarchy`].
    fn has_choice_of_hierarchy(&self) -> bool {
        false
    }

    /// Frames a second to read a file with that was written from `model` at the rate `asked` for:
    /// [`ReadOptions::fps`].
    fn written_fps(&self, model: &Model, asked: Option<f64>) -> f64 {
        let of_clip = || model.clips.first().and_then(Clip::frames_per_sec);
        asked.or_else(of_clip).unwrap_or(USUAL_FRAMES_PER_SEC)
    }

    /// Whether `model` is written as it was read, so that nothing at all is lost.
    fn is_verbatim(&self, model: &Model, options: &WriteOptions) -> bool {
        let _ = (model, options);
        false
    }

    /// Writes a checked model; a format without writer leaves this as it is.
    ///
    /// # Errors
    /// When the format cannot hold the model.
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
