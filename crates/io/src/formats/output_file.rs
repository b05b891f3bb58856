//! The files that a writer returns.

use rigscope_core::model::Origins;

/// Location of a written file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    pub is_related_file: bool,
    /// For the vertices and clips read back from it, their origins in the written model; unused for
    /// related files.
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
        Self {
            place: OutputPlace::Main,
            bytes,
            is_related_file: false,
            origins: Origins::default(),
        }
    }

    /// Sets the origins of its vertices and clips.
    pub fn of(self, origins: Origins) -> Self {
        Self { origins, ..self }
    }
}
