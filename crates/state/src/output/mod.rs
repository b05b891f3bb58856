//! Output: exports, images, the command line for an image.
//!
//! Not for: writing files, which the application does through `files`.

mod command_line;
mod export;
mod picture;
mod stage;
mod thumbnail;

pub use export::{Export, ExportChoice, ExportOutcome, ExportRequest};
pub use picture::{
    MAX_IMAGES, PictureAction, PictureChoice, PictureFormat, PictureKind, PictureOutcome,
    PictureRequest, Pictures,
};
pub use stage::Stage;
pub use thumbnail::Thumbnail;
