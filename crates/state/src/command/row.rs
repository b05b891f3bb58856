//! What a row of the table holds.

use super::Icon;
use crate::{AppState, Effect, Pane, Settings};
use rigscope_core::visual::{Item, LightChoice, ShowInfo, Switch};

/// Something that menus, keys and the palette can do.
#[derive(Clone, Copy)]
pub struct Command(pub(super) &'static CommandInfo);

/// One row of the table of commands.
#[derive(Clone, Copy)]
pub struct CommandInfo {
    /// As in the menu, and its own.
    pub name: &'static str,
    /// Its keys, the one that menus show first: modifiers and the key, as in `Ctrl+Shift+O`.
    pub keys: &'static [&'static str],
    /// One sentence.
    pub help: &'static str,
    /// The menu that it is in.
    pub menu: &'static str,
    /// Whether it goes on while its key is held.
    pub repeats: bool,
    /// Whether it opens a text field that has the focus: keys pressed next are typed there.
    pub opens_field: bool,
    /// What its button shows.
    pub icon: Option<Icon>,
    checked: Option<fn(&AppState) -> bool>,
    enabled: fn(&AppState) -> bool,
    title: Option<fn(&AppState) -> String>,
    run: Run,
}

/// What a command does.
#[derive(Clone, Copy)]
enum Run {
    /// Anything.
    Effects(fn(&mut AppState) -> Vec<Effect>),
    /// Nothing outside the state.
    Change(fn(&mut AppState)),
    /// Switches a row of the table of what is shown.
    Show(Item),
    /// Something that is kept for the next run of the program.
    Setting(fn(&mut Settings)),
    /// Shows a pane, or puts it away.
    Pane(Pane),
    /// Lights materials in one of several ways.
    Light(LightChoice),
}

impl CommandInfo {
    /// A command that can always be run and does nothing yet.
    pub(super) const fn new(
        menu: &'static str,
        name: &'static str,
        keys: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self {
            name,
            keys,
            help,
            menu,
            repeats: false,
            opens_field: false,
            icon: None,
            checked: None,
            enabled: |_| true,
            title: None,
            run: Run::Change(|_| ()),
        }
    }

    /// The command that switches a row of the table of what is shown.
    pub(super) const fn of_show(row: &'static ShowInfo) -> Self {
        let menu = match row.item {
            Item::Switch(_) => "Show",
            Item::Coloring(_) => "Colour",
        };
        let mut info = Self::new(menu, row.label, row.keys, row.help);
        info.icon = match row.item {
            Item::Switch(Switch::Surface) => Some(Icon::Solid),
            Item::Switch(Switch::Wireframe) => Some(Icon::Wires),
            Item::Switch(Switch::Points) => Some(Icon::Dots),
            Item::Switch(Switch::Bones) => Some(Icon::Bone),
            Item::Switch(Switch::BoneNames) => Some(Icon::Name),
            Item::Switch(Switch::Grid) => Some(Icon::Ground),
            _ => None,
        };
        info.run = Run::Show(row.item);
        info
    }

    /// One way to light materials.
    pub(super) const fn of_light(choice: LightChoice) -> Self {
        let (label, help) = choice.texts();
        let mut row = Self::new("Light", label, &[], help);
        row.run = Run::Light(choice);
        row
    }

    /// Whether it can be on.
    pub const fn is_switch(&self) -> bool {
        self.checked.is_some() || matches!(self.run, Run::Show(_) | Run::Pane(_) | Run::Light(_))
    }

    /// Runs only where `enabled` says so.
    pub(super) const fn when(mut self, enabled: fn(&AppState) -> bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Is a switch that is on where `checked` says so.
    pub(super) const fn on(mut self, checked: fn(&AppState) -> bool) -> Self {
        self.checked = Some(checked);
        self
    }

    /// Says what it would do now, where one name does not do.
    pub(super) const fn titled(mut self, title: fn(&AppState) -> String) -> Self {
        self.title = Some(title);
        self
    }

    /// Goes on while its key is held.
    pub(super) const fn repeats(mut self, repeats: bool) -> Self {
        self.repeats = repeats;
        self
    }

    /// Opens a text field that has the focus.
    pub(super) const fn opens_field(mut self, opens_field: bool) -> Self {
        self.opens_field = opens_field;
        self
    }

    /// Has a button with `icon`.
    pub(super) const fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// Does `run` and asks the shell for what that returns.
    pub(super) const fn run(mut self, run: fn(&mut AppState) -> Vec<Effect>) -> Self {
        self.run = Run::Effects(run);
        self
    }

    /// Changes the state and asks for nothing.
    pub(super) const fn change(mut self, change: fn(&mut AppState)) -> Self {
        self.run = Run::Change(change);
        self
    }

    /// Shows `pane`, or puts it away.
    pub(super) const fn pane(mut self, pane: Pane) -> Self {
        self.run = Run::Pane(pane);
        self
    }

    /// Changes the settings, which are saved.
    pub(super) const fn setting(mut self, change: fn(&mut Settings)) -> Self {
        self.run = Run::Setting(change);
        self
    }
}

impl Command {
    /// This command's row in the table.
    pub const fn info(self) -> &'static CommandInfo {
        self.0
    }

    /// Whether it can be done now.
    pub fn is_enabled(self, state: &AppState) -> bool {
        match self.0.run {
            Run::Show(item) => state.offers(item),
            _ => (self.0.enabled)(state),
        }
    }

    /// Whether it is a switch that is on.
    pub fn is_on(self, state: &AppState) -> bool {
        match self.0.run {
            Run::Show(item) => state.shows(item),
            Run::Pane(pane) => state.settings.panes.shows(pane),
            Run::Light(choice) => choice.is_in(&state.tab.view.overlays.light),
            _ => self.0.checked.is_some_and(|checked| checked(state)),
        }
    }

    /// The name with what it would change to, where one name does not do.
    pub fn title(self, state: &AppState) -> String {
        match self.0.title {
            Some(title) => title(state),
            None => self.0.name.into(),
        }
    }
}

impl AppState {
    /// Does what `command` says; nothing where it is not enabled.
    pub(crate) fn run(&mut self, command: Command) -> Vec<Effect> {
        if !command.is_enabled(self) {
            return Vec::new();
        }
        // Whatever was done from the palette or with a dialog open; what stands beside stays.
        if self.dialog.is_some_and(|dialog| !dialog.is_beside()) {
            self.close_dialog();
        }
        match command.0.run {
            Run::Effects(run) => return run(self),
            Run::Show(item) => return self.toggle_show(item),
            Run::Change(change) => change(self),
            Run::Setting(change) => {
                change(&mut self.settings);
                return vec![Effect::SaveSettings];
            }
            Run::Light(choice) => return self.change_light(|light| choice.set(light)),
            Run::Pane(pane) => {
                self.settings.panes.toggle(pane);
                return vec![Effect::SaveSettings];
            }
        }
        Vec::new()
    }
}

impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Command {}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}
