//! Finding, assigning and refusing textures.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::*;
use crate::formats::source::tests::{InMemory, TooLarge};
use crate::formats::{Folder, RelatedFile};
use rigscope_core::model::{
    ImageId, Indices, MaterialId, MaterialLook, MeshId, Streams, UvSet, VertexData,
};

fn found(paths: &[&str], material: Material, images: bool) -> (Model, Report) {
    found_in(InMemory::named(paths), material, images)
}

fn found_in(folder: Arc<dyn Folder>, material: Material, images: bool) -> (Model, Report) {
    let source = Source::new("a.fbx", Vec::new()).with_folders(vec![folder]);
    let mut model =
        Model { materials: vec![material.clone(), material].into(), ..Model::default() };
    let report = Report::new();
    let options = ReadOptions { images, ..ReadOptions::default() };
    find(&mut model, &source, &options, &report).unwrap();
    (model, report)
}

fn textured(path: &str) -> Material {
    Material {
        name: "skin".into(),
        textures: vec![TextureRef::file(TextureRole::BaseColor, path)],
        ..Material::default()
    }
}

#[test]
fn an_image_is_read_once_and_shared() {
    let (model, report) = found(&["textures/skin.png"], textured("C:\\art\\skin.png"), true);
    assert_eq!(model.images.len(), 1);
    assert_eq!(*model.images[ImageId(0)].bytes, *b"textures/skin.png");
    for material in &model.materials {
        assert_eq!(material.textures[0].image, Some(ImageId(0)));
    }
    let kinds: Vec<_> = report.findings().iter().map(|n| (n.kind, n.count)).collect();
    assert_eq!(kinds, [(FindingKind::OutsidePath, 2)]);
}

#[test]
fn a_missing_texture_is_reported_and_keeps_its_slot() {
    for images in [false, true] {
        let (model, report) = found(&["other.png"], textured("skin.png"), images);
        assert!(model.images.is_empty());
        assert_eq!(model.materials[MaterialId(0)].textures.len(), 1);
        assert_eq!(report.findings()[0].kind, FindingKind::MissingTexture);
    }
    let (model, report) = found(&["skin.png"], textured("skin.png"), false);
    assert!(model.images.is_empty() && report.findings().is_empty());
}

#[test]
fn a_texture_that_is_too_large_is_not_reported_as_missing() {
    let folder = TooLarge(vec!["skin.png".to_owned()]);
    let (model, report) = found_in(Arc::new(folder), textured("skin.png"), true);
    assert!(model.images.is_empty());
    let findings = report.findings();
    let found: Vec<_> = findings.iter().map(|n| (n.kind, &*n.message)).collect();
    let why = "can't be read: the file is larger than the limit of 9 bytes";
    let message = format!("skin.png {why}");
    assert_eq!(found, [(FindingKind::TextureTooLarge, &*message)]);
    let related_files = report.related_files();
    assert!(!related_files[0].is_missing && !related_files[0].is_used);
    assert_eq!(related_files[0].why, why);
}

/// The model and report after adding supplied images to a model with UVs and those materials.
fn given_to(materials: &[Material], given: &[&str]) -> (Model, Report) {
    let related_file = |name: &&str| RelatedFile {
        name: (*name).to_owned(),
        bytes: Arc::new(name.as_bytes().to_vec()),
    };
    let source = Source::new("a.fbx", Vec::new())
        .with_related_files(given.iter().map(related_file).collect());
    let streams = Streams {
        positions: vec![Vec3::ZERO; 3],
        uv_sets: vec![UvSet { name: String::new(), coords: vec![Vec2::ZERO; 3] }],
        ..Streams::default()
    };
    let mut model = Model {
        materials: materials.to_vec().into(),
        meshes: vec![Mesh {
            vertices: VertexData::Streams(streams),
            indices: Indices::U32(vec![0, 1, 2]),
            ..Mesh::default()
        }]
        .into(),
        ..Model::default()
    };
    let report = Report::new();
    let options = ReadOptions { images: true, ..ReadOptions::default() };
    find(&mut model, &source, &options, &report).unwrap();
    (model, report)
}

#[test]
fn images_from_the_user_are_assigned_to_the_material_of_their_name() {
    let named = |name: &str| Material { name: name.to_owned(), ..textured("old.png") };
    let (model, report) =
        given_to(&[named("hat"), named("coat")], &["hat_diffuse.png", "coat_N.png", "other.png"]);
    let worn = |at: usize| -> Vec<_> {
        model.materials[MaterialId::from_index(at)]
            .textures
            .iter()
            .map(|t| (t.role, &*t.path))
            .collect()
    };
    let base_color = |path| (TextureRole::BaseColor, path);
    assert_eq!(worn(0), [base_color("hat_diffuse.png")]);
    assert_eq!(worn(1), [base_color("old.png"), (TextureRole::Normal, "coat_N.png")]);
    let related_files = report.related_files();
    let why = |name: &str| &*related_files.iter().find(|one| one.file == name).unwrap().why;
    assert_eq!(why("coat_N.png"), "given by the user, for material coat");
    assert_eq!(why("other.png"), "no material refers to it");
    let findings = report.findings();
    let unused =
        findings.iter().find(|finding| finding.kind == FindingKind::UnusedRelatedFile).unwrap();
    assert_eq!(unused.message, "other.png is not used: no material refers to it");
    for (name, is_wanted) in [("HAT.png", true), ("OLD.png", true), ("x.png", false)] {
        assert_eq!(wants_image(&model, name), is_wanted, "{name}");
    }
}

