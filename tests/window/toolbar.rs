//! The toolbar in windows of all widths, and panes that stay open when the palette opens.

use egui::{Key, Modifiers, Rect};
use egui_kittest::kittest::{NodeT, Queryable};
use rigscope_core::visual::Switch;
use rigscope_state::{Command, Dialog};

use crate::host::{Session, asset, window_with};

/// As screen readers call the buttons, from left to right.
const BUTTONS: [&str; 12] = [
    "Open files…",
    "Reload",
    "Save image…",
    "Export…",
    "Surface",
    "Wireframe",
    "Bones",
    "Frame all",
    "Orthographic",
    "Front",
    "Show as BSM2",
    "Compare with…",
];

#[test]
fn tools_are_in_one_row_or_in_the_overflow_menu() {
    let mut harness = window_with(asset());
    for (width, has_rest) in
        [(450.0, true), (640.0, true), (900.0, false), (1280.0, false), (2560.0, false)]
    {
        harness.set_size(egui::vec2(width, 600.0));
        harness.run();
        let find = harness.get_by_label("Command palette…").rect();
        let in_row = |name: &str| -> Option<Rect> {
            let all = harness.query_all_by_label(name).map(|node| node.rect());
            all.into_iter().find(|rect| (rect.center().y - find.center().y).abs() < 3.0)
        };
        let seen: Vec<Rect> = BUTTONS.into_iter().filter_map(in_row).collect();
        assert_eq!(seen.len() < BUTTONS.len(), has_rest, "{} at {width}", seen.len());
        assert_eq!(in_row("More tools").is_some(), has_rest, "at {width}");
        let end = seen.iter().chain(std::iter::once(&find));
        for (one, next) in seen.iter().zip(end.skip(1)) {
            assert!(one.right() <= next.left() + 0.5, "{one} {next} at {width}");
        }
        assert!(find.right() <= width, "at {width}");
        assert_eq!(in_row("Surface colours").is_some(), width > 450.0, "at {width}");
    }
    // If there is space, icons have labels.
    let named = harness.get_by_label("Save image…").rect().width();
    harness.set_size(egui::vec2(640.0, 600.0));
    harness.run();
    assert!(named > harness.get_by_label("Save image…").rect().width() + 20.0);
}

#[test]
fn the_colour_choice_shows_the_active_source() {
    let mut harness = window_with(asset());
    let is_on = |harness: &egui_kittest::Harness<'_, crate::host::Host>, name: &str| {
        let node = harness.get_by_label(name);
        node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
            || node.accesskit_node().is_selected() == Some(true)
    };
    assert!(is_on(&harness, "By subset") && !is_on(&harness, "Plain"));
    harness.click("Plain");
    assert!(is_on(&harness, "Plain") && !is_on(&harness, "By subset"));
    harness.command(Command::switch(Switch::Checker));
    assert!(!is_on(&harness, "Plain"));
    assert_eq!(harness.app().color_source_name().as_deref(), Some("Checker"));
    harness.press(Modifiers::SHIFT, Key::S);
    assert!(is_on(&harness, "By subset"));
}

#[test]
fn the_palette_leaves_panes_open() {
    let mut harness = window_with(asset());
    harness.command(Command::Export);
    harness.press(Modifiers::COMMAND, Key::K);
    assert_eq!(harness.app().dialog, Some(Dialog::Palette));
    harness.get_by_label("Export to file…");
    harness.press(Modifiers::NONE, Key::Escape);
    assert_eq!(harness.app().dialog, Some(Dialog::Export));
    harness.press(Modifiers::COMMAND, Key::K);
    harness.get_by_label("Command").type_text("wireframe");
    harness.run();
    harness.press(Modifiers::NONE, Key::Enter);
    assert!(harness.app().tab.view.overlays.wireframe);
    assert_eq!(harness.app().dialog, Some(Dialog::Export));
    harness.press(Modifiers::NONE, Key::Escape);
    assert_eq!(harness.app().dialog, None);
}

#[test]
fn the_shortcuts_and_about_dialogs_close_by_key_and_button() {
    let mut harness = window_with(asset());
    for command in [Command::Keys, Command::About] {
        for key in [Key::Enter, Key::Escape] {
            harness.command(command);
            let size = harness.ctx.content_rect();
            let close: Vec<Rect> =
                harness.query_all_by_label("Close").map(|node| node.rect()).collect();
            let is_right = |rect: &&Rect| rect.left() > size.center().x;
            assert!(close.iter().any(|rect| is_right(&rect)), "{command:?}");
            harness.press(Modifiers::NONE, key);
            assert_eq!(harness.app().dialog, None, "{command:?} by {key:?}");
        }
    }
}
