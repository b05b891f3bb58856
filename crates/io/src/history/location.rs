//! Where a repository is, and the hashes behind the names of its revisions.
//!
//! Only here does Git run in the repository and read its configuration, see [`super`].

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::HistoryError;
use super::command::{RunLimits, git};
use super::run::run;
use rigscope_core::model::display_text;

/// Settings that name programs, which `git rev-parse` doesn't start; fixed in case a version does. With the last one,
/// Git refuses folders that only look like bare repositories, since version 2.38; without it, they are skipped because
/// they have no `.git`.
const SETTINGS: [&str; 3] =
    ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit"];

/// The folders of a repository.
#[derive(Clone, Debug)]
pub(super) struct Location {
    /// The working tree: the nearest folder above the file that has a `.git`.
    pub(super) root: PathBuf,
    /// Has the index.
    pub(super) git_dir: PathBuf,
    /// Has the objects; differs from `git_dir` in linked worktrees.
    pub(super) common_dir: PathBuf,
    pub(super) is_sha256: bool,
    /// The hash of the last commit; `None` before the first one.
    pub(super) head: Option<String>,
}

impl Location {
    /// The repository that contains `path`. Git must find the same folder, so that neither `core.worktree` nor a bare
    /// repository among the files makes another folder the working tree.
    pub(super) fn of(path: &Path) -> Result<Self, HistoryError> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // The parents of a link's target may differ from those of the link.
        let folder = absolute.ancestors().find(|folder| folder.is_dir());
        let folder = folder.and_then(|folder| std::fs::canonicalize(folder).ok());
        let folder = folder.ok_or(HistoryError::NoRepository)?;
        let has_git = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
        let found = folder.ancestors().find(has_git).ok_or(HistoryError::NoRepository)?;
        let questions = [
            "rev-parse",
            "--show-toplevel",
            "--git-dir",
            "--git-common-dir",
            // Git before 2.25 repeats the question.
            "--show-object-format",
        ];
        let answer = query(&without_verbatim_prefix(found), questions)?;
        let lines: Vec<&str> = text_of(&answer)?.lines().collect();
        let [root, git_dir, common_dir, format] = lines[..] else {
            return Err(HistoryError::git("git doesn't name the folders of the repository"));
        };
        if !std::fs::canonicalize(root).is_ok_and(|root| root == found) {
            let shown = display_text::escaped(&found.to_string_lossy()).into_owned();
            return Err(HistoryError::OtherFolder(shown));
        }
        let root = PathBuf::from(root);
        let (git_dir, common_dir) = (root.join(git_dir), root.join(common_dir));
        let is_sha256 = format == "sha256";
        let mut location = Self { root, git_dir, common_dir, is_sha256, head: None };
        location.head = match location.hash("HEAD") {
            Ok(hash) => Some(hash),
            // Before the first commit.
            Err(HistoryError::Git(_)) => None,
            Err(error) => return Err(error),
        };
        Ok(location)
    }

    /// The hash behind the name of a branch, tag or other reference, or of an entry in its log. Objects aren't read.
    pub(super) fn hash(&self, name: &str) -> Result<String, HistoryError> {
        // Git before 2.30 doesn't know `--end-of-options` here.
        if name.is_empty() || name.starts_with('-') {
            return Err(HistoryError::git("this isn't a revision"));
        }
        let answer = query(&self.root, ["rev-parse", "--verify", "--quiet", name])?;
        let hash = text_of(&answer)?.trim();
        let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash { Ok(hash.to_owned()) } else { Err(HistoryError::git("this isn't a revision")) }
    }
}

/// Runs Git in the repository.
fn query(
    root: &Path,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<Vec<u8>, HistoryError> {
    let mut command = git();
    command.arg("-C").arg(root);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command.args(args);
    run(command, RunLimits::QUERY)
}

fn text_of(answer: &[u8]) -> Result<&str, HistoryError> {
    std::str::from_utf8(answer)
        .map_err(|_| HistoryError::git("the path of the repository isn't valid UTF-8"))
}

/// A canonical path as Git on Windows understands it, without `\\?\`.
fn without_verbatim_prefix(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    match text.strip_prefix(r"\\?\") {
        Some(rest) if cfg!(windows) && !rest.starts_with("UNC") => rest.into(),
        _ => path.to_owned(),
    }
}
