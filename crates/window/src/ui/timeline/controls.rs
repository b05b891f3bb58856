//! The timeline's controls: buttons and fields for the clip, the time and playback.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    ComboBox, DragValue, Id, PopupCloseBehavior, Response, TextStyle, Ui, WidgetText, vec2,
};

use super::pose_choice::pose_choice_ui;
use super::runtime_choice::runtime_choice_ui;
use crate::ui::clip_list::ClipList;
use crate::ui::command_button::{command_button_ui, described};
use crate::ui::format::{frames, time as time_text};
use crate::ui::rows::popup_height;
use crate::ui::theme::gap;
use crate::ui::tooltips::explained_with_keys;
use rigscope_state::{Action, AppState, Command, LoopMode, Pane};

/// Space between the two groups of controls in a shared row.
const GAP: f32 = 16.0;
/// Below this width, the controls take three rows.
const NARROW: f32 = 720.0;
/// Below this width, they take one row, and a menu contains the less used ones.
const COMPACT: f32 = 560.0;
/// Number fields keep their width while the numbers change.
const FIELD_WIDTH: f32 = 62.0;
/// The panes about animation.
const PANES: [(Command, &str); 2] =
    [(Command::pane(Pane::Curves), "Curves"), (Command::pane(Pane::Animation), "Animation")];

/// Time controls on the left, clip and playback options on the right. If they don't fit into one row, each
/// group gets its own row, or more if necessary.
pub(super) fn controls_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if ui.available_width() < COMPACT {
        ui.horizontal_wrapped(|ui| compact_ui(ui, state, out));
        return;
    }
    let id = ui.scope_id().with("width of controls");
    let known: Option<f32> = ui.data(|data| data.get_temp(id));
    let free = known.map(|width| ui.available_width() - width).filter(|free| *free >= 0.0);
    ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
    let (left, right) = match free {
        Some(free) => {
            ui.horizontal(|ui| {
                let left = ui.horizontal(|ui| moment_ui(ui, state, out)).response;
                ui.add_space(free + GAP - 8.0);
                (left, ui.horizontal(|ui| clip_ui(ui, state, out)).response)
            })
            .inner
        }
        None => (
            ui.horizontal_wrapped(|ui| moment_ui(ui, state, out)).response,
            ui.horizontal_wrapped(|ui| clip_ui(ui, state, out)).response,
        ),
    };
    let width = left.rect.width() + GAP + right.rect.width();
    ui.data_mut(|data| data.insert_temp(id, width));
}

/// Controls that fit into one row of the narrowest window.
fn compact_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
    transport_ui(ui, state, out);
    position_ui(ui, state, out);
    if state.tab.document.is_some() {
        clip_choice_ui(ui, state, out);
    }
    // Stay open, because the user may change several options, and drags the speed.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::new("»").config(stays).ui(ui, |ui| {
        pose_choice_ui(ui, state, out);
        ui.separator();
        let mut mode = state.tab.playback.loop_mode;
        for choice in LoopMode::ALL {
            ui.selectable_value(&mut mode, choice, choice.name());
        }
        set_loop(state, mode, out);
        ui.separator();
        sampling_ui(ui, state, out);
        runtime_choice_ui(ui, state, out);
        ui.separator();
        for (command, name) in PANES {
            command_button_ui(ui, state, command, name, out);
        }
    });
    response.on_hover_text("More timeline controls").accessible_name("More timeline controls");
}

fn moment_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    transport_ui(ui, state, out);
    pose_choice_ui(ui, state, out);
    ui.separator();
    position_ui(ui, state, out);
}

fn clip_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.document.is_some() {
        clip_choice_ui(ui, state, out);
        ui.separator();
    }
    mode_ui(ui, state, out);
    runtime_choice_ui(ui, state, out);
    panes_ui(ui, state, out);
}

/// Both buttons in one row: in the current one if they fit, otherwise in the next.
fn panes_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let around = 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x;
    let width = |name: &str| {
        let text = WidgetText::from(name);
        text.into_galley(ui, None, f32::INFINITY, TextStyle::Button).size().x + around
    };
    let needed: f32 = PANES.iter().map(|(_, name)| width(name)).sum();
    // A separator and the gaps around it.
    let has_room = needed + GAP <= ui.available_size_before_wrap().x;
    if ui.layout().main_wrap && !has_room {
        ui.end_row()
    } else {
        _ = ui.separator()
    }
    for (command, name) in PANES {
        command_button_ui(ui, state, command, name, out);
    }
}

/// A field of constant width, for `0` as well as `-10.123 s`.
fn field_ui(ui: &mut Ui, edit: DragValue<'_>, name: &str) -> Response {
    let height = ui.spacing().interact_size.y;
    ui.add_sized([FIELD_WIDTH, height], edit).accessible_name(name)
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
}

