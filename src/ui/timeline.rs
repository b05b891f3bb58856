//! Bottom: when.

use egui::{Align, ComboBox, DragValue, Layout, Ui};

use super::command_button::{command_button_ui, described};
use super::rows::rows_ui;
use super::time_track::time_track_ui;
use crate::model::ClipId;
use crate::state::{Action, AppState, Command, LoopMode};

/// Narrower than this, the controls take two rows.
const ONE_ROW_WIDTH: f32 = 1330.0;

pub(super) fn timeline_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let is_wide = ui.available_width() >= ONE_ROW_WIDTH;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        transport_ui(ui, state, out);
        ui.separator();
        position_ui(ui, state, out);
        if is_wide {
            right_ui(ui, state, out);
        }
    });
    if !is_wide {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            right_ui(ui, state, out);
        });
    }
    ui.add_space(2.0);
    time_track_ui(ui, state, out);
}

fn right_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        mode_ui(ui, state, out);
        ui.separator();
        clip_ui(ui, state, out);
        ui.separator();
        command_button_ui(ui, state, Command::ToggleAnimation, "Animation", out);
        command_button_ui(ui, state, Command::ToggleCurves, "Curves", out);
    });
}

fn transport_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    command_button_ui(ui, state, Command::FirstKey, "⏮", out);
    command_button_ui(ui, state, Command::PreviousKey, "⏴", out);
    let play = if state.tab.playback.is_playing { "⏸" } else { "▶" };
    let button = egui::Button::new(play).min_size(egui::vec2(34.0, 0.0));
    let enabled = Command::PlayPause.is_enabled(state);
    let response = ui.add_enabled(enabled, button);
    if described(response, state, Command::PlayPause).clicked() {
        out.push(Action::Run(Command::PlayPause));
    }
    command_button_ui(ui, state, Command::NextKey, "⏵", out);
    command_button_ui(ui, state, Command::LastKey, "⏭", out);
    command_button_ui(ui, state, Command::DefaultPose, "Default pose", out);
}

fn position_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let keys = state.key_times().filter(|keys| !keys.is_empty());
    let has_clip = state.clip().is_some();
    ui.add_enabled_ui(has_clip, |ui| {
        if let Some(keys) = keys {
            let last = keys.len() - 1;
            let mut key = state.current_key().unwrap_or(0);
            ui.weak("Key");
            let edit = DragValue::new(&mut key).range(0..=last).speed(0.15);
            if ui.add(edit).accessible_name("Key").changed() {
                out.push(Action::SeekKey(key));
            }
            ui.weak(format!("of {last}"));
        }
        let range = state.clip_range();
        let mut time = state.tab.playback.time_secs;
        ui.add_space(6.0);
        ui.weak("Time");
        let edit = DragValue::new(&mut time)
            .range(range.start_secs..=range.end_secs)
            .speed((range.duration_secs() / 400.0).max(1e-4))
            .fixed_decimals(3)
            .suffix(" s");
        if ui.add(edit).accessible_name("Time").changed() {
            out.push(Action::Seek(time));
        }
        ui.weak(format!("of {:.3} s", range.end_secs));
        if state.shows_default_pose() && has_clip {
            ui.weak("·  default pose");
        }
    });
}

/// From right to left.
fn mode_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let mut speed = state.tab.playback.speed;
    let edit = DragValue::new(&mut speed).speed(0.01).range(0.05..=8.0).max_decimals(2).suffix("×");
    if ui.add(edit).accessible_name("Speed").changed() {
        out.push(Action::SetSpeed(speed));
    }
    ui.weak("Speed");
    command_button_ui(ui, state, Command::ToggleDecomposed, "Decomposed", out);
    let linear = command_button_ui(ui, state, Command::ToggleLinear, "Linear", out);
    linear.on_hover_text("Off: the earlier key holds, as players of packed formats have it.");
    let mut mode = state.tab.playback.loop_mode;
    ComboBox::from_id_salt("loop")
        .width(84.0)
        .selected_text(mode.name())
        .show_ui(ui, |ui| {
            for choice in LoopMode::ALL {
                ui.selectable_value(&mut mode, choice, choice.name());
            }
        })
        .response
        .accessible_name("At the end");
    if mode != state.tab.playback.loop_mode {
        out.push(Action::SetLoop(mode));
    }
    if state.tab.playback.range.is_some() {
        command_button_ui(ui, state, Command::ClearRange, "Whole clip", out);
    }
}

fn clip_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        return;
    };
    let shown = state.tab.playback.clip;
    let text = shown.map_or("no clip".into(), |clip| document.clip_name(clip.index()));
    let mut wanted = shown;
    ui.add_enabled_ui(state.num_clips() > 0, |ui| {
        ComboBox::from_id_salt("clip")
            .width(180.0)
            .truncate()
            .selected_text(text)
            .show_ui(ui, |ui| {
                let clips = &document.model.clips;
                let at = shown.map(ClipId::index);
                rows_ui(ui, "clips", clips.len(), at, |ui, index| {
                    let name = document.clip_name(index);
                    let secs = clips.get(index).map_or(0.0, |clip| clip.duration_secs);
                    let id = ClipId::from_index(index);
                    let text = format!("{name}  ({secs:.2} s)");
                    ui.selectable_value(&mut wanted, Some(id), text);
                });
            })
            .response
            .accessible_name("Clip");
    });
    ui.weak("Clip");
    if Command::ToggleBindPair.is_enabled(state) {
        command_button_ui(ui, state, Command::ToggleBindPair, "Bind pair", out);
    }
    if let Some(clip) = wanted.filter(|_| wanted != shown) {
        out.push(Action::SetClip(clip));
    }
}
