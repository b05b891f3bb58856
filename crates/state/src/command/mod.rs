//! The command table, from which menus, shortcuts, palette, help and the shortcut list are
//! generated.
//!
//! There is one file per menu and one row per command. A row contains everything about a command:
//! name, shortcuts, help, condition, state and effect.
//!
//! Not for: logic. It belongs in a method in the module whose data the command changes.

mod camera;
mod colour;
mod compare;
mod conditions;
mod context;
mod display_options;
mod edit;
mod file;
mod help;
mod icon;
mod keys;
mod light;
mod light_steps;
mod menu;
mod panes;
mod playback;
mod row;
mod select;
mod show;
mod tools;
mod window;

pub use icon::Icon;
pub use keys::{printed_key, printed_keys};
pub use row::{Command, CommandInfo};

/// A menu of the menu bar.
#[derive(Clone, Copy, Debug)]
pub struct Menu {
    /// The title in the menu bar.
    pub name: &'static str,
    /// Its commands: groups, which consist of slices.
    groups: &'static [&'static [&'static [Command]]],
}

impl Menu {
    /// Its commands, in order.
    pub fn commands(self) -> impl Iterator<Item = Command> {
        self.groups().flatten()
    }

    /// Its commands in groups, which are separated by lines.
    pub fn groups(self) -> impl Iterator<Item = impl Iterator<Item = Command>> {
        self.groups.iter().map(|pieces| pieces.iter().flat_map(|piece| piece.iter().copied()))
    }
}

/// All menus in the order of the menu bar.
pub const MENUS: &[Menu] = &[
    file::MENU,
    edit::MENU,
    show::MENU,
    colour::MENU,
    light::MENU,
    select::MENU,
    camera::MENU,
    playback::MENU,
    compare::MENU,
    tools::MENU,
    window::MENU,
    help::MENU,
];

impl Command {
    /// All commands, in the order of the menus.
    pub fn all() -> impl Iterator<Item = Self> {
        MENUS.iter().flat_map(|menu| menu.commands())
    }
}

/// All shortcuts as a Markdown table.
#[must_use]
pub fn key_table_markdown() -> String {
    let mut table = String::from("| Shortcut | Command | Description |\n| --- | --- | --- |\n");
    for info in Command::all().map(Command::info) {
        let keys: Vec<_> = info.keys.iter().map(|key| format!("`{}`", printed_keys(key))).collect();
        if !keys.is_empty() {
            let (keys, name) = (keys.join(", "), info.name.trim_end_matches('…'));
            table.push_str(&format!("| {keys} | {name} | {} |\n", info.help));
        }
    }
    table
}

#[cfg(test)]
mod tests;
