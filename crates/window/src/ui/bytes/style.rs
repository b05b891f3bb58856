//! Constants shared by rows and bar.

use egui::Color32;

use rigscope_core::model::{Element, subset_color};

/// Font size throughout the pane.
pub(super) const FONT_POINTS: f32 = 12.0;
/// Bytes per row.
pub(super) const ROW_BYTES: u64 = 16;

/// The colour of an element, the same in rows and bar.
pub(super) fn element_color(element: Element) -> Color32 {
    // Hashes the name, so that similar elements get different colours.
    let number = element
        .name()
        .bytes()
        .fold(7usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)) % 97);
    let [r, g, b] = subset_color(number);
    egui::Rgba::from_rgb(r, g, b).into()
}
