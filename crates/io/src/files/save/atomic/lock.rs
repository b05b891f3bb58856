//! Lets one process at a time write to a folder, so that files of two processes don't mix.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two attempts.
const PERIOD: Duration = Duration::from_millis(10);
/// Gives up after this time: a suspended process keeps its lock.
const PATIENCE: Duration = Duration::from_secs(60);

/// An exclusive lock on a folder among processes of this program. Released when dropped or when the process
/// ends.
///
/// On Unix the folder itself is locked, which leaves no file behind. On a file system without locks, the
/// folder is written to without one.
pub(super) struct FolderLock {
    _file: Option<File>,
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
        let file = Self::open(folder);
        let until = Instant::now() + patience;
        let mut file = file.ok();
        while let Some(open) = &file {
            match open.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < until => {
                    std::thread::sleep(PERIOD);
                }
                Err(TryLockError::WouldBlock) => return Err(Busy),
                Err(TryLockError::Error(error)) => {
                    tracing::debug!(%error, "the folder is written to without a lock");
                    file = None;
                }
            }
        }
        Ok(Self {
            _file: file,
            #[cfg(not(unix))]
            path: Self::path(folder),
        })
    }

    #[cfg(unix)]
    fn open(folder: &Path) -> std::io::Result<File> {
        File::open(folder)
    }

    #[cfg(not(unix))]
    fn open(folder: &Path) -> std::io::Result<File> {
        let mut options = std::fs::OpenOptions::new();
        let path = Self::path(folder);
        options.write(true).create(true).truncate(false).open(path)
    }

    #[cfg(not(unix))]
    fn path(folder: &Path) -> std::path::PathBuf {
        folder.join(".rigscope.lock")
    }
}

#[cfg(not(unix))]
impl Drop for FolderLock {
    fn drop(&mut self) {
        self._file = None;
        // Processes that wait for the lock have the file open.
        let _ = std::fs::remove_file(&self.path);
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
