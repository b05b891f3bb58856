//! Looks for the real sample files, which are not part of the repository, and sets
//! `cfg(has_samples)` where they are: tests that need them are ignored elsewhere, and counted.
//! Not part of the published package: nothing but tests asks.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RIGSCOPE_SAMPLES");
    // Keep in sync with `samples` in tests/support/mod.rs. The folder itself is not watched: one
    // that is not there would run this, and build all, each time.
    let named = std::env::var_os("RIGSCOPE_SAMPLES");
    let folder = named.map_or_else(|| PathBuf::from("../shared/samples"), PathBuf::from);
    if folder.is_dir() {
        println!("cargo::rustc-cfg=has_samples");
    }
}
