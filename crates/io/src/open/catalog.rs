//! Rows of a catalog, for programs that visit the files themselves.

use std::io;
use std::path::Path;

use super::document::info;
use super::{OpenError, OpenOptions, Opener};
use crate::error::Error;
use crate::files::{
    FileError, FileSource, FolderCallbacks, catch_panic, hash_of_content, io_message, path_text,
};
use crate::formats::{ReadError, is_model_file, last_part};
use rigscope_core::model::Report;
use rigscope_core::summary::{Row, UnreadRow, columns};
use rigscope_core::validate::validate;

impl OpenOptions {
    /// The row that `rigscope catalog` writes for a file, as JSON: all columns in order, null if they
    /// don't apply. An unreadable file is a row with the reason in its `error` column.
    ///
    /// # Errors
    /// If an additional file can't be read, or the work is cancelled.
    ///
    /// # Examples
    /// ```
    /// # use rigscope_io as rigscope;
    /// # std::env::set_current_dir("../..").unwrap();
    /// let row = rigscope::OpenOptions::default().catalog_row("assets/sample.bsm2")?;
    /// assert!(row.starts_with(r#"{"file":"assets/sample.bsm2","format":"bsm2","bytes":"#));
    /// let row = rigscope::OpenOptions::default().catalog_row("none.bsm2")?;
    /// assert!(row.contains(r#""ok":false,"error":"no such file or folder""#));
    /// # Ok::<(), rigscope::Error>(())
    /// ```
    pub fn catalog_row(&self, path: impl AsRef<Path>) -> Result<String, Error> {
        let (path, report) = (path.as_ref(), self.report());
        let name = path_text(path);
        let opener = self.opener(&report)?;
        match opener.file(path, &report) {
            Ok(file) => Ok(catalog_row(&opener, &name, &file, &report)?.json),
            Err(FileError::Cancelled) => Err(Error::Cancelled),
            Err(error) => written(UnreadRow::new(&name, error.to_string()).in_columns()),
        }
    }

    /// The row of a file in memory, whose `name` may be a path or an address. Related files are requested
    /// when a reader needs them: `list` returns the paths of all files below a folder, which is `""` for
    /// the folder of the file and `"../"` for its parent, and `read` the bytes of one of these paths.
    ///
    /// # Errors
    /// If an additional file can't be read, or the work is cancelled.
    pub fn catalog_row_of_bytes(
        &self,
        name: &str,
        bytes: Vec<u8>,
        list: impl Fn(&str) -> io::Result<Vec<String>> + Send + Sync + 'static,
        read: impl Fn(&str) -> io::Result<Vec<u8>> + Send + Sync + 'static,
    ) -> Result<String, Error> {
        let report = self.report();
        let opener = self.opener(&report)?;
        let around = FolderCallbacks::new(list, read);
        let (related, limit_bytes) = (opener.related(), opener.limit_bytes());
        let file = related.source_in_folders(last_part(name), bytes, around, limit_bytes);
        Ok(catalog_row(&opener, name, &file, &report)?.json)
    }

    /// The columns of a row as JSON: a list of names and kinds, which are `boolean`, `int` (64 bits),
    /// `single`, `double`, `text`, `{"list": KIND}` or `{"struct": [COLUMN, …]}`.
    ///
    /// # Examples
    /// ```
    /// # use rigscope_io as rigscope;
    /// let columns = rigscope::OpenOptions::catalog_columns();
    /// assert!(columns.starts_with(r#"[{"name":"file","kind":"text"}"#));
    /// ```
    #[must_use]
    pub fn catalog_columns() -> String {
        // Strings can always be serialized.
        columns().unwrap_or_default()
    }

    /// Whether a search through folders includes a file: its extension belongs to a readable format and, if
    /// other programs use the extension as well, its first bytes do too (`front`; 16 KiB are enough).
    ///
    /// # Examples
    /// ```
    /// # use rigscope_io as rigscope;
    /// let may = |name, front: &[u8]| rigscope::OpenOptions::may_open(name, || Some(front.to_vec()));
    /// assert!(may("hero.BSM2", b"") && !may("hero.doc", b"") && !may("notes.txt", b"hello"));
    /// ```
    pub fn may_open(name: &str, front: impl FnOnce() -> Option<Vec<u8>>) -> bool {
        is_model_file(name, front)
    }
}

/// A row as JSON: all columns in order.
#[derive(Debug)]
pub struct CatalogRow {
    pub json: String,
    /// Whether reading the same bytes again gives the same row, unlike after a panic.
    pub can_be_cached: bool,
}

/// The row of `file`, under the given `name`.
///
/// # Errors
/// If the work is cancelled.
pub fn catalog_row(
    opener: &Opener,
    name: &str,
    file: &FileSource,
    report: &Report,
) -> Result<CatalogRow, Error> {
    let num_bytes = file.source.content.len();
    let content = match hash_of_content(&file.source.content) {
        Ok(content) => content,
        Err(error) => return unread_row(&UnreadRow::new(name, io_message(&error)), false),
    };
    // Readers and rules shouldn't panic; if one does, only this row is affected.
    let row = catch_panic("reading", || {
        let document = opener.read(file, report)?;
        let rules = Report::new();
        // This report is never cancelled.
        let _ = validate(&document.model, &rules);
        Ok(Row::new(info(&document, name), content.clone(), &rules.findings()))
    });
    let (error, can_be_cached) = match row {
        Ok(Ok(row)) => {
            return Ok(CatalogRow { json: written(row.in_columns())?, can_be_cached: true });
        }
        Ok(Err(OpenError::Read(ReadError::Cancelled))) => return Err(Error::Cancelled),
        Ok(Err(error)) => (error.to_string(), true),
        Err(fault) => (fault.to_string(), false),
    };
    unread_row(&UnreadRow::new(name, error).with_bytes(num_bytes, content), can_be_cached)
}

fn unread_row(row: &UnreadRow, can_be_cached: bool) -> Result<CatalogRow, Error> {
    Ok(CatalogRow { json: written(row.in_columns())?, can_be_cached })
}

fn written(row: Result<String, impl std::error::Error>) -> Result<String, Error> {
    row.map_err(|error| Error::Internal { reason: error.to_string() })
}
