//! The files around the model: what was taken and why, and what else lies there.

use egui::{CollapsingHeader, Label, RichText, Ui};

use crate::model::{CompanionFile, CompanionRole};
use crate::state::{Action, CompanionAction, CompanionRow, Document};
use crate::ui::widgets::counted_heading_ui;

/// More rows than these are not laid out.
const MAX_ROWS: usize = 100;
/// Names are cut behind so many characters.
const MAX_NAME: usize = 60;

pub(super) fn companions_ui(ui: &mut Ui, document: &Document, out: &mut Vec<Action>) {
    let around = &document.around;
    if around.is_empty() && document.without.is_empty() {
        return;
    }
    counted_heading_ui(ui, "Companions", around.len());
    // What was measured is a choice, what is missing wants to be found; the rest only lies there.
    let is_choice = |row: &CompanionRow| {
        let file = &row.file;
        let is_measured = file.fit.is_some() && file.role != CompanionRole::Texture;
        file.is_taken || file.is_missing || row.is_given || is_measured
    };
    let rows = || around.iter().enumerate();
    for (number, row) in rows().filter(|(_, row)| is_choice(row)).take(MAX_ROWS) {
        row_ui(ui, number, row, out);
    }
    let num_others = rows().filter(|(_, row)| !is_choice(row)).count();
    if num_others > 0 {
        let title = match num_others {
            1 => "1 more file lies there".to_owned(),
            num => format!("{num} more files lie there"),
        };
        CollapsingHeader::new(title)
            .id_salt("companions left")
            .show(ui, |ui| {
                for (number, row) in rows().filter(|(_, row)| !is_choice(row)).take(MAX_ROWS) {
                    row_ui(ui, number, row, out);
                }
            });
    }
    for name in document.without.iter().take(MAX_ROWS) {
        ui.horizontal_wrapped(|ui| {
            ui.weak(format!("○ {}", shortened(name)));
            ui.weak("left out by you");
            if ui.small_button("Allow").clicked() {
                out.push(action(CompanionAction::Allow(name.clone())));
            }
        });
    }
    let has_choices = !document.companions.is_empty() || !document.without.is_empty();
    if has_choices
        && ui
            .small_button("Choose by fit again")
            .on_hover_text("Forgets which files were given along or left out.")
            .clicked()
    {
        out.push(action(CompanionAction::Reset));
    }
    ui.add_space(6.0);
}

fn action(action: CompanionAction) -> Action {
    Action::Companion(action)
}

fn row_ui(ui: &mut Ui, number: usize, row: &CompanionRow, out: &mut Vec<Action>) {
    let file = &row.file;
    ui.horizontal_wrapped(|ui| {
        let name = format!("{} {}", mark(file), shortened(&file.file));
        let text = match file.is_taken {
            _ if file.is_missing => RichText::new(name).color(ui.visuals().warn_fg_color),
            true => RichText::new(name),
            false => RichText::new(name).weak(),
        };
        ui.add(Label::new(text)).on_hover_text(match &row.path {
            Some(path) => path.display().to_string(),
            None => file.file.clone(),
        });
        ui.weak(file.role.as_str());
        if let Some(fit) = file.fit {
            let text = format!("{:.0} %", fit * 100.0);
            let is_poor = file.is_taken && fit < GOOD_FIT;
            let color = match is_poor {
                true => ui.visuals().warn_fg_color,
                false => ui.visuals().weak_text_color(),
            };
            ui.colored_label(color, text)
                .on_hover_text("How nearly its bones lie where the others have them.");
        }
        if file.is_taken && row.can_leave() {
            if (ui.small_button("Leave"))
                .on_hover_text("Reads the model again without it.")
                .clicked()
            {
                out.push(action(CompanionAction::Leave(number)));
            }
        } else if row.can_take()
            && (ui.small_button("Take"))
                .on_hover_text("Reads the model again with it given along.")
                .clicked()
        {
            out.push(action(CompanionAction::Take(number)));
        }
    });
    ui.indent(("companion why", number), |ui| {
        ui.add(Label::new(RichText::new(shortened(&file.why)).small().weak()).wrap());
    });
}

/// Below this share the fit is told in the colour of warnings; as `formats` has it.
const GOOD_FIT: f32 = 0.9;

fn mark(file: &CompanionFile) -> &'static str {
    match file.is_taken {
        _ if file.is_missing => "?",
        true => "✔",
        false => "○",
    }
}

/// A name that a file tells, cut where it is too long to be laid out.
fn shortened(name: &str) -> String {
    match name.chars().count() > MAX_NAME {
        true => name.chars().take(MAX_NAME).chain(['…']).collect(),
        false => name.to_owned(),
    }
}
