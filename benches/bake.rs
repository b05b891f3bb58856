//! The whole work of `fbx_bsm2`, from FBX to packed keys, compared with only loading the file in ufbx.
//!
//! `cargo bench --no-default-features --bench bake`. The goal is at most 3 times ufbx. The files are real
//! samples in the folder `RIGSCOPE_SAMPLES` or `../shared/samples`; without them, prints a message and measures
//! nothing. The times don't include starting the process and waiting for the disk.

use std::path::{Path, PathBuf};

use rigscope_core::measure::{MeasureOptions, measure};
use rigscope_core::model::Report;
use rigscope_core::pack::{PackOptions, pack};
use rigscope_io::formats::{ReadOptions, Source, WriteOptions, bsm2::BSM2, open, write};

/// An animated character, and a static one with more triangles.
const FILES: &[&str] = &["maya_kenney_character_7700_binary.fbx", "pab_arnaud.fbx"];

fn main() {
    divan::main();
}

/// The path of a sample; `None` if it doesn't exist.
#[expect(clippy::print_stderr, reason = "a message to the user of the benchmark")]
fn sample(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples");
    let folder = std::env::var_os("RIGSCOPE_SAMPLES").map_or_else(beside, PathBuf::from);
    let path = folder.join("fbx").join(name);
    let is_there = path.is_file();
    if !is_there {
        eprintln!("skipped, no sample file {name}");
    }
    is_there.then_some(path)
}

/// The baseline.
#[divan::bench(args = FILES, sample_count = 50)]
fn ufbx_alone(bencher: divan::Bencher, name: &str) {
    let Some(path) = sample(name) else { return };
    let path = path.to_string_lossy();
    bencher.bench(|| ufbx::load_file(&path, ufbx::LoadOpts::default()).is_ok());
}

/// Reading and checking.
#[divan::bench(args = FILES, sample_count = 50)]
fn read_and_checked(bencher: divan::Bencher, name: &str) {
    let Some(path) = sample(name) else { return };
    bencher.bench(|| {
        let source = Source::new(name, std::fs::read(&path).unwrap_or_default());
        open(&source, &ReadOptions::default(), &Report::new()).map(|opened| opened.model)
    });
}

/// Reading, packing, comparing with the source and writing.
#[divan::bench(args = FILES, sample_count = 50)]
fn baked(bencher: divan::Bencher, name: &str) {
    let Some(path) = sample(name) else { return };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("baked.bsm2");
    let bake = || -> Option<f64> {
        let report = Report::new();
        let source = Source::new(name, std::fs::read(&path).ok()?);
        let model = open(&source, &ReadOptions::default(), &report).ok()?.model;
        let options = PackOptions { rate: Some(30.0), as_tool: true, ..PackOptions::default() };
        let packing = pack(&model, &options, &report).ok()?;
        let (measured, written) = rayon::join(
            || measure(&packing.job(&model), MeasureOptions::default(), &report),
            || {
                let files = packing
                    .parts
                    .iter()
                    .map(|part| write(&part.model, &BSM2, &WriteOptions::default(), &report).ok());
                let mut files = files.flatten().flatten();
                files.try_for_each(|file| std::fs::write(&target, file.bytes))
            },
        );
        written.ok()?;
        Some(measured.ok()?.max())
    };
    assert!(bake().is_some(), "{name} can be baked");
    bencher.bench(bake);
}
