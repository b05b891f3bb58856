//! Compares the bounds stored for each frame of a clip (IQM) with the poses of those frames.

use rayon::prelude::*;

use super::WHAT;
use super::bounds::ROOM;
use crate::model::{
    Cancelled, Clip, ClipId, FindingKind, Model, Place, Report, as_u32, findings, numbered, numbers,
};
use crate::pose::{PoseSpec, skin_model};
use crate::validate::moments::{MAX_MOMENTS, Moments, Posed};
use crate::validate::worst::{DefaultPose, Worst, positions, spread};

findings! {
    pub(super) FINDINGS:
    FrameBoundsWrong, "frame-bounds-wrong", Warning, Collision,
        "the stored bounds of a frame don't contain its pose",
        "runtimes that cull by them make the model vanish in that frame while it is still on the screen",
        "compute the bounds of each frame from the posed vertices; `rigscope convert SOURCE -o OUT.iqm` does so",
        "in frame 12 of clip 0 \"walk\", vertices are up to 6.9 % of the model's size outside the stored bounds at clips[0]";
}

/// Reports frames with vertices outside the bounds stored for them; examines at most 64 frames per clip.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    if model.num_vertices() == 0 || model.clips.iter().all(|clip| clip.frame_bounds.is_empty()) {
        return Ok(());
    }
    let extent = DefaultPose::of(model).extent;
    let mut found = Worst::default();
    let moments = Moments::of(model, Posed::Vertices);
    for (index, clip) in model.clips.iter().enumerate() {
        report.progress(WHAT, 0.7)?;
        let most = moments.num(index, MAX_MOMENTS);
        let frames: Vec<usize> = spread(clip.frame_bounds.len(), most).collect();
        let outside = frames.par_iter().map(|frame| {
            report.progress(WHAT, 0.7)?;
            Ok(distance_outside(model, index, clip, *frame))
        });
        let outside: Vec<f32> = outside.collect::<Result<_, Cancelled>>()?;
        for (frame, out) in frames.iter().zip(outside) {
            if out > ROOM * extent {
                found.add(out, (index, *frame));
            }
        }
    }
    let Some((out, (clip, frame))) = found.worst else { return Ok(()) };
    report.add_many(FindingKind::FrameBoundsWrong, Place::Clip(as_u32(clip)), found.count, || {
        let name = numbered("clip", clip, &model.clips[ClipId::from_index(clip)].name);
        let percent = numbers::up_to_percent(out / extent.max(f32::MIN_POSITIVE));
        format!(
            "in frame {frame} of {name}, vertices are {percent} of the model's size outside the \
             stored bounds"
        )
    });
    Ok(())
}

/// The largest distance of a vertex outside the bounds of a frame, file units.
fn distance_outside(model: &Model, index: usize, clip: &Clip, frame: usize) -> f32 {
    let Some(bounds) = clip.frame_bounds.get(frame) else { return 0.0 };
    let last = clip.frame_bounds.len().saturating_sub(1).max(1);
    let time_secs = clip.start_secs + clip.duration_secs * frame as f64 / last as f64;
    let meshes = skin_model(model, &PoseSpec::linear(ClipId::from_index(index), time_secs));
    let (min, max) = (bounds.min.min(bounds.max), bounds.min.max(bounds.max));
    let out = positions(&meshes).map(|position| position.distance(position.clamp(min, max)));
    out.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Aabb;
    use crate::validate::fixtures::bar::{bending, is_silent, the};

    #[test]
    fn frame_outside_its_bounds_is_reported() {
        let mut model = bending();
        let clip = ClipId(0);
        let times = [0.0, 0.5, 1.0].map(|share| {
            model.clips[ClipId(0)].start_secs + model.clips[ClipId(0)].duration_secs * share
        });
        let bounds = times.map(|time| {
            let meshes = skin_model(&model, &PoseSpec::linear(clip, time));
            Aabb::from_points(positions(&meshes))
        });
        model.clips[ClipId(0)].frame_bounds = bounds.to_vec();
        assert!(is_silent(&model, FindingKind::FrameBoundsWrong));
        let size = bounds[1].max - bounds[1].min;
        model.clips[ClipId(0)].frame_bounds[1].max.y -= size.y / 2.0;
        let finding = the(&model, FindingKind::FrameBoundsWrong);
        assert_eq!((finding.place, finding.count), (Place::Clip(0), 1));
        assert!(finding.message.contains("frame 1"), "{}", finding.message);
    }
}
