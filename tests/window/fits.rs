//! Every pane in windows of many sizes: controls stay inside and don't overlap, words aren't cut.

use std::collections::HashSet;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, Shape, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use rigscope_core::model::{BoneId, MeshId, VertexId};
use rigscope_core::visual::{Coloring, Switch};
use rigscope_state::{
    Action, AppState, Command, InspectAction, PANES, Pane, Panes, Selection, Settings,
};
use rigscope_window::ui::{ViewTextures, window_ui};

use crate::host::{Host, Session, asset, window_with};

/// Points of a window: 900 × 600, 1280 × 800 and 2560 × 1440 pixels at text sizes of 0.75 to 2.
const SIZES: [[f32; 2]; 9] = [
    [450.0, 300.0],
    [600.0, 400.0],
    [640.0, 400.0],
    [853.0, 533.0],
    [900.0, 600.0],
    [1280.0, 800.0],
    [1706.0, 1066.0],
    [2560.0, 1440.0],
    [3413.0, 1920.0],
];

const CONTROLS: [Role; 7] = [
    Role::Button,
    Role::CheckBox,
    Role::ComboBox,
    Role::TextInput,
    Role::SpinButton,
    Role::Link,
    Role::RadioButton,
];

/// Labels and positions of the nodes with `role`.
fn nodes(harness: &Harness<'static, Host>, role: Role) -> Vec<(String, Rect)> {
    let all = harness.query_all_by_role(role);
    all.map(|node| {
        let accesskit = node.accesskit_node();
        let name = accesskit.label().or_else(|| accesskit.value()).unwrap_or_default();
        (name, node.rect())
    })
    .collect()
}

/// Controls that are seen whole in `area`.
fn controls(harness: &Harness<'static, Host>, area: Rect) -> Vec<(String, Rect)> {
    let all = CONTROLS.into_iter().flat_map(|role| nodes(harness, role));
    // Rows of a list are cut where it ends.
    let all = all.filter(|(name, _)| !name.starts_with("Hide ") && !name.starts_with("Isolate "));
    all.filter(|(_, rect)| area.expand(0.5).contains_rect(*rect) && rect.is_positive()).collect()
}

fn overlapping(all: &[(String, Rect)]) -> Option<String> {
    for (at, (name, one)) in all.iter().enumerate() {
        for (other_name, other) in &all[at + 1..] {
            let is_inside = one.contains_rect(*other) || other.contains_rect(*one);
            if !is_inside && one.shrink(1.0).intersects(other.shrink(1.0)) {
                return Some(format!("{name} {one} and {other_name} {other}"));
            }
        }
    }
    None
}

/// The outline and `pane`.
fn panes_with(pane: Pane) -> Panes {
    let mut panes = Panes::default();
    for other in PANES {
        panes.set(other.pane, other.pane == Pane::Outline || other.pane == pane);
    }
    panes
}

