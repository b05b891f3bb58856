//! VRM animations: the clips of a human, one per file, with the names of its bones.
//!
//! Source: VRM Consortium, "VRMC_vrm_animation-1.0": the rest pose is a T-pose, only the hips move, nothing is scaled,
//! and `leftEye` and `rightEye` aren't among the bones. A file may have several animations, but programs load the
//! first one. Further nodes store the weights of expressions and the gaze. [`human_form`] makes a model of this form.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::super::ID;
use super::animation;
use super::data::FileData;
use super::file::{asset, binary_file};
use super::mesh::WrittenMeshes;
use super::nodes::Nodes;
use crate::formats::file_names::clip_suffix;
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use rigscope_core::model::{
    Axes, BoneId, ClipId, FindingKind, Model, Motion, Origins, Place, Report, check, counted,
    numbers, singular_or_plural, stats,
};
use rigscope_core::reshape::{self, HumanForm, human_form};
use rigscope_core::rig::vrm_bones;

const EXTENSION: &str = "VRMC_vrm_animation";
const VERSION: &str = "1.0";
/// The most names of bones in a message.
const MAX_NAMES: usize = 8;

/// The number of bones that a file stores; 0 if the model isn't a human.
pub(in super::super) fn num_human_bones(model: &Model) -> u64 {
    vrm_bones(model).map_or(0, |bones| bones.len() as u64)
}

pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    let is_written = |motion: &Motion| !matches!(motion, Motion::VertexAnimation(_));
    if !model.clips.iter().any(|clip| is_written(&clip.motion)) {
        return Err(WriteError::NothingToWrite { format: ID, what: "clips of bones" });
    }
    let bones = vrm_bones(model).map_err(|missing| WriteError::NotHuman { missing })?;
    let axes = Axes { unit_meters: Some(1.0), ..Axes::default() };
    let bare = model.without_vertices();
    let mut plain = reshape::in_axes(&reshape::plain(&bare, options.rate), &axes);
    // Huge numbers may have overflowed during baking, and JSON can't represent infinity.
    check::check(&mut plain, &report.quiet());
    let human = human_form(&plain, bones);
    report_changes(model, &human, report);
    let mut files: Vec<OutputFile> = Vec::new();
    let mut names = HashSet::new();
    for (id, clip) in model.clips.iter_enumerated() {
        report
            .progress("writing clips", 0.5 + 0.5 * id.index() as f32 / model.clips.len() as f32)?;
        if !is_written(&clip.motion) {
            continue;
        }
        let suffix = clip_suffix(&clip.name, "clip", &mut names);
        files.push(OutputFile {
            place: if files.is_empty() { OutputPlace::Main } else { OutputPlace::Suffix(suffix) },
            bytes: file(&human, id, model, report)?,
            is_related_file: false,
            origins: Origins { clips: Some(vec![Some(id)]), ..Origins::default() },
        });
    }
    report.progress("writing", 1.0)?;
    Ok(files)
}

/// The file of one clip.
fn file(
    human: &HumanForm,
    clip: ClipId,
    source: &Model,
    report: &Report,
) -> Result<Vec<u8>, WriteError> {
    let mut own = human.model.clone();
    own.clips = human.model.clips.get(clip).cloned().into_iter().collect();
    let mut data = FileData::default();
    let nodes = Nodes::of_bones(&own);
    // The losses already mention clips that don't begin at 0.
    let quiet = report.quiet();
    animation::write(&own, &WrittenMeshes::default(), nodes.len(), &mut data, &quiet)?;
    nodes.finish(&mut data);
    let node = |(at, name): (usize, &String)| (name.clone(), json!({ "node": at }));
    let names: Map<String, Value> =
        human.bones.iter().map(|own| &own.name).enumerate().map(node).collect();
    let mut extension = json!({ "specVersion": VERSION, "humanoid": { "humanBones": names } });
    let lists = expressions(human, source);
    if let Some(extension) = extension.as_object_mut().filter(|_| !lists.is_empty()) {
        extension.insert("expressions".to_owned(), Value::Object(lists));
    }
    if let (Some((bone, offset)), Some(extension)) = (human.gaze, extension.as_object_mut()) {
        let look_at = json!({ "node": bone.index(), "offsetFromHeadBone": offset.to_array() });
        extension.insert("lookAt".to_owned(), look_at);
    }
    data.root.extensions_used.push(EXTENSION.to_owned());
    let extensions = data.root.extensions.get_or_insert_default();
    extensions.others.insert(EXTENSION.to_owned(), extension);
    asset(&mut data.root, source);
    binary_file(data, &[])
}

