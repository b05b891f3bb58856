//! Results per file, read from the folder of `--cache` if they are up to date.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::at_path;
use super::output::Output;
use rigscope_core::model::{Report, Severity};
use rigscope_io::files::{Cache, FileError, FileSource, Inputs, io_message};
use rigscope_io::open::Opener;

/// Reads files as `opener` does, and caches results.
pub(super) struct ResultCache<'a> {
    opener: Opener,
    cache: Option<Cache>,
    output: &'a Output,
    has_warned: AtomicBool,
}

impl<'a> ResultCache<'a> {
    /// Without a `folder`, nothing is cached; pass a recording `opener` if reads are needed anyway.
    pub(super) fn new(
        opener: Opener,
        folder: Option<&Path>,
        output: &'a Output,
    ) -> anyhow::Result<Self> {
        let has_warned = AtomicBool::new(false);
        let Some(folder) = folder else {
            return Ok(Self { opener, cache: None, output, has_warned });
        };
        let opener = opener.recording();
        let cache = Cache::open(folder, opener.hash())
            .map_err(|error| at_path(io_message(&error), folder))?;
        Ok(Self { opener, cache: Some(cache), output, has_warned })
    }

    /// All files that were read so far.
    pub(super) fn inputs(&self) -> &Inputs {
        self.opener.inputs()
    }

    /// How files are opened.
    pub(super) fn opener(&self) -> &Opener {
        &self.opener
    }

    /// The result of `kind` for the file at `path`: the cached one if `read` can parse it, else the result of
    /// `make`, which is stored as the text that `write` returns, unless that is `None`.
    pub(super) fn get_or_make<T>(
        &self,
        path: &Path,
        kind: &str,
        report: &Report,
        make: impl FnOnce(&Opener, &FileSource) -> T,
        read: impl FnOnce(&str) -> Option<T>,
        write: impl FnOnce(&T) -> Option<String>,
    ) -> Result<T, FileError> {
        let file = self.opener.file(path, report)?;
        let Some(cache) = &self.cache else { return Ok(make(&self.opener, &file)) };
        let key = cache.key(kind, &file)?;
        if let Some(known) = cache.get(&key, &file).as_deref().and_then(read) {
            self.opener.remember(&file);
            return Ok(known);
        }
        let made = make(&self.opener, &file);
        if let Some(text) = write(&made)
            && let Err(error) = cache.put(&key, &file, &text)
            && !self.has_warned.swap(true, Ordering::Relaxed)
        {
            let message = format!("results can't be written to the cache: {}", io_message(&error));
            self.output.report(Severity::Warning, &message);
        }
        Ok(made)
    }
}
