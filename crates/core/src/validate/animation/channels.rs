//! The curves of clips, with their targets and names for messages.
//!
//! Not for: sampled matrices and live curves, which have no keys per property ([`super::series`]).

use glam::{Quat, Vec3};

use super::bone_reaches::BoneReaches;
use crate::model::{
    AnimatedProperty, BoneId, BoneTrack, Clip, ClipId, CurveAt, MeshId, Model, MorphTrack, Motion,
    Place, Track, TrackValue, Trs, as_u32, numbered,
};
use crate::validate::worst::{bone_text, length_text, three_digits};

/// A curve of one property.
#[derive(Clone, Copy)]
pub(super) struct Channel<'a> {
    /// Index in [`Model::clips`].
    pub(super) clip: ClipId,
    pub(super) target: Target,
    pub(super) curve: Curve<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    Bone(BoneId),
    Morph { mesh: MeshId, target: usize },
}

#[derive(Clone, Copy)]
pub(super) enum Curve<'a> {
    Translation(&'a Track<Vec3>),
    Rotation(&'a Track<Quat>),
    Scale(&'a Track<Vec3>),
    Weight(&'a Track<f32>),
}

/// Evaluates an expression with the track of a curve, for any value type.
macro_rules! with_track {
    ($curve:expr, $track:ident => $value:expr) => {
        match $curve {
            Curve::Translation($track) | Curve::Scale($track) => $value,
            Curve::Rotation($track) => $value,
            Curve::Weight($track) => $value,
        }
    };
}
pub(super) use with_track;

/// The curves of the clip with this index whose keys are stored in the order of their times. What follows from unsorted
/// keys isn't another finding.
pub(super) fn channels(index: usize, clip: &Clip) -> impl Iterator<Item = Channel<'_>> {
    all_channels(index, clip).filter(|channel| !clip.unsorted_curves.contains(&channel.at()))
}

/// All curves of the clip with this index, for rules that examine each key by itself.
pub(super) fn all_channels(index: usize, clip: &Clip) -> impl Iterator<Item = Channel<'_>> {
    let tracks: &[BoneTrack] = match &clip.motion {
        Motion::Tracks(tracks) => tracks,
        _ => &[],
    };
    let of_bones = tracks.iter().flat_map(move |track| {
        let curves = [
            track.translation.as_ref().map(Curve::Translation),
            track.rotation.as_ref().map(Curve::Rotation),
            track.scale.as_ref().map(Curve::Scale),
        ];
        let target = Target::Bone(track.bone);
        curves.into_iter().flatten().map(move |curve| Channel {
            clip: ClipId::from_index(index),
            target,
            curve,
        })
    });
    let of_morphs = clip.morph_tracks.iter().map(move |track: &MorphTrack| Channel {
        clip: ClipId::from_index(index),
        target: Target::Morph { mesh: track.mesh, target: track.target },
        curve: Curve::Weight(&track.weights),
    });
    of_bones.chain(of_morphs)
}

impl Channel<'_> {
    pub(super) fn at(&self) -> CurveAt {
        let property = match self.curve {
            Curve::Translation(_) => AnimatedProperty::Translation,
            Curve::Rotation(_) => AnimatedProperty::Rotation,
            Curve::Scale(_) => AnimatedProperty::Scale,
            Curve::Weight(_) => AnimatedProperty::Weight,
        };
        let (bone, morph) = match self.target {
            Target::Bone(bone) => (Some(bone), None),
            Target::Morph { mesh, target } => (None, Some((mesh, target))),
        };
        CurveAt { bone, morph, property }
    }

    pub(super) fn times_secs(&self) -> &[f64] {
        with_track!(self.curve, track => &track.times_secs)
    }

    /// Whether the value changes over time.
    pub(super) fn varies(&self) -> bool {
        with_track!(self.curve, track => track.varies())
    }

    /// The movement of the farthest vertex per unit of [`Apart::apart`], file units.
    pub(super) fn reach(&self, reaches: &BoneReaches) -> f32 {
        match (self.target, self.curve) {
            (Target::Bone(bone), Curve::Translation(_)) => reaches.of_bone(bone).per_unit,
            (Target::Bone(bone), _) => reaches.of_bone(bone).farthest,
            (Target::Morph { mesh, target }, _) => reaches.of_morph(mesh, target),
        }
    }

    /// The distance of the value of `key` from the value outside clips, times [`Self::reach`].
    pub(super) fn distance_from_rest(
        &self,
        model: &Model,
        reaches: &BoneReaches,
        key: usize,
    ) -> f32 {
        let rest = match self.target {
            Target::Bone(bone) => model.skeleton.bones()[bone].rest_local.to_trs(),
            Target::Morph { .. } => Trs::IDENTITY,
        };
        let apart = match self.curve {
            Curve::Translation(track) => {
                track.key_values().nth(key).map(|v| v.apart(rest.translation))
            }
            Curve::Rotation(track) => track.key_values().nth(key).map(|v| v.apart(rest.rotation)),
            Curve::Scale(track) => track.key_values().nth(key).map(|v| v.apart(rest.scale)),
            Curve::Weight(track) => {
                let default = self.morph(model).map_or(0.0, |target| target.default_weight);
                track.key_values().nth(key).map(|v| v.apart(default))
            }
        };
        apart.unwrap_or(0.0) * self.reach(reaches)
    }

    fn morph<'m>(&self, model: &'m Model) -> Option<&'m crate::model::MorphTarget> {
        match self.target {
            Target::Morph { mesh, target } => model.mesh(mesh).morph_targets.get(target),
            Target::Bone(_) => None,
        }
    }

    /// `clip 0 "walk", rotation of bone 3 "hand"`.
    pub(super) fn subject(&self, model: &Model) -> String {
        let name = &*model.clips[self.clip].name;
        format!("{}, {}", numbered("clip", self.clip.index(), name), self.property_text(model))
    }

    /// `rotation of bone 3 "hand"`.
    pub(super) fn property_text(&self, model: &Model) -> String {
        let property = match self.curve {
            Curve::Translation(_) => "translation",
            Curve::Rotation(_) => "rotation",
            Curve::Scale(_) => "scale",
            Curve::Weight(_) => "weight",
        };
        match self.target {
            Target::Bone(bone) => format!("{property} of {}", bone_text(model, bone)),
            Target::Morph { mesh, target } => {
                let name = self.morph(model).map_or("", |morph| &morph.name);
                let morph = numbered("morph target", target, name);
                let name = &model.mesh(mesh).name;
                format!("{property} of {morph} of {}", numbered("mesh", mesh.index(), name))
            }
        }
    }

    /// The visible effect of a difference of values: `3.2 cm`, for rotations `12° (3.2 cm at the farthest
    /// vertex)`. `distance` is [`Apart::apart`] times `reach`.
    pub(super) fn distance_text(&self, model: &Model, distance: f32, reach: f32) -> String {
        let length = length_text(model, distance);
        match self.curve {
            Curve::Rotation(_) => {
                let half_chord = 0.5 * distance / reach.max(f32::MIN_POSITIVE);
                let angle_deg = (2.0 * half_chord.min(1.0).asin()).to_degrees();
                format!("{}° ({length} at the farthest vertex)", three_digits(angle_deg))
            }
            Curve::Translation(_) | Curve::Scale(_) | Curve::Weight(_) => length,
        }
    }

    /// The channel at a time.
    pub(super) fn place(&self, model: &Model, time_secs: f64) -> Place {
        let bone = match self.target {
            Target::Bone(bone) => Some(bone),
            Target::Morph { .. } => None,
        };
        place(model, self.clip.index(), time_secs, bone)
    }
}

