//! Drags in the view, by the chosen navigation.

use egui::{Event, Modifiers, PointerButton};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::camera::Camera;
use rigscope_state::Command;

use crate::host::{Host, Session, asset, window_with};

/// Drags over the view and returns the camera before and after.
fn drag(
    harness: &mut Harness<'_, Host>,
    button: PointerButton,
    modifiers: Modifiers,
) -> [Camera; 2] {
    let before = harness.app().tab.view.camera;
    let from = harness.get_by_label("View").rect().center();
    let to = from + egui::vec2(60.0, 20.0);
    let press = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers };
    for event in [
        Event::ModifiersChanged(modifiers),
        Event::PointerMoved(from),
        press(from, true),
        Event::PointerMoved(to),
        press(to, false),
        Event::ModifiersChanged(Modifiers::NONE),
    ] {
        harness.event(event);
        harness.run();
    }
    [before, harness.app().tab.view.camera]
}

fn orbits([before, after]: [Camera; 2]) -> bool {
    before.yaw_rad != after.yaw_rad && before.target == after.target
}

fn pans([before, after]: [Camera; 2]) -> bool {
    before.yaw_rad == after.yaw_rad && before.target != after.target
}

#[test]
fn each_navigation_preset_has_its_own_drags() {
    let mut harness = window_with(asset());
    let (left, middle) = (PointerButton::Primary, PointerButton::Middle);
    assert!(orbits(drag(&mut harness, left, Modifiers::NONE)));
    assert!(pans(drag(&mut harness, middle, Modifiers::NONE)));

    harness.command(Command::NavigateBlender);
    let [before, after] = drag(&mut harness, left, Modifiers::NONE);
    assert_eq!(before, after);
    assert!(orbits(drag(&mut harness, middle, Modifiers::NONE)));
    assert!(pans(drag(&mut harness, middle, Modifiers::SHIFT)));

    harness.command(Command::NavigateMaya);
    assert!(orbits(drag(&mut harness, left, Modifiers::ALT)));
    assert!(pans(drag(&mut harness, middle, Modifiers::ALT)));
    let [before, after] = drag(&mut harness, PointerButton::Secondary, Modifiers::ALT);
    assert!(before.distance != after.distance && before.target == after.target);
}

#[test]
fn the_shortcut_list_shows_the_drags_of_the_chosen_navigation() {
    let mut harness = window_with(asset());
    harness.command(Command::NavigateMaya);
    harness.command(Command::Keys);
    // The first steps show them too.
    assert_eq!(harness.query_all_by_label("Alt+middle drag").count(), 2);
    assert_eq!(harness.query_all_by_label("Shift+drag, middle, right").count(), 0);
}
