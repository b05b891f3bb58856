//! Commands for the display options: one per row of [`SHOW`].

use super::row::{Command, CommandInfo};
use rigscope_core::visual::{Coloring, Item, SHOW, ShowGroup, Switch};

static ROWS: [CommandInfo; SHOW.len()] = {
    let mut rows = [CommandInfo::of_show(&SHOW[0]); SHOW.len()];
    let mut at = 1;
    while at < rows.len() {
        rows[at] = CommandInfo::of_show(&SHOW[at]);
        at += 1;
    }
    rows
};

static COMMANDS: [Command; SHOW.len()] = {
    let mut commands = [Command(&ROWS[0]); SHOW.len()];
    let mut at = 1;
    while at < commands.len() {
        commands[at] = Command(&ROWS[at]);
        at += 1;
    }
    commands
};

/// The commands of a group, which are consecutive in the table.
pub(super) const fn rows(group: ShowGroup) -> &'static [Command] {
    let mut first = 0;
    while SHOW[first].group as usize != group as usize {
        first += 1;
    }
    let mut num = 1;
    while first + num < SHOW.len() && SHOW[first + num].group as usize == group as usize {
        num += 1;
    }
    COMMANDS.split_at(first).1.split_at(num).0
}

impl Command {
    /// The command that switches `switch`.
    pub const fn switch(switch: Switch) -> Self {
        Self(&ROWS[Item::Switch(switch).row()])
    }

    /// The command that colours by `coloring`.
    ///
    /// # Panics
    /// For [`Coloring::Paint`], which has no row.
    pub const fn coloring(coloring: Coloring) -> Self {
        Self(&ROWS[Item::Coloring(coloring).row()])
    }
}
