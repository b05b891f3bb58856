//! Plots of curves that don't move bones, over their clip.

use egui::{ScrollArea, Ui};
use egui_plot::{Line, Plot, PlotPoints, Points, VLine};

use super::channels::NAMES;
use super::format::counted;
use super::theme;
use super::theme::colors;
use rigscope_core::model::ValueTrack;
use rigscope_state::{AppState, Document};

/// Samples per curve: one every few points in a wide window.
const NUM_MOMENTS: u16 = 400;
/// Maximum number of curves shown; a file may have more.
const MAX_TRACKS: usize = 12;
/// Beyond this number, keys are too dense to draw.
const MAX_KEYS: usize = 200;
/// Minimum width of a plot, so that all plots can be reached by scrolling.
const MIN_WIDTH: f32 = 240.0;
/// Maximum length of a name.
const MAX_NAME: usize = 60;

pub(super) fn value_tracks_ui(ui: &mut Ui, state: &AppState, document: &Document) {
    let tracks = &document.model.value_tracks;
    let shown = tracks.get(..MAX_TRACKS).unwrap_or(tracks);
    let height = ui.available_height();
    let width = (ui.available_width() / shown.len().max(1) as f32 - 8.0).max(MIN_WIDTH);
    ScrollArea::horizontal().id_salt("value tracks").auto_shrink([false, false]).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            for (number, track) in shown.iter().enumerate() {
                ui.allocate_ui(egui::vec2(width, height), |ui| {
                    ui.vertical(|ui| track_ui(ui, state, number, track));
                });
            }
            let num_more = tracks.len() - shown.len();
            if num_more > 0 {
                ui.weak(format!("and {num_more} more"));
            }
        });
    });
}

fn track_ui(ui: &mut Ui, state: &AppState, number: usize, track: &ValueTrack) {
    let name: String = track.name.chars().take(MAX_NAME).collect();
    ui.horizontal(|ui| {
        ui.strong(if name.is_empty() { "Curve".to_owned() } else { name });
        let num_keys = track.ratios.len();
        ui.weak(format!("{}, {}", track.kind.as_str(), counted(num_keys, "key")));
    });
    let clock_color = theme::accent(ui.visuals());
    let range = state.clip_range();
    let length = range.end_secs - range.start_secs;
    let clock = (state.clip().is_some() && length > 0.0)
        .then(|| (state.tab.playback.time_secs - range.start_secs) / length);
    let colors = colors(ui.visuals()).channels;
    Plot::new(("value track", number))
        .allow_drag(false)
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .include_x(0.0)
        .include_x(1.0)
        .x_axis_label("Fraction of the clip")
        .show(ui, |plot| {
            for (at, (name, color)) in NAMES.iter().zip(colors).enumerate() {
                if at >= track.kind.num() {
                    break;
                }
                let points = (0..=NUM_MOMENTS).filter_map(|moment| {
                    let ratio = f32::from(moment) / f32::from(NUM_MOMENTS);
                    let value = track.sample(ratio)?[at];
                    Some([f64::from(ratio), f64::from(value)])
                });
                let points: PlotPoints<'_> = points.collect();
                plot.line(Line::new(*name, points).color(color).width(1.5));
                if track.ratios.len() <= MAX_KEYS {
                    let keys = track.ratios.iter().enumerate().filter_map(|(key, ratio)| {
                        let value = *track.key(key)?.get(at)?;
                        Some([f64::from(*ratio), f64::from(value)])
                    });
                    let keys: PlotPoints<'_> = keys.collect();
                    plot.points(Points::new(*name, keys).color(color).radius(2.5));
                }
            }
            if let Some(clock) = clock {
                plot.vline(VLine::new("time", clock).color(clock_color).width(1.5));
            }
        });
}
