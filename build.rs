//! Sets `cfg` flags for tests that need more than this machine has: `has_samples` if the real sample files, which aren't
//! part of the repository, are available; `no_gpu` and `no_display` if `RIGSCOPE_GPU=none` and `RIGSCOPE_DISPLAY=none`
//! are set. Tests that can't run are ignored, and counted as such.
//!
//! It also links the icon and version of the Windows programs if `RIGSCOPE_WINDOWS_RESOURCES` names them
//! (scripts/windows.sh). The published package needs neither, so this file isn't part of it.

use std::env::{var, var_os};
use std::path::PathBuf;

/// The folder next to the checkout. The root of the checkout contains the lock file; crates in it use this file too.
fn default_folder() -> PathBuf {
    let package = PathBuf::from(var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.unwrap_or(&package).join("../shared/samples")
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
    // This file is also the build script of other packages, which have no programs.
    let has_programs = var("CARGO_PKG_NAME").is_ok_and(|name| name == "rigscope");
    if has_programs {
        println!("cargo::rerun-if-env-changed=RIGSCOPE_WINDOWS_RESOURCES");
        if let Some(resources) = var_os("RIGSCOPE_WINDOWS_RESOURCES") {
            println!("cargo::rustc-link-arg-bins={}", resources.display());
        }
    }
}
