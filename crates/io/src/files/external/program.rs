//! The programs that a settings file lists.

use std::time::Duration;

use rigscope_core::model::Place;

/// The name of the settings file.
pub const CONFIG_NAME: &str = "config.toml";
/// The part of a command that is replaced by the path of the file.
pub(super) const FILE_WORD: &str = "{file}";

/// A program that reads a format.
#[derive(Clone, Debug, PartialEq)]
pub struct ReaderProgram {
    pub name: String,
    /// The program and its arguments; [`FILE_WORD`] in them stands for the file.
    pub command: Vec<String>,
    /// Lower case, without dot.
    pub extensions: Vec<String>,
    /// The first bytes of a file. If there are any, they decide instead of the extension.
    pub magic: Vec<u8>,
    pub timeout: Duration,
    /// Memory of the program and of all programs that it starts, and the size of its output.
    pub max_memory_bytes: u64,
}

/// A fault in the settings file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ConfigFault {
    pub place: Place,
    pub message: String,
}
