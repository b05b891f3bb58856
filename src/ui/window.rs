//! The window: which panel is where.

use egui::{CentralPanel, Frame, Margin, Panel, Ui};

use super::view::Picture;
use super::{
    banners, dialogs, export, inspector, menu_bar, notes, outline, palette, shortcuts, status_bar,
    theme, timeline, toolbar, view,
};
use crate::state::{Action, AppState};

/// Shows the whole window; what the user does is added to `out`.
///
/// Must be called every pass: keys are heard by what the call before has set up.
pub fn window_ui(ui: &mut Ui, state: &AppState, picture: Picture, out: &mut Vec<Action>) {
    theme::set(ui.ctx(), state.settings.theme);
    shortcuts::take_keys(ui.ctx(), state, out);
    let panels = state.settings.panels;
    let bar = Frame::side_top_panel(ui.style()).inner_margin(Margin::symmetric(8, 3));
    let side = Frame::side_top_panel(ui.style()).inner_margin(Margin::symmetric(10, 6));

    Panel::top("menu bar")
        .frame(bar)
        .show(ui, |ui| menu_bar::menu_bar_ui(ui, state, out));
    Panel::top("toolbar")
        .frame(bar)
        .show(ui, |ui| toolbar::toolbar_ui(ui, state, out));
    Panel::bottom("status bar")
        .frame(bar)
        .show(ui, |ui| status_bar::status_bar_ui(ui, state, out));
    if panels.timeline {
        Panel::bottom("timeline")
            .frame(bar.inner_margin(Margin::symmetric(8, 6)))
            .show(ui, |ui| timeline::timeline_ui(ui, state, out));
    }
    if panels.outline {
        Panel::left("outline")
            .resizable(true)
            .default_size(270.0)
            .size_range(180.0..=500.0)
            .frame(side)
            .show(ui, |ui| {
                fill_width(ui);
                outline::outline_ui(ui, state, out);
            });
    }
    if panels.inspector || panels.notes {
        Panel::right("right")
            .resizable(true)
            .default_size(300.0)
            .size_range(200.0..=560.0)
            .frame(side)
            .show(ui, |ui| {
                fill_width(ui);
                right_ui(ui, state, out);
            });
    }
    let view = CentralPanel::default()
        .frame(Frame::new())
        .show(ui, |ui| view::view_ui(ui, state, picture, out))
        .inner;

    banners::banners_ui(ui, state, view, out);
    dialogs::dialogs_ui(ui, state, out);
    export::export_ui(ui, state, out);
    palette::palette_ui(ui, state, out);
}

/// A panel keeps the width that its user gave it, however little it holds.
fn fill_width(ui: &mut Ui) {
    ui.set_min_width(ui.available_width());
}

/// The inspector, the notes below it.
fn right_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let panels = state.settings.panels;
    if !panels.inspector {
        notes::notes_ui(ui, state, out);
        return;
    }
    if panels.notes {
        Panel::bottom("notes")
            .resizable(true)
            .default_size(200.0)
            .size_range(60.0..=(ui.available_height() - 120.0).max(80.0))
            .frame(Frame::new())
            .show(ui, |ui| notes::notes_ui(ui, state, out));
    }
    inspector::inspector_ui(ui, state, out);
}
