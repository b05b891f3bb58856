//! Reads objects and lists of a Git repository.

use std::path::Path;

use super::command::RunLimits;
use super::isolated::Isolated;
use super::lfs::LfsPointer;
use super::location::Location;
use super::tree::EntryKind;
use super::{HistoryError, Revision};

/// Separates fields of `git log`; not part of any name.
const SEPARATOR: char = '\u{1f}';

/// A repository on disk.
pub struct Repository {
    pub(super) location: Location,
    pub(super) isolated: Isolated,
    pub(super) limit_bytes: u64,
}

impl Repository {
    /// The repository that contains `path`. Files above `limit_bytes` aren't read.
    ///
    /// # Errors
    /// If `path` isn't in a repository, the repository belongs to another user, or Git isn't installed.
    pub fn of(path: &Path, limit_bytes: u64) -> Result<Self, HistoryError> {
        let location = Location::of(path)?;
        let isolated = Isolated::of(&location)?;
        Ok(Self { location, isolated, limit_bytes })
    }

    /// Its working tree.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.location.root
    }

    /// The path of a file relative to the repository, with `/`.
    #[must_use]
    pub fn relative(&self, path: &Path) -> Option<String> {
        let absolute = std::path::absolute(path).ok()?;
        // Links in the path to the repository are resolved by Git.
        let resolved = absolute.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
        let resolved = resolved.and_then(|folder| Some(folder.join(absolute.file_name()?)));
        let root = std::fs::canonicalize(self.root()).unwrap_or_else(|_| self.root().to_owned());
        let own = resolved.as_deref().unwrap_or(&absolute).strip_prefix(&root).ok()?;
        let parts = own.components().map(|part| part.as_os_str().to_string_lossy());
        Some(parts.collect::<Vec<_>>().join("/"))
    }

    /// The commits that changed the file at `path`, newest first; renames are followed, copies aren't.
    ///
    /// # Errors
    /// If Git fails.
    pub fn revisions(&self, path: &str) -> Result<Vec<Revision>, HistoryError> {
        let Some(head) = &self.location.head else { return Ok(Vec::new()) };
        let format = format!("--format=%x00%H{SEPARATOR}%as{SEPARATOR}%an{SEPARATOR}%s");
        let args = ["log", "--follow", "--name-only", &format, head, "--", path];
        let text = self.isolated.run(args, RunLimits::LIST)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let revision = |record: &str| {
            let mut lines = record.lines().filter(|line| !line.is_empty());
            let mut fields = lines.next()?.split(SEPARATOR).map(str::to_owned);
            Some(Revision {
                id: fields.next()?,
                date: fields.next()?,
                author: fields.next()?,
                subject: fields.next()?,
                path: unquoted(lines.next().unwrap_or(path)),
            })
        };
        let mut revisions: Vec<Revision> = text.split('\0').filter_map(revision).collect();
        // Git also follows copies, whose source remains: its history is that of another file.
        let is_copy = |pair: &[Revision]| {
            let [new, old] = pair else { return false };
            let source = || self.isolated.entry(&new.id, &old.path);
            new.path != old.path && source().is_ok_and(|source| source.is_some())
        };
        if let Some(at) = revisions.windows(2).position(is_copy) {
            revisions.truncate(at + 1);
        }
        Ok(revisions)
    }

    /// The full hash of a commit, named like `main~2`, `v1.0` or `HEAD@{yesterday}`.
    ///
    /// # Errors
    /// If there is no such commit.
    pub fn commit(&self, revision: &str) -> Result<String, HistoryError> {
        let (name, steps) = revision.split_at(end_of_name(revision));
        let found = self.location.hash(name).and_then(|hash| {
            let commit = format!("{hash}{steps}^{{commit}}");
            self.isolated.run(["rev-parse", "--verify", "--quiet", &commit], RunLimits::QUERY)
        });
        match found {
            Ok(answer) => Ok(String::from_utf8_lossy(&answer).trim().to_owned()),
            Err(HistoryError::Git(_)) => {
                Err(HistoryError::git(&format!("there is no revision {revision}")))
            }
            Err(error) => Err(error),
        }
    }

    /// The hash of a tree with the staged files, which can be used in place of a commit.
    ///
    /// # Errors
    /// If files are in conflict, or Git fails.
    pub fn staged(&self) -> Result<String, HistoryError> {
        self.isolated.index_tree(&self.location)
    }

    /// The full hashes of a commit and its ancestors, newest first.
    ///
    /// # Errors
    /// If Git fails.
    pub fn ancestors(&self, commit: &str) -> Result<Vec<String>, HistoryError> {
        let text = self.isolated.run(["rev-list", commit, "--"], RunLimits::LIST)?;
        Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
    }

    /// The paths of all files below `folder` (empty for all) in a commit.
    ///
    /// # Errors
    /// If Git fails.
    pub fn files(&self, commit: &str, folder: &str) -> Result<Vec<String>, HistoryError> {
        let entries = self.isolated.entries(commit, folder)?;
        Ok(entries.into_iter().map(|entry| entry.path).collect())
    }

    /// The files that differ between two commits, or between a commit and the working tree, among those that
    /// `is_wanted`. Between commits, renames are followed.
    ///
    /// # Errors
    /// If Git fails.
    pub fn changed(
        &self,
        old: &str,
        new: Option<&str>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ChangedFile>, HistoryError> {
        let Some(new) = new else {
            let paths = self.changed_on_disk(old, is_wanted)?.into_iter();
            return Ok(paths.map(|path| ChangedFile { path, renamed_from: None }).collect());
        };
        let args = ["diff-tree", "-r", "-z", "--name-status", "--find-renames", old, new, "--"];
        let text = self.isolated.run(args, RunLimits::LIST)?;
        let mut fields = text.split(|byte| *byte == 0);
        let mut name = || fields.next().map(|name| String::from_utf8_lossy(name).into_owned());
        let mut changed = Vec::new();
        while let (Some(status), Some(first)) = (name().filter(|own| !own.is_empty()), name()) {
            let file = match status.starts_with(['R', 'C']).then(&mut name).flatten() {
                Some(path) => ChangedFile { path, renamed_from: Some(first) },
                None => ChangedFile { path: first, renamed_from: None },
            };
            if is_wanted(&file.path) || file.renamed_from.as_deref().is_some_and(is_wanted) {
                changed.push(file);
            }
        }
        Ok(changed)
    }

    /// The content of a file in a commit; from Git LFS if it is there. `None` if the commit doesn't have the file.
    ///
    /// # Errors
    /// If it is a link, too large, not in this clone, in LFS and not fetched, or Git fails.
    pub fn content(&self, commit: &str, path: &str) -> Result<Option<Vec<u8>>, HistoryError> {
        let Some(entry) = self.isolated.entry(commit, path)? else { return Ok(None) };
        match entry.kind {
            EntryKind::File => {}
            EntryKind::Link => return Err(HistoryError::Link),
            EntryKind::Other => return Ok(None),
        }
        let bytes = self.isolated.content(&entry, self.limit_bytes)?;
        let Some(pointer) = LfsPointer::parse(&bytes) else { return Ok(Some(bytes)) };
        pointer.content(&self.location.common_dir, self.limit_bytes).map(Some)
    }
}

