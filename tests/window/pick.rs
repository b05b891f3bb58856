//! Picking and inspecting: selecting with a click, hovering, going to a vertex,
//! copying.

use egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::{MeshId, VertexId};
use rigscope_state::{Action, Arrangement, Command, PickWhat, Request, SecondAction, Selection};

use crate::host::{Host, Session, asset, window_with};

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

fn selection(harness: &Harness<'_, Host>) -> Selection {
    harness.app().tab.selection
}

/// The text that was last put on the clipboard.
fn copied(harness: &Harness<'_, Host>) -> String {
    match harness.state().requests.last() {
        Some(Request::CopyText(text)) => text.clone(),
        other => panic!("{other:?}"),
    }
}

/// A place in the view where the character is: its foremost vertex.
fn on_the_character(harness: &Harness<'_, Host>) -> Pos2 {
    let state = harness.app();
    let (document, view) = (state.tab.document.as_ref().unwrap(), &state.tab.view);
    let posed = rigscope_core::pose::skin_model(&document.model, &state.tab.playback.pose_spec());
    let display_from_file = document.model.axes.display_from_file();
    let clip = view.camera.clip_from_world(state.aspect(), &document.bounds);
    let places = posed[0].positions.iter();
    let places = places.map(|&p| clip.project_point3(display_from_file.transform_point3(p)));
    // Reverse depth: the largest is the nearest.
    let front = places.max_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
    let rect = harness.get_by_label("View").rect();
    let x = egui::remap(front.x, -1.0..=1.0, rect.x_range());
    let y = egui::remap(-front.y, -1.0..=1.0, rect.y_range());
    // A little inside: at the very vertex rounding decides.
    egui::pos2(x, y) + (rect.center() - egui::pos2(x, y)).normalized() * 3.0
}

fn click_at(harness: &mut Harness<'_, Host>, at: Pos2, modifiers: Modifiers) {
    harness.event_modifiers(egui::Event::PointerMoved(at), modifiers);
    for pressed in [true, false] {
        let event = egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers,
        };
        harness.event_modifiers(event, modifiers);
    }
    harness.run();
}

#[test]
fn go_to_vertex_selects_a_number_and_then_the_next_vertex() {
    let mut harness = window_with(asset());
    harness.press(CTRL, Key::G);
    let edit = harness.get_by_label("Vertex number");
    edit.type_text("999999");
    harness.run();
    harness.get_by_label_contains("The mesh has vertices 0 to ");
    harness.press(Modifiers::NONE, Key::Enter);
    assert_eq!(selection(&harness), Selection::None);

    harness.press(CTRL, Key::A);
    harness.get_by_label("Vertex number").type_text("12");
    harness.run();
    harness.press(Modifiers::NONE, Key::Enter);
    assert_eq!(harness.app().dialog, None);
    let Selection::Vertex { mesh, vertex, .. } = selection(&harness) else {
        panic!("{:?}", selection(&harness));
    };
    assert_eq!((mesh, vertex), (MeshId(0), VertexId(12)));
    for row in ["Vertex 12", "Position, stored", "Bitangent sign", "Normal, fields"] {
        harness.get_by_label(row);
    }
    harness.get_by_label("Weight sum, deviation from 255");

    harness.press(Modifiers::NONE, Key::Period);
    let Selection::Vertex { vertex: next, .. } = selection(&harness) else {
        panic!("{:?}", selection(&harness));
    };
    assert!(next > vertex, "{next:?}");
    harness.click("Previous vertex");
    harness.get_by_label("Vertex 12");
}

#[test]
fn the_inspector_is_copied_as_text_and_as_json() {
    let mut harness = window_with(asset());
    let vertex = Selection::Vertex { mesh: MeshId(0), vertex: VertexId(7), subset: Some(0) };
    harness.act(Action::Select(vertex));
    harness.click("Copy as text");
    let text = copied(&harness);
    assert!(text.starts_with("Vertex 7\n  Index: 7\n"), "{text}");
    assert!(text.contains("Weight sum"), "{text}");

    harness.click("Copy as JSON");
    let json: serde_json::Value = serde_json::from_str(&copied(&harness)).unwrap();
    assert_eq!(json["index"], 7);
    let document = harness.document();
    let stored = document.model.meshes[MeshId(0)].position(7).unwrap();
    let y = json["position_stored"][1].as_f64().unwrap();
    assert!((y - f64::from(stored.y)).abs() < 1e-6, "{y}");
    assert_eq!(json["as_stored"]["weights_raw"].as_array().unwrap().len(), 4);
    let weights = json["influences"].as_object().unwrap();
    assert!((weights["weight_sum"].as_f64().unwrap() - 1.0).abs() < 1e-6);
}

