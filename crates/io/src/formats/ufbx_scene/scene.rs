//! Converts a scene to a model.

use std::collections::BTreeMap;
use std::sync::Arc;

use ufbx::{CoordinateAxis, Scene, SceneRoot};

use super::context::Context;
use super::images::EmbeddedImages;
use super::{clips, materials, meshes, skeleton, stored_keys, warnings};
use crate::formats::{Budget, ReadError, ReadOptions};
use rigscope_core::model::{
    Axes, Detail, FindingKind, Model, Place, Report, StoredFbx, StoredScene,
};

/// The scene's size divided by this counts as the file size for the model's budget: scenes contain
/// doubles, and those of samples are 2 to 6 times the size of their files.
const SCENE_SHARE: usize = 4;

/// Converts a scene to a model, which isn't checked yet; keeps the scene alive for its curves.
///
/// # Errors
/// If it is too large, or when cancelled.
pub(in crate::formats) fn convert(
    format: &'static str,
    scene: SceneRoot,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let scene = Arc::new(scene);
    let mut context = Context {
        format,
        report,
        // Compressed arrays may legitimately expand to a large scene, but one mesh at very many
        // nodes must not lead to a huge model.
        budget: Budget::of_file(&options.limits, scene.metadata.result_memory_used / SCENE_SHARE),
        dropped: BTreeMap::new(),
    };
    let (skeleton, bones) = skeleton::skeleton(format, &scene, options)?;
    let mut images = EmbeddedImages::default();
    let materials = materials::materials(&scene, &mut images, &mut context)?;
    let meshes = meshes::meshes(&scene, &bones, &mut context)?;
    let sources: Vec<usize> = meshes.iter().map(|mesh| mesh.source).collect();
    let (clips, stored_clips) = clips::clips(&scene, &bones, &sources, &mut context)?;
    let fbx = StoredFbx { clips: stored_clips, ..stored_keys::facts(&scene) };
    report_dropped(&scene, context);
    warnings::report_finding(&scene, report);
    Ok(Model {
        axes: Axes { unit_meters: Some(1.0), ..Axes::default() },
        meshes: meshes.into_iter().map(|mesh| mesh.mesh).collect(),
        materials: materials.into(),
        images: images.list.into(),
        skeleton,
        clips: clips.into(),
        details: details(&scene),
        stored: StoredScene { fbx: Some(Box::new(fbx)), ..StoredScene::default() },
        ..Model::default()
    })
}

/// Reports objects of the scene that the model can't represent.
fn report_dropped(scene: &Scene, mut context: Context<'_>) {
    let all = [
        ("constraints", scene.constraints.count),
        ("NURBS surfaces", scene.nurbs_surfaces.count),
        ("geometry caches", scene.cache_deformers.count),
        ("audio clips", scene.audio_clips.count),
    ];
    for (what, count) in all {
        context.drop(what, count);
    }
    let texts = context.dropped.iter().map(|(what, count)| format!("{what} ({count})"));
    let text = format!("parts of the file aren't shown: {}", texts.collect::<Vec<_>>().join(", "));
    let sum = context.dropped.values().sum::<usize>() as u64;
    context.report.add_many(FindingKind::Dropped, Place::File, sum, || text);
}

/// Metadata of the file. The scene is converted, so its original axes and unit are only reported.
fn details(scene: &Scene) -> Vec<(&'static str, Detail)> {
    let (metadata, settings) = (&scene.metadata, &scene.settings);
    let mut details = vec![
        ("version", Detail::Int(metadata.version.into())),
        ("text", Detail::Bool(metadata.ascii)),
    ];
    let mut text = |name: &'static str, value: &str| {
        if !value.is_empty() {
            details.push((name, Detail::Text(value.to_owned())));
        }
    };
    text("creator", &metadata.creator);
    let application = &metadata.original_application;
    text("application", format!("{} {}", &*application.name, &*application.version).trim());
    text("up axis", axis(settings.axes.up));
    text("front axis", axis(settings.axes.front));
    text("unit in metres", &settings.unit_meters.to_string());
    let frames = clips::frames_per_sec(scene).map(|rate| rate.to_string());
    text("frames a second", frames.as_deref().unwrap_or_default());
    details
}

fn axis(axis: CoordinateAxis) -> &'static str {
    match axis {
        CoordinateAxis::PositiveX => "+x",
        CoordinateAxis::NegativeX => "-x",
        CoordinateAxis::PositiveY => "+y",
        CoordinateAxis::NegativeY => "-y",
        CoordinateAxis::PositiveZ => "+z",
        CoordinateAxis::NegativeZ => "-z",
        CoordinateAxis::Unknown => "",
    }
}
