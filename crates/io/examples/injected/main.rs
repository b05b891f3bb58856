//! Prints how often `diagnose` names the faults that are injected into good models, and the causes that it names for
//! models without a fault: `cargo run --package rigscope-io --example injected -- [FOLDER | SEED..SEED]...`
//!
//! The good models are those of the folders, and random rigs that are generated from the seeds; `rigs` adds the fixed rigs
//! of the tests. `RIGSCOPE_FAULT` and `RIGSCOPE_VARIANT` select faults and sound variants by a part of their name. With
//! `table`, the result is a table in Markdown, and with `ordinary`, the measurements of the models.
//!
//! Nothing is checked, because not all of the models may be good.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a program for developers"
)]

#[path = "../../tests/injected/bodies.rs"]
mod bodies;
#[path = "../../tests/injected/edits.rs"]
mod edits;
#[path = "../../tests/injected/faults.rs"]
mod faults;
mod markdown;
mod ordinary;
#[path = "../../tests/injected/outcomes.rs"]
mod outcomes;
#[path = "../../tests/injected/random.rs"]
mod random;
#[path = "../../tests/injected/rigs.rs"]
mod rigs;
#[path = "../../tests/injected/sound.rs"]
mod sound;

use std::path::{Path, PathBuf};
use std::time::Instant;

use faults::FAULTS;
use outcomes::{Outcomes, accusations, causes, outcomes};
use rigscope_core::model::Model;
use rigscope_io::OpenOptions;

fn main() {
    let mut models = Vec::new();
    for own in std::env::args().skip(1) {
        let seeds = own.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
        match seeds {
            Some(seeds) => models.extend(seeds.map(|seed: u64| random::rig(seed))),
            None if own == "ordinary" || own == "table" => {}
            None if own == "rigs" => models.extend(rigs::all()),
            None => models.extend(files(Path::new(&own))),
        }
    }
    if std::env::args().any(|own| own == "ordinary") {
        print!("{}", ordinary::table(&models));
        return;
    }
    let goods: Vec<_> =
        models.iter().map(|(name, model)| (name.clone(), edits::good(model))).collect();
    if std::env::args().any(|own| own == "table") {
        print!("{}", markdown::table(&goods));
        return;
    }
    let (mut num_named, mut slowest) = (0, (0.0, ""));
    for (name, model) in &models {
        let start = Instant::now();
        let found = causes(model, None);
        let secs = start.elapsed().as_secs_f64();
        slowest = if secs > slowest.0 { (secs, name) } else { slowest };
        if !found.is_empty() {
            num_named += 1;
            println!("without a fault, {name}: {found:?}");
        }
    }
    println!(
        "{} models, causes in {num_named}; the slowest took {:.2} s: {}",
        models.len(),
        slowest.0,
        slowest.1
    );
    let selected = |variable: &str| std::env::var(variable).unwrap_or_default();
    let only = selected("RIGSCOPE_VARIANT");
    let mut num = [0; 2];
    for variant in sound::VARIANTS.iter().filter(|variant| variant.name.contains(&only)) {
        let (row, lines) = accusations(variant, &goods);
        println!("{:46} {:4} diagnoses, {:3} with a cause", variant.name, row[0], row[1]);
        lines.iter().for_each(|line| println!("{line}"));
        num = [num[0] + row[0], num[1] + row[1]];
    }
    println!("{} of {} sound variants accused", num[1], num[0]);
    let only = selected("RIGSCOPE_FAULT");
    let mut sum = Outcomes::default();
    for fault in FAULTS.iter().filter(|fault| fault.name.contains(&only)) {
        let (row, lines) = outcomes(fault, &goods);
        println!("{:40} {row}", fault.name);
        lines.iter().for_each(|line| println!("{line}"));
        sum.add(&row);
    }
    println!("{sum}");
}

/// The models in a folder.
fn files(folder: &Path) -> Vec<(String, Model)> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    let is_meant = |path: &&PathBuf| {
        let name = path.to_string_lossy();
        !["/bad/", "malformed", "_fail"].iter().any(|part| name.contains(part))
    };
    let open = |path: &PathBuf| {
        let model = OpenOptions::default().open(path).ok()?.model;
        let has_any = !model.meshes.is_empty() || !model.clips.is_empty();
        has_any.then(|| (path.file_name().unwrap().to_string_lossy().into_owned(), model))
    };
    files.iter().filter(is_meant).filter_map(open).collect()
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, into);
        } else {
            into.push(path);
        }
    }
}
