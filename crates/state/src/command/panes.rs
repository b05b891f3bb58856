//! Commands that open and close panes: one per row of [`PANES`].

use super::row::{Command, CommandInfo};
use crate::{PANES, Pane};

static ROWS: [CommandInfo; PANES.len()] = {
    let mut rows = [CommandInfo::of_pane(&PANES[0]); PANES.len()];
    let mut at = 1;
    while at < rows.len() {
        rows[at] = CommandInfo::of_pane(&PANES[at]);
        at += 1;
    }
    rows
};

static COMMANDS: [Command; PANES.len()] = {
    let mut commands = [Command(&ROWS[0]); PANES.len()];
    let mut at = 1;
    while at < commands.len() {
        commands[at] = Command(&ROWS[at]);
        at += 1;
    }
    commands
};

/// The commands of all panes except the view, which comes first and can't be closed.
pub(super) const PANE_COMMANDS: &[Command] = COMMANDS.split_at(1).1;

impl Command {
    /// The command that opens and closes `pane`.
    pub const fn pane(pane: Pane) -> Self {
        Self(&ROWS[pane as usize])
    }
}
