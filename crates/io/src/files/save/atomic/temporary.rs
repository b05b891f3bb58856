//! Temporary files next to a target, until they are renamed to it.
//!
//! They are removed if writing fails or a signal ends the process. If neither was possible, a later process
//! removes them after a day.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

use super::Bytes;
use super::background_sync::BackgroundSync;
use crate::files::{disk, folder_of};

/// Prefix and suffix of temporary file names, with random characters between.
const TEMPORARY: (&str, &str) = (".rigscope-", ".tmp");
/// Number of random characters in the name of a temporary file.
const NUM_RANDOM: usize = 6;
/// Age at which a temporary file counts as a leftover of a killed process; a save only takes moments.
const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// Folders already searched for leftovers, so that each is searched once however many files are written
/// there.
static SWEPT: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
/// Existing temporary files. A signal handler that ends the process holds the lock until the end.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Held while a set of files is renamed, so that a signal waits until all of them are.
pub(super) struct Renaming(MutexGuard<'static, BTreeSet<PathBuf>>);

impl Renaming {
    pub(super) fn begin() -> Self {
        Self(live())
    }
}

/// A temporary file; removed when dropped.
pub(super) struct Temporary<T> {
    file: Option<NamedTempFile<T>>,
}

impl Temporary<std::fs::File> {
    /// Writes `bytes` to a synced temporary file next to `path`, with the permissions and owner of `old`, the
    /// file to replace.
    pub(super) fn beside(
        path: &Path,
        bytes: Bytes<'_>,
        old: Option<&Metadata>,
    ) -> std::io::Result<Self> {
        super::signals::watch(remove_all);
        let folder = folder_of(path);
        sweep_once(folder);
        let mut this = {
            let mut live = live();
            let file = builder(old).tempfile_in(folder)?;
            live.insert(file.path().to_owned());
            Self { file: Some(file) }
        };
        if let Some(file) = &mut this.file {
            let mut writer = BackgroundSync::new(file.as_file_mut());
            let written = bytes(&mut writer);
            writer.finish()?;
            written?;
            if let Some(old) = old {
                take_after(file.as_file(), old)?;
            }
            file.as_file().sync_all()?;
        }
        Ok(this)
    }

    /// Renames the file to `path`; `replaces` allows replacing an existing file.
    pub(super) fn rename(
        mut self,
        path: &Path,
        replaces: bool,
        renaming: &mut Renaming,
    ) -> std::io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let temporary = file.path().to_owned();
        let renamed = if replaces { file.persist(path) } else { file.persist_noclobber(path) };
        renaming.0.remove(&temporary);
        renamed.map(|_| ()).map_err(|error| lock_error(path).unwrap_or(error.error))
    }
}

/// The reason why `path` can't be replaced, if another program has it open. Windows reports a lack of permission then.
#[cfg(windows)]
fn lock_error(path: &Path) -> Option<std::io::Error> {
    use std::os::windows::fs::OpenOptionsExt;
    /// Source: Standard Access Rights, `DELETE`, which is needed to replace a file.
    const DELETE: u32 = 0x0001_0000;
    let opened = std::fs::OpenOptions::new().access_mode(DELETE).open(path);
    opened.err().filter(crate::files::is_lock_error)
}

#[cfg(not(windows))]
fn lock_error(_: &Path) -> Option<std::io::Error> {
    None
}

impl Temporary<()> {
    /// Moves the file at `path` aside to a temporary name.
    pub(super) fn aside(path: &Path, renaming: &mut Renaming) -> std::io::Result<Self> {
        // If the process is killed now, the file is kept as long as any other temporary file.
        set_time(path, SystemTime::now());
        let moved = builder(None).make_in(folder_of(path), |new| std::fs::rename(path, new))?;
        renaming.0.insert(moved.path().to_owned());
        Ok(Self { file: Some(moved) })
    }

    /// Restores the name and the modification time.
    pub(super) fn back(mut self, path: &Path, old: &Metadata, renaming: &mut Renaming) {
        if let Some(file) = self.file.take() {
            renaming.0.remove(file.path());
            // Errors are ignored: the failure that led here is the one to report.
            let _ = file.persist(path);
            if let Ok(written) = old.modified() {
                set_time(path, written);
            }
        }
    }

    pub(super) fn remove(mut self, renaming: &mut Renaming) {
        if let Some(file) = self.file.take() {
            renaming.0.remove(file.path());
        }
    }
}

impl<T> Drop for Temporary<T> {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            live().remove(file.path());
        }
    }
}

/// Sets the modification time. Errors are ignored.
fn set_time(path: &Path, written: SystemTime) {
    let _ = disk::set_modified(path, written);
}

fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files. No new ones can be created until the returned guard is dropped.
fn remove_all() -> impl Sized {
    let live = live();
    for path in live.iter() {
        // The process is about to end, so errors can't be reported.
        let _ = std::fs::remove_file(path);
    }
    live
}

fn builder(old: Option<&Metadata>) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    let (prefix, suffix) = TEMPORARY;
    builder.prefix(prefix).suffix(suffix).rand_bytes(NUM_RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Like any new file: temporary files are private by default, and the rename would keep that mode. The
        // replacement of a private file is never readable by others, not even temporarily.
        let mode = old.map_or(0o666, |old| old.permissions().mode() & 0o666);
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = old;
    builder
}

/// Copies the owner and the permissions of `old` to `file`.
#[cfg(unix)]
fn take_after(file: &std::fs::File, old: &Metadata) -> std::io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
        // Only root may change the owner. Without that right the file belongs to the current user.
        let _ = std::os::unix::fs::fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

/// On this system a new file inherits the permissions of its folder.
#[cfg(not(unix))]
fn take_after(_: &std::fs::File, _: &Metadata) -> std::io::Result<()> {
    Ok(())
}

/// Removes leftovers of killed saves from `folder` the first time it's written to.
fn sweep_once(folder: &Path) {
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.get_or_insert_default().insert(folder.to_owned()) {
        drop(swept);
        sweep(folder);
    }
}

/// Removes temporary files of this program that are older than any save in progress. Files that can't be
/// inspected or removed are ignored.
fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|e| is_temporary(&e.file_name())) {
        // Metadata of the entry itself: this program creates no links.
        let Ok(metadata) = entry.metadata() else { continue };
        let written = metadata.modified().ok();
        let age = written.and_then(|at| at.elapsed().ok());
        let is_old = age.is_some_and(|age| age >= LEFTOVER_AGE);
        if metadata.is_file() && is_old && std::fs::remove_file(entry.path()).is_ok() {
            tracing::debug!(path = %entry.path().display(), "removed a leftover of a killed save");
        }
    }
}

fn is_temporary(name: &OsStr) -> bool {
    let (prefix, suffix) = TEMPORARY;
    let random = name.to_str().and_then(|name| name.strip_prefix(prefix)?.strip_suffix(suffix));
    random.is_some_and(|random| {
        random.len() == NUM_RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn write_x(out: &mut (dyn Write + Send)) -> std::io::Result<()> {
        out.write_all(b"x")
    }

    #[test]
    fn only_old_temporary_files_of_this_program_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, age: Duration| {
            let path = folder.path().join(name);
            let file = std::fs::File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
            path
        };
        let old = LEFTOVER_AGE + Duration::from_secs(60);
        let left = file(".rigscope-aB3xYz.tmp", old);
        let kept = [
            file(".rigscope-aB3xYy.tmp", Duration::ZERO),
            file(".rigscope-mine.txt.tmp", old),
            file(".rigscope-.tmp", old),
            file("model.tmp", old),
        ];
        drop(Temporary::beside(&folder.path().join("out"), &mut write_x, None).unwrap());
        assert!(!left.exists());
        assert!(kept.iter().all(|path| path.exists()));
        let later = file(".rigscope-000000.tmp", old);
        drop(Temporary::beside(&folder.path().join("other"), &mut write_x, None).unwrap());
        assert!(later.exists(), "a folder is looked through once");
        assert!(!is_temporary(OsStr::new(".rigscope-a/3xYz.tmp")));
    }

    #[test]
    fn temporary_files_are_registered_and_deleted_on_drop() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let made = Temporary::beside(&path, &mut write_x, None).unwrap();
        let own = made.file.as_ref().unwrap().path().to_owned();
        assert!(is_temporary(own.file_name().unwrap()) && live().contains(&own));
        drop(made);
        assert!(!own.exists() && !live().contains(&own));
    }

    #[test]
    fn a_file_moved_aside_survives_the_sweep_and_is_restored_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        std::fs::write(&path, "old").unwrap();
        set_time(&path, SystemTime::now() - 2 * LEFTOVER_AGE);
        let before = std::fs::metadata(&path).unwrap();
        let mut renaming = Renaming::begin();
        let aside = Temporary::aside(&path, &mut renaming).unwrap();
        assert!(!path.exists());
        sweep(folder.path());
        aside.back(&path, &before, &mut renaming);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        let after = std::fs::metadata(&path).unwrap();
        assert_eq!(after.modified().unwrap(), before.modified().unwrap());
    }
}
