//! Replacing textures of a material in the Materials pane: with a button, by dropping a file on a role, or
//! back to the file's texture.

use egui::{Response, Stroke, StrokeKind, Ui};

use super::format::capital;
use super::theme;
use super::theme::gap;
use rigscope_core::model::{Material, MaterialId, TEXTURE_ROLES, TextureRole};
use rigscope_state::{Action, AppState, ImageSlot, UserImageAction};

/// The buttons for one role of `material` that has or had a texture.
pub(super) fn role_ui(
    ui: &mut Ui,
    state: &AppState,
    material: MaterialId,
    role: TextureRole,
    out: &mut Vec<Action>,
) {
    if role == TextureRole::Other {
        // This role isn't drawn.
        return;
    }
    let slot = ImageSlot::Texture(material, role);
    let by_hand = &state.tab.view.user_images;
    let is_set = by_hand.of(slot).is_some();
    let is_away = by_hand.removed_textures(material).any(|away| away == role);
    let label = role.info().label;
    ui.horizontal_wrapped(|ui| {
        let mut button = |is_shown: bool, text: &str, name: String, help: &str, action| {
            if is_shown {
                let response = ui.small_button(text).on_hover_text(help);
                if response.accessible_name(name).clicked() {
                    out.push(Action::UserImage(action));
                }
            }
        };
        let help = "Shows an image file in this role. You can also drop an image here. The model's \
                    file isn't changed.";
        button(true, "Set…", format!("Set {label}…"), help, UserImageAction::Choose(slot));
        let help = "Shows the material without this texture.";
        let name = format!("Remove {label}");
        button(!is_away, "Remove", name, help, UserImageAction::Remove(material, role));
        let help = "Reads the image again. This also happens when the file changes.";
        button(is_set, "Reload", format!("Reload {label}"), help, UserImageAction::ReadAgain(slot));
        let help = "Shows the texture of the model's file again.";
        let is_changed = is_set || is_away;
        button(is_changed, "Reset", format!("Reset {label}"), help, UserImageAction::Reset(slot));
    });
}

/// Accepts an image file dropped on a role's row, and highlights the row while one is dragged over it.
pub(super) fn drop_ui(
    ui: &Ui,
    row: &Response,
    material: MaterialId,
    role: TextureRole,
    out: &mut Vec<Action>,
) {
    let is_over = role != TextureRole::Other
        && ui.input(|input| input.pointer.latest_pos()).is_some_and(|at| row.rect.contains(at))
        && ui.clip_rect().intersects(row.rect);
    if !is_over {
        return;
    }
    let (is_held, dropped) = ui.input(|input| {
        let dropped = input.raw.dropped_files.first().map(|file| file.path().to_owned());
        (!input.raw.hovered_files.is_empty(), dropped)
    });
    if is_held {
        let stroke = Stroke::new(2.0, theme::accent(ui.visuals()));
        ui.painter().rect_stroke(row.rect.expand(2.0), 3.0, stroke, StrokeKind::Outside);
    }
    if let Some(path) = dropped {
        let slot = ImageSlot::Texture(material, role);
        out.push(Action::UserImage(UserImageAction::Read(slot, path)));
    }
}

/// Roles of `material` without a texture: removed ones, and a menu of all others.
pub(super) fn others_ui(
    ui: &mut Ui,
    state: &AppState,
    id: MaterialId,
    material: &Material,
    out: &mut Vec<Action>,
) {
    for role in state.tab.view.user_images.removed_textures(id) {
        ui.add_space(gap::SMALL);
        let row = ui.vertical(|ui| {
            ui.weak(format!("{}  ·  removed", capital(role.info().label)));
            role_ui(ui, state, id, role, out);
        });
        drop_ui(ui, &row.response, id, role, out);
    }
    ui.add_space(gap::SMALL);
    let is_free = |role: TextureRole| {
        role != TextureRole::Other
            && material.textures.iter().all(|texture| texture.role != role)
            && state.tab.view.user_images.removed_textures(id).all(|away| away != role)
    };
    let menu = ui.menu_button("Add a texture", |ui| {
        for info in TEXTURE_ROLES.iter().filter(|info| is_free(info.role)) {
            let button = ui
                .button(format!("{}…", capital(info.label)))
                .on_hover_text("Chooses an image file for this role.");
            if button.accessible_name(format!("Set {}…", info.label)).clicked() {
                let slot = ImageSlot::Texture(id, info.role);
                out.push(Action::UserImage(UserImageAction::Choose(slot)));
                ui.close();
            }
        }
    });
    menu.response.on_hover_text("Shows an image file in a role that has no texture yet.");
}
