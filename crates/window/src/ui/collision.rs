//! The Collision pane: hulls, occlusion mesh and bounds.

use egui::{Response, ScrollArea, Ui};
use egui_extras::{Column, TableBuilder};

use super::command_button::framed_command_button_ui;
use super::context_menu::row_menu_ui;
use super::format::{self, count, number, vec3};
use super::theme::gap;
use super::tooltips::{explained_by_command, explained_with_keys};
use super::widgets::{changed_selection, counted_heading_ui, document_id, facts_ui, heading_ui};
use rigscope_core::visual::Switch;
use rigscope_state::{
    Action, AppState, BoundsVerdict, CollisionAction, Command, Document, REACH_TASK, Selection,
};

const ROW_HEIGHT: f32 = 20.0;

pub(super) fn collision_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    ui.horizontal_wrapped(|ui| {
        for (command, label) in [
            (Command::switch(Switch::Hulls), "Hulls"),
            (Command::switch(Switch::Occluder), "Occlusion mesh"),
            (Command::switch(Switch::Silhouette), "Silhouette"),
            (Command::switch(Switch::StoredBounds), "Stored bounds"),
            (Command::switch(Switch::TrueBounds), "Computed bounds"),
        ] {
            framed_command_button_ui(ui, state, command, label, out);
        }
    });
    ScrollArea::vertical().id_salt("collision").auto_shrink([false, false]).show(ui, |ui| {
        bounds_ui(ui, state, document, out);
        if let Some(occluder) = &document.model.occluder {
            ui.add_space(gap::MEDIUM);
            heading_ui(ui, "Occlusion mesh");
            let facts = [
                ("Vertices", count(occluder.positions.len())),
                ("Triangles", count(occluder.indices.len() / 3)),
                ("Edges", count(document.collision.occluder_edges.len())),
            ];
            facts_ui(ui, &facts);
        }
        if !document.model.hulls.is_empty() {
            ui.add_space(gap::MEDIUM);
            counted_heading_ui(ui, "Hulls", document.model.hulls.len());
            let flat = document.collision.hulls.iter().filter(|h| h.is_none());
            let flat = flat.count();
            if flat > 0 {
                let text =
                    format!("{} without volume, drawn as crosses.", format::counted(flat, "hull"));
                ui.colored_label(ui.visuals().warn_fg_color, text);
            }
            ui.weak("Select a hull in the outline to see its points.");
        }
        if document.model.hulls.is_empty() && document.model.occluder.is_none() {
            ui.add_space(gap::MEDIUM);
            ui.weak("The file has no hulls and no occlusion mesh.");
        }
    });
}

fn bounds_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    heading_ui(ui, "Bounds (in file space and units)");
    let stored = document.model.stored_bounds;
    let reach = state.tab.view.collision.reach.get();
    if stored.is_none() {
        ui.weak("The file stores no bounds.");
    }
    if let Some(verdicts) = state.bounds_verdicts() {
        for verdict in &verdicts {
            verdict_ui(ui, verdict);
        }
    }
    if state.is_running(REACH_TASK) {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak("Measuring all clips…");
        });
    } else if reach.is_none() {
        let response = ui.button("Measure all clips").on_hover_text(
            "Poses the model at every key of every clip and compares it with the stored bounds.",
        );
        if response.clicked() {
            out.push(Action::Collision(CollisionAction::Measure));
        }
    }
    let mut facts = Vec::new();
    if let Some(stored) = stored {
        facts.extend([
            ("Stored box, minimum", vec3(stored.aabb.min)),
            ("Stored box, maximum", vec3(stored.aabb.max)),
            ("Stored sphere, centre", vec3(stored.sphere_center)),
            ("Stored sphere, radius", number(stored.sphere_radius)),
        ]);
    }
    if let Some(reach) = reach {
        facts.extend([
            ("Computed box, minimum", vec3(reach.bounds.min)),
            ("Computed box, maximum", vec3(reach.bounds.max)),
            ("Computed sphere, centre", vec3(reach.sphere_center)),
            ("Computed sphere, radius", number(reach.sphere_radius)),
            (
                "Measured",
                format!(
                    "{} of {}",
                    format::counted(reach.num_poses, "pose"),
                    format::counted(reach.num_clips, "clip")
                ),
            ),
        ]);
    }
    if let Some(excess) = state.stored_box_excess() {
        facts.push(("Stored box", format!("{} times the computed diagonal", number(excess))));
    }
    facts_ui(ui, &facts);
}

