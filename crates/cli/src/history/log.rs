//! `log`: how a file changed, revision by revision.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::version::{Distance, History, Version, moved};
use crate::OptionArgs;
use crate::exit::{Exit, at_path};
use crate::lines::Lines;
use crate::output::Output;
use crate::table::{Align, Table};
use crate::text::{grouped, plain};
use rigscope_core::model::numbers;
use rigscope_io::OpenOptions;
use rigscope_io::baseline::Counts;
use rigscope_io::history::Revision;

/// Revisions that are read at the same time.
const CHUNK: usize = 16;

/// `log`.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// A file in a Git repository, or a folder for a list per model file
    pub file: PathBuf,
    /// List at most this many revisions per file, newest first
    #[arg(long, short = 'n', value_name = "NUMBER")]
    pub max_count: Option<usize>,
    /// Write one JSON object per revision and line
    #[arg(long)]
    pub jsonl: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// A line of the log.
#[derive(Debug, Serialize)]
struct Line {
    schema: &'static str,
    revision: String,
    date: String,
    author: String,
    subject: String,
    file: String,
    /// Null if the file can't be read at this revision.
    bytes: Option<u64>,
    counts: Option<Counts>,
    /// Codes of findings that the revision before had fewer of.
    new_findings: Vec<String>,
    fixed_findings: Vec<String>,
    /// The largest distance of a vertex from the revision before, of the model's size; null for the first one.
    moved: Option<f64>,
    /// Where and when it was measured.
    moved_at: String,
    error: Option<String>,
}

pub(crate) fn run(args: &LogArgs, output: &Output) -> anyhow::Result<Exit> {
    let history = History::of(&args.file, &args.input.0)?;
    let Some(files) = history.files_of_folder() else {
        print(args, &history, &history.revisions()?, output)?;
        return Ok(Exit::Done);
    };
    if files.is_empty() {
        return Err(at_path("no file of this folder in the last commit is a model", &args.file));
    }
    for (number, file) in files.iter().enumerate() {
        if !args.jsonl {
            let mut head = Lines::default();
            if number > 0 {
                head.push("");
            }
            head.push(format!("{}:", plain(file)));
            output.print_lines(&head)?;
        }
        print(args, &history, &history.revisions_of(file)?, output)?;
    }
    Ok(Exit::Done)
}

/// Prints the revisions of one file.
fn print(
    args: &LogArgs,
    history: &History,
    revisions: &[Revision],
    output: &Output,
) -> anyhow::Result<()> {
    let num = args.max_count.unwrap_or(usize::MAX).min(revisions.len());
    let mut lines = Vec::new();
    for start in (0..num).step_by(CHUNK) {
        // With the revision before each one.
        let end = (start + CHUNK).min(num);
        let wanted = &revisions[start..(end + 1).min(revisions.len())];
        output.progress(|| format!("revision {} of {num}", start + 1));
        let read: Vec<_> = wanted.par_iter().map(|revision| history.read(revision)).collect();
        let read: Vec<Result<Version, String>> =
            read.into_iter().map(|version| version.map_err(|error| error.to_string())).collect();
        let of_chunk = (0..end - start).into_par_iter().map(|at| {
            let before = read.get(at + 1).and_then(|version| version.as_ref().ok());
            line(&revisions[start + at], &read[at], before)
        });
        let of_chunk: Vec<Line> = of_chunk.collect();
        for line in of_chunk {
            if args.jsonl {
                output.print_json_line(&line)?;
            }
            lines.push(line);
        }
    }
    output.clear_progress();
    if !args.jsonl {
        output.print_lines(&as_text(&lines))?;
    }
    Ok(())
}

fn line(revision: &Revision, version: &Result<Version, String>, before: Option<&Version>) -> Line {
    let own = version.as_ref().ok();
    let moved = own.zip(before).map(|(own, before)| moved(before, own));
    let codes = |of: Option<&Version>, other: Option<&Version>| {
        let (Some(of), Some(other)) = (of, other) else { return Vec::new() };
        let more = |(code, num): (&String, &u64)| {
            let others = other.entry.findings.get(code).copied().unwrap_or_default();
            (*num > others).then(|| code.clone())
        };
        of.entry.findings.iter().filter_map(more).collect()
    };
    let Distance { of_size, place } = moved.clone().unwrap_or_default();
    Line {
        schema: "rigscope.log/1",
        revision: revision.id.clone(),
        date: revision.date.clone(),
        author: revision.author.clone(),
        subject: revision.subject.clone(),
        file: revision.path.clone(),
        bytes: own.map(|version| version.entry.bytes),
        counts: own.map(|version| version.entry.counts),
        new_findings: codes(own, before),
        fixed_findings: codes(before, own),
        moved: moved.map(|_| of_size),
        moved_at: place,
        error: version.as_ref().err().cloned(),
    }
}

fn as_text(lines: &[Line]) -> Lines {
    use Align::{Left, Right};
    let mut table = Table::new([Left, Left, Right, Right, Right, Right, Right, Right, Left]);
    let heads =
        ["date", "revision", "bytes", "vertices", "triangles", "bones", "clips", "moved", ""];
    table.row(heads.map(str::to_owned));
    for line in lines {
        let count = |of: fn(&Counts) -> u64| {
            line.counts.as_ref().map_or("-".to_owned(), |c| grouped(of(c)))
        };
        let moved = match line.moved {
            None => "-".to_owned(),
            Some(0.0) => "0".to_owned(),
            Some(moved) => numbers::percent(moved),
        };
        let mut text: Vec<String> = Vec::new();
        text.extend(line.error.as_ref().map(|error| format!("({error})")));
        text.extend(line.new_findings.iter().map(|code| format!("+{code}")));
        text.extend(line.fixed_findings.iter().map(|code| format!("-{code}")));
        text.push(format!("\"{}\"", line.subject));
        table.row([
            line.date.clone(),
            line.revision.get(..10).unwrap_or_default().to_owned(),
            line.bytes.map_or("-".to_owned(), grouped),
            count(|counts| counts.vertices),
            count(|counts| counts.triangles),
            count(|counts| counts.bones),
            count(|counts| counts.clips),
            moved,
            plain(&text.join(" ")),
        ]);
    }
    table.lines().into_iter().collect()
}
