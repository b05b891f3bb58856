//! The pane of texture coordinates.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope_core::model::{ImageId, MaterialId, MeshId, TextureRole};
use rigscope_state::{Action, Command, ImageSlot, Pane, Selection, UserImageAction, UvAction};

use crate::host::{Session, asset, window_with};
use crate::support;

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_shortcut_opens_the_pane_with_the_texture_of_the_file() {
    let mut harness = window_with(support::samples().join("gltf/Fox.glb"));
    assert!(harness.app().uv_shown().is_none());
    harness.press(Modifiers::ALT, Key::U);
    harness.run();
    assert!(harness.query_all_by_label("UV layout").next().is_some());
    harness.get_by_label("Fit the layout");
    let state = harness.app();
    assert!(state.settings.panes.shows(Pane::Uv) && !state.is_uv_stale());
    let shown = state.uv_shown().unwrap();
    assert!(shown.picture.image.is_some());
    assert_eq!(shown.picture.model.images.len(), 1);
    let document = state.tab.document.as_ref().unwrap();
    assert_eq!(shown.layout.num_triangles, document.model.num_triangles());
    harness.get_by_label("576 triangles");
}

#[test]
fn a_click_in_the_pane_selects_and_highlights_a_vertex_or_triangle() {
    let mut harness = window_with(asset());
    harness.command(Command::pane(Pane::Uv));
    harness.run();
    let (mesh, uvs) = {
        let state = harness.app();
        let model = &state.tab.document.as_ref().unwrap().model;
        let mesh = &model.meshes[MeshId(0)];
        let corners = mesh.triangles(0..3).next().unwrap();
        (0, corners.map(|corner| mesh.uv(corner as usize).unwrap()))
    };
    let vertex = UvAction::Pick { at: uvs[0], reach: 1e-4 };
    harness.state_mut().apply(Action::Uv(vertex));
    let state = harness.app();
    let Selection::Vertex { mesh: found, .. } = state.tab.selection else {
        panic!("{:?}", state.tab.selection);
    };
    assert_eq!(found.index(), mesh);
    assert!(state.selected_uvs()[0].distance(uvs[0]) < 1e-4);

    let middle = (uvs[0] + uvs[1] + uvs[2]) / 3.0;
    let triangle = UvAction::Pick { at: middle, reach: 0.0 };
    harness.act(Action::Uv(triangle));
    let state = harness.app();
    assert!(matches!(state.tab.selection, Selection::Triangle { .. }));
    assert_eq!(state.selected_uvs().len(), 3);
    // Far from everything there is nothing.
    let nowhere = UvAction::Pick { at: glam::Vec2::splat(99.0), reach: 0.1 };
    harness.state_mut().apply(Action::Uv(nowhere));
    assert_eq!(harness.app().tab.selection, Selection::None);
}

#[test]
fn tints_and_texture_filtering_are_toggled_in_the_pane() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::ALT, Key::U);
    harness.get_by_label("Tints").click();
    harness.click("Only this texture");
    let state = harness.app();
    let shown = state.uv_shown().unwrap();
    assert!(!shown.has_tints);
    assert!(shown.looks.iter().all(|look| look.is_visible));
    harness.press(Modifiers::ALT, Key::U);
    assert!(harness.app().uv_shown().is_none());
}

#[test]
fn each_material_texture_is_shown_under_the_layout_by_channel() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("worn.png");
    image::RgbaImage::from_pixel(2, 2, image::Rgba([9, 99, 199, 255])).save(&path).unwrap();
    let mut harness = window_with(asset());
    harness.command(Command::pane(Pane::Uv));
    harness.run();
    assert_eq!(harness.app().uv_shown().unwrap().picture.image, None);
    let role = TextureRole::Roughness;
    let slot = ImageSlot::Texture(MaterialId(0), role);
    harness.act(Action::UserImage(UserImageAction::Read(slot, path)));
    harness.act(Action::Select(Selection::Subset(0)));
    harness.click("Texture behind the layout");
    harness.click("Roughness");
    let seen = |harness: &egui_kittest::Harness<'_, _>| {
        let picture = harness.app().uv_shown().unwrap().picture;
        assert!(picture.image.is_some() && picture.refused.is_none());
        let bytes = &picture.model.images[ImageId(0)].bytes;
        image::load_from_memory(bytes).unwrap().into_rgba8().get_pixel(0, 0).0
    };
    assert_eq!(seen(&harness), [9, 99, 199, 255]);
    harness.click("Layout: G");
    assert_eq!(seen(&harness), [99, 99, 99, 255]);
    harness.click("Layout: RGB");
    assert_eq!(seen(&harness), [9, 99, 199, 255]);
    // From the pane of materials, at the texture that is large there.
    harness.press(Modifiers::ALT, Key::U);
    harness.press(Modifiers::COMMAND, Key::M);
    harness.click("Texture worn.png");
    harness.click("Show in UV layout");
    assert!(harness.app().settings.panes.shows(Pane::Uv));
    assert_eq!(harness.app().tab.view.uv.texture.role, role);
    assert_eq!(seen(&harness), [9, 99, 199, 255]);
}
