//! The pane "GPU check": deviation of the GPU's vertices from the CPU's.

use egui::{ProgressBar, RichText, ScrollArea, Ui};

use super::command_button::framed_command_button_ui;
use super::format::{capital, count, degrees, length, number};
use super::second_model::{ColorsButton, colors_button_ui};
use super::theme::gap;
use super::widgets::facts_ui;
use rigscope_state::{
    Action, AppState, Command, GpuCheckAction, GpuDeviation, Painter, SecondAction,
};

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
        let help = "Ends the check, keeping the result so far.";
        if ui.button("Stop").on_hover_text(help).clicked() {
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
                "Reads the skinned vertices back from the GPU and compares them with those of the CPU.",
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
        ("Largest distance", length(state, outcome.max)),
        ("Relative to the size", format!("{} ppm", number(outcome.max_of_extent * 1e6))),
        ("Largest angle between normals", degrees(outcome.max_normal_deg)),
        ("Poses", count(outcome.num_poses)),
        ("GPU", state.timings.adapter.clone()),
    ];
    facts_ui(ui, &facts);
    // If all deviations are 0, there is no worst vertex.
    if let Some(worst) = outcome.worst.filter(|_| outcome.max > 0.0) {
        ui.horizontal_wrapped(|ui| {
            ui.weak("Largest at");
            let help =
                "Selects the vertex with the largest deviation in the pose of the deviation.";
            let link = ui.link(format!("vertex {}", worst.vertex.vertex.0)).on_hover_text(help);
            if link.accessible_name("Vertex with the largest deviation").clicked() {
                out.push(Action::Second(SecondAction::ShowWorst(worst)));
            }
            ui.weak(state.moment_text(&worst));
        });
    }
    let button = ColorsButton {
        painter: Painter::GpuCheck,
        label: "Deviations as colours",
        help: "Colours each vertex by the distance between GPU and CPU.",
        needs: "No vertex deviates.",
    };
    colors_button_ui(ui, state, button, outcome.max > 0.0, out);
}