/// A time on the clip's clock, and the bone.
pub(super) fn place(model: &Model, clip: usize, time_secs: f64, bone: Option<BoneId>) -> Place {
    let start_secs = model.clips[ClipId::from_index(clip)].start_secs;
    Place::moment(as_u32(clip), time_secs - start_secs, bone)
}

/// Values whose differences are measured.
pub(super) trait Apart: TrackValue {
    /// Length of the difference; for rotations, the movement of a point at distance 1 from the axis.
    fn apart(self, other: Self) -> f32;
}

impl Apart for f32 {
    fn apart(self, other: Self) -> f32 {
        (self - other).abs()
    }
}

impl Apart for Vec3 {
    fn apart(self, other: Self) -> f32 {
        self.distance(other)
    }
}

impl Apart for Quat {
    fn apart(self, other: Self) -> f32 {
        2.0 * (0.5 * angle_rad(self, other)).sin()
    }
}

/// The angle between two rotations of any length, 0 to pi.
pub(super) fn angle_rad(a: Quat, b: Quat) -> f32 {
    let (a, b) = (crate::model::unit(a, 0.0), crate::model::unit(b, 0.0));
    // The arc cosine of the dot product is imprecise near 1.
    let (sum, difference) = ((a + b).length(), (a - b).length());
    4.0 * f32::atan2(sum.min(difference), sum.max(difference))
}
