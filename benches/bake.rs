//! From FBX to packed keys: all that `fbx_bsm2` does, against loading the file by ufbx alone.
//!
//! `cargo bench --no-default-features --bench bake`. The aim is 3 times ufbx at most. Files are real
//! samples, in the folder that `RIGSCOPE_SAMPLES` names or in `../shared/samples`; without them
//! nothing is measured, and this says so. What the process itself takes is not in the figures, nor
//! is waiting for the disk.

use std::path::{Path, PathBuf};

use rigscope_core::bake::{BakeOptions, pack};
use rigscope_core::measure::{MeasureOptions, measure};
use rigscope_core::model::Report;
use rigscope_io::formats::{ReadOptions, Source, WriteOptions, bsm2::Bsm2, open, write};

/// A character with keys, and one of more triangles that stands still.
const FILES: &[&str] = &["maya_kenney_character_7700_binary.fbx", "pab_arnaud.fbx"];

fn main() {
    divan::main();
}

/// Where a sample is; `None` where there are none.
#[expect(clippy::print_stderr, reason = "a benchmark talks to who runs it")]
fn sample(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples");
    let folder = std::env::var_os("RIGSCOPE_SAMPLES").map_or_else(beside, PathBuf::from);
    let path = folder.join("fbx").join(name);
    let is_there = path.is_file();
    if !is_there {
        eprintln!("not measured, no sample file {name}");
    }
    is_there.then_some(path)
}

/// The yardstick.
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
        let options = BakeOptions { rate: Some(30.0), as_tool: true, ..BakeOptions::default() };
        let packing = pack(&model, &options, &report).ok()?;
        let (measured, written) = rayon::join(
            || measure(&packing.job(&model), MeasureOptions::default(), &report),
            || {
                let files = packing
                    .parts
                    .iter()
                    .map(|part| write(&part.model, &Bsm2, &WriteOptions::default(), &report).ok());
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
