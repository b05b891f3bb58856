//! Decoded pixels, and how they are to be understood.

/// Straight RGBA, 4 bytes a pixel, row after row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba8: Vec<u8>,
}

/// How bytes are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Space {
    /// Colour.
    Srgb,
    /// Numbers.
    Linear,
}
