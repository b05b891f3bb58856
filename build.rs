//! Says which tests this machine is for, to those that ask: `cfg(has_samples)` where the real sample
//! files are, which are not part of the repository; `cfg(no_gpu)` and `cfg(no_display)` where
//! `RIGSCOPE_GPU=none` and `RIGSCOPE_DISPLAY=none` say so. What a test lacks makes it ignored, and
//! counted. Not part of the published package: nothing but tests asks.

use std::env::{var, var_os};
use std::path::PathBuf;

/// The folder next to the checkout, whose root has the lock file: crates below it run this as well.
fn beside_checkout() -> PathBuf {
    let package = PathBuf::from(var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.unwrap_or(&package).join("../shared/samples")
}

fn main() {
    for name in ["RIGSCOPE_SAMPLES", "RIGSCOPE_GPU", "RIGSCOPE_DISPLAY"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    // Keep in sync with `samples` in tests/support/mod.rs. The folder itself is not watched: one
    // that is not there would run this, and build all, each time.
    let named = var_os("RIGSCOPE_SAMPLES");
    let folder = named.map_or_else(beside_checkout, PathBuf::from);
    if folder.is_dir() {
        println!("cargo::rustc-cfg=has_samples");
    }
    let is_none = |name| var(name).is_ok_and(|value| value == "none");
    if is_none("RIGSCOPE_GPU") {
        println!("cargo::rustc-cfg=no_gpu");
    }
    // Only X and Wayland have displays that nobody sees: elsewhere windows would pop up.
    let is_linux = var("CARGO_CFG_TARGET_OS").is_ok_and(|name| name == "linux");
    if is_none("RIGSCOPE_DISPLAY") || !is_linux {
        println!("cargo::rustc-cfg=no_display");
    }
}
