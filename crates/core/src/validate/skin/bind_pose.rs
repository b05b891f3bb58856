//! Compares the initial pose with the bind pose, per bone.
//!
//! In the bind pose, `model_from_bone * bone_from_mesh` is the same matrix for all bones: the identity, or a
//! matrix that moves the whole mesh (`whole_mesh`). Many good files rest in another pose, such as an idle
//! stance, which rotates bones about their joints. A joint that isn't where the skin of its parent moves it
//! isn't a stance: the surface tears or stretches there. Unless every clip moves the joint back, the user
//! sees that. If the bones below an odd one are in place, its inverse bind matrix is wrong, not its rest
//! transform.
//!
//! A format whose keys are baked skinning matrices has no inverse binds to compare.

use std::borrow::Cow;

use glam::{Affine3A, Mat4, Vec3, Vec4};

use super::bound_mesh::{BoundBone, BoundMesh, MAX_MISFIT, scale};
use crate::model::{
    BoneId, Cancelled, ClipId, FindingKind, Model, Place, Report, findings, numbers,
};
use crate::pose::{Pose, PoseSpec, sample};
use crate::validate::moments::{Moments, Posed};
use crate::validate::worst::{Worst, bone_text, length_text, spread, three_digits};

findings! {
    pub(super) FINDINGS:
    RestNotBindPose, "rest-not-bind-pose", Info, Skin,
        "the initial pose isn't the bind pose of the mesh",
        "none; the model opens in another pose than the one in which it was bound",
        "switch to the bind pose before export if it should be the initial one (Blender glTF: Use Rest Position Armature; Maya: Go to Bind Pose)",
        "bone 6 \"hand_l\" moves its vertices by up to 12.4 cm (6.9 % of the mesh's size) away from the bind pose at bones[6]";
    BentRestPose, "bent-rest-pose", Warning, Skin,
        "the initial pose deforms the mesh far from its bind pose, and not all clips restore it",
        "the model opens bent or crumpled, and clips that don't move the bone leave it that way",
        "switch to the bind pose before export (Blender glTF: Use Rest Position Armature; Maya: Go to Bind Pose), or key the bone in every clip",
        "bone 6 \"hand_l\" moves its vertices by up to 38.2 cm (21 % of the mesh's size) away from the bind pose, and no clip moves it back at bones[6]";
    DislocatedJoint, "dislocated-joint", Warning, Skin,
        "a joint is away from the skin of its parent bone",
        "the surface stretches or tears at the joint",
        "restore the bone's translation to its bind pose before export, or bind the mesh again",
        "bone 6 \"hand_l\" is 10 cm (5.6 % of the mesh's size) away from the place to which the skin of bone 5 \"arm_l\" moves it: its rest transform is wrong at bones[6]";
    WrongInverseBind, "wrong-inverse-bind", Warning, Skin,
        "inverse bind matrices contradict the rest pose, or one of them contradicts those of nearby bones",
        "the mesh, or the part that follows the bone, is torn or in the wrong place",
        "export the inverse bind matrices again, in the pose in which the mesh was bound",
        "the inverse bind matrix of bone 5 \"arm_l\" is wrong: its vertices are up to 12 cm (6.7 % of the mesh's size) out of place, while the bones below it are in place";
}

/// A joint this fraction of the mesh's size away from its expected position is out of place: 5 cm on a
/// person. Rigs that stretch slightly between binding and rest stay below.
const MIN_GAP: f32 = 0.03;
/// A mesh that rests this fraction of its size away from its bind pose is visibly bent, rarely on purpose.
const MIN_BENT: f32 = 0.25;
/// Local transforms that differ by less are the same.
const SAME_LOCAL: f32 = 1e-4;
/// With this many joints out of place, and half of all, the cause is the inverse bind matrices and not the
/// joints.
const MANY_GAPS: usize = 3;
/// The most clips, and moments of each, at which joints are examined.
const MAX_CLIPS: usize = 64;
const MAX_MOMENTS: usize = 4;
/// Relative scale of a bone's vertices from which it is reported.
const MAX_SCALE_RATIO: f32 = 1.1;
/// Bones that shrink their vertices below this hide them.
const HIDDEN: f32 = 1e-5;

