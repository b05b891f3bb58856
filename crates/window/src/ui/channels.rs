//! Names of the channels of curves; their colours are the theme's.

pub(super) const NAMES: [&str; 4] = ["x", "y", "z", "w"];