fn position_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let is_compact = ui.max_rect().width() < COMPACT;
    let beside = |ui: &mut Ui, text: String| {
        if !is_compact {
            ui.weak(text);
        }
    };
    let keys = state.key_times().filter(|keys| !keys.is_empty());
    let has_clip = state.clip().is_some();
    ui.add_enabled_ui(has_clip, |ui| {
        if let Some(keys) = keys {
            let last = keys.len() - 1;
            let mut key = state.current_key().unwrap_or(0);
            beside(ui, "Key".into());
            let edit = DragValue::new(&mut key).range(0..=last).speed(0.15);
            let response = field_ui(ui, edit, "Key");
            let help = format!("Goes to a key by its number, from 0 to {last}.");
            let keys = [Command::PreviousKey, Command::NextKey];
            if explained_with_keys(response, &help, &keys).changed() {
                out.push(Action::SeekKey(key));
            }
            beside(ui, format!("of {last}"));
        }
        let range = state.clip_range();
        let clip = state.tab.playback.clip;
        let frame_secs = clip.and_then(|clip| state.shown_frame_secs(clip));
        let unit_secs = frame_secs.unwrap_or(1.0);
        let mut time = state.tab.playback.time_secs / unit_secs;
        if !is_compact {
            ui.add_space(gap::MEDIUM);
        }
        beside(ui, if frame_secs.is_some() { "Frame" } else { "Time" }.into());
        let edit = DragValue::new(&mut time)
            .range(range.start_secs / unit_secs..=range.end_secs / unit_secs)
            .speed((range.duration_secs() / unit_secs / 400.0).max(1e-4));
        let edit = match frame_secs {
            Some(_) => edit.custom_formatter(|frame, _| frames(frame)),
            None => edit.fixed_decimals(3).suffix(" s"),
        };
        let response = field_ui(ui, edit, "Time");
        let end = time_text(state, clip, range.end_secs);
        let help = format!("Goes to a time; the clip ends at {end}.");
        let keys = [Command::FirstKey, Command::LastKey];
        if explained_with_keys(response, &help, &keys).changed() {
            out.push(Action::Seek(time * unit_secs));
        }
        let end = end.strip_prefix("frame ").unwrap_or(&end);
        beside(ui, format!("of {end}"));
    });
}

fn mode_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let mut mode = state.tab.playback.loop_mode;
    let response = ComboBox::from_id_salt("loop")
        .width(84.0)
        .selected_text(mode.name())
        .show_ui(ui, |ui| {
            for choice in LoopMode::ALL {
                ui.selectable_value(&mut mode, choice, choice.name());
            }
        })
        .response;
    let help = "Sets the behaviour at the end of the clip.";
    explained_with_keys(response, help, &[Command::CycleLoop]).accessible_name("Loop mode");
    set_loop(state, mode, out);
    sampling_ui(ui, state, out);
}

fn set_loop(state: &AppState, mode: LoopMode, out: &mut Vec<Action>) {
    if mode != state.tab.playback.loop_mode {
        out.push(Action::SetLoop(mode));
    }
}

/// Playback range, interpolation and speed.
fn sampling_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.playback.range.is_some() {
        command_button_ui(ui, state, Command::ClearRange, "Whole clip", out);
    }
    command_button_ui(ui, state, Command::ToggleLinear, "Linear", out);
    command_button_ui(ui, state, Command::ToggleDecomposed, "Decomposed", out);
    ui.weak("Speed");
    let mut speed = state.tab.playback.speed;
    let edit = DragValue::new(&mut speed).speed(0.01).range(0.05..=8.0).max_decimals(2).suffix("×");
    let response = explained_with_keys(
        ui.add(edit),
        "Sets the playback speed; 1 is the original speed.",
        &[Command::Slower, Command::Faster, Command::NormalSpeed],
    );
    if response.accessible_name("Speed").changed() {
        out.push(Action::SetSpeed(speed));
    }
}

fn clip_choice_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else { return };
    let shown = state.tab.playback.clip;
    let text = shown.map_or("No clip".into(), |clip| document.clip_name(clip.index()));
    let mut wanted = shown;
    let width = ui.max_rect().width();
    // In a narrow window, a shorter name keeps everything in one row.
    let clip_width = match ui.layout().main_wrap() {
        true if width < COMPACT => 84.0,
        true if width < NARROW => 110.0,
        _ => 180.0,
    };
    ui.add_enabled_ui(state.num_clips() > 0, |ui| {
        let height = popup_height(ui);
        let response = ComboBox::from_id_salt("clip")
            .width(clip_width)
            .truncate()
            .selected_text(text)
            .height(height)
            // Clicking the filter must not close the list.
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
            .show_ui(ui, |ui| {
                let list = ClipList {
                    state,
                    document,
                    name: "clips",
                    selected: shown,
                    popup_height: Some(height),
                };
                let mut clicked = None;
                let first = list.show(ui, Id::unique("clips to play"), |ui, clip, text| {
                    if ui.selectable_label(shown == Some(clip), text).clicked() {
                        clicked = Some(clip);
                    }
                });
                if let Some(clip) = clicked.or(first) {
                    wanted = Some(clip);
                    ui.close();
                }
            })
            .response;
        let keys = [Command::PreviousClip, Command::NextClip];
        explained_with_keys(response, "Chooses the clip to play.", &keys).accessible_name("Clip");
    });
    if Command::ToggleBindPair.is_enabled(state) {
        command_button_ui(ui, state, Command::ToggleBindPair, "Bind pair", out);
    }
    if let Some(clip) = wanted.filter(|_| wanted != shown) {
        out.push(Action::SetClip(clip));
    }
}
