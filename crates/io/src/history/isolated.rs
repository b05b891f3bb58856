//! A temporary Git folder that borrows only the objects of a repository.
//!
//! Its configuration is written here, and those of the user and the system aren't read. Therefore it names no program
//! and no remote, and options such as `log.showSignature` don't change the output.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::HistoryError;
use super::command::{RunLimits, git};
use super::location::Location;
use super::run::run;
use crate::files::{FileError, Pipes, read_file};

/// Largest list of the commits at which a shallow clone ends, and of the folders of other repositories.
const MAX_LIST_BYTES: u64 = 64 << 20;
/// Windows of packs, small enough that mapped packs don't count as much memory.
const PACK_WINDOWS: &str = "\tpackedGitWindowSize = 32m\n\tpackedGitLimit = 512m\n";

pub(super) struct Isolated {
    folder: tempfile::TempDir,
    objects: PathBuf,
}

impl Isolated {
    pub(super) fn of(location: &Location) -> Result<Self, HistoryError> {
        let folder = tempfile::tempdir().map_err(io)?;
        let at = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| fs::write(at(name), text).map_err(io);
        for name in ["objects", "refs"] {
            fs::create_dir(at(name)).map_err(io)?;
        }
        let (version, extensions) = if location.is_sha256 {
            (1, "[extensions]\n\tobjectFormat = sha256\n")
        } else {
            (0, "")
        };
        let core = format!("[core]\n\trepositoryFormatVersion = {version}\n\tbare = true\n");
        write("config", &format!("{core}{PACK_WINDOWS}{extensions}"))?;
        write("user.config", "")?;
        write("HEAD", location.head.as_deref().unwrap_or("ref: refs/heads/none"))?;
        let objects = location.common_dir.join("objects");
        if let Some(list) = list(&location.common_dir, "shallow")? {
            fs::write(at("shallow"), list).map_err(io)?;
        }
        // Git would read a device without end.
        list(&objects, "info/alternates")?;
        Ok(Self { objects, folder })
    }

    /// The folder with the objects of the repository.
    pub(super) fn objects(&self) -> &Path {
        &self.objects
    }

    /// For files that Git needs next to its configuration.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The standard output of a command.
    pub(super) fn run(
        &self,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
        limits: RunLimits,
    ) -> Result<Vec<u8>, HistoryError> {
        let mut command = self.command();
        command.args(args);
        self.output(command, limits)
    }

    /// Git with this folder as its repository.
    pub(super) fn command(&self) -> Command {
        let folder = self.folder.path();
        let mut command = git();
        // Git before 2.32 looks for the settings of the user only in these folders.
        for name in ["HOME", "XDG_CONFIG_HOME", "USERPROFILE"] {
            command.env(name, folder);
        }
        for name in ["GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_SYSTEM"] {
            command.env_remove(name);
        }
        command
            .current_dir(folder)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", folder.join("user.config"))
            .env("GIT_DIR", folder)
            .env("GIT_OBJECT_DIRECTORY", &self.objects)
            .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", folder.join("objects"));
        command
    }

    /// The standard output of such a command.
    pub(super) fn output(
        &self,
        command: Command,
        limits: RunLimits,
    ) -> Result<Vec<u8>, HistoryError> {
        run(command, limits).map_err(|error| match error {
            HistoryError::Git(message) if self.is_partial() => HistoryError::Git(format!(
                "{message}; this is a partial clone, and missing objects aren't downloaded"
            )),
            error => error,
        })
    }

    /// Whether some packs come from a remote that has the objects which are missing here.
    fn is_partial(&self) -> bool {
        let Ok(packs) = fs::read_dir(self.objects.join("pack")) else { return false };
        packs.flatten().any(|pack| pack.path().extension().is_some_and(|own| own == "promisor"))
    }
}

/// A file in a Git folder, if it exists.
fn list(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, HistoryError> {
    let path = folder.join(name);
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let list = read_file(&path, MAX_LIST_BYTES, Pipes::Refused, |_| Ok(()));
    list.map(Some).map_err(|error| unreadable(name, &error))
}

/// The temporary folder can't be written.
pub(super) fn io(error: std::io::Error) -> HistoryError {
    HistoryError::File(FileError::Io(error).to_string())
}

/// A file of the Git folder can't be read.
pub(super) fn unreadable(name: &str, error: &FileError) -> HistoryError {
    HistoryError::File(format!("`{name}` in the Git folder: {error}"))
}
