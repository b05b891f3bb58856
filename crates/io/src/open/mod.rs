//! Opening a model file with its related files, for the command line, Python and the window.
//!
//! For: [`OpenOptions`], which describe how files are read, and [`Opener`], which reads them.
//! Not for: parsing (`formats`).

mod bone_map_files;
mod catalog;
mod document;
mod external;
mod neighbours;
mod opener;
mod options;

pub use bone_map_files::{bone_map_near, read_bone_map, save_bone_map};
pub use catalog::{CatalogRow, catalog_row};
pub use document::{Document, add_inputs, conversion_files, format_id, info, inputs, path};
pub use neighbours::neighbours;
pub use opener::{OpenError, Opener};
pub use options::OpenOptions;
