//! Opening files with the default options, and the formats that can be opened.

use std::path::Path;

use super::{Document, Error, OpenOptions};
use rigscope_io::formats::{FORMATS, FormatInfo};

/// Opens a file of any readable format with its related files: buffers, textures, skeletons and
/// animations.
///
/// # Errors
/// If the file can't be read, or its contents aren't a model.
///
/// # Examples
/// ```
/// let document = rigscope::open("assets/sample.bsm2")?;
/// assert_eq!(document.format.unwrap().id, "bsm2");
/// assert!(document.model.find_clip("walk").is_some());
/// for finding in &document.findings {
///     println!("{}: {} at {}", finding.kind.code(), finding.message, finding.place);
/// }
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<Document, Error> {
    OpenOptions::default().open(path)
}

/// All formats, readable or writable.
///
/// # Examples
/// ```
/// let writers = rigscope::formats().filter(|format| format.can_write);
/// assert!(writers.map(|format| format.id).any(|id| id == "gltf"));
/// ```
pub fn formats() -> impl Iterator<Item = &'static FormatInfo> {
    FORMATS.iter().map(|format| &format.info)
}
