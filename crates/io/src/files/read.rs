//! Reads one file in chunks, with progress and cancellation.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::disk::{self, Metadata};
#[cfg(not(target_arch = "wasm32"))]
use super::disk_file::PartialContent;
use super::{FileError, Inputs, Pipes};
use crate::formats::{Content, PROBE_WINDOW_BYTES, ProbeInput, ReadAt};
use rigscope_core::model::Cancelled;

/// Bytes read between two checks for cancellation.
const CHUNK_BYTES: u64 = 4 << 20;

/// Bytes compared at once.
const COMPARED_BYTES: usize = 16 << 10;

/// Limit for settings files; parsing one takes about fifty times its size in memory.
const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// The last part of a path, for display.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The content of a model file. A large one is read on demand if `on_demand` accepts its beginning and length, else
/// whole; then `on_progress` gets the fraction read so far and can cancel.
///
/// # Errors
/// If it isn't a file, can't be read, or has more than `limit_bytes`.
pub(crate) fn read_content(
    path: &Path,
    limit_bytes: u64,
    pipes: Pipes,
    on_demand: impl FnOnce(&ProbeInput<'_>) -> bool,
    on_progress: impl FnMut(f32) -> Result<(), Cancelled>,
) -> Result<Content, FileError> {
    // In a browser all files are in memory.
    #[cfg(not(target_arch = "wasm32"))]
    {
        let opened = disk::open(path, pipes)?;
        match super::disk_file::partial_content(path, opened, limit_bytes, on_demand)? {
            PartialContent::OnDemand(content) => Ok(content),
            PartialContent::Whole(opened) => {
                Ok(read_whole(opened, limit_bytes, on_progress)?.into())
            }
        }
    }
    #[cfg(target_arch = "wasm32")]
    {
        let _ = on_demand;
        Ok(read_file(path, limit_bytes, pipes, on_progress)?.into())
    }
}

/// The bytes of a file, for showing them. It is opened for each read, because a model may have more images than a
/// process may have open files.
///
/// # Errors
/// If it isn't a file or can't be read.
pub fn content_of(path: &Path) -> Result<Content, FileError> {
    let (front, len) = read_file_range(path, 0..PROBE_WINDOW_BYTES as u64, u64::MAX)?;
    let modified = disk::metadata(path)?.modified().ok();
    let file = ReopenedFile { path: path.to_owned(), len, modified };
    Ok(Content::on_disk(Box::new(file), len, front))
}

struct ReopenedFile {
    path: PathBuf,
    len: u64,
    modified: Option<SystemTime>,
}

impl ReadAt for ReopenedFile {
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        let range = offset..offset.saturating_add(bytes.len() as u64);
        let (read, len) =
            read_file_range(&self.path, range, u64::MAX).map_err(FileError::into_io)?;
        // Checked after reading, because the file may be written to meanwhile.
        let modified = disk::metadata(&self.path)?.modified().ok();
        if (len, modified) != (self.len, self.modified) {
            return Err(std::io::Error::other("it has changed since it was opened"));
        }
        if read.len() != bytes.len() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.copy_from_slice(&read);
        Ok(())
    }
}

/// All bytes of a file that the run reads, which is added to `inputs` first; `on_progress` gets the fraction read so
/// far and can cancel.
///
/// # Errors
/// If it isn't a file, can't be read, or has more than `limit_bytes`.
pub fn read_input(
    path: &Path,
    limit_bytes: u64,
    pipes: Pipes,
    inputs: &Inputs,
    on_progress: impl FnMut(f32) -> Result<(), Cancelled>,
) -> Result<Vec<u8>, FileError> {
    inputs.add(path);
    read_file(path, limit_bytes, pipes, on_progress)
}

/// The same for a file that no output can replace, or whose path the caller adds to the inputs.
pub(crate) fn read_file(
    path: &Path,
    limit_bytes: u64,
    pipes: Pipes,
    on_progress: impl FnMut(f32) -> Result<(), Cancelled>,
) -> Result<Vec<u8>, FileError> {
    read_whole(disk::open(path, pipes)?, limit_bytes, on_progress)
}

/// The bytes of a file of this program, such as a cached result; a link is refused.
///
/// # Errors
/// If it isn't a file, can't be read, or has more than `limit_bytes`.
pub fn read_unlinked(path: &Path, limit_bytes: u64) -> Result<Vec<u8>, FileError> {
    read_whole(disk::open_unlinked(path)?, limit_bytes, |_| Ok(()))
}

