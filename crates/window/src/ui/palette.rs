//! The command palette: finds a command by typing and runs it on Enter.

use egui::{Align, Align2, Area, Id, Key, Layout, Order, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::shortcuts::shortcut_text;
use super::theme::gap;
use super::tooltips::{command_help, explained};
use super::{fuzzy_match, widgets};
use rigscope_state::{Action, AppState, Command, Dialog};

/// Position from the top, height of the list, and the space for the field and a gap in a low window.
const TOP: f32 = 90.0;
const LIST_HEIGHT: f32 = 320.0;
const MIN_LIST_HEIGHT: f32 = 60.0;
const BESIDE: f32 = 80.0;

/// In egui's memory while the palette is open.
#[derive(Clone, Default)]
struct PaletteInput {
    text: String,
    selected: usize,
}

pub(super) fn palette_ui(ui: &Ui, state: &AppState, out: &mut Vec<Action>) {
    let id = Id::unique("command palette");
    let ctx = ui.ctx();
    if state.dialog != Some(Dialog::Palette) {
        ctx.data_mut(|data| data.remove::<PaletteInput>(id));
        return;
    }
    let is_new = ctx.data(|data| data.get_temp::<PaletteInput>(id).is_none());
    let mut typed: PaletteInput = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    // Escape is a command's shortcut.
    let (up, down, enter) = ctx.input_mut(|input| {
        (
            input.consume_key(egui::Modifiers::NONE, Key::ArrowUp),
            input.consume_key(egui::Modifiers::NONE, Key::ArrowDown),
            input.consume_key(egui::Modifiers::NONE, Key::Enter),
        )
    });
    let found = find(&typed.text, state);
    typed.selected = typed.selected.min(found.len().saturating_sub(1));
    if down && typed.selected + 1 < found.len() {
        typed.selected += 1;
    }
    if up {
        typed.selected = typed.selected.saturating_sub(1);
    }
    let mut chosen = if enter { found.get(typed.selected).copied() } else { None };

    let area = Area::new(id)
        .order(Order::Foreground)
        .anchor(Align2::CENTER_TOP, vec2(0.0, TOP))
        .show(ctx, |ui| {
            widgets::card(ui).show(ui, |ui| {
                ui.set_width(460.0);
                let edit = TextEdit::singleline(&mut typed.text)
                    .hint_text("Type a command")
                    .desired_width(f32::INFINITY);
                let response = ui.add(edit).accessible_name("Command");
                if is_new {
                    response.request_focus();
                }
                if response.changed() {
                    typed.selected = 0;
                }
                ui.add_space(gap::SMALL);
                let room = ctx.content_rect().height() - TOP - BESIDE;
                let height = LIST_HEIGHT.min(room).max(MIN_LIST_HEIGHT);
                let has_moved = up || down;
                // An area is as high as its content was, so the list must not adapt to it.
                let list = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
                list.show(ui, |ui| {
                    for (index, &command) in found.iter().enumerate() {
                        if row_ui(ui, state, command, index == typed.selected, has_moved) {
                            chosen = Some(command);
                        }
                    }
                    if found.is_empty() {
                        ui.weak("No command matches.");
                    }
                });
            });
        });
    // A command that doesn't apply shows its reason in the list.
    if let Some(command) = chosen.filter(|command| command.is_enabled(state)) {
        out.push(Action::CloseDialog);
        out.push(Action::RunFromPalette(command));
    } else if !is_new && area.response.clicked_elsewhere() {
        out.push(Action::CloseDialog);
    }
    ctx.data_mut(|data| data.insert_temp(id, typed));
}

/// The commands that match, best first; among equal matches, those that can't be run come last. Without text:
/// recently run commands, then all others in menu order.
fn find(text: &str, state: &AppState) -> Vec<Command> {
    /// Bonus for recently run commands among equal matches.
    const RECENT: i32 = 15;
    let recent = &state.settings.recent_commands;
    let mut found: Vec<_> = Command::all()
        .filter_map(|command| {
            let info = command.info();
            let entry = fuzzy_match::MatchEntry::new(
                info.name.trim_end_matches('…'),
                &format!("{} {}", info.menu, info.help),
            );
            let score = entry.score(text)?;
            let age = recent.iter().position(|name| name == info.name);
            let score = if age.is_some() { score + RECENT } else { score };
            // More recent commands first; commands that never ran keep their menu order.
            let key = (!command.is_enabled(state), age.unwrap_or(usize::MAX));
            Some((std::cmp::Reverse(score), key, command))
        })
        .collect();
    found.sort_by_key(|&(score, key, _)| (score, key));
    found.into_iter().map(|(.., command)| command).collect()
}

fn row_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    is_selected: bool,
    has_moved: bool,
) -> bool {
    let (info, refusal) = (command.info(), command.refusal(state));
    let mark = if command.is_on(state) { "✔ " } else { "" };
    let text = format!("{}: {mark}{}", info.menu, command.title(state));
    let response = ui
        .with_layout(Layout::top_down_justified(Align::Min), |ui| {
            let at_right = match refusal {
                // Fades with its row, and would be unreadable if it were also weak.
                Some(reason) => RichText::new(reason),
                None => RichText::new(shortcut_text(ui.ctx(), command)).weak(),
            };
            let button = egui::Button::selectable(is_selected, text).shortcut_text(at_right);
            ui.add_enabled(refusal.is_none(), button)
        })
        .inner;
    let response = explained(response, command_help(state, command));
    if is_selected && has_moved {
        response.scroll_to_me(None);
    }
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_state::{Pane, Settings};

    fn first(text: &str, state: &AppState) -> Option<Command> {
        find(text, state).first().copied()
    }

    #[test]
    fn words_find_the_command_with_a_matching_name() {
        let state = AppState::default();
        for (text, wanted) in [
            ("open", Command::Open),
            ("dark", Command::ThemeDark),
            ("high cont", Command::ThemeHighContrast),
            ("theme light", Command::ThemeLight),
            ("log", Command::pane(Pane::Log)),
            ("shortcuts", Command::Keys),
            ("reset lay", Command::ResetLayout),
            ("text larger", Command::LargerText),
            ("quit", Command::Quit),
            ("frames", Command::ToggleFrames),
        ] {
            assert_eq!(first(text, &state), Some(wanted), "{text}");
        }
        assert_eq!(first("no such command", &state), None);
    }

    #[test]
    fn recent_commands_rank_first_among_equal_matches() {
        let mut settings = Settings::default();
        settings.remember_command(Command::ThemeDark.info().name);
        settings.remember_command(Command::Quit.info().name);
        let state = AppState::new(settings);
        assert_eq!(&find("", &state)[..2], &[Command::Quit, Command::ThemeDark]);
        assert_eq!(first("theme", &state), Some(Command::ThemeDark));
        let never = AppState::default();
        assert_eq!(first("theme", &never), Some(Command::ThemeLight));
    }
}
