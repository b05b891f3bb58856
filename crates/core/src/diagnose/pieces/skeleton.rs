//! Bones, inverse bind matrices, and the animation of bones.

use glam::{Mat4, Vec3};

use super::{Differing, Pairing, Piece};
use crate::diagnose::edit::map_binds;
use crate::diagnose::evidence::keys::{angle_deg, key_secs};
use crate::diagnose::hypotheses::reference_binds;
use crate::diagnose::posed::reference_moment;
use crate::diagnose::specimen::skin_of;
use crate::model::{
    Aabb, BoneId, ClipId, IdVec, LocalTransform, Model, Motion, Skeleton, Trs, numbered, numbers,
    spread,
};
use crate::pose::{PoseSpec, sample};

pub(super) const ALL: &[&Piece] = &[&REST_POSE, &INVERSE_BINDS, &KEYS];

const REST_POSE: Piece = Piece {
    name: "rest-pose",
    meaning: "rest transforms",
    item: "bone",
    differing: |pairing, model| {
        let mut out = Differing::default();
        let size = skeleton_size(&pairing.reference.model);
        for (bone, of) in pairing.reference.bones.iter_enumerated() {
            let theirs = of.and_then(|of| pairing.reference.model.skeleton.bones().get(of));
            let (Some(own), Some(theirs)) = (model.skeleton.bones().get(bone), theirs) else {
                continue;
            };
            let apart =
                LocalDifference::of(own.rest_local.to_trs(), theirs.rest_local.to_trs(), size);
            out.add(apart.most(), 1.0, || {
                format!("{} of {}", apart.text(), model.skeleton.display_name(bone))
            });
        }
        out
    },
    take: |pairing, model| {
        let mut bones = model.skeleton.bones().to_vec();
        for (bone, of) in pairing.reference.bones.iter_enumerated() {
            let theirs = of.and_then(|of| pairing.reference.model.skeleton.bones().get(of));
            if let (Some(own), Some(theirs)) = (bones.get_mut(bone.index()), theirs) {
                own.rest_local = LocalTransform::Trs(theirs.rest_local.to_trs());
            }
        }
        // This always succeeds, because the parents don't change.
        if let Ok(skeleton) = Skeleton::new(bones, model.skeleton.has_hierarchy()) {
            model.skeleton = skeleton;
        }
    },
};

const INVERSE_BINDS: Piece = Piece {
    name: "inverse-binds",
    meaning: "inverse bind matrices",
    item: "joint",
    differing: |pairing, model| {
        const OF_SIZE: f64 = 1e-3;
        let mut out = Differing::default();
        for (mesh, other, _) in pairing.meshes() {
            let own = &model.meshes[mesh];
            let (Some(skin), Some(theirs)) = (skin_of(own), reference_binds(pairing.case, mesh))
            else {
                continue;
            };
            let positions = other.streams().map(|own| &own.positions[..]).unwrap_or_default();
            let bounds = Aabb::from_points(positions.iter().copied());
            for (bone, matrix) in skin.bones.iter().zip(&skin.bone_from_mesh) {
                let Some(theirs) = theirs.get(bone) else { continue };
                let scale = f64::from(theirs.determinant().abs().cbrt());
                let size = f64::from(bounds.extent()) * scale.max(f64::MIN_POSITIVE);
                let corner = |matrix: &Mat4, corner: Vec3| *matrix * corner.extend(1.0);
                let apart =
                    bounds.corners().map(|at| corner(matrix, at).distance(corner(theirs, at)));
                let most = apart.into_iter().fold(0.0, f32::max);
                out.add(f64::from(most) / size, OF_SIZE, || {
                    let share = numbers::percent(f64::from(most) / size);
                    format!("{share} of the mesh's size for {}", model.skeleton.display_name(*bone))
                });
            }
        }
        out
    },
    take: |pairing, model| {
        for (mesh, ..) in pairing.meshes() {
            if let Some(theirs) = reference_binds(pairing.case, mesh) {
                map_binds(model, &[mesh], |bone, matrix| {
                    theirs.get(&bone).copied().unwrap_or(matrix)
                });
            }
        }
    },
};

/// The most moments of a clip at which bones are compared, in addition to those of wild keys.
const MAX_MOMENTS: usize = 64;

