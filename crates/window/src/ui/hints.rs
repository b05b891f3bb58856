//! First steps, in a strip at the top of the view until the user closes it.

use egui::{Align2, Area, Context, Grid, Id, Margin, Order, Rect, RichText, Ui, vec2};

use super::shortcuts::shortcut_text;
use super::theme::gap;
use super::widgets::card;
use rigscope_core::visual::Switch;
use rigscope_state::{Action, AppState, Command};

/// Minimum size of the view for the strip, in points.
const MIN_VIEW: egui::Vec2 = vec2(560.0, 340.0);

/// The part of the view below the strip of the last frame, for legends and statistics.
pub(super) fn below_strip(ctx: &Context, view: Rect) -> Rect {
    let bottom: Option<f32> = ctx.data(|data| data.get_temp(strip_id()));
    match bottom {
        Some(bottom) => view.with_min_y(bottom.clamp(view.top(), view.bottom())),
        None => view,
    }
}

fn strip_id() -> Id {
    Id::unique("first steps")
}

pub(super) fn hints_ui(ui: &Ui, state: &AppState, view: Rect, out: &mut Vec<Action>) {
    let has_room = view.width() >= MIN_VIEW.x && view.height() >= MIN_VIEW.y;
    let is_shown = state.settings.shows_hints && state.tab.document.is_some() && has_room;
    let strip = is_shown.then(|| strip_ui(ui, state, view, out));
    let before: Option<f32> = ui.data(|data| data.get_temp(strip_id()));
    let bottom = strip.map(|strip| strip.bottom());
    if before != bottom {
        ui.data_mut(|data| match bottom {
            Some(bottom) => {
                data.insert_temp(strip_id(), bottom);
            }
            None => data.remove::<f32>(strip_id()),
        });
        ui.ctx().request_repaint();
    }
}

/// The strip; returns its rectangle.
fn strip_ui(ui: &Ui, state: &AppState, view: Rect, out: &mut Vec<Action>) -> Rect {
    // A strip and not a card, which would cover the model in the middle. The buttons of a second model are
    // above it.
    let width = view.width() - 2.0 * gap::LARGE;
    let top = if state.pair_names().is_some() { 52.0 } else { 4.0 };
    Area::new(strip_id())
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
                        "Hides these hints. Help > First steps shows them again ({}).",
                        shortcut_text(ui.ctx(), Command::ToggleHints)
                    ));
                    if button.clicked() {
                        out.push(Action::Run(Command::ToggleHints));
                    }
                });
            });
        })
        .response
        .rect
}

/// Steps for moving the camera, selecting and playing: the input and its effect.
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

/// The steps as a table.
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
