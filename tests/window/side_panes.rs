//! Panes next to the view: images and exports; copying an image; messages over the view.

use egui::{Event, Key, Modifiers, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{
    Action, Command, Dialog, FilePurpose, ImageExportAction, Request, ToastLevel,
};

use crate::host::{Host, asset, window_with};

fn opened(command: Command) -> Harness<'static, Host> {
    let mut harness = window_with(asset());
    harness.state_mut().apply(Action::Run(command));
    harness.run();
    harness
}

fn rect(harness: &Harness<'static, Host>, label: &str) -> Rect {
    harness.get_by_label(label).rect()
}

fn last(harness: &Harness<'static, Host>) -> Option<Request> {
    harness.state().requests.last().cloned()
}

#[test]
fn the_export_pane_is_docked_next_to_the_view_and_stays_there() {
    let mut harness = opened(Command::Export);
    for size in [[900.0, 600.0], [1280.0, 800.0], [2560.0, 1440.0]] {
        harness.set_size(size.into());
        harness.run();
        let (view, title) = (rect(&harness, "View"), rect(&harness, "Export"));
        assert!(view.right() <= title.left() && view.width() > 200.0, "{view} {title} at {size:?}");
        let before = rect(&harness, "Export to file…");
        for format in ["obj", "bsm2"] {
            let export = harness.state().state.tab.export.as_ref().unwrap();
            let choice = rigscope_state::ExportChoice { format, ..export.choice.clone() };
            harness.state_mut().apply(Action::ChooseExport(choice));
            harness.run();
            assert_eq!(rect(&harness, "Export to file…"), before, "{format} at {size:?}");
        }
        // The main button is the last one, except on Windows.
        let mut buttons = harness.get_all_by_label("Close");
        let close = buttons.find(|button| before.y_range().contains(button.rect().center().y));
        let is_last = before.left() > close.unwrap().rect().left();
        assert_eq!(is_last, !cfg!(target_os = "windows"));
    }
    // The view goes on meanwhile.
    harness.key_press(Key::Space);
    harness.run_steps(2);
    assert!(harness.state().state.tab.playback.is_playing);
    assert_eq!(harness.state().state.dialog, Some(Dialog::Export));
}

#[test]
fn enter_saves_after_numbers_are_committed_and_escape_closes() {
    let mut harness = opened(Command::SaveImage);
    harness.get_by_label("Width").click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_label("Width").type_text("333");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().state.tab.view.image_export.choice.size_px[0], 333);
    assert!(!matches!(
        last(&harness),
        Some(Request::PickTarget { purpose: FilePurpose::Image, .. })
    ));
    harness.key_press(Key::Enter);
    harness.run();
    assert!(matches!(
        last(&harness),
        Some(Request::PickTarget { purpose: FilePurpose::Image, .. })
    ));
    harness.get_by_label("Width").click();
    harness.run();
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(harness.state().state.dialog, None);
    // Also if no widget has the focus.
    harness.key_press_modifiers(Modifiers::COMMAND, Key::E);
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert!(matches!(
        last(&harness),
        Some(Request::PickTarget { purpose: FilePurpose::Export, .. })
    ));
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(harness.state().state.dialog, None);
}

#[test]
fn escape_closes_go_to_vertex() {
    let mut harness = opened(Command::GoToVertex);
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(harness.state().state.dialog, None);
}

#[test]
fn copy_renders_the_image_and_does_not_affect_text_fields() {
    let mut harness = window_with(asset());
    harness.event(Event::Copy);
    harness.run();
    let Some(Request::CopyImage { id, choice }) = last(&harness) else {
        panic!("nothing is drawn");
    };
    let size = harness.state().state.view_size_points.round();
    assert_eq!(choice.size_px.map(|side| side as f32), [size.x, size.y]);
    let texts = |harness: &Harness<'static, Host>| -> Vec<String> {
        harness.state().state.toasts.list().iter().map(|toast| toast.text.clone()).collect()
    };
    assert_eq!(texts(&harness), ["copying the image…"]);
    // A second one takes the place of the first, and the last options are those of the dialog.
    harness.state_mut().apply(Action::Run(Command::SaveImage));
    harness.run();
    harness.get_by_label("Transparent background").click();
    harness.run();
    harness.get_by_label("Copy to the clipboard").click();
    harness.run();
    assert!(harness.state().requests.contains(&Request::Cancel(id)));
    let Some(Request::CopyImage { id, choice }) = last(&harness) else {
        panic!("nothing is drawn");
    };
    assert!(choice.is_transparent);
    let copied = Action::ImageExport(ImageExportAction::Copied { id, outcome: Ok([640, 480]) });
    harness.state_mut().apply(copied);
    harness.run();
    assert_eq!(texts(&harness), ["image copied (640 × 480 pixels)"]);

    let num = harness.state().requests.len();
    harness.get_by_label("Search bones").focus();
    harness.run();
    harness.event(Event::Copy);
    harness.run();
    assert_eq!(harness.state().requests.len(), num, "the field has it");
}

#[test]
fn toasts_cover_no_control_and_can_be_dismissed() {
    let mut harness = window_with(asset());
    let text = "A message that is long enough to need more than the one line that most need";
    for size in [[900.0, 600.0], [1280.0, 800.0], [2560.0, 1440.0]] {
        harness.set_size(size.into());
        harness.state_mut().apply(Action::ShowMessage(ToastLevel::Warning, text.into()));
        harness.run();
        let toast = rect(&harness, text).union(rect(&harness, "Dismiss the message"));
        let view = rect(&harness, "View");
        assert!(view.contains_rect(toast), "{toast} in {view}");
        for control in ["Subset", "Triangle", "Vertex", "Bone", "Got it"] {
            for node in harness.query_all_by_label(control) {
                assert!(!node.rect().intersects(toast), "{control} at {size:?}");
            }
        }
        let compass = Rect::from_min_max(view.left_bottom(), view.left_bottom()).expand(110.0);
        assert!(!compass.intersects(toast), "{toast} at {size:?}");
    }
    harness.get_by_label("Dismiss the message").click();
    harness.run();
    assert!(harness.state().state.toasts.list().is_empty());
}
