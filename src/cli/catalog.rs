//! `catalog`: a table of many files for DuckDB, pandas and their like: one row a file, with what `info` and
//! `validate` say of it.
//!
//! Rows are made as JSON, which `--cache` keeps, and become columns by the schema below: what that does not
//! name is left out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{DataType, Field, Schema};
use clap::Args;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde::Serialize;

use super::exit::{Exit, at_path};
use super::facts::of_document;
use super::input::Input;
use super::kept::Kept;
use super::output::Output;
use super::{InputArgs, json, listed, many, timings, walk};
use crate::files::{
    FileSource, check_target, guarded, hash, io_message, save_copy, scratch_beside,
};
use crate::model::{Note, Severity};
use crate::validate::validate;

/// Rows that are made into columns at once.
const BATCH_ROWS: usize = 256;
/// Columns are written when they take so much memory, or hold so many rows.
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
    /// Read the files that this file lists too, one a line; -: stdin
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// Keep what is found in this folder, and take it from there where nothing has changed
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Overwrite the output if it exists
    #[arg(long)]
    pub force: bool,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
}

/// Reads all files on all cores and writes a row each, in the order of the files.
pub(super) fn run(args: &CatalogArgs, output: &Output) -> anyhow::Result<Exit> {
    let found = walk::find(&args.paths);
    for path in found.missing.iter().chain(found.closed.iter().map(|(path, _)| path)) {
        output.error(&at_path("no such file or folder, or it cannot be listed", path).to_string());
    }
    let input = Input::new(&args.input)?.with_inputs(&found.files);
    let inputs = input.inputs().clone();
    check_target(&args.output, args.force, &inputs)?;
    let failed = |error: std::io::Error| at_path(io_message(&error), &args.output);
    let mut table = Table::new(scratch_beside(&args.output).map_err(failed)?)?;
    let kept = Kept::new(input, args.cache.as_deref(), output)?;
    let listed = args.files_from.as_deref().map(listed::open).transpose()?;
    let num_files = listed.is_none().then_some(found.files.len());
    let is_whole = found.missing.is_empty() && found.closed.is_empty();
    let paths = found.files.into_iter().map(Ok).chain(listed.into_iter().flatten());
    let work = |path: &Path| row(path, &kept);
    let done = |path: PathBuf, row: anyhow::Result<String>| {
        let file = serde_json::to_string(&path.to_string_lossy())?;
        // What is kept is about bytes, wherever they lie.
        table.add(&row?.replacen("\"file\":\"\"", &format!("\"file\":{file}"), 1))
    };
    many::each(paths, num_files, output, work, done)?;
    timings::at("writing files");
    let (mut written, num_rows) = table.end()?;
    save_copy(&args.output, &mut written, args.force, &inputs)?;
    output.note(Severity::Info, &format!("{num_rows} rows: {}", args.output.display()));
    Ok(if is_whole { Exit::Done } else { Exit::BadInput })
}

/// A file that can be read.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    info: json::Info,
    content: String,
    ok: bool,
    errors: usize,
    warnings: usize,
}

/// One that cannot.
#[derive(Serialize)]
struct UnreadRow {
    file: &'static str,
    bytes: Option<usize>,
    content: Option<String>,
    ok: bool,
    error: String,
}

fn row(path: &Path, kept: &Kept<'_>) -> anyhow::Result<String> {
    let report = timings::report();
    let make = |input: &Input, file: &FileSource| {
        let (bytes, content) = (file.source.bytes.len(), hash(&file.source.bytes));
        let row = guarded("reading", || {
            let document = input.read(file, &report)?;
            let rules = timings::report();
            // Nobody cancels this report.
            let _ = validate(&document.model, &rules);
            Ok::<_, super::input::InputError>((of_document("", &document), rules.notes()))
        });
        match row {
            Ok(Ok((info, found))) => (serde_json::to_string(&judged(info, content, &found)), true),
            Ok(Err(error)) => {
                (serde_json::to_string(&unread(bytes, content, error.to_string())), true)
            }
            Err(fault) => {
                (serde_json::to_string(&unread(bytes, content, fault.to_string())), false)
            }
        }
    };
    let read = |text: &str| Some((Ok(text.to_owned()), true));
    let write = |(row, lasts): &(serde_json::Result<String>, bool)| {
        row.as_ref().ok().filter(|_| *lasts).cloned()
    };
    match kept.of(path, "catalog", &report, make, read, write) {
        Ok((row, _)) => Ok(row?),
        Err(error) => {
            let row = UnreadRow {
                file: "",
                bytes: None,
                content: None,
                ok: false,
                error: error.to_string(),
            };
            Ok(serde_json::to_string(&row)?)
        }
    }
}

