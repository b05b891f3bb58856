//! How much an image may ask for.

/// Longest side, whatever a device allows.
pub const MAX_SIDE: u32 = 16384;
/// Most bytes that one image may take when decoded.
pub const MAX_IMAGE_BYTES: u64 = 256 << 20;
/// Most levels: those of the longest side, halved down to one texel.
pub(super) const MAX_LEVELS: u32 = MAX_SIDE.ilog2() + 1;
