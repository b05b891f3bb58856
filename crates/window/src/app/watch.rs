//! Detects changes of the open file on disk.
//!
//! Compares time, length and identity once per second. That needs no thread, works on network drives, and
//! costs one system call per file. A file that is still being written is reported only once it stops
//! changing and, on Windows, no other program locks it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use web_time::Instant;

use rigscope_io::files::{FileError, Pipes, disk, is_lock_error};
use rigscope_state::Action;

/// Time between checks.
const PERIOD: Duration = Duration::from_secs(1);
/// A changed file counts as complete after this time without another change.
const SETTLING: Duration = Duration::from_millis(300);

/// Identifies a version of a file. Time and length aren't enough, because copying tools may preserve the
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    num_bytes: u64,
    /// Device, inode, and time of the last status change in seconds and nanoseconds.
    #[cfg(unix)]
    identity: (u64, u64, i64, i64),
    /// Creation time; `None` if the system doesn't record it.
    #[cfg(not(unix))]
    identity: Option<SystemTime>,
}

/// State of several files at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamps(Vec<(PathBuf, Option<Stamp>)>);

impl Stamps {
    /// Records the current state of `paths`.
    pub(super) fn of(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let look = |path: PathBuf| {
            let stamp = stamp(&path);
            (path, stamp)
        };
        Self(paths.into_iter().map(look).collect())
    }

