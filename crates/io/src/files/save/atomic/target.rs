//! Resolves output paths and checks whether they may be written to.

use std::fs::Metadata;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::{Bytes, Refusal, SaveError};
use crate::files::{Inputs, folder_of};
use crate::formats::is_device;

/// Maximum number of dangling links followed, as on Linux.
const MAX_LINKS: usize = 40;

/// Where bytes can be written to.
#[derive(Debug)]
pub(super) enum Target {
    /// A regular file, existing or not; links are followed.
    File {
        /// Path with links resolved; temporary files are created in its folder.
        path: PathBuf,
        /// Metadata of the existing file.
        old: Option<Metadata>,
    },
    /// A device or a pipe, which is written into instead of replaced.
    Stream(PathBuf),
}

/// Checks before the work whether writing to `path` would be refused.
///
/// # Errors
/// If `path` may not be written to.
pub fn check_target(path: &Path, force: bool, inputs: &Inputs) -> Result<(), SaveError> {
    Target::of(path, force, inputs).map(|_| ())
}

impl Target {
    /// The target that `path` leads to, or an error if it may not be written to.
    pub(super) fn of(path: &Path, may_replace: bool, inputs: &Inputs) -> Result<Self, SaveError> {
        let refused = |refusal| Err(SaveError::new(path, refusal));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if cfg!(windows) && is_device(name) {
            // Output to NUL is discarded, as on Unix to /dev/null.
            return if name.eq_ignore_ascii_case("nul") {
                Ok(Self::Stream(path.to_owned()))
            } else {
                refused(Refusal::Device)
            };
        }
        if inputs.holds(path) {
            return refused(Refusal::Input);
        }
        let metadata = match std::fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Self::missing(path, may_replace, inputs);
            }
            Err(error) => return Err(SaveError::io(path, error)),
        };
        if metadata.is_dir() {
            return refused(Refusal::Folder);
        }
        if is_own_output(path, &metadata) {
            return refused(Refusal::OwnOutput);
        }
        if !metadata.is_file() {
            return if is_stream(&metadata) {
                Ok(Self::Stream(path.to_owned()))
            } else {
                refused(Refusal::NotAFile)
            };
        }
        if !may_replace {
            return refused(Refusal::Exists);
        }
        let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
        let end = if is_link { path.canonicalize() } else { Ok(path.to_owned()) };
        let own = end.map_err(|error| SaveError::io(path, error))?;
        // An open file that was deleted can still be reached by its descriptor's path (`/dev/fd/3`).
        if !own.is_file() {
            return refused(Refusal::NotAFile);
        }
        Ok(Self::File { path: own, old: Some(metadata) })
    }

    /// Target of a path that leads to no file: a new file, at the end of any links.
    fn missing(path: &Path, may_replace: bool, inputs: &Inputs) -> Result<Self, SaveError> {
        let mut end = path.to_owned();
        for _ in 0..MAX_LINKS {
            let Ok(next) = std::fs::read_link(&end) else { break };
            // The link itself would be replaced.
            if !may_replace {
                return Err(SaveError::new(path, Refusal::Exists));
            }
            end = folder_of(&end).join(next);
        }
        if inputs.holds(&end) {
            return Err(SaveError::new(path, Refusal::Input));
        }
        if !folder_of(&end).is_dir() {
            return Err(SaveError::new(path, Refusal::NoFolder));
        }
        Ok(Self::File { path: end, old: None })
    }
}

pub(super) fn write_into(path: &Path, bytes: Bytes<'_>) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
    bytes(&mut file)?;
    file.flush()
}

#[cfg(unix)]
fn is_stream(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    kind.is_fifo() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_stream(_: &Metadata) -> bool {
    false
}

/// Whether standard output goes to the same file. A terminal counts, but not a device that discards its
/// input.
#[cfg(unix)]
fn is_own_output(_: &Path, metadata: &Metadata) -> bool {
    use std::io::IsTerminal;
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let stdout = std::io::stdout();
    let own = stdout.as_fd().try_clone_to_owned();
    let own = own.and_then(|own| std::fs::File::from(own).metadata());
    let is_same = own.is_ok_and(|own| (own.dev(), own.ino()) == (metadata.dev(), metadata.ino()));
    is_same && (!metadata.file_type().is_char_device() || stdout.is_terminal())
}

/// Whether standard output is redirected to the same file.
#[cfg(windows)]
fn is_own_output(path: &Path, _: &Metadata) -> bool {
    use winapi_util::file::information;
    use winapi_util::{Handle, HandleRef};
    let found = Handle::from_path_any(path).and_then(information);
    let (Ok(own), Ok(found)) = (information(HandleRef::stdout()), found) else { return false };
    let number =
        |file: &winapi_util::file::Information| (file.volume_serial_number(), file.file_index());
    number(&own) == number(&found)
}

#[cfg(not(any(unix, windows)))]
fn is_own_output(_: &Path, _: &Metadata) -> bool {
    false
}
