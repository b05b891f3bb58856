//! Opening a model file with its related files, for the command line, Python and the window.
//!
//! For: [`OpenOptions`], which describe how files are read, and [`Opener`], which reads them.
//! Not for: parsing (`formats`).

mod catalog;
mod document;
mod opener;
mod options;

pub use document::Document;
pub use opener::{OpenError, Opener};
pub use options::OpenOptions;
