//! What a format is to the rest of the program.

use super::{Confidence, Limits, ProbeInput, ReadError, Source, WriteError};
use crate::model::{Model, Report, UpAxis};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatInfo {
    /// Stable, lower case; what `--format` takes.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// Lower case, without dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// Text or binary.
    pub kind: FormatKind,
    /// Whether there is a reader.
    pub can_read: bool,
    /// Whether there is a writer.
    pub can_write: bool,
    /// What it can hold.
    pub caps: Caps,
    /// Where its facts come from.
    pub citation: &'static str,
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
    /// The axis that points up, whatever the format says: exporters do not always keep to it.
    pub up: Option<UpAxis>,
    /// Read the pixels of textures too; without it they are only looked for.
    pub images: bool,
}

/// How to write.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// Store parents, names and inverse bind matrices where the format leaves the choice.
    pub hierarchy: bool,
}

/// One file that a writer made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// What goes between the output's stem and its extension; empty for the main file.
    pub suffix: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// One file format. Unit structs only; the list of them is [`super::FORMATS`].
pub trait Format: Sync {
    /// The static facts.
    fn info(&self) -> &'static FormatInfo;

    /// How likely the bytes are this format. Cheap; looks at content only, never at the name.
    fn probe(&self, input: &ProbeInput<'_>) -> Confidence;

    /// Reads the model as authored.
    ///
    /// # Errors
    /// When the file cannot be understood; what can be lived with is noted in `report`.
    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError>;

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
        Err(WriteError::ReadOnly {
            format: self.info().id,
        })
    }
}
