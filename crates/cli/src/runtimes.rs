//! `runtimes`: how engines play a file; and playing a file as one of them (`--as`).

use std::path::Path;

use serde::Serialize;

use super::exit::{Exit, at_path};
use super::lines::Lines;
use super::output::Output;
use super::table::{Align, Table};
use super::{RuntimesArgs, input, timings};
use rigscope_core::measure::FarthestVertex;
use rigscope_core::model::{ClipId, Model, Report, counted};
use rigscope_core::runtime::{
    Measured, PlaybackDifference, RUNTIMES, Runtime, Verified, announced, playback_deviation,
};
use rigscope_io::files::path_text;
use rigscope_io::open::{Document, format_id};

/// A file as one runtime plays it.
struct Row {
    runtime: &'static Runtime,
    opens: bool,
    /// Whether it opens the format, but the rules don't apply to it.
    is_unpredicted: bool,
    /// The reason why it refuses the file, although it opens the format.
    refusal: Option<String>,
    differences: Vec<PlaybackDifference>,
    /// The vertex that deviates most from the specification.
    worst: Option<FarthestVertex>,
    /// Features that no file had that was compared with the runtime.
    untested: Vec<String>,
}

pub(super) fn run(args: &RuntimesArgs, output: &Output) -> anyhow::Result<Exit> {
    let Some(path) = &args.file else {
        if args.json {
            output.print_json(&as_json(None, &listed(), 1.0))?;
        } else {
            output.print_lines(&list_text())?;
        }
        return Ok(Exit::Done);
    };
    let opener = input::opener(&args.input.0)?.with_inputs([path]);
    let document = input::open_and_report(&opener, path, output)?;
    timings::at("playing");
    let rows: Vec<Row> = RUNTIMES.iter().map(|runtime| row(runtime, &document)).collect();
    timings::at("printing");
    if args.json {
        let file_unit = f64::from(document.model.axes.display_units_per_file_unit());
        output.print_json(&as_json(Some(path), &rows, file_unit))?;
    } else {
        output.print_lines(&file_text(path, &document.model, &rows))?;
    }
    Ok(Exit::Done)
}

/// The document as a runtime plays it.
pub(super) fn played(
    mut document: Document,
    runtime: Option<&'static Runtime>,
    path: &Path,
) -> anyhow::Result<Document> {
    let Some(runtime) = runtime else { return Ok(document) };
    let checked = runtime.check_opens(format_id(&document), &document.model);
    checked.map_err(|message| at_path(message, path))?;
    document.model = runtime.play(&document.model).model;
    Ok(document)
}

fn row(runtime: &'static Runtime, document: &Document) -> Row {
    let opens_format = runtime.opens(format_id(document));
    let is_unpredicted = runtime.unpredicted.contains(&format_id(document));
    let refusal = runtime.refusal(&document.model).filter(|_| opens_format);
    let opens = opens_format && refusal.is_none();
    if !opens {
        return Row {
            runtime,
            opens,
            is_unpredicted,
            refusal,
            differences: Vec::new(),
            worst: None,
            untested: Vec::new(),
        };
    }
    let played = runtime.play(&document.model);
    // This report is never cancelled.
    let deviation = playback_deviation(&document.model, &played.model, &Report::new());
    let worst = deviation.ok().and_then(|deviation| deviation.total.worst);
    let differences = announced(played.differences, worst.as_ref());
    let untested = runtime.untested(&document.model);
    Row { runtime, opens, is_unpredicted, refusal, differences, worst, untested }
}

/// All runtimes, without a file.
fn listed() -> Vec<Row> {
    let row = |runtime| Row {
        runtime,
        opens: true,
        is_unpredicted: false,
        refusal: None,
        differences: Vec::new(),
        worst: None,
        untested: Vec::new(),
    };
    RUNTIMES.iter().map(row).collect()
}

fn verified(runtime: &Runtime) -> String {
    match runtime.verified {
        Verified::Reference => "reference".to_owned(),
        Verified::Measured(Measured { num_exact, num_files, .. }) => {
            format!("{num_exact} of {num_files} files")
        }
        Verified::No(Measured { num_files: 0, .. }) => "not compared".to_owned(),
        Verified::No(Measured { num_exact, num_files, .. }) => {
            format!("no: {num_exact} of {num_files} files")
        }
    }
}

fn list_text() -> Lines {
    let mut table = Table::new([Align::Left; 5]);
    table.row(["id", "version", "opens", "verified", "name"].map(str::to_owned));
    for runtime in RUNTIMES {
        table.row([
            runtime.id.to_owned(),
            runtime.version.to_owned(),
            runtime.formats.join(" "),
            verified(runtime),
            runtime.name.to_owned(),
        ]);
    }
    let mut out: Lines = table.lines().into_iter().collect();
    out.push("");
    out.push(
        "Files whose vertices are within 1e-5 of the size of the model where the engine has them.",
    );
    out.push("`rigscope runtimes FILE` shows how they play a file.");
    out
}