#[test]
fn a_click_selects_elements_of_the_chosen_kind() {
    let mut harness = window_with(asset());
    let at = on_the_character(&harness);
    click_at(&mut harness, at, Modifiers::NONE);
    let subset = selection(&harness);
    assert!(matches!(subset, Selection::Subset(_)), "{subset:?}");

    harness.click("Click selects triangles");
    assert_eq!(harness.app().settings.pick, PickWhat::Triangle);
    click_at(&mut harness, at, Modifiers::NONE);
    let Selection::Triangle { mesh, triangle, .. } = selection(&harness) else {
        panic!("{:?}", selection(&harness));
    };
    harness.get_by_label(&format!("Triangle {triangle}"));
    harness.get_by_label("Winding");
    harness.get_by_label("with the normals");
    // Its first corner is a link.
    let document = harness.document();
    let indices = &document.model.meshes[mesh].indices;
    let corner = indices.get(triangle as usize * 3).unwrap();
    harness.click(&format!("Vertex {corner}"));
    let is_corner = |s| matches!(s, Selection::Vertex { vertex, .. } if vertex.0 == corner);
    assert!(is_corner(selection(&harness)), "{:?}", selection(&harness));

    harness.click("Click selects bones");
    click_at(&mut harness, at, Modifiers::NONE);
    assert!(selection(&harness).bone().is_some());
    // Keys held choose for one click.
    click_at(&mut harness, at, CTRL);
    assert!(matches!(selection(&harness), Selection::Vertex { .. }));
    click_at(&mut harness, at, Modifiers::ALT);
    assert!(matches!(selection(&harness), Selection::Triangle { .. }));
}

#[test]
fn hovering_shows_a_tooltip_and_then_repaints_stop() {
    let mut harness = window_with(asset());
    let at = on_the_character(&harness);
    harness.hover_at(at);
    harness.run();
    let hover = harness.app().tab.view.hover.clone().unwrap();
    assert!(hover.lines[0].starts_with("triangle "), "{hover:?}");
    assert!(hover.lines.iter().any(|line| line.starts_with("vertex ")));
    assert!(hover.position.is_some());
    assert_eq!(selection(&harness), Selection::None);
    // Nothing asks for another frame.
    harness.step();
    let root = &harness.output().viewport_output[&egui::ViewportId::ROOT];
    assert!(root.repaint_delay > std::time::Duration::from_secs(60));

    // Over the background there is no tooltip, and only one pick is requested.
    let corner = harness.get_by_label("View").rect().right_center() + egui::vec2(-24.0, -60.0);
    harness.hover_at(corner);
    harness.run();
    assert_eq!(harness.app().tab.view.hover.as_ref().unwrap().lines, [""; 0]);
    harness.key_press_modifiers(Modifiers::ALT, Key::Q);
    harness.hover_at(at);
    harness.run();
    assert_eq!(harness.app().tab.view.hover.as_ref().unwrap().lines, [""; 0]);
}

#[test]
fn the_tooltip_is_not_cut_at_the_divider_of_two_models() {
    let mut harness = window_with(asset());
    let at = on_the_character(&harness);
    harness.command(Command::AsBsm2);
    harness.act(Action::Second(SecondAction::Arrange(Arrangement::Split)));
    let view = harness.get_by_label("View").rect();
    let divider = (at.x + 12.0 - view.left()) / view.width();
    harness.act(Action::Second(SecondAction::Divide(divider)));
    harness.hover_at(at);
    harness.run();
    let line = harness.app().tab.view.hover.as_ref().unwrap().lines[0].clone();
    let mut texts = harness.output().shapes.iter().filter_map(|shape| match &shape.shape {
        egui::Shape::Text(text) if text.galley.text() == line => {
            Some((text.visual_bounding_rect(), shape.clip_rect))
        }
        _ => None,
    });
    let (text, clip) = texts.next().unwrap();
    assert!(text.right() > at.x + 12.0, "it reaches across the divider");
    assert!(clip.contains_rect(text), "{clip} {text}");
}
