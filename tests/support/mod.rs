//! Helpers shared by the test binaries.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(unreachable_pub, reason = "a module of tests has no outside")]

pub mod documents;
pub mod extreme_files;
pub mod fixtures;
pub mod folder;
pub mod gltf;
pub mod mirrored;
pub mod rich;
pub mod seeds;
pub mod written;

use std::path::{Path, PathBuf};

use rigscope_core::model::{Mesh, Model, Report};
use rigscope_core::pose::moving_bounds;
use rigscope_io::convert::ConversionDeviation;
use rigscope_io::files::{ExternalReaders, Pipes, RelatedFiles};
use rigscope_io::formats::{ReadError, ReadOptions, Source, candidates, open};

/// The root of the repository.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap()
}

/// The sample character as a file.
pub fn sample_file() -> PathBuf {
    root().join("assets/sample.bsm2")
}

/// The folder of real sample files, which are not part of the repository.
///
/// `RIGSCOPE_SAMPLES`, or by default `../shared/samples` next to the checkout. If it exists, `build.rs` sets
/// `cfg(has_samples)`, without which tests that need samples are ignored. Tests that also use other files check
/// `cfg!(has_samples)`.
pub fn samples() -> PathBuf {
    let named = std::env::var_os("RIGSCOPE_SAMPLES");
    let folder = named.map_or_else(|| root().join("../shared/samples"), PathBuf::from);
    assert!(folder.is_dir(), "no samples in {}", folder.display());
    folder
}

/// The largest deviation at keys, relative to the size of its pose or to the largest coordinate of the model, whichever
/// is larger, because rounding depends on the magnitude of numbers.
pub fn off_at_keys(model: &Model, errors: &ConversionDeviation) -> Option<f64> {
    let bounds = moving_bounds(model, &Report::new()).unwrap();
    let reach = bounds.min.abs().max(bounds.max.abs()).max_element();
    let of_reach = errors.at_keys? / f64::from(reach).max(f64::MIN_POSITIVE);
    Some(errors.of_extent_at_keys?.min(of_reach))
}

/// The advice if a test finds no GPU. Such tests are only ignored if `RIGSCOPE_GPU=none` is set when building.
pub const NO_GPU: &str = "install a driver (mesa-vulkan-drivers and libvulkan1 draw in software), or \
     set RIGSCOPE_GPU=none to ignore tests that need one";

/// Whether an environment variable is set to something.
pub fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

/// All files with `extension` in a folder of the samples, sorted; panics if none exist.
pub fn sample_files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let files = files_below(&samples().join(folder));
    let has_extension = |file: &PathBuf| file.extension().is_some_and(|e| e == extension);
    let found: Vec<PathBuf> = files.into_iter().filter(has_extension).collect();
    assert!(!found.is_empty(), "no .{extension} in {folder}");
    found
}

/// All sample files that some format claims by their content, whatever their names.
pub fn readable_samples() -> Vec<PathBuf> {
    let is_claimed = |path: &PathBuf| {
        let source = Source::new("nameless", std::fs::read(path).unwrap());
        !candidates(&source).is_empty()
    };
    let found: Vec<_> = files_below(&samples()).into_iter().filter(is_claimed).collect();
    assert!(found.len() > 40, "only {} samples are claimed", found.len());
    found
}

/// [`readable_samples`], or nothing without samples, for tests that also use other files.
pub fn readable_samples_if_any() -> Vec<PathBuf> {
    if cfg!(has_samples) { readable_samples() } else { Vec::new() }
}

/// Reads a file as the program does, with its related files and those in `with`.
pub fn open_file(path: &Path, with: &[PathBuf], report: &Report) -> Result<Model, ReadError> {
    const LIMIT_BYTES: u64 = 1 << 30;
    let readers = ExternalReaders::default();
    let along = RelatedFiles::read(with, LIMIT_BYTES, Pipes::Refused, &readers, report);
    let along = along.unwrap_or_else(|(path, error)| panic!("{}: {error}", path.display()));
    let bytes = std::fs::read(path).unwrap();
    let file = along.source(path, bytes, LIMIT_BYTES);
    let options = ReadOptions { images: true, ..ReadOptions::default() };
    open(&file.source, &options, report).map(|opened| opened.model)
}

/// All files below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Corners at which w * cross(N, T) points to where v, which is down, falls and rises.
pub fn bitangents(mesh: &Mesh) -> (usize, usize) {
    let mut counts = (0, 0);
    for corners in mesh.triangles(0..mesh.indices.len()) {
        let [a, b, c] = corners.map(|i| mesh.position(i as usize).unwrap());
        let [ua, ub, uc]: [glam::Vec2; 3] = corners.map(|i| mesh.uv(i as usize).unwrap());
        let (e1, e2, d1, d2) = (b - a, c - a, ub - ua, uc - ua);
        let area = d1.perp_dot(d2);
        if area == 0.0 {
            continue;
        }
        let along_v: glam::Vec3 = (e2 * d1.x - e1 * d2.x) / area;
        for corner in corners {
            let tangent = mesh.tangent(corner as usize).unwrap();
            let normal = mesh.normal(corner as usize).unwrap();
            let bitangent = normal.cross(tangent.truncate()) * tangent.w;
            if bitangent.dot(along_v) < 0.0 { counts.0 += 1 } else { counts.1 += 1 }
        }
    }
    counts
}
