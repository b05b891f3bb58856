//! Many objects of a repository at once, by `git cat-file`.

use std::collections::HashMap;
use std::io::{Seek, SeekFrom, Write};

use super::HistoryError;
use super::command::RunLimits;
use super::isolated::{Isolated, io};

/// Longest line before an object: its hash, type and size.
const HEADER_BYTES: u64 = 128;

impl Isolated {
    /// The sizes of files by their hashes, without those that aren't in this clone.
    pub(super) fn sizes<'a>(
        &self,
        objects: impl IntoIterator<Item = &'a str>,
    ) -> Result<HashMap<String, u64>, HistoryError> {
        let list = self.batch("--batch-check", objects, RunLimits::LIST)?;
        let list = String::from_utf8_lossy(&list);
        Ok(list.lines().filter_map(header).map(|(hash, size)| (hash.to_owned(), size)).collect())
    }

    /// The contents of files by their hashes, of `num_bytes` in sum.
    pub(super) fn contents<'a>(
        &self,
        objects: impl ExactSizeIterator<Item = &'a str>,
        num_bytes: u64,
    ) -> Result<HashMap<String, Vec<u8>>, HistoryError> {
        let headers = HEADER_BYTES * objects.len() as u64;
        let limits = RunLimits::object(num_bytes.saturating_add(headers));
        let answer = self.batch("--batch", objects, limits)?;
        let mut contents = HashMap::new();
        let mut rest = &*answer;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
            rest = rest.get(end + 1..).unwrap_or_default();
            let Some((hash, size)) = header(&line) else { continue };
            let Some(content) = usize::try_from(size).ok().and_then(|size| rest.get(..size)) else {
                break;
            };
            contents.insert(hash.to_owned(), content.to_vec());
            rest = rest.get(content.len() + 1..).unwrap_or_default();
        }
        Ok(contents)
    }

    fn batch<'a>(
        &self,
        option: &str,
        objects: impl IntoIterator<Item = &'a str>,
        limits: RunLimits,
    ) -> Result<Vec<u8>, HistoryError> {
        let names: String = objects.into_iter().flat_map(|name| [name, "\n"]).collect();
        let mut input = tempfile::tempfile().map_err(io)?;
        input.write_all(names.as_bytes()).map_err(io)?;
        input.seek(SeekFrom::Start(0)).map_err(io)?;
        let mut command = self.command();
        command.args(["cat-file", option]).stdin(input);
        self.output(command, limits)
    }
}

/// The hash and the size in `HASH blob SIZE`; `None` for `HASH missing` and other types.
fn header(line: &str) -> Option<(&str, u64)> {
    let (hash, rest) = line.split_once(" blob ")?;
    Some((hash, rest.parse().ok()?))
}
