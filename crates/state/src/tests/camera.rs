//! Undo and redo of camera moves, with one move per drag.

use super::*;
use rigscope_core::camera::Projection;

fn orbit(state: &mut AppState, yaw_rad: f32) {
    apply(state, Action::Orbit { yaw_rad, pitch_rad: 0.0 });
}

#[test]
fn drag_is_undone_and_redone_as_one_move() {
    let mut state = opened();
    assert!(!Command::UndoCamera.is_enabled(&state), "opening a file doesn't count as a move");
    let first = state.tab.view.camera;
    for _ in 0..5 {
        orbit(&mut state, 0.1);
    }
    let second = state.tab.view.camera;
    state.tick(2.0);
    run(&mut state, Command::ViewTop);
    let third = state.tab.view.camera;
    assert!(first != second && second != third);

    run(&mut state, Command::UndoCamera);
    assert_eq!(state.tab.view.camera, second);
    run(&mut state, Command::UndoCamera);
    assert_eq!(state.tab.view.camera, first);
    assert!(!Command::UndoCamera.is_enabled(&state));
    run(&mut state, Command::RedoCamera);
    run(&mut state, Command::RedoCamera);
    assert_eq!(state.tab.view.camera, third);
    assert!(!Command::RedoCamera.is_enabled(&state));
}

#[test]
fn pause_or_another_kind_of_drag_starts_a_new_move() {
    let mut state = opened();
    let first = state.tab.view.camera;
    orbit(&mut state, 0.1);
    let second = state.tab.view.camera;
    apply(&mut state, Action::Pan(Vec2::new(10.0, 0.0)));
    let third = state.tab.view.camera;
    state.tick(2.0);
    apply(&mut state, Action::Pan(Vec2::new(10.0, 0.0)));
    for camera in [third, second, first] {
        run(&mut state, Command::UndoCamera);
        assert_eq!(state.tab.view.camera, camera);
    }
    run(&mut state, Command::RedoCamera);
    orbit(&mut state, 0.3);
    assert!(!Command::RedoCamera.is_enabled(&state), "a new move ends redoing");
}

#[test]
fn undoing_a_move_keeps_the_projection_and_fits_a_resized_view() {
    let mut state = opened();
    apply(&mut state, Action::ViewSized(Vec2::new(800.0, 600.0)));
    let wide = state.tab.view.camera.distance;
    orbit(&mut state, 0.5);
    run(&mut state, Command::ToggleProjection);
    apply(&mut state, Action::ViewSized(Vec2::new(200.0, 600.0)));
    run(&mut state, Command::UndoCamera);
    assert_eq!(state.tab.view.camera.projection, Projection::Orthographic);
    assert!(state.tab.view.camera.distance > wide, "the whole model is in the narrow view");
}
