//! A row of the command table.

use super::Icon;
use super::conditions::Condition;
use crate::{AppState, Pane, PaneInfo, Request, Settings, Subject, ToastLevel};
use rigscope_core::visual::{Item, LightChoice, ShowInfo, Switch};

/// A command of menus, shortcuts and the palette.
#[derive(Clone, Copy)]
pub struct Command(pub(super) &'static CommandInfo);

/// One row of the command table.
#[derive(Clone, Copy)]
pub struct CommandInfo {
    /// The unique name, as in the menu.
    pub name: &'static str,
    /// Shortcuts, the one shown in menus first, in the form `Ctrl+Shift+O`.
    pub keys: &'static [&'static str],
    /// One sentence.
    pub help: &'static str,
    /// The name of its menu.
    pub menu: &'static str,
    /// Whether it repeats while its shortcut is held.
    pub repeats: bool,
    /// Whether it opens a text field with focus, which receives the next key presses.
    pub opens_field: bool,
    /// The icon of its button.
    pub icon: Option<Icon>,
    checked: Option<fn(&AppState) -> bool>,
    condition: Condition,
    title: Option<fn(&AppState) -> String>,
    run: Run,
}

/// The effect of a command.
#[derive(Clone, Copy)]
enum Run {
    /// Changes the state and returns requests to the application.
    Effects(fn(&mut AppState) -> Vec<Request>),
    /// Only changes the state.
    Change(fn(&mut AppState)),
    /// Switches a display option.
    Show(Item),
    /// Changes a saved setting.
    Setting(fn(&mut Settings)),
    /// Opens or closes a pane.
    Pane(Pane),
    /// Makes a choice about lighting.
    Light(LightChoice),
}

impl CommandInfo {
    /// A command without conditions and without an effect.
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
            condition: |_| Ok(()),
            title: None,
            run: Run::Change(|_| ()),
        }
    }

    /// The command for a display option.
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

    /// The command that opens and closes a pane.
    pub(super) const fn of_pane(row: &'static PaneInfo) -> Self {
        let mut info = Self::new("Window", row.name, row.keys, row.help);
        info.run = Run::Pane(row.pane);
        info
    }

    /// The command for a choice about lighting.
    pub(super) const fn of_light(choice: LightChoice) -> Self {
        let (label, help) = choice.texts();
        let mut row = Self::new("Light", label, &[], help);
        row.run = Run::Light(choice);
        row
    }

    /// Whether the command has an on/off state.
    pub const fn is_switch(&self) -> bool {
        self.checked.is_some() || matches!(self.run, Run::Show(_) | Run::Pane(_) | Run::Light(_))
    }

    /// Enables the command only if `condition` is met.
    pub(super) const fn when(mut self, condition: Condition) -> Self {
        self.condition = condition;
        self
    }

    /// Makes the command a switch with the state `checked`.
    pub(super) const fn on(mut self, checked: fn(&AppState) -> bool) -> Self {
        self.checked = Some(checked);
        self
    }

    /// Sets a title that depends on the state.
    pub(super) const fn titled(mut self, title: fn(&AppState) -> String) -> Self {
        self.title = Some(title);
        self
    }

    /// Repeats while its shortcut is held.
    pub(super) const fn repeats(mut self, repeats: bool) -> Self {
        self.repeats = repeats;
        self
    }

    /// Opens a text field with focus.
    pub(super) const fn opens_field(mut self, opens_field: bool) -> Self {
        self.opens_field = opens_field;
        self
    }

    /// Adds a button with `icon`.
    pub(super) const fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// Sets an effect that returns requests to the application.
    pub(super) const fn run(mut self, run: fn(&mut AppState) -> Vec<Request>) -> Self {
        self.run = Run::Effects(run);
        self
    }

    /// Sets an effect that only changes the state.
    pub(super) const fn change(mut self, change: fn(&mut AppState)) -> Self {
        self.run = Run::Change(change);
        self
    }

    /// Changes the settings and saves them.
    pub(super) const fn setting(mut self, change: fn(&mut Settings)) -> Self {
        self.run = Run::Setting(change);
        self
    }
}

impl Command {
    /// The row of this command.
    pub const fn info(self) -> &'static CommandInfo {
        self.0
    }

    /// Whether the command can be run now.
    pub fn is_enabled(self, state: &AppState) -> bool {
        self.refusal(state).is_none()
    }

    /// The reason why the command can't be run now, as a clause such as `needs a selected bone`.
    pub fn refusal(self, state: &AppState) -> Option<&'static str> {
        match self.0.run {
            Run::Show(item) => state.missing_for(item),
            _ => (self.0.condition)(state).err(),
        }
    }

    /// Whether the command is a switch that is on.
    pub fn is_on(self, state: &AppState) -> bool {
        match self.0.run {
            Run::Show(item) => state.shows(item),
            Run::Pane(pane) => state.is_in_front(pane),
            Run::Light(choice) => choice.is_in(&state.tab.view.overlays.light),
            _ => self.0.checked.is_some_and(|checked| checked(state)),
        }
    }

    /// The title, which may depend on the state.
    pub fn title(self, state: &AppState) -> String {
        match self.0.title {
            Some(title) => title(state),
            None => self.0.name.into(),
        }
    }
}

impl AppState {
    /// Runs `command`, or shows the reason why it can't be run now.
    pub(crate) fn run(&mut self, command: Command) -> Vec<Request> {
        if let Some(reason) = command.refusal(self) {
            let title = command.0.name.trim_end_matches('…');
            let text = format!("{title}: {reason}");
            self.toasts.push_about(Subject::Command, ToastLevel::Info, text);
            return Vec::new();
        }
        self.toasts.withdraw(&Subject::Command);
        // A command closes the palette or another modal dialog; a docked dialog stays open.
        if self.dialog.is_some_and(|dialog| !dialog.is_docked()) {
            self.close_dialog();
        }
        match command.0.run {
            Run::Effects(run) => return run(self),
            Run::Show(item) => return self.toggle_show(item),
            Run::Change(change) => change(self),
            Run::Setting(change) => {
                change(&mut self.settings);
                return vec![Request::SaveSettings];
            }
            Run::Light(choice) => return self.choose_light(choice),
            Run::Pane(pane) => {
                self.toggle_pane(pane);
                return vec![Request::SaveSettings];
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
