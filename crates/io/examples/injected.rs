//! Prints how often `diagnose` names the faults that are injected into the models of some folders, and the causes that
//! it names for the unharmed models: `cargo run --package rigscope-io --example injected -- FOLDER...`
//!
//! Nothing is checked, because not all of the models may be good.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a program for developers"
)]

#[path = "../tests/injected/edits.rs"]
mod edits;
#[path = "../tests/injected/faults.rs"]
mod faults;
#[path = "../tests/injected/outcomes.rs"]
mod outcomes;

use std::path::{Path, PathBuf};
use std::time::Instant;

use faults::FAULTS;
use outcomes::{Outcomes, causes, outcomes};
use rigscope_core::model::Model;
use rigscope_io::OpenOptions;

fn main() {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let models = files(&folders);
    let (mut num_named, mut slowest) = (0, (0.0, ""));
    for (name, model) in &models {
        let start = Instant::now();
        let found = causes(model, None);
        let secs = start.elapsed().as_secs_f64();
        slowest = if secs > slowest.0 { (secs, name) } else { slowest };
        if found.iter().any(|(name, _)| *name != "?") {
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
    let goods: Vec<_> =
        models.iter().map(|(name, model)| (name.clone(), edits::good(model))).collect();
    let only = std::env::var("RIGSCOPE_FAULT").unwrap_or_default();
    let mut sum = Outcomes::default();
    for fault in FAULTS.iter().filter(|fault| fault.name.contains(&only)) {
        sum.add(&outcomes(fault, &goods));
    }
    println!("{sum}");
}

/// The models in some folders.
fn files(folders: &[PathBuf]) -> Vec<(String, Model)> {
    let mut files = Vec::new();
    for folder in folders {
        collect(folder, &mut files);
    }
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
