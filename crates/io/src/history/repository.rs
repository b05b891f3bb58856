//! Reads objects and lists of a Git repository.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::Revision;

/// Separates fields of `git log`; not part of any name.
const SEPARATOR: char = '\u{1f}';
/// The first line of a pointer to a file in Git LFS.
const LFS_VERSION: &[u8] = b"version https://git-lfs.github.com/spec/v1";
/// Pointers are short; larger files aren't pointers.
const MAX_POINTER_BYTES: usize = 1024;

/// Why something can't be read from a repository.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum HistoryError {
    /// The `git` program can't be started.
    #[error("git can't be started: {0}")]
    NoGit(String),
    /// Git's own message.
    #[error("{0}")]
    Git(String),
    /// The content is in Git LFS and hasn't been fetched.
    #[error("the file is in Git LFS and wasn't fetched; run `git lfs fetch --all`")]
    InLfs,
    /// It is larger than the limit for files.
    #[error("the file is larger than {0} bytes")]
    TooLarge(u64),
}

/// A repository on disk.
pub struct Repository {
    /// Its working tree.
    root: PathBuf,
    limit_bytes: u64,
    /// `git cat-file --batch`, started when first needed.
    objects: Mutex<Option<Objects>>,
}

struct Objects {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Drop for Objects {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Repository {
    /// The repository that contains `path`. Files above `limit_bytes` aren't read.
    ///
    /// # Errors
    /// If `path` isn't in a repository, or Git isn't installed.
    pub fn of(path: &Path, limit_bytes: u64) -> Result<Self, HistoryError> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let existing = absolute.ancestors().find(|folder| folder.is_dir());
        let folder = existing.unwrap_or(Path::new("."));
        let answer = run(folder, ["rev-parse", "--show-toplevel"])?;
        let root = String::from_utf8_lossy(&answer).trim_end_matches(['\n', '\r']).to_owned();
        Ok(Self { root: root.into(), limit_bytes, objects: Mutex::new(None) })
    }

    /// Its working tree.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a file relative to the repository, with `/`.
    #[must_use]
    pub fn relative(&self, path: &Path) -> Option<String> {
        let absolute = std::path::absolute(path).ok()?;
        // Links in the path to the repository are resolved by Git.
        let resolved = absolute.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
        let resolved = resolved.and_then(|folder| Some(folder.join(absolute.file_name()?)));
        let root = std::fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        let own = resolved.as_deref().unwrap_or(&absolute).strip_prefix(&root).ok()?;
        let parts = own.components().map(|part| part.as_os_str().to_string_lossy());
        Some(parts.collect::<Vec<_>>().join("/"))
    }

    /// The commits that changed the file at `path`, newest first; renames are followed.
    ///
    /// # Errors
    /// If Git fails.
    pub fn revisions(&self, path: &str) -> Result<Vec<Revision>, HistoryError> {
        let format = format!("--format=%x00%H{SEPARATOR}%as{SEPARATOR}%an{SEPARATOR}%s");
        let args = ["log", "--follow", "--name-only", "--no-show-signature", &format, "--", path];
        let text = run(&self.root, args)?;
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
        Ok(text.split('\0').filter_map(revision).collect())
    }

