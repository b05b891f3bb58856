//! Compares the end of a clip with its beginning, as seen in a loop.
//!
//! Measures one point per bone: the gap between the last and the first key, the angle between them and the
//! change of velocity. A clip whose gap is small relative to its motion is assumed to be a loop. It is open
//! if that gap is still visible and larger than the neighbouring steps: many loops omit the last key because
//! it equals the first, and then the gap is just one more step.

use std::collections::HashMap;

use glam::{Affine3A, Quat, Vec3};

use super::bone_centers::BoneCenters;
use super::{is_bind_pair, of_clips};
use crate::model::{
    BoneId, Cancelled, ClipId, FindingKind, Model, Place, Report, as_u32, findings, numbers,
};
use crate::pose::{InPlace, Sampling, sample};
use crate::validate::moments::{ClipMoment, Moments, Posed};
use crate::validate::worst::{DefaultPose, Worst, length_text};

findings! {
    pub(super) FINDINGS:
    LoopGap, "loop-gap", Info, Animation,
        "the last key of a clip differs from the first",
        "the clip jumps when it loops; none if it is played once",
        "no action needed for clips that are played once",
        "clip \"walk\" doesn't loop seamlessly: hand_l ends 1.4 cm (0.78 % of the model's size) and 0.53° from where it began at clips[0]";
    OpenLoop, "open-loop", Warning, Animation,
        "a clip returns nearly but not exactly to its first key",
        "a visible jerk each time the clip loops",
        "copy the first key to the end of the clip",
        "clip \"walk\" doesn't loop seamlessly: hand_l ends 12.4 cm (6.9 % of the model's size) and 14.2° from where it began at clips[0]";
}

/// Gaps below this fraction of the size aren't visible: a pixel or two if the model fills the screen.
const VISIBLE: f32 = 2e-3;
/// A clip returns to its beginning if its largest gap is below this fraction of its largest motion, and its
/// largest angle below this fraction of its largest rotation. For clips that end elsewhere (a jump, a turn, a
/// walk that travels, a trigger that comes to rest), at least one of the two is considerably larger.
const LOOPS: f32 = 0.1;
/// A gap of up to this many neighbouring steps counts as a step, because speed is rarely even.
const STEPS: f32 = 2.0;

/// The seam at one bone.
#[derive(Clone, Copy, Debug)]
struct Seam {
    clip: ClipId,
    probe: usize,
    /// File units.
    gap: f32,
    angle_rad: f32,
}

/// The difference between the end and the beginning of a clip at one bone, in display units (metres if the
/// file states its unit).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneSeam {
    pub bone: BoneId,
    /// Distance between the centres of its vertices in the first and the last key.
    pub gap: f32,
    /// Rotation from the first to the last key.
    pub angle_rad: f32,
    /// Change of velocity, display units per second.
    pub velocity: f32,
}

/// The seam of each bone of `clip`, the widest gap first; empty if a clip has too few moments. `in_place`
/// removes root motion, which isn't a gap.
#[must_use]
pub fn loop_seam(model: &Model, clip: ClipId, in_place: Option<InPlace>) -> Vec<BoneSeam> {
    let Some(info) = model.clips.get(clip) else { return Vec::new() };
    if is_bind_pair(&info.motion) {
        return Vec::new();
    }
    let probes = BoneCenters::of(model);
    let scale = model.axes.display_units_per_file_unit();
    let mut moments = Moments::of(model, Posed::Vertices).of_clip(clip.index(), info);
    let Some(ends) = Ends::of(model, &probes, &moments) else { return Vec::new() };
    // Bones without root motion must not be moved by removing it.
    let without_root = in_place.and_then(|_| {
        moments.iter_mut().for_each(|at| at.spec.in_place = in_place);
        Ends::of(model, &probes, &moments)
    });
    let mut seams: Vec<BoneSeam> = Vec::new();
    let mut place_of = HashMap::new();
    for (number, probe) in probes.list.iter().enumerate() {
        let of = |ends: &Ends| (ends.gap(number) * scale, ends.velocity(number) * scale);
        let (mut gap, mut velocity) = of(&ends);
        if let Some((less, other)) = without_root.as_ref().map(of)
            && less < gap
        {
            (gap, velocity) = (less, other);
        }
        let seam = BoneSeam { bone: probe.bone, gap, angle_rad: ends.angle_rad(number), velocity };
        // A bone of several meshes is reported once, with its worst probe.
        let place = *place_of.entry(probe.bone).or_insert(seams.len());
        match seams.get_mut(place) {
            Some(known) if known.gap >= gap => {}
            Some(known) => *known = seam,
            None => seams.push(seam),
        }
    }
    seams.sort_by(|a, b| b.gap.total_cmp(&a.gap));
    seams
}

