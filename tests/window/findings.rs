//! The list of findings, and statistics.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use glam::{Mat3, Mat4};
use rigscope_core::model::{Finding, FindingKind, Place};
use rigscope_state::{Action, FindingsAction, Pane, Request};

use crate::host::{Session, asset, window_with};
use crate::rigs;
use crate::support::written::converted;

fn finding_of(number: u32) -> Finding {
    let place = Place::Bone(number % 10);
    Finding::new(FindingKind::ZeroNormal, place, format!("message {number}"), 1)
}

#[test]
fn a_finding_is_selected_explained_ignored_and_searched() {
    let mut harness = window_with(asset());
    let findings = vec![
        finding_of(3),
        Finding {
            kind: FindingKind::SeveralRoots,
            message: "there are two roots".into(),
            ..finding_of(1)
        },
    ];
    harness.act(Action::Findings(FindingsAction::Validated(Arc::new(findings))));
    harness.click("message 3");
    let state = harness.app();
    assert_eq!(state.tab.selection.bone().map(|bone| bone.0), Some(3));
    harness.get_by_label("How to fix");
    harness.get_by_label("Effect");

    harness.click("Ignore this rule");
    assert!(harness.query_by_label("message 3").is_none());
    assert!(harness.state().requests.contains(&Request::SaveSettings));
    harness.click("1 ignored");
    harness.get_by_label("message 3");

    harness.get_by_label("Search findings").focus();
    harness.run();
    harness.get_by_label("Search findings").type_text("two roots");
    harness.run();
    harness.get_by_label("there are two roots");
    assert!(harness.query_by_label("message 3").is_none());
}

#[test]
fn a_clicked_finding_shows_its_details_below_the_view() {
    let mut harness = window_with(asset());
    harness.set_size(egui::vec2(900.0, 600.0));
    harness.state_mut().apply(Action::Findings(FindingsAction::Validated(Arc::new(
        (0..40).map(finding_of).collect(),
    ))));
    harness.run();
    let pane = harness.get_by_label("Findings pane").rect();
    let view = harness.get_by_label("View").rect();
    assert!(pane.top() >= view.bottom() - 1.0, "{pane:?} {view:?}");
    let cell = harness.get_by_label("message 0").rect();
    assert!(cell.width() > 30.0, "{cell:?}");
    harness.click("message 0");
    // The first lines are there at once, the rest is scrolled to.
    let message = harness.get_by_label("message 0.").rect();
    assert!(pane.contains_rect(message), "{message:?} {pane:?}");
    for label in ["Problem", "Effect", "How to fix"] {
        harness.get_by_label(label);
    }
    harness.get_by_label_contains("(group mesh)");
}

#[test]
fn findings_are_copied_as_text_and_as_json() {
    let mut harness = window_with(asset());
    harness.act(Action::Findings(FindingsAction::Validated(Arc::new(vec![finding_of(3)]))));
    for (label, wanted) in [
        ("Copy as text", "zero-normal: message 3 at bones[3]"),
        ("Copy as JSON", "\"place\": \"bones[3]\""),
    ] {
        harness.click("Copy findings");
        harness.click(label);
        let Some(Request::CopyText(text)) = harness.state().requests.last() else {
            panic!("nothing was copied");
        };
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn only_the_visible_rows_of_50000_findings_are_laid_out() {
    let mut harness = window_with(asset());
    let findings = (0..50_000).map(finding_of).collect();
    harness.act(Action::Findings(FindingsAction::Validated(Arc::new(findings))));
    let rows = harness.get_all_by_label_contains("message ").count();
    assert!((3..100).contains(&rows), "{rows}");
    let started = std::time::Instant::now();
    for _ in 0..10 {
        harness.step();
    }
    let took = started.elapsed();
    assert!(took.as_secs_f64() < 5.0, "ten frames took {took:?}");
}

#[test]
fn statistics_are_shown_by_a_shortcut_select_a_subset_and_are_copied() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::SHIFT, Key::F3);
    harness.get_by_label("ACMR");
    harness.get_by_label("Total");
    let name = {
        let document = harness.document();
        document.subset_name(1)
    };
    // The outline has such a row too.
    let rows = harness.get_all_by_label(&name);
    rows.last().unwrap().click();
    harness.run();
    let subset = harness.app().tab.selection.subset();
    assert_eq!(subset, Some(1));
    harness.click("Copy statistics");
    let Some(Request::CopyText(text)) = harness.state().requests.last() else {
        panic!("nothing was copied");
    };
    assert!(text.starts_with("kind\tname\tvertices"), "{text}");
    assert!(text.contains("\ntotal\tTotal\t"), "{text}");
}

#[test]
fn a_torn_model_leads_to_its_cause() {
    let (_, mut model) = rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap();
    for mesh in &mut model.meshes {
        let skin = mesh.inverse_bind_mut().unwrap();
        for matrix in &mut skin.bone_from_mesh {
            let rotation = Mat4::from_mat3(Mat3::from_mat4(*matrix).transpose());
            *matrix = Mat4::from_translation(matrix.w_axis.truncate()) * rotation;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("torn.glb");
    std::fs::write(&path, &converted(&model, "gltf", None).files[0].1.bytes).unwrap();
    let mut harness = window_with(path);
    for size in [[900.0, 600.0], [1600.0, 1000.0]] {
        harness.set_size(size.into());
        harness.act(Action::ShowPane(Pane::Diagnosis, false));
        harness.act(Action::ShowPane(Pane::Findings, true));
        // In the Findings pane, and in the status bar.
        let links =
            harness.get_all_by_label_contains("Cause: the inverse bind matrices are transposed");
        let links: Vec<_> = links.map(|link| link.rect()).collect();
        assert_eq!(links.len(), 2, "{links:?}");
        let bar = links.into_iter().max_by(|a, b| a.top().total_cmp(&b.top())).unwrap();
        assert!(bar.bottom() <= size[1] && bar.right() <= size[0], "{bar}");
        harness.hover_at(bar.center());
        harness.drag_at(bar.center());
        harness.drop_at(bar.center());
        harness.run();
        assert!(harness.app().settings.panes.shows(Pane::Diagnosis));
        harness.get_by_label("Fix inverse-binds-transposed");
    }
}

#[test]
fn a_model_without_symptoms_is_not_diagnosed() {
    let harness = window_with(asset());
    assert!(harness.app().tab.view.findings.is_validated());
    assert!(harness.app().causes().is_none());
    assert!(harness.query_by_label_contains("Cause:").is_none());
}
