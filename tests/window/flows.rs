//! User actions and their results.

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::{NodeT, Queryable};
use rigscope_core::model::UpAxis;
use rigscope_state::{Action, Command, Dialog, FileKind, Request, Selection};

use crate::support::gltf;

use crate::host::{Session, asset, sample, window, window_with};

const CTRL_SHIFT: Modifiers =
    Modifiers { ctrl: true, command: true, shift: true, ..Modifiers::NONE };

#[test]
fn an_empty_window_offers_to_open_a_file() {
    // The sign above and the button on the page.
    for way in 0..2 {
        let mut harness = window();
        let ways: Vec<_> = harness.get_all_by_label("Open files…").collect();
        assert_eq!(ways.len(), 2);
        ways[way].click();
        harness.run();
        assert_eq!(harness.state().requests, [Request::PickFiles(FileKind::Model)], "{way}");
    }
}

#[test]
fn a_dropped_file_is_loaded_in_the_background_and_then_shown() {
    let mut harness = window();
    let path = asset();
    harness.act(Action::OpenWith(path.clone(), Vec::new()));
    harness.get_by_label("Loading sample.bsm2");
    harness.answer();
    assert!(harness.query_by_label("Loading sample.bsm2").is_none());
    assert_eq!(harness.app().settings.recent, [path]);
    harness.get_by_label("Hide skin");
}

#[test]
fn loading_can_be_cancelled() {
    let mut harness = window_with(asset());
    harness.act(Action::Open(asset()));
    harness.click("Cancel");
    let host = harness.state();
    assert!(host.state.job.is_none());
    assert!(matches!(host.requests.last(), Some(Request::Cancel(_))));
    assert_eq!(host.state.tab.document.as_ref().unwrap().name(), "sample.bsm2");
}

#[test]
fn a_broken_file_keeps_the_old_document_and_shows_the_error() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("cut.bsm2");
    let bytes = std::fs::read(asset()).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();

    let mut harness = window_with(asset());
    harness.state_mut().apply(Action::Open(path));
    harness.answer();
    harness.get_by_label("cut.bsm2 could not be opened");
    harness.get_by_label("The BSM2 file ends too early: a part of it is missing.");
    for fact in ["Found", "Place", "Field"] {
        assert!(harness.query_all_by_label(fact).next().is_some(), "{fact}");
    }
    let document = harness.document();
    assert_eq!(document.name(), "sample.bsm2");
    harness.press(Modifiers::NONE, Key::Escape);
    assert!(harness.app().tab.problem.is_none());
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_bone_is_selected_in_the_list_and_inspected() {
    let path = sample("octopus.bsm2");
    let mut harness = window_with(path);
    harness.click("bone 3");
    let selection = harness.app().tab.selection;
    assert_eq!(selection.bone().map(|bone| bone.0), Some(3));
    harness.get_by_label("Skinning (model from mesh), as stored");
}

#[test]
fn bones_are_a_tree_if_the_file_has_parents_and_searching_lists_them() {
    let mut harness = window_with(asset());
    harness.click("neck");
    harness.get_by_label("World (model from bone)");
    harness.get_by_label("Inverse bind (bone from mesh)");
    // The parent is a link.
    harness.get_by_role_and_label(Role::Link, "chest").click();
    harness.run();
    let host = harness.state();
    let skeleton = &host.state.tab.document.as_ref().unwrap().model.skeleton;
    let bone = host.state.tab.selection.bone().unwrap();
    assert_eq!(skeleton.display_name(bone), "chest");

    harness.get_by_label("Search bones").focus();
    harness.run();
    harness.get_by_label("Search bones").type_text("SHIN");
    harness.run();
    let rows = harness.get_all_by_role(Role::TreeItem).filter(|node| {
        let label = node.accesskit_node().label();
        label.is_some_and(|label| label.starts_with("shin_"))
    });
    assert_eq!(rows.count(), 2);
    assert!(harness.query_by_label("hand_l").is_none());
}

