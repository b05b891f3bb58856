//! Fixes of files whose meshes share skins and arrays: a fix is right for all users, or nothing is written.

use std::path::{Path, PathBuf};

use rigscope_core::compare::drawing_difference;
use rigscope_core::diagnose::{Context, diagnose};
use rigscope_core::model::{Model, Report, TextureRole};
use rigscope_core::reshape::plain;
use rigscope_io::OpenOptions;
use rigscope_io::fix::{Choice, FixKind};

use crate::glb::model_of;
use crate::multi::{DAMAGES, Damage, boxes, shift_joints, split, with_a_copy, with_several_skins};
use crate::{file_of, fixed, rig};

/// The result of fixing the causes of a damaged file.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// The damage doesn't change the drawing.
    Harmless,
    /// The drawing of the good file.
    Equal,
    /// Nothing is written.
    Refused,
    Wrong(String),
}

fn outcome(good: &[u8], damage: &Damage) -> Outcome {
    let bad = (damage.apply)(good.to_vec());
    let [before, damaged] = [good, &bad[..]].map(|bytes| plain(&model_of("glb", bytes), None));
    if drawing_difference(&before, &damaged).is_none() {
        return Outcome::Harmless;
    }
    let found = diagnose(&model_of("glb", &bad), Context::default(), &Report::new()).unwrap();
    let causes = found.causes.iter().filter(|cause| cause.rivals.is_empty());
    let causes: Vec<String> = causes.map(|cause| cause.info.name.to_owned()).collect();
    let result = fixed(&bad, "glb", Choice::causes(causes.clone()));
    let Some(written) = result.written else { return Outcome::Refused };
    let after = plain(&model_of("glb", &written.files[0].1.bytes), None);
    match drawing_difference(&before, &after) {
        None => Outcome::Equal,
        Some(difference) => Outcome::Wrong(format!("{causes:?}: {}", difference.text(&before))),
    }
}

/// Generated models of several meshes.
fn generated() -> Vec<(String, Model)> {
    let mut all = vec![("boxes".to_owned(), boxes())];
    for name in ["biped", "quadruped", "tentacle", "face", "prop"] {
        let whole = rig(name);
        for tubes in [1, 2, 3] {
            all.push((format!("{name} in parts of {tubes}"), split(&whole, tubes)));
        }
        let parts = split(&whole, 2);
        all.push((format!("{name} with several skins"), with_several_skins(parts.clone())));
        all.push((format!("{name} with a copy"), with_a_copy(parts)));
    }
    all
}

/// Outcomes of all damages; the wrong ones as lines.
fn table(files: &[(String, Vec<u8>)]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut sum = [0usize; 4];
    for damage in DAMAGES {
        let mut num = [0usize; 4];
        for (name, good) in files {
            let at = match outcome(good, damage) {
                Outcome::Equal => 0,
                Outcome::Refused => 1,
                Outcome::Wrong(what) => {
                    wrong.push(format!("{name}, {}: {what}", damage.name));
                    2
                }
                Outcome::Harmless => 3,
            };
            num[at] += 1;
            sum[at] += 1;
        }
        println!(
            "{:28} equal {:3}, refused {:3}, wrong {:3}, harmless {:3}",
            damage.name, num[0], num[1], num[2], num[3]
        );
    }
    println!(
        "{:28} equal {:3}, refused {:3}, wrong {:3}, harmless {:3}",
        "all", sum[0], sum[1], sum[2], sum[3]
    );
    wrong.iter().for_each(|line| println!("    {line}"));
    wrong
}

fn glb_of(model: &Model) -> Vec<u8> {
    file_of(model, "glb")
}

#[test]
fn a_fix_of_shared_data_mends_all_its_users_or_writes_nothing() {
    let models = [
        ("boxes", boxes()),
        ("biped", split(&rig("biped"), 1)),
        ("skins", with_several_skins(split(&rig("tentacle"), 2))),
        ("copy", with_a_copy(split(&rig("tentacle"), 3))),
    ];
    let files: Vec<(String, Vec<u8>)> =
        models.iter().map(|(name, model)| ((*name).to_owned(), glb_of(model))).collect();
    assert_eq!(table(&files), Vec::<String>::new());
}

