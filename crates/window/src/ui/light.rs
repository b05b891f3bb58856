//! The Light pane: how materials are lit.

use egui::{RichText, ScrollArea, Slider, Ui};

use super::command_button::framed_command_button_ui;
use super::theme::gap;
use super::tooltips::{explained, explained_with_keys, truncated_ui};
use super::widgets::heading_ui;
use rigscope_core::model::display_text;
use rigscope_core::visual::{EXPOSURE_CENTISTOPS, Light, MAX_INTENSITY_PERCENT, Shading};
use rigscope_state::{Action, AppState, Command};

pub(super) fn light_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ScrollArea::vertical().id_salt("light").auto_shrink([false, false]).show(ui, |ui| {
        let light = &state.tab.view.overlays.light;
        for (heading, rows) in ["Shading", "Environment", "Backdrop", "Tone mapping"]
            .into_iter()
            .zip(Command::light_rows())
        {
            heading_ui(ui, heading);
            ui.horizontal_wrapped(|ui| {
                for &command in rows {
                    framed_command_button_ui(ui, state, command, command.info().name, out);
                }
            });
            if heading == "Environment" {
                file_ui(ui, state, out);
            }
            ui.add_space(gap::MEDIUM);
        }
        numbers_ui(ui, light, out);
        if light.shading == Shading::Plain {
            ui.weak("Plain shading uses lights that are fixed to the camera.");
        } else if !state.has_materials() {
            ui.weak("The file has no materials, so the environment has no effect.");
        }
    });
}

/// The image file that lights the model.
fn file_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        framed_command_button_ui(ui, state, Command::LightByFile, "Load an image…", out);
        let Some(file) = state.tab.view.user_images.environment() else { return };
        framed_command_button_ui(ui, state, Command::RemoveLightFile, "✖", out);
        let size = file.facts.size_px.map(|[width, height]| format!("{width}×{height}, "));
        let path = display_text::name(&file.path.display().to_string()).into_owned();
        let about = format!("{}{}\n{path}", size.unwrap_or_default(), file.facts.format);
        let name = display_text::name(&file.name()).into_owned();
        let name = match state.active_environment() {
            Some(_) => RichText::new(name),
            // Another environment is active.
            None => RichText::new(name).weak(),
        };
        truncated_ui(ui, name, about);
    });
}

/// The numbers, in rows of equal width.
#[expect(clippy::cast_possible_truncation, reason = "sliders hold values within their ranges")]
fn numbers_ui(ui: &mut Ui, light: &Light, out: &mut Vec<Action>) {
    let is_lit = light.is_from_environment();
    let has_exposure = light.shading == Shading::Physical;
    let mut stops = f64::from(light.exposure_centistops) / 100.0;
    let mut percent = i32::from(light.intensity_percent);
    let mut degrees = i32::from(light.turn_degrees);
    let (least, most) = (*EXPOSURE_CENTISTOPS.start(), *EXPOSURE_CENTISTOPS.end());
    let range = f64::from(least) / 100.0..=f64::from(most) / 100.0;
    let mut is_changed = false;
    egui::Grid::new("light numbers").num_columns(2).show(ui, |ui| {
        let mut row = |name: &str, help: &str, keys: &[Command], is_enabled, slider: Slider<'_>| {
            ui.label(name);
            let response = ui.add_enabled(is_enabled, slider);
            let response = match keys {
                [] => explained(response, help),
                _ => explained_with_keys(response, help, keys),
            };
            is_changed |= response.accessible_name(name).changed();
            ui.end_row();
        };
        row(
            "Exposure",
            "Sets the exposure in stops: 1 more doubles the brightness. Applies to physically based shading.",
            &[Command::Brighter, Command::Darker],
            has_exposure,
            Slider::new(&mut stops, range).fixed_decimals(2).suffix(" EV"),
        );
        row(
            "Intensity",
            "Sets the strength of the environment.",
            &[],
            is_lit,
            Slider::new(&mut percent, 0..=i32::from(MAX_INTENSITY_PERCENT))
                .logarithmic(true)
                .suffix(" %"),
        );
        row(
            "Rotation",
            "Rotates the environment, anticlockwise from above. In the view, drag with Shift and the right \
             button.",
            &[Command::TurnLightLeft, Command::TurnLightRight],
            is_lit,
            Slider::new(&mut degrees, -180..=180).suffix("°"),
        );
    });
    if is_changed {
        out.push(Action::SetLight(Light {
            exposure_centistops: (stops * 100.0).round() as i16,
            intensity_percent: u16::try_from(percent).unwrap_or(u16::MAX),
            turn_degrees: i16::try_from(degrees).unwrap_or_default(),
            ..*light
        }));
    }
}
