//! Finds tracks that begin after their clip or end before it.
//!
//! glTF holds the first value before the first key and the last one after the last. Some engines show the
//! rest pose there instead, and the bone jumps. Exporters omit redundant keys, so all tracks of a model are
//! one finding.

use super::bone_reaches::BoneReaches;
use super::channels::{Channel, channels};
use super::keys::KeyRule;
use super::worst_place::WorstPlace;
use crate::model::{
    Clip, FindingKind, Model, Report, counted, findings, numbered, numbers, singular_or_plural,
};
use crate::validate::worst::length_text;

findings! {
    pub(super) FINDINGS:
    PartialTrack, "partial-track", Info, Animation,
        "a track begins after its clip or ends before it",
        "none; its first or last value is kept, and runtimes that show the rest pose there look the same",
        "no action needed; keys at both ends of the clip avoid the finding",
        "1 of 66 tracks of clip 0 \"run\" doesn't span the clip: the last key of the rotation of bone 6 \"hand_l\" is at 0.6 s, but the clip ends at 0.667 s";
    PartialTrackJumps, "partial-track-jumps", Warning, Animation,
        "a track begins after its clip or ends before it, with a value other than in the rest pose",
        "the first or last value is kept here, as in glTF; in runtimes that show the rest pose there, the bone or morph target jumps",
        "set keys at both ends of the clip (Blender glTF: Sampling Animations; FBX: Force Start/End Keying), or run `rigscope convert IN -o OUT.glb --rate 30`",
        "1 of 66 tracks of clip 0 \"run\" doesn't span the clip: the last key …; runtimes that show the rest pose after that key jump by 41 cm";
}

/// Differences of up to one and a half frames at 30 per second come from rounding and different frame rates …
const MIN_SECS: f64 = 0.05;
/// … and so does this fraction of a clip.
const MIN_SHARE: f64 = 0.01;
/// A jump of less than this fraction of the model's size isn't visible.
const MIN_JUMP: f32 = 0.01;

/// A track may begin so much later or end so much earlier than a clip of this duration, seconds.
pub(crate) fn end_tolerance_secs(duration_secs: f64) -> f64 {
    MIN_SECS.max(MIN_SHARE * duration_secs)
}

/// Reports [`FindingKind::PartialTrack`] and [`FindingKind::PartialTrackJumps`], counted by track.
#[derive(Default)]
struct PartialTracks {
    quiet: WorstPlace,
    jumping: WorstPlace,
}

pub(super) fn new() -> Box<dyn KeyRule> {
    Box::<PartialTracks>::default()
}

impl KeyRule for PartialTracks {
    fn look_at_curves(&mut self, model: &Model, reaches: &BoneReaches, index: usize, clip: &Clip) {
        let tracks: Vec<Channel<'_>> = channels(index, clip).collect();
        let parts: Vec<TrackGap<'_>> =
            tracks.iter().filter_map(|track| TrackGap::of(model, reaches, clip, track)).collect();
        let jumps = |part: &TrackGap<'_>| part.jump >= MIN_JUMP * reaches.size && part.jump > 0.0;
        let num = parts.iter().filter(|part| jumps(part)).count();
        for part in &parts {
            let found = if jumps(part) { &mut self.jumping } else { &mut self.quiet };
            let num = if jumps(part) { num } else { parts.len() - num };
            let (place, is_late) = (part.track.place(model, part.time_secs), part.is_late);
            found.add(part.jump, place, || {
                let clip_text = numbered("clip", index, &clip.name);
                let tracks = format!("{num} of {}", counted(tracks.len() as u64, "track"));
                let property = part.track.property_text(model);
                let end_secs = clip.start_secs + clip.duration_secs;
                let begin = || format!("begins at {}", numbers::seconds(clip.start_secs));
                let end = || format!("ends at {}", numbers::seconds(end_secs));
                let span = singular_or_plural(num as u64, "doesn't", "don't");
                let (key, limit, side) =
                    if is_late { ("first", begin(), "before") } else { ("last", end(), "after") };
                let jump = if jumps(part) {
                    let by = length_text(model, part.jump);
                    format!("; runtimes that show the rest pose {side} that key jump by {by}")
                } else {
                    String::new()
                };
                format!(
                    "{tracks} of {clip_text} {span} span the clip: the {key} key of the {property} is at {}, \
                     but the clip {limit}{jump}",
                    numbers::seconds(part.time_secs)
                )
            });
        }
    }

    fn report(self: Box<Self>, report: &Report) {
        self.quiet.report(FindingKind::PartialTrack, report);
        self.jumping.report(FindingKind::PartialTrackJumps, report);
    }
}

/// A track that doesn't span its clip, at the end with the larger jump.
struct TrackGap<'a> {
    track: &'a Channel<'a>,
    /// Time of its first or last key.
    time_secs: f64,
    is_late: bool,
    /// Distance from the rest pose to that key, file units.
    jump: f32,
}

