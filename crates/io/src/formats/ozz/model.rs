//! Combines the objects of a file and of related files to one model.

use std::collections::HashSet;

use glam::{Affine3A, Mat4};

use std::sync::Arc;

use super::ID;
use super::animation::Animation;
use super::mesh::{MeshObject, PartShape};
use super::objects::{self, Objects};
use super::originals;
use super::related_archives::{RelatedArchives, is_of_bones};
use crate::formats::unknown_bytes::kept;
use crate::formats::{ReadError, ReadOptions, Source, stem};
use rigscope_core::model::{
    Bone, BoneTrack, Clip, Detail, FindingKind, LocalTransform, Model, Motion, Place, Report,
    Skeleton, Skin, Trs, counted, singular_or_plural,
};
use rigscope_core::pose::{fit_of_binds, fit_of_tracks};

pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let mut objects = objects::read(&bytes, &options.limits, report)?;
    report.close_spans();
    let mut model = Model { ..Model::default() };
    describe(&mut model, &objects);
    trailing(&mut model, &objects, &bytes, report);
    originals::keep(&mut model, &objects.meshes);
    model.value_tracks = std::mem::take(&mut objects.tracks);

    // Meshes without influences need no skeleton.
    let highest_joint = objects.meshes.iter().filter_map(MeshObject::highest_joint).max();
    let is_alone = objects.animations.is_empty() && objects.skeletons.is_empty();
    let has_given = || {
        let given = source.related_files.iter();
        let mut given = given.filter(|related_file| !source.content.equals(&related_file.bytes));
        given.any(|related_file| is_of_bones(&related_file.bytes))
    };
    // A supplied skeleton or animation is used in any case.
    if highest_joint.is_none() && is_alone && !has_given() {
        model.meshes = objects.meshes.into_iter().map(|object| object.mesh).collect();
        model.provenance = report.take_provenance();
        return Ok(model);
    }
    report.progress("looking for related files", 0.5)?;
    let beside = RelatedArchives::new(source, &options.limits, report)?;
    let has_own = !objects.animations.is_empty();
    let (skeleton, file) =
        skeleton(&mut model, &mut objects, &source.name, &beside, options, report);

    let own = objects.animations.into_iter();
    let own_stem = stem(&source.name);
    let mut animations: Vec<(String, Animation)> =
        own.map(|animation| (own_stem.to_owned(), animation)).collect();
    if let Some(file) = file.filter(|_| !has_own) {
        let found = beside.animations(&skeleton, &file)?;
        report_added(&found.animations, &found.left_out, report);
        animations = found.animations;
    }
    let num_before = animations.len();
    animations.retain(|(_, animation)| animation.tracks.len() == skeleton.len());
    let num_lost = (num_before - animations.len()) as u64;
    report.add_many(FindingKind::Dropped, Place::File, num_lost, || {
        let have = singular_or_plural(num_lost, "has", "have");
        let animations = counted(num_lost, "animation");
        format!("{animations} {have} a different number of joints than the skeleton")
    });
    model.skeleton = skeleton;
    model.clips = clips(animations).into();
    model.meshes = objects.meshes.into_iter().map(|object| object.mesh).collect();
    model.provenance = report.take_provenance();
    Ok(model)
}

/// Details for the inspector.
fn describe(model: &mut Model, objects: &Objects) {
    let order = if objects.is_big_endian { "big" } else { "little" };
    model.details.push(("byte order", Detail::Text(order.to_owned())));
    let tags = objects.tags.join(", ");
    model.details.push(("objects", Detail::Text(tags)));
    let part = |part: &PartShape| format!("{} x {}", part.num_vertices, part.num_influences);
    let parts = |object: &MeshObject| object.parts.iter().map(part).collect::<Vec<_>>().join(", ");
    let parts: Vec<String> = objects.meshes.iter().map(parts).collect();
    if !parts.is_empty() {
        // Vertices x influences per part.
        model.details.push(("parts", Detail::Text(parts.join("; "))));
    }
}

/// Preserves the bytes after the last object.
fn trailing(model: &mut Model, objects: &Objects, bytes: &Arc<Vec<u8>>, report: &Report) {
    let num = bytes.len().saturating_sub(objects.end);
    let place = Place::Offset(objects.end as u64);
    report.add_many(FindingKind::TrailingBytes, place, num.min(1) as u64, || {
        let follow = singular_or_plural(num as u64, "follows", "follow");
        format!("{} {follow} the last object", counted(num as u64, "byte"))
    });
    let range = objects.end..bytes.len();
    model.preserved.extend(kept(ID, "trailing", bytes, range));
}

