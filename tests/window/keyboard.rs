//! Which key presses go to commands, and which to fields, lists, menus and dialogs.

use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::visual::Switch;
use rigscope_state::{Command, Pane, Selection};

use crate::host::{Host, Session, asset, window_with};

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

/// Presses and releases the left button at `pos`.
fn click_events(pos: Pos2) -> Vec<Event> {
    let button = |pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    vec![Event::PointerMoved(pos), button(true), button(false)]
}

/// Presses the keys of a lower-case text.
fn typing_events(text: &str) -> Vec<Event> {
    let letters = text.chars().flat_map(|letter| {
        let key = Key::from_name(&letter.to_uppercase().to_string()).unwrap();
        [key_event(key, Modifiers::NONE), Event::Text(letter.to_string())]
    });
    letters.collect()
}

fn key_event(key: Key, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: Some(key), pressed: true, repeat: false, modifiers }
}

fn shows_bones(harness: &Harness<'_, Host>) -> bool {
    Command::switch(Switch::Bones).is_on(harness.app())
}

/// All events in one frame, as after a slow one.
fn send(harness: &mut Harness<'_, Host>, events: Vec<Event>) {
    harness.input_mut().events.extend(events);
    harness.run_steps(8);
}

#[test]
fn a_focused_list_passes_shortcuts_on_and_loses_arrows_to_a_view_drag() {
    let mut harness = window_with(asset());
    harness.click("arm_l");
    let bones = shows_bones(&harness);
    harness.press(Modifiers::NONE, Key::B);
    assert_ne!(shows_bones(&harness), bones, "a list takes no letters");
    let time = harness.app().tab.playback.time_secs;
    let view = harness.get_by_label("View").rect();
    harness.drag_at(view.center());
    harness.run();
    harness.hover_at(view.center() + egui::vec2(40.0, 10.0));
    harness.run();
    harness.drop_at(view.center() + egui::vec2(40.0, 10.0));
    harness.run();
    harness.press(Modifiers::NONE, Key::ArrowRight);
    assert!(harness.app().tab.playback.time_secs > time, "arrows step through keys again");
    harness.get_by_label("forearm_l");
}

#[test]
fn letters_typed_right_after_clicking_a_field_go_to_that_field() {
    let mut harness = window_with(asset());
    let bones = shows_bones(&harness);
    let field = harness.get_by_label("Search bones").rect().center();
    let mut events = click_events(field);
    events.extend(typing_events("hab"));
    send(&mut harness, events);
    assert_eq!(shows_bones(&harness), bones, "B is typed, not run");
    assert_eq!(harness.get_by_label("Search bones").value().as_deref(), Some("hab"));
    assert!(!harness.app().tab.playback.is_playing);
}

#[test]
fn letters_typed_right_after_the_palette_shortcut_go_to_the_palette() {
    let mut harness = window_with(asset());
    let bones = shows_bones(&harness);
    let mut events = vec![key_event(Key::K, CTRL)];
    events.extend(typing_events("abb"));
    send(&mut harness, events);
    assert_eq!(harness.get_by_label("Command").value().as_deref(), Some("abb"));
    assert_eq!(shows_bones(&harness), bones);
    // Also if a field had the focus before.
    harness.press(Modifiers::NONE, Key::Escape);
    harness.click("Search bones");
    let mut events = vec![key_event(Key::K, CTRL)];
    events.extend(typing_events("b"));
    send(&mut harness, events);
    assert_eq!(harness.get_by_label("Command").value().as_deref(), Some("b"));
    assert_eq!(harness.get_by_label("Search bones").value().as_deref().unwrap_or_default(), "");
}

#[test]
fn a_dialog_captures_plain_keys_and_escape_closes_it() {
    let mut harness = window_with(asset());
    let bones = shows_bones(&harness);
    harness.command(Command::Keys);
    harness.press(Modifiers::NONE, Key::B);
    harness.press(Modifiers::NONE, Key::Space);
    assert_eq!(shows_bones(&harness), bones);
    assert!(!harness.app().tab.playback.is_playing);
    assert!(harness.app().dialog.is_some());
    harness.press(Modifiers::NONE, Key::Escape);
    assert!(harness.app().dialog.is_none());
    harness.press(Modifiers::NONE, Key::B);
    assert_ne!(shows_bones(&harness), bones);
}