/// All probes at the first and last moment, and one step inside.
struct Ends {
    begin: Vec<Affine3A>,
    end: Vec<Affine3A>,
    begin_places: Vec<Vec3>,
    end_places: Vec<Vec3>,
    step_begin: Vec<Vec3>,
    step_end: Vec<Vec3>,
    step_begin_secs: f64,
    step_end_secs: f64,
}

impl Ends {
    /// `None` if there are too few moments.
    fn of(model: &Model, probes: &BoneCenters, moments: &[ClipMoment]) -> Option<Self> {
        let (first, last) = (moments.first()?, moments.last()?);
        // Two or three keys aren't enough: each is as far from the next as from the first.
        if moments.len() < 4 {
            return None;
        }
        let (after, before) = neighbours(first, last, moments)?;
        let matrices = |at: &ClipMoment| probes.matrices(model, &sample(model, &at.spec));
        let places = |at: &ClipMoment| probes.places(model, &sample(model, &at.spec));
        let (begin_places, end_places) = (places(first), places(last));
        let step = |from: &[Vec3], to: &[Vec3]| -> Vec<Vec3> {
            from.iter().zip(to).map(|(from, to)| to - from).collect()
        };
        Some(Self {
            begin: matrices(first),
            end: matrices(last),
            step_begin: step(&begin_places, &places(&after)),
            step_end: step(&places(&before), &end_places),
            begin_places,
            end_places,
            step_begin_secs: after.time_secs - first.time_secs,
            step_end_secs: last.time_secs - before.time_secs,
        })
    }

    /// Whether the clip moves and rotates far more than its `gap` and the angles at its ends.
    fn returns(
        &self,
        gap: f32,
        model: &Model,
        probes: &BoneCenters,
        moments: &[ClipMoment],
    ) -> bool {
        let angles = (0..self.begin.len()).map(|probe| self.angle_rad(probe));
        let largest_rad = angles.fold(0.0, f32::max);
        let begin: Vec<Quat> = self.begin.iter().map(rotation).collect();
        let (mut motion, mut least_dot) = (0.0f32, 1.0f32);
        moments.iter().any(|at| {
            let now = probes.matrices(model, &sample(model, &at.spec));
            let begin = begin.iter().zip(&self.begin_places);
            for ((now, (turn, place)), probe) in now.iter().zip(begin).zip(&probes.list) {
                motion = motion.max(now.transform_point3(probe.point).distance(*place));
                least_dot = least_dot.min(turn.dot(rotation(now)).abs());
            }
            // Both can only increase.
            gap < LOOPS * motion && largest_rad <= LOOPS * angle_of(least_dot)
        })
    }

    fn gap(&self, probe: usize) -> f32 {
        self.begin_places[probe].distance(self.end_places[probe])
    }

    fn angle_rad(&self, probe: usize) -> f32 {
        angle_between(&self.begin[probe], &self.end[probe])
    }

    fn step(&self, probe: usize) -> f32 {
        let begin = self.step_begin[probe].length();
        begin.max(self.step_end[probe].length())
    }

    fn velocity(&self, probe: usize) -> f32 {
        let change = velocity(self.step_end[probe], self.step_end_secs)
            - velocity(self.step_begin[probe], self.step_begin_secs);
        change.length()
    }
}

