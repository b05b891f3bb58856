//! Clip, rest or bind pose: which of them is drawn.

use egui::Ui;

use crate::state::{Action, AppState, Command};
use crate::ui::command_button::command_button_ui;

/// Three buttons, of which one is on. Tooltips add where the format stores each pose.
pub(super) fn pose_choice_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let format = state.tab.document.as_ref().map(|document| document.format);
    let words = format.map(|format| format.pose_words).unwrap_or_default();
    for (command, label, place, missing) in [
        (Command::ShowClip, "Clip", "", "The file has no clips."),
        (Command::ShowRestPose, "Rest", words.rest, "The file stores no rest pose."),
        (Command::ShowBindPose, "Bind", words.bind, "The file stores no bind pose."),
    ] {
        let response = command_button_ui(ui, state, command, label, out);
        let Some(format) = format else { continue };
        let response = response.on_disabled_hover_text(missing);
        if !place.is_empty() {
            response.on_hover_text(format!("{}: {place}", format.name));
        }
    }
}
