//! Reads a stage.

use std::sync::Arc;

use openusd::pcp::Error as CompositionError;
use openusd::sdf::Value;
use openusd::usd::Stage;

use super::attributes::{Attributes, contained};
use super::clips::Timeline;
use super::layers::Layers;
use super::materials::Materials;
use super::package::Package;
use super::prims::Prims;
use super::{ID, meshes, paths, probe, skeletons, spans};
use crate::formats::{Budget, Failure, ReadError, ReadOptions, Source};
use rigscope_core::model::{
    Axes, BoneKind, Clip, DefaultPose, Detail, FindingKind, Model, Place, Report, Skeleton, UpAxis,
    counted,
};

/// Metres per unit of a stage that doesn't state them (`UsdGeomGetStageMetersPerUnit`).
const USUAL_UNIT_METERS: f64 = 0.01;

/// Reads a whole stage.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    report.progress("reading", 0.1)?;
    let (stage, layers) = open(source, &bytes, options)?;
    let budget = Budget::new(&options.limits);
    let attributes = Attributes::new(&stage, report, budget);
    let mut prims = Prims::read(&attributes, options)?;
    let mut bones = std::mem::take(&mut prims.bones);
    let skeletons = skeletons::skeletons(&attributes, &prims, &mut bones);
    let failure = |what: String| Box::new(Failure::new(ID, "joints", Place::File, what));
    if bones.len() > options.limits.max_bones as usize {
        let what = format!("{} exceed the limit", counted(bones.len() as u64, "bone"));
        return Err(ReadError::Limit(failure(what)));
    }
    let mut skeleton = Skeleton::new(bones, true)
        .map_err(|error| ReadError::Malformed(failure(error.to_string())))?;
    skeleton.set_joints(skeletons.iter().flat_map(|joints| joints.bones.iter().copied()));
    // USD lists joints, so that their ancestors aren't bones.
    for bone in prims.list.iter().filter_map(|prim| prim.bone) {
        skeleton.set_kind(bone, BoneKind::Node);
    }
    let mut materials = Materials::new(&attributes, &layers);
    let meshes = meshes::meshes(&attributes, &prims, &skeletons, &mut materials)?;
    let timeline =
        Timeline { attributes: &attributes, prims: &prims, skeletons: &skeletons, meshes: &meshes };
    let (of_clips, clips): (Vec<String>, Vec<Clip>) = timeline.clips()?.into_iter().unzip();
    let weights = timeline.default_weights();
    let default_pose =
        if timeline.has_keys(&clips) { DefaultPose::Rest } else { DefaultPose::FirstKey };
    spans::report(&attributes, &layers, &prims, &meshes);
    let (materials, of_materials, images) = materials.into_parts();
    let mut paths = paths::paths(&prims, &skeletons, &meshes, skeleton.len());
    paths.materials = of_materials.into();
    paths.clips = of_clips.into();
    report_unread(&prims, report);
    attributes.report_unreadable();
    report_composition(&attributes, report);
    Ok(Model {
        axes: axes(&attributes),
        meshes: meshes
            .into_iter()
            .zip(weights)
            .map(|(own, weights)| own.with_weights(&weights))
            .collect(),
        materials: materials.into(),
        images: images.into(),
        skeleton,
        clips: clips.into(),
        default_pose,
        details: details(&attributes),
        provenance: report.take_provenance(),
        paths: Some(Box::new(paths)),
        copyright: copyright(&attributes),
        ..Model::default()
    })
}

