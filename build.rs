//! Sets `cfg` flags for tests that need more than this machine has: `has_samples` if the real sample files, which aren't
//! part of the repository, are available; `no_gpu` and `no_display` if `RIGSCOPE_GPU=none` and `RIGSCOPE_DISPLAY=none`
//! are set. Tests that can't run are ignored, and counted as such.
//!
//! The crates with readers and rules get a hash of their sources: results of equal sources are equal.
//!
//! It also links the icon and version of the Windows programs if `RIGSCOPE_WINDOWS_RESOURCES` names them
//! (scripts/windows.sh). The published package needs neither, so this file isn't part of it.

use std::env::{var, var_os};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// The folder next to the checkout. The root of the checkout contains the lock file; crates in it use this file too.
fn default_folder() -> PathBuf {
    let package = PathBuf::from(var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.unwrap_or(&package).join("../shared/samples")
}

/// Adds the Rust files below `folder` to `files`.
fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// A hash of the sources below `src`, independent of the system.
fn source_hash() -> u64 {
    let mut files = Vec::new();
    list(Path::new("src"), &mut files);
    let lossy = |path: &PathBuf| path.to_string_lossy().replace('\\', "/");
    files.sort_by_key(lossy);
    let mut hasher = DefaultHasher::new();
    for file in files {
        hasher.write(lossy(&file).as_bytes());
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        hasher.write(text.replace('\r', "").as_bytes());
    }
    hasher.finish()
}

fn main() {
    for name in ["RIGSCOPE_SAMPLES", "RIGSCOPE_GPU", "RIGSCOPE_DISPLAY"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    // Keep in sync with `samples` in tests/support/mod.rs. The folder itself isn't watched: if it
    // doesn't exist, watching it would run this script, and rebuild everything, each time.
    let named = var_os("RIGSCOPE_SAMPLES");
    let folder = named.map_or_else(default_folder, PathBuf::from);
    if folder.is_dir() {
        println!("cargo::rustc-cfg=has_samples");
    }
    let is_none = |name| var(name).is_ok_and(|value| value == "none");
    if is_none("RIGSCOPE_GPU") {
        println!("cargo::rustc-cfg=no_gpu");
    }
    // Only X and Wayland have virtual displays; on other systems, real windows would open.
    let is_linux = var("CARGO_CFG_TARGET_OS").is_ok_and(|name| name == "linux");
    if is_none("RIGSCOPE_DISPLAY") || !is_linux {
        println!("cargo::rustc-cfg=no_display");
    }
    // This file is also the build script of other packages.
    if var("CARGO_PKG_NAME").is_ok_and(|name| ["rigscope-core", "rigscope-io"].contains(&&*name)) {
        println!("cargo::rerun-if-changed=src");
        println!("cargo::rustc-env=RIGSCOPE_SOURCE_HASH={:016x}", source_hash());
    }
    let has_programs = var("CARGO_PKG_NAME").is_ok_and(|name| name == "rigscope");
    if has_programs {
        println!("cargo::rerun-if-env-changed=RIGSCOPE_WINDOWS_RESOURCES");
        if let Some(resources) = var_os("RIGSCOPE_WINDOWS_RESOURCES") {
            println!("cargo::rustc-link-arg-bins={}", resources.display());
        }
    }
}