/// A file that differs between two revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Relative to the repository, with `/`; the new path of a renamed file.
    pub path: String,
    /// The old path of a renamed file.
    pub renamed_from: Option<String>,
}

/// The length of the part of a revision that names a reference or a hash, before `~`, `^` or `:`.
fn end_of_name(revision: &str) -> usize {
    let mut is_in_braces = false;
    let end = revision.find(|c| {
        match c {
            '{' => is_in_braces = true,
            '}' => is_in_braces = false,
            _ => {}
        }
        !is_in_braces && matches!(c, '~' | '^' | ':')
    });
    end.unwrap_or(revision.len())
}

/// A path as `git log` prints it: quoted if it has unusual characters.
fn unquoted(path: &str) -> String {
    let Some(inner) = path.strip_prefix('"').and_then(|path| path.strip_suffix('"')) else {
        return path.to_owned();
    };
    let mut bytes = Vec::new();
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'a') => bytes.push(0x07),
            Some(b'b') => bytes.push(0x08),
            Some(b't') => bytes.push(b'\t'),
            Some(b'n') => bytes.push(b'\n'),
            Some(b'v') => bytes.push(0x0b),
            Some(b'f') => bytes.push(0x0c),
            Some(b'r') => bytes.push(b'\r'),
            Some(first @ b'0'..=b'3') => {
                let digits = [first, rest.next().unwrap_or(b'0'), rest.next().unwrap_or(b'0')];
                let value = digits
                    .iter()
                    .fold(0u32, |sum, digit| sum * 8 + u32::from(digit.wrapping_sub(b'0') & 7));
                bytes.push(u8::try_from(value).unwrap_or(b'?'));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::command::git;
    use crate::history::run::run;

    #[test]
    fn quoted_paths_are_decoded() {
        assert_eq!(unquoted("a b.glb"), "a b.glb");
        assert_eq!(unquoted("\"\\303\\244 \\\"x\\\".glb\""), "ä \"x\".glb");
    }

    fn in_folder(folder: &Path, args: &[&str]) -> Result<Vec<u8>, HistoryError> {
        let mut command = git();
        command.current_dir(folder);
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]);
        command.args(["-c", "commit.gpgsign=false"]).args(args);
        run(command, RunLimits::QUERY)
    }

    fn scratch() -> Option<tempfile::TempDir> {
        let folder = tempfile::tempdir().unwrap();
        match in_folder(folder.path(), &["init", "--quiet"]) {
            Err(HistoryError::NoGit(_)) => return None,
            result => result.unwrap(),
        };
        Some(folder)
    }

    #[test]
    fn contents_are_read_by_revision_across_renames() {
        let Some(folder) = scratch() else { return };
        let at = |name: &str| folder.path().join(name);
        let commit = |message: &str| {
            in_folder(folder.path(), &["add", "-A"]).unwrap();
            in_folder(folder.path(), &["commit", "--quiet", "-m", message]).unwrap();
        };
        std::fs::create_dir(at("in ä")).unwrap();
        std::fs::write(at("in ä/old.txt"), "a long enough text to be recognized as the same file")
            .unwrap();
        commit("add");
        std::fs::rename(at("in ä/old.txt"), at("new.txt")).unwrap();
        commit("rename");
        std::fs::write(at("new.txt"), "changed").unwrap();
        commit("change");
        let repository = Repository::of(&at("new.txt"), 1000).unwrap();
        assert_eq!(repository.relative(&at("new.txt")).as_deref(), Some("new.txt"));
        let revisions = repository.revisions("new.txt").unwrap();
        let subjects: Vec<_> = revisions.iter().map(|one| (&*one.subject, &*one.path)).collect();
        assert_eq!(
            subjects,
            [("change", "new.txt"), ("rename", "new.txt"), ("add", "in ä/old.txt")]
        );
        let read = |at: usize| repository.content(&revisions[at].id, &revisions[at].path).unwrap();
        assert_eq!(read(0).as_deref(), Some(&b"changed"[..]));
        assert!(read(2).unwrap().starts_with(b"a long enough"));
        assert_eq!(repository.content(&revisions[2].id, "new.txt"), Ok(None));
        assert_eq!(repository.files(&revisions[2].id, "").unwrap(), ["in ä/old.txt"]);
        let changed = repository.changed(&revisions[1].id, None, &|_| true).unwrap();
        let file = ChangedFile { path: "new.txt".to_owned(), renamed_from: None };
        assert_eq!(changed, [file]);
        assert_eq!(repository.commit("HEAD"), Ok(revisions[0].id.clone()));
        assert!(repository.commit("nope").is_err());
        let small = Repository::of(folder.path(), 3).unwrap();
        assert_eq!(small.content("HEAD", "new.txt"), Err(HistoryError::TooLarge(3)));
    }

    #[test]
    fn contents_of_lfs_are_found_or_named() {
        let Some(folder) = scratch() else { return };
        let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let pointer =
            format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 5\n");
        std::fs::write(folder.path().join("a.glb"), pointer).unwrap();
        in_folder(folder.path(), &["add", "-A"]).unwrap();
        in_folder(folder.path(), &["commit", "--quiet", "-m", "add"]).unwrap();
        let repository = Repository::of(folder.path(), 1000).unwrap();
        assert_eq!(repository.content("HEAD", "a.glb"), Err(HistoryError::InLfs));
        let place = folder.path().join(format!(".git/lfs/objects/4d/7a/{oid}"));
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(&place, "hello").unwrap();
        let damaged = repository.content("HEAD", "a.glb").unwrap_err();
        assert!(damaged.to_string().contains("its SHA-256 differs"), "{damaged}");
        std::fs::write(&place, "hello, world").unwrap();
        let damaged = repository.content("HEAD", "a.glb").unwrap_err();
        assert!(damaged.to_string().contains("its size differs"), "{damaged}");
    }
}
