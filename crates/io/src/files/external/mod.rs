//! Programs of the user that read formats which Rigscope doesn't know: they print a GLB or Rigscope JSON.
//!
//! For: the settings file that lists them (`config`, only with the feature `external-readers`), choosing one for a
//! file, and running it (`run`). Not for: parsing what they print (`formats`).
//!
//! Invariant: only the user's settings folder lists programs, never a file next to a model.
//! Invariant: a program is started without a shell, in the settings folder, so that files in the folder of an untrusted
//! model, such as Python modules, can't change what it does.

#[cfg(feature = "external-readers")]
mod config;
#[cfg(not(target_arch = "wasm32"))]
mod memory;
mod output;
mod program;
#[cfg(not(target_arch = "wasm32"))]
mod run;
#[cfg(target_arch = "wasm32")]
#[path = "run_web.rs"]
mod run;
mod settings_folder;

#[cfg(feature = "external-readers")]
pub use config::{parse, with_reader, without_reader};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use memory::MemoryMeter;
pub use output::{ReaderFault, ReaderOutput};
pub use program::{CONFIG_NAME, ConfigFault, ReaderProgram};
pub use settings_folder::{named_folder, settings_folder};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{FileError, Inputs, read_file_range, read_settings};
use rigscope_core::model::{Cancelled, Report};

/// The programs of a settings folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExternalReaders {
    /// Where they run, and where relative paths in their commands begin.
    folder: PathBuf,
    programs: Arc<Vec<ReaderProgram>>,
}

#[cfg(feature = "external-readers")]
impl ExternalReaders {
    /// The programs in the settings `text` of `folder`.
    ///
    /// # Errors
    /// The first fault in the text.
    pub fn parse(folder: &Path, text: &str) -> Result<Self, ConfigFault> {
        Ok(Self { folder: folder.to_owned(), programs: Arc::new(parse(text)?) })
    }

    /// The programs of the user's settings; none without a settings file.
    ///
    /// # Errors
    /// A message that names the file.
    pub fn of_user() -> Result<Self, String> {
        settings_folder().map_or_else(|| Ok(Self::default()), |folder| Self::of_folder(&folder))
    }

    /// The programs of a settings folder; none without a settings file.
    ///
    /// # Errors
    /// A message that names the file.
    pub fn of_folder(folder: &Path) -> Result<Self, String> {
        let path = folder.join(CONFIG_NAME);
        let at_path = |message: String| format!("{}: {message}", path.display());
        match read_settings(&path, &Inputs::none()) {
            Ok(text) => Self::parse(folder, &text).map_err(|fault| at_path(fault.to_string())),
            Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok(Self::default())
            }
            Err(error) => Err(at_path(error.to_string())),
        }
    }
}

impl ExternalReaders {
    /// The settings file with the programs, if there are any.
    pub fn settings_file(&self) -> Option<PathBuf> {
        (!self.programs.is_empty()).then(|| self.folder.join(CONFIG_NAME))
    }

    /// All programs, by name.
    pub fn programs(&self) -> &[ReaderProgram] {
        &self.programs
    }

    /// The extensions of all programs, for file dialogs and folder searches.
    pub fn extensions(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().flat_map(|program| &program.extensions).map(String::as_str)
    }

    /// Whether a program reads files of that name; `front` reads the first bytes of the file.
    pub fn reads(&self, name: &str, front: impl FnOnce() -> Option<Vec<u8>>) -> bool {
        self.program(name, front).is_some()
    }

    fn program(
        &self,
        name: &str,
        front: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<&ReaderProgram> {
        let (_, extension) = name.rsplit_once('.').unwrap_or_default();
        let has_it = |program: &&ReaderProgram| {
            program.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension))
        };
        let num_needed = self.programs.iter().map(|program| program.magic.len()).max()?;
        let front = if num_needed > 0 { front().unwrap_or_default() } else { Vec::new() };
        let is_magic = |program: &&ReaderProgram| front.starts_with(&program.magic);
        let mut programs = self.programs.iter();
        // A magic is more certain than an extension.
        let by_magic = programs.clone().find(|p| !p.magic.is_empty() && is_magic(p));
        by_magic.or_else(|| programs.find(|p| p.magic.is_empty() && has_it(p)))
    }

    /// The output of the program that reads the file at `path`; `None` if there is no such program.
    ///
    /// # Errors
    /// If the program fails, exceeds its limits or is cancelled through `report`.
    pub fn read(&self, path: &Path, report: &Report) -> Option<Result<ReaderOutput, FileError>> {
        let num = self.programs.iter().map(|program| program.magic.len()).max()? as u64;
        let front = || read_file_range(path, 0..num, num).ok().map(|(bytes, _)| bytes);
        let program = self.program(&super::name_of(path), front)?;
        Some(run::run(program, &self.folder, path, report))
    }
}

/// Changes the text of the user's settings file, which is created if it doesn't exist.
///
/// # Errors
/// A message that names the file.
#[cfg(all(feature = "external-readers", not(target_arch = "wasm32")))]
pub fn change_settings(
    edit: impl FnOnce(&str) -> Result<String, ConfigFault>,
) -> Result<(), String> {
    let folder = settings_folder().ok_or("there is no settings folder")?;
    let path = folder.join(CONFIG_NAME);
    let at_path = |message: String| format!("{}: {message}", path.display());
    let text = match read_settings(&path, &Inputs::none()) {
        Ok(text) => text,
        Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(at_path(error.to_string())),
    };
    let text = edit(&text).map_err(|fault| at_path(fault.to_string()))?;
    std::fs::create_dir_all(&folder).map_err(|error| at_path(error.to_string()))?;
    super::save(&path, text.as_bytes(), true, &Inputs::none()).map_err(|error| error.to_string())
}

impl From<ReaderFault> for FileError {
    fn from(fault: ReaderFault) -> Self {
        match fault {
            ReaderFault::Cancelled => Self::Cancelled,
            fault => Self::Reader(Box::new(fault)),
        }
    }
}

impl From<Cancelled> for ReaderFault {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

#[cfg(test)]
#[cfg(all(unix, feature = "external-readers"))]
mod tests;
