//! A small picture that the shell has drawn beside the window.

/// A small picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// Width and height.
    pub size_px: [usize; 2],
    /// Rows from the top, four bytes a pixel, not multiplied with alpha.
    pub rgba8: Vec<u8>,
}
