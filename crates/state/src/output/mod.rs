//! Output: exports, images, the command line for an image.
//!
//! Not for: writing files, which the application does through `files`.

mod command_line;
mod export;
mod fix;
mod image_export;
mod stage;
mod thumbnail;

pub use export::{Export, ExportChoice, ExportOutcome, ExportRequest};
pub use fix::{FixAction, FixOutcome, FixRequest, Fixing};
pub use image_export::{
    ImageExport, ImageExportAction, ImageExportChoice, ImageExportFormat, ImageExportKind,
    ImageExportOutcome, ImageExportRequest, MAX_IMAGES,
};
pub use stage::Stage;
pub use thumbnail::Thumbnail;