#[test]
fn a_subset_is_hidden_and_isolated_from_the_outline() {
    let mut harness = window_with(asset());
    harness.click("Hide skin");
    assert!((0..6).any(|number| !harness.app().tab.view.shows(number)));
    harness.click("Show skin");
    assert!((0..6).all(|number| harness.app().tab.view.shows(number)));
    harness.click("Isolate skin");
    assert!(harness.app().tab.view.isolated.is_some());
    harness.click("Show all");
    assert_eq!(harness.app().tab.view.isolated, None);
}

#[test]
fn space_and_arrows_control_playback_regardless_of_focus() {
    let mut harness = window_with(asset());
    harness.get_by_label("Wireframe").focus();
    harness.run();
    harness.key_press(Key::Space);
    harness.step();
    let state = harness.app();
    assert!(state.tab.playback.is_playing);
    assert!(!state.tab.view.overlays.wireframe, "the button was not pressed");
    harness.press(Modifiers::NONE, Key::ArrowRight);
    let state = harness.app();
    assert!(!state.tab.playback.is_playing);
    assert_eq!(state.current_key(), Some(1));
    assert!(harness.get_by_label("Wireframe").is_focused());
}

#[test]
fn a_text_field_captures_the_space_key() {
    let mut harness = window_with(asset());
    harness.get_by_label("Search bones").focus();
    harness.run();
    harness.press(Modifiers::NONE, Key::Space);
    assert!(!harness.app().tab.playback.is_playing);
}

#[test]
fn a_drag_orbits_the_view_and_the_wheel_zooms() {
    let mut harness = window_with(asset());
    let view = harness.get_by_label("View").rect();
    let before = harness.app().tab.view.camera;
    harness.drag_at(view.center());
    harness.step();
    harness.hover_at(view.center() + egui::vec2(60.0, 0.0));
    harness.run();
    harness.drop_at(view.center() + egui::vec2(60.0, 0.0));
    harness.run();
    let rotated = harness.app().tab.view.camera;
    assert!(rotated.yaw_rad != before.yaw_rad && rotated.distance == before.distance);
    harness.hover_at(view.center());
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, 1.0),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: egui::MouseWheelSource::Unknown,
    });
    harness.run();
    let zoom = rotated.distance / harness.app().tab.view.camera.distance;
    assert!((zoom - 1.2).abs() < 1e-3, "a notch zooms as in Blender: {zoom}");
}

#[test]
fn a_click_in_the_view_selects_and_escape_deselects() {
    let mut harness = window_with(asset());
    let state = harness.app();
    let (document, view) = (state.tab.document.as_ref().unwrap(), &state.tab.view);
    let eye = rigscope_core::pose::skin_model(&document.model, &state.tab.playback.pose_spec());
    let front = eye[0].positions.iter().copied().max_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
    let clip = view.camera.clip_from_world(state.aspect(), &document.bounds);
    let ndc = clip.project_point3(front);
    let rect = harness.get_by_label("View").rect();
    let at = egui::pos2(
        egui::remap(ndc.x, -1.0..=1.0, rect.x_range()),
        egui::remap(-ndc.y, -1.0..=1.0, rect.y_range()),
    );
    harness.drag_at(at);
    harness.step();
    harness.drop_at(at);
    harness.run();
    let selection = harness.app().tab.selection;
    assert!(matches!(selection, Selection::Subset(_)), "{selection:?}");
    harness.get_by_label_contains("Vertices used");
    harness.press(Modifiers::NONE, Key::Escape);
    assert_eq!(harness.app().tab.selection, Selection::None);
}

#[test]
fn the_palette_finds_a_command_and_runs_it() {
    let mut harness = window_with(asset());
    harness.press(CTRL_SHIFT, Key::P);
    assert_eq!(harness.app().dialog, Some(Dialog::Palette));
    assert!(harness.get_by_label("Command").is_focused());
    harness.get_by_label("Command").type_text("wirefr");
    harness.run();
    harness.press(Modifiers::NONE, Key::Enter);
    let state = harness.app();
    assert!(state.tab.view.overlays.wireframe);
    assert_eq!(state.dialog, None);
}