fn verdict_ui(ui: &mut Ui, verdict: &BoundsVerdict) {
    if verdict.holds {
        ui.label(format!("✔ {}", verdict.text));
    } else {
        let color = ui.visuals().error_fg_color;
        ui.colored_label(color, format!("✖ {}", verdict.text));
    }
}

/// The collision part of the outline: a switch for each element that the file has.
pub(super) fn collision_outline_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    out: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        heading_ui(ui, "Collision");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let help =
                "Opens the Collision pane, which checks whether the stored bounds contain the model.";
            let link = ui.link("Details…");
            let command = Command::pane(rigscope_state::Pane::Collision);
            if explained_with_keys(link, help, &[command]).clicked() {
                out.push(Action::ShowPane(rigscope_state::Pane::Collision, true));
            }
        });
    });
    let parts: Vec<_> = [
        (Command::switch(Switch::Hulls), "Hulls"),
        (Command::switch(Switch::Occluder), "Occlusion mesh"),
        (Command::switch(Switch::Silhouette), "Occlusion silhouette"),
        (Command::switch(Switch::StoredBounds), "Stored bounds"),
        (Command::switch(Switch::TrueBounds), "Computed bounds"),
    ]
    .into_iter()
    .filter(|(command, _)| command.is_enabled(state))
    .collect();
    let num_hulls = document.model.hulls.len();
    let id = document_id(state, "collision parts");
    let selected = match state.tab.selection {
        Selection::Hull(hull) => Some(hull),
        _ => None,
    };
    let changed_selection = changed_selection(ui, id, selected);
    let table = TableBuilder::new(ui)
        .id_salt(id)
        .animate_scrolling(false)
        .cell_layout(egui::Layout::left_to_right(egui::Align::Center))
        .column(Column::exact(24.0))
        .column(Column::remainder().clip(true))
        .auto_shrink([false, false]);
    let table = match changed_selection {
        Some(hull) => table.scroll_to_row(parts.len() + hull, None),
        None => table,
    };
    table.body(|body| {
        body.rows(ROW_HEIGHT, parts.len() + num_hulls, |mut row| {
            let number = row.index();
            if let Some(&(command, name)) = parts.get(number) {
                let is_on = command.is_on(state);
                row.col(|ui| {
                    let eye = eye_ui(ui, is_on, name);
                    if explained_with_keys(eye, verb(is_on), &[command]).clicked() {
                        out.push(Action::Run(command));
                    }
                });
                row.col(|ui| {
                    explained_by_command(ui.label(name), state, command);
                });
                return;
            }
            let hull = number - parts.len();
            hull_row_ui(&mut row, state, document, hull, out);
        });
    });
}

fn hull_row_ui(
    row: &mut egui_extras::TableRow<'_, '_>,
    state: &AppState,
    document: &Document,
    hull: usize,
    out: &mut Vec<Action>,
) {
    let name = format!("Hull {hull}");
    let is_shown = state.tab.view.shows_hull(hull);
    row.col(|ui| {
        if eye_ui(ui, is_shown, &name).on_hover_text(verb(is_shown)).clicked() {
            out.push(Action::Collision(CollisionAction::ShowHull(hull, !is_shown)));
        }
    });
    row.col(|ui| {
        let is_selected = state.tab.selection == Selection::Hull(hull);
        let response = ui.selectable_label(is_selected, &name);
        if response.contains_pointer() {
            out.push(Action::HoverRow(Some(Selection::Hull(hull))));
        }
        if response.clicked() {
            out.push(Action::Select(Selection::Hull(hull)));
        }
        if response.double_clicked() {
            out.push(Action::Run(Command::FrameSelection));
        }
        row_menu_ui(&response, state, Selection::Hull(hull), out);
        let points = document.model.hulls.get(hull).map_or(0, |h| h.points.len());
        ui.weak(format::counted(points, "point"));
    });
}

fn verb(is_shown: bool) -> &'static str {
    if is_shown { "Hide" } else { "Show" }
}

fn eye_ui(ui: &mut Ui, is_shown: bool, name: &str) -> Response {
    let text = egui::RichText::new(if is_shown { "👁" } else { "–" });
    let text = if is_shown { text } else { text.weak() };
    ui.add(egui::Button::new(text).frame(false))
        .accessible_name(format!("{} {name}", verb(is_shown)))
}
