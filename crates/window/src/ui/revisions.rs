//! The dialog that lists the revisions of the open file.

use egui::{Grid, Id, Modal, ScrollArea, Ui};

use super::buttons::close_button_ui;
use super::theme::gap;
use super::widgets::card;
use rigscope_core::model::display_text;
use rigscope_io::history::Revision;
use rigscope_state::{Action, AppState, Dialog, RevisionsAction};

const WIDTH: f32 = 720.0;
const MARGIN: f32 = 20.0;
/// Height of the list without scrolling.
const LIST_HEIGHT: f32 = 360.0;

pub(super) fn revisions_ui(ui: &Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.dialog != Some(Dialog::Revisions) {
        return;
    }
    let ctx = ui.ctx();
    let modal = Modal::new(Id::unique("revisions")).frame(card(ui).inner_margin(MARGIN));
    let response = modal.show(ctx, |ui| {
        ui.set_width(WIDTH.min(ctx.content_rect().width() - 4.0 * MARGIN));
        ui.heading("Compare with revision");
        ui.add_space(gap::MEDIUM);
        match &state.revisions.revisions {
            None => _ = ui.weak("Reading the history…"),
            Some(Err(message)) => {
                ui.colored_label(ui.visuals().error_fg_color, message);
            }
            Some(Ok(list)) if list.is_empty() => {
                ui.weak("No revision has this file. Commit it first.");
            }
            Some(Ok(list)) => list_ui(ui, list, out),
        }
        ui.add_space(gap::LARGE);
        close_button_ui(ui)
    });
    if response.inner || response.should_close() {
        out.push(Action::CloseDialog);
    }
}

fn list_ui(ui: &mut Ui, list: &[Revision], out: &mut Vec<Action>) {
    ui.label("Choose the version that becomes B; related files are those of the same revision.");
    ui.add_space(gap::SMALL);
    ScrollArea::vertical().id_salt("revision list").max_height(LIST_HEIGHT).show(ui, |ui| {
        Grid::new("revision list").num_columns(4).striped(true).show(ui, |ui| {
            for (number, revision) in list.iter().enumerate() {
                let compare = ui.small_button(revision.short());
                if compare.on_hover_text("Compares the file with this revision.").clicked() {
                    out.push(Action::Revisions(RevisionsAction::Compare(number)));
                }
                ui.label(&revision.date);
                ui.label(&*display_text::name(&revision.author));
                let subject = display_text::escaped(&revision.subject);
                ui.add(egui::Label::new(&*subject).truncate());
                ui.end_row();
            }
        });
    });
}
