//! Lets one process at a time write to a folder, so that files of two processes don't mix.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two attempts.
const PERIOD: Duration = Duration::from_millis(10);
/// Gives up after this time: a suspended process keeps its lock.
const PATIENCE: Duration = Duration::from_secs(60);
/// A lock file is removed within this time; otherwise the folder can't be written to.
#[cfg(not(unix))]
const MAX_REMOVAL: Duration = Duration::from_secs(1);

/// An exclusive lock on a folder among processes of this program. Released when dropped or when the process
/// ends.
///
/// On Unix the folder itself is locked, which leaves no file behind. Elsewhere a file in it is locked, and removed
/// afterwards. On a file system without locks, the folder is written to without one.
pub(super) struct FolderLock {
    #[cfg_attr(unix, expect(dead_code, reason = "closing it releases the lock"))]
    file: Option<File>,
    #[cfg(not(unix))]
    path: std::path::PathBuf,
}

/// Another process holds the lock of the folder.
#[derive(Debug)]
pub(super) struct Busy;

impl FolderLock {
    pub(super) fn of(folder: &Path) -> Result<Self, Busy> {
        Self::within(folder, PATIENCE)
    }

    fn within(folder: &Path, patience: Duration) -> Result<Self, Busy> {
        let until = Instant::now() + patience;
        loop {
            let file = Self::locked(folder, until)?;
            let is_valid = file.as_ref().is_none_or(|file| is_lock_of(file, folder));
            if is_valid || Instant::now() >= until {
                return Ok(Self {
                    file,
                    #[cfg(not(unix))]
                    path: Self::path(folder),
                });
            }
            drop(file);
            std::thread::sleep(PERIOD);
        }
    }

    /// The locked file; `None` if the folder can't be locked.
    fn locked(folder: &Path, until: Instant) -> Result<Option<File>, Busy> {
        let Ok(file) = Self::open(folder) else { return Ok(None) };
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) if Instant::now() < until => {
                    std::thread::sleep(PERIOD);
                }
                Err(TryLockError::WouldBlock) => return Err(Busy),
                Err(TryLockError::Error(error)) => {
                    tracing::debug!(%error, "the folder is written to without a lock");
                    return Ok(None);
                }
            }
        }
    }

    #[cfg(unix)]
    fn open(folder: &Path) -> std::io::Result<File> {
        use std::os::unix::fs::OpenOptionsExt;
        // Only a folder: the path may lead to a file or a device by now.
        std::fs::OpenOptions::new().read(true).custom_flags(libc::O_DIRECTORY).open(folder)
    }

    #[cfg(not(unix))]
    fn open(folder: &Path) -> std::io::Result<File> {
        let path = Self::path(folder);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            /// Source: `CreateFileW`, `FILE_FLAG_OPEN_REPARSE_POINT`: a link isn't followed.
            const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
            options.custom_flags(OPEN_REPARSE_POINT);
        }
        let until = Instant::now() + MAX_REMOVAL;
        loop {
            match options.open(&path) {
                // A file that is being removed can't be opened until everyone has closed it.
                Err(error)
                    if error.kind() == std::io::ErrorKind::PermissionDenied
                        && Instant::now() < until =>
                {
                    std::thread::sleep(PERIOD);
                }
                opened => return opened,
            }
        }
    }

    #[cfg(not(unix))]
    fn path(folder: &Path) -> std::path::PathBuf {
        folder.join(".rigscope.lock")
    }
}

/// Whether `file` is still the lock of the folder: the process that had the lock may have removed the file meanwhile.
#[cfg(windows)]
fn is_lock_of(file: &File, folder: &Path) -> bool {
    use winapi_util::file::information;
    let found = winapi_util::Handle::from_path_any(FolderLock::path(folder)).and_then(information);
    let (Ok(own), Ok(found)) = (information(file), found) else { return false };
    (own.volume_serial_number(), own.file_index())
        == (found.volume_serial_number(), found.file_index())
}

#[cfg(not(windows))]
fn is_lock_of(_: &File, _: &Path) -> bool {
    true
}

#[cfg(not(unix))]
impl Drop for FolderLock {
    fn drop(&mut self) {
        // While it is locked: otherwise another process could have locked the file that is removed.
        if self.file.is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_lock_is_exclusive_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::of(folder.path()).unwrap();
        let second = || FolderLock::within(folder.path(), Duration::from_millis(30));
        assert!(second().is_err());
        drop(first);
        assert!(second().is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
