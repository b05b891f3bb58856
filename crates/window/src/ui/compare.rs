//! The pane "Compare": differences from another file, like the output of `rigscope diff`.

use egui::{RichText, ScrollArea, Sense, Ui};
use egui_extras::{Column, TableBuilder};

use super::command_button::framed_command_button_ui;
use super::form::form_line_ui;
use super::format::{count, counted, in_unit, length};
use super::histogram::histogram_ui;
use super::second_model::{ColorsButton, colors_button_ui};
use super::tooltips::truncated_ui;
use super::widgets::{MAX_MESSAGE_CHARS, at_right_ui, facts_ui};
use rigscope_core::compare::DiffOptions;
use rigscope_core::model::display_text;
use rigscope_state::{
    Action, AppState, COMPARE_TASK, Command, CompareAction, ComparedModel, ComparisonResult,
    DISPLAY_UNITS, Painter, SecondAction, SecondModel, unit_of_difference,
};

/// Width of the summary next to the table.
const SUMMARY_WIDTH: f32 = 330.0;
const SUMMARY_SHARE: f32 = 0.42;
const ROW_HEIGHT: f32 = 20.0;

pub(super) fn compare_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let compare = &state.tab.view.compare;
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::CompareWith, "Compare with…", out);
        framed_command_button_ui(
            ui,
            state,
            Command::ComparePrevious,
            "Compare with previous version",
            out,
        );
        if compare.other.is_some() {
            framed_command_button_ui(ui, state, Command::EndCompare, "End comparison", out);
            options_ui(ui, state, out);
        }
    });
    if let Some(name) = compare.loading() {
        ui.label(format!("Reading {name}…"));
    }
    let Some(other) = &compare.other else {
        if compare.loading().is_none() {
            ui.weak("Choose a file to compare with.");
        }
        return;
    };
    if let Some(task) = state.task(COMPARE_TASK) {
        ui.add(egui::ProgressBar::new(task.fraction).text(task.slot.0));
        return;
    }
    let Some(compared) = compare.compared() else { return };
    ui.separator();
    ui.horizontal_top(|ui| {
        let width = SUMMARY_WIDTH.min(SUMMARY_SHARE * ui.available_width());
        let size = egui::vec2(width, ui.available_height());
        let column = egui::Layout::top_down(egui::Align::Min);
        ui.allocate_ui_with_layout(size, column, |ui| {
            ui.set_width(width);
            ScrollArea::vertical()
                .id_salt("compare summary")
                .auto_shrink([false, false])
                .show(ui, |ui| summary_ui(ui, state, other, compared, out));
        });
        ui.separator();
        ui.vertical(|ui| table_ui(ui, state, compared, out));
    });
}

fn options_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let current = &state.tab.view.compare.options;
    ui.separator();
    // Comparing at every step of a drag would never finish.
    let id = ui.scope_id().with("pending options");
    let pending: Option<DiffOptions> = ui.data_mut(|data| data.remove_temp(id));
    let mut options = pending.unwrap_or_else(|| current.clone());
    form_line_ui(ui, &mut options);
    if options == *current {
        return;
    }
    if ui.input(|input| input.pointer.any_down()) {
        ui.data_mut(|data| data.insert_temp(id, options));
    } else {
        out.push(Action::Compare(CompareAction::SetOptions(options)));
    }
}

