//! Too little room: tabs without room move to a menu, and a widget has one tooltip.

use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::{Finding, FindingKind, Place};
use rigscope_state::{Action, Command, FindingsAction, Pane};

use crate::host::{Host, Session, asset, window_with};

const RIGHT: [Pane; 4] = [Pane::Weights, Pane::Animation, Pane::Materials, Pane::AsBsm2];

#[test]
fn pane_tabs_that_do_not_fit_move_to_a_menu_except_the_active_one() {
    let mut harness = window_with(asset());
    assert!(harness.query_by_label("More panes").is_none());
    for pane in RIGHT {
        harness.act(Action::ShowPane(pane, true));
    }
    let bar = harness.get_by_label("More panes").rect();
    let last = Pane::AsBsm2.info().name;
    let is_in_bar = |harness: &Harness<'_, Host>, name: &str| {
        harness.query_all_by_label(name).map(|tab| tab.rect()).any(|tab| {
            tab.width() > 20.0
                && tab.y_range().contains(bar.center().y)
                && tab.right() <= bar.left()
        })
    };
    assert!(is_in_bar(&harness, last), "the open tab");
    assert!(!is_in_bar(&harness, "Materials"));
    harness.click("More panes");
    harness.get_all_by_label("Materials").last().unwrap().click();
    harness.run();
    assert!(is_in_bar(&harness, "Materials"));
    harness.get_by_label("More panes");
}

pub fn num_tooltips(harness: &Harness<'_, Host>) -> usize {
    let layers = harness.ctx.memory(|memory| memory.areas().visible_layer_ids());
    layers.into_iter().filter(|layer| layer.order == egui::Order::Tooltip).count()
}

#[test]
fn a_widget_has_one_tooltip() {
    let mut harness = window_with(asset());
    let message = "a message that is much longer than its column ".repeat(20);
    let finding = Finding::new(FindingKind::ZeroNormal, Place::Bone(1), message.clone(), 1);
    harness.act(Action::Findings(FindingsAction::Validated(Arc::new(vec![finding]))));
    let linear = Command::ToggleLinear.info().name;
    let names = [
        linear.to_owned(),
        Command::ShowBindPose.info().name.to_owned(),
        harness.document().subset_name(0),
        "a message that".to_owned(),
    ];
    for name in names {
        expect_one_tooltip(&mut harness, &name);
    }
}

#[test]
fn a_cell_of_the_comparison_has_one_tooltip() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = crate::compare::compared(&folder);
    harness.set_size(egui::vec2(900.0, 600.0));
    harness.run();
    let compared = harness.app().tab.view.compare.compared().cloned().unwrap();
    let longest = compared.differences().iter().map(|difference| &difference.what);
    let longest = longest.max_by_key(|what| what.len()).unwrap();
    expect_one_tooltip(&mut harness, &longest.chars().take(30).collect::<String>());
}

fn expect_one_tooltip(harness: &mut Harness<'_, Host>, name: &str) {
    // Some nodes are for screen readers only.
    let rects = harness.get_all_by_label_contains(name).map(|node| node.rect());
    let pos = rects.into_iter().find(|rect| rect.is_finite()).unwrap().center();
    harness.hover_at(pos);
    for _ in 0..60 {
        harness.step();
    }
    assert_eq!(num_tooltips(harness), 1, "{name}");
    harness.hover_at(egui::pos2(1.0, 1.0));
    harness.run();
}