fn judged(mut info: json::Info, content: String, found: &[Note]) -> Row {
    info.notes.extend(found.iter().map(json::NoteEntry::from));
    let num = |severity: Severity| {
        info.notes.iter().filter(|note| note.severity == severity.as_str()).count()
    };
    let (errors, warnings) = (num(Severity::Error), num(Severity::Warning));
    Row { content, ok: errors == 0, errors, warnings, info }
}

fn unread(bytes: usize, content: String, error: String) -> UnreadRow {
    UnreadRow { file: "", bytes: Some(bytes), content: Some(content), ok: false, error }
}

/// Rows on their way into a file.
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
        anyhow::ensure!(num_read == row.len(), "a row was not read to its end");
        self.num_waiting += 1;
        self.num_rows += 1;
        match self.num_waiting == BATCH_ROWS {
            true => self.flush(),
            false => Ok(()),
        }
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

fn group(fields: impl IntoIterator<Item = Field>) -> DataType {
    DataType::Struct(fields.into_iter().collect())
}

fn list(of: DataType) -> DataType {
    DataType::List(Arc::new(field("element", of)))
}

/// The columns: names of `info --json`.
fn schema() -> Schema {
    use DataType::{Boolean, Float32, Float64, Int64, Utf8};
    let texts = |names: &[&str]| names.iter().map(|name| field(name, Utf8)).collect::<Vec<_>>();
    let counts = |names: &[&str]| names.iter().map(|name| field(name, Int64)).collect::<Vec<_>>();
    let with = |mut fields: Vec<Field>, more: Vec<Field>| {
        fields.extend(more);
        group(fields)
    };
    let subset = group(counts(&["material", "first_index", "index_count"]));
    let mesh = with(
        texts(&["name"]),
        [
            counts(&["vertices", "triangles", "max_influences"]),
            vec![field("subsets", list(subset))],
        ]
        .concat(),
    );
    let material =
        with(texts(&["name"]), vec![field("textures", list(Utf8)), field("roles", list(Utf8))]);
    let bone = with(texts(&["name"]), counts(&["parent"]));
    let clip = with(
        texts(&["name"]),
        vec![
            field("start_secs", Float64),
            field("duration_secs", Float64),
            field("keys", Int64),
            field("interval_secs", Float64),
        ],
    );
    let note = with(texts(&["code", "severity", "message", "place"]), counts(&["count"]));
    let companion =
        with(texts(&["file", "role", "why"]), vec![field("taken", Boolean), field("fit", Float64)]);
    let totals = counts(&[
        "vertices",
        "triangles",
        "lines",
        "points",
        "subsets",
        "bones",
        "clips",
        "hulls",
        "morph_targets",
    ]);
    let corner = || list(Float32);
    Schema::new(vec![
        Field::new("file", Utf8, false),
        field("format", Utf8),
        field("bytes", Int64),
        field("content", Utf8),
        field("ok", Boolean),
        field("error", Utf8),
        field("errors", Int64),
        field("warnings", Int64),
        field("totals", group(totals)),
        field("meshes", list(mesh)),
        field("materials", list(material)),
        field("bones", list(bone)),
        field("clips", list(clip)),
        field("bounds", group([field("min", corner()), field("max", corner())])),
        field("unit_meters", Float64),
        field("companions", list(companion)),
        field("notes", list(note)),
    ])
}