fn read_whole(
    (file, metadata): (impl Read, Metadata),
    limit_bytes: u64,
    mut on_progress: impl FnMut(f32) -> Result<(), Cancelled>,
) -> Result<Vec<u8>, FileError> {
    let too_large = || FileError::TooLarge { limit_bytes };
    if metadata.len() > limit_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // One byte more than the file has now, so that reading to the end needs no second allocation.
    let expected = usize::try_from(metadata.len().saturating_add(1)).map_err(|_| too_large())?;
    bytes.try_reserve_exact(expected).map_err(std::io::Error::from)?;
    let mut file = file.take(limit_bytes.saturating_add(1));
    loop {
        on_progress((bytes.len() as f32 / metadata.len().max(1) as f32).min(1.0))?;
        let mut chunk = (&mut file).take(CHUNK_BYTES);
        if chunk.read_to_end(&mut bytes)? == 0 {
            break;
        }
    }
    if bytes.len() as u64 > limit_bytes {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The text of a settings file of a project, which is added to `inputs`. It must be a regular file of at most 1 MiB.
///
/// # Errors
/// If it isn't a file, can't be read, isn't UTF-8 or is too large.
pub fn read_settings(path: &Path, inputs: &Inputs) -> Result<String, FileError> {
    inputs.add(path);
    let bytes = read_file(path, MAX_SETTINGS_BYTES, Pipes::Refused, |_| Ok(()))?;
    let text = String::from_utf8(bytes);
    text.map_err(|_| FileError::Io(std::io::Error::other("the file isn't valid UTF-8")))
}

/// The bytes in `range` of a file, fewer if the file ends before, and the size of the file.
///
/// # Errors
/// If it isn't a file, can't be read, or the range in it has more than `limit_bytes`.
pub fn read_file_range(
    path: &Path,
    range: Range<u64>,
    limit_bytes: u64,
) -> Result<(Vec<u8>, u64), FileError> {
    let (mut file, metadata) = disk::open(path, Pipes::Refused)?;
    let file_bytes = metadata.len();
    let end = range.end.min(file_bytes);
    let len = end.saturating_sub(range.start);
    let too_large = || FileError::TooLarge { limit_bytes };
    if len > limit_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let expected = usize::try_from(len).map_err(|_| too_large())?;
    bytes.try_reserve_exact(expected).map_err(std::io::Error::from)?;
    file.seek(SeekFrom::Start(range.start))?;
    file.take(len).read_to_end(&mut bytes)?;
    Ok((bytes, file_bytes))
}

/// Whether there is a regular file at `path` with these bytes.
pub(crate) fn has_bytes(path: &Path, bytes: &[u8]) -> bool {
    let Ok((mut file, metadata)) = disk::open(path, Pipes::Refused) else { return false };
    if metadata.len() != bytes.len() as u64 {
        return false;
    }
    let mut own = [0; COMPARED_BYTES];
    bytes.chunks(COMPARED_BYTES).all(|part| {
        let own = own.get_mut(..part.len()).unwrap_or_default();
        file.read_exact(own).is_ok() && own == part
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_files_are_read_in_parts_until_they_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        std::fs::write(&path, [1, 2, 3, 4]).unwrap();
        let content = content_of(&path).unwrap();
        assert_eq!((content.len(), content.front()), (4, &[1, 2, 3, 4][..]));
        assert_eq!(*content.part(1..3).unwrap(), [2, 3]);
        assert!(content.part(3..5).is_err());
        std::fs::write(&path, [1, 2, 3, 4, 5]).unwrap();
        let error = content.part(1..3).unwrap_err();
        assert_eq!(error.to_string(), "it has changed since it was opened");
        assert!(content_of(folder.path()).is_err());
    }

    #[test]
    fn folders_devices_and_files_over_the_limit_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("four");
        std::fs::write(&path, b"1234").unwrap();
        let read = |path: &Path, limit| read_file(path, limit, Pipes::Allowed, |_| Ok(()));
        assert_eq!(read(&path, 4).unwrap(), b"1234");
        assert!(matches!(read(&path, 3), Err(FileError::TooLarge { .. })));
        assert!(matches!(read(folder.path(), 99), Err(FileError::Folder)));
        #[cfg(unix)]
        assert!(matches!(read(Path::new("/dev/zero"), 99), Err(FileError::NotAFile)));
        let stopped = read_file(&path, 4, Pipes::Refused, |_| Err(Cancelled));
        assert!(matches!(stopped, Err(FileError::Cancelled)));
    }

    #[test]
    fn settings_must_be_regular_utf8_files_within_the_size_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings");
        std::fs::write(&path, "ä".repeat(1 << 19)).unwrap();
        assert_eq!(read_settings(&path, &Inputs::none()).unwrap().len(), 1 << 20);
        std::fs::write(&path, " ".repeat((1 << 20) + 1)).unwrap();
        assert!(matches!(read_settings(&path, &Inputs::none()), Err(FileError::TooLarge { .. })));
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_settings(&path, &Inputs::none()).unwrap_err().to_string().contains("UTF-8"));
        std::fs::remove_file(&path).unwrap();
        #[cfg(unix)]
        {
            let made = std::process::Command::new("mkfifo").arg(&path).status();
            assert!(made.unwrap().success());
            assert!(matches!(read_settings(&path, &Inputs::none()), Err(FileError::NotAFile)));
        }
    }
}
