//! The export pane: format, options, losses, result.

use egui::{ComboBox, DragValue, Grid, ProgressBar, RichText, Ui, vec2};

use super::form::form_rows_ui;
use super::format;
use super::rows::rows_ui;
use super::side_pane::side_pane_ui;
use super::theme::gap;
use super::tooltips::explained;
use super::widgets::{MAX_MESSAGE_CHARS, heading_ui};
use rigscope_core::model::{USUAL_FRAMES_PER_SEC, display_text};
use rigscope_core::options::OptionInfo;
use rigscope_io::convert::{ConvertOptions, loss_sentences};
use rigscope_io::formats::loss_summary::summary;
use rigscope_io::formats::{FORMATS, FormatInfo, by_id};
use rigscope_state::{Action, AppState, Export, ExportChoice, ExportOutcome, Stage};

/// Width of the choices, next to their names.
const CHOICE_WIDTH: f32 = 240.0;

pub(super) fn export_pane_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(export) = &state.tab.export else {
        return;
    };
    let is_running = export.stage.job().is_some();
    let mut choice = export.choice.clone();
    let pressed = side_pane_ui(ui, "Export", "Export to file…", !is_running, |ui| {
        ui.add_enabled_ui(!is_running, |ui| choice_ui(ui, state, &mut choice));
        ui.add_space(gap::MEDIUM);
        stage_ui(ui, &export.stage, out);
        losses_ui(ui, state, export);
    });
    if choice != export.choice {
        out.push(Action::ChooseExport(choice));
    }
    if pressed.main {
        out.push(Action::PickExport);
    } else if pressed.close {
        out.push(Action::CloseDialog);
    }
}

fn choice_ui(ui: &mut Ui, state: &AppState, choice: &mut ExportChoice) {
    let Some(format) = by_id(choice.format) else { return };
    let info = &format.info;
    Grid::new("export choice").num_columns(2).spacing(vec2(16.0, 6.0)).show(ui, |ui| {
        let label = ui.label("Format");
        ComboBox::from_id_salt("export format")
            .width(CHOICE_WIDTH)
            .selected_text(title(info))
            .show_ui(ui, |ui| {
                let infos = FORMATS.iter().map(|format| &format.info);
                for other in infos.filter(|info| info.can_write) {
                    ui.selectable_value(&mut choice.format, other.id, title(other));
                }
            })
            .response
            .on_hover_text("Chooses the file format.")
            .labelled_by(label.id);
        ui.end_row();
        if !info.parts.is_empty() {
            let label = ui.label("Files");
            parts_ui(ui, info, choice).labelled_by(label.id);
            ui.end_row();
        }
        ui.label("Clips");
        ui.vertical(|ui| clips_ui(ui, state, choice));
        ui.end_row();
        let is_offered = |option: &OptionInfo<ConvertOptions>| match option.name {
            "textures" => state.has_textures(),
            "hierarchy" | "last_bones" => format.writer.is_some_and(|w| w.has_choice_of_hierarchy),
            "make_hulls" | "make_occluder" => info.caps.collision,
            _ => true,
        };
        form_rows_ui(ui, &mut choice.options, is_offered);
    });
}

fn title(info: &FormatInfo) -> String {
    let extension = info.extensions.first().copied().unwrap_or_default();
    format!("{} (.{extension})", info.name)
}

fn parts_ui(ui: &mut Ui, info: &FormatInfo, choice: &mut ExportChoice) -> egui::Response {
    let part = &mut choice.options.write.part;
    ComboBox::from_id_salt("export part")
        .width(CHOICE_WIDTH)
        .selected_text(part.as_deref().unwrap_or("All"))
        .show_ui(ui, |ui| {
            ui.selectable_value(part, None, "All").on_hover_text("Writes all files of the format.");
            for info in info.parts {
                let response = ui.selectable_value(part, Some(info.id.to_owned()), info.id);
                response.on_hover_text(info.meaning);
            }
        })
        .response
        .on_hover_text("Chooses which of the format's files are written.")
}

