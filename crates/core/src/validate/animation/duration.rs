//! Finds clips with several keys and a duration of zero.

use crate::model::{
    BoneTrack, Cancelled, Clip, FindingKind, Model, Motion, Place, Report, as_u32, findings,
};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    ZeroDuration, "zero-duration", Warning, Animation,
        "the duration of a clip with several keys is 0",
        "runtimes show a single pose, or divide by 0 and lose the mesh",
        "write (keys - 1) x interval as the duration",
        "clip 0 has 31 keys, but no duration at clips[0]";
}

/// Reports [`FindingKind::ZeroDuration`].
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let mut found = Worst::default();
    for (index, clip) in model.clips.iter().enumerate() {
        let num_keys = num_keys(clip);
        if clip.duration_secs <= 0.0 && num_keys > 1 {
            found.add(num_keys as f32, (index, num_keys));
        }
    }
    if let Some((_, (index, num_keys))) = found.worst {
        let place = Place::Clip(as_u32(index));
        report.add_many(FindingKind::ZeroDuration, place, found.count, || {
            format!("clip {index} has {num_keys} keys, but no duration")
        });
    }
    Ok(())
}

/// The largest number of keys at different times in any part of a clip.
fn num_keys(clip: &Clip) -> usize {
    let distinct = |times: &[f64]| match (times.first(), times.last()) {
        (Some(first), Some(last)) if first == last => 1,
        _ => times.len(),
    };
    match &clip.motion {
        // A bind pair has no duration by design; keys 0 ns apart have their own finding.
        Motion::Sampled(motion) if motion.is_bind_pair || motion.interval_ns == 0 => 0,
        Motion::Sampled(motion) => motion.keys.num_keys(),
        Motion::Tracks(tracks) => {
            let times = tracks.iter().flat_map(BoneTrack::times);
            times.map(distinct).max().unwrap_or(0)
        }
        Motion::Curves(curves) => distinct(&curves.0.key_times_secs()),
        Motion::VertexAnimation(cache) => distinct(&cache.times_secs),
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::model::ClipId;
    use crate::validate::fixtures::bar::{bending, is_silent, the, with_rotations};

    #[test]
    fn several_keys_in_a_clip_of_zero_duration_are_reported() {
        let turning = with_rotations(vec![Quat::IDENTITY, Quat::from_rotation_z(0.1)]);
        for mut model in [bending(), turning] {
            assert!(is_silent(&model, FindingKind::ZeroDuration));
            model.clips[ClipId(0)].duration_secs = 0.0;
            let finding = the(&model, FindingKind::ZeroDuration);
            assert_eq!((finding.place, finding.count), (Place::Clip(0), 1));
        }
        let mut still = with_rotations(vec![Quat::IDENTITY]);
        still.clips[ClipId(0)].duration_secs = 0.0;
        assert!(is_silent(&still, FindingKind::ZeroDuration));
    }
}
