//! Saving images, and the command line that draws them.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope_state::{
    Action, Command, Dialog, FilePurpose, ImageExportAction, ImageExportKind, ImageExportOutcome,
    Request, Stage,
};

use crate::host::{Session, asset, window, window_with};

#[test]
fn an_image_is_configured_named_drawn_and_reported() {
    let mut harness = window_with(asset());
    let size = harness.app().view_size_points.round();
    harness.press(Modifiers::COMMAND, Key::S);
    harness.get_by_label("Save image");
    harness.click("Transparent background");
    harness.click("Save as…");
    let asked = harness.state().requests.last().cloned();
    let wanted = Request::PickTarget {
        purpose: FilePurpose::Image,
        folder: None,
        name: "sample.png".into(),
        extension: "png".into(),
    };
    assert_eq!(asked, Some(wanted));

    let write = ImageExportAction::WriteTo("out/hero".into());
    harness.act(Action::ImageExport(write));
    let Some(Request::WriteImages(request)) = harness.state().requests.last().cloned() else {
        panic!("nothing is drawn");
    };
    assert_eq!(request.path.to_string_lossy(), "out/hero.png");
    assert!(request.choice.is_transparent);
    let [width, height] = request.choice.size_px;
    assert_eq!((width as f32, height as f32), (size.x, size.y));
    harness.get_by_label("Cancel");

    let outcome = Ok(ImageExportOutcome { path: request.path, num_files: 1, num_bytes: 2048 });
    let id = request.id;
    let written = ImageExportAction::Written { id, outcome };
    harness.act(Action::ImageExport(written));
    harness.get_by_label_contains("hero.png (2.0 KiB)");
}

#[test]
fn turntable_and_clip_exports_can_be_chosen_and_cancelled() {
    let mut harness = window_with(asset());
    harness.command(Command::SaveFilm);
    let choice = harness.app().tab.view.image_export.choice;
    assert_eq!(choice.kind, ImageExportKind::Clip);
    harness.click("Turntable");
    let choice = harness.app().tab.view.image_export.choice;
    assert_eq!((choice.kind, choice.num_images), (ImageExportKind::Turntable, 48));
    let write = ImageExportAction::WriteTo("turn.gif".into());
    harness.act(Action::ImageExport(write));
    harness.click("Cancel");
    let host = harness.state();
    assert!(matches!(host.requests.last(), Some(Request::Cancel(_))));
    assert_eq!(host.state.tab.view.image_export.stage, Stage::Choosing);
    assert_eq!(host.state.dialog, Some(Dialog::ImageExport));
}

#[test]
fn the_command_line_of_the_view_is_copied() {
    let mut harness = window_with(asset());
    let seek = Action::Seek(0.25);
    harness.state_mut().apply(seek);
    harness.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::L);
    let Some(Request::CopyText(text)) = harness.state().requests.last() else {
        panic!("nothing was copied");
    };
    for part in ["rigscope render ", "sample.bsm2", "--camera=", "--time=0.25", "--show=surface"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn nothing_is_saved_without_a_file() {
    let mut harness = window();
    harness.press(Modifiers::COMMAND, Key::S);
    assert_eq!(harness.app().dialog, None);
}
