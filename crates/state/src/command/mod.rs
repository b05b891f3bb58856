//! The table of commands: menus, keys, palette, help and the table of keys are made from it.
//!
//! One file a menu, one row a command. A row holds all there is to a command: name, keys, help,
//! when it can run, whether it is on, and what it does.
//!
//! Not for: what a command has to think about. That is a method beside what it changes.

mod camera;
mod colour;
mod compare;
mod context;
mod edit;
mod file;
mod help;
mod icon;
mod keys;
mod light;
mod light_steps;
mod menu;
mod playback;
mod row;
mod select;
mod show;
mod shown;
mod tools;
mod when;
mod window;

pub use icon::Icon;
pub use keys::{printed_key, printed_keys};
pub use row::{Command, CommandInfo};

/// A menu of the menu bar.
#[derive(Clone, Copy, Debug)]
pub struct Menu {
    /// As in the menu bar.
    pub name: &'static str,
    /// Its commands, piece by piece in groups.
    groups: &'static [&'static [&'static [Command]]],
}

impl Menu {
    /// Its commands, in order.
    pub fn commands(self) -> impl Iterator<Item = Command> {
        self.groups().flatten()
    }

    /// The same in groups; a line is drawn between them.
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

/// All keys as a Markdown table.
#[must_use]
pub fn key_table_markdown() -> String {
    let mut table = String::from("| Keys | Command | What it does |\n| --- | --- | --- |\n");
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
