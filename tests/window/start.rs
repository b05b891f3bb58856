//! The page without a file.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{
    Action, FileKind, Origin, RecentAction, RecentInfo, Request, TabAction, Thumbnail,
};

use crate::host::{Host, asset, window};

/// Three recent files, of which one is drawn, one plain and one missing.
fn page() -> Harness<'static, Host> {
    let mut harness = window();
    let files = ["/models/gone.fbx", "/models/large.obj", "/models/hero.bsm2"].map(PathBuf::from);
    for path in &files {
        harness.state_mut().state.settings.remember(path);
    }
    let host = harness.state_mut();
    host.apply(Action::Recent(RecentAction::Inspect));
    let Some(Request::InspectRecent { paths, .. }) = host.requests.last().cloned() else {
        panic!("nobody looks");
    };
    assert_eq!(paths.len(), 3);
    let thumbnail = Thumbnail { size_px: [4, 2], rgba8: vec![255; 32] };
    let looks = [RecentInfo::Missing, RecentInfo::Plain, RecentInfo::Drawn(Arc::new(thumbnail))];
    for (path, look) in files.into_iter().zip(looks) {
        host.apply(Action::Recent(RecentAction::Inspected(path, look)));
    }
    harness.run();
    harness
}

#[test]
fn the_start_screen_shows_recent_files_the_sample_and_first_steps() {
    let mut harness = page();
    for size in [[900.0, 600.0], [2560.0, 1440.0], [1280.0, 800.0]] {
        harness.set_size(size.into());
        harness.run();
        harness.get_by_label("Recent files");
    }
    harness.get_by_label("Shift+drag, middle, right");
    harness.get_by_label_contains("Compare two files");
    harness.get_by_label("Open the sample").click();
    harness.run();
    assert_eq!(harness.state().request().target, Origin::Sample);
    assert!(harness.query_by_label("Recent files").is_none(), "it is being read");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Period);
    harness.run();
    harness.get_by_label("hero.bsm2").click();
    harness.run();
    let target = harness.state().request().target;
    assert_eq!(target, Origin::File("/models/hero.bsm2".into()));
}

#[test]
fn an_effect_is_named_after_its_folder() {
    let mut harness = window();
    let config = PathBuf::from("/effects/Octopus/config.json");
    harness.state_mut().state.settings.remember(&config);
    harness.run();
    assert!(harness.query_by_label("config.json").is_none());
    harness.get_by_label("Octopus").click();
    harness.run();
    let target = harness.state().request().target;
    assert_eq!(target.name(), "Octopus");
    assert_eq!(target, Origin::File(config));
}

#[test]
fn missing_files_are_not_opened_and_can_be_removed_from_the_list() {
    let mut harness = page();
    let num = harness.state().requests.len();
    harness.get_by_label("gone.fbx").click();
    harness.run();
    assert_eq!(harness.state().requests.len(), num);
    harness.get_by_label("Remove gone.fbx from the list").click();
    harness.run();
    assert!(harness.query_by_label("gone.fbx").is_none());
    assert_eq!(harness.state().state.settings.recent.len(), 2);
    assert_eq!(harness.state().requests.last(), Some(&Request::SaveSettings));
}

#[test]
fn the_start_screen_is_shown_only_without_open_files() {
    let mut harness = page();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
    harness.run();
    assert_eq!(harness.state().requests.last(), Some(&Request::PickFiles(FileKind::Model)));
    harness.state_mut().open(asset());
    harness.run();
    assert!(harness.query_by_label("Recent files").is_none());
    harness.state_mut().apply(Action::Tab(TabAction::Close(0)));
    harness.run();
    harness.get_by_label("Recent files");
    // The file that was open may have changed meanwhile.
    let looked = harness.state().requests.iter().rev().find_map(|request| match request {
        Request::InspectRecent { paths, .. } => Some(paths.clone()),
        _ => None,
    });
    assert_eq!(looked.unwrap(), [asset()]);
}
