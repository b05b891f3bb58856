//! Legend of direction lines and marked bad triangles, in the lower left corner of the view.

use egui::{Color32, Rect, Rgba, RichText, Slider, Ui, vec2};

use super::format::counted;
use super::theme::colors;
use super::tooltips::explained_with_keys;
use rigscope_core::visual::{ShowGroup, Switch};
use rigscope_state::{
    Action, AppState, BAD_TRIANGLES_TASK, Command, GLYPH_PERMILLE, SurfaceAction,
};

/// Size of the card; the difference of one row isn't noticeable.
const SIZE: egui::Vec2 = vec2(320.0, 102.0);
const MARGIN: f32 = 12.0;
/// Space for the compass.
const COMPASS: f32 = 120.0;

/// The card's height including margins; 0 if it isn't shown.
pub(super) fn height(state: &AppState) -> f32 {
    let overlays = &state.tab.view.overlays;
    let has_glyphs = overlays.normals || overlays.tangents || overlays.bitangents;
    if has_glyphs || overlays.bad_triangles { SIZE.y + 2.0 * MARGIN } else { 0.0 }
}

pub(super) fn glyph_legend_ui(ui: &mut Ui, state: &AppState, rect: Rect, out: &mut Vec<Action>) {
    let overlays = &state.tab.view.overlays;
    let is_direction = |switch: &Switch| switch.info().group == ShowGroup::Directions;
    let shown = Switch::all().filter(is_direction).filter(|&switch| overlays.get(switch));
    let kinds: Vec<_> = shown.flat_map(|switch| switch.info().legend).collect();
    let marks_bad = overlays.bad_triangles;
    if kinds.is_empty() && !marks_bad {
        return;
    }
    // Right of the compass.
    let corner = rect.left_bottom() + vec2(COMPASS, -MARGIN - SIZE.y);
    let place = Rect::from_min_size(corner, SIZE);
    ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
        ui.with_layout(egui::Layout::bottom_up(egui::Align::Min), |ui| {
            if marks_bad {
                bad_ui(ui, state);
            }
            if !kinds.is_empty() {
                length_ui(ui, state, out);
                if let Some(text) = state.normals_text() {
                    let text = RichText::new(text).color(colors(ui.visuals()).over);
                    ui.label(text.size(12.0));
                }
                ui.horizontal(|ui| {
                    for &&([r, g, b], name) in &kinds {
                        let color = Color32::from(Rgba::from_rgb(r, g, b));
                        ui.label(RichText::new(format!("— {name}")).color(color).size(12.0));
                    }
                });
            }
        });
    });
}

fn length_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let mut percent = f32::from(state.tab.view.overlays.glyph_permille) * 0.1;
    let (least, most) = (*GLYPH_PERMILLE.start(), *GLYPH_PERMILLE.end());
    let range = f32::from(least) * 0.1..=f32::from(most) * 0.1;
    let slider = Slider::new(&mut percent, range).logarithmic(true).fixed_decimals(1).suffix(" %");
    let response = explained_with_keys(
        ui.add(slider),
        "Sets the length of the lines relative to the size of the model.",
        &[Command::LongerGlyphs, Command::ShorterGlyphs],
    );
    if response.accessible_name("Length of lines").changed() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "held within the slider's range"
        )]
        let permille = (percent * 10.0).round() as u16;
        out.push(Action::Surface(SurfaceAction::SetGlyphLength(permille)));
    }
}

fn bad_ui(ui: &mut Ui, state: &AppState) {
    let Some(bad) = state.marked_triangles() else {
        if state.is_running(BAD_TRIANGLES_TASK) {
            ui.weak("Finding bad triangles…");
        }
        return;
    };
    if bad.is_empty() {
        let text = "No triangles are flipped or without area.";
        ui.label(RichText::new(text).color(colors(ui.visuals()).over).size(12.0));
        return;
    }
    let numbers = [bad.degenerate.len(), bad.flipped.len()];
    let legend = Switch::BadTriangles.info().legend;
    for (number, &([r, g, b], what)) in numbers.into_iter().zip(legend) {
        if number == 0 {
            continue;
        }
        let color = Color32::from(Rgba::from_rgb(r, g, b));
        let text = format!("{} {what}", counted(number, "triangle"));
        ui.label(RichText::new(text).color(color).size(12.0));
    }
}
