//! The first steps, in a corner of the view until somebody has read them.

use egui::{Align2, Area, Grid, Id, Order, Rect, RichText, Ui, vec2};

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
    // Statistics and loading are at the top, the compass and messages below.
    Area::new(Id::unique("first steps"))
        .order(Order::Middle)
        .pivot(Align2::LEFT_TOP)
        .fixed_pos(view.left_top() + vec2(12.0, 12.0))
        .show(ui.ctx(), |ui| {
            card(ui).inner_margin(10.0).show(ui, |ui| {
                ui.set_max_width(280.0);
                ui.label(RichText::new("First steps").strong());
                steps_ui(ui, "first steps");
                ui.add_space(gap::SMALL);
                let button = ui.button("Got it").on_hover_text(format!(
                    "Help shows them again ({})",
                    shortcut_text(ui.ctx(), Command::ToggleHints)
                ));
                if button.clicked() {
                    out.push(Action::Run(Command::ToggleHints));
                }
            });
        });
}

/// How one gets about.
pub(super) fn steps_ui(ui: &mut Ui, id: &str) {
    let key = |command| shortcut_text(ui.ctx(), command);
    let rows = [
        ("Drag".to_owned(), "turn"),
        ("Shift+drag".to_owned(), "pan, as with the middle button"),
        ("Wheel".to_owned(), "zoom"),
        ("Click".to_owned(), "pick a bone or subset"),
        (key(Command::PlayPause), "play"),
        (key(Command::switch(Switch::Bones)), "bones"),
        (key(Command::Palette), "find any command"),
    ];
    Grid::new(id).num_columns(2).spacing(vec2(10.0, 2.0)).show(ui, |ui| {
        for (what, means) in &rows {
            ui.monospace(what);
            ui.weak(*means);
            ui.end_row();
        }
    });
}
