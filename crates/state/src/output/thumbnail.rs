//! Thumbnails, drawn by the application in the background.

/// A thumbnail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// Width and height.
    pub size_px: [usize; 2],
    /// Rows from the top, four bytes per pixel, with straight alpha.
    pub rgba8: Vec<u8>,
}
