//! Asks for the frame rate of a file that only counts frames.

use egui::{Align2, Area, DragValue, Id, Order, Rect, Ui};

use super::widgets::card;
use rigscope_core::model::FindingKind;
use rigscope_state::{Action, Document};

/// The default of 3ds Max (NTSC), assumed until the user chooses a rate.
const USUAL_FPS: f64 = 30.0;

/// Whether the frame rate is assumed and hasn't been confirmed.
pub(super) fn is_unknown(document: &Document) -> bool {
    document.options.fps.is_none()
        && document.findings.iter().any(|finding| finding.kind == FindingKind::AssumedFps)
}

pub(super) fn fps_ui(ui: &Ui, view: Rect, top: f32, out: &mut Vec<Action>) {
    let id = Id::unique("frames per second");
    Area::new(id)
        .order(Order::Middle)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(egui::pos2(view.center().x, top))
        .show(ui.ctx(), |ui| {
            card(ui).show(ui, |ui| {
                ui.label("The file stores frame numbers but no frame rate.");
                ui.horizontal(|ui| {
                    let mut fps: f64 = ui.data(|data| data.get_temp(id)).unwrap_or(USUAL_FPS);
                    let edit = DragValue::new(&mut fps).range(1.0..=240.0).max_decimals(3);
                    let help = "Plays the clips at this frame rate.";
                    ui.add(edit).on_hover_text(help).accessible_name("Frames per second");
                    ui.label("frames per second");
                    ui.data_mut(|data| data.insert_temp(id, fps));
                    if ui.button("Apply").on_hover_text(help).clicked() {
                        out.push(Action::SetFps(fps));
                    }
                });
            });
        });
}
