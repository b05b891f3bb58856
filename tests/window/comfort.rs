//! Size, contrast, first steps, log, layout.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope_core::visual::Switch;
use rigscope_state::{
    Action, Command, Pane, Request, Script, Selection, Selector, Theme, ToastLevel,
};

use crate::host::{Session, asset, window_with};

#[test]
fn the_ui_scale_is_increased_and_reset() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::COMMAND, Key::Plus);
    harness.press(Modifiers::COMMAND, Key::Plus);
    assert_eq!(harness.app().settings.ui_scale, 1.2);
    assert_eq!(harness.ctx.zoom_factor(), 1.2);
    assert_eq!(harness.state().requests.last(), Some(&Request::SaveSettings));
    harness.press(Modifiers::COMMAND, Key::Minus);
    assert_eq!(harness.ctx.zoom_factor(), 1.1);
    harness.press(Modifiers::COMMAND, Key::Num0);
    assert_eq!(harness.ctx.zoom_factor(), 1.0);
}

#[test]
fn high_contrast_is_black_with_thick_lines_and_can_be_turned_off() {
    let mut harness = window_with(asset());
    let usual = harness.ctx.style_of(egui::Theme::Dark).visuals.clone();
    harness.command(Command::ThemeHighContrast);
    assert_eq!(harness.ctx.theme(), egui::Theme::Dark);
    let strong = harness.ctx.style_of(egui::Theme::Dark).visuals.clone();
    assert_eq!(strong.panel_fill, egui::Color32::BLACK);
    assert!(strong.window_stroke.width > usual.window_stroke.width);
    harness.command(Command::ThemeDark);
    assert_eq!(harness.app().settings.theme, Theme::Dark);
    assert_eq!(harness.ctx.style_of(egui::Theme::Dark).visuals, usual);
}

#[test]
fn first_steps_stay_until_dismissed() {
    let mut harness = window_with(asset());
    let title = harness.get_by_label("First steps").rect();
    let (view, button) =
        (harness.get_by_label("View").rect(), harness.get_by_label("Got it").rect());
    assert!(title.top() >= view.top() && button.bottom() < view.top() + 0.2 * view.height());
    harness.click("Got it");
    assert!(harness.query_by_label("First steps").is_none());
    assert!(!harness.app().settings.shows_hints);
    harness.press(Modifiers::SHIFT, Key::F1);
    harness.get_by_label("First steps");
    harness.press(Modifiers::NONE, Key::Escape);
    assert!(harness.query_by_label("First steps").is_none());
}

#[test]
fn the_log_stores_filters_and_copies_messages() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::COMMAND, Key::L);
    harness.get_by_label_contains("Opened sample.bsm2 as");
    let say = |level, text: &str| Action::ShowMessage(level, text.into());
    harness.state_mut().apply(say(ToastLevel::Error, "it went wrong"));
    harness.state_mut().state.tick(60.0);
    harness.run();
    harness.get_by_label("It went wrong");
    harness.get_by_label("Filter the log").focus();
    harness.run();
    harness.get_by_label("Filter the log").type_text("WRONG");
    harness.run();
    assert!(harness.query_by_label_contains("Opened sample.bsm2").is_none());
    harness.click("Copy");
    let copied = Request::CopyText("error  it went wrong".into());
    assert!(harness.state().requests.contains(&copied));
    harness.click("Clear");
    assert!(harness.app().toasts.log().entries().is_empty());
}

#[test]
fn reset_layout_restores_the_panes() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::NONE, Key::F6);
    assert!(harness.query_by_label("Search bones").is_none());
    harness.act(Action::SaveLayout("nonsense".into()));
    harness.command(Command::ResetLayout);
    harness.get_by_label("Search bones");
    assert_eq!(harness.app().settings.layout, None);
}

#[test]
fn a_script_opens_panes_selects_and_runs_commands() {
    let mut harness = window_with(asset());
    let script = Script {
        panes: Some(vec![Pane::Log]),
        select: Some(Selector::Bone("neck".into())),
        run: vec![Command::switch(Switch::Bones), Command::FrameSelection],
        ..Script::default()
    };
    let state = &mut harness.state_mut().state;
    state.play_script(&script).unwrap();
    assert!(state.settings.panes.shows(Pane::Log) && !state.settings.panes.shows(Pane::Outline));
    assert!(state.tab.selection.bone().is_some() && state.tab.view.overlays.bones);
    for text in ["bone:nobody", "vertex:99999999", "subset:77"] {
        let select = Selector::parse(text).ok();
        let script = Script { select, ..Script::default() };
        let fault = state.play_script(&script).unwrap_err();
        assert!(fault.starts_with("the file has no "), "{fault}");
    }
    let select = Selector::parse("vertex:7").ok();
    let script = Script { select, ..Script::default() };
    state.play_script(&script).unwrap();
    assert!(matches!(state.tab.selection, Selection::Vertex { vertex, .. } if vertex.0 == 7));
}

#[test]
fn arrow_keys_move_through_lists() {
    let mut harness = window_with(asset());
    for _ in 0..2 {
        harness.press(Modifiers::NONE, Key::ArrowDown);
    }
    assert_eq!(harness.app().tab.selection, Selection::Subset(1));
    harness.press(Modifiers::NONE, Key::ArrowUp);
    harness.press(Modifiers::NONE, Key::ArrowUp);
    assert_eq!(harness.app().tab.selection, Selection::Subset(0), "it stops at the end");
    // In the palette they go through commands.
    harness.press(Modifiers::COMMAND, Key::K);
    harness.press(Modifiers::NONE, Key::ArrowDown);
    assert_eq!(harness.app().tab.selection, Selection::Subset(0));
}

#[test]
fn keyboard_focus_moves_between_panes_and_into_them() {
    let mut harness = window_with(asset());
    let next = Modifiers::COMMAND;
    harness.press(next, Key::F6);
    assert!(harness.get_by_label("Outline pane").is_focused());
    harness.press(Modifiers::NONE, Key::Tab);
    let outline = harness.get_by_label("Outline pane").rect();
    let inside = harness.ctx.memory(|memory| memory.focused()).unwrap();
    let inside = harness.ctx.read_response(inside).unwrap().rect;
    assert!(outline.contains_rect(inside), "{inside} in {outline}");
    harness.press(next, Key::F6);
    assert!(harness.get_by_label("Inspector pane").is_focused());
    harness.press(next | Modifiers::SHIFT, Key::F6);
    harness.press(next | Modifiers::SHIFT, Key::F6);
    assert_eq!(harness.app().raised_pane.unwrap().pane, Pane::View);
    assert_eq!(harness.ctx.memory(|memory| memory.focused()), None);
}
