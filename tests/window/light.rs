//! The pane of light, and light from a file.

use std::path::{Path, PathBuf};

use egui::{Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use image::ImageFormat;
use rigscope_core::visual::{EnvironmentKind, Light, Shading};
use rigscope_state::{
    Action, ChosenFile, ChosenKind, Command, FileKind, ImageSlot, Pane, Request, TabAction,
    UserImageAction,
};

use crate::host::{Host, Session, asset, window_with};

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A file of floats.
fn light_file(folder: &Path, name: &str, [width, height]: [u32; 2]) -> PathBuf {
    let path = folder.join(name);
    let picture =
        image::Rgb32FImage::from_fn(width, height, |x, _| image::Rgb([x as f32, 2.0, 0.5]));
    picture.save_with_format(&path, ImageFormat::Hdr).unwrap();
    path
}

/// The pane of light, seen.
fn light_pane() -> Harness<'static, Host> {
    let mut harness = window_with(asset());
    harness.act(Action::ShowPane(Pane::Light, true));
    harness
}

fn read(path: &Path) -> Action {
    Action::UserImage(UserImageAction::Read(ImageSlot::Environment, path.to_owned()))
}

#[test]
fn an_environment_file_is_chosen_named_undone_and_removed() {
    let folder = scratch();
    let sky = light_file(folder.path(), "sky.hdr", [8, 4]);
    let mut harness = light_pane();
    harness.act(Action::SetLight(Light { environment: EnvironmentKind::Sunset, ..Light::PLAIN }));
    assert!(!Command::RemoveLightFile.is_enabled(harness.app()));
    harness.click("Load an environment image…");
    let asked = FileKind::Image(ImageSlot::Environment);
    assert_eq!(harness.state().requests.last(), Some(&Request::PickFiles(asked)));

    harness.act(read(&sky));
    harness.get_by_label("sky.hdr");
    let state = harness.app();
    assert_eq!(state.active_environment().unwrap().facts.size_px, Some([8, 4]));
    let light = state.tab.view.overlays.light;
    assert_eq!((light.shading, light.environment), (Shading::Physical, EnvironmentKind::File));
    let command_line = state.command_line().unwrap();
    assert!(command_line.contains("sky.hdr"), "{command_line}");

    assert_eq!(Command::Undo.title(state), "Undo: Image replacement");
    harness.command(Command::Undo);
    assert!(harness.query_by_label("sky.hdr").is_none());
    assert_eq!(harness.app().tab.view.overlays.light.environment, EnvironmentKind::Sunset);
    harness.command(Command::Redo);
    harness.get_by_label("sky.hdr");
    // Another light is chosen: the file stays at hand and lights nothing.
    harness.click("Sunset");
    assert!(harness.app().active_environment().is_none());
    harness.click("From the model");
    assert!(harness.app().active_environment().is_some());
    // Who chooses the same file once more wants to see it.
    harness.click("Sunset");
    harness.act(read(&sky));
    assert!(harness.app().active_environment().is_some());
    harness.click("Remove the environment image");
    assert!(harness.app().tab.view.user_images.environment().is_none());
    assert!(harness.query_by_label("sky.hdr").is_none());
}

#[test]
fn a_dropped_environment_image_lights_only_its_tab() {
    let folder = scratch();
    let sky = light_file(folder.path(), "sky.hdr", [8, 4]);
    let mut harness = light_pane();
    let other = folder.path().join("other.bsm2");
    std::fs::copy(asset(), &other).unwrap();
    let dropped = ChosenFile { path: sky, kind: ChosenKind::Image };
    harness.act(Action::Drop(vec![dropped]));
    harness.get_by_label("sky.hdr");
    harness.state_mut().open(other);
    harness.run();
    assert!(harness.query_by_label("sky.hdr").is_none());
    harness.act(Action::Tab(TabAction::Show(0)));
    harness.get_by_label("sky.hdr");
    // Reading the model again changes nothing about it.
    harness.command(Command::Reload);
    harness.answer();
    harness.get_by_label("sky.hdr");
}

#[test]
fn an_invalid_environment_file_is_refused_and_the_old_one_remains() {
    let folder = scratch();
    let sky = light_file(folder.path(), "sky.hdr", [8, 4]);
    let square = light_file(folder.path(), "square.hdr", [4, 4]);
    let broken = folder.path().join("broken.hdr");
    std::fs::write(&broken, b"#?RADIANCE\n").unwrap();
    let mut harness = light_pane();
    harness.act(read(&sky));
    for (path, says) in [
        (&square, "square.hdr is not used: isn't an environment map"),
        (&broken, "broken.hdr is not used: "),
        (&folder.path().join("gone.hdr"), "gone.hdr is not used: "),
    ] {
        harness.act(read(path));
        let said = &harness.app().toasts.list().last().unwrap().text;
        assert!(said.starts_with(says), "{said}");
        assert_eq!(harness.app().active_environment().unwrap().path, sky);
    }
}

/// Drags with the right button, to the right.
fn drag(harness: &mut Harness<'static, Host>, modifiers: Modifiers, points: f32) {
    let from = harness.get_by_label("View").rect().center();
    let button = |pos: Pos2, pressed| egui::Event::PointerButton {
        pos,
        button: PointerButton::Secondary,
        pressed,
        modifiers,
    };
    harness.event(egui::Event::ModifiersChanged(modifiers));
    harness.event(egui::Event::PointerMoved(from));
    harness.event(button(from, true));
    harness.run();
    const STEPS: u8 = 40;
    for step in 1..=STEPS {
        let at = from + vec2(points * f32::from(step) / f32::from(STEPS), 0.0);
        harness.event(egui::Event::PointerMoved(at));
        harness.run();
    }
    harness.event(button(from + vec2(points, 0.0), false));
    harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    harness.run();
}

#[test]
fn the_environment_is_rotated_by_a_drag_and_undone_in_one_step() {
    let mut harness = window_with(asset());
    harness.act(Action::SetLight(Light::USUAL));
    let camera = harness.app().tab.view.camera;
    let height = harness.get_by_label("View").rect().height();
    drag(&mut harness, Modifiers::SHIFT, height / 4.0);
    // A drag across the height of the view is half a turn, as for the camera; its first points decide that
    // it is a drag.
    let rotated = harness.app().tab.view.overlays.light.turn_degrees;
    assert!((42..=45).contains(&rotated), "{rotated}");
    assert_eq!(harness.app().tab.view.camera, camera);
    assert_eq!(Command::Undo.title(harness.app()), "Undo: Light");
    harness.command(Command::Undo);
    assert_eq!(harness.app().tab.view.overlays.light.turn_degrees, 0);

    // With lamps nothing can be rotated, so it pans, like the right button without modifiers.
    harness.act(Action::SetLight(Light::PLAIN));
    drag(&mut harness, Modifiers::SHIFT, height / 4.0);
    assert_eq!(harness.app().tab.view.overlays.light.turn_degrees, 0);
    assert_ne!(harness.app().tab.view.camera, camera);
}
