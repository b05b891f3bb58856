//! Tracks that hold each key, as runtimes of stored matrices do.

use super::plain;
use crate::model::{BoneTrack, Clip, Interpolation, Model, Motion, Track};
use crate::pose::Sampling;

/// `model` in its [`plain`] form, with [`Interpolation::Step`] in all clips that their runtime plays in steps; at
/// `rate` if it is given, otherwise at the stored keys. Other clips are those of the plain form.
#[must_use]
pub fn with_step_keys(model: &Model, rate: Option<f64>) -> Model {
    let is_stepped: Vec<bool> = model.clips.iter().map(is_stepped).collect();
    let mut out = plain(model, None);
    step(&mut out, &is_stepped);
    if rate.is_some() {
        out = plain(&out, rate);
        step(&mut out, &is_stepped);
    }
    out
}

fn is_stepped(clip: &Clip) -> bool {
    matches!(clip.motion, Motion::Sampled(_)) && Sampling::Runtime.in_clip(clip) == Sampling::Step
}

fn step(model: &mut Model, is_stepped: &[bool]) {
    let clips = model.clips.iter_mut().zip(is_stepped);
    for (clip, _) in clips.filter(|(_, is_stepped)| **is_stepped) {
        if let Motion::Tracks(tracks) = &mut clip.motion {
            tracks.iter_mut().for_each(hold);
        }
    }
}

fn hold(track: &mut BoneTrack) {
    fn set<T>(track: &mut Option<Track<T>>) {
        if let Some(track) = track {
            track.interpolation = Interpolation::Step;
        }
    }
    set(&mut track.translation);
    set(&mut track.rotation);
    set(&mut track.scale);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipId, Report};
    use crate::pack::{PackOptions, pack};
    use crate::pose::{PoseSpec, skin_model};
    use crate::reshape::fixture::bent_strip;

    #[test]
    fn stepped_tracks_pose_like_the_stored_matrices_between_keys() {
        let mut packing = pack(&bent_strip(), &PackOptions::default(), &Report::new()).unwrap();
        let packed = packing.parts.remove(0).model;
        let num_keys = packed.clips[ClipId(0)].as_sampled().unwrap().keys.num_keys();
        for rate in [None, Some(240.0)] {
            let stepped = with_step_keys(&packed, rate);
            for key in 0..num_keys - 1 {
                let secs = packed.clips[ClipId(0)].as_sampled().unwrap().key_secs(key) + 0.02;
                let pose = |model| skin_model(model, &PoseSpec::at_secs(ClipId(0), secs));
                let (stored, tracks) = (pose(&packed), pose(&stepped));
                for (a, b) in stored[0].positions.iter().zip(&tracks[0].positions) {
                    assert!(a.distance(*b) < 1e-5, "{a} {b} at {secs} s");
                }
            }
        }
    }

    #[test]
    fn authored_tracks_keep_their_interpolation() {
        let source = bent_strip();
        assert_eq!(with_step_keys(&source, None).clips, source.clips);
    }
}
