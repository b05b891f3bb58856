//! Short messages at the bottom centre of the view, clear of its controls.

use egui::{Align2, Area, Button, Id, Order, Rect, RichText, Ui, pos2, vec2};

use super::banners::message;
use super::format::capital;
use super::glyph_legend;
use super::widgets::card;
use rigscope_state::{Action, AppState, Toast, ToastLevel};

/// The pick buttons and model names are below.
const BELOW_POINTS: f32 = 46.0;
/// The compass and the bone legend are on either side.
const BESIDE_POINTS: f32 = 130.0;
const WIDTHS: std::ops::RangeInclusive<f32> = 180.0..=360.0;
const GAP_POINTS: f32 = 6.0;

/// Shows the messages over `view`, the newest at the bottom.
pub(super) fn toasts_ui(ui: &Ui, state: &AppState, view: Rect, out: &mut Vec<Action>) {
    let width = view.width() - 2.0 * BESIDE_POINTS;
    let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
    let mut bottom = view.bottom() - BELOW_POINTS.max(glyph_legend::height(state));
    for toast in state.toasts.list().iter().rev() {
        let area = Area::new(Id::unique(("toast", toast.id)))
            .order(Order::Middle)
            .pivot(Align2::CENTER_BOTTOM)
            .fixed_pos(pos2(view.center().x, bottom))
            .show(ui.ctx(), |ui| toast_ui(ui, toast, width, out));
        bottom -= area.response.rect.height() + GAP_POINTS;
    }
}

fn toast_ui(ui: &mut Ui, toast: &Toast, width: f32, out: &mut Vec<Action>) {
    let color = match toast.level {
        ToastLevel::Info => ui.visuals().text_color(),
        ToastLevel::Warning => ui.visuals().warn_fg_color,
        ToastLevel::Error => ui.visuals().error_fg_color,
    };
    card(ui).inner_margin(8.0).show(ui, |ui| {
        ui.set_max_width(width);
        ui.horizontal_top(|ui| {
            let close_width = ui.spacing().interact_size.y;
            ui.scope(|ui| {
                ui.set_max_width(width - close_width - ui.spacing().item_spacing.x);
                let text = RichText::new(message(&capital(&toast.text))).color(color);
                ui.add(egui::Label::new(text).wrap());
            });
            let close = Button::new("×").frame(false).min_size(vec2(close_width, close_width));
            let close = ui.add(close).on_hover_text("Dismiss");
            if close.accessible_name("Dismiss the message").clicked() {
                out.push(Action::DismissToast(toast.id));
            }
        });
    });
}