fn summary_ui(
    ui: &mut Ui,
    state: &AppState,
    other: &ComparedModel,
    compared: &ComparisonResult,
    out: &mut Vec<Action>,
) {
    let comparison = &compared.comparison;
    let exceeding = compared.differences().iter().filter(|d| d.exceeds).count();
    let verdict = match (comparison.is_equal(), compared.differences().is_empty()) {
        (true, true) => "Equal".to_owned(),
        (true, false) => "Equal within the tolerance".to_owned(),
        (false, _) => format!("{} of differences", counted(exceeding, "kind")),
    };
    ui.label(RichText::new(verdict).strong());
    let own = state.tab.document.as_ref().map_or("", |d| d.name());
    facts_ui(ui, &[("A (this file)", own.to_owned()), ("B (other file)", other.name.clone())]);
    ui.add(egui::Label::new(RichText::new(compared.matching()).weak().small()).wrap());
    if let Some(why) = state.uncompared_pose() {
        ui.add(egui::Label::new(RichText::new(why).color(ui.visuals().warn_fg_color)).wrap());
    }
    ui.horizontal_wrapped(|ui| {
        let help = "Colours each vertex of A by its distance to the matching vertex of B.";
        let button = ColorsButton {
            painter: Painter::Second(SecondModel::Compared),
            label: "Distances as colours",
            help,
            needs: help,
        };
        let has_any = !compared.histogram.counts.is_empty();
        colors_button_ui(ui, state, button, has_any, out);
        let help = "Selects the vertex with the largest difference and goes to its time.";
        if ui.link("Show the largest").on_hover_text(help).clicked() {
            out.extend(state.worst_difference().map(SecondAction::ShowWorst).map(Action::Second));
        }
    });
    let mut facts: Vec<(&str, String)> = Vec::new();
    for (name, amount, unit) in compared.maxima() {
        facts.push((name, in_unit(state, amount, unit)));
    }
    facts.push(("Size of A", length(state, comparison.extent)));
    let matching = &comparison.matching;
    facts.push((
        "Unmatched vertices",
        format!(
            "{} in A, {} in B",
            count(matching.num_unmatched_a),
            count(matching.num_unmatched_b)
        ),
    ));
    if let Some(error) = comparison.in_clips.as_ref().map(|in_clips| &in_clips.total) {
        facts.push(("Compared times", count(error.num_moments)));
        facts.push(("RMS deviation", length(state, error.rms)));
    }
    facts_ui(ui, &facts);
    histogram_ui(ui, state, "compare histogram", &compared.histogram, DISPLAY_UNITS);
}

fn table_ui(ui: &mut Ui, state: &AppState, compared: &ComparisonResult, out: &mut Vec<Action>) {
    let differences = compared.differences();
    if differences.is_empty() {
        ui.weak("There are no differences.");
        return;
    }
    TableBuilder::new(ui)
        .id_salt("differences")
        .striped(true)
        .sense(Sense::click())
        .column(Column::initial(104.0).resizable(true).clip(true))
        .column(Column::initial(60.0).resizable(true))
        .column(Column::initial(80.0).resizable(true))
        .column(Column::remainder().clip(true))
        .header(ROW_HEIGHT, |mut header| {
            let names = [("Kind", false), ("Count", true), ("Amount", true)];
            for (title, is_number) in names.into_iter().chain([("Details", false)]) {
                let title = RichText::new(title).weak();
                header
                    .col(|ui| if is_number { at_right_ui(ui, title) } else { _ = ui.label(title) });
            }
        })
        .body(|body| {
            body.rows(ROW_HEIGHT, differences.len(), |mut row| {
                let number_of_row = row.index();
                let Some(difference) = differences.get(number_of_row) else { return };
                let info = difference.kind.info();
                let has_place = state.place_of_difference(number_of_row).is_some();
                row.col(|ui| {
                    let text = RichText::new(info.code);
                    let text = if difference.exceeds {
                        text.color(ui.visuals().warn_fg_color)
                    } else {
                        text.weak()
                    };
                    let hover = format!("{}: {}", info.group, info.meaning);
                    if !has_place {
                        ui.label(text).on_hover_text(hover);
                    } else if ui.link(text).on_hover_text(hover).clicked() {
                        let show = CompareAction::ShowDifference(number_of_row);
                        out.push(Action::Compare(show));
                    }
                });
                row.col(|ui| {
                    let num = usize::try_from(difference.count).unwrap_or(usize::MAX);
                    at_right_ui(ui, count(num));
                });
                row.col(|ui| {
                    at_right_ui(
                        ui,
                        difference.amount.map_or_else(String::new, |amount| {
                            in_unit(state, amount, unit_of_difference(difference.kind))
                        }),
                    );
                });
                row.col(|ui| {
                    let what = display_text::shortened(&difference.what, MAX_MESSAGE_CHARS);
                    truncated_ui(ui, &*what, &*what);
                });
                if row.response().clicked() && has_place {
                    let show = CompareAction::ShowDifference(number_of_row);
                    out.push(Action::Compare(show));
                }
            });
        });
}