/// Composes the stage. The library opens layers by the extension of their identifiers.
fn open(
    source: &Source,
    bytes: &Arc<Vec<u8>>,
    options: &ReadOptions,
) -> Result<(Stage, Layers), ReadError> {
    let failure = |what: String| Box::new(Failure::new(ID, "layer", Place::File, what));
    let max_bytes = options.limits.max_alloc_bytes;
    let is_package = bytes.starts_with(probe::ARCHIVE);
    let extension = match () {
        () if is_package => "usdz",
        () if bytes.starts_with(probe::BINARY) => "usdc",
        () => "usda",
    };
    let known = source.extension();
    let is_named = !crate::formats::last_part(&source.name).starts_with('.');
    let name = if is_named && (known == extension || (known == "usd" && !is_package)) {
        source.name.clone()
    } else {
        format!("{}.{extension}", source.name)
    };
    let layers = Layers::new(source, &name, Arc::clone(bytes), max_bytes);
    let mut root = name.clone();
    if is_package {
        let package =
            Package::read(bytes, max_bytes).map_err(|what| ReadError::Malformed(failure(what)))?;
        root = openusd::ar::join_package_relative_path(&name, &package.root);
        layers.add_package(package);
    }
    let stage = contained(|| Stage::builder().resolver(layers.clone()).open(&root));
    let stage = stage.map_err(|error| {
        let mut failure = failure(format!("{error:#}"));
        if let Some((_, fault)) = layers.fault() {
            failure.field = fault.field;
            failure.what = fault.what;
            failure.bytes = fault.offset.filter(|_| !is_package).map(|at| at..at + 1);
        }
        ReadError::Malformed(failure)
    })?;
    Ok((stage, layers))
}

fn axes(attributes: &Attributes<'_>) -> Axes {
    let metadata = |key: &str| attributes.stage_metadata(key);
    let up = metadata("upAxis").and_then(super::values::token);
    let unit = metadata("metersPerUnit").and_then(|value| super::values::number(&value));
    let mut missing = Vec::new();
    if up.is_none() {
        missing.push("upAxis");
    }
    if unit.is_none() {
        missing.push("metersPerUnit");
    }
    let num = missing.len() as u64;
    attributes.report.add_many(FindingKind::OtherConvention, Place::File, num, || {
        format!(
            "the stage doesn't state {}; USD assumes Y and 0.01, but other programs differ",
            missing.join(" and ")
        )
    });
    let unit = unit.filter(|unit| unit.is_finite() && *unit > 0.0);
    Axes {
        up: if up.as_deref() == Some("Z") { UpAxis::Z } else { UpAxis::Y },
        unit_meters: Some(unit.unwrap_or(USUAL_UNIT_METERS)),
        ..Axes::default()
    }
}

/// The copyright notice that Rigscope writes.
fn copyright(attributes: &Attributes<'_>) -> Option<String> {
    match attributes.stage_metadata("customLayerData")? {
        Value::Dictionary(data) => data.get("copyright").cloned().and_then(super::values::token),
        _ => None,
    }
}

fn details(attributes: &Attributes<'_>) -> Vec<(&'static str, Detail)> {
    let mut details = Vec::new();
    if let Some(prim) = attributes.of_stage(Stage::default_prim) {
        details.push(("default prim", Detail::Text(prim.as_str().to_owned())));
    }
    details.push((
        "time codes per second",
        Detail::Text(attributes.of_stage(Stage::time_codes_per_second).to_string()),
    ));
    details.push((
        "layers",
        Detail::Int(i64::try_from(attributes.of_stage(Stage::layer_count)).unwrap_or(i64::MAX)),
    ));
    details
}

/// Reports prims with geometry that isn't read.
fn report_unread(prims: &Prims, report: &Report) {
    let num = prims.unread.values().sum();
    report.add_many(FindingKind::Dropped, Place::File, num, || {
        let list = prims.unread.iter().map(|(kind, num)| format!("{kind} ({num})"));
        format!("parts of the file aren't shown: {}", list.collect::<Vec<_>>().join(", "))
    });
}

/// Reports references, payloads and sublayers that can't be followed.
fn report_composition(attributes: &Attributes<'_>, report: &Report) {
    for error in attributes.of_stage(Stage::composition_errors) {
        let kind = match &error {
            CompositionError::UnresolvedLayer { .. }
            | CompositionError::UnresolvedSublayer { .. } => FindingKind::MissingRelatedFile,
            CompositionError::MalformedLayer { .. }
            | CompositionError::MalformedSublayer { .. } => FindingKind::RelatedFileUnreadable,
            _ => FindingKind::BrokenRecord,
        };
        report.add(kind, Place::File, error.to_string());
    }
}
