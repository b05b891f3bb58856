//! The first steps, in a strip at the top of the view until the user closes it.

use egui::{Align2, Area, Grid, Id, Margin, Order, Rect, RichText, Ui, vec2};

use super::shortcuts::shortcut_text;
use super::theme::gap;
use super::widgets::card;
use crate::state::{Action, AppState, Command};
use crate::visual::Switch;

/// A view smaller than this, in points, is left to the model.
const MIN_VIEW: egui::Vec2 = vec2(560.0, 340.0);

pub(super) fn hints_ui(ui: &Ui, state: &AppState, view: Rect, out: &mut Vec<Action>) {
    let has_room = view.width() >= MIN_VIEW.x && view.height() >= MIN_VIEW.y;
    if !state.settings.shows_hints || state.tab.document.is_none() || !has_room {
        return;
    }
    // A strip: a card would cover the model, which is in the middle. The buttons of two models are above it.
    let width = view.width() - 2.0 * gap::LARGE;
    let top = if state.pair_names().is_some() { 52.0 } else { 4.0 };
    Area::new(Id::unique("first steps"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(view.center_top() + vec2(0.0, top))
        .show(ui.ctx(), |ui| {
            card(ui).inner_margin(Margin::symmetric(8, 2)).show(ui, |ui| {
                ui.set_max_width(width);
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing = vec2(4.0, 1.0);
                    ui.label(RichText::new("First steps").small().strong());
                    for (input, effect) in steps(ui, state) {
                        ui.add_space(gap::SMALL);
                        ui.label(RichText::new(input).small());
                        ui.label(RichText::new(effect).small().weak());
                    }
                    ui.add_space(gap::SMALL);
                    let button = ui.small_button("Got it").on_hover_text(format!(
                        "Help shows them again ({})",
                        shortcut_text(ui.ctx(), Command::ToggleHints)
                    ));
                    if button.clicked() {
                        out.push(Action::Run(Command::ToggleHints));
                    }
                });
            });
        });
}

/// How to move the camera, select and play: the input and its effect.
fn steps(ui: &Ui, state: &AppState) -> [(String, &'static str); 8] {
    let key = |command| shortcut_text(ui.ctx(), command);
    let [orbit, pan, zoom] = state.settings.navigation.texts().map(|(drag, _)| drag.to_owned());
    [
        (orbit, "orbit"),
        (pan, "pan"),
        (zoom, "zoom"),
        ("Click".to_owned(), "select a bone or subset"),
        ("Right click".to_owned(), "open a menu"),
        (key(Command::PlayPause), "play"),
        (key(Command::switch(Switch::Bones)), "bones"),
        (key(Command::Palette), "find any command"),
    ]
}

/// The same as a table.
pub(super) fn steps_ui(ui: &mut Ui, state: &AppState, id: &str) {
    let rows = steps(ui, state);
    Grid::new(id).num_columns(2).spacing(vec2(10.0, 2.0)).show(ui, |ui| {
        for (what, means) in &rows {
            ui.monospace(what);
            ui.weak(*means);
            ui.end_row();
        }
    });
}