fn file_text(path: &Path, model: &Model, rows: &[Row]) -> Lines {
    let mut table = Table::new([Align::Left; 4]);
    table.row(["runtime", "worst vertex", "where", "plays differently"].map(str::to_owned));
    for Row { runtime, differences, worst, .. } in rows.iter().filter(|row| row.opens) {
        let differences = texts(differences);
        let (distance, place) = worst.map_or_else(Default::default, |worst| {
            (worst.distance_text(model), worst.place_text(model))
        });
        let verdict =
            if differences.is_empty() { "nothing".to_owned() } else { differences.join("; ") };
        let name = match runtime.verified {
            Verified::No(_) => format!("{} (not verified)", runtime.name),
            _ => runtime.name.to_owned(),
        };
        table.row([name, distance, place, verdict]);
    }
    let is_closed_engine = |row: &&Row| {
        let opens_format = row.opens || row.is_unpredicted || row.refusal.is_some();
        !opens_format && row.runtime.verified != Verified::Reference
    };
    let names = |chosen: Vec<&Row>| -> String {
        chosen.iter().map(|row| row.runtime.name).collect::<Vec<_>>().join(", ")
    };
    let closed = names(rows.iter().filter(is_closed_engine).collect());
    let unpredicted = names(rows.iter().filter(|row| row.is_unpredicted).collect());
    let mut out = Lines::default();
    out.push(format!("{}:", super::text::path(path)));
    out.extend(table.lines());
    if !unpredicted.is_empty() {
        out.push(format!("opened, but not predicted: {unpredicted}"));
    }
    if !closed.is_empty() {
        out.push(format!("not opened by {closed}"));
    }
    let engines = rows.iter().filter(|row| row.opens && !row.untested.is_empty());
    let mut by_features: Vec<(&[String], Vec<&Row>)> = Vec::new();
    for row in engines {
        match by_features.iter_mut().find(|(features, _)| *features == row.untested) {
            Some((_, known)) => known.push(row),
            None => by_features.push((&row.untested, vec![row])),
        }
    }
    for (features, compared) in by_features {
        let features = features.join(", ");
        out.push(format!("no file with {features} has been compared with {}", names(compared)));
    }
    for Row { runtime, refusal, .. } in rows {
        if let Some(why) = refusal {
            out.push(format!("not opened by {}: {why}", runtime.name));
        }
    }
    out
}

/// The text of the first effect of each kind.
fn texts(differences: &[PlaybackDifference]) -> Vec<String> {
    let mut texts = Vec::new();
    for (at, effect) in differences.iter().enumerate() {
        if differences[..at].iter().any(|before| before.kind == effect.kind) {
            continue;
        }
        let others = differences[at + 1..].iter().filter(|other| other.kind == effect.kind).count();
        texts.push(match others {
            0 => effect.text.clone(),
            _ => format!("{} (likewise {})", effect.text, counted(others as u64, "other mesh")),
        });
    }
    texts
}

/// Distances are in units of the file, `file_unit` display units long.
fn as_json<'a>(path: Option<&Path>, rows: &'a [Row], file_unit: f64) -> Runtimes<'a> {
    let row =
        |row: &'a Row| RuntimeEntry {
            id: row.runtime.id,
            name: row.runtime.name,
            version: row.runtime.version,
            formats: row.runtime.formats,
            verified: row.runtime.verified.is_verified(),
            facts: row.runtime.rules.facts(),
            files: row.runtime.verified.measured().filter(|measured| measured.num_files > 0).map(
                |measured| VerifiedFiles { exact: measured.num_exact, of: measured.num_files },
            ),
            exceptions: row.runtime.verified.exceptions(),
            opens: row.opens || row.is_unpredicted,
            predicted: row.opens,
            refusal: row.refusal.clone(),
            untested: &row.untested,
            ignores: row
                .differences
                .iter()
                .map(|effect| RuntimeEffect {
                    kind: effect.kind,
                    message: effect.text.clone(),
                    place: effect.place.to_string(),
                    count: effect.count,
                })
                .collect(),
            worst: row.worst.map(|worst| WorstVertex {
                distance: worst.distance / file_unit,
                of_size: worst.of_extent().unwrap_or_default(),
                mesh: worst.made.mesh.index(),
                vertex: worst.made.vertex.0,
                clip: worst.clip.map(ClipId::index),
                time_secs: worst.clip.map(|_| worst.time_secs),
            }),
        };
    Runtimes {
        schema: "rigscope.runtimes/1",
        file: path.map(path_text),
        runtimes: rows.iter().map(row).collect(),
    }
}

/// `runtimes --json`.
#[derive(Debug, Serialize)]
struct Runtimes<'a> {
    schema: &'static str,
    /// Null without a file.
    file: Option<String>,
    runtimes: Vec<RuntimeEntry<'a>>,
}

#[derive(Debug, Serialize)]
struct RuntimeEntry<'a> {
    id: &'static str,
    name: &'static str,
    version: &'static str,
    formats: &'static [&'static str],
    /// Whether posed vertices of the runtime were compared with the prediction, or it is a reference.
    verified: bool,
    /// The rules that differ from the format's specification.
    facts: Vec<String>,
    /// The files of the comparison; null for references.
    files: Option<VerifiedFiles>,
    /// Known differences that aren't predicted.
    exceptions: &'static [&'static str],
    opens: bool,
    /// Whether the rules apply to the format of the file; if not, `ignores` and `worst` aren't known.
    predicted: bool,
    /// The reason why it refuses the file, although it opens the format.
    refusal: Option<String>,
    /// Features that no file had that was compared with it.
    untested: &'a [String],
    /// Parts that it ignores or plays differently.
    ignores: Vec<RuntimeEffect>,
    /// Null if no vertex deviates from the format's specification.
    worst: Option<WorstVertex>,
}

#[derive(Debug, Serialize)]
struct VerifiedFiles {
    /// Number of files whose vertices are all within 1e-5 of the size of the model.
    exact: u32,
    of: u32,
}

#[derive(Debug, Serialize)]
struct RuntimeEffect {
    kind: &'static str,
    message: String,
    place: String,
    count: u64,
}

#[derive(Debug, Serialize)]
struct WorstVertex {
    /// File units.
    distance: f64,
    /// Relative to the size of the model.
    of_size: f64,
    mesh: usize,
    vertex: u32,
    /// Null at rest.
    clip: Option<usize>,
    time_secs: Option<f64>,
}
