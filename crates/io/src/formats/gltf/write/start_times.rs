//! Clips whose start time can't be written.

use rigscope_core::model::{BoneTrack, Clip, Model, Motion};

/// Number of clips with a start time that will start at 0 instead, since key times can't be
/// negative.
pub(in super::super) fn num_moved_starts(model: &Model) -> u64 {
    let first_key_secs = |clip: &Clip| {
        let bones = match &clip.motion {
            Motion::Tracks(tracks) => &tracks[..],
            Motion::Sampled(_) | Motion::Curves(_) | Motion::VertexAnimation(_) => &[],
        };
        let bones = bones.iter().flat_map(BoneTrack::times);
        let firsts = bones.chain(clip.value_times()).filter_map(|times| times.first());
        firsts.copied().fold(clip.start_secs, f64::min)
    };
    let is_moved = |clip: &&Clip| {
        let is_cache = matches!(clip.motion, Motion::VertexAnimation(_));
        !is_cache && clip.start_secs != 0.0 && first_key_secs(clip) <= 0.0
    };
    model.clips.iter().filter(is_moved).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::gltf::GLTF;
    use crate::formats::loss_list::{observed, predicted};
    use crate::formats::losses::{Aspect, Counts};
    use crate::formats::{ReadOptions, Source, WriteOptions, open, write};
    use rigscope_testing::*;

    /// A clip whose first key is at `start_secs`.
    fn clip(start_secs: f64) -> Clip {
        let keys = linear([(start_secs, glam::Vec3::ZERO), (start_secs + 2.0, glam::Vec3::X)]);
        let clip = ModelBuilder::new().clip(&format!("from {start_secs}"), 2.0);
        Clip { start_secs, ..clip.translation(0, keys).into_clip() }
    }

    #[test]
    fn moved_start_times_are_predicted() {
        let mut model = ModelBuilder::new().chain(&[""]).build();
        model.clips = vec![clip(-1.0), clip(0.0), clip(0.5)].into();
        let options = WriteOptions::default();
        let before = Counts::of_model(&model);
        let foreseen = predicted(&model, &before, &GLTF, &options);
        let of_starts = foreseen.iter().find(|l| l.aspect == Aspect::StartTimes);
        assert_eq!(of_starts.map(|l| (l.before, l.after)), Some((2, 1)));
        let files = write(&model, &GLTF, &options, &Report::new()).unwrap();
        let source = Source::new("a.glb", files[0].bytes.clone());
        let opened = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
        assert_eq!(foreseen, observed(&before, &Counts::of_model(&opened.model)));
    }
}
