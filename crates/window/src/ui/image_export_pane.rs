//! The image pane: a still, a turntable, or a loop of the clip.

use egui::{ComboBox, DragValue, Grid, ProgressBar, Ui, vec2};

use super::format;
use super::side_pane::side_pane_ui;
use super::theme::gap;
use super::tooltips::{explained, explained_by_command, explained_with_keys};
use rigscope_state::{
    Action, AppState, Command, ImageExportAction, ImageExportChoice, ImageExportFormat,
    ImageExportKind, ImageExportOutcome, MAX_IMAGES, Stage,
};

/// Longest side: every GPU can draw it at twice the size.
const MAX_SIDE_PX: u32 = 8192;

pub(super) fn image_export_pane_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let pictures = &state.tab.view.image_export;
    let is_running = pictures.stage.job().is_some();
    let mut choice = pictures.choice;
    let pressed = side_pane_ui(ui, "Save image", "Save as…", !is_running, |ui| {
        ui.add_enabled_ui(!is_running, |ui| choice_ui(ui, state, &mut choice));
        if choice.kind == ImageExportKind::Still {
            ui.add_space(gap::MEDIUM);
            let copy = ui.button("Copy to the clipboard");
            if explained_by_command(copy, state, Command::CopyImage).clicked() {
                out.push(Action::ImageExport(ImageExportAction::Copy));
            }
        }
        stage_ui(ui, &pictures.stage, out);
    });
    if choice != pictures.choice {
        out.push(Action::ImageExport(ImageExportAction::Choose(choice)));
    }
    if pressed.main {
        out.push(Action::ImageExport(ImageExportAction::Pick));
    } else if pressed.close {
        out.push(Action::CloseDialog);
    }
}

fn choice_ui(ui: &mut Ui, state: &AppState, choice: &mut ImageExportChoice) {
    // Kinds have different rows, so each has its own grid.
    let grid = Grid::new(("picture choice", choice.kind as u8)).num_columns(2);
    grid.spacing(vec2(16.0, 6.0)).show(ui, |ui| {
        ui.label("Kind");
        ui.horizontal(|ui| {
            let still = ui.selectable_value(&mut choice.kind, ImageExportKind::Still, "Still");
            explained_with_keys(still, "Saves one image.", &[Command::SaveImage]);
            ui.selectable_value(&mut choice.kind, ImageExportKind::Turntable, "Turntable")
                .on_hover_text("Saves a full orbit of the camera around its target.");
            ui.add_enabled_ui(state.can_play(), |ui| {
                let clip = ui.selectable_value(&mut choice.kind, ImageExportKind::Clip, "Clip");
                explained(clip, "Saves one loop of the clip.");
            });
        });
        ui.end_row();
        if choice.kind != ImageExportKind::Still {
            moving_ui(ui, choice);
        }
        ui.label("Size");
        ui.horizontal(|ui| size_ui(ui, state, choice));
        ui.end_row();
        let label = ui.label("Antialiasing");
        ComboBox::from_id_salt("supersampling")
            .width(190.0)
            .selected_text(smoothing(choice.supersampling))
            .show_ui(ui, |ui| {
                for times in [1, 2, 4] {
                    let name = smoothing(times);
                    ui.selectable_value(&mut choice.supersampling, times, name);
                }
            })
            .response
            .on_hover_text("Renders with more samples per pixel for smoother edges.")
            .labelled_by(label.id);
        ui.end_row();
        ui.label("Include");
        ui.vertical(|ui| {
            ui.checkbox(&mut choice.is_transparent, "Transparent background")
                .on_hover_text("Leaves the background transparent.");
            ui.checkbox(&mut choice.has_overlays, "Ground, compass, bones and selection")
                .on_hover_text("Draws ground grid, compass, bones and selection as in the view.");
        });
        ui.end_row();
    });
}

fn smoothing(times: u32) -> &'static str {
    match times {
        1 => "None",
        2 => "4 samples per pixel",
        _ => "16 samples per pixel",
    }
}

