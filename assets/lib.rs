//! Files that are embedded in the programs.

/// The sample character, in BSM2 format.
pub const SAMPLE: &[u8] = include_bytes!("sample.bsm2");

/// The icon of the window, a PNG image.
pub const ICON: &[u8] = include_bytes!("icon.png");
