//! Limits for images.

/// Longest side in texels, regardless of the device.
pub const MAX_SIDE: u32 = 16384;
/// Maximum decoded size of one image, in bytes.
pub const MAX_IMAGE_BYTES: u64 = 256 << 20;
/// Maximum number of levels: a full mipmap chain of the longest side.
pub(super) const MAX_LEVELS: u32 = MAX_SIDE.ilog2() + 1;