#[test]
fn pane_controls_never_overlap_and_words_are_not_broken_into_letters() {
    let mut harness = window_with(asset());
    let mut faults = Vec::new();
    for info in PANES.iter().filter(|info| info.pane != Pane::View) {
        harness.state_mut().state.settings.panes = panes_with(info.pane);
        harness.state_mut().apply(Action::ShowPane(info.pane, true));
        for [width, height] in SIZES {
            harness.set_size(vec2(width, height));
            // Some layouts know their widths from the frame before.
            harness.run_steps(4);
            let at = format!("{} at {width} × {height}", info.name);
            let name = format!("{} pane", info.name);
            let Some(pane) = harness.query_by_label(&name) else {
                faults.push(format!("{at}: not there"));
                continue;
            };
            let area = pane.rect();
            if let Some(both) = overlapping(&controls(&harness, area)) {
                faults.push(format!("{at}: {both}"));
            }
            for (text, rect) in nodes(&harness, Role::Label) {
                let is_seen = area.intersects(rect) && area.x_range().contains(rect.left());
                let is_long = text.chars().count() > 3;
                if is_seen && is_long && rect.width() < 26.0 && rect.height() > 30.0 {
                    faults.push(format!("{at}: {text:?} is {} wide", rect.width()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Drawn text: its content and visible rectangle, whether it ends in an ellipsis, and how far it exceeds its clip
/// rectangle on the right.
struct Drawn {
    text: String,
    seen: Rect,
    is_elided: bool,
    beyond: f32,
}

fn drawn(harness: &Harness<'static, Host>) -> Vec<Drawn> {
    fn add(shape: &Shape, clip: Rect, all: &mut Vec<Drawn>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| add(shape, clip, all)),
            Shape::Text(text) => {
                let rect = text.galley.rect.translate(text.pos.to_vec2());
                all.push(Drawn {
                    text: text.galley.text().to_owned(),
                    seen: rect.intersect(clip),
                    is_elided: text.galley.elided,
                    beyond: rect.right() - clip.right(),
                });
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    harness.output().shapes.iter().for_each(|shape| add(&shape.shape, shape.clip_rect, &mut all));
    all.retain(|drawn| drawn.seen.is_positive());
    all
}

/// Whether hovering over a text shows all of its words.
fn is_told(harness: &mut Harness<'static, Host>, cut: &Drawn) -> bool {
    let whole = |harness: &Harness<'static, Host>| {
        let all = drawn(harness).into_iter().filter(|drawn| !drawn.is_elided);
        all.map(|drawn| drawn.text).collect::<Vec<_>>()
    };
    let before = whole(harness);
    harness.hover_at(cut.seen.center());
    harness.run_steps(3);
    let num = crate::crowded::num_tooltips(harness);
    assert!(num <= 1, "{:?} has {num} tooltips", cut.text);
    let mut news = whole(harness);
    for text in before {
        // Texts that were already shown don't count, but a second occurrence does.
        if let Some(at) = news.iter().position(|new| *new == text) {
            news.swap_remove(at);
        }
    }
    harness.remove_cursor();
    harness.run_steps(1);
    cut.text.split_whitespace().all(|word| news.iter().any(|text| text.contains(word)))
}

#[test]
fn truncated_text_ends_in_an_ellipsis_and_has_a_tooltip() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = window_with(crate::as_bsm2::floats(&folder));
    harness.act(Action::Select(Selection::Bone(BoneId(3))));
    harness.command(Command::AsBsm2);
    crate::frame_times::fill(&mut harness);
    harness.ctx.all_styles_mut(|style| style.interaction.tooltip_delay = 0.0);
    let mut faults = Vec::new();
    for info in PANES.iter().filter(|info| info.pane != Pane::View) {
        harness.state_mut().state.settings.panes = panes_with(info.pane);
        harness.state_mut().apply(Action::ShowPane(info.pane, true));
        let mut told = HashSet::new();
        for [width, height] in SIZES {
            harness.set_size(vec2(width, height));
            harness.run_steps(4);
            let at = format!("{} at {width} × {height}", info.name);
            let view = harness.get_by_label("View").rect();
            for cut in drawn(&harness) {
                // Names in the picture end where it does, and the log scrolls sideways.
                let is_cut = cut.beyond > 1.0 && !cut.is_elided && info.pane != Pane::Log;
                if is_cut && !view.contains_rect(cut.seen) {
                    faults.push(format!("{at}: {:?} is cut by {}", cut.text, cut.beyond));
                }
                let is_news = cut.is_elided && told.insert(cut.text.clone());
                if is_news && !is_told(&mut harness, &cut) {
                    faults.push(format!("{at}: {:?} has no tooltip", cut.text));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn bars_and_panes_leave_room_for_the_view() {
    let mut harness = window_with(asset());
    for [width, height] in SIZES {
        harness.set_size(vec2(width, height));
        harness.run_steps(4);
        let view = harness.get_by_label("View").rect();
        let is_low = height < 400.0;
        let has_room = view.width() >= 100.0 && (is_low || view.height() >= 40.0);
        assert!(has_room, "{view} at {width} × {height}");
    }
}

#[test]
fn related_timeline_buttons_share_a_row() {
    let mut harness = window_with(asset());
    for [width, height] in SIZES {
        harness.set_size(vec2(width, height));
        harness.run_steps(4);
        let buttons = nodes(&harness, Role::Button);
        let top = |name| buttons.iter().find(|(known, _)| known == name).map(|(_, at)| at.top());
        let [curves, animation] = ["Curves", "Animation"].map(top);
        // A menu has both in the narrowest window.
        let is_there = curves.or(top("More timeline controls")).is_some();
        let is_one_row = is_there && curves == animation;
        assert!(is_one_row, "{curves:?} and {animation:?} at {width} × {height}");
    }
}

#[test]
fn the_view_has_its_final_size_in_the_first_frame_of_a_file() {
    for num_before in [1, 2, 5] {
        let ctx = egui::Context::default();
        rigscope_window::ui::theme::install(&ctx);
        let mut host = Host { state: AppState::new(Settings::default()), requests: Vec::new() };
        // Like the shell, handles the requests of all passes after the frame.
        let frame = |host: &mut Host| {
            let mut actions = Vec::new();
            let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(1280.0, 800.0)));
            let mut output =
                ctx.run_ui(egui::RawInput { screen_rect, ..Default::default() }, |ui| {
                    window_ui(ui, &host.state, ViewTextures::default(), &mut actions);
                });
            output.textures_delta.clear();
            let is_size = |action: &&Action| matches!(action, Action::ViewSized(_));
            assert!(actions.iter().filter(is_size).count() <= 1, "{actions:?}");
            for action in actions {
                host.apply(action);
            }
            host.state.view_size_points
        };
        host.apply(Action::OpenWith(asset(), Vec::new()));
        let empty = (0..num_before).map(|_| frame(&mut host)).last().unwrap();
        let request = host.request();
        host.answer(&request);
        let sizes = [0; 3].map(|_| frame(&mut host));
        assert_ne!(sizes[0], empty, "the timeline has rows now");
        assert_eq!(sizes, [sizes[2]; 3], "after {num_before} frames");
    }
}

#[test]
fn the_toolbar_shows_the_whole_name_of_the_colours() {
    let mut harness = window_with(asset());
    for width in [1280.0, 1600.0, 1920.0] {
        harness.set_size(vec2(width, 1000.0));
        for coloring in [Coloring::BoneWeights, Coloring::Uv, Coloring::InfluenceCounts] {
            harness.command(Command::coloring(coloring));
            let name = harness.app().color_source_name().unwrap();
            let view = harness.get_by_label("View").rect();
            let mut tools = drawn(&harness);
            tools.retain(|text| text.seen.bottom() < view.top());
            let shown = tools.iter().find(|text| text.text == name);
            assert!(shown.is_some_and(|text| !text.is_elided), "{name} at {width}");
        }
    }
}

#[test]
fn the_label_of_a_vertex_is_not_cut_by_the_divider() {
    let mut harness = window_with(asset());
    harness.command(Command::AsBsm2);
    harness.command(Command::ArrangeBeside);
    let name = "vertex 128";
    for points_left in [4.0, 15.0, 30.0, 45.0, 60.0] {
        let goes = InspectAction::GoToVertex { mesh: MeshId(0), vertex: VertexId(128) };
        harness.act(Action::Inspect(goes));
        let view = harness.get_by_label("View").rect();
        harness.act(Action::Pan(glam::Vec2::new(view.width() / 4.0 - points_left, 0.0)));
        let labels = drawn(&harness);
        let label = labels.iter().find(|text| text.text == name && view.contains_rect(text.seen));
        let label = label.unwrap_or_else(|| panic!("no label {points_left} left of the divider"));
        assert!(label.beyond <= 0.5, "cut by {} at {points_left}", label.beyond);
    }
}

#[test]
fn the_frame_statistics_have_a_background() {
    let mut harness = window_with(asset());
    harness.command(Command::switch(Switch::Statistics));
    let text = drawn(&harness).into_iter().find(|text| text.text == "Draw calls").unwrap();
    let is_plate = |shape: &egui::epaint::ClippedShape| match &shape.shape {
        Shape::Rect(rect) => {
            let size = rect.rect.size();
            rect.fill.a() > 150 && rect.rect.contains_rect(text.seen) && size.y < 250.0
        }
        _ => false,
    };
    assert!(harness.output().shapes.iter().any(is_plate));
}

#[test]
fn every_row_of_a_form_has_another_name() {
    let mut harness = window_with(asset());
    harness.command(Command::Export);
    let mut names = nodes(&harness, Role::Label);
    let column = names.iter().find(|(name, _)| name == "Format").unwrap().1.left();
    names.retain(|(_, rect)| (rect.left() - column).abs() < 1.0);
    assert!(names.len() > 5, "{names:?}");
    let mut seen = HashSet::new();
    for (name, _) in names {
        assert!(seen.insert(name.clone()), "two rows are called {name}");
    }
}

#[test]
fn the_last_entry_of_a_menu_is_whole() {
    let mut harness = window_with(asset());
    for height in [900.0, 1000.0, 1080.0] {
        harness.set_size(vec2(1600.0, height));
        harness.run();
        harness.click("Show");
        let texts = drawn(&harness);
        let seen = |name: &str| {
            let found = texts.iter().rev().find(|text| text.text.trim() == name);
            found.map_or(0.0, |text| text.seen.height())
        };
        assert_eq!(seen("Statistics"), seen("Wireframe"), "at {height}");
        harness.press(Modifiers::NONE, Key::Escape);
    }
}

#[test]
fn the_names_of_two_models_are_next_to_the_compasses() {
    /// Side of the square in the corner that a compass takes.
    const COMPASS: f32 = 88.0;
    let mut harness = window_with(asset());
    harness.command(Command::AsBsm2);
    for arrangement in [Command::ArrangeBeside, Command::ArrangeSplit] {
        harness.command(arrangement);
        for [width, height] in [[900.0, 600.0], [1600.0, 1000.0]] {
            harness.set_size(vec2(width, height));
            harness.run_steps(4);
            let view = harness.get_by_label("View").rect();
            let middle = if arrangement == Command::ArrangeBeside { view.center().x } else { 0.0 };
            let square = vec2(COMPASS, COMPASS);
            let compasses = [view.left(), middle]
                .map(|left| Rect::from_min_size(egui::pos2(left, view.bottom() - COMPASS), square));
            let texts = drawn(&harness);
            let is_name =
                |text: &&Drawn| text.text.starts_with("A: ") || text.text.starts_with("B: ");
            let names: Vec<_> = texts.iter().filter(is_name).collect();
            assert!(names.len() >= 2, "{width} × {height}");
            for name in names {
                let is_under = compasses.iter().any(|compass| compass.intersects(name.seen));
                assert!(!is_under, "{} at {width} × {height}", name.text);
            }
        }
    }
}
