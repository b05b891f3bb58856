//! Shortcuts in lists: findings and the tree of bones.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope_state::{Action, FindingsAction};

use crate::host::{Session, asset, window_with};

#[test]
fn findings_are_navigated_by_keys() {
    let mut harness = window_with(asset());
    let num = harness.app().tab.view.findings.rows.len();
    assert!(num > 2);
    harness.act(Action::Findings(FindingsAction::Show(harness.app().tab.view.findings.rows[0])));
    harness.get_by_label("Table of findings").focus();
    harness.run();
    let row = |harness: &egui_kittest::Harness<'_, crate::host::Host>| {
        let findings = &harness.app().tab.view.findings;
        findings.rows.iter().position(|row| Some(*row) == findings.selected)
    };
    for (key, wanted) in [
        (Key::ArrowDown, 1),
        (Key::ArrowDown, 2),
        (Key::ArrowUp, 1),
        (Key::End, num - 1),
        (Key::ArrowDown, num - 1),
        (Key::Home, 0),
    ] {
        harness.press(Modifiers::NONE, key);
        assert_eq!(row(&harness), Some(wanted), "{key:?}");
    }
}

#[test]
fn right_and_left_arrows_open_and_close_tree_branches() {
    let mut harness = window_with(asset());
    harness.click("arm_l");
    let selected = |harness: &egui_kittest::Harness<'_, crate::host::Host>| {
        let bone = harness.app().tab.selection.bone().unwrap();
        harness.document().bone_name(bone)
    };
    let time = harness.app().tab.playback.time_secs;
    harness.press(Modifiers::NONE, Key::ArrowLeft);
    assert!(harness.query_by_label("forearm_l").is_none(), "it is closed");
    harness.press(Modifiers::NONE, Key::ArrowRight);
    harness.get_by_label("forearm_l");
    assert_eq!(selected(&harness), "arm_l");
    harness.press(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(selected(&harness), "forearm_l");
    harness.press(Modifiers::NONE, Key::ArrowRight);
    harness.press(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(selected(&harness), "hand_l", "nothing is below a hand");
    harness.press(Modifiers::NONE, Key::ArrowLeft);
    assert_eq!(selected(&harness), "forearm_l");
    assert_eq!(harness.app().tab.playback.time_secs, time, "the clock stays");
}