fn moving_ui(ui: &mut Ui, choice: &mut ImageExportChoice) {
    ui.label("Files");
    ui.horizontal(|ui| {
        let format = &mut choice.format;
        ui.selectable_value(format, ImageExportFormat::Gif, "One GIF")
            .on_hover_text("Saves an animated GIF, with 256 colours per image.");
        ui.selectable_value(format, ImageExportFormat::WebP, "One WebP")
            .on_hover_text("Saves an animated WebP, without loss and with partial transparency.");
        ui.selectable_value(format, ImageExportFormat::Png, "Numbered PNGs")
            .on_hover_text("Saves one PNG per image, with numbered names.");
    });
    ui.end_row();
    let label = ui.label("Images");
    ui.horizontal(|ui| {
        let images = DragValue::new(&mut choice.num_images).range(2..=MAX_IMAGES);
        ui.add(images)
            .on_hover_text("Sets the number of images in the turntable or loop.")
            .labelled_by(label.id);
        if choice.format != ImageExportFormat::Png {
            let rate = DragValue::new(&mut choice.images_per_sec).range(1.0..=50.0).max_decimals(2);
            ui.add(rate)
                .on_hover_text("Sets the frame rate of the animation.")
                .accessible_name("Images per second");
            let secs = f64::from(choice.num_images) / choice.images_per_sec.max(1.0);
            ui.label(format!("per second, {secs:.1} s in total"));
        }
    });
    ui.end_row();
}

fn size_ui(ui: &mut Ui, state: &AppState, choice: &mut ImageExportChoice) {
    let [width, height] = &mut choice.size_px;
    let side = |value| DragValue::new(value).range(16..=MAX_SIDE_PX);
    ui.add(side(width)).accessible_name("Width");
    ui.label("×");
    ui.add(side(height)).accessible_name("Height");
    let presets = ui.menu_button("Presets", |ui| {
        let view = state.view_size_points.round().max(glam::Vec2::splat(16.0));
        #[expect(clippy::cast_possible_truncation, reason = "a screen has few pixels")]
        #[expect(clippy::cast_sign_loss, reason = "held above 0")]
        let of_view = [view.x as u32, view.y as u32];
        for (name, size_px) in [
            ("Size of the view", of_view),
            ("Twice the size of the view", of_view.map(|side| side * 2)),
            ("1920 × 1080", [1920, 1080]),
            ("3840 × 2160", [3840, 2160]),
            ("1024 × 1024", [1024, 1024]),
            ("480 × 360", [480, 360]),
        ] {
            if ui.button(name).clicked() {
                choice.size_px = size_px;
                ui.close();
            }
        }
    });
    presets.response.on_hover_text("Sets the size to a common value.");
}

fn stage_ui(ui: &mut Ui, stage: &Stage<ImageExportOutcome>, out: &mut Vec<Action>) {
    ui.add_space(gap::MEDIUM);
    match stage {
        Stage::Choosing => {}
        Stage::Running { what, fraction, .. } => {
            ui.horizontal(|ui| {
                let bar = ProgressBar::new(*fraction).desired_width(ui.available_width() - 80.0);
                ui.add(bar.text(*what));
                let help = "Stops saving. No incomplete file is written.";
                if ui.button("Cancel").on_hover_text(help).clicked() {
                    out.push(Action::ImageExport(ImageExportAction::Cancel));
                }
            });
        }
        Stage::Failed(message) => {
            let text = format!("Not saved: {message}");
            ui.colored_label(ui.visuals().error_fg_color, text);
        }
        Stage::Done(outcome) => done_ui(ui, outcome),
    }
}

fn done_ui(ui: &mut Ui, outcome: &ImageExportOutcome) {
    let size = format::bytes(outcome.num_bytes);
    let path = outcome.path.display();
    ui.label(match outcome.num_files {
        1 => format!("Saved {path} ({size})"),
        num => format!("Saved {num} files, the first as {path} ({size})"),
    });
}