#[test]
fn the_search_of_the_shortcuts_has_the_focus() {
    let mut harness = window_with(asset());
    let bones = shows_bones(&harness);
    let mut events = vec![key_event(Key::F1, Modifiers::NONE)];
    events.extend(typing_events("bb"));
    send(&mut harness, events);
    let field = harness.get_by_label("Search shortcuts");
    assert!(field.is_focused());
    assert_eq!(field.value().as_deref(), Some("bb"));
    assert_eq!(shows_bones(&harness), bones);
    harness.press(Modifiers::NONE, Key::Escape);
    harness.press(Modifiers::NONE, Key::Escape);
    assert!(harness.app().dialog.is_none(), "the first empties the field");
}

#[test]
fn the_key_of_a_pane_behind_a_tab_raises_it() {
    let mut harness = window_with(asset());
    harness.press(CTRL, Key::B);
    assert!(!harness.app().is_in_front(Pane::Findings), "the Bytes pane covers it");
    harness.press(Modifiers::NONE, Key::F8);
    assert!(harness.app().is_in_front(Pane::Findings));
    assert!(harness.app().settings.panes.shows(Pane::Bytes));
    harness.press(Modifiers::NONE, Key::F8);
    assert!(!harness.app().settings.panes.shows(Pane::Findings));
    assert!(harness.app().is_in_front(Pane::Bytes));
}

#[test]
fn a_key_without_an_effect_shows_the_reason_except_escape() {
    let mut harness = window_with(asset());
    harness.press(CTRL, Key::Z);
    harness.get_by_label("Undo: nothing to undo");
    harness.press(Modifiers::NONE, Key::A);
    harness.press(Modifiers::NONE, Key::Escape);
    harness.press(Modifiers::NONE, Key::Escape);
    assert!(harness.app().toasts.list().is_empty(), "nothing was left to close");
}

#[test]
fn keys_in_the_bone_search_move_through_the_matches() {
    let mut harness = window_with(asset());
    harness.click("Search bones");
    harness.get_by_label("Search bones").type_text("arm");
    harness.run();
    let selected = |harness: &Harness<'_, Host>| {
        let bone = harness.app().tab.selection.bone().unwrap();
        harness.document().bone_name(bone)
    };
    harness.press(Modifiers::NONE, Key::ArrowDown);
    let first = selected(&harness);
    harness.press(Modifiers::NONE, Key::ArrowDown);
    let second = selected(&harness);
    assert!(first != second && [&first, &second].iter().all(|name| name.contains("arm")));
    harness.press(Modifiers::NONE, Key::ArrowUp);
    assert_eq!(selected(&harness), first);
    let camera = harness.app().tab.view.camera;
    harness.press(Modifiers::NONE, Key::Enter);
    assert_eq!(selected(&harness), first, "the current match");
    assert_eq!(harness.app().tab.view.camera, camera, "Enter in the list would frame it");
    for _ in 0..8 {
        harness.press(Modifiers::NONE, Key::ArrowDown);
        assert!(selected(&harness).contains("arm"), "the list has the focus");
    }
    harness.press(Modifiers::NONE, Key::Escape);
    harness.press(Modifiers::NONE, Key::Escape);
    harness.click("Search bones");
    harness.press(Modifiers::NONE, Key::Enter);
    assert_eq!(selected(&harness), first, "Enter selects the first match");
}

#[test]
fn an_open_menu_captures_plain_keys() {
    let mut harness = window_with(asset());
    let bones = shows_bones(&harness);
    harness.click("Help");
    harness.press(Modifiers::NONE, Key::B);
    assert_eq!(shows_bones(&harness), bones);
    harness.press(Modifiers::NONE, Key::Escape);
    harness.press(Modifiers::NONE, Key::B);
    assert_ne!(shows_bones(&harness), bones);
}

#[test]
fn escape_clears_the_bone_search_and_then_the_selection() {
    let mut harness = window_with(asset());
    harness.click("arm_l");
    harness.click("Search bones");
    harness.get_by_label("Search bones").type_text("head");
    harness.run();
    assert!(harness.query_by_label("hand_l").is_none());
    harness.press(Modifiers::NONE, Key::Escape);
    harness.get_by_label("hand_l");
    assert!(!harness.get_by_label("Search bones").is_focused());
    assert_ne!(harness.app().tab.selection, Selection::None);
    harness.press(Modifiers::NONE, Key::Escape);
    assert_eq!(harness.app().tab.selection, Selection::None);
}