/// Reports bones whose initial pose isn't their bind pose.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let pose = sample(model, &PoseSpec::default());
    if pose.model_from_mesh.is_some() {
        return Ok(());
    }
    for mesh in BoundMesh::all(model) {
        report.progress("checking skins", 0.6)?;
        of_mesh(model, &mesh, &pose, report)?;
    }
    Ok(())
}

/// The matrices of a mesh's bones in the initial pose, and their comparison.
struct First<'a> {
    mesh: &'a BoundMesh<'a>,
    matrices: Vec<Affine3A>,
    /// The matrix that moves the whole mesh.
    common: Affine3A,
    /// Size of the mesh moved by it.
    size: f32,
    /// By bone, whether it disagrees.
    is_away: Vec<bool>,
}

fn of_mesh(
    model: &Model,
    mesh: &BoundMesh<'_>,
    pose: &Pose,
    report: &Report,
) -> Result<(), Cancelled> {
    let matrices = mesh.matrices(pose);
    let (common, size) = mesh.common(&matrices);
    if size <= 0.0 {
        return Ok(());
    }
    let is_away = mesh.bones.iter().zip(&matrices);
    let is_away = is_away.map(|(bone, m)| bone.distance(&common, m) > size * MAX_MISFIT).collect();
    let first = First { mesh, matrices, common, size, is_away };
    let mut gaps = first.gaps();
    let clips =
        if gaps.is_empty() { InClips::default() } else { first.in_clips(model, &gaps, report)? };
    if clips.are_all_sound {
        gaps.clear();
    }
    if !gaps.is_empty() {
        first.report_gaps(model, &gaps, &clips, pose, report);
    }
    first.report_rest(model, &clips, !gaps.is_empty(), report)
}

/// A joint that isn't where the skin of its parent moves it.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// Index in the list of bones.
    bone: usize,
    parent: usize,
    /// In file units.
    width: f32,
    /// The bone whose inverse bind matrix is the cause, if the bones below it are in place.
    wrong_bind: Option<usize>,
}

/// The same joints in clips.
#[derive(Default)]
struct InClips {
    /// There are clips, and none of them has a gap.
    are_all_sound: bool,
    /// The widest gap, with its clip, bone and time.
    worst: Worst<(usize, BoneId, f64)>,
}

