//! Files around the model: the card in the inspector, and files let go over the window.

use std::path::{Path, PathBuf};

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use rigscope_core::model::{MaterialId, Model, RelatedFileRole, Report};
use rigscope_io::formats::{WriteOptions, by_id, write};
use rigscope_state::{Action, ChosenFile, ChosenKind, LoadReason, Request};

use crate::host::{Host, Session, asset, window_with};
use crate::support::{gltf, rich};

fn drop_on(harness: &mut Harness<'static, Host>, path: &Path, kind: ChosenKind) {
    let path = path.to_owned();
    let dropped = ChosenFile { path, kind };
    harness.state_mut().apply(Action::Drop(vec![dropped]));
}

fn toasts(harness: &Harness<'static, Host>) -> Vec<String> {
    let list = harness.app().toasts.list().iter();
    list.map(|toast| toast.text.clone()).collect()
}

fn num_loads(harness: &Harness<'static, Host>) -> usize {
    let requests = harness.state().requests.iter();
    requests.filter(|request| matches!(request, Request::Load(_))).count()
}

/// Writes one part of a model as an archive of ozz.
fn put_ozz(folder: &Path, name: &str, model: &Model, part: &str) -> PathBuf {
    let options = WriteOptions { part: Some(part.to_owned()), ..WriteOptions::default() };
    let ozz = by_id("ozz").unwrap();
    let files = write(model, ozz, &options, &Report::new()).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, &files[0].bytes).unwrap();
    path
}

/// A mesh in a folder with its skeleton, two clips, and a skeleton like its own.
fn ozz_folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut model = rich::rich();
    model.clips.as_mut_vec().truncate(1);
    let mesh = put_ozz(folder.path(), "hero_mesh.ozz", &model, "mesh");
    for (name, part) in [
        ("hero_skeleton.ozz", "skeleton"),
        ("other_skeleton.ozz", "skeleton"),
        ("hero_walk.ozz", "animation"),
    ] {
        put_ozz(folder.path(), name, &model, part);
    }
    (folder, mesh)
}

fn taken(harness: &Harness<'static, Host>, role: RelatedFileRole) -> Vec<String> {
    let document = harness.document();
    let rows = document.around.iter();
    let of_role = rows.filter(|row| row.file.is_used && row.file.role == role);
    of_role.map(|row| row.file.file.clone()).collect()
}

#[test]
fn another_skeleton_can_be_chosen_and_the_choice_reset() {
    let (_folder, mesh) = ozz_folder();
    let mut harness = window_with(mesh);
    let skeleton = |harness: &Harness<'static, Host>| taken(harness, RelatedFileRole::Skeleton);
    assert_eq!(skeleton(&harness), ["hero_skeleton.ozz"]);
    assert_eq!(taken(&harness, RelatedFileRole::Animation), ["hero_walk.ozz"]);
    harness.get_by_label("Related files");
    harness.click("Use");
    harness.answer();
    assert_eq!(skeleton(&harness), ["other_skeleton.ozz"]);
    assert_eq!(taken(&harness, RelatedFileRole::Animation), ["hero_walk.ozz"]);
    harness.click("Choose automatically");
    harness.answer();
    assert_eq!(skeleton(&harness), ["hero_skeleton.ozz"]);
}

#[test]
fn a_clip_can_be_excluded_and_included_again() {
    let (_folder, mesh) = ozz_folder();
    let mut harness = window_with(mesh);
    // Roles come in order: the skeleton first.
    harness.get_all_by_label("Exclude").nth(1).unwrap().click();
    harness.run();
    assert_eq!(harness.state().request().options.without, ["hero_walk.ozz"]);
    harness.answer();
    assert!(harness.app().clip().is_none());
    let line = harness.app().command_line().unwrap();
    assert!(line.contains("--without=hero_walk.ozz"), "{line}");
    harness.click("Include");
    harness.answer();
    assert!(harness.app().clip().is_some());
}

#[test]
fn an_animation_dropped_on_a_model_is_added_to_it() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mesh = gltf::write_triangle(folder.path(), "flag.gltf", "cloth.png");
    let motion = gltf::write_motion(folder.path(), "swing.gltf", &["root", "arm"]);
    let mut harness = window_with(mesh.clone());
    // Whether a glTF has a mesh is only known after reading it.
    drop_on(&mut harness, &motion, ChosenKind::Model);
    assert_eq!(harness.state().request().reason, LoadReason::Together);
    harness.answer();
    let request = harness.state().request();
    assert_eq!(request.target.path(), Some(mesh.as_path()));
    assert_eq!(request.options.with, [motion]);
    harness.answer();
    assert_eq!(harness.app().clip().unwrap().name, "swing");
    assert_eq!(harness.document().name(), "flag.gltf");
}

