//! The related files of the model: which were read and why, and other files in the folder.

use egui::{Align, CollapsingHeader, Label, Layout, RichText, Ui};

use crate::ui::format::percent;
use crate::ui::theme::gap;
use crate::ui::widgets::counted_heading_ui;
use rigscope_core::model::{RelatedFileRole, RelatedFileUse};
use rigscope_io::formats::MATCH_BY_ORDER;
use rigscope_state::{
    Action, BonePairsAction, Command, Document, Pane, RelatedFileAction, RelatedFileRow,
};

/// Maximum number of rows that are laid out.
const MAX_ROWS: usize = 100;
/// Longer names are cut.
const MAX_NAME: usize = 60;
/// Longer reasons are cut; they wrap, and end with advice.
const MAX_REASON: usize = 300;

pub(super) fn related_files_ui(ui: &mut Ui, document: &Document, out: &mut Vec<Action>) {
    let around = &document.around;
    if around.is_empty() && document.options.without.is_empty() {
        return;
    }
    counted_heading_ui(ui, "Related files", around.len());
    // Files that match are a choice, and missing ones must be located; the others are collapsed.
    let is_choice = |row: &RelatedFileRow| {
        let file = &row.file;
        // A match of 0 % means that the file belongs to another model.
        let fits = file.fit.is_some_and(|fit| (fit * 100.0).round() > 0.0);
        let is_measured = fits && file.role != RelatedFileRole::Texture;
        file.is_used || file.is_missing || row.is_given || is_measured
    };
    let rows = || around.iter().enumerate();
    for (number, row) in rows().filter(|(_, row)| is_choice(row)).take(MAX_ROWS) {
        row_ui(ui, number, row, out);
    }
    let num_others = rows().filter(|(_, row)| !is_choice(row)).count();
    if num_others > 0 {
        let title = match num_others {
            1 => "1 other file in the folder".to_owned(),
            num => format!("{num} other files in the folder"),
        };
        CollapsingHeader::new(title).id_salt("companions left").show(ui, |ui| {
            for (number, row) in rows().filter(|(_, row)| !is_choice(row)).take(MAX_ROWS) {
                row_ui(ui, number, row, out);
            }
        });
    }
    for name in document.options.without.iter().take(MAX_ROWS) {
        ui.horizontal_wrapped(|ui| {
            ui.weak(format!("○ {}", shortened(name)));
            ui.weak("excluded by you");
            let help = "Lets the model use this file again.";
            if ui.small_button("Include").on_hover_text(help).clicked() {
                out.push(action(RelatedFileAction::Allow(name.clone())));
            }
        });
    }
    let can_match = |row: &RelatedFileRow| {
        row.is_given && !row.file.is_used && row.file.why.ends_with(MATCH_BY_ORDER)
    };
    if !document.options.bones_by_order
        && around.iter().any(can_match)
        && ui
            .small_button("Match bones by order")
            .on_hover_text(
                "Plays animations whose bones have other names: the first bone moves the first one, and so on.",
            )
            .clicked()
    {
        out.push(action(RelatedFileAction::MatchByOrder));
    }
    let has_choices = !document.options.with.is_empty() || !document.options.without.is_empty();
    if has_choices
        && ui
            .small_button("Choose automatically")
            .on_hover_text("Discards your choices and selects the best-fitting files again.")
            .clicked()
    {
        out.push(action(RelatedFileAction::Reset));
    }
    ui.add_space(gap::MEDIUM);
}

fn action(action: RelatedFileAction) -> Action {
    Action::RelatedFile(action)
}

/// The name with its action on the right, and the role and reason below.
fn row_ui(ui: &mut Ui, number: usize, row: &RelatedFileRow, out: &mut Vec<Action>) {
    let file = &row.file;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if file.bones.is_some() {
                let help = Command::pane(Pane::BonePairs);
                let button = ui.small_button("Bones").on_hover_text(help.info().help);
                if button.accessible_name(format!("Bone pairs of {}", file.file)).clicked() {
                    out.push(Action::BonePairs(BonePairsAction::ShowFile(file.file.clone())));
                    out.push(Action::ShowPane(Pane::BonePairs, true));
                }
            }
            if file.is_used && row.can_leave() {
                if (ui.small_button("Exclude"))
                    .on_hover_text("Reads the model again without this file.")
                    .clicked()
                {
                    out.push(action(RelatedFileAction::Exclude(number)));
                }
            } else if row.can_take()
                && (ui.small_button("Use"))
                    .on_hover_text("Reads the model again with this file.")
                    .clicked()
            {
                out.push(action(RelatedFileAction::Use(number)));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                name_ui(ui, row);
            });
        });
    });
    ui.indent(("companion why", number), |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.label(small(file.role.as_str()));
            if let Some(fit) = file.fit {
                let is_poor = file.is_used && fit < GOOD_FIT;
                let text = small(&format!("match {}", percent(fit)));
                let text = if is_poor { text.color(ui.visuals().warn_fg_color) } else { text };
                ui.label(text).on_hover_text(
                    "How closely the bones of this file match those of the other files.",
                );
            }
            ui.label(small(&cut(&file.why, MAX_REASON)));
        });
    });
}

/// The file name without its folder.
fn name_ui(ui: &mut Ui, row: &RelatedFileRow) {
    let file = &row.file;
    let own = file.file.rsplit(['/', '\\']).next().unwrap_or(&file.file);
    let text = RichText::new(format!("{} {}", mark(file), shortened(own)));
    let text = match file.is_used {
        _ if file.is_missing => text.color(ui.visuals().warn_fg_color),
        true => text,
        false => text.weak(),
    };
    ui.add(Label::new(text).truncate().show_tooltip_when_elided(false)).on_hover_text(
        match &row.path {
            Some(path) => path.display().to_string(),
            None => file.file.clone(),
        },
    );
}

fn small(text: &str) -> RichText {
    RichText::new(text).small().weak()
}

/// Below this share, the match is shown in the warning colour. Same value as in `formats`.
const GOOD_FIT: f32 = 0.9;

fn mark(file: &RelatedFileUse) -> &'static str {
    match file.is_used {
        _ if file.is_missing => "?",
        true => "✔",
        false => "○",
    }
}

fn shortened(name: &str) -> String {
    cut(name, MAX_NAME)
}

/// Text from a file, cut if it is too long to be laid out.
fn cut(text: &str, max_chars: usize) -> String {
    if text.chars().count() > max_chars {
        text.chars().take(max_chars).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}