const KEYS: Piece = Piece {
    name: "keys",
    meaning: "keys",
    item: "bone",
    differing: |pairing, model| {
        let reference = pairing.reference;
        let size = skeleton_size(&reference.model);
        // The largest difference of each bone, with clip and time.
        let mut worst: IdVec<BoneId, Option<(LocalDifference, ClipId, f64)>> =
            reference.bones.iter().map(|_| None).collect();
        for &clip in &pairing.case.clips {
            if !reference.clips.contains_key(&clip) {
                continue;
            }
            for secs in moments(pairing, model, ClipId::from_index(clip)) {
                let spec = PoseSpec::linear(ClipId::from_index(clip), secs);
                let Some(of) = reference_moment(pairing.case, reference, &spec) else { continue };
                let [own, theirs] = [(model, &spec), (&reference.model, &of)]
                    .map(|(model, spec)| sample(model, spec).parent_from_bone);
                for (bone, of) in reference.bones.iter_enumerated() {
                    let theirs = of.and_then(|of| theirs.get(of));
                    let (Some(own), Some(theirs)) = (own.get(bone), theirs) else { continue };
                    let [own, theirs] = [own, theirs].map(|own| Trs::from_affine(*own));
                    let apart = LocalDifference::of(own, theirs, size);
                    let slot = &mut worst[bone];
                    if slot.as_ref().is_none_or(|(most, ..)| apart.most() > most.most()) {
                        *slot = Some((apart, ClipId::from_index(clip), secs));
                    }
                }
            }
        }
        let mut out = Differing::default();
        for (bone, own) in worst.iter_enumerated() {
            let Some((apart, clip, secs)) = own else { continue };
            out.add(apart.most(), 1.0, || {
                let (bone, name) = (model.skeleton.display_name(bone), &model.clips[*clip].name);
                let clip = numbered("clip", clip.index(), name);
                format!("{} of {bone} at {} of {clip}", apart.text(), numbers::seconds(*secs))
            });
        }
        out
    },
    take: |pairing, model| {
        let reference = pairing.reference;
        for (own, of) in &reference.clips {
            let other = &reference.model.clips[ClipId::from_index(*of)];
            let clip = &mut model.clips[ClipId::from_index(*own)];
            let (Motion::Tracks(tracks), Motion::Tracks(theirs)) =
                (&mut clip.motion, &other.motion)
            else {
                continue;
            };
            let matched: Vec<(BoneId, BoneId)> = reference
                .bones
                .iter_enumerated()
                .filter_map(|(bone, of)| Some((bone, (*of)?)))
                .collect();
            tracks.retain(|track| !matched.iter().any(|(bone, _)| *bone == track.bone));
            for (bone, of) in matched {
                let found = theirs.iter().find(|track| track.bone == of);
                tracks.extend(found.map(|track| crate::model::BoneTrack { bone, ..track.clone() }));
            }
            (clip.start_secs, clip.duration_secs) = (other.start_secs, other.duration_secs);
        }
    },
};

/// The times of a clip at which bones are compared: spread over all key times, and those of wild keys.
fn moments(pairing: &Pairing<'_>, model: &Model, clip: ClipId) -> Vec<f64> {
    let Motion::Tracks(tracks) = &model.clips[clip].motion else { return Vec::new() };
    let mut all: Vec<f64> = tracks.iter().flat_map(|own| own.times().flatten().copied()).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let mut some: Vec<f64> = spread(all.len(), MAX_MOMENTS).map(|at| all[at]).collect();
    let spikes = pairing.case.spikes().iter().filter(|key| key.clip == clip);
    some.extend(spikes.filter_map(|key| key_secs(model, key)));
    some
}

/// The size of the skeleton at rest.
fn skeleton_size(model: &Model) -> f32 {
    let bones =
        sample(model, &PoseSpec { moment: crate::pose::Moment::Rest, ..PoseSpec::default() });
    let at = bones.model_from_bone.iter().map(|bone| bone.translation.into());
    Aabb::from_points(at).extent().max(f32::MIN_POSITIVE)
}

/// The difference between two local transforms, each part divided by the least that counts.
#[derive(Clone, Copy)]
struct LocalDifference {
    angle_deg: f64,
    /// A fraction of the skeleton's size.
    moved: f64,
    scaled: f64,
}

impl LocalDifference {
    const LEAST_DEG: f64 = 0.5;
    const LEAST_OF_SIZE: f64 = 1e-3;
    const LEAST_SCALE: f64 = 5e-3;

    fn of(own: Trs, theirs: Trs, size: f32) -> Self {
        Self {
            angle_deg: angle_deg(own.rotation, theirs.rotation),
            moved: f64::from(own.translation.distance(theirs.translation) / size),
            scaled: f64::from((own.scale - theirs.scale).abs().max_element()),
        }
    }

    fn parts(&self) -> [f64; 3] {
        [
            self.angle_deg / Self::LEAST_DEG,
            self.moved / Self::LEAST_OF_SIZE,
            self.scaled / Self::LEAST_SCALE,
        ]
    }

    fn most(&self) -> f64 {
        self.parts().into_iter().fold(0.0, f64::max)
    }

    /// The part that differs most.
    fn text(&self) -> String {
        let [angle, moved, scaled] = self.parts();
        if angle >= moved && angle >= scaled {
            numbers::degrees(self.angle_deg)
        } else if moved >= scaled {
            format!("{} of the skeleton's size", numbers::percent(self.moved))
        } else {
            format!("a scale of {}", numbers::significant(1.0 + self.scaled, 3))
        }
    }
}
