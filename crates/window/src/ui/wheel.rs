//! Zooming by the wheel, two fingers or a pinch: one speed for the view, the UV layout, the timeline and plots.

use egui::Ui;

/// Zoom per notch of a wheel, as in Blender.
pub(super) const NOTCH_ZOOM: f32 = 1.2;
/// Points that a notch scrolls. Browsers report about 100 pixels per notch, or 3 lines.
const NOTCH_POINTS: f32 = if cfg!(target_arch = "wasm32") { 100.0 } else { 40.0 };
const NOTCH_LINES: f32 = if cfg!(target_arch = "wasm32") { 3.0 } else { 1.0 };

/// Sets egui's speeds to those of this module.
pub(super) fn install(ctx: &egui::Context) {
    ctx.options_mut(|options| {
        options.input_options.line_scroll_speed = NOTCH_POINTS / NOTCH_LINES;
        options.input_options.scroll_zoom_speed = NOTCH_ZOOM.ln() / NOTCH_POINTS;
    });
}

/// The zoom of a scroll by `points`; above 1 is closer.
pub(super) fn zoom_of(points: f32) -> f32 {
    NOTCH_ZOOM.powf(points / NOTCH_POINTS)
}

/// The scroll in points that has this zoom, the inverse of [`zoom_of`].
pub(super) fn points_of(zoom: f32) -> f32 {
    zoom.ln() / NOTCH_ZOOM.ln() * NOTCH_POINTS
}

/// The factor of the distance in this frame; below 1 is closer.
pub(super) fn distance_factor(ui: &Ui) -> f32 {
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
    1.0 / (zoom_of(scroll) * pinch.max(1e-3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notch_zooms_by_a_fifth_and_is_the_inverse_of_a_notch_back() {
        assert!((zoom_of(NOTCH_POINTS) - 1.2).abs() < 1e-6);
        assert!((zoom_of(NOTCH_POINTS) * zoom_of(-NOTCH_POINTS) - 1.0).abs() < 1e-6);
        assert!((points_of(zoom_of(25.0)) - 25.0).abs() < 1e-3);
    }
}
