//! From one model to the files of another format, with every loss predicted, observed and measured.
//!
//! For: `rigscope convert`, `fbx_bsm2`'s checks, the window's export dialog.
//! Not for: bytes of a format (`formats`), changes to meshes and clips (`reshape`), files on disk.
//!
//! Order of work: [`convert`] applies the options, predicts losses, writes, reads back and
//! compares.
//!
//! Invariant: without options, a model reaches its writer unchanged, so that a file rewritten in its own
//! format keeps its bytes.

mod beside;
mod check;
mod deviation;
mod deviation_text;
mod error;
mod for_path;
mod lost;
mod lost_precision;
mod names;
mod prepare;
mod run;

pub use crate::formats::{Check, ConvertOptions, TextureMode, WriteOptions};
pub use check::read_back;
pub use deviation::{BetweenKeys, ConversionDeviation, WorstPlace};
pub use error::ConvertError;
pub use for_path::convert_for_path;
pub use lost::{Lost, added, dropped, loss_codes, loss_sentences};
pub use lost_precision::LostPrecision;
pub use names::{file_name, file_names, target_of};
pub use run::{Converted, convert, foreseen};