impl First<'_> {
    /// Joints out of place, in the order of the skin.
    fn gaps(&self) -> Vec<Gap> {
        let bones = &self.mesh.bones;
        let limit = self.size * MIN_GAP;
        let mut gaps: Vec<Gap> = (0..bones.len())
            .filter_map(|bone| {
                let parent = bones[bone].parent?;
                let width = self.mesh.gap(bone, parent, &self.matrices)?;
                (width > limit && (self.is_away[bone] || self.is_away[parent])).then_some(Gap {
                    bone,
                    parent,
                    width,
                    wrong_bind: None,
                })
            })
            .collect();
        if gaps.is_empty() {
            return gaps;
        }
        let is_joined = self.mesh.is_joined();
        gaps.retain(|gap| is_joined[gap.bone] && is_joined[gap.parent]);
        // If a bone is away but its neighbours aren't, its rest transform isn't the cause: that would move
        // the bones below it too.
        let mut is_wrong = vec![false; bones.len()];
        for gap in gaps.iter().filter(|gap| self.is_away[gap.parent] && !self.is_away[gap.bone]) {
            is_wrong[gap.parent] = match bones[gap.parent].parent {
                Some(above) => !self.is_away[above],
                // If a root has a single bone below it, either may be away from the other.
                None => bones[gap.parent].children.len() > 1,
            };
        }
        for gap in &mut gaps {
            gap.wrong_bind = [gap.bone, gap.parent].into_iter().find(|&bone| is_wrong[bone]);
        }
        gaps
    }

    fn in_clips(&self, model: &Model, gaps: &[Gap], report: &Report) -> Result<InClips, Cancelled> {
        let mut found = InClips { are_all_sound: !model.clips.is_empty(), ..InClips::default() };
        let all = Moments::of(model, Posed::BonesOfEachMesh);
        for (index, clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
            let moments = all.of_clip(index, clip);
            for at in spread(moments.len(), MAX_MOMENTS).filter_map(|at| moments.get(at)) {
                report.progress("checking skins", 0.6)?;
                let matrices = self.mesh.matrices(&sample(model, &at.spec));
                for gap in gaps {
                    let width = self.mesh.gap(gap.bone, gap.parent, &matrices).unwrap_or(0.0);
                    if width > self.size * MIN_GAP {
                        let bone = gap.wrong_bind.unwrap_or(gap.bone);
                        found.are_all_sound = false;
                        let bone = self.mesh.bones[bone].bone;
                        found.worst.add(width, (index, bone, at.time_secs));
                    }
                }
            }
        }
        Ok(found)
    }

    /// The scale by which each part is enlarged about its joint, if the skin fits together otherwise.
    fn missing_scale(&self, pose: &Pose) -> Option<f32> {
        let scale = scale(&self.common);
        let is_visible = !(MAX_SCALE_RATIO.recip()..=MAX_SCALE_RATIO).contains(&scale);
        if !is_visible || !scale.is_normal() || !scale.recip().is_normal() {
            return None;
        }
        let unscaled = Mat4::from_scale(Vec3::splat(scale.recip()));
        self.is_cure(pose, self.size / scale, |bind| unscaled * bind).then_some(scale)
    }

    /// Whether there are no gaps with another interpretation of the inverse bind matrices, in which the mesh has this
    /// size.
    fn is_cure(&self, pose: &Pose, size: f32, read: impl Fn(Mat4) -> Mat4) -> bool {
        let reread = self.mesh.reread(pose, read);
        self.mesh.bones.iter().zip(&reread).all(|(bone, (own, head))| {
            let Some((carried, _)) = bone.parent.and_then(|parent| reread.get(parent)) else {
                return true;
            };
            head.is_some_and(|head| gap(head, own, carried) < size * MIN_GAP)
        })
    }

    /// The fault of all inverse bind matrices, if they are the cause of the gaps.
    fn fault_of_binds(&self, gaps: &[Gap], pose: &Pose) -> Option<Cow<'static, str>> {
        let bones = &self.mesh.bones;
        if let Some(scale) = self.missing_scale(pose) {
            let scale = three_digits(scale);
            return Some(
                format!("the inverse bind matrices lack the bones' scale of {scale}").into(),
            );
        }
        let is_cure = |read: fn(Mat4) -> Mat4| self.is_cure(pose, self.size, read);
        // The translation of a transposed matrix is in its last row.
        let is_affine = |bone: &BoundBone| self.mesh.bind_of(bone).row(3) == Vec4::W;
        if !bones.iter().all(is_affine) && is_cure(|bind| bind.transpose()) {
            return Some("the inverse bind matrices are transposed".into());
        }
        if is_cure(|bind| bind.inverse()) {
            return Some("the inverse bind matrices aren't inverted".into());
        }
        let num_joints = bones.iter().filter(|bone| bone.parent.is_some()).count();
        let are_many = gaps.len() >= MANY_GAPS && gaps.len() * 2 >= num_joints;
        are_many.then_some("the inverse bind matrices are those of another pose or skeleton".into())
    }

    fn report_gaps(
        &self,
        model: &Model,
        gaps: &[Gap],
        clips: &InClips,
        pose: &Pose,
        report: &Report,
    ) {
        let bones = &self.mesh.bones;
        let percent = |width: f32| numbers::percent(width / self.size);
        let in_clips = || match clips.worst.worst {
            None => String::new(),
            Some((width, (clip, bone, time_secs))) => format!(
                "; the largest distance in clips is {}, of {} at {} of clip {:?}",
                length_text(model, width),
                bone_text(model, bone),
                numbers::seconds(time_secs),
                &*model.clips[ClipId::from_index(clip)].name,
            ),
        };
        let (mut binds, mut joints) = (Worst::default(), Worst::default());
        let mut is_counted = vec![false; bones.len()];
        for gap in gaps {
            match gap.wrong_bind {
                // A bone has a gap to each of its neighbours.
                Some(bone) if is_counted[bone] => {}
                Some(bone) => {
                    is_counted[bone] = true;
                    let moved = bones[bone].distance(&self.common, &self.matrices[bone]);
                    binds.add(moved, bone);
                }
                None => joints.add(gap.width, *gap),
            }
        }
        if let Some((moved, bone)) = binds.worst {
            let bone = bones[bone].bone;
            report.add_many(FindingKind::WrongInverseBind, Place::Bone(bone.0), binds.count, || {
                format!(
                    "the inverse bind matrix of {} is wrong: its vertices are up to {} ({} of the mesh's size) \
                     out of place, while the bones below it are in place{}",
                    bone_text(model, bone),
                    length_text(model, moved),
                    percent(moved),
                    in_clips(),
                )
            });
        }
        if let Some((width, gap)) = joints.worst {
            let [bone, parent] = [gap.bone, gap.parent].map(|bone| bones[bone].bone);
            let of_all = self.fault_of_binds(gaps, pose);
            let is_leaf = bones[gap.bone].children.is_empty();
            let (kind, cause) = match (of_all, is_leaf) {
                (Some(fault), _) => (FindingKind::WrongInverseBind, fault),
                (None, true) => {
                    let cause = "its rest transform or its inverse bind matrix is wrong";
                    (FindingKind::DislocatedJoint, cause.into())
                }
                (None, false) => {
                    (FindingKind::DislocatedJoint, "its rest transform is wrong".into())
                }
            };
            report.add_many(kind, Place::Bone(bone.0), joints.count, || {
                format!(
                    "{} is {} ({} of the mesh's size) away from the place to which the skin of {} moves it: \
                     {cause}{}",
                    bone_text(model, bone),
                    length_text(model, width),
                    percent(width),
                    bone_text(model, parent),
                    in_clips(),
                )
            });
        }
    }

    /// Whether some clip leaves a bone, and those above it that are away too, at rest; also if there is no
    /// clip.
    fn is_held(&self, model: &Model, at: usize, report: &Report) -> Result<bool, Cancelled> {
        let bones = &self.mesh.bones;
        let above = |at: &usize| bones[*at].parent.filter(|&parent| self.is_away[parent]);
        let chain: Vec<_> =
            std::iter::successors(Some(at), above).map(|at| bones[at].bone).collect();
        let rest = model.skeleton.rest_locals();
        let all = Moments::of(model, Posed::BonesOfEachMesh);
        for (index, clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
            let moments = all.of_clip(index, clip);
            let mut is_still = true;
            for at in spread(moments.len(), MAX_MOMENTS).filter_map(|at| moments.get(at)) {
                report.progress("checking skins", 0.6)?;
                let pose = sample(model, &at.spec);
                // Without local transforms, it isn't known whether a bone rests.
                is_still &= chain.iter().all(|&bone| {
                    let local = pose.parent_from_bone.get(bone);
                    local.is_some_and(|local| local.abs_diff_eq(rest[bone], SAME_LOCAL))
                });
            }
            if is_still {
                return Ok(true);
            }
        }
        Ok(model.clips.is_empty())
    }

    /// Reports the distance of the initial pose from the bind pose.
    fn report_rest(
        &self,
        model: &Model,
        clips: &InClips,
        has_gaps: bool,
        report: &Report,
    ) -> Result<(), Cancelled> {
        let mut away = Worst::default();
        let ratio =
            |at: usize| scale(&self.matrices[at]) / scale(&self.common).max(f32::MIN_POSITIVE);
        for (at, bone) in self.mesh.bones.iter().enumerate() {
            // Hidden bones have a separate finding.
            if self.is_away[at] && ratio(at) > HIDDEN {
                away.add(bone.distance(&self.common, &self.matrices[at]), at);
            }
        }
        let Some((moved, at)) = away.worst else { return Ok(()) };
        let is_far = !has_gaps && moved > self.size * MIN_BENT;
        // A part that doesn't touch others, such as a sword, may be bound at another place.
        let is_bent = is_far && self.mesh.is_joined()[at] && self.is_held(model, at, report)?;
        let kind = if is_bent { FindingKind::BentRestPose } else { FindingKind::RestNotBindPose };
        let bone = self.mesh.bones[at].bone;
        report.add_many(kind, Place::Bone(bone.0), away.count, || {
            let does = match ratio(at) {
                ratio if !(MAX_SCALE_RATIO.recip()..=MAX_SCALE_RATIO).contains(&ratio) => {
                    format!("scales its vertices by {} compared to the bind pose", three_digits(ratio))
                }
                _ => format!(
                    "moves its vertices by up to {} ({} of the mesh's size) away from the bind pose",
                    length_text(model, moved),
                    numbers::percent(moved / self.size)
                ),
            };
            let more = match (clips.are_all_sound, is_bent, model.clips.is_empty()) {
                (true, ..) => "; all clips restore the joints",
                (_, true, true) => ", and no clip moves it back",
                (_, true, false) => ", and not every clip moves it back",
                _ => "",
            };
            format!("{} {does}{more}", bone_text(model, bone))
        });
        Ok(())
    }
}

