//! Picking in the view: the selection mode of a click, and the hover card.

use std::time::Duration;

use egui::{
    Align2, FontId, Frame, Layout, Margin, Modifiers, Painter, Pos2, Rect, Response, Stroke, Ui,
    UiBuilder, pos2, vec2,
};

use super::command_button::command_button_ui;
use super::projection::{Projection, ndc};
use super::theme;
use rigscope_core::model::display_text;
use rigscope_state::{Action, AppState, Command, Hover, PickAt, PickFor, PickWhat};

/// How long the pointer must rest before the object under it is picked.
const REST_SECS: f32 = 0.15;
/// Distance of the card from the pointer, so that it doesn't hide the object under it.
const CARD_OFFSET: egui::Vec2 = vec2(16.0, 14.0);
const ROW_POINTS: f32 = 15.0;

const CHOICES: [(Command, &str); 4] = [
    (Command::PickSubsets, "Subset"),
    (Command::PickTriangles, "Triangle"),
    (Command::PickVertices, "Vertex"),
    (Command::PickBones, "Bone"),
];

/// The kind of object that a click with these modifiers selects.
pub(super) fn pick_kind(state: &AppState, modifiers: Modifiers) -> PickWhat {
    if modifiers.command {
        PickWhat::Vertex
    } else if modifiers.alt {
        PickWhat::Triangle
    } else {
        state.settings.pick
    }
}

/// Position of the pick buttons in the view `rect`; `None` if they would cover too much of it.
fn bar_place(rect: Rect) -> Option<Rect> {
    const SIZE: egui::Vec2 = vec2(300.0, 30.0);
    let has_room = rect.width() >= SIZE.x + 16.0 && rect.height() >= SIZE.y * 3.0;
    let corner = rect.right_bottom() - vec2(10.0, 8.0);
    has_room.then(|| Rect::from_min_max(corner - SIZE, corner))
}

/// The left edge of the pick buttons.
pub(super) fn bar_left(rect: Rect) -> f32 {
    bar_place(rect).map_or(rect.right(), |place| place.left())
}

/// The buttons that choose the kind of object to select, in the lower right corner of the view.
pub(super) fn pick_bar_ui(ui: &mut Ui, state: &AppState, rect: Rect, out: &mut Vec<Action>) {
    let Some(place) = bar_place(rect) else { return };
    let builder =
        UiBuilder::new().max_rect(place).layout(Layout::right_to_left(egui::Align::Center));
    ui.scope_builder(builder, |ui| {
        let fill = ui.visuals().window_fill().gamma_multiply(0.85);
        Frame::new().fill(fill).corner_radius(6.0).inner_margin(Margin::symmetric(6, 3)).show(
            ui,
            |ui| {
                ui.spacing_mut().item_spacing.x = 3.0;
                // Right to left, because otherwise the frame would be wider than its content.
                for (command, label) in CHOICES.into_iter().rev() {
                    command_button_ui(ui, state, command, label, out);
                }
                ui.weak("Pick");
            },
        );
    });
}

/// Picks once at the resting pointer, and shows the result next to it. `rect` is the document's view, and
/// `whole` also contains the view of a second model.
pub(super) fn hover_ui(
    ui: &Ui,
    state: &AppState,
    response: &Response,
    [rect, whole]: [Rect; 2],
    out: &mut Vec<Action>,
) {
    if !response.hovered() && state.tab.view.hover.is_some() {
        out.push(Action::LeaveView);
    }
    if !state.shows_tooltips() || !response.hovered() || ui.input(|input| input.pointer.any_down())
    {
        return;
    }
    let Some(pointer) = response.hover_pos() else { return };
    let at = ndc(rect, pointer);
    if let Some(hover) = state.hover_at(at) {
        if let Some(at) = hover.position.and_then(|p| Projection::of(state, rect).of_display(p)) {
            mark_ui(&ui.painter_at(rect), at);
        }
        card_ui(ui, hover, pointer, whole);
        return;
    }
    if state.is_hover_pending(at) {
        return;
    }
    let rested = ui.input(|input| input.pointer.time_since_last_movement());
    if rested < REST_SECS {
        let left = Duration::from_secs_f32(REST_SECS - rested);
        ui.ctx().request_repaint_after(left);
        return;
    }
    out.push(Action::Pick(PickAt {
        ndc: at,
        what: PickWhat::Vertex,
        wanted_for: PickFor::Hovering,
    }));
}

fn mark_ui(painter: &Painter, at: Pos2) {
    let colors = theme::colors_of(painter.ctx());
    painter.circle_stroke(at, 4.0, Stroke::new(2.5, colors.halo));
    painter.circle_stroke(at, 4.0, Stroke::new(1.2, colors.over));
}

/// The card next to the pointer, within the view `rect`.
fn card_ui(ui: &Ui, hover: &Hover, pointer: Pos2, rect: Rect) {
    if hover.lines.is_empty() {
        return;
    }
    let painter = ui.painter_at(rect);
    let font = FontId::proportional(12.0);
    let color = ui.visuals().text_color();
    let galleys: Vec<_> = hover
        .lines
        .iter()
        .map(|line| {
            let line = display_text::name(line).into_owned();
            painter.layout_no_wrap(line, font.clone(), color)
        })
        .collect();
    let width = galleys.iter().map(|g| g.size().x).fold(0.0, f32::max);
    let size = vec2(width + 16.0, galleys.len() as f32 * ROW_POINTS + 10.0);
    // On the other side of the pointer if there isn't enough space.
    let after = pointer + CARD_OFFSET;
    let before = pointer - CARD_OFFSET - size;
    let x = if after.x + size.x <= rect.right() { after.x } else { before.x };
    let y = if after.y + size.y <= rect.bottom() { after.y } else { before.y };
    let card = Rect::from_min_size(pos2(x.max(rect.left()), y.max(rect.top())), size);
    painter.rect(
        card,
        5.0,
        ui.visuals().window_fill().gamma_multiply(0.94),
        ui.visuals().window_stroke(),
        egui::StrokeKind::Inside,
    );
    for (row, galley) in galleys.into_iter().enumerate() {
        let at = card.min + vec2(8.0, 5.0 + row as f32 * ROW_POINTS);
        let at = Align2::LEFT_TOP.anchor_size(at, galley.size()).min;
        painter.galley(at, galley, color);
    }
}