#[test]
fn escape_closes_the_palette_without_running_a_command() {
    let mut harness = window_with(asset());
    harness.press(CTRL_SHIFT, Key::P);
    harness.press(Modifiers::NONE, Key::Escape);
    assert_eq!(harness.app().dialog, None);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn clicking_a_finding_selects_its_element() {
    let path = sample("necklace_1.bsm2");
    let mut harness = window_with(path);
    harness.get_by_label_contains("zero-normal").click();
    harness.run();
    let selection = harness.app().tab.selection;
    assert!(matches!(selection, Selection::Vertex { .. }), "{selection:?}");
    harness.get_by_label("In the file");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_clip_is_chosen_from_the_list() {
    let path = sample("octopus.bsm2");
    let mut harness = window_with(path);
    // While nothing is selected the inspector lists the clips too.
    harness.act(Action::Select(Selection::Subset(0)));
    harness.get_by_role_and_label(Role::ComboBox, "Clip").click();
    harness.run();
    // The inspector lists it too; the menu is on top.
    let entries = harness.get_all_by_label_contains("trigger_1  (");
    entries.last().unwrap().click();
    harness.run();
    assert_eq!(harness.app().clip().unwrap().name, "trigger_1");
}

#[test]
fn every_dialog_opens_and_closes() {
    let mut harness = window_with(asset());
    for command in [Command::Keys, Command::About] {
        harness.command(command);
        // Tabs of panes have such a button too, as small as a cross.
        let buttons = harness.get_all_by_label("Close");
        let width = |node: &egui_kittest::Node<'_>| node.rect().width();
        buttons.max_by(|a, b| width(a).total_cmp(&width(b))).unwrap().click();
        harness.run();
        assert_eq!(harness.app().dialog, None);
    }
}

#[test]
fn the_window_is_idle_once_a_file_is_open() {
    let mut files = vec![asset()];
    if cfg!(has_samples) {
        files.extend(["tri.bsm2", "blush.bsm2", "metro.bsm2", "hades.bsm2"].map(sample));
    }
    for path in files {
        let mut harness = window_with(path.clone());
        let steps = harness.run();
        assert!(steps <= 2, "{path:?}: {steps} frames without a reason");
    }
}

#[test]
fn influence_counts_are_shown_by_a_shortcut_and_saved() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::SHIFT, Key::C);
    let host = harness.state();
    assert!(host.state.tab.view.overlays.coloring.is_some());
    assert!(host.state.settings.overlays.coloring.is_some());
    assert_eq!(host.requests.last(), Some(&Request::SaveSettings));
}

#[test]
fn an_animation_from_another_file_is_added_and_played() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mesh = gltf::write_triangle(folder.path(), "flag.gltf", "cloth.png");
    let motion = gltf::write_motion(folder.path(), "swing.gltf", &["root", "arm", "hand"]);
    let mut harness = window_with(mesh);
    assert!(harness.app().clip().is_none());
    harness.state_mut().apply(Action::Run(Command::AddRelatedFiles));
    let asked = harness.state().requests.last().cloned();
    assert_eq!(asked, Some(Request::PickFiles(FileKind::RelatedFiles)));
    harness.state_mut().apply(Action::AddRelatedFiles(vec![motion]));
    harness.answer();
    let state = harness.app();
    assert_eq!(state.tab.problem, None);
    assert_eq!(state.clip().unwrap().name, "swing");
    let findings = &state.tab.document.as_ref().unwrap().findings;
    let of = |code: &str| findings.iter().find(|finding| finding.kind.code() == code).unwrap();
    assert_eq!(
        of("unmatched-bones").message,
        "1 of 3 bones of swing has no counterpart in the model: hand"
    );
    assert_eq!(of("missing-texture").message, "cloth.png was not found");
}

#[test]
fn a_changed_up_axis_survives_reload() {
    let mut harness = window_with(asset());
    let up = |harness: &egui_kittest::Harness<'static, crate::host::Host>| {
        harness.document().model.axes.up
    };
    assert_eq!(up(&harness), UpAxis::Y);
    for command in [Command::TurnUp, Command::Reload] {
        harness.state_mut().apply(Action::Run(command));
        harness.answer();
        assert_eq!(up(&harness), UpAxis::Z);
    }
}