/// Prints the outcomes for generated models, and for those of several meshes in the folders that `RIGSCOPE_INJECTED`
/// lists, separated by colons.
#[test]
#[ignore = "takes minutes; part of `make injected`"]
fn fixes_of_many_damaged_files() {
    let mut files: Vec<(String, Vec<u8>)> =
        generated().iter().map(|(name, model)| (name.clone(), glb_of(model))).collect();
    let folders = std::env::var("RIGSCOPE_INJECTED").unwrap_or_default();
    let mut paths = Vec::new();
    folders.split(':').filter(|folder| !folder.is_empty()).for_each(|folder| {
        collect(Path::new(folder), &mut paths);
    });
    for path in paths {
        let Ok(document) = OpenOptions::default().open(&path) else { continue };
        let is_small = document.model.num_vertices() < 60_000;
        let num_skinned = document
            .model
            .meshes
            .iter()
            .filter(|mesh| !matches!(mesh.skin, rigscope_core::model::Skin::None))
            .count();
        if document.model.meshes.len() < 2 || num_skinned < 1 || !is_small {
            continue;
        }
        let is_glb = path.extension().is_some_and(|extension| extension == "glb");
        let bytes = if is_glb { std::fs::read(&path).ok() } else { written(&document.model) };
        files.extend(bytes.map(|bytes| (path.to_string_lossy().into_owned(), bytes)));
    }
    println!("{} files", files.len());
    assert_eq!(table(&files), Vec::<String>::new());
}

fn written(model: &Model) -> Option<Vec<u8>> {
    let (format, _) = rigscope_io::convert::target_of("glb")?;
    let options = rigscope_io::convert::ConvertOptions::default();
    let converted =
        rigscope_io::convert::convert(model, format, "glb", &options, &Report::new()).ok()?;
    Some(converted.files.first()?.1.bytes.to_vec())
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { collect(&path, into) } else { into.push(path) }
    }
}

#[test]
fn transposed_matrices_of_a_shared_skin_are_mended_for_all_meshes_byte_for_byte() {
    let good = glb_of(&boxes());
    let bad = (DAMAGES[0].apply)(good.clone());
    let result = fixed(&bad, "glb", Choice::All);
    let applied: Vec<&str> = result.applied.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(applied, ["inverse-binds-transposed"], "{:?}", result.refused);
    let written = result.written.unwrap();
    assert!(written.is_patched);
    assert!(written.files[0].1.bytes[..] == good[..]);
}

#[test]
fn joints_that_are_one_too_high_are_a_cause_and_not_removed() {
    let good = glb_of(&boxes());
    let bad = shift_joints(good.clone());
    let result = fixed(&bad, "glb", Choice::All);
    let applied: Vec<&str> = result.applied.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(applied, ["joint-indices-shifted"], "{:?}", result.refused);
    let resolved = &result.applied[0].resolved;
    assert!(resolved.iter().any(|own| own.kind.code() == "bone-out-of-range"), "{resolved:?}");
    assert!(result.written.unwrap().files[0].1.bytes[..] == good[..]);
}

#[test]
fn a_cause_with_an_equal_rival_is_named_but_not_undone() {
    // Tangents are seen only with a normal map. Its colours don't show where the seams are.
    let mut model = split(&rig("biped"), 3);
    for texture in model.materials.iter_mut().flat_map(|material| &mut material.textures) {
        texture.role = TextureRole::Normal;
    }
    let good = glb_of(&model);
    let flipped = DAMAGES.iter().find(|damage| damage.name == "V flipped").unwrap();
    let bad = (flipped.apply)(good);
    let found = diagnose(&model_of("glb", &bad), Context::default(), &Report::new()).unwrap();
    let cause = &found.causes[0];
    let rivals = cause.rivals.iter().map(|rival| rival.info.name);
    let names: Vec<&str> = std::iter::once(cause.info.name).chain(rivals).collect();
    assert!(names.contains(&"tangent-sign") && names.contains(&"v-flipped"), "{names:?}");
    let result = fixed(&bad, "glb", Choice::All);
    assert!(result.applied.iter().all(|own| own.kind == FixKind::Finding));
    let reason = &result.refused.iter().find(|own| own.kind == FixKind::Cause).unwrap().reason;
    assert!(reason.contains("would explain the evidence as well"), "{reason}");
    // The user knows which of them is right.
    let chosen = Choice::causes(["v-flipped".to_owned()]);
    assert_eq!(fixed(&bad, "glb", chosen).applied[0].name, "v-flipped");
}
