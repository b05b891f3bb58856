//! The model, its poses, and everything computed from both without a file, a GPU or a window.
//!
//! Not for: file formats (`rigscope-io`), drawing (`rigscope-gpu`).
//!
//! Invariant: no I/O, no clock, no threads except those of rayon.
//! Invariant: a model that passed [`model::check`] is trusted; no code checks it again.

pub mod camera;
pub mod compare;
pub mod diagnose;
pub mod fix;
pub mod geometry;
pub mod images;
pub mod measure;
#[warn(missing_docs)]
pub mod model;
pub mod options;
pub mod pack;
pub mod policy;
pub mod pose;
pub mod project;
pub mod reshape;
pub mod rig;
pub mod runtime;
pub mod signature;
pub mod summary;
pub mod validate;
pub mod visual;

/// Hash of the sources of this crate, which contains the rules: results of equal sources are equal. A published package
/// has its version.
pub const SOURCE_HASH: &str = match option_env!("RIGSCOPE_SOURCE_HASH") {
    Some(hash) => hash,
    None => env!("CARGO_PKG_VERSION"),
};
