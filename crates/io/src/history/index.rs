//! The index of a repository: which files are tracked, and how they were on disk when Git last looked.
//!
//! Git reads a copy of it in the isolated folder, so that it neither locks nor writes the original.

use std::fs::{self, Metadata};
use std::time::{SystemTime, UNIX_EPOCH};

use super::HistoryError;
use super::command::RunLimits;
use super::isolated::{Isolated, io, unreadable};
use super::location::Location;
use crate::files::{FileError, Pipes, read_file};

/// Largest index; 1 GiB is enough for five million files.
const MAX_INDEX_BYTES: u64 = 1 << 30;
/// Lines per entry that `ls-files --debug` prints after its path.
const NUM_STATE_LINES: usize = 5;

/// A tracked file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    pub(super) path: String,
    /// The hash of its content, after filters.
    pub(super) object: String,
    /// Whether it is in the index but not on disk, in a sparse checkout.
    pub(super) is_skipped: bool,
    /// `None` if the file may have changed since it was recorded.
    pub(super) state: Option<FileState>,
}

/// Properties of a file that change with its content.
///
/// The time of the last change of its metadata and the number of the file are compared on Unix, where neither can be
/// set by an archive, so that an index that comes with untrusted files can't pass them off as unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileState {
    size: u64,
    modified: (u64, u32),
    changed: (u64, u32),
    number: u64,
}

impl FileState {
    /// The state of a file on disk, as the index records it. Files of 4 GiB or more never have the recorded size.
    pub(super) fn on_disk(metadata: &Metadata) -> Option<Self> {
        let modified = since_epoch(metadata.modified().ok()?)?;
        #[cfg(unix)]
        let (changed, number) = {
            use std::os::unix::fs::MetadataExt;
            let secs = u64::try_from(metadata.ctime()).ok()?;
            let nanos = u32::try_from(metadata.ctime_nsec()).ok()?;
            ((secs, nanos), metadata.ino() & u64::from(u32::MAX))
        };
        #[cfg(not(unix))]
        let (changed, number) = ((0, 0), 0);
        Some(Self { size: metadata.len(), modified, changed, number })
    }

    /// The lines that `ls-files --debug` prints: `ctime`, `mtime`, `dev` and `ino`, `uid` and `gid`, `size` and
    /// `flags`.
    fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            let (_, rest) = text.split_once(&format!("{name}: "))?;
            rest.split_ascii_whitespace().next()
        };
        let time = |name: &str| {
            let (secs, nanos) = field(name)?.split_once(':')?;
            Some((secs.parse().ok()?, nanos.parse().ok()?))
        };
        let number = if cfg!(unix) { field("ino")?.parse().ok()? } else { 0 };
        let changed = if cfg!(unix) { time("ctime")? } else { (0, 0) };
        Some(Self { size: field("size")?.parse().ok()?, modified: time("mtime")?, changed, number })
    }
}

impl Isolated {
    /// The entries of the index; none before the first file was added.
    pub(super) fn index(&self, location: &Location) -> Result<Vec<IndexEntry>, HistoryError> {
        let source = location.git_dir.join("index");
        let Ok(metadata) = fs::symlink_metadata(&source) else { return Ok(Vec::new()) };
        let Some(written) = metadata.modified().ok().and_then(since_epoch) else {
            return Ok(Vec::new());
        };
        self.copy_index(location)?;
        let path = self.folder().join("index");
        let mut command = self.command();
        command.args(["ls-files", "-z", "-t", "--stage", "--debug"]).env("GIT_INDEX_FILE", &path);
        let list = self.output(command, RunLimits::LIST);
        // A process that is killed leaves the temporary folder; the copy may be large.
        let _ = fs::remove_file(path);
        let list = list?;
        Ok(parse(&String::from_utf8_lossy(&list), written))
    }

    /// A tree with the contents of the index.
    pub(super) fn index_tree(&self, location: &Location) -> Result<String, HistoryError> {
        self.copy_index(location)?;
        let objects = self.folder().join("objects");
        let mut command = self.command();
        // The tree is written to the isolated folder. A partial clone may lack some of its files.
        command
            .args(["write-tree", "--missing-ok"])
            .env("GIT_INDEX_FILE", self.folder().join("index"))
            .env("GIT_OBJECT_DIRECTORY", objects)
            .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", self.objects());
        let tree = self.output(command, RunLimits::LIST);
        let _ = fs::remove_file(self.folder().join("index"));
        Ok(String::from_utf8_lossy(&tree?).trim().to_owned())
    }

    /// Copies the index, and the file that a split index shares.
    fn copy_index(&self, location: &Location) -> Result<(), HistoryError> {
        self.copy(location, "index")?;
        for entry in fs::read_dir(&location.git_dir).map_err(io)?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("sharedindex.") {
                self.copy(location, &name)?;
            }
        }
        Ok(())
    }

    fn copy(&self, location: &Location, name: &str) -> Result<(), HistoryError> {
        let source = location.git_dir.join(name);
        let bytes = read_file(&source, MAX_INDEX_BYTES, Pipes::Refused, |_| Ok(()));
        match bytes {
            Ok(bytes) => fs::write(self.folder().join(name), bytes).map_err(io),
            // Another Git has just replaced it.
            Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(unreadable(name, &error)),
        }
    }
}

/// The entries of `TAG MODE OBJECT STAGE<tab>PATH<nul>` with their states, in an index `written` at a time.
fn parse(text: &str, written: (u64, u32)) -> Vec<IndexEntry> {
    let mut entries = Vec::new();
    let mut segments = text.split('\0');
    let mut head = segments.next().unwrap_or_default();
    for segment in segments {
        let end = segment.match_indices('\n').nth(NUM_STATE_LINES - 1);
        let end = end.map_or(segment.len(), |(end, _)| end + 1);
        let (state, next) = segment.split_at(end);
        entries.extend(entry(head, state, written));
        head = next;
    }
    entries
}

fn entry(head: &str, state: &str, written: (u64, u32)) -> Option<IndexEntry> {
    let (fields, path) = head.split_once('\t')?;
    let mut fields = fields.split(' ');
    let (tag, _mode, object, stage) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    // A file that was modified when the index was written may have been modified again in the same instant.
    let is_older = |state: &FileState| state.modified < written && state.modified.0 > 0;
    let state = FileState::parse(state).filter(is_older).filter(|_| stage == "0");
    Some(IndexEntry {
        path: path.to_owned(),
        object: object.to_owned(),
        is_skipped: tag == "S",
        state,
    })
}

fn since_epoch(time: SystemTime) -> Option<(u64, u32)> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some((since.as_secs(), since.subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_their_states_unless_written_in_the_same_instant() {
        let state =
            "  ctime: 7:8\n  mtime: 7:9\n  dev: 1\tino: 2\n  uid: 0\tgid: 0\n  size: 3\tflags: 0\n";
        let text = format!("H 100644 ab 0\ta\nb\0{state}S 100644 cd 0\tc\0{state}");
        let entries = parse(&text, (7, 10));
        let [first, second] = &entries[..] else { panic!("{entries:?}") };
        assert_eq!((&*first.path, &*first.object, first.is_skipped), ("a\nb", "ab", false));
        let state = first.state.as_ref().unwrap();
        assert_eq!((state.size, state.modified), (3, (7, 9)));
        assert_eq!((&*second.path, second.is_skipped), ("c", true));
        assert!(parse(&text, (7, 9)).iter().all(|entry| entry.state.is_none()));
        assert!(parse("H 100644 ab 0\ta\0", (7, 10)).iter().all(|entry| entry.state.is_none()));
    }
}
