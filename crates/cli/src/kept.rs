//! What is found about one file, taken from `--cache` where it is kept there.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::at_path;
use super::input::Input;
use super::output::Output;
use rigscope_core::model::{Report, Severity};
use rigscope_io::files::{Cache, FileError, FileSource, io_message};

/// How files are read, and where results are kept.
pub(super) struct Kept<'a> {
    input: Input,
    cache: Option<Cache>,
    output: &'a Output,
    has_told: AtomicBool,
}

impl<'a> Kept<'a> {
    /// Results about files that are read by `input`, kept in `folder` if there is one.
    pub(super) fn new(
        input: Input,
        folder: Option<&Path>,
        output: &'a Output,
    ) -> anyhow::Result<Self> {
        let has_told = AtomicBool::new(false);
        let Some(folder) = folder else {
            return Ok(Self { input, cache: None, output, has_told });
        };
        let input = input.recording();
        let cache = Cache::open(folder, input.hash())
            .map_err(|error| at_path(io_message(&error), folder))?;
        Ok(Self { input, cache: Some(cache), output, has_told })
    }

    /// The result about the file at `path` that `what` is a word for: the one that is kept, if `read`
    /// understands it, else the one that `make` makes. It is kept as `write` gives it, if it does.
    pub(super) fn of<T>(
        &self,
        path: &Path,
        what: &str,
        report: &Report,
        make: impl FnOnce(&Input, &FileSource) -> T,
        read: impl FnOnce(&str) -> Option<T>,
        write: impl FnOnce(&T) -> Option<String>,
    ) -> Result<T, FileError> {
        let file = self.input.file(path, report)?;
        let Some(cache) = &self.cache else { return Ok(make(&self.input, &file)) };
        let key = cache.key(what, &file)?;
        if let Some(known) = cache.get(&key, &file).as_deref().and_then(read) {
            return Ok(known);
        }
        let made = make(&self.input, &file);
        if let Some(text) = write(&made)
            && let Err(error) = cache.put(&key, &file, &text)
            && !self.has_told.swap(true, Ordering::Relaxed)
        {
            let message = format!("results are not kept: {}", io_message(&error));
            self.output.note(Severity::Warning, &message);
        }
        Ok(made)
    }
}
