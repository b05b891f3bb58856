//! Names and colours of the channels of curves.

use egui::Color32;

/// x, y, z and w, as axes are coloured everywhere.
pub(super) const COLORS: [Color32; 4] = [
    Color32::from_rgb(230, 76, 76),
    Color32::from_rgb(90, 190, 80),
    Color32::from_rgb(80, 130, 240),
    Color32::from_rgb(200, 150, 60),
];
pub(super) const NAMES: [&str; 4] = ["x", "y", "z", "w"];