/// The distance between the positions to which two matrices move a joint.
fn gap(head: Vec3, own: &Affine3A, carried: &Affine3A) -> f32 {
    own.transform_point3(head).distance(carried.transform_point3(head))
}

impl BoundMesh<'_> {
    /// The distance of the joint of `bone` from where the skin of `parent` moves it.
    fn gap(&self, bone: usize, parent: usize, matrices: &[Affine3A]) -> Option<f32> {
        let head = self.bones.get(bone)?.head?;
        let [own, carried] = [matrices.get(bone)?, matrices.get(parent)?];
        Some(gap(head, own, carried))
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::model::testing::*;
    use crate::validate::fixtures::arm::{HAND, arm, arm_with, set_rest};
    use crate::validate::fixtures::clean::{find, findings_of_rules};

    fn codes(model: &Model) -> Vec<&'static str> {
        findings_of_rules(model, check).iter().map(|finding| finding.kind.code()).collect()
    }

    #[test]
    fn matrix_shared_by_all_inverse_binds_is_not_reported() {
        assert_eq!(codes(&arm()), [""; 0]);
        let mut model = arm();
        for bind in &mut inverse_bind_mut(&mut model.meshes[MeshId(0)]).bone_from_mesh {
            *bind *= Mat4::from_translation(Vec3::new(0.5, 0.0, 0.0));
        }
        assert_eq!(codes(&model), [""; 0]);
    }

    #[test]
    fn bent_rest_pose_is_a_warning_unless_every_clip_restores_it() {
        // The elbow is bent by 60 degrees.
        let bent = set_rest(1, |rest| rest.rotation = Quat::from_rotation_z(1.05));
        let findings = findings_of_rules(&bent, check);
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!(
            (finding.kind, finding.place, finding.count),
            (FindingKind::BentRestPose, Place::Bone(2), 2)
        );
        let start = "bone 2 \"hand\" moves its vertices by up to ";
        assert!(finding.message.starts_with(start), "{}", finding.message);
        assert!(finding.message.ends_with("no clip moves it back"), "{}", finding.message);
        let rotation = |bone| {
            let keys = linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(0.3))]);
            ModelBuilder::new().clip("turn", 1.0).rotation(bone, keys).into_clip()
        };
        let with = |clips: Vec<Clip>| codes(&Model { clips: clips.into(), ..bent.clone() });
        assert_eq!(with(vec![rotation(1)]), ["rest-not-bind-pose"]);
        assert_eq!(with(vec![rotation(1), rotation(0)]), ["bent-rest-pose"]);
    }

    #[test]
    fn nodes_that_are_not_bones_are_not_checked() {
        let mut bent = set_rest(1, |rest| rest.rotation = Quat::from_rotation_z(1.05));
        assert_eq!(codes(&bent), ["bent-rest-pose"]);
        let mut bones = bent.skeleton.bones().to_vec();
        for bone in &mut bones[1..] {
            bone.kind = BoneKind::Node;
        }
        bent.skeleton = Skeleton::new(bones, true).unwrap();
        assert_eq!(codes(&bent), [""; 0]);
    }

    #[test]
    fn transposed_or_uninverted_inverse_binds_are_reported() {
        type Change = fn(&Mat4) -> Mat4;
        let faults: [(Change, &str); 2] =
            [(Mat4::transpose, "are transposed"), (Mat4::inverse, "aren't inverted")];
        for (change, text) in faults {
            let mut model = arm();
            for bind in &mut inverse_bind_mut(&mut model.meshes[MeshId(0)]).bone_from_mesh {
                *bind = change(bind);
            }
            let findings = findings_of_rules(&model, check);
            let finding = find(&findings, FindingKind::WrongInverseBind).unwrap();
            assert!(finding.message.contains(text), "{}", finding.message);
            assert_eq!(find(&findings, FindingKind::DislocatedJoint), None);
        }
    }

    /// Translations of the bones compensate the scale of the root.
    #[test]
    fn scale_that_inverse_binds_lack_is_not_called_a_transposition() {
        let mut model = arm();
        let mut bones = model.skeleton.bones().to_vec();
        for (at, bone) in bones.iter_mut().enumerate() {
            let mut rest = bone.rest_local.to_trs();
            if at == 0 {
                rest.scale *= 100.0;
            } else {
                rest.translation /= 100.0;
            }
            bone.rest_local = LocalTransform::Trs(rest);
        }
        model.skeleton = Skeleton::new(bones, true).unwrap();
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::WrongInverseBind).unwrap();
        assert!(finding.message.contains("lack the bones' scale of 100"), "{}", finding.message);
    }

    #[test]
    fn slightly_bent_rest_pose_is_only_an_info() {
        // The wrist is bent by 34 degrees.
        let model = set_rest(HAND, |rest| rest.rotation = Quat::from_rotation_z(0.6));
        let findings = findings_of_rules(&model, check);
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!(
            (finding.kind, finding.place, finding.count),
            (FindingKind::RestNotBindPose, Place::Bone(2), 1)
        );
        let start = "bone 2 \"hand\" moves its vertices by up to ";
        assert!(finding.message.starts_with(start), "{}", finding.message);
    }

    #[test]
    fn dislocated_joint_is_a_warning_with_the_width_of_the_gap() {
        let model = set_rest(1, |rest| rest.translation.y += 0.5);
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::DislocatedJoint).unwrap();
        assert_eq!((finding.place, finding.count), (Place::Bone(1), 1));
        let start = "bone 1 \"forearm\" is 50 cm (";
        assert!(finding.message.starts_with(start), "{}", finding.message);
        assert!(finding.message.ends_with("its rest transform is wrong"), "{}", finding.message);
        assert_eq!(find(&findings, FindingKind::WrongInverseBind), None);
    }

    #[test]
    fn wrong_inverse_bind_is_reported_if_child_bones_are_in_place() {
        let changes = [
            Mat4::from_translation(Vec3::Y * 0.5),
            Mat4::from_rotation_z(std::f32::consts::FRAC_PI_2),
        ];
        for change in changes {
            let mut model = arm();
            let bind = &mut inverse_bind_mut(&mut model.meshes[MeshId(0)]).bone_from_mesh[1];
            *bind = change * *bind;
            let findings = findings_of_rules(&model, check);
            let finding = find(&findings, FindingKind::WrongInverseBind).unwrap();
            assert_eq!((finding.place, finding.count), (Place::Bone(1), 1));
            assert!(
                finding.message.contains("the inverse bind matrix of bone 1 "),
                "{}",
                finding.message
            );
            assert_eq!(find(&findings, FindingKind::DislocatedJoint), None);
        }
    }

    #[test]
    fn dislocated_joint_is_an_info_if_all_clips_restore_it() {
        let still = |at: Vec3| linear([(0.0, at), (1.0, at)]);
        let moved = |model: &Model, at: Vec3| {
            let clip = ModelBuilder::new().clip("wave", 1.0).translation(1, still(at)).into_clip();
            Model { clips: vec![clip].into(), ..model.clone() }
        };
        let model = set_rest(1, |rest| rest.translation.y += 0.5);
        let findings = findings_of_rules(&moved(&model, Vec3::X), check);
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!(finding.kind, FindingKind::RestNotBindPose);
        assert!(finding.message.ends_with("all clips restore the joints"), "{}", finding.message);
        let findings = findings_of_rules(&moved(&model, Vec3::new(1.0, 0.25, 0.0)), check);
        let finding = find(&findings, FindingKind::DislocatedJoint).unwrap();
        let end =
            "the largest distance in clips is 25 cm, of bone 1 \"forearm\" at 0 s of clip \"wave\"";
        assert!(finding.message.ends_with(end), "{}", finding.message);
    }

    #[test]
    fn shrunken_bone_is_reported_with_its_scale() {
        let model = set_rest(HAND, |rest| rest.scale = Vec3::splat(0.01));
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::BentRestPose).unwrap();
        let start = "bone 2 \"hand\" scales its vertices by 0.01 compared to the bind pose";
        assert!(finding.message.starts_with(start), "{}", finding.message);
    }

    #[test]
    fn detached_part_bound_elsewhere_is_only_an_info() {
        // A sword of one triangle on the hand, bound at the origin and held at rest.
        let model = arm_with(|mesh| {
            let streams = streams_mut(mesh);
            let first = u32::try_from(streams.positions.len()).unwrap();
            streams.positions.extend([Vec3::ZERO, Vec3::X * 0.2, Vec3::Y * 0.2]);
            (vec![first, first + 1, first + 2], vec![[(3, 1.0)]; 3])
        });
        assert_eq!(codes(&model), ["rest-not-bind-pose"]);
    }
}
