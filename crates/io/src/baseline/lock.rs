//! `rigscope.lock.jsonl`: one line of JSON per file, sorted by path.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Entry;
use crate::files::{Pipes, read_file};

/// The name of a baseline in the root folder of the files that it covers.
pub const LOCK_NAME: &str = "rigscope.lock.jsonl";

const SCHEMA: &str = "rigscope.lock/1";
/// Enough for 100,000 files with several clips each.
const MAX_BYTES: u64 = 512 << 20;

/// All entries of a baseline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lock {
    /// By path relative to the lock file, with `/`.
    pub files: BTreeMap<String, Entry>,
}

/// Why a baseline can't be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LockError {
    /// The file can't be read.
    #[error("{0}")]
    Io(String),
    /// A line isn't an entry.
    #[error("line {line}: {message}")]
    Malformed {
        /// From 1.
        line: usize,
        message: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Head {
    schema: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    file: String,
    #[serde(flatten)]
    entry: Entry,
}

impl Lock {
    /// Reads the baseline at `path`.
    ///
    /// # Errors
    /// If it can't be read or a line is malformed.
    pub fn read(path: &Path) -> Result<Self, LockError> {
        let bytes = read_file(path, MAX_BYTES, Pipes::Refused, |_| Ok(()));
        let bytes = bytes.map_err(|error| LockError::Io(error.to_string()))?;
        let text = String::from_utf8(bytes);
        Self::parse(&text.map_err(|_| LockError::Io("the file isn't valid UTF-8".to_owned()))?)
    }

    /// Parses the text of a baseline.
    ///
    /// # Errors
    /// If a line is malformed.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let mut files = BTreeMap::new();
        let mut has_head = false;
        for (number, line) in text.lines().enumerate() {
            let fault = |message: String| LockError::Malformed { line: number + 1, message };
            if line.trim().is_empty() {
                continue;
            }
            let marks = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
            if marks.iter().any(|mark| line.starts_with(mark)) {
                let message = "a merge conflict; keep a line for each file, or write all again \
                               with `rigscope baseline PATH… --force`";
                return Err(fault(message.to_owned()));
            }
            if !has_head {
                let head: Head = serde_json::from_str(line)
                    .map_err(|_| fault(format!("not the beginning of a baseline ({SCHEMA})")))?;
                if head.schema != SCHEMA {
                    let message =
                        format!("{} isn't supported; this program reads {SCHEMA}", head.schema);
                    return Err(fault(message));
                }
                has_head = true;
                continue;
            }
            let line: Line = serde_json::from_str(line).map_err(|error| {
                let text = error.to_string();
                // The number in this message is always 1.
                fault(text.rsplit_once(" at line ").map_or(&*text, |(what, _)| what).to_owned())
            })?;
            files.insert(line.file, line.entry);
        }
        Ok(Self { files })
    }

    /// The text of the baseline.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = serde_json::json!({ "schema": SCHEMA }).to_string() + "\n";
        for (file, entry) in &self.files {
            let line = Line { file: file.clone(), entry: entry.clone() };
            // Maps with text keys and finite numbers can always be written.
            text.push_str(&serde_json::to_string(&line).unwrap_or_default());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(hash: &str) -> Entry {
        Entry { hash: hash.to_owned(), bytes: 7, format: "glb".into(), ..Entry::default() }
    }

    #[test]
    fn text_is_sorted_and_read_back() {
        let files = [("b/hero.glb", "2"), ("a.glb", "1"), ("b/hero 2.glb", "3")];
        let files = files.map(|(file, hash)| (file.to_owned(), entry(hash)));
        let lock = Lock { files: files.into() };
        let text = lock.to_text();
        let names: Vec<&str> = text.lines().skip(1).map(|line| &line[..17]).collect();
        assert_eq!(names[0], "{\"file\":\"a.glb\",\"");
        assert!(names.is_sorted());
        assert_eq!(Lock::parse(&text), Ok(lock));
        assert_eq!(Lock::parse(""), Ok(Lock::default()));
    }

    #[test]
    fn errors_name_the_line() {
        let text = Lock { files: [("a.glb".to_owned(), entry("1"))].into() }.to_text();
        let message = |text: &str| Lock::parse(text).unwrap_err().to_string();
        assert!(message(&text.replace("lock/1", "lock/9")).starts_with("line 1: rigscope.lock/9"));
        assert!(message(&(text.clone() + "{\"file\": 3}")).starts_with("line 3: "));
        assert!(message(&(text + "<<<<<<< main\n")).starts_with("line 3: a merge conflict"));
        assert!(message("{}").starts_with("line 1: not the beginning"));
    }
}