    /// Adds other files.
    pub(super) fn add(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    fn again(&self) -> Self {
        Self::of(self.0.iter().map(|(path, _)| path.clone()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether another program still keeps one of the files to itself. Only asked about changed files: opening a file
    /// could get in the way of a program that is about to write it.
    fn is_locked(&self) -> bool {
        let is_locked = |path: &Path| match disk::open(path, Pipes::Refused) {
            Err(FileError::Io(error)) => is_lock_error(&error),
            _ => false,
        };
        cfg!(windows) && self.0.iter().any(|(path, _)| is_locked(path))
    }

    /// Whether a file of `seen` is missing. A file that a model names may have been missing all along.
    fn lacks_one_of(&self, seen: &Self) -> bool {
        let pairs = self.0.iter().zip(&seen.0);
        pairs.into_iter().any(|((_, now), (_, then))| now.is_none() && then.is_some())
    }
}

/// `None` if the file doesn't exist.
fn stamp(path: &Path) -> Option<Stamp> {
    #[cfg(unix)]
    use std::os::unix::fs::MetadataExt;
    let found = disk::metadata(path).ok()?;
    Some(Stamp {
        modified: found.modified().ok()?,
        num_bytes: found.len(),
        #[cfg(unix)]
        identity: (found.dev(), found.ino(), found.ctime(), found.ctime_nsec()),
        #[cfg(not(unix))]
        identity: found.created().ok(),
    })
}

/// Watches the files of the open document.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// State when the files were read.
    seen: Stamps,
    /// State at the last check, if different.
    changing: Option<Stamps>,
    /// Time of the next check; `None` if nothing is watched.
    next: Option<Instant>,
}

impl Watch {
    /// Watches the files of `seen`, with the state they had when read.
    pub(super) fn follow(&mut self, seen: Stamps, now: Instant) {
        self.next = (!seen.is_empty()).then(|| now + PERIOD);
        self.seen = seen;
        self.changing = None;
    }

    /// Whether it watches exactly these paths.
    pub(super) fn is_of<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
        self.seen.0.iter().map(|(path, _)| path).eq(paths)
    }

    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Checks the files if it's time to.
    pub(super) fn poll(&mut self, now: Instant) -> Option<Action> {
        if self.next.is_none_or(|next| now < next) {
            return None;
        }
        let found = self.seen.again();
        self.look(found, now)
    }

    fn look(&mut self, found: Stamps, now: Instant) -> Option<Action> {
        self.next = Some(now + PERIOD);
        if found == self.seen {
            let was_gone =
                self.changing.take().is_some_and(|changing| changing.lacks_one_of(&found));
            // The same file is back: reading it again also removes the message.
            return was_gone.then_some(Action::FileChanged);
        }
        if self.changing.as_ref() != Some(&found) {
            self.changing = Some(found);
            self.next = Some(now + SETTLING);
            return None;
        }
        if found.lacks_one_of(&self.seen) {
            // Many programs delete a file before replacing it, so it may come back.
            return Some(Action::FileGone);
        }
        if found.is_locked() {
            self.next = Some(now + SETTLING);
            return None;
        }
        self.changing = None;
        self.seen = found;
        Some(Action::FileChanged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamps(len: Option<u64>) -> Stamps {
        let stamp = len.map(|num_bytes| Stamp {
            modified: SystemTime::UNIX_EPOCH,
            num_bytes,
            identity: Default::default(),
        });
        Stamps(vec![("a.bsm2".into(), stamp)])
    }

    fn names(action: Option<Action>) -> &'static str {
        match action {
            None => "",
            Some(Action::FileChanged) => "changed",
            Some(Action::FileGone) => "gone",
            Some(_) => "other",
        }
    }

    #[test]
    fn a_change_is_reported_once_the_file_is_stable() {
        let start = Instant::now();
        let mut watch = Watch::default();
        assert_eq!(watch.next(), None);
        watch.follow(stamps(Some(5)), start);
        let mut now = start;
        let mut look = |len| {
            now += PERIOD;
            names(watch.look(stamps(len), now))
        };
        assert_eq!(look(Some(5)), "");
        assert_eq!(look(Some(2)), "", "just changed");
        assert_eq!(look(Some(3)), "", "still growing");
        assert_eq!(look(Some(3)), "changed");
        assert_eq!(look(Some(3)), "", "said already");
        assert_eq!(look(None), "");
        assert_eq!(look(None), "gone");
        assert_eq!(look(Some(3)), "changed", "the same file is back");
        assert_eq!(look(Some(3)), "");
        assert_eq!(look(None), "");
        assert_eq!(look(None), "gone");
        assert_eq!(look(Some(9)), "");
        assert_eq!(look(Some(9)), "changed");
    }

    /// A new file in `folder`, watched since `start`.
    fn watched(folder: &Path, start: Instant) -> (PathBuf, Watch) {
        let path = folder.join("a.bsm2");
        std::fs::write(&path, [0; 4]).unwrap();
        let mut watch = Watch::default();
        watch.follow(Stamps::of([path.clone()]), start);
        (path, watch)
    }

    #[test]
    fn real_files_are_checked_periodically() {
        let folder = tempfile::tempdir().unwrap();
        let start = Instant::now();
        let (path, mut watch) = watched(folder.path(), start);
        std::fs::write(&path, [0; 8]).unwrap();
        assert_eq!(names(watch.poll(start)), "", "too early");
        assert_eq!(names(watch.poll(start + PERIOD)), "");
        assert_eq!(names(watch.poll(start + 2 * PERIOD)), "changed");
    }

    #[test]
    fn a_missing_file_is_reported_once_it_appears() {
        let folder = tempfile::tempdir().unwrap();
        let start = Instant::now();
        let (path, mut watch) = watched(folder.path(), start);
        let texture = folder.path().join("skin.png");
        watch.follow(Stamps::of([path, texture.clone()]), start);
        assert_eq!(names(watch.poll(start + PERIOD)), "", "missing as before");
        std::fs::write(&texture, [0; 4]).unwrap();
        assert_eq!(names(watch.poll(start + 2 * PERIOD)), "");
        assert_eq!(names(watch.poll(start + 3 * PERIOD)), "changed");
        std::fs::remove_file(&texture).unwrap();
        assert_eq!(names(watch.poll(start + 4 * PERIOD)), "");
        assert_eq!(names(watch.poll(start + 5 * PERIOD)), "gone");
    }

    #[cfg(windows)]
    #[test]
    fn a_file_that_an_exporter_locks_is_reported_once_it_is_released() {
        use std::io::Write as _;
        use std::os::windows::fs::OpenOptionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let start = Instant::now();
        let (path, mut watch) = watched(folder.path(), start);
        let mut exporter =
            std::fs::OpenOptions::new().append(true).share_mode(0).open(&path).unwrap();
        exporter.write_all(&[0; 4]).unwrap();
        exporter.sync_all().unwrap();
        for number in 1..5 {
            assert_eq!(names(watch.poll(start + number * PERIOD)), "");
        }
        drop(exporter);
        // Closing the file may have changed its time.
        let found = (5..8).map(|number| names(watch.poll(start + number * PERIOD)));
        assert_eq!(found.collect::<String>(), "changed");
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_with_equal_time_and_length_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bsm2");
        let write = |path: &Path, byte: u8| {
            std::fs::write(path, [byte; 4]).unwrap();
            let file = std::fs::File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        };
        write(&path, 1);
        let start = Instant::now();
        let mut watch = Watch::default();
        watch.follow(Stamps::of([path.clone()]), start);
        // Replaced by renaming, then overwritten.
        let other = folder.path().join("other");
        write(&other, 2);
        std::fs::rename(&other, &path).unwrap();
        assert_eq!(names(watch.poll(start + PERIOD)), "");
        assert_eq!(names(watch.poll(start + 2 * PERIOD)), "changed");
        std::thread::sleep(Duration::from_millis(20));
        write(&path, 3);
        assert_eq!(names(watch.poll(start + 3 * PERIOD)), "");
        assert_eq!(names(watch.poll(start + 4 * PERIOD)), "changed");
    }
}
