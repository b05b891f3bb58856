//! Controls for a second model in the view: its arrangement, the names, and the divider.

use egui::{
    Align2, Area, CursorIcon, FontId, Id, Order, Rangef, Rect, Sense, Stroke, Ui, pos2, vec2,
};

use super::command_button::command_button_ui;
use super::haloed_text::shadowed_text;
use super::theme::gap;
use super::tooltips::{explained, explained_with_keys};
use super::widgets::card;
use super::{compass, picking, theme};
use rigscope_core::visual::Switch;
use rigscope_state::{Action, AppState, Arrangement, Command, Painter, SecondAction, SecondModel};

/// Distance within which the divider can be grabbed, in points.
const GRIP_POINTS: f32 = 6.0;

/// A lower view has no buttons.
const MIN_VIEW_HEIGHT: f32 = 90.0;

/// Buttons in the order of [`Arrangement::ALL`].
const BUTTONS: [(Command, &str); 7] = [
    (Command::ArrangeFirst, "A"),
    (Command::ArrangeSecond, "B"),
    (Command::ArrangeBeside, "Side by side"),
    (Command::ArrangeOver, "Overlay"),
    (Command::ArrangeGhost, "Ghost"),
    (Command::ArrangeSplit, "Split"),
    (Command::ArrangeBlink, "Blink"),
];

/// Shows the controls over `view` if there is a second model.
pub(super) fn second_model_ui(ui: &mut Ui, state: &AppState, view: Rect, out: &mut Vec<Action>) {
    let Some(names) = state.pair_names() else { return };
    let second = &state.tab.view.second;
    match second.arrangement {
        Arrangement::Split => {
            let at = egui::lerp(view.x_range(), second.divider);
            divider_ui(ui, view, at, out);
            names_beside(ui, state, view, at, &names);
        }
        Arrangement::Beside => {
            let painter = ui.painter_at(view);
            let line = Stroke::new(1.0, theme::colors(ui.visuals()).hovered_edge);
            painter.vline(view.center().x, view.y_range(), line);
            names_beside(ui, state, view, view.center().x, &names);
        }
        arrangement => {
            let shows_own = state.layers().iter().any(|layer| layer.is_document);
            let text = match arrangement {
                Arrangement::Over | Arrangement::Ghost => names.join("  +  "),
                _ if shows_own => names[0].clone(),
                _ => names[1].clone(),
            };
            names_at(ui, state, view, &[(view.center().x, Align2::CENTER_BOTTOM, &text)]);
        }
    }
    bar_ui(ui, state, view, out);
}

/// The button that shows a deviation as colours.
pub(super) struct ColorsButton {
    pub painter: Painter,
    pub label: &'static str,
    pub help: &'static str,
    /// The tooltip of the disabled button.
    pub needs: &'static str,
}

pub(super) fn colors_button_ui(
    ui: &mut Ui,
    state: &AppState,
    button: ColorsButton,
    is_enabled: bool,
    out: &mut Vec<Action>,
) {
    let is_on = state.shows_colors(button.painter);
    let selectable = egui::Button::selectable(is_on, button.label).frame_when_inactive(true);
    let response = ui.add_enabled(is_enabled, selectable).on_hover_text(button.help);
    if response.on_disabled_hover_text(button.needs).clicked() {
        out.push(Action::Second(SecondAction::ToggleColors(button.painter)));
    }
}

fn bar_ui(ui: &Ui, state: &AppState, view: Rect, out: &mut Vec<Action>) {
    // It would cover all of a very low view; menu and shortcuts have the same commands.
    if view.height() < MIN_VIEW_HEIGHT {
        return;
    }
    let second = &state.tab.view.second;
    Area::new(Id::unique("second bar"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(pos2(view.center().x, view.top() + 8.0))
        .show(ui.ctx(), |ui| {
            let frame = card(ui).inner_margin(egui::Margin::symmetric(6, 4));
            frame.show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 3.0;
                    for (command, label) in BUTTONS {
                        command_button_ui(ui, state, command, label, out);
                    }
                    ui.separator();
                    let close = ui.small_button("×");
                    let close = match second.shown {
                        Some(SecondModel::AsBsm2) => {
                            explained_with_keys(close, "Hide B", &[Command::AsBsm2])
                        }
                        _ => explained(close, "Hide B"),
                    };
                    if close.accessible_name("Hide B").clicked() {
                        out.push(Action::Second(SecondAction::Hide));
                    }
                });
            });
        });
}

