//! The buttons that choose between clip, rest pose and bind pose.

use egui::Ui;

use crate::ui::command_button::hinted_command_button_ui;
use rigscope_state::{Action, AppState, Command};

/// Three buttons, one of which is on. Their tooltips mention where the format stores each pose.
pub(super) fn pose_choice_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let format = state.tab.document.as_ref().map(|document| document.format);
    let words = format.map(|format| format.pose_words).unwrap_or_default();
    for (command, label, place, missing) in [
        (Command::ShowClip, "Clip", "", "The file has no clips."),
        (Command::ShowRestPose, "Rest", words.rest, "The file stores no rest pose."),
        (Command::ShowBindPose, "Bind", words.bind, "The file stores no bind pose."),
    ] {
        let hint = match format {
            Some(format) if !place.is_empty() => format!("{}: {place}", format.name),
            _ => String::new(),
        };
        let response = hinted_command_button_ui(ui, state, command, &hint, label, out);
        if format.is_some() {
            response.on_disabled_hover_text(missing);
        }
    }
}
