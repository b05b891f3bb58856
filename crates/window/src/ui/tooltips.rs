//! Tooltips with help, also for disabled widgets, and with names and shortcuts of commands.

use egui::{Label, Response, Ui, WidgetText};

use super::shortcuts::shortcut_text;
use rigscope_state::{AppState, Command};

/// Adds `help` as a tooltip, also while the widget is disabled.
pub(super) fn explained(response: Response, help: impl Into<String>) -> Response {
    let help = help.into();
    response.on_hover_text(&help).on_disabled_hover_text(help)
}

/// A label of one line. `help` replaces egui's tooltip with the whole text, which appears only if the text is cut:
/// otherwise both would appear.
pub(super) fn truncated_ui(
    ui: &mut Ui,
    text: impl Into<WidgetText>,
    help: impl Into<WidgetText>,
) -> Response {
    let label = Label::new(text).truncate().show_tooltip_when_elided(false);
    ui.add(label).on_hover_text(help)
}

/// Like [`explained`], with the shortcuts of `commands`, which have the same effect.
pub(super) fn explained_with_keys(
    response: Response,
    help: &str,
    commands: &[Command],
) -> Response {
    let keys = commands.iter().map(|&command| shortcut_text(&response.ctx, command));
    let keys: Vec<_> = keys.filter(|key| !key.is_empty()).collect();
    let noun = if keys.len() == 1 { "Shortcut" } else { "Shortcuts" };
    let keys =
        if keys.is_empty() { String::new() } else { format!("\n{noun}: {}", keys.join(", ")) };
    explained(response, format!("{help}{keys}"))
}

/// Adds the command's name, shortcut and description as a tooltip.
pub(super) fn explained_by_command(
    response: Response,
    state: &AppState,
    command: Command,
) -> Response {
    let text = command_text(&response.ctx, state, command);
    explained(response, text)
}

/// The command's name, shortcut and description.
pub(super) fn command_text(ctx: &egui::Context, state: &AppState, command: Command) -> String {
    let title = command.title(state);
    let key = shortcut_text(ctx, command);
    let key = if key.is_empty() { key } else { format!("  ({key})") };
    format!("{title}{key}\n{}", command_help(state, command))
}

/// The command's description, and the reason if it can't be run now.
pub(super) fn command_help(state: &AppState, command: Command) -> String {
    let help = command.info().help;
    match command.refusal(state) {
        Some(reason) => format!("{help}\nNot available: {reason}."),
        None => help.to_owned(),
    }
}
