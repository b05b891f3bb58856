//! What a path leads to, and whether it may be written to.

use std::fs::Metadata;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::{Bytes, Refusal, SaveError};
use crate::files::{Inputs, folder_of};

/// So many links that lead to nothing are followed, as Linux does.
const MAX_LINKS: usize = 40;

/// Where bytes can go.
#[derive(Debug)]
pub(super) enum Target {
    /// A regular file, there or not yet; links are followed.
    File {
        /// Its own path, in the folder that temporary files lie in.
        path: PathBuf,
        /// What is there.
        old: Option<Metadata>,
    },
    /// A device or a pipe: it is written into, and not replaced.
    Stream(PathBuf),
}

/// Refuses early what writing would refuse after all the work.
///
/// # Errors
/// When nothing may be written to `path`.
pub fn check_target(path: &Path, force: bool, inputs: &Inputs) -> Result<(), SaveError> {
    Target::of(path, force, inputs).map(|_| ())
}

impl Target {
    /// What `path` leads to; an error where it may not be written to.
    pub(super) fn of(path: &Path, may_replace: bool, inputs: &Inputs) -> Result<Self, SaveError> {
        let refused = |refusal| Err(SaveError::new(path, refusal));
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
        if is_own_output(&metadata) {
            return refused(Refusal::OwnOutput);
        }
        if !metadata.is_file() {
            return match is_stream(&metadata) {
                true => Ok(Self::Stream(path.to_owned())),
                false => refused(Refusal::NotAFile),
            };
        }
        if !may_replace {
            return refused(Refusal::Exists);
        }
        let own = path.canonicalize().map_err(|error| SaveError::io(path, error))?;
        // An open file that has lost its name has a path all the same where its number is a path.
        if !own.is_file() {
            return refused(Refusal::NotAFile);
        }
        Ok(Self::File { path: own, old: Some(metadata) })
    }

    /// The same where there is no file: a new one, also at the end of links.
    fn missing(path: &Path, may_replace: bool, inputs: &Inputs) -> Result<Self, SaveError> {
        let mut end = path.to_owned();
        for _ in 0..MAX_LINKS {
            let Ok(next) = std::fs::read_link(&end) else { break };
            // It is something that would be lost.
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

/// Writes all of `bytes` into a pipe or device.
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

/// Whether results that are printed go there too, by whatever name. A device that keeps nothing may
/// have both.
#[cfg(unix)]
fn is_own_output(metadata: &Metadata) -> bool {
    use std::io::IsTerminal;
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let stdout = std::io::stdout();
    let own = stdout.as_fd().try_clone_to_owned();
    let own = own.and_then(|own| std::fs::File::from(own).metadata());
    let is_same = own.is_ok_and(|own| (own.dev(), own.ino()) == (metadata.dev(), metadata.ino()));
    is_same && (!metadata.file_type().is_char_device() || stdout.is_terminal())
}

#[cfg(not(unix))]
fn is_own_output(_: &Metadata) -> bool {
    false
}