#[test]
fn a_single_image_is_assigned_to_the_only_material_or_a_new_one() {
    let (model, report) = given_to(&[Material::default()], &["anything.png"]);
    assert_eq!(model.materials[MaterialId(0)].textures[0].path, "anything.png");
    let why = &report.related_files()[0].why;
    assert_eq!(why, "given by the user, for a material without name");
    let (model, _) = given_to(&[], &["anything.png"]);
    assert_eq!(model.materials[MaterialId(0)].name, "anything");
    let subset = Subset { first_index: 0, index_count: 3, material: Some(MaterialId(0)) };
    assert_eq!(model.meshes[MeshId(0)].subsets, [subset]);
}

#[test]
fn images_named_after_a_material_are_used_if_the_file_has_none() {
    let paths = [
        "textures/Bull__Hat_mat_Base_Color.png",
        "textures/Bull__Hat_mat_Normal.png",
        "textures/Bull__Hat_mat_Metallic.png",
        "textures/NoHat_mat2_Base_Color.png",
    ];
    let material = Material { name: "Hat_mat".into(), ..Material::default() };
    let (model, _) = found(&paths, material.clone(), true);
    let names: Vec<_> = model.images.iter().map(|image| &*image.name).collect();
    assert_eq!(names, paths[..3]);
    assert_eq!(model.materials[MaterialId(1)].textures[1].role, TextureRole::Normal);
    let (model, _) = found(&paths, material, false);
    assert!(model.materials[MaterialId(0)].textures.is_empty(), "info shows the file's content");
    assert_eq!(model.materials[MaterialId(0)].look, None);
}

/// Roles and files of the first material.
fn worn(model: &Model) -> Vec<(TextureRole, &str)> {
    model.materials[MaterialId(0)].textures.iter().map(|t| (t.role, &*t.path)).collect()
}

#[test]
fn textures_found_by_name_get_factors_of_1() {
    let dull = MaterialLook { roughness: 0.25, ..MaterialLook::default() };
    let material =
        Material { name: "hat".into(), look: Some(Box::new(dull)), ..Material::default() };
    let all = ["hat_metallic.png", "hat_Roughness.png", "hat_AO.png", "hat_emissive.png"];
    let (model, _) = found(&all, material.clone(), true);
    use TextureRole::*;
    let expected = [Metallic, Roughness, Occlusion, Emissive];
    assert_eq!(worn(&model), expected.into_iter().zip(all).collect::<Vec<_>>());
    let wears = &model.materials[MaterialId(0)];
    let look = wears.look.as_deref().unwrap();
    assert_eq!((look.metallic, look.roughness, look.emissive), (1.0, 1.0, Vec3::ONE));
    assert!(wears.approximated.contains(Approximation::FoundFactors));
    // Other properties of the look aren't changed, and nothing is reported if there is nothing to change.
    let (model, _) = found(&["hat.png", "hat_n.png"], material, true);
    assert_eq!(model.materials[MaterialId(0)].look.as_deref(), Some(&dull));
    assert!(!model.materials[MaterialId(0)].approximated.contains(Approximation::FoundFactors));
}

#[test]
fn a_packed_image_replaces_separate_ones() {
    let material = Material { name: "hat".into(), ..Material::default() };
    use TextureRole::*;
    let (model, report) =
        found(&["hat_roughness.png", "hat_ORM.png", "hat_ao.png"], material.clone(), true);
    let orm = "hat_ORM.png";
    assert_eq!(worn(&model), [(MetallicRoughness, orm), (Occlusion, orm)]);
    assert_eq!(model.images.len(), 1);
    assert!(!model.materials[MaterialId(0)].states_look(), "the file says nothing of it");
    let left = report.related_files().into_iter().filter(|one| !one.is_used).count();
    assert_eq!(left, 2);
    let apart = ["hat_metallicRoughness.png", "hat_ao.png"];
    let (model, _) = found(&apart, material.clone(), true);
    assert_eq!(worn(&model), [(MetallicRoughness, apart[0]), (Occlusion, apart[1])]);
    let (model, _) = found(&["hat_mrao.png", "hat_ao.png"], material, true);
    assert_eq!(worn(&model), [(MetallicRoughnessOcclusion, "hat_mrao.png")]);
}

#[test]
fn images_from_the_user_are_assigned_by_suffix_with_factors_of_1() {
    let named = |name: &str| Material { name: name.to_owned(), ..textured("old.png") };
    let (model, _) = given_to(&[named("hat")], &["hat_rough.png", "other_emissive.png"]);
    use TextureRole::*;
    let expected =
        [(BaseColor, "old.png"), (Roughness, "hat_rough.png"), (Emissive, "other_emissive.png")];
    assert_eq!(worn(&model), expected);
    assert_eq!(model.materials[MaterialId(0)].look.as_deref().unwrap().emissive, Vec3::ONE);
}

#[test]
fn textures_on_several_uv_sets_are_reported() {
    let on = |role, uv_set| TextureRef { uv_set, ..TextureRef::file(role, "skin.png") };
    let told = |role, uv_set| {
        let textures = vec![on(TextureRole::BaseColor, 0), on(role, uv_set)];
        let (model, _) = found(&["skin.png"], Material { textures, ..Material::default() }, false);
        model.materials[MaterialId(0)].approximated.contains(Approximation::UvSets)
    };
    assert!(told(TextureRole::Occlusion, 1) && !told(TextureRole::Occlusion, 0));
    assert!(!told(TextureRole::Other, 1), "it is not shown");
}
