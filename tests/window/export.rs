//! The export dialog.

use std::path::PathBuf;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{Action, Dialog, ExportOutcome, FilePurpose, Request, Stage};

use crate::host::{Host, Session, asset, window, window_with};

fn opened() -> Harness<'static, Host> {
    let mut harness = window_with(asset());
    harness.press(Modifiers::COMMAND, Key::E);
    harness.get_by_label("Lost in this format");
    harness
}

fn choose(harness: &mut Harness<'static, Host>, format: &'static str) {
    let mut choice = harness.app().tab.export.as_ref().unwrap().choice.clone();
    choice.format = format;
    harness.act(Action::ChooseExport(choice));
}

#[test]
fn nothing_can_be_exported_without_a_file() {
    let mut harness = window();
    harness.press(Modifiers::COMMAND, Key::E);
    assert_eq!(harness.app().dialog, None);
}

#[test]
fn losses_are_listed_for_the_selected_format() {
    let mut harness = opened();
    // The sample is in this format.
    harness.get_by_label_contains("The format stores everything.");
    choose(&mut harness, "obj");
    harness.get_by_label_contains("skeleton, skin and 2 clips left out:");
    choose(&mut harness, "bsm2");
    harness.get_by_label_contains("The format stores everything.");
}

#[test]
fn an_export_asks_for_a_path_shows_progress_and_reports_the_result() {
    let mut harness = opened();
    harness.click("Export to file…");
    let asked = harness.state().requests.last().cloned();
    let wanted = Request::PickTarget {
        purpose: FilePurpose::Export,
        folder: None,
        name: "sample.bsm2".into(),
        extension: "bsm2".into(),
    };
    assert_eq!(asked, Some(wanted));

    let target = PathBuf::from("out/other.bsm2");
    harness.act(Action::ExportTo(target.clone()));
    let Some(Request::Export(request)) = harness.state().requests.last().cloned() else {
        panic!("nothing is written");
    };
    assert_eq!((request.format, &request.path), ("bsm2", &target));
    let id = request.id;
    harness.act(Action::JobProgress { id, what: "comparing clips", fraction: 0.5 });
    harness.get_by_label("Cancel");

    let outcome = ExportOutcome {
        dropped: Vec::new(),
        added: vec!["bone \"_rigscope_root\" was added".into()],
        files: vec![(target, 1234)],
        unforeseen: Vec::new(),
        errors: "positions exact".into(),
        findings: Vec::new(),
    };
    harness.act(Action::Exported { id, outcome: Ok(outcome) });
    harness.get_by_label_contains("other.bsm2");
    harness.get_by_label_contains("positions exact");
    // Panes have such a button too.
    let row = harness.get_by_label("Export to file…").rect().y_range();
    for button in harness.get_all_by_label("Close") {
        if row.contains(button.rect().center().y) {
            button.click();
        }
    }
    harness.run();
    assert_eq!(harness.app().dialog, None);
}

#[test]
fn an_export_can_be_cancelled_and_a_late_result_is_ignored() {
    let mut harness = opened();
    harness.act(Action::ExportTo("x.bsm2".into()));
    harness.click("Cancel");
    let Some(&Request::Cancel(id)) = harness.state().requests.last() else {
        panic!("nothing is cancelled");
    };
    let outcome = Err("late".into());
    harness.act(Action::Exported { id, outcome });
    let export = harness.app().tab.export.as_ref().unwrap();
    assert_eq!(export.stage, Stage::Choosing);
    assert_eq!(harness.app().dialog, Some(Dialog::Export));
}

#[test]
fn an_export_failure_is_shown_in_the_dialog() {
    let mut harness = opened();
    harness.state_mut().apply(Action::ExportTo("x.bsm2".into()));
    let id = match harness.state().requests.last() {
        Some(Request::Export(request)) => request.id,
        other => panic!("{other:?}"),
    };
    let outcome = Err("the disk is full".into());
    harness.act(Action::Exported { id, outcome });
    harness.get_by_label_contains("the disk is full");
}