/// The skeleton of `file` itself, or the best one from a related file, with the name of its file; or unnamed
/// bones.
fn skeleton(
    model: &mut Model,
    objects: &mut Objects,
    file: &str,
    beside: &RelatedArchives<'_>,
    options: &ReadOptions,
    report: &Report,
) -> (Skeleton, Option<String>) {
    let num_others = objects.skeletons.len().saturating_sub(1) as u64;
    report.add_many(FindingKind::Dropped, Place::File, num_others, || {
        let arent = singular_or_plural(num_others, "isn't", "aren't");
        format!("the file has {} that {arent} shown", counted(num_others, "further skeleton"))
    });
    let mut own = objects.skeletons.drain(..);
    if let Some(skeleton) = own.next() {
        return (skeleton, Some(file.to_owned()));
    }
    drop(own);
    let animation = objects.animations.first();
    let has_skeletons = animation.is_none_or(Animation::fits_skeletons);
    if has_skeletons {
        let what = match animation {
            Some(_) => "the animation",
            None => "the mesh",
        };
        let found = beside.skeleton(what, |skeleton| fit(objects, skeleton));
        if let Some((name, skeleton)) = found {
            let detail = Detail::Text(name.clone());
            model.details.push(("skeleton file", detail));
            return (skeleton, Some(name));
        }
    }
    let highest = objects.meshes.iter().filter_map(MeshObject::highest_joint).max();
    let num = match animation {
        Some(animation) => animation.tracks.len(),
        None => highest.map_or(0, |joint| joint + 1),
    };
    let max = options.limits.max_bones as usize;
    let num = num.min(max);
    let least = if animation.is_some() { "" } else { "at least " };
    report.add(
        FindingKind::MissingSkeleton,
        Place::File,
        if has_skeletons {
            format!(
                "no matching skeleton with {least}{} was found, so the bones have no names",
                counted(num as u64, "joint")
            )
        } else {
            "the joints are numbered as in ozz before 0.11, so no skeleton matches them".to_owned()
        },
    );
    (unnamed(num, objects), None)
}

/// How well a skeleton fits the file's meshes and animation, or why it can't be used.
fn fit(objects: &Objects, skeleton: &Skeleton) -> Result<Option<f32>, String> {
    let skins = objects.meshes.iter().filter_map(|object| match &object.mesh.skin {
        Skin::InverseBind(skin) => Some(skin),
        _ => None,
    });
    let num = skeleton.len();
    let of_binds = fit_of_binds(skins, skeleton)
        .map_err(|joint| format!("has {num} joints, the mesh names joint {}", joint.0))?;
    let Some(animation) = objects.animations.first() else { return Ok(of_binds) };
    let wanted = animation.tracks.len();
    if wanted != num {
        return Err(format!("has {num} joints, the animation {wanted}"));
    }
    let of_tracks = fit_of_tracks(&animation.tracks, skeleton);
    let both = of_binds.into_iter().chain(of_tracks);
    Ok(both.reduce(f32::min))
}

/// Bones of which only the number is known, placed according to the bind pose or the animation.
fn unnamed(num: usize, objects: &Objects) -> Skeleton {
    let mut bones = vec![Bone::default(); num];
    if let Some(animation) = objects.animations.first() {
        for (bone, track) in bones.iter_mut().zip(&animation.tracks) {
            bone.rest_local = LocalTransform::Trs(first_key(track));
        }
    } else {
        for object in &objects.meshes {
            if let Skin::InverseBind(skin) = &object.mesh.skin {
                for (bone, inverse) in skin.bones.iter().zip(&skin.bone_from_mesh) {
                    if let Some(bone) = bones.get_mut(bone.index()) {
                        bone.rest_local = LocalTransform::Matrix(bind(inverse));
                    }
                }
            }
        }
    }
    Skeleton::new(bones, false).unwrap_or_default()
}

/// The inverse of an inverse bind pose.
fn bind(inverse: &Mat4) -> Affine3A {
    let bind = Affine3A::from_mat4(*inverse).inverse();
    if bind.is_finite() { bind } else { Affine3A::IDENTITY }
}

fn first_key(track: &BoneTrack) -> Trs {
    let rest = Trs::IDENTITY;
    let translation = track.translation.as_ref().and_then(|t| t.values.first());
    let rotation = track.rotation.as_ref().and_then(|t| t.values.first());
    let scale = track.scale.as_ref().and_then(|t| t.values.first());
    Trs {
        translation: translation.copied().unwrap_or(rest.translation),
        rotation: rotation.copied().unwrap_or(rest.rotation),
        scale: scale.copied().unwrap_or(rest.scale),
    }
}

/// Reports which animations were added and which weren't.
fn report_added(animations: &[(String, Animation)], left_out: &[String], report: &Report) {
    let num = animations.len();
    let is_worth_telling = u64::from(num + left_out.len() > 0);
    report.add_many(FindingKind::AddedClips, Place::File, is_worth_telling, || {
        let names: Vec<&str> = animations.iter().map(|(name, _)| name.as_str()).collect();
        let files = counted(num as u64, "related file");
        let added = format!("the clips of {files} were added: {}", names.join(", "));
        let left = format!("related files were left out: {}", left_out.join(", "));
        match (animations, left_out) {
            (_, []) => added,
            ([], _) => left,
            _ => format!("{added}; {left}"),
        }
    });
}

/// One clip per animation, named after the animation if that name is unique.
fn clips(animations: Vec<(String, Animation)>) -> Vec<Clip> {
    let mut names = HashSet::new();
    let clip = |(file, animation): (String, Animation)| {
        let own = animation.name;
        let is_usable = !own.is_empty() && !names.contains(&own);
        let name = if is_usable { own } else { file };
        names.insert(name.clone());
        Clip {
            name,
            duration_secs: animation.duration_secs,
            motion: Motion::Tracks(animation.tracks),
            ..Clip::default()
        }
    };
    animations.into_iter().map(clip).collect()
}
