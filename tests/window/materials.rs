//! The pane of materials.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope::model::ImageId;
use rigscope::state::{Pane, Selection, ShownChannel};

use crate::host::{Session, asset, window_with};
use crate::support;

#[test]
fn a_click_on_a_material_selects_who_uses_it_and_a_selection_shows_its_material() {
    let mut harness = window_with(asset());
    assert!(harness.app().tab.view.materials.facts.get().is_none(), "nobody looks");
    harness.press(Modifiers::COMMAND, Key::M);
    assert!(harness.app().settings.panes.shows(Pane::Materials));
    let facts = harness.app().tab.view.materials.facts.get().unwrap().clone();
    let document = harness.document();
    let num = document.model.materials.len();
    assert!(num > 1, "the sample has several");
    let used: Vec<usize> =
        (0..num).filter(|material| !facts.subsets_of(*material).is_empty()).collect();
    for &material in &used {
        let name = harness.document().model.materials[material].name.clone();
        harness.click(&format!("Material {name}"));
        let subset = facts.subsets_of(material)[0];
        assert_eq!(harness.app().tab.selection, Selection::Subset(subset));
        assert_eq!(harness.app().shown_material(), Some(material));
    }
    let last = facts.subsets_of(*used.last().unwrap())[0];
    harness.click("Isolate the subset of the material");
    assert_eq!(harness.app().tab.view.isolated, Some(last));
    harness.click("Isolate the subset of the material");
    assert_eq!(harness.app().tab.view.isolated, None);
    // The other way round.
    let first = facts.subsets_of(used[0])[0];
    harness.act(rigscope::state::Action::Select(Selection::Subset(first)));
    assert_eq!(harness.app().shown_material(), Some(used[0]));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn textures_say_what_they_are_and_are_seen_channel_by_channel() {
    let mut harness = window_with(support::samples().join("gltf/Fox.glb"));
    harness.press(Modifiers::COMMAND, Key::M);
    let facts = harness.app().tab.view.materials.facts.get().unwrap().clone();
    let image = &facts.images[0];
    assert_eq!(image.size_px, Some([1024, 1024]));
    let picture = image.picture.as_ref().unwrap();
    assert_eq!(picture.size_px, [256, 256]);
    // The fox is orange.
    let mean = |at: usize| picture.rgba8.iter().skip(at).step_by(4).map(|v| u32::from(*v)).sum();
    let [red, blue]: [u32; 2] = [mean(0), mean(2)];
    assert!(red > blue, "{red} {blue}");
    harness.get_by_label("1024×1024  ·  PNG  ·  sRGB");
    harness.get_by_label("inside the file");
    harness.click("Textures: G");
    assert_eq!(harness.app().tab.view.materials.channel, ShownChannel::Single(1));
    let model = &harness.document().model;
    let label = format!("Texture {}", model.texture_name(&model.materials[0].textures[0]));
    harness.click(&label);
    assert_eq!(harness.app().tab.view.materials.enlarged, Some(ImageId(0)));
    harness.get_by_label("Texture large texture");
    harness.click(&label);
    assert_eq!(harness.app().tab.view.materials.enlarged, None);
}