impl<'a> TrackGap<'a> {
    /// `None` for tracks that span the clip, and for constant ones.
    fn of(
        model: &Model,
        reaches: &BoneReaches,
        clip: &Clip,
        track: &'a Channel<'a>,
    ) -> Option<Self> {
        let times = track.times_secs();
        let (&first, &last) = (times.first()?, times.last()?);
        let least = end_tolerance_secs(clip.duration_secs);
        let late = first - clip.start_secs > least;
        let early = clip.start_secs + clip.duration_secs - last > least;
        if times.len() < 2 || !(late || early) || !track.varies() {
            return None;
        }
        let begins = || (track.distance_from_rest(model, reaches, 0), first, true);
        let ends = || (track.distance_from_rest(model, reaches, times.len() - 1), last, false);
        let sides = [late.then(begins), early.then(ends)].into_iter().flatten();
        let (jump, time_secs, is_late) = sides.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Self { track, time_secs, is_late, jump })
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::{ModelBuilder, linear, morph};
    use crate::model::{ClipId, MeshId, MorphTrack, Place};
    use crate::validate::fixtures::bar::{bar, is_silent, the};

    /// Both bones over two seconds, the upper one with these keys along X relative to its rest position.
    fn with_upper(keys: &[(f64, f32)]) -> Model {
        let lower = linear([(0.0, Vec3::ZERO), (2.0, Vec3::Z)]);
        let upper = linear(keys.iter().map(|&(at, x)| (at, Vec3::new(x, 1.0, 0.0))));
        let clip =
            ModelBuilder::new().clip("walk", 2.0).translation(0, lower).translation(1, upper);
        Model { clips: vec![clip.into_clip()].into(), ..bar() }
    }

    #[test]
    fn partial_track_that_jumps_in_other_engines_is_a_warning() {
        let finding = the(&with_upper(&[(0.5, 0.4), (2.0, 0.0)]), FindingKind::PartialTrackJumps);
        assert_eq!(
            (finding.place, finding.count),
            (Place::Moment { clip: 0, micros: 500_000, bone: Some(1) }, 1)
        );
        assert_eq!(
            finding.message,
            "1 of 2 tracks of clip 0 \"walk\" doesn't span the clip: the first key of the translation of bone 1 \"upper\" is at \
             0.5 s, but the clip begins at 0 s; runtimes that show the rest pose before that key jump by 0.4 units"
        );
        let finding = the(&with_upper(&[(0.0, 0.0), (1.0, 0.4)]), FindingKind::PartialTrackJumps);
        assert!(finding.message.contains("the last key"), "{}", finding.message);
        assert!(finding.message.contains("ends at 2 s"), "{}", finding.message);
    }

    #[test]
    fn partial_track_that_begins_at_rest_is_an_info() {
        let model = with_upper(&[(0.5, 0.0), (1.0, 0.4), (1.5, 0.0)]);
        assert_eq!(the(&model, FindingKind::PartialTrack).count, 1);
        assert!(is_silent(&model, FindingKind::PartialTrackJumps));
    }

    #[test]
    fn a_late_morph_track_is_reported_like_that_of_a_bone() {
        for (weights, kind, words) in [
            (
                [0.5, 0.0],
                FindingKind::PartialTrackJumps,
                "; runtimes that show the rest pose before",
            ),
            ([0.0, 0.5], FindingKind::PartialTrack, "the clip begins at 0 s"),
        ] {
            let mut model = with_upper(&[(0.0, 0.0), (2.0, 0.4)]);
            model.meshes[MeshId(0)].morph_targets = vec![morph("smile", &[(0, Vec3::X)])];
            let weights = linear([(0.5, weights[0]), (2.0, weights[1])]);
            let track = MorphTrack { mesh: MeshId(0), target: 0, weights };
            model.clips[ClipId(0)].morph_tracks = vec![track];
            let finding = the(&model, kind);
            assert_eq!(finding.place, Place::Moment { clip: 0, micros: 500_000, bone: None });
            let subject = "1 of 3 tracks of clip 0 \"walk\" doesn't span the clip: the first key of the weight of \
                           morph target 0 \"smile\" of mesh 0";
            let message = &finding.message;
            assert!(message.starts_with(subject) && message.contains(words), "{message}");
        }
    }

    #[test]
    fn tracks_that_span_the_clip_within_a_frame_are_not_reported() {
        for keys in [&[(0.0, 0.4), (2.0, 0.0)][..], &[(0.03, 0.4), (1.97, 0.0)], &[(1.0, 0.4)]] {
            let model = with_upper(keys);
            assert!(is_silent(&model, FindingKind::PartialTrack), "{keys:?}");
            assert!(is_silent(&model, FindingKind::PartialTrackJumps), "{keys:?}");
        }
    }
}
