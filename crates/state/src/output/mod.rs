//! What goes out: exports, pictures, the command line of a picture.
//!
//! Not for: writing it: the shell does that through `files`.

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