/// Reports [`FindingKind::OpenLoop`] and [`FindingKind::LoopGap`].
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let (probes, shown) = (BoneCenters::of(model), DefaultPose::of(model));
    let moments = Moments::of(model, Posed::Vertices);
    let found = of_clips(model, report, 0.5, |index, clip| {
        // Which key is the last one isn't certain.
        if !clip.unsorted_curves.is_empty() {
            return Ok(None);
        }
        let moments = moments.of_clip(index, clip);
        Ok(seam(model, &probes, ClipId::from_index(index), &moments, VISIBLE * shown.extent))
    })?;
    let (mut open, mut gaps) = (Worst::default(), Worst::default());
    for (seam, is_open) in found.into_iter().flatten() {
        let list = if is_open { &mut open } else { &mut gaps };
        list.add(seam.gap, seam);
    }
    for (kind, found) in [(FindingKind::OpenLoop, open), (FindingKind::LoopGap, gaps)] {
        let Some((_, seam)) = found.worst else { continue };
        let place = Place::Clip(as_u32(seam.clip.index()));
        report.add_many(kind, place, found.count, || text(model, &probes, &seam, &shown));
    }
    Ok(())
}

/// The clips that return nearly but not exactly to their first key, as the rule `open-loop` reports them.
pub(crate) fn open_loops(model: &Model) -> Vec<usize> {
    let (probes, shown) = (BoneCenters::of(model), DefaultPose::of(model));
    let moments = Moments::of(model, Posed::Vertices);
    let is_open = |(index, clip): &(usize, &crate::model::Clip)| {
        let moments = moments.of_clip(*index, clip);
        let seam =
            seam(model, &probes, ClipId::from_index(*index), &moments, VISIBLE * shown.extent);
        !is_bind_pair(&clip.motion) && seam.is_some_and(|(_, is_open)| is_open)
    };
    model.clips.iter().enumerate().filter(is_open).map(|(index, _)| index).collect()
}

fn text(model: &Model, probes: &BoneCenters, seam: &Seam, shown: &DefaultPose) -> String {
    let bone = probes.list.get(seam.probe).map(|probe| probe.bone);
    let name = bone.map(|bone| model.skeleton.display_name(bone)).unwrap_or_default();
    let clip = &*model.clips[seam.clip].name;
    format!(
        "clip {clip:?} doesn't loop seamlessly: {name} ends {} ({} of the model's size) and {} from where \
         it began",
        length_text(model, seam.gap),
        numbers::percent(seam.gap / shown.extent.max(f32::MIN_POSITIVE)),
        numbers::degrees(seam.angle_rad.to_degrees()),
    )
}

/// The seam at the worst bone, and whether the clip is a loop that doesn't close; `None` if there are too few
/// moments or the gap is at most `unseen`.
fn seam(
    model: &Model,
    probes: &BoneCenters,
    clip: ClipId,
    moments: &[ClipMoment],
    unseen: f32,
) -> Option<(Seam, bool)> {
    let ends = Ends::of(model, probes, moments)?;
    let mut worst = Worst::default();
    for probe in 0..ends.begin_places.len() {
        worst.add(ends.gap(probe), probe);
    }
    let (gap, probe) = worst.worst.filter(|(gap, _)| *gap > unseen)?;
    let seam = Seam { clip, probe, gap, angle_rad: ends.angle_rad(probe) };
    let is_open = gap > STEPS * ends.step(probe) && ends.returns(gap, model, probes, moments);
    Some((seam, is_open))
}

/// The moments one step after the first and one step before the last: the neighbouring key, or without keys
/// the neighbouring examined moment.
fn neighbours(
    first: &ClipMoment,
    last: &ClipMoment,
    moments: &[ClipMoment],
) -> Option<(ClipMoment, ClipMoment)> {
    let (mut after, mut before) = (*moments.get(1)?, *moments.get(moments.len() - 2)?);
    if let (Some(first_key), Some(last_key), Some(at)) = (first.key, last.key, after.key) {
        let step_secs = (after.time_secs - first.time_secs) / f64::from(at - first_key).max(1.0);
        let keyed = |key: u32, time_secs: f64| ClipMoment {
            spec: crate::pose::PoseSpec {
                moment: crate::pose::Moment::Key(key),
                sampling: Sampling::Step,
                ..first.spec
            },
            time_secs,
            key: Some(key),
        };
        after = keyed(first_key + 1, first.time_secs + step_secs);
        before = keyed(last_key.saturating_sub(1), last.time_secs - step_secs);
    }
    Some((after, before))
}

