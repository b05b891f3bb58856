//! The list of the most stretched edges of all clips, in the Animation pane.

use egui::Ui;

use super::command_button::framed_command_button_ui;
use super::format::time;
use super::rows::rows_ui;
use rigscope_core::model::{BoneId, numbers};
use rigscope_state::{Action, AnimationAction, AppState, Command, Document, StretchedEdge};

pub(super) fn stretch_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    out: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        framed_command_button_ui(ui, state, Command::MeasureStretch, "Edge stretch", out);
        if state.is_measuring_stretch() {
            ui.spinner();
        }
    });
    let Some(stretch) = state.tab.view.animation.stretch.get().filter(|_| state.shows_stretch())
    else {
        return;
    };
    if stretch.edges.is_empty() {
        ui.weak("No clip stretches an edge by more than 0.5 % of the size of its mesh.");
        return;
    }
    ui.weak("The most stretched edge for each pair of bones, over all clips:");
    rows_ui(ui, "stretched edges", stretch.edges.len(), None, |ui, row| {
        let Some(edge) = stretch.edges.get(row) else { return };
        let response = ui.selectable_label(false, text(state, document, edge));
        let help = "Shows the edge in the clip and at the time in which it is longest.";
        if response.on_hover_text(help).clicked() {
            out.push(Action::Animation(AnimationAction::ShowStretchedEdge(row)));
        }
    });
}

fn text(state: &AppState, document: &Document, edge: &StretchedEdge) -> String {
    let name = |bone: Option<BoneId>| bone.map(|bone| document.bone_name(bone));
    let bones = match edge.bones.map(name) {
        [Some(a), Some(b)] if a != b => format!("{a} – {b}"),
        [Some(bone), _] | [None, Some(bone)] => bone,
        [None, None] => "no bone".to_owned(),
    };
    let clip = document.clip_name(edge.clip.index());
    let at = time(state, Some(edge.clip), edge.time_secs);
    format!("{} ×  {bones}  {clip} {at}", numbers::significant(f64::from(edge.ratio), 3))
}
