//! A file on disk that is read part by part, on demand.
//!
//! Not for: reading whole files (`read`).

use std::fs::File;
use std::io::{Error, Result, Seek as _};
use std::path::Path;
#[cfg(windows)]
use std::path::PathBuf;
use std::time::SystemTime;

use super::disk::Metadata;
#[cfg(windows)]
use super::{FileError, Pipes, disk};
use crate::formats::{Content, PROBE_WINDOW_BYTES, ProbeInput, ReadAt};

/// Smaller files are read whole, which usually takes less time than several system calls.
const MIN_BYTES: u64 = 1 << 20;

struct DiskFile {
    #[cfg(not(windows))]
    file: File,
    /// Opened again for each read: exporters that demand exclusive access can't replace an open file.
    #[cfg(windows)]
    path: PathBuf,
    stamp: Stamp,
}

/// To detect changes.
#[derive(PartialEq, Eq)]
struct Stamp {
    num_bytes: u64,
    modified: Option<SystemTime>,
    /// Number of the file on its volume.
    #[cfg(windows)]
    number: u64,
}

/// A file that is read on demand, or the open file if it has to be read whole.
pub(super) enum PartialContent {
    OnDemand(Content),
    Whole((File, Metadata)),
}

/// The content of the open file at `path`, which is read on demand if it's large and `on_demand` accepts its beginning
/// and length.
///
/// # Errors
/// If its beginning can't be read.
pub(super) fn partial_content(
    path: &Path,
    (file, metadata): (File, Metadata),
    limit_bytes: u64,
    on_demand: impl FnOnce(&ProbeInput<'_>) -> bool,
) -> Result<PartialContent> {
    let len = metadata.len();
    if !metadata.is_file() || !(MIN_BYTES..=limit_bytes).contains(&len) {
        return Ok(PartialContent::Whole((file, metadata)));
    }
    let stamp = stamp(&file)?;
    let mut front = vec![0; PROBE_WINDOW_BYTES];
    fill(&file, 0, &mut front)?;
    // Reading at an offset moves the position on Windows.
    (&file).rewind()?;
    if !on_demand(&ProbeInput { head: &front, len }) {
        return Ok(PartialContent::Whole((file, metadata)));
    }
    let _ = path;
    #[cfg(not(windows))]
    let file = DiskFile { file, stamp };
    #[cfg(windows)]
    let file = DiskFile { path: std::path::absolute(path)?, stamp };
    Ok(PartialContent::OnDemand(Content::on_disk(Box::new(file), len, front)))
}

fn stamp(file: &File) -> Result<Stamp> {
    let metadata = file.metadata()?;
    Ok(Stamp {
        num_bytes: metadata.len(),
        modified: metadata.modified().ok(),
        #[cfg(windows)]
        number: winapi_util::file::information(file)?.file_index(),
    })
}

impl ReadAt for DiskFile {
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        #[cfg(not(windows))]
        let file = &self.file;
        #[cfg(windows)]
        let file = &disk::open(&self.path, Pipes::Refused).map_err(FileError::into_io)?.0;
        let read = fill(file, offset, bytes);
        // Never mix parts of two exports. Checked after reading, because the file may be written to
        // meanwhile.
        if stamp(file)? == self.stamp {
            read
        } else {
            Err(Error::other("it has changed since it was opened"))
        }
    }
}

#[cfg(unix)]
fn fill(file: &File, offset: u64, bytes: &mut [u8]) -> Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn fill(file: &File, mut offset: u64, mut bytes: &mut [u8]) -> Result<()> {
    while !bytes.is_empty() {
        let num = match std::os::windows::fs::FileExt::seek_read(file, bytes, offset) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(num) => num,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        offset = offset.saturating_add(num as u64);
        bytes = bytes.get_mut(num..).unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::files::{Pipes, disk};
    use crate::formats::reads_parts;

    const SMALLEST: usize = 1 << 20;

    fn glb(len: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..=255).cycle().take(len).collect();
        bytes[..4].copy_from_slice(b"glTF");
        bytes
    }

    fn on_demand(path: &Path, limit_bytes: u64) -> Option<Content> {
        let opened = disk::open(path, Pipes::Refused).unwrap();
        let accepts = |input: &ProbeInput<'_>| reads_parts(input.head);
        match partial_content(path, opened, limit_bytes, accepts).unwrap() {
            PartialContent::OnDemand(content) => Some(content),
            PartialContent::Whole(_) => None,
        }
    }

    #[test]
    fn large_files_are_read_in_parts_if_their_format_supports_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let content = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            on_demand(&path, 2 * SMALLEST as u64)
        };
        let bytes = glb(SMALLEST + 3);
        let found = content(&bytes).unwrap();
        assert_eq!(found.len(), bytes.len() as u64);
        assert_eq!(*found.part(SMALLEST as u64..bytes.len() as u64).unwrap(), [0, 1, 2]);
        assert_eq!(**found.whole().unwrap(), bytes);
        assert!(content(&glb(SMALLEST - 1)).is_none(), "small ones are read at once");
        assert!(content(&glb(2 * SMALLEST + 1)).is_none(), "too large ones are refused there");
        assert!(content(&[b' '; SMALLEST]).is_none(), "of no format that reads parts");
    }

    #[test]
    fn partial_reads_never_mix_two_versions_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        let bytes = glb(SMALLEST);
        std::fs::write(&path, &bytes).unwrap();
        let found = on_demand(&path, u64::MAX).unwrap();
        // Another file in its place: the one that was opened is still there, except on Windows.
        std::fs::write(folder.path().join("new"), b"new").unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
        if cfg!(windows) {
            assert!(found.part(5..7).is_err());
        } else {
            assert_eq!(*found.part(5..7).unwrap(), [5, 6]);
        }
        // Written to: it is not.
        std::fs::write(&path, &bytes).unwrap();
        let found = on_demand(&path, u64::MAX).unwrap();
        File::options().append(true).open(&path).unwrap().write_all(b"more").unwrap();
        let refused = found.part(5..7).unwrap_err();
        assert_eq!(refused.to_string(), "it has changed since it was opened");
        assert!(found.whole().is_err());
    }
}
