//! The bones in the text of `info --dump`: a line per bone at rest, and a line per bone and clip that it moves in.

use glam::{Affine3A, EulerRot, Quat, Vec3};

use super::dump_section::{Digest, MAX_CLIPS, MOMENTS_PER_CLIP, section};
use super::lines::Lines;
use super::table::{Align, Table};
use super::text::{name, point};
use rigscope_core::model::{Bone, BoneId, Clip, ClipId, Model, Motion, numbered, numbers, spread};
use rigscope_core::pose::{PoseSpec, sample};

/// Hashed values are rounded to this fraction of a unit, of both lengths and quaternions.
const STEPS_PER_UNIT: f32 = 1e4;
/// Smaller distances and changes of scale aren't listed.
const STILL: f32 = 1e-5;
/// The angle between two quaternions in single precision is only exact to this.
const STILL_RAD: f32 = 1e-3;

/// The transform of each bone relative to its parent at rest.
pub(super) fn rest(model: &Model) -> Lines {
    let mut table = Table::new([Align::Left; 4]);
    table.row(["bone", "position", "rotation in degrees", "scale"].map(str::to_owned));
    for (index, bone) in model.skeleton.bones().iter().enumerate() {
        let trs = bone.rest_local.to_trs();
        let own = name(&model.skeleton.display_name(BoneId::from_index(index)));
        table.row([own, point(trs.translation), degrees(trs.rotation), point(trs.scale)]);
    }
    if model.skeleton.is_empty() { Lines::default() } else { section("rest", &table) }
}

/// Euler angles about X, Y and Z.
fn degrees(rotation: Quat) -> String {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    let angle = |radians: f32| {
        let rounded = (radians.to_degrees() * 10.0).round() / 10.0;
        // Both signs of a half turn and of zero are the same.
        format!("{:.1}", if rounded == -180.0 { 180.0 } else { rounded + 0.0 })
    };
    [x, y, z].map(angle).join(" ")
}

/// How far each bone moves in each clip relative to its parent, and a hash of that motion.
pub(super) fn motions(model: &Model) -> Lines {
    let align = [Align::Left, Align::Left, Align::Right, Align::Left, Align::Right, Align::Left];
    let mut table = Table::new(align);
    table.row(["clip", "bone", "keys", "moves by", "turns by", "hash"].map(str::to_owned));
    let mut has_rows = false;
    for index in spread(model.clips.len(), MAX_CLIPS) {
        let id = ClipId::from_index(index);
        let clip = &model.clips[id];
        let moments: Vec<Vec<Affine3A>> = (0..MOMENTS_PER_CLIP)
            .map(|part| {
                let share = part as f64 / (MOMENTS_PER_CLIP - 1) as f64;
                let secs = clip.start_secs + clip.duration_secs * share;
                locals(model, &PoseSpec::linear(id, secs))
            })
            .collect();
        for bone in 0..model.skeleton.len() {
            let at = |moment: &Vec<Affine3A>| moment.get(bone).copied().unwrap_or_default();
            let poses: Vec<Affine3A> = moments.iter().map(at).collect();
            let Some((length, angle_rad)) = largest_motion(&poses) else { continue };
            has_rows = true;
            table.row([
                name(&numbered("clip", index, &clip.name)),
                name(&model.skeleton.display_name(BoneId::from_index(bone))),
                num_keys(clip, bone).map_or_else(String::new, |num| num.to_string()),
                numbers::number(f64::from(length)),
                numbers::degrees(f64::from(angle_rad.to_degrees())),
                digest(&poses).text(),
            ]);
        }
    }
    if has_rows { section("motion by bone", &table) } else { Lines::default() }
}

/// `parent_from_bone` of each bone in a pose.
fn locals(model: &Model, spec: &PoseSpec) -> Vec<Affine3A> {
    let pose = sample(model, spec);
    let of_parent = |bone: &Bone| pose.model_from_bone.get(bone.parent?).copied();
    let bones = model.skeleton.bones().iter().zip(pose.model_from_bone.iter());
    let local = |(bone, own): (&Bone, &Affine3A)| {
        of_parent(bone).map_or(*own, |parent| parent.inverse() * *own)
    };
    bones.map(local).collect()
}

/// The largest distance and angle from the first pose; `None` if the bone doesn't move.
fn largest_motion(poses: &[Affine3A]) -> Option<(f32, f32)> {
    let parts = |pose: &Affine3A| pose.to_scale_rotation_translation();
    let (first_scale, first_rotation, first_position) = parts(poses.first()?);
    let (mut length, mut angle_rad, mut growth) = (0.0f32, 0.0f32, 0.0f32);
    for pose in poses {
        let (scale, rotation, position) = parts(pose);
        length = length.max(position.distance(first_position));
        angle_rad = angle_rad.max(rotation.angle_between(first_rotation));
        growth = growth.max((scale - first_scale).abs().max_element());
    }
    let visible = |value: f32, least: f32| if value > least { value } else { 0.0 };
    let (length, angle_rad) = (visible(length, STILL), visible(angle_rad, STILL_RAD));
    (length > 0.0 || angle_rad > 0.0 || growth > STILL).then_some((length, angle_rad))
}

fn digest(poses: &[Affine3A]) -> Digest {
    let mut digest = Digest::default();
    let rounded = |v: Vec3| (v * STEPS_PER_UNIT).round();
    for pose in poses {
        for column in [pose.x_axis, pose.y_axis, pose.z_axis, pose.translation] {
            digest.add(rounded(column.into()));
        }
    }
    digest
}

/// The most keys of a curve of the bone; `None` if the clip has no curves.
fn num_keys(clip: &Clip, bone: usize) -> Option<usize> {
    let Motion::Tracks(tracks) = &clip.motion else { return None };
    let own = tracks.iter().filter(|track| track.bone.index() == bone);
    let nums = own.flat_map(|track| {
        let of = |num: Option<usize>| num.unwrap_or_default();
        [
            of(track.translation.as_ref().map(|own| own.times_secs.len())),
            of(track.rotation.as_ref().map(|own| own.times_secs.len())),
            of(track.scale.as_ref().map(|own| own.times_secs.len())),
        ]
    });
    nums.max()
}