fn velocity(step: Vec3, secs: f64) -> Vec3 {
    #[expect(clippy::cast_possible_truncation, reason = "a duration needs no 53 bits")]
    let secs = secs as f32;
    if secs > 0.0 { step / secs } else { Vec3::ZERO }
}

/// The angle of the rotation from one matrix to the other, ignoring scale.
fn angle_between(a: &Affine3A, b: &Affine3A) -> f32 {
    angle_of(rotation(a).dot(rotation(b)))
}

/// The angle between two rotations with this dot product, whose sign doesn't matter.
fn angle_of(dot: f32) -> f32 {
    2.0 * dot.abs().min(1.0).acos()
}

/// The rotation of a matrix, without scale; the identity if it flattens.
fn rotation(matrix: &Affine3A) -> Quat {
    let is_flat = matrix.matrix3.determinant().abs() < f32::MIN_POSITIVE;
    let (_, rotation, _) = matrix.to_scale_rotation_translation();
    if is_flat || !rotation.is_finite() { Quat::IDENTITY } else { rotation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::{bending, bent, found, is_silent, the, with_keys};

    /// A swing of 32 steps that ends `off_rad` from where it began.
    fn swing(off_rad: f32) -> Model {
        let angle = |key: u8| (f32::from(key) / 32.0 * std::f32::consts::TAU).cos();
        let mut keys: Vec<_> = (0..=32).map(|key| bent(angle(key), 0.0)).collect();
        let held = *keys.last().unwrap();
        keys.push(held);
        keys.push([Affine3A::from_rotation_z(off_rad) * held[0], held[1]]);
        let last = *keys.last().unwrap();
        keys.push(last);
        with_keys(&keys)
    }

    #[test]
    fn loop_that_nearly_closes_is_reported_as_open() {
        let finding = the(&swing(0.1), FindingKind::OpenLoop);
        assert_eq!(finding.place, Place::Clip(0));
        assert!(finding.message.contains("upper ends"), "{}", finding.message);
        assert!(finding.message.contains("5.7°"), "{}", finding.message);
        assert!(is_silent(&swing(0.0), FindingKind::OpenLoop));
        assert!(is_silent(&swing(0.0), FindingKind::LoopGap));
    }

    #[test]
    fn loop_seams_of_bones_are_sorted_by_gap() {
        let seams = loop_seam(&swing(0.1), ClipId(0), None);
        assert_eq!(seams.len(), 2);
        assert!(seams[0].gap >= seams[1].gap && seams[1].gap > 0.0);
        for seam in &seams {
            assert!((seam.angle_rad - 0.1).abs() < 1e-3, "{seam:?}");
        }
        assert!(loop_seam(&swing(0.0), ClipId(0), None).iter().all(|s| s.gap < 1e-6));
        assert!(loop_seam(&swing(0.1), ClipId(9), None).is_empty());
    }

    #[test]
    fn loop_without_its_last_key_is_not_reported() {
        let angle = |key: u8| (0.3 + f32::from(key) / 32.0 * std::f32::consts::TAU).sin();
        let keys: Vec<_> = (0..32).map(|key| bent(angle(key), 0.0)).collect();
        assert!(is_silent(&with_keys(&keys), FindingKind::OpenLoop));
    }

    #[test]
    fn clip_that_is_not_a_loop_only_reports_its_gap() {
        let keys: Vec<_> = (0..8).map(|key| bent(0.1 * key as f32, 0.0)).collect();
        let model = with_keys(&keys);
        assert!(is_silent(&model, FindingKind::OpenLoop));
        assert_eq!(the(&model, FindingKind::LoopGap).count, 1);
        let seams = [FindingKind::OpenLoop, FindingKind::LoopGap];
        assert!(found(&bending()).iter().all(|finding| !seams.contains(&finding.kind)));
    }
}