    /// The full hash of a commit.
    ///
    /// # Errors
    /// If there is no such commit.
    pub fn commit(&self, revision: &str) -> Result<String, HistoryError> {
        let commit = format!("{revision}^{{commit}}");
        let answer =
            run(&self.root, ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
                .map_err(|_| HistoryError::Git(format!("there is no revision {revision}")))?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }

    /// The full hashes of a commit and its ancestors, newest first.
    ///
    /// # Errors
    /// If Git fails.
    pub fn ancestors(&self, commit: &str) -> Result<Vec<String>, HistoryError> {
        let text = run(&self.root, ["rev-list", "--end-of-options", commit])?;
        Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
    }

    /// The paths of all files below `folder` (empty for all) in a commit.
    ///
    /// # Errors
    /// If Git fails.
    pub fn files(&self, commit: &str, folder: &str) -> Result<Vec<String>, HistoryError> {
        let mut args = vec!["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
        if !folder.is_empty() {
            args.extend(["--", folder]);
        }
        let text = run(&self.root, args)?;
        let names = text.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// The paths that differ between two commits, or between a commit and the working tree.
    ///
    /// # Errors
    /// If Git fails.
    pub fn changed(&self, old: &str, new: Option<&str>) -> Result<Vec<String>, HistoryError> {
        let mut args = vec![
            "diff",
            "-z",
            "--name-only",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            old,
        ];
        args.extend(new);
        args.push("--");
        let text = run(&self.root, args)?;
        let names = text.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// The content of a file in a commit; from Git LFS if it is there. `None` if the commit doesn't have the file.
    ///
    /// # Errors
    /// If it is too large, in LFS and not fetched, or Git fails.
    pub fn content(&self, commit: &str, path: &str) -> Result<Option<Vec<u8>>, HistoryError> {
        // The protocol has one request per line.
        if path.contains('\n') {
            return Ok(None);
        }
        let Some(bytes) = self.object(&format!("{commit}:{path}"))? else { return Ok(None) };
        let Some(oid) = lfs_pointer(&bytes) else { return Ok(Some(bytes)) };
        self.lfs_object(&oid).map(Some)
    }

    fn lfs_object(&self, oid: &str) -> Result<Vec<u8>, HistoryError> {
        let answer = run(&self.root, ["rev-parse", "--git-common-dir"])?;
        let folder = String::from_utf8_lossy(&answer).trim_end_matches(['\n', '\r']).to_owned();
        let (first, second) = (oid.get(..2).unwrap_or_default(), oid.get(2..4).unwrap_or_default());
        let place = self.root.join(folder).join("lfs/objects").join(first).join(second).join(oid);
        let size = std::fs::metadata(&place).map_err(|_| HistoryError::InLfs)?.len();
        if size > self.limit_bytes {
            return Err(HistoryError::TooLarge(self.limit_bytes));
        }
        std::fs::read(&place).map_err(|_| HistoryError::InLfs)
    }

    /// An object by its name, if it exists.
    fn object(&self, name: &str) -> Result<Option<Vec<u8>>, HistoryError> {
        let mut slot = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.is_none() {
            *slot = Some(self.begin()?);
        }
        let Some(objects) = slot.as_mut() else { return Ok(None) };
        let answer = objects.request(name, self.limit_bytes);
        if answer.is_err() {
            // The next request starts with a new process.
            *slot = None;
        }
        answer
    }

    fn begin(&self) -> Result<Objects, HistoryError> {
        let mut command = git(&self.root, ["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process =
            command.spawn().map_err(|error| HistoryError::NoGit(error.to_string()))?;
        let (requests, answers) = (process.stdin.take(), process.stdout.take());
        match (requests, answers) {
            (Some(requests), Some(answers)) => {
                Ok(Objects { process, requests, answers: BufReader::new(answers) })
            }
            _ => Err(HistoryError::NoGit("no pipe".to_owned())),
        }
    }
}

impl Objects {
    fn request(&mut self, name: &str, limit_bytes: u64) -> Result<Option<Vec<u8>>, HistoryError> {
        let broken = |error: std::io::Error| HistoryError::Git(format!("git stopped: {error}"));
        writeln!(self.requests, "{name}").and_then(|()| self.requests.flush()).map_err(broken)?;
        // `<hash> <type> <size>`, or `<name> missing`.
        let mut head = String::new();
        self.answers.read_line(&mut head).map_err(broken)?;
        let mut words = head.trim_end().rsplit(' ');
        let size: Option<u64> = words.next().and_then(|size| size.parse().ok());
        let is_blob = words.next() == Some("blob");
        let Some(size) = size else {
            return if head.is_empty() {
                Err(HistoryError::Git("git stopped".to_owned()))
            } else {
                Ok(None)
            };
        };
        if size > limit_bytes {
            return Err(HistoryError::TooLarge(limit_bytes));
        }
        let mut bytes = Vec::new();
        (&mut self.answers).take(size).read_to_end(&mut bytes).map_err(broken)?;
        let mut end = [0];
        self.answers.read_exact(&mut end).map_err(broken)?;
        Ok(is_blob.then_some(bytes))
    }
}

/// The SHA-256 of the content that a pointer of Git LFS stands for; `None` for other files.
#[must_use]
pub fn lfs_pointer(bytes: &[u8]) -> Option<String> {
    if bytes.len() > MAX_POINTER_BYTES || !bytes.starts_with(LFS_VERSION) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let oid = text.lines().find_map(|line| line.strip_prefix("oid sha256:"))?;
    let is_hash = oid.len() == 64 && oid.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| oid.to_owned())
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
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
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

fn git(folder: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(["--no-pager", "--literal-pathspecs", "--no-optional-locks"])
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .args(args)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C");
    command
}

fn run(
    folder: &Path,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<Vec<u8>, HistoryError> {
    let output = git(folder, args).stdin(Stdio::null()).output();
    let output = output.map_err(|error| HistoryError::NoGit(error.to_string()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| !line.is_empty()).unwrap_or("git failed");
    Err(HistoryError::Git(line.trim_start_matches("fatal: ").to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_lfs_are_recognized() {
        let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let text =
            format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 12345\n");
        assert_eq!(lfs_pointer(text.as_bytes()).as_deref(), Some(oid));
        assert_eq!(
            lfs_pointer(b"version https://git-lfs.github.com/spec/v1\noid sha256:../../x\n"),
            None
        );
        assert_eq!(lfs_pointer(b"glTF"), None);
    }

    #[test]
    fn quoted_paths_are_decoded() {
        assert_eq!(unquoted("a b.glb"), "a b.glb");
        assert_eq!(unquoted("\"\\303\\244 \\\"x\\\".glb\""), "ä \"x\".glb");
    }

    fn scratch() -> Option<tempfile::TempDir> {
        let folder = tempfile::tempdir().unwrap();
        let run = |args: &[&str]| run(folder.path(), args.iter());
        match run(&["init", "--quiet"]) {
            Err(HistoryError::NoGit(_)) => return None,
            result => result.unwrap(),
        };
        run(&["config", "user.name", "A"]).unwrap();
        run(&["config", "user.email", "a@example.org"]).unwrap();
        Some(folder)
    }

    #[test]
    fn contents_are_read_by_revision_across_renames() {
        let Some(folder) = scratch() else { return };
        let at = |name: &str| folder.path().join(name);
        let commit = |message: &str| {
            run(folder.path(), ["add", "-A"]).unwrap();
            run(folder.path(), ["commit", "--quiet", "-m", message]).unwrap();
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
        assert_eq!(repository.changed(&revisions[1].id, None).unwrap(), ["new.txt"]);
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
        run(folder.path(), ["add", "-A"]).unwrap();
        run(folder.path(), ["commit", "--quiet", "-m", "add"]).unwrap();
        let repository = Repository::of(folder.path(), 1000).unwrap();
        assert_eq!(repository.content("HEAD", "a.glb"), Err(HistoryError::InLfs));
        let place = folder.path().join(format!(".git/lfs/objects/4d/7a/{oid}"));
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, "hello").unwrap();
        assert_eq!(repository.content("HEAD", "a.glb"), Ok(Some(b"hello".to_vec())));
    }
}
