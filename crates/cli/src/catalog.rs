//! `catalog`: a table of many files for DuckDB, pandas and similar tools, with one row per file: the results of
//! `info` and `validate`.
//!
//! Rows are built as JSON, the form that `--cache` stores, and converted to the columns of `summary`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{DataType, Field, Schema};
use clap::Args;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::config::Configs;
use super::exit::{Exit, at_path};
use super::input;
use super::output::Output;
use super::result_cache::ResultCache;
use super::standard_output::check_target;
use super::{OptionArgs, WalkArgs, batch, file_list, file_search, timings};
use rigscope_core::model::Severity;
use rigscope_core::summary::{COLUMNS, Column, ColumnType, UnreadRow};
use rigscope_io::OpenOptions;
use rigscope_io::files::{FileSource, io_message, path_text, save_copy, scratch_file};
use rigscope_io::open::{CatalogRow, Opener, catalog_row};

/// Rows per record batch.
const BATCH_ROWS: usize = 256;
/// Limits of a row group: it is written when it reaches either.
const GROUP_BYTES: usize = 64 << 20;
const GROUP_ROWS: usize = 1 << 16;

/// `catalog`.
#[derive(Debug, Args)]
pub struct CatalogArgs {
    /// Files to read, or folders to search for files of known formats
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    pub paths: Vec<PathBuf>,
    /// The Parquet file to write
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Also read the files in this list, one path per line; - for stdin
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// Cache results in this folder, and reuse them for files that haven't changed
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// Which files of folders are found.
    #[command(flatten)]
    pub walk: WalkArgs,
    /// Overwrite the output if it exists
    #[arg(long)]
    pub force: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// Reads the files on all cores and writes one row per file, in their order.
pub(super) fn run(args: &CatalogArgs, output: &Output) -> anyhow::Result<Exit> {
    let opener = input::opener(&args.input.0)?;
    let mut configs = Configs::of_files(None, opener.inputs())?;
    let found = file_search::find(&args.paths, &args.walk, &mut configs)?;
    for path in found.missing.iter().chain(found.unlistable.iter().map(|(path, _)| path)) {
        output.error(&at_path("no such file or folder, or the folder can't be listed", path));
    }
    let opener = opener.with_inputs(&found.files);
    let inputs = opener.inputs().clone();
    let listed = file_list::open(args.files_from.as_deref(), &inputs)?;
    check_target(&args.output, args.force, &inputs)?;
    let failed = |error: std::io::Error| at_path(io_message(&error), &args.output);
    let mut table = Table::new(scratch_file(&args.output).map_err(failed)?)?;
    let cache = ResultCache::new(opener, args.cache.as_deref(), output)?;
    let num_files = listed.is_none().then_some(found.files.len());
    let is_whole = found.missing.is_empty() && found.unlistable.is_empty();
    let paths = found.files.into_iter().map(Ok).chain(listed.into_iter().flatten());
    let work = |path: &Path| row(path, &cache);
    let done = |path: PathBuf, row: anyhow::Result<String>| {
        let file = serde_json::to_string(&path_text(&path))?;
        // Cached results apply to the content, wherever the file is.
        table.add(&row?.replacen("\"file\":\"\"", &format!("\"file\":{file}"), 1))
    };
    batch::each(paths, num_files, output, work, done)?;
    found.skipped.announce(output);
    timings::at("writing files");
    let (mut written, num_rows) = table.end()?;
    save_copy(&args.output, &mut written, args.force, &inputs)?;
    output.report_at(
        Severity::Info,
        &args.output,
        &format!("{} written", super::text::counted(num_rows as u64, "row")),
    );
    Ok(if is_whole { Exit::Done } else { Exit::BadInput })
}

fn row(path: &Path, cache: &ResultCache<'_>) -> anyhow::Result<String> {
    let report = timings::report();
    let make = |opener: &Opener, file: &FileSource| catalog_row(opener, "", file, &report);
    let read = |json: &str| Some(Ok(CatalogRow { json: json.to_owned(), can_be_cached: true }));
    let write = |row: &Result<CatalogRow, _>| {
        row.as_ref().ok().filter(|row| row.can_be_cached).map(|row| row.json.clone())
    };
    match cache.get_or_make(path, "catalog", &report, make, read, write) {
        Ok(row) => Ok(row?.json),
        Err(error) => Ok(UnreadRow::new("", error.to_string()).in_columns()?),
    }
}

/// Writes rows to a Parquet file.
struct Table {
    decoder: Decoder,
    num_waiting: usize,
    writer: ArrowWriter<std::fs::File>,
    num_rows: usize,
}

impl Table {
    fn new(file: std::fs::File) -> anyhow::Result<Self> {
        let schema = Arc::new(schema());
        let decoder = ReaderBuilder::new(Arc::clone(&schema)).with_batch_size(BATCH_ROWS);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .build();
        Ok(Self {
            decoder: decoder.build_decoder()?,
            num_waiting: 0,
            writer: ArrowWriter::try_new(file, schema, Some(properties))?,
            num_rows: 0,
        })
    }

    fn add(&mut self, row: &str) -> anyhow::Result<()> {
        let num_read = self.decoder.decode(row.as_bytes())?;
        anyhow::ensure!(num_read == row.len(), "internal error: a row was not read to its end");
        self.num_waiting += 1;
        self.num_rows += 1;
        if self.num_waiting == BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        self.num_waiting = 0;
        if let Some(batch) = self.decoder.flush()? {
            self.writer.write(&batch)?;
        }
        if self.writer.in_progress_size() > GROUP_BYTES {
            self.writer.flush()?;
        }
        Ok(())
    }

    fn end(mut self) -> anyhow::Result<(std::fs::File, usize)> {
        self.flush()?;
        Ok((self.writer.into_inner()?, self.num_rows))
    }
}

fn field(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, true)
}

/// The usual name for the field of list elements in Parquet.
const ELEMENT: &str = "element";

fn data_type(kind: &ColumnType) -> DataType {
    match kind {
        ColumnType::Boolean => DataType::Boolean,
        ColumnType::Int => DataType::Int64,
        ColumnType::Single => DataType::Float32,
        ColumnType::Double => DataType::Float64,
        ColumnType::Text => DataType::Utf8,
        ColumnType::List(kind) => DataType::List(Arc::new(field(ELEMENT, data_type(kind)))),
        ColumnType::Struct(columns) => {
            DataType::Struct(columns.iter().map(|c| field(c.name, data_type(&c.kind))).collect())
        }
    }
}

fn schema() -> Schema {
    let columns = COLUMNS.iter().map(|column: &Column| {
        // Every row has a file.
        field(column.name, data_type(&column.kind)).with_nullable(column.name != "file")
    });
    Schema::new(columns.collect::<Vec<_>>())
}