/// The lists of presets and custom expressions that have one.
fn expressions(human: &HumanForm, source: &Model) -> Map<String, Value> {
    let face = source.avatar.as_ref().map_or(&[][..], |avatar| &avatar.expressions);
    let mut lists = Map::new();
    for (kind, is_preset) in [("preset", true), ("custom", false)] {
        let nodes: Map<String, Value> = human
            .expressions
            .iter()
            .filter_map(|(number, bone)| Some((face.get(*number)?, bone)))
            .filter(|(own, _)| own.preset.is_some() == is_preset)
            .map(|(own, bone)| (own.key().to_owned(), json!({ "node": bone.index() })))
            .collect();
        if !nodes.is_empty() {
            lists.insert(kind.to_owned(), Value::Object(nodes));
        }
    }
    lists
}

/// Reports data that is left out or changed.
fn report_changes(model: &Model, human: &HumanForm, report: &Report) {
    let name = |bone: &BoneId| model.skeleton.display_name(*bone);
    let listed = |bones: &[BoneId]| some_of(&bones.iter().map(name).collect::<Vec<_>>());
    let named = human.bones.iter().map(|own| own.bone);
    let known: HashSet<BoneId> = named.chain(human.eyes.iter().copied()).collect();
    let used = stats::used_bones(model);
    let others: Vec<BoneId> = (model.skeleton.bones().iter_enumerated())
        .filter(|(id, bone)| {
            !bone.is_helper() && used.get(*id) == Some(&true) && !known.contains(id)
        })
        .map(|(id, _)| id)
        .collect();
    let stretched = &human.stretched;
    let mut left_out = Vec::new();
    if !others.is_empty() {
        let bones = counted(others.len() as u64, "bone");
        left_out.push(format!("{bones} that VRM doesn't name: {}", listed(&others)));
    }
    if !stretched.is_empty() {
        let bones = counted(stretched.len() as u64, "bone");
        left_out.push(format!("the translations of {bones}: {}", listed(stretched)));
    }
    if !human.unexplained.is_empty() {
        let targets: Vec<String> = human
            .unexplained
            .iter()
            .filter_map(|(mesh, target)| {
                Some(model.meshes.get(*mesh)?.morph_targets.get(*target)?.name.clone())
            })
            .collect();
        let num = counted(human.unexplained.len() as u64, "animated morph target");
        left_out.push(format!("{num} that no expression explains: {}", some_of(&targets)));
    }
    report.add_many(FindingKind::LeftOut, Place::File, left_out.len() as u64, || {
        format!("left out are {}", left_out.join("; "))
    });
    let mut altered = Vec::new();
    let degrees = |angle: f32| numbers::degrees(f64::from(angle).to_degrees());
    if let Some((bone, angle)) = human.turned {
        let (angle, bone) = (degrees(angle), name(&bone));
        altered.push(format!("the rest pose is turned into a T-pose, most by {angle} at {bone}"));
    }
    if human.yaw_rad != 0.0 {
        let angle = degrees(human.yaw_rad);
        altered.push(format!("the model is turned by {angle} about the vertical axis to face +Z"));
    }
    let resampled = human.resampled.len() as u64;
    if resampled > 0 {
        let clips = counted(resampled, "clip");
        let are = singular_or_plural(resampled, "is", "are");
        altered.push(format!(
            "{clips} {are} sampled, because other bones than those that VRM names have keys too"
        ));
    }
    report.add_many(FindingKind::Altered, Place::File, altered.len() as u64, || altered.join("; "));
}

/// The first of some names, and the number of the others.
fn some_of(names: &[String]) -> String {
    let first = names.iter().take(MAX_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => first,
        num => format!("{first} and {num} others"),
    }
}
