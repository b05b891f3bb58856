//! The command palette: some letters of a name, Enter.

use egui::{Align, Align2, Area, Id, Key, Layout, Order, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::shortcuts::shortcut_text;
use super::theme::gap;
use super::{fuzzy, widgets};
use crate::state::{Action, AppState, Command, Dialog};

/// Kept by egui while the palette is open.
#[derive(Clone, Default)]
struct Typed {
    text: String,
    selected: usize,
}

pub(super) fn palette_ui(ui: &Ui, state: &AppState, out: &mut Vec<Action>) {
    let id = Id::unique("command palette");
    let ctx = ui.ctx();
    if state.dialog != Some(Dialog::Palette) {
        ctx.data_mut(|data| data.remove::<Typed>(id));
        return;
    }
    let is_new = ctx.data(|data| data.get_temp::<Typed>(id).is_none());
    let mut typed: Typed = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    // Escape is a command's key.
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
        .anchor(Align2::CENTER_TOP, vec2(0.0, 90.0))
        .show(ctx, |ui| {
            widgets::card(ui).show(ui, |ui| {
                ui.set_width(460.0);
                let edit = TextEdit::singleline(&mut typed.text)
                    .hint_text("What do you want to do?")
                    .desired_width(f32::INFINITY);
                let response = ui.add(edit).accessible_name("Command");
                if is_new {
                    response.request_focus();
                }
                if response.changed() {
                    typed.selected = 0;
                }
                ui.add_space(gap::SMALL);
                let has_moved = up || down;
                ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                    for (index, &command) in found.iter().enumerate() {
                        if row_ui(ui, state, command, index == typed.selected, has_moved) {
                            chosen = Some(command);
                        }
                    }
                    if found.is_empty() {
                        ui.weak("No command is called that.");
                    }
                });
            });
        });
    if let Some(command) = chosen {
        out.push(Action::CloseDialog);
        out.push(Action::Run(command));
    } else if !is_new && area.response.clicked_elsewhere() {
        out.push(Action::CloseDialog);
    }
    ctx.data_mut(|data| data.insert_temp(id, typed));
}

/// Commands that fit and can be done, the best first.
fn find(text: &str, state: &AppState) -> Vec<Command> {
    let mut found: Vec<_> = Command::all()
        .filter(|command| command.is_enabled(state))
        .filter_map(|command| {
            let info = command.info();
            let by_name = fuzzy::score(text, info.name);
            // The menu's name helps to find, but less than the command's own.
            let with_menu = format!("{} {}", info.menu, info.name);
            let by_menu = || fuzzy::score(text, &with_menu).map(|score| score - 10);
            Some((by_name.or_else(by_menu)?, command))
        })
        .collect();
    // Stable, so that equals stay in the order of the menus.
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, command)| command).collect()
}

fn row_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    is_selected: bool,
    has_moved: bool,
) -> bool {
    let info = command.info();
    let mark = if command.is_on(state) { "✔ " } else { "" };
    let text = format!("{}: {mark}{}", info.menu, command.title(state));
    let response = ui
        .with_layout(Layout::top_down_justified(Align::Min), |ui| {
            let button = egui::Button::selectable(is_selected, text)
                .shortcut_text(RichText::new(shortcut_text(ui.ctx(), command)).weak());
            ui.add(button)
        })
        .inner
        .on_hover_text(info.help);
    if is_selected && has_moved {
        response.scroll_to_me(None);
    }
    response.clicked()
}
