//! `bench`: times each processing step for a file and for models of many sizes, and compares it with the time to copy
//! as many bytes as the step has to move at least.
//!
//! Not for: comparing programs; see `scripts/peers.sh`.

#[cfg(feature = "gpu")]
mod gpu;
mod grids;
mod json;
mod stopwatch;

use std::path::PathBuf;

use clap::Args;

use super::OptionArgs;
use super::exit::{Exit, at_path};
use super::input;
use super::lines::Lines;
use super::output::Output;
use super::table::{Align, Table};
#[cfg(not(feature = "gpu"))]
use super::without_gpu::missing;
use grids::{Grid, between_keys, cpu_skinning_bytes};
use rigscope_core::model::{MeshId, Model, Report, Severity};
use rigscope_core::pose::{SkinnedMesh, sample, skin_mesh_into};
use rigscope_io::OpenOptions;
use stopwatch::{Amount, Step, copy_on_cpu, row, timed};

/// `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// The file to read, skin and render
    pub file: PathBuf,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Measure only the file, without generated models of other sizes
    #[arg(long)]
    pub only_file: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

pub(super) fn run(args: &BenchArgs, output: &Output) -> anyhow::Result<Exit> {
    let opener = input::opener(&args.input.0)?;
    let document = input::open_and_report(&opener, &args.file, output)?;
    let mut rows = Rows { output, list: Vec::new() };
    let num_bytes = document.num_bytes;
    rows.add(Step {
        name: "read".to_owned(),
        amount: Amount { num: num_bytes, of: "bytes", bytes: num_bytes },
        run: Box::new(|| {
            let (took, read) = timed(|| opener.open(&args.file, &Report::new()));
            read.map_err(|error| at_path(error, &args.file))?;
            Ok(took)
        }),
        copy: copy_on_cpu(),
    })?;
    rows.add(skinning("skin on the CPU".to_owned(), &document.model))?;
    let grids = if args.only_file { &[] } else { &Grid::ALL[..] };
    for grid in grids.iter().flatten().filter(|grid| grid.is_for_cpu()) {
        rows.add(skinning(format!("skin on the CPU: {}", grid.name()), &grid.model()))?;
    }
    #[cfg(feature = "gpu")]
    let found = gpu::rows(&document.model, &args.file, grids, &mut rows);
    #[cfg(not(feature = "gpu"))]
    let found: anyhow::Result<json::BenchAdapter> = Err(missing());
    let adapter = match found {
        Ok(adapter) => Some(adapter),
        // The CPU results are still printed.
        Err(error) if Exit::of(&error) == Exit::NoGpu => {
            output.report(Severity::Warning, &format!("{error:#}"));
            None
        }
        Err(error) => return Err(error),
    };
    output.clear_progress();
    let bench = json::Bench { schema: "rigscope.bench/1", adapter, rows: rows.list };
    if args.json {
        output.print_json(&bench)?
    } else {
        output.print_lines(&text(&bench))?
    }
    Ok(Exit::Done)
}

/// The results so far.
struct Rows<'a> {
    output: &'a Output,
    list: Vec<json::BenchRow>,
}

impl Rows<'_> {
    /// Prints why a model isn't measured.
    #[cfg(feature = "gpu")]
    fn skip(&self, grid: Grid, why: &anyhow::Error) {
        let (num, name) = (grid.num_vertices, grid.name());
        let text = format!("the generated model with {num} vertices ({name}) was skipped: {why:#}");
        self.output.report(Severity::Info, &text);
    }

    fn add(&mut self, step: Step<'_>) -> anyhow::Result<()> {
        // A file with only a skeleton has no vertices.
        if step.amount.num == 0 {
            return Ok(());
        }
        self.output.progress(|| format!("measuring {}", step.name));
        self.list.push(row(step)?);
        Ok(())
    }
}

/// Skins all vertices of `model` on the CPU.
fn skinning(name: String, model: &Model) -> Step<'_> {
    let spec = between_keys(model);
    // Reused in all runs, as in the copy: allocating it would take most of the time.
    let mut skinned: Vec<SkinnedMesh> = Vec::new();
    skinned.resize_with(model.meshes.len(), SkinnedMesh::default);
    Step {
        name,
        amount: Amount {
            num: model.num_vertices() as u64,
            of: "vertices",
            bytes: cpu_skinning_bytes(model),
        },
        run: Box::new(move || {
            let (took, ()) = timed(|| {
                let pose = sample(model, &spec);
                for (number, (mesh, out)) in model.meshes.iter().zip(&mut skinned).enumerate() {
                    let id = MeshId::from_index(number);
                    skin_mesh_into(mesh, &pose.of_mesh(id, mesh), out);
                }
            });
            Ok(took)
        }),
        copy: copy_on_cpu(),
    }
}

fn text(bench: &json::Bench) -> Lines {
    use Align::{Left, Right};
    let mut table = Table::new([Left, Right, Left, Right, Right, Right, Right, Right]);
    let heads = ["step", "work", "", "median ms", "min ms", "GB/s", "copy ms", "of limit"];
    table.row(heads.map(str::to_owned));
    for row in &bench.rows {
        table.row([
            row.name.clone(),
            row.count.to_string(),
            row.of.to_owned(),
            format!("{:.3}", row.median),
            format!("{:.3}", row.min),
            format!("{:.2}", row.work as f64 / row.median / 1e6),
            format!("{:.3}", row.limit),
            format!("{:.0} %", 100.0 * row.of_limit),
        ]);
    }
    let mut lines = table.lines();
    if let Some(json::BenchAdapter { name, backend, kind }) = &bench.adapter {
        lines.insert(0, format!("{name} ({backend}, {kind})"));
    }
    lines.into_iter().collect()
}
