//! Pointer input on the compass in the lower left corner: its ends select the six views, dragging it
//! rotates the camera.
//!
//! Not for: drawing its axes, which a GPU pass does (`shaders/axes.wgsl`).

use egui::{CursorIcon, Pos2, Rect, Sense, Stroke, Ui, vec2};
use glam::{Mat4, Vec3};

use super::command_button::described;
use super::projection::TURN_RAD_PER_VIEW;
use super::theme::colors;
use rigscope_core::visual::Switch;
use rigscope_state::{Action, AppState, Command};

/// Keep in sync with `shaders/axes.wgsl`: distance of the centre from the corner, and of an end from the
/// centre.
const MIDDLE: f32 = 46.0;
const ARM: f32 = 30.0;
/// Radius of the area that responds to the pointer.
const REACH: f32 = 42.0;
/// Distance for a hit on an end.
const END_REACH: f32 = 10.0;

/// Side of the square in the corner that the compass takes.
pub(super) const SIDE: f32 = MIDDLE + REACH;

/// The view from each end of the axes, and the opposite one.
const VIEWS: [(Vec3, Command, Command); 6] = [
    (Vec3::X, Command::ViewSide, Command::ViewLeft),
    (Vec3::Y, Command::ViewTop, Command::ViewBottom),
    (Vec3::Z, Command::ViewFront, Command::ViewBack),
    (Vec3::NEG_X, Command::ViewLeft, Command::ViewSide),
    (Vec3::NEG_Y, Command::ViewBottom, Command::ViewTop),
    (Vec3::NEG_Z, Command::ViewBack, Command::ViewFront),
];

pub(super) fn compass_ui(ui: &mut Ui, state: &AppState, rect: Rect, out: &mut Vec<Action>) {
    if !state.tab.view.overlays.get(Switch::Axes) {
        return;
    }
    let middle = rect.left_bottom() + vec2(MIDDLE, -MIDDLE);
    let area = Rect::from_center_size(middle, vec2(2.0 * REACH, 2.0 * REACH)).intersect(rect);
    let response = ui.interact(area, ui.scope_id().with("compass"), Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, "Compass"));
    let delta = response.drag_delta();
    if delta != egui::Vec2::ZERO {
        let per_point = TURN_RAD_PER_VIEW / rect.height().max(1.0);
        out.push(Action::Orbit { yaw_rad: -delta.x * per_point, pitch_rad: delta.y * per_point });
    }
    let Some(pointer) = response.hover_pos().or(response.interact_pointer_pos()) else {
        return;
    };
    ui.painter().circle_filled(middle, REACH, colors(ui.visuals()).over.gamma_multiply(0.07));
    let view_from_world = state.tab.view.camera.view_from_world();
    let found = end_at(&view_from_world, pointer - middle).filter(|_| !response.dragged());
    if let Some((at, command)) = found {
        let stroke = Stroke::new(1.5, colors(ui.visuals()).over);
        ui.painter().circle_stroke(middle + at, END_REACH, stroke);
        if response.clicked() {
            out.push(Action::Run(command));
        }
        described(response.on_hover_cursor(CursorIcon::PointingHand), state, command);
    } else {
        response.on_hover_cursor(CursorIcon::Grab).on_hover_text("Drag to orbit.");
    }
}

/// The end nearest to the camera at `offset` from the centre: its position and view, or the opposite view
/// if the camera already looks along that axis.
fn end_at(view_from_world: &Mat4, offset: egui::Vec2) -> Option<(egui::Vec2, Command)> {
    let ends = VIEWS.iter().map(|(direction, command, opposite)| {
        let in_view = view_from_world.transform_vector3(*direction);
        let at = vec2(in_view.x, -in_view.y) * ARM;
        (at, in_view.z, if in_view.z > 0.999 { *opposite } else { *command })
    });
    ends.filter(|(at, ..)| (*at - offset).length() <= END_REACH)
        .max_by(|(_, a, _), (_, b, _)| a.total_cmp(b))
        .map(|(at, _, command)| (at, command))
}

/// The position of the end of `direction`, for window tests.
#[doc(hidden)]
pub fn compass_end(view: Rect, view_from_world: &Mat4, direction: Vec3) -> Pos2 {
    let in_view = view_from_world.transform_vector3(direction);
    view.left_bottom() + vec2(MIDDLE + in_view.x * ARM, -MIDDLE - in_view.y * ARM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::camera::{Camera, Preset};

    #[test]
    fn each_axis_end_selects_the_view_from_that_side() {
        let mut camera = Camera::default();
        camera.look_from(Preset::Iso);
        let view = camera.view_from_world();
        for (direction, command, _) in VIEWS {
            let in_view = view.transform_vector3(direction);
            let found = end_at(&view, vec2(in_view.x, -in_view.y) * ARM);
            assert!(found.is_some_and(|(_, found)| found == command), "{direction}");
        }
        assert!(end_at(&view, vec2(REACH, REACH)).is_none());
    }

    #[test]
    fn the_axis_end_facing_the_camera_selects_the_opposite_view() {
        let mut camera = Camera::default();
        camera.look_from(Preset::Front);
        let found = end_at(&camera.view_from_world(), egui::Vec2::ZERO);
        assert!(found.is_some_and(|(_, command)| command == Command::ViewBack));
    }
}
