//! Finds bones whose axes aren't perpendicular in model space, because an ancestor is scaled unevenly.
//!
//! Products of matrices shear there, and glTF and ozz show that. Engines that store a rotation and a scale
//! per bone in model space can't. Not for: inverse bind matrices (`inverse_binds`) and keys
//! (`animation::rigid`) with shear.

use glam::{Affine3A, Mat3A, Vec3A};

use super::bound_mesh::BoundMesh;
use crate::model::{
    BoneId, Cancelled, ClipId, FindingKind, IdVec, Model, Place, Report, findings, numbers,
};
use crate::pose::{Pose, PoseSpec, sample};
use crate::validate::moments::{Moments, Posed};
use crate::validate::worst::{Worst, bone_text, spread, three_digits};

findings! {
    pub(super) FINDINGS:
    ShearedBone, "sheared-bone", Warning, Skin,
        "a non-uniform scale shears the rotated bones below it",
        "shown with shear here, as in glTF and ozz; runtimes that store a rotation and a scale per bone show the limb differently",
        "scale bones uniformly, or apply the scale of armature and mesh before binding",
        "the axes of bone 6 \"hand_l\" are 12.4° off a right angle in the default pose; bone 2 \"spine\" is scaled by 1, 1.5, 1 at bones[6]";
}

/// Smaller deviations from a right angle come from rounding.
const MIN_REST_DEG: f32 = 2.0;
/// In clips, some squash and stretch is usual, and its shear isn't visible.
const MIN_CLIP_DEG: f32 = 8.0;
/// Bones shorter than this along an axis are hidden.
const MIN_AXIS: f32 = 1e-3;
/// Axes whose lengths differ by less are scaled uniformly.
const MAX_UNEVEN: f32 = 0.01;
/// The most clips, and moments of each, to examine.
const MAX_CLIPS: usize = 64;
const MAX_MOMENTS: usize = 8;

/// A sheared bone.
#[derive(Clone, Copy)]
struct Sheared {
    bone: BoneId,
    /// The bone with the uneven scale, and that scale.
    cause: Option<(BoneId, Vec3A)>,
    /// Clip and time, if it isn't at rest.
    at: Option<(usize, f64)>,
}

/// Reports bones that are sheared at rest, otherwise bones that are sheared in clips.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let mut is_moving = IdVec::filled(false, model.skeleton.bones());
    for mesh in BoundMesh::all(model) {
        for bone in &mesh.bones {
            // Reported as `sheared-inverse-bind`.
            let bind = Affine3A::from_mat4(mesh.bind_of(bone)).matrix3;
            let is_bound_so = off_deg(&bind.transpose()) > MIN_REST_DEG;
            is_moving[bone.bone] |= !is_bound_so;
        }
    }
    let mut worst = IdVec::filled(None, model.skeleton.bones());
    let rest = sample(model, &PoseSpec::default());
    add(model, &rest, &is_moving, None, MIN_REST_DEG, &mut worst);
    if worst.iter().all(Option::is_none) {
        let all = Moments::of(model, Posed::Vertices);
        for (index, clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
            let moments = all.of_clip(index, clip);
            for at in spread(moments.len(), MAX_MOMENTS).filter_map(|at| moments.get(at)) {
                report.progress("checking skins", 0.85)?;
                let pose = sample(model, &at.spec);
                let time = Some((index, at.time_secs));
                add(model, &pose, &is_moving, time, MIN_CLIP_DEG, &mut worst);
            }
        }
    }
    let mut found = Worst::default();
    worst.into_iter().flatten().for_each(|(off_deg, sheared)| found.add(off_deg, sheared));
    let Some((off_deg, sheared)) = found.worst else { return Ok(()) };
    report.add_many(FindingKind::ShearedBone, Place::Bone(sheared.bone.0), found.count, || {
        let when = match sheared.at {
            None => "in the default pose".to_owned(),
            Some((clip, time_secs)) => {
                let name = &*model.clips[ClipId::from_index(clip)].name;
                format!("at {} of clip {name:?}", numbers::seconds(time_secs))
            }
        };
        let cause = sheared.cause.map(|(bone, scale)| {
            let [x, y, z] = scale.to_array().map(three_digits);
            format!("; {} is scaled by {x}, {y}, {z}", bone_text(model, bone))
        });
        format!(
            "the axes of {} are {} off a right angle {when}{}",
            bone_text(model, sheared.bone),
            numbers::degrees(off_deg),
            cause.unwrap_or_default()
        )
    });
    Ok(())
}

