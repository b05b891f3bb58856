//! Histogram of deviations per vertex.

use egui::Ui;
use egui_plot::{AxisHints, Bar, BarChart, Plot};

use super::format::{counted, number, with_unit};
use super::theme;
use rigscope_core::model::numbers;
use rigscope_core::visual::heat;
use rigscope_state::{AppState, DISPLAY_UNITS, Histogram};

const HEIGHT: f32 = 110.0;
/// At smaller spacing, labels with small numbers overlap.
const MIN_LABEL_SPACING_POINTS: f32 = 100.0;

/// Bars in the colours of the 3D view. Heights are logarithmic, because most deviations are close to 0.
pub(super) fn histogram_ui(
    ui: &mut Ui,
    state: &AppState,
    id: &str,
    histogram: &Histogram,
    unit: &'static str,
) {
    if histogram.counts.is_empty() {
        ui.weak("There is nothing to compare.");
        return;
    }
    let step = f64::from(histogram.max) / histogram.counts.len() as f64;
    // If all values are 0, there is a single bar at 0.
    let step = if step > 0.0 { step } else { 1.0 };
    let bar = |(at, &num): (usize, &u32)| {
        let share = (at as f32 + 0.5) / histogram.counts.len() as f32;
        let [r, g, b] = heat(share, 0.0, 1.0);
        let height = (f64::from(num) + 1.0).log10();
        Bar::new((at as f64 + 0.5) * step, height)
            .width(step * 0.92)
            .fill(egui::Rgba::from_rgb(r, g, b))
            .stroke(egui::Stroke::NONE)
    };
    let bars: Vec<Bar> = histogram.counts.iter().enumerate().map(bar).collect();
    let is_in_meters = state.is_in_meters();
    let value_text = move |value: f64| match unit {
        DISPLAY_UNITS => numbers::length(value, is_in_meters),
        _ => with_unit(value, unit),
    };
    let text = move |bar: &Bar, _: &BarChart| {
        let num = (10f64.powf(bar.value) - 1.0).round();
        let (low, high) = (bar.argument - 0.5 * step, bar.argument + 0.5 * step);
        let noun = if num == 1.0 { "vertex" } else { "vertices" };
        format!("{} {noun}\n{} to {}", number(num), value_text(low), value_text(high))
    };
    let chart = BarChart::new("vertices", bars)
        .color(theme::accent(ui.visuals()))
        .element_formatter(Box::new(text));
    let axis = AxisHints::new_x()
        .formatter(move |mark, _| value_text(mark.value))
        .label_spacing(MIN_LABEL_SPACING_POINTS..=MIN_LABEL_SPACING_POINTS * 1.25);
    Plot::new(id.to_owned())
        .custom_x_axes(vec![axis])
        .height(HEIGHT)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_axes([true, false])
        .show_grid([true, false])
        .show(ui, |plot| plot.bar_chart(chart));
    let num: u32 = histogram.counts.iter().sum();
    let text = format!(
        "{}, at most {}, mean {}",
        counted(usize::try_from(num).unwrap_or(usize::MAX), "vertex"),
        value_text(f64::from(histogram.max)),
        value_text(histogram.mean),
    );
    let text = egui::RichText::new(text).weak();
    ui.add(egui::Label::new(text).wrap());
}
