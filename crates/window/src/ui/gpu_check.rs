//! The pane "GPU check": deviation of the GPU's vertices from the CPU's.

use egui::{ProgressBar, RichText, ScrollArea, Ui};

use super::command_button::framed_command_button_ui;
use super::format::{capital, count, degrees, number, with_unit};
use super::theme::gap;
use super::widgets::facts_ui;
use rigscope_state::{Action, AppState, Command, GpuCheckAction, GpuDeviation};

pub(super) fn gpu_check_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ScrollArea::vertical()
        .id_salt("truth")
        .auto_shrink([false, false])
        .show(ui, |ui| content_ui(ui, state, out));
}

fn content_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::CheckGpu, "Check this pose", out);
        framed_command_button_ui(ui, state, Command::CheckGpuClip, "Check the clip", out);
    });
    if let Some((done, wanted)) = state.tab.view.gpu_check.progress() {
        let share = done as f32 / wanted.max(1) as f32;
        ui.add(ProgressBar::new(share).text(format!("{done} of {wanted} poses")));
        if ui.button("Stop the check").clicked() {
            out.push(Action::GpuCheck(GpuCheckAction::Cancel));
        }
        return;
    }
    if let Some(problem) = &state.tab.view.gpu_check.problem {
        ui.colored_label(ui.visuals().error_fg_color, capital(problem));
    }
    match &state.tab.view.gpu_check.outcome {
        Some(outcome) => outcome_ui(ui, state, outcome, out),
        None => {
            ui.weak(
                "Reads the skinned vertices back from the GPU and compares them with the CPU's.",
            );
        }
    }
}

fn verdict_ui(ui: &mut Ui, outcome: &GpuDeviation) {
    let color = if outcome.is_sound() {
        ui.visuals().strong_text_color()
    } else {
        ui.visuals().error_fg_color
    };
    ui.label(RichText::new(outcome.verdict()).strong().color(color));
    ui.add_space(gap::SMALL);
}

fn outcome_ui(ui: &mut Ui, state: &AppState, outcome: &GpuDeviation, out: &mut Vec<Action>) {
    ui.add_space(gap::SMALL);
    verdict_ui(ui, outcome);
    let facts = [
        ("Largest distance", with_unit(outcome.max, "units")),
        ("Of the extent", format!("{} ppm", number(outcome.max_of_extent * 1e6))),
        ("Largest angle of normals", degrees(outcome.max_normal_deg)),
        ("Poses", count(outcome.num_poses)),
        ("GPU", state.timings.adapter.clone()),
    ];
    facts_ui(ui, &facts);
    // If all deviations are 0, there is no worst vertex.
    if let Some((_, vertex, pose)) = outcome.worst.as_ref().filter(|_| outcome.max > 0.0) {
        ui.horizontal_wrapped(|ui| {
            ui.weak("Farthest off");
            let link = ui.link(format!("vertex {}", vertex.0));
            if link.accessible_name("Worst vertex of the GPU").clicked() {
                out.push(Action::GpuCheck(GpuCheckAction::ShowWorst));
            }
            ui.weak(state.checked_pose_text(pose));
        });
    }
    let button =
        egui::Button::selectable(state.shows_gpu_deviation(), "Distances of the GPU as colours")
            .frame_when_inactive(true);
    let has_any = outcome.max > 0.0;
    let response = ui.add_enabled(has_any, button);
    if response.on_disabled_hover_text("No vertex deviates").clicked() {
        out.push(Action::GpuCheck(GpuCheckAction::ToggleHeat));
    }
}
