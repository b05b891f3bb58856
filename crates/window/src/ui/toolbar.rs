//! The most used commands as buttons. In a narrow window, icons lose their names group by group, then
//! groups move to a menu at the end.

use egui::{Align, Layout, TextStyle, Ui, WidgetText};

use super::color_choice::{self, color_choice_ui, color_menu_ui};
use super::command_button::{ICON, icon_button_ui, menu_entry_ui};
use rigscope_core::visual::Switch;
use rigscope_state::{Action, AppState, Command};

/// Gap between buttons, and around the line between groups.
const GAP: f32 = 2.0;
const GROUP_GAP: f32 = 13.0;
/// In a narrower window, the names of other buttons take precedence over the search button's.
const NAMED_SEARCH: f32 = 1500.0;

/// A group of buttons and their names.
enum ToolGroup {
    Commands(&'static [(Command, &'static str)]),
    Colors,
}

const GROUPS: [ToolGroup; 6] = [
    ToolGroup::Commands(&[
        (Command::Open, "Open"),
        (Command::Reload, "Reload"),
        (Command::SaveImage, "Image"),
        (Command::Export, "Export"),
    ]),
    ToolGroup::Commands(&[
        (Command::switch(Switch::Surface), "Surface"),
        (Command::switch(Switch::Wireframe), "Wire"),
        (Command::switch(Switch::Points), "Points"),
        (Command::switch(Switch::Bones), "Bones"),
        (Command::switch(Switch::BoneNames), "Names"),
        (Command::switch(Switch::Grid), "Ground"),
    ]),
    ToolGroup::Colors,
    ToolGroup::Commands(&[(Command::FrameAll, "Frame"), (Command::ToggleProjection, "Ortho")]),
    ToolGroup::Commands(&[
        (Command::ViewFront, "Front"),
        (Command::ViewSide, "Side"),
        (Command::ViewTop, "Top"),
        (Command::ViewIso, "Iso"),
    ]),
    ToolGroup::Commands(&[(Command::AsBsm2, "As BSM2"), (Command::CompareWith, "Compare")]),
];

/// The order in which groups lose their names: self-explanatory icons first.
const NAMES_GO: [usize; 6] = [4, 3, 0, 5, 1, 2];

/// The groups with names, and the number of visible groups.
struct ToolbarLayout {
    has_names: [bool; GROUPS.len()],
    num: usize,
}

pub(super) fn toolbar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let name = (ui.available_width() >= NAMED_SEARCH).then_some("Commands");
            icon_button_ui(ui, state, Command::Palette, name, out);
            let plan = plan(ui, state, ui.available_width() - GAP);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                for (at, group) in GROUPS.iter().enumerate().take(plan.num) {
                    if at > 0 {
                        ui.add(egui::Separator::default().spacing(GROUP_GAP - 2.0 * GAP));
                    }
                    group_ui(ui, state, group, plan.has_names[at], out);
                }
                if plan.num < GROUPS.len() {
                    rest_ui(ui, state, &GROUPS[plan.num..], out);
                }
            });
        });
    });
}

fn group_ui(
    ui: &mut Ui,
    state: &AppState,
    group: &ToolGroup,
    has_names: bool,
    out: &mut Vec<Action>,
) {
    match group {
        ToolGroup::Colors => color_choice_ui(ui, state, has_names, out),
        ToolGroup::Commands(rows) => {
            for &(command, name) in *rows {
                icon_button_ui(ui, state, command, has_names.then_some(name), out);
            }
        }
    }
}

/// A menu of the groups that don't fit.
fn rest_ui(ui: &mut Ui, state: &AppState, groups: &[ToolGroup], out: &mut Vec<Action>) {
    let menu = ui.menu_button("»", |ui| {
        ui.set_min_width(220.0);
        for (at, group) in groups.iter().enumerate() {
            if at > 0 {
                ui.separator();
            }
            match group {
                ToolGroup::Colors => {
                    ui.menu_button("Colour", |ui| color_menu_ui(ui, state, out));
                }
                ToolGroup::Commands(rows) => {
                    rows.iter().for_each(|row| menu_entry_ui(ui, state, row.0, true, out));
                }
            }
        }
    });
    menu.response.on_hover_text("More tools").accessible_name("More tools");
}

fn plan(ui: &Ui, state: &AppState, room: f32) -> ToolbarLayout {
    let mut plan = ToolbarLayout { has_names: [true; GROUPS.len()], num: GROUPS.len() };
    let widths = GROUPS.map(|group| [true, false].map(|named| width(ui, state, &group, named)));
    let whole = |plan: &ToolbarLayout| {
        let shown = widths.iter().zip(plan.has_names).take(plan.num);
        let all: f32 = shown.map(|(width, named)| width[usize::from(!named)] + GROUP_GAP).sum();
        // The overflow menu needs a button too.
        all + if plan.num < GROUPS.len() { ICON + 2.0 * GROUP_GAP } else { 0.0 }
    };
    for at in NAMES_GO {
        if whole(&plan) <= room {
            return plan;
        }
        plan.has_names[at] = false;
    }
    while plan.num > 1 && whole(&plan) > room {
        plan.num -= 1;
    }
    plan
}

fn width(ui: &Ui, state: &AppState, group: &ToolGroup, has_names: bool) -> f32 {
    let ToolGroup::Commands(rows) = group else {
        return color_choice::width(ui, state, has_names);
    };
    let spacing = ui.spacing();
    let name = |name: &'static str| {
        let text = WidgetText::from(name);
        let text = text.into_galley(ui, None, f32::INFINITY, TextStyle::Button);
        text.size().x + spacing.icon_spacing
    };
    let names = rows.iter().filter(|_| has_names).map(|row| name(row.1)).sum::<f32>();
    names + rows.len() as f32 * (ICON + 2.0 * spacing.button_padding.x + GAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toolbar_commands_have_an_icon_a_menu_entry_and_a_shortcut() {
        for group in &GROUPS {
            let ToolGroup::Commands(rows) = group else { continue };
            for (command, _) in *rows {
                let info = command.info();
                assert!(info.icon.is_some() && !info.keys.is_empty(), "{command:?}");
                assert!(Command::all().any(|other| other == *command), "{command:?}");
            }
        }
    }

    #[test]
    fn each_group_drops_its_names_once() {
        let mut all = NAMES_GO;
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    }
}
