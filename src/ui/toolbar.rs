//! The commands used most, as buttons.

use egui::scroll_area::ScrollBarVisibility;
use egui::{Align, Layout, ScrollArea, Ui};

use super::command_button::command_button_ui;
use crate::state::{Action, AppState, Command};
use crate::visual::{Coloring, Switch};

/// Groups of buttons, a line between them.
const GROUPS: &[&[(Command, &str)]] = &[
    &[(Command::Open, "Open"), (Command::Reload, "Reload")],
    &[
        (Command::switch(Switch::Surface), "Surface"),
        (Command::switch(Switch::Textures), "Textures"),
        (Command::switch(Switch::SubsetColors), "Colours"),
        (Command::switch(Switch::Wireframe), "Wire"),
        (Command::switch(Switch::Points), "Points"),
        (Command::switch(Switch::Bones), "Bones"),
        (Command::switch(Switch::BoneNames), "Names"),
        (Command::coloring(Coloring::BoneWeights), "Weights"),
        (Command::switch(Switch::Grid), "Ground"),
    ],
    &[
        (Command::FrameAll, "Frame"),
        (Command::ViewFront, "Front"),
        (Command::ViewSide, "Side"),
        (Command::ViewTop, "Top"),
        (Command::ViewIso, "Iso"),
        (Command::ToggleProjection, "Ortho"),
    ],
    &[(Command::AsBsm2, "As BSM2"), (Command::CompareWith, "Compare")],
];

pub(super) fn toolbar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            command_button_ui(ui, state, Command::Palette, "🔍 Commands", out);
            // What a narrow window has no room for is scrolled to and not drawn over.
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ScrollArea::horizontal()
                    .id_salt("toolbar")
                    .scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden)
                    .show(ui, |ui| groups_ui(ui, state, out));
            });
        });
    });
}

fn groups_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 3.0;
    for (index, group) in GROUPS.iter().enumerate() {
        if index > 0 {
            ui.separator();
        }
        for &(command, label) in *group {
            command_button_ui(ui, state, command, label, out);
        }
    }
}
