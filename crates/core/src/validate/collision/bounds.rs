//! Finds stored bounds that contain the mesh at rest but not in motion.

use rayon::prelude::*;

use super::WHAT;
use crate::model::{
    Cancelled, ClipId, FindingKind, Model, Place, Report, StoredBounds, as_u32, findings, numbers,
};
use crate::pose::{BoneAnchors, skin_model};
use crate::validate::moments::{ClipMoment, Moments, Posed};
use crate::validate::worst::{DefaultPose, Worst, length_text, positions};

findings! {
    pub(super) FINDINGS:
    ClipLeavesBounds, "clip-leaves-bounds", Warning, Collision,
        "a clip moves vertices out of the stored bounds",
        "runtimes that cull by these bounds make the model vanish while it is still on the screen",
        "compute the bounds over all keys of all clips",
        "a vertex is 12.4 cm outside the stored bounds at 0.4 s of clip \"walk\" at clips[0]";
}

/// Vertices may be outside by this fraction of the size: smaller parts aren't missed when they
/// are culled, and exporters measure other frames than those examined here.
pub(super) const ROOM: f32 = 1e-2;

/// Reports [`FindingKind::ClipLeavesBounds`], counting the moments with vertices outside. The reader
/// checks the default pose.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let Some(stored) = model.stored_bounds.filter(|_| !model.clips.is_empty()) else {
        return Ok(());
    };
    let room = ROOM * DefaultPose::of(model).extent;
    let anchors = BoneAnchors::of(model);
    let all = Moments::of(model, Posed::Vertices);
    let mut found = Worst::default();
    for (index, clip) in model.clips.iter().enumerate() {
        report.progress(WHAT, 0.6)?;
        let mut moments = all.of_clip(index, clip);
        moments.extend(all.farthest(&anchors, index, clip));
        // Count repeated moments once.
        moments.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        moments.dedup_by(|later, first| later.time_secs == first.time_secs);
        let outside = moments.par_iter().map(|at| {
            report.progress(WHAT, 0.6)?;
            Ok(distance_outside(model, at, &stored))
        });
        let outside: Vec<f32> = outside.collect::<Result<_, Cancelled>>()?;
        for (at, out) in moments.iter().zip(outside) {
            if out > room {
                found.add(out, (index, at.time_secs));
            }
        }
    }
    if let Some((out, (clip, time_secs))) = found.worst {
        let place = Place::Clip(as_u32(clip));
        report.add_many(FindingKind::ClipLeavesBounds, place, found.count, || {
            let name = &model.clips[ClipId::from_index(clip)].name;
            let (out, time) = (length_text(model, out), numbers::seconds(time_secs));
            format!("a vertex is {out} outside the stored bounds at {time} of clip {name:?}")
        });
    }
    Ok(())
}

/// The largest distance of a vertex outside the box or the sphere, file units.
fn distance_outside(model: &Model, at: &ClipMoment, stored: &StoredBounds) -> f32 {
    let meshes = skin_model(model, &at.spec);
    let (min, max) = (stored.aabb.min.min(stored.aabb.max), stored.aabb.max);
    let out = positions(&meshes).map(|position| {
        let of_box = position.distance(position.clamp(min, max.max(min)));
        let of_sphere = position.distance(stored.sphere_center) - stored.sphere_radius;
        of_box.max(of_sphere)
    });
    out.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Aabb;
    use crate::validate::fixtures::bar::{bending, bent, is_silent, the, with_keys};
    use glam::Vec3;

    fn bounded(model: Model, size: f32) -> Model {
        let stored = StoredBounds {
            aabb: Aabb::from_points([Vec3::splat(-size), Vec3::splat(size)]),
            sphere_center: Vec3::ZERO,
            sphere_radius: 4.0,
        };
        Model { stored_bounds: Some(stored), ..model }
    }

    #[test]
    fn clip_that_leaves_the_bounds_is_reported_with_its_time() {
        assert!(is_silent(&bounded(bending(), 3.0), FindingKind::ClipLeavesBounds));
        let away = with_keys(&[bent(0.0, 0.0), bent(3.2, 0.0)]);
        let mut model = bounded(away, 3.0);
        assert!(is_silent(&model, FindingKind::ClipLeavesBounds));
        if let Some(stored) = &mut model.stored_bounds {
            stored.aabb.min.y = -0.3;
        }
        let finding = the(&model, FindingKind::ClipLeavesBounds);
        assert_eq!((finding.place, finding.count), (Place::Clip(0), 1));
        assert!(finding.message.contains("at 0.1 s"), "{}", finding.message);
    }

    #[test]
    fn clip_that_leaves_only_the_bounding_sphere_is_reported() {
        let mut model = bounded(bending(), 3.0);
        if let Some(stored) = &mut model.stored_bounds {
            stored.sphere_radius = 1.0;
        }
        assert_eq!(the(&model, FindingKind::ClipLeavesBounds).count, 17);
    }
}