fn clips_ui(ui: &mut Ui, state: &AppState, choice: &mut ExportChoice) {
    ui.add_enabled_ui(state.num_clips() > 1, |ui| {
        let checkbox = ui.checkbox(&mut choice.only_clip, "Only the current clip");
        explained(checkbox, "Exports only the clip that is shown.");
    });
    let mut is_sampled = choice.options.rate.is_some();
    let own = state.clip().map(|clip| clip.sampling_rate());
    let mut rate = choice.options.rate.or(own).unwrap_or(USUAL_FRAMES_PER_SEC);
    ui.horizontal(|ui| {
        ui.checkbox(&mut is_sampled, "Resample to").on_hover_text(
            "Resamples every clip at this rate. Otherwise keys are kept, and curves are sampled at the frame \
             rate of the file.",
        );
        let edit = DragValue::new(&mut rate).range(1.0..=1000.0).max_decimals(3);
        ui.add_enabled(is_sampled, edit).accessible_name("Keys per second");
        ui.label("keys per second");
    });
    choice.options.rate = is_sampled.then_some(rate);
}

fn losses_ui(ui: &mut Ui, state: &AppState, export: &Export) {
    heading_ui(ui, "Lost in this format");
    let findings = state.tab.document.as_ref().map_or(&[][..], |document| &document.findings);
    let sentences = loss_sentences(&export.losses, findings, &[]);
    if sentences.is_empty() {
        ui.label("The format stores everything. How precisely is measured when the file is saved.");
    } else {
        list_ui(ui, &sentences)
    }
}

fn list_ui(ui: &mut Ui, sentences: &[String]) {
    for sentence in sentences {
        ui.horizontal_top(|ui| {
            ui.label(RichText::new("•").color(ui.visuals().warn_fg_color));
            let text = display_text::shortened(sentence, MAX_MESSAGE_CHARS);
            ui.add(egui::Label::new(text).wrap());
        });
    }
}

fn stage_ui(ui: &mut Ui, stage: &Stage<ExportOutcome>, out: &mut Vec<Action>) {
    match stage {
        Stage::Choosing => {}
        Stage::Running { what, fraction, .. } => {
            ui.add_space(gap::MEDIUM);
            ui.horizontal(|ui| {
                ui.add(
                    ProgressBar::new(*fraction)
                        .desired_width(ui.available_width() - 80.0)
                        .text(*what),
                );
                let help = "Stops the export. No incomplete file is written.";
                if ui.button("Cancel").on_hover_text(help).clicked() {
                    out.push(Action::CancelExport);
                }
            });
        }
        Stage::Failed(message) => {
            ui.add_space(gap::MEDIUM);
            ui.colored_label(
                ui.visuals().error_fg_color,
                format!("Not saved: {}", display_text::shortened(message, MAX_MESSAGE_CHARS)),
            );
        }
        Stage::Done(outcome) => done_ui(ui, outcome),
    }
}

/// Maximum number of writer findings listed.
const MAX_FINDINGS: usize = 20;

fn done_ui(ui: &mut Ui, outcome: &ExportOutcome) {
    heading_ui(ui, "Saved files");
    rows_ui(ui, "written", outcome.files.len(), None, |ui, row| {
        let Some((path, bytes)) = outcome.files.get(row) else { return };
        let size = format::bytes(*bytes);
        let path = path.display().to_string();
        ui.label(format!("{} ({size})", display_text::shortened(&path, MAX_MESSAGE_CHARS)));
    });
    ui.add_space(gap::SMALL);
    ui.label(format!("Read back and compared: {}.", outcome.errors));
    for added in outcome.added.iter().take(MAX_FINDINGS) {
        ui.weak(display_text::shortened(added, MAX_MESSAGE_CHARS));
    }
    for finding in outcome.findings.iter().take(MAX_FINDINGS) {
        ui.weak(display_text::shortened(finding, MAX_MESSAGE_CHARS));
    }
    if outcome.findings.len() > MAX_FINDINGS {
        ui.weak(format!("and {} more", outcome.findings.len() - MAX_FINDINGS));
    }
    if !outcome.dropped.is_empty() {
        ui.label("Lost:");
        list_ui(ui, &outcome.dropped);
    }
    if !outcome.unforeseen.is_empty() {
        ui.colored_label(ui.visuals().error_fg_color, "Unexpected losses:");
        list_ui(ui, &summary(&outcome.unforeseen));
    }
}
