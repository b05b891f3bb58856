//! Menus of a right click: in the view, and on rows.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{Action, Command, FindingsAction, Selection};

use crate::host::{Host, Session, asset, window_with};

fn right_click(harness: &mut Harness<'_, Host>, label: &str) {
    harness.get_by_label(label).click_secondary();
    harness.run();
}

/// Clicks an entry of the open menu, which is above everything else.
fn choose(harness: &mut Harness<'_, Host>, entry: &str) {
    harness.get_all_by_label_contains(entry).last().unwrap().click();
    harness.run();
}

#[test]
fn a_right_click_in_the_view_selects_the_element_and_opens_its_menu() {
    let mut harness = window_with(asset());
    right_click(&mut harness, "View");
    let selection = harness.app().tab.selection;
    let number = selection.subset().expect("the model is in the middle of the view");
    let command = Command::HideSelected.info().name;
    choose(&mut harness, command);
    assert!(!harness.app().tab.view.shows(number));
    assert!(!egui::Popup::is_any_open(&harness.ctx), "the menu has closed");
}

#[test]
fn a_right_click_on_the_background_offers_commands_for_the_view() {
    let mut harness = window_with(asset());
    harness.act(Action::Select(Selection::Subset(0)));
    let pos = harness.get_by_label("View").rect().left_center() + egui::vec2(20.0, 0.0);
    harness.hover_at(pos);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Secondary, egui::Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }
    harness.run();
    assert_eq!(harness.app().tab.selection, Selection::None);
    let before = harness.app().tab.view.camera;
    harness.state_mut().apply(Action::Orbit { yaw_rad: 0.5, pitch_rad: 0.0 });
    harness.run();
    choose(&mut harness, Command::UndoCamera.info().name);
    assert_eq!(harness.app().tab.view.camera, before);
}

#[test]
fn subset_and_clip_rows_are_selected_and_have_the_same_menus() {
    let mut harness = window_with(asset());
    let name = harness.document().subset_name(1);
    right_click(&mut harness, &name);
    assert_eq!(harness.app().tab.selection, Selection::Subset(1));
    choose(&mut harness, Command::IsolateSelected.info().name);
    assert_eq!(harness.app().tab.view.isolated, Some(1));

    harness.act(Action::Select(Selection::None));
    let name = harness.document().clip_name(0);
    harness.get_all_by_label_contains(&format!("{name}  (")).last().unwrap().click_secondary();
    harness.run();
    assert!(matches!(harness.app().tab.selection, Selection::Clip(clip) if clip.index() == 0));
}

#[test]
fn the_menu_of_a_finding_has_the_commands_of_its_element() {
    let mut harness = window_with(asset());
    let list = &harness.app().tab.view.findings;
    let number = *list.rows.first().expect("the sample has findings");
    let message = list.all[number].message.clone();
    harness.act(Action::Findings(FindingsAction::Close));
    // Some nodes are for screen readers only.
    harness
        .get_all_by_label_contains(&message)
        .find(|cell| cell.rect().is_finite())
        .unwrap()
        .click_secondary();
    harness.run();
    assert_eq!(harness.app().tab.view.findings.selected, Some(number));
    harness.get_by_label("Copy this finding");
    let selection = harness.app().tab.selection;
    if selection != Selection::None {
        harness.get_by_label_contains(Command::CopyInspectedJson.info().name);
    }
}
