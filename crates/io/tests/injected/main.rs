//! Injects faults into good models, and checks that the right cause is named, and none for the good models.
//!
//! `make injected` prints the results for each fault.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "tests may panic, and the table is printed"
)]

mod edits;
mod faults;
mod one_answer;
mod rigs;

use std::path::{Path, PathBuf};
use std::time::Instant;

use faults::{FAULTS, Fault};
use rigscope_core::diagnose::{CauseInfo, Context, Evidence, diagnose};
use rigscope_core::model::{Model, Report};
use rigscope_io::OpenOptions;

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

/// The causes that are named, with their evidence as text. Without causes, and if `RIGSCOPE_TRIED` is set, the
/// hypotheses that were tried.
fn causes(model: &Model, reference: Option<&Model>) -> Vec<(&'static str, String)> {
    let found =
        diagnose(model, Context { reference, ..Context::default() }, &Report::new()).unwrap();
    let line = |info: &CauseInfo, evidence: &Evidence, [before, after]: [f64; 2], detail: &str| {
        (info.name, format!("{detail} [{} {before:.4} -> {after:.4}]", evidence.name))
    };
    if found.causes.is_empty() && std::env::var_os("RIGSCOPE_TRIED").is_some() {
        let tried = found.tried.iter();
        return tried
            .map(|tried| ("?", line(tried.info, tried.evidence, tried.values, tried.info.name).1))
            .collect();
    }
    let causes = found.causes.iter();
    causes.map(|cause| line(cause.info, cause.evidence, cause.values, &cause.detail)).collect()
}

/// The models in the folders that `RIGSCOPE_INJECTED` lists, separated by colons.
fn files() -> Vec<(String, Model)> {
    let folders = std::env::var("RIGSCOPE_INJECTED").unwrap_or_default();
    let mut files = Vec::new();
    for folder in folders.split(':').filter(|folder| !folder.is_empty()) {
        collect(Path::new(folder), &mut files);
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

#[test]
fn good_rigs_have_no_cause() {
    for (name, model) in rigs::all() {
        assert_eq!(causes(&model, None), [], "{name}");
        assert_eq!(causes(&model, Some(&model)), [], "{name}");
    }
}

#[test]
fn most_faults_of_rigs_are_named_first() {
    let goods: Vec<_> =
        rigs::all().into_iter().map(|(name, model)| (name, edits::good(&model))).collect();
    let mut sum = Row::default();
    for fault in FAULTS {
        let row = row(fault, &goods);
        assert!(row.num > 0, "no rig can have the fault {:?}", fault.name);
        sum.add(&row);
    }
    println!(
        "{} of {} without a reference, {} of {} with the good rig as the reference",
        sum.alone, sum.num_alone, sum.beside, sum.num
    );
    assert!(sum.alone * 100 >= sum.num_alone * 95 && sum.beside * 100 >= sum.num * 98);
}

/// Prints the results for the models of some folders, without checking them: not all of the models may be good.
#[test]
#[ignore = "prints a table for `make injected`, which names the folders"]
fn table() {
    let models = files();
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
    let mut sum = Row::default();
    for fault in FAULTS.iter().filter(|fault| fault.name.contains(&only)) {
        sum.add(&row(fault, &goods));
    }
    println!(
        "{} of {} without a reference, {} of {} with the good model as the reference",
        sum.alone, sum.num_alone, sum.beside, sum.num
    );
}

/// The number of models with a fault, and the number of those whose right cause is named first.
#[derive(Default)]
struct Row {
    num: usize,
    /// Models that were also diagnosed without a reference.
    num_alone: usize,
    alone: usize,
    beside: usize,
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.num += other.num;
        self.num_alone += other.num_alone;
        self.alone += other.alone;
        self.beside += other.beside;
    }
}

fn row(fault: &Fault, goods: &[(String, Model)]) -> Row {
    let mut row = Row::default();
    let mut lines = Vec::new();
    for (name, good) in goods {
        let mut bad = good.clone();
        let is_possible = !fault.needs_bones || edits::has_binds(good);
        if !is_possible || !(fault.inject)(&mut bad) {
            continue;
        }
        let mut is_named = |reference: Option<&Model>, kind| {
            let found = causes(&bad, reference);
            let is_right = found.first().is_some_and(|(cause, _)| fault.causes.contains(cause));
            if !is_right {
                lines.push(format!("    {kind} {name}: {found:?}"));
            }
            usize::from(is_right)
        };
        row.num += 1;
        row.beside += is_named(Some(good), "with reference,");
        if !fault.needs_reference {
            row.num_alone += 1;
            row.alone += is_named(None, "without reference,");
        }
    }
    println!(
        "{:28} {:3} models, without reference {:3} of {:3}, with reference {:3}",
        fault.name, row.num, row.alone, row.num_alone, row.beside
    );
    lines.iter().for_each(|line| println!("{line}"));
    row
}
