//! Names of a curve's channels; the theme has their colours.

pub(super) const NAMES: [&str; 4] = ["x", "y", "z", "w"];