fn divider_ui(ui: &mut Ui, view: Rect, at: f32, out: &mut Vec<Action>) {
    let grip = Rect::from_x_y_ranges(at - GRIP_POINTS..=at + GRIP_POINTS, view.y_range());
    let id = Id::unique("divider of two models");
    let response =
        ui.interact(grip, id, Sense::drag()).on_hover_cursor(CursorIcon::ResizeHorizontal);
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::accesskit::Role::Splitter, true, "Divider between A and B")
    });
    let response = response.on_hover_text("Drag to move the divider.");
    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let share = (pointer.x - view.left()) / view.width().max(1.0);
        out.push(Action::Second(SecondAction::Divide(share)));
    }
    let color = if response.hovered() || response.dragged() {
        theme::accent(ui.visuals())
    } else {
        theme::colors(ui.visuals()).over
    };
    let painter = ui.painter_at(view);
    painter.vline(at, view.y_range(), Stroke::new(3.0, theme::colors(ui.visuals()).halo));
    painter.vline(at, view.y_range(), Stroke::new(1.5, color));
    let knob = pos2(at, view.center().y);
    painter.circle_filled(knob, 9.0, theme::colors(ui.visuals()).halo);
    painter.circle_stroke(knob, 8.0, Stroke::new(1.5, color));
    for side in [-1.0, 1.0] {
        let tip = knob + vec2(side * 5.0, 0.0);
        let back = vec2(-side * 3.0, 3.0);
        painter.line_segment([tip, tip + back], Stroke::new(1.5, color));
        let back = vec2(-side * 3.0, -3.0);
        painter.line_segment([tip, tip + back], Stroke::new(1.5, color));
    }
}

/// The first name left of `at`, the second right of it.
fn names_beside(ui: &Ui, state: &AppState, view: Rect, at: f32, [first, second]: &[String; 2]) {
    let left = (at - gap::LARGE, Align2::RIGHT_BOTTOM, first.as_str());
    // The second model may have a compass in its corner.
    let compasses = compass_corners(state, view);
    let covered = compasses.into_iter().find(|corner| corner.contains(at + gap::LARGE));
    let start = covered.map_or(at, |corner| corner.max) + gap::LARGE;
    let right = (start, Align2::LEFT_BOTTOM, second.as_str());
    names_at(ui, state, view, &[left, right]);
}

/// The compasses' extents along the bottom of the view.
fn compass_corners(state: &AppState, view: Rect) -> Vec<Rangef> {
    if !state.tab.view.overlays.get(Switch::Axes) {
        return Vec::new();
    }
    let is_beside = state.tab.view.second.arrangement == Arrangement::Beside;
    let middle = is_beside.then_some(view.center().x);
    let lefts = std::iter::once(view.left()).chain(middle);
    lefts.map(|left| Rangef::new(left, left + compass::SIDE)).collect()
}

/// Names in one line: at the bottom, or above the pick buttons or the compass if one would overlap them.
fn names_at(ui: &Ui, state: &AppState, view: Rect, names: &[(f32, Align2, &str)]) {
    let font = FontId::proportional(13.0);
    let color = theme::colors(ui.visuals()).over;
    let painter = ui.painter_at(view);
    let extents: Vec<Rangef> = (names.iter())
        .map(|(x, align, text)| {
            let size = painter.layout_no_wrap((*text).to_owned(), font.clone(), color).size();
            align.anchor_size(pos2(*x, 0.0), size).x_range()
        })
        .collect();
    let compasses = compass_corners(state, view);
    let is_over_compass = |extent: &Rangef| compasses.iter().any(|own| own.intersects(*extent));
    let below = if extents.iter().any(is_over_compass) {
        compass::SIDE + 4.0
    } else if extents.iter().any(|extent| extent.max > picking::bar_left(view)) {
        46.0
    } else {
        10.0
    };
    for &(x, align, text) in names {
        shadowed_text(&painter, pos2(x, view.bottom() - below), align, text, &font, color);
    }
}