#[test]
fn a_model_dropped_on_a_model_is_opened() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mesh = gltf::write_triangle(folder.path(), "flag.gltf", "cloth.png");
    let mut harness = window_with(mesh);
    drop_on(&mut harness, &asset(), ChosenKind::Model);
    harness.answer();
    assert_eq!(harness.document().name(), "sample.bsm2");
}

#[test]
fn a_missing_image_is_added_and_an_unused_one_is_reported() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let art = folder.path().join("art");
    std::fs::create_dir(&art).unwrap();
    // Outside of the model's own folder.
    let model = folder.path().join("model");
    std::fs::create_dir(&model).unwrap();
    let mesh = gltf::write_triangle(&model, "flag.gltf", "cloth.png");
    let image = art.join("cloth.png");
    image::RgbImage::new(2, 2).save(&image).unwrap();
    let mut harness = window_with(mesh);
    drop_on(&mut harness, &image, ChosenKind::Image);
    assert_eq!(harness.state().request().options.with, [image]);
    harness.answer();
    assert_eq!(taken(&harness, RelatedFileRole::Texture), ["cloth.png"]);

    let before = num_loads(&harness);
    drop_on(&mut harness, &art.join("notes.xyz"), ChosenKind::Unknown);
    let why = ChosenKind::Unreadable("permission denied".into());
    drop_on(&mut harness, &art.join("locked.glb"), why);
    assert_eq!(num_loads(&harness), before, "nothing is read for it");
    let said = toasts(&harness);
    let has = |text: &str| said.iter().any(|toast| toast == text);
    assert!(has("notes.xyz is not used: its format isn't supported"), "{said:?}");
    assert!(has("locked.glb is not used: permission denied"), "{said:?}");
}

#[test]
fn a_dropped_image_is_assigned_to_the_only_material_and_needs_a_model() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mesh = gltf::write_triangle(folder.path(), "flag.gltf", "cloth.png");
    let image = folder.path().join("paint.png");
    image::RgbImage::new(2, 2).save(&image).unwrap();
    let mut harness = window_with(mesh);
    drop_on(&mut harness, &image, ChosenKind::Image);
    harness.answer();
    let document = harness.document();
    let texture = &document.model.materials[MaterialId(0)].textures[0];
    assert_eq!(texture.path, "paint.png");
    assert!(texture.image.is_some());

    let mut harness = crate::host::window();
    drop_on(&mut harness, &image, ChosenKind::Image);
    assert_eq!(num_loads(&harness), 0);
    let said = toasts(&harness).join("");
    assert!(said.contains("an image needs a model; open one first"), "{said}");
}

#[test]
fn an_unused_related_file_shows_a_toast() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mesh = gltf::write_triangle(folder.path(), "flag.gltf", "cloth.png");
    let motion = gltf::write_motion(folder.path(), "other.gltf", &["tail", "fin", "eye"]);
    let mut harness = window_with(mesh);
    std::fs::write(folder.path().join("notes.txt"), "hello").unwrap();
    let given = vec![folder.path().join("notes.txt"), motion];
    harness.state_mut().apply(Action::AddRelatedFiles(given));
    harness.answer();
    let said = toasts(&harness).join(" ");
    assert!(said.contains("notes.txt is not used"), "{said}");
}

#[test]
fn files_without_a_match_are_not_offered() {
    let (_folder, mesh) = ozz_folder();
    let mut harness = window_with(mesh);
    let document = harness.state_mut().state.tab.document.as_mut().unwrap();
    let mut stranger = document.around[0].clone();
    stranger.file.file = "stranger.ozz".into();
    stranger.file.is_used = false;
    stranger.file.fit = Some(0.004);
    stranger.is_given = false;
    let mut relative = stranger.clone();
    relative.file.file = "relative.ozz".into();
    relative.file.fit = Some(0.31);
    document.around.extend([stranger, relative]);
    harness.run();
    harness.get_by_label_contains("relative.ozz");
    assert!(harness.query_by_label_contains("stranger.ozz").is_none());
}
