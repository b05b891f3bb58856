//! The commands used most, as buttons.

use egui::{Align, Layout, Ui};

use super::command_button::command_button_ui;
use crate::state::{Action, AppState, Command};

/// Groups of buttons, a line between them.
const GROUPS: &[&[(Command, &str)]] = &[
    &[(Command::Open, "Open"), (Command::Reload, "Reload")],
    &[
        (Command::ToggleSurface, "Surface"),
        (Command::ToggleTextures, "Textures"),
        (Command::ToggleSubsetColors, "Colours"),
        (Command::ToggleWireframe, "Wire"),
        (Command::TogglePoints, "Points"),
        (Command::ToggleBones, "Bones"),
        (Command::ToggleBoneNames, "Names"),
        (Command::ColorBoneWeights, "Weights"),
        (Command::ToggleGrid, "Ground"),
    ],
    &[
        (Command::FrameAll, "Frame"),
        (Command::ViewFront, "Front"),
        (Command::ViewSide, "Side"),
        (Command::ViewTop, "Top"),
        (Command::ViewIso, "Iso"),
        (Command::ToggleProjection, "Ortho"),
    ],
];

pub(super) fn toolbar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for (index, group) in GROUPS.iter().enumerate() {
            if index > 0 {
                ui.separator();
            }
            for &(command, label) in *group {
                command_button_ui(ui, state, command, label, out);
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            command_button_ui(ui, state, Command::Palette, "🔍 Commands", out);
        });
    });
}
