//! The pane of materials.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope_core::model::{ImageId, MaterialId, TextureRole};
use rigscope_state::{
    Action, Command, FileKind, ImageSlot, Pane, Request, Selection, ShownChannel, UserImageAction,
};

use crate::host::{Session, asset, window_with};
use crate::support;

#[test]
fn clicking_a_material_selects_its_subsets_and_selections_show_materials() {
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
        let name =
            harness.document().model.materials[MaterialId::from_index(material)].name.clone();
        harness.click(&format!("Material {name}"));
        let subset = facts.subsets_of(material)[0];
        assert_eq!(harness.app().tab.selection, Selection::Subset(subset));
        assert_eq!(harness.app().shown_material(), Some(material));
    }
    let last = facts.subsets_of(*used.last().unwrap())[0];
    harness.click("Isolate the subset of the material");
    assert_eq!(harness.app().tab.view.isolated, Some(last));
    harness.click("Show all subsets");
    assert_eq!(harness.app().tab.view.isolated, None);
    // The other way round.
    let first = facts.subsets_of(used[0])[0];
    harness.act(rigscope_state::Action::Select(Selection::Subset(first)));
    assert_eq!(harness.app().shown_material(), Some(used[0]));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn textures_show_their_properties_and_single_channels() {
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
    harness.get_by_label("embedded in the file");
    harness.click("Textures: G");
    assert_eq!(harness.app().tab.view.materials.channel, ShownChannel::Single(1));
    let model = &harness.document().model;
    let label =
        format!("Texture {}", model.texture_name(&model.materials[MaterialId(0)].textures[0]));
    harness.click(&label);
    assert_eq!(harness.app().tab.view.materials.enlarged, Some(ImageId(0)));
    harness.get_by_label("Texture large texture");
    harness.click(&label);
    assert_eq!(harness.app().tab.view.materials.enlarged, None);
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A picture of one colour.
fn picture(folder: &Path, name: &str, side: u32, color: [u8; 4]) -> PathBuf {
    let path = folder.join(name);
    image::RgbaImage::from_pixel(side, side, image::Rgba(color)).save(&path).unwrap();
    path
}

fn base_color(material: u32) -> ImageSlot {
    ImageSlot::Texture(MaterialId(material), TextureRole::BaseColor)
}

#[test]
fn a_role_is_overridden_marked_undone_reset_and_removed() {
    let folder = scratch();
    let red = picture(folder.path(), "red.png", 4, [255, 0, 0, 255]);
    let bytes = std::fs::read(&red).unwrap();
    let mut harness = window_with(asset());
    harness.press(Modifiers::COMMAND, Key::M);
    let model = harness.document().model.clone();
    assert!(
        model.materials[MaterialId(0)].textures.is_empty()
            && harness.app().material_override().is_none()
    );
    harness.click("Add a texture");
    harness.click("Set base colour…");
    let asked = FileKind::Image(base_color(0));
    assert_eq!(harness.state().requests.last(), Some(&Request::PickFiles(asked)));

    harness.act(Action::UserImage(UserImageAction::Read(base_color(0), red.clone())));
    harness.get_by_label("set by you");
    harness.get_by_label("Texture red.png");
    harness.get_by_label("4×4  ·  PNG  ·  sRGB");
    let state = harness.app();
    let worn = state.surface_materials().unwrap();
    let texture = worn.materials[MaterialId(0)].image_of(TextureRole::BaseColor).unwrap();
    assert_eq!(&*worn.images[texture.image.unwrap()].bytes, &bytes[..]);
    assert!(worn.materials[MaterialId(1)].textures.is_empty(), "other materials stay");
    assert!(model.materials[MaterialId(0)].textures.is_empty() && state.has_materials());
    assert!(state.beyond_command_line().contains(&"replaced textures"));

    assert_eq!(Command::Undo.title(state), "Undo: Image replacement");
    harness.command(Command::Undo);
    assert!(harness.app().material_override().is_none());
    harness.command(Command::Redo);
    harness.get_by_label("set by you");
    harness.click("Remove base colour");
    harness.get_by_label("Base colour  ·  removed");
    assert!(
        harness.app().surface_materials().unwrap().materials[MaterialId(0)].textures.is_empty()
    );
    harness.click("Reset base colour");
    assert!(harness.app().material_override().is_none());
    assert_eq!(std::fs::read(&red).unwrap(), bytes);
}

#[test]
fn changed_images_are_reloaded_and_broken_ones_leave_the_last_version() {
    let folder = scratch();
    let file = picture(folder.path(), "a.png", 4, [255, 0, 0, 255]);
    let mut harness = window_with(asset());
    harness.press(Modifiers::COMMAND, Key::M);
    harness.act(Action::UserImage(UserImageAction::Read(base_color(0), file.clone())));
    assert_eq!(
        harness.app().user_image_files().into_iter().collect::<Vec<_>>(),
        std::slice::from_ref(&file)
    );
    let undo = harness.app().undo_title();
    let first = harness.app().material_override().unwrap().clone();
    picture(folder.path(), "a.png", 8, [0, 255, 0, 255]);
    harness.act(Action::UserImage(UserImageAction::Changed));
    harness.get_by_label("8×8  ·  PNG  ·  sRGB");
    let dress = harness.app().material_override().unwrap().clone();
    assert!(!Arc::ptr_eq(&first, &dress), "the view must draw another");
    assert_eq!(harness.app().undo_title(), undo, "a changed file isn't an undo step");
    std::fs::write(&file, b"no image").unwrap();
    harness.click("Reload base colour");
    let said = &harness.app().toasts.list().last().unwrap().text;
    assert!(said.starts_with("a.png is not used: "), "{said}");
    harness.get_by_label("8×8  ·  PNG  ·  sRGB");
    // Reloading the model keeps manual settings.
    harness.command(Command::Reload);
    harness.answer();
    harness.get_by_label("8×8  ·  PNG  ·  sRGB");
}

/// A file that is let go over the window.
#[derive(Debug)]
struct LetGo(PathBuf);

impl egui::DroppedFile for LetGo {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn an_image_dropped_on_a_role_is_assigned_to_it() {
    let folder = scratch();
    let base = picture(folder.path(), "base.png", 4, [9; 4]);
    let other = picture(folder.path(), "other.png", 2, [9; 4]);
    let mut harness = window_with(asset());
    harness.press(Modifiers::COMMAND, Key::M);
    let normal = ImageSlot::Texture(MaterialId(0), TextureRole::Normal);
    harness.act(Action::UserImage(UserImageAction::Read(base_color(0), base.clone())));
    harness.act(Action::UserImage(UserImageAction::Read(normal, base.clone())));
    let over = harness.get_by_label("Normals").rect().center();
    harness.hover_at(over);
    harness.run();
    let dropped: Arc<dyn egui::DroppedFile + Send + Sync> = Arc::new(LetGo(other.clone()));
    harness.input_mut().dropped_files.push(dropped);
    harness.run();
    let by_hand = &harness.app().tab.view.user_images;
    assert_eq!(by_hand.of(normal).unwrap().path, other);
    assert_eq!(by_hand.of(base_color(0)).unwrap().path, base);
}