/// Records the worst shear of more than `min_deg` degrees for each bone.
fn add(
    model: &Model,
    pose: &Pose,
    is_moving: &IdVec<BoneId, bool>,
    at: Option<(usize, f64)>,
    min_deg: f32,
    worst: &mut IdVec<BoneId, Option<(f32, Sheared)>>,
) {
    if pose.model_from_mesh.is_some() {
        return;
    }
    for ((bone, matrix), worst) in pose.model_from_bone.iter_enumerated().zip(worst) {
        let off_deg = if is_moving[bone] { off_deg(&matrix.matrix3) } else { 0.0 };
        if off_deg > worst.map_or(min_deg, |(most, _)| most) {
            *worst = Some((off_deg, Sheared { bone, cause: cause(model, pose, bone), at }));
        }
    }
}

/// The nearest ancestor with an uneven scale.
fn cause(model: &Model, pose: &Pose, bone: BoneId) -> Option<(BoneId, Vec3A)> {
    let parent = |bone: &BoneId| model.skeleton.bones()[*bone].parent;
    std::iter::successors(parent(&bone), parent).find_map(|bone| {
        let scale = lengths(&pose.parent_from_bone[bone].matrix3);
        let is_uneven = scale.max_element() > scale.min_element() * (1.0 + MAX_UNEVEN);
        is_uneven.then_some((bone, scale))
    })
}

fn lengths(matrix: &Mat3A) -> Vec3A {
    Vec3A::new(matrix.x_axis.length(), matrix.y_axis.length(), matrix.z_axis.length())
}

/// The deviation of the worst pair of axes from a right angle, in degrees; 0 if an axis has practically no
/// length.
fn off_deg(matrix: &Mat3A) -> f32 {
    if lengths(matrix).min_element() < MIN_AXIS {
        return 0.0;
    }
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3A::normalize_or_zero);
    let cosine = [x.dot(y), y.dot(z), z.dot(x)].map(f32::abs).into_iter().fold(0.0, f32::max);
    cosine.clamp(0.0, 1.0).asin().to_degrees()
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::testing::*;
    use crate::validate::fixtures::arm::{arm, set_rest};
    use crate::validate::fixtures::clean::findings_of_rules;

    fn message(model: &Model) -> Option<(Place, String)> {
        findings_of_rules(model, check)
            .into_iter()
            .next()
            .map(|finding| (finding.place, finding.message))
    }

    #[test]
    fn rotated_bone_below_nonuniform_scale_is_reported_with_the_cause() {
        assert_eq!(message(&arm()), None);
        // Along the axes of the bones, there is no shear.
        let straight = set_rest(0, |rest| rest.scale = Vec3::new(1.0, 3.0, 1.0));
        assert_eq!(message(&straight), None);
        let mut bones = straight.skeleton.bones().to_vec();
        let mut rest = bones[1].rest_local.to_trs();
        rest.rotation = Quat::from_rotation_z(0.5);
        bones[1].rest_local = LocalTransform::Trs(rest);
        let bent = Model { skeleton: Skeleton::new(bones, true).unwrap(), ..straight };
        let (place, text) = message(&bent).unwrap();
        assert_eq!(place, Place::Bone(1));
        let expected = "the axes of bone 1 \"forearm\" are 48.3° off a right angle in the default pose; bone 0 \"upper arm\" \
                        is scaled by 1, 3, 1";
        assert_eq!(text, expected);
    }

    #[test]
    fn shear_only_in_a_clip_is_reported_with_its_time() {
        let clip = ModelBuilder::new().clip("squash", 1.0);
        let clip = clip.scale(0, linear([(0.0, Vec3::ONE), (1.0, Vec3::new(1.0, 3.0, 1.0))]));
        let rotation = Quat::from_rotation_z(0.5);
        let clip = clip.rotation(1, linear([(0.0, rotation), (1.0, rotation)])).into_clip();
        let (_, text) = message(&Model { clips: vec![clip].into(), ..arm() }).unwrap();
        assert!(text.contains("at 1 s of clip \"squash\""), "{text}");
    }
}
