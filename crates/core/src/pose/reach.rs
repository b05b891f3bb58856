//! How far the vertices of a model reach over all of its clips, and whether the stored bounds hold
//! them.
//!
//! Not for: framing a view, which a few moments are enough for; notes about bounds (`validate`).

use glam::Vec3;
use rayon::prelude::*;

use super::{Moment, PoseSpec, Sampling, clip_times, skin_model};
use crate::model::{Aabb, Cancelled, Clip, ClipId, Model, Report, StoredBounds, spread};

/// Most keys looked at in one clip; of longer ones they are evenly spread, both ends among them.
const MAX_KEYS: usize = 2048;
/// Moments of a clip of curves, at keys and between them.
const LEAST_MOMENTS: usize = 128;
/// The same for many keys.
const MOST_MOMENTS: usize = 512;
/// Poses between two looks at whether to go on.
const BATCH: usize = 32;
/// What rounding does to a distance, as a part of the extent.
const ROUNDING: f32 = 1e-5;

/// The bounds of all poses, file space and units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reach {
    /// The box around all vertices.
    pub bounds: Aabb,
    /// Centre of a sphere around all vertices: the middle of the box or that of the stored sphere,
    /// whichever makes the smaller one.
    pub sphere_center: Vec3,
    /// Its radius.
    pub sphere_radius: f32,
    /// Poses that were looked at: the default pose and keys of clips.
    pub num_poses: usize,
    /// Clips that were looked at.
    pub num_clips: usize,
    /// The vertex furthest out of the stored box; none where the box holds all, or is not there.
    pub out_of_box: Option<Outside>,
    /// The vertex furthest out of the stored sphere.
    pub out_of_sphere: Option<Outside>,
}

/// Where a vertex leaves stored bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// How far, file units.
    pub by: f32,
    /// In which clip; none: in the default pose.
    pub clip: Option<ClipId>,
    /// On the clip's clock.
    pub time_secs: f64,
}

/// One pose to look at.
#[derive(Clone, Copy)]
struct At {
    spec: PoseSpec,
    time_secs: f64,
}

/// What one pose has.
#[derive(Clone, Copy)]
struct PoseReach {
    bounds: Aabb,
    out_of_box: f32,
    out_of_sphere: f32,
}

/// Poses `model` at the keys of all clips and measures.
///
/// # Errors
/// When the report asks to stop.
pub fn reach(model: &Model, report: &Report) -> Result<Reach, Cancelled> {
    let poses = poses(model);
    let stored = model.stored_bounds.as_ref();
    let mut made = Reach {
        num_poses: poses.len(),
        num_clips: model.clips.iter().filter(|clip| !is_bind_pair(clip)).count(),
        ..Reach::default()
    };
    let (mut worst_box, mut worst_sphere) = (Outside::none(), Outside::none());
    for (number, batch) in poses.chunks(BATCH).enumerate() {
        report.progress("measuring bounds", share(number, poses.len()) * 0.5)?;
        let found: Vec<PoseReach> =
            batch.par_iter().map(|at| reach_of(model, at, stored)).collect();
        for (at, one) in batch.iter().zip(found) {
            made.bounds = made.bounds.union(one.bounds);
            worst_box.take(one.out_of_box, at);
            worst_sphere.take(one.out_of_sphere, at);
        }
    }
    let middle = made.bounds.center();
    let stored_center = stored.map_or(middle, |stored| stored.sphere_center);
    let mut radii = [0.0f32; 2];
    for (number, batch) in poses.chunks(BATCH).enumerate() {
        report.progress("measuring bounds", 0.5 + share(number, poses.len()) * 0.5)?;
        let radii_of = |at: &At| farthest(model, at, [middle, stored_center]);
        let found: Vec<[f32; 2]> = batch.par_iter().map(radii_of).collect();
        for [around_middle, around_stored] in found {
            radii = [radii[0].max(around_middle), radii[1].max(around_stored)];
        }
    }
    (made.sphere_center, made.sphere_radius) = match radii[1] < radii[0] {
        true => (stored_center, radii[1]),
        false => (middle, radii[0]),
    };
    if stored.is_some() {
        let least = made.bounds.extent() * ROUNDING;
        made.out_of_box = Some(worst_box).filter(|out| out.by > least);
        made.out_of_sphere = Some(worst_sphere).filter(|out| out.by > least);
    }
    Ok(made)
}

impl Outside {
    fn none() -> Self {
        Self { by: f32::NEG_INFINITY, clip: None, time_secs: 0.0 }
    }

    fn take(&mut self, by: f32, at: &At) {
        if by > self.by {
            *self = Self { by, clip: at.spec.clip, time_secs: at.time_secs };
        }
    }
}

fn share(batch: usize, num_poses: usize) -> f32 {
    (batch * BATCH) as f32 / num_poses.max(1) as f32
}

/// The keys of a bind pair are no poses; its product is the default pose.
fn is_bind_pair(clip: &Clip) -> bool {
    clip.as_sampled().is_some_and(|motion| motion.is_bind_pair)
}

fn poses(model: &Model) -> Vec<At> {
    let mut poses = vec![At { spec: PoseSpec::default(), time_secs: 0.0 }];
    for (index, clip) in model.clips.iter().enumerate() {
        if is_bind_pair(clip) {
            continue;
        }
        let spec = |moment| PoseSpec {
            clip: Some(ClipId::from_index(index)),
            moment,
            sampling: Sampling::Linear,
            ..PoseSpec::default()
        };
        if let Some(motion) = clip.as_sampled() {
            poses.extend(spread(motion.keys.num_keys(), MAX_KEYS).map(|key| At {
                spec: spec(Moment::Key(u32::try_from(key).unwrap_or(u32::MAX))),
                time_secs: motion.key_secs(key),
            }));
            continue;
        }
        poses.extend(
            clip_times(clip, LEAST_MOMENTS, MOST_MOMENTS)
                .into_iter()
                .map(|time_secs| At { spec: spec(Moment::TimeSecs(time_secs)), time_secs }),
        );
    }
    poses
}

fn reach_of(model: &Model, at: &At, stored: Option<&StoredBounds>) -> PoseReach {
    let mut one = PoseReach {
        bounds: Aabb::EMPTY,
        out_of_box: f32::NEG_INFINITY,
        out_of_sphere: f32::NEG_INFINITY,
    };
    let meshes = skin_model(model, &at.spec);
    for &position in meshes.iter().flat_map(|mesh| &mesh.positions) {
        one.bounds.add(position);
        if let Some(stored) = stored.filter(|_| position.is_finite()) {
            let (min, max) = (stored.aabb.min.min(stored.aabb.max), stored.aabb.max);
            let nearest = position.clamp(min, max.max(min));
            one.out_of_box = one.out_of_box.max(position.distance(nearest));
            let out = position.distance(stored.sphere_center) - stored.sphere_radius;
            one.out_of_sphere = one.out_of_sphere.max(out);
        }
    }
    one
}

/// The distance of the vertex that is farthest from each centre.
fn farthest(model: &Model, at: &At, centers: [Vec3; 2]) -> [f32; 2] {
    let meshes = skin_model(model, &at.spec);
    let positions = meshes.iter().flat_map(|mesh| &mesh.positions);
    let finite = positions.filter(|position| position.is_finite());
    finite.fold([0.0; 2], |[a, b], position| {
        let [to_a, to_b] = centers.map(|center| position.distance(center));
        [a.max(to_a), b.max(to_b)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;
    use glam::Affine3A;

    /// A vertex at the origin and one at x = 1 on a bone that goes up by 3.
    fn lift() -> Model {
        let keys = [0.0, 1.0, 2.0, 3.0].map(|y| Affine3A::from_translation(Vec3::Y * y));
        let points = ModelBuilder::new().chain(&[""]).mesh([Vec3::ZERO, Vec3::X]).attached_to(0);
        points.add_clip(sampled("lift", KeySpace::Local, 100, 1, &keys)).build()
    }

    #[test]
    fn all_keys_are_inside_of_what_is_measured() {
        let reach = reach(&lift(), &Report::new()).unwrap();
        assert_eq!(reach.bounds.min, Vec3::ZERO);
        assert_eq!(reach.bounds.max, Vec3::new(1.0, 3.0, 0.0));
        assert!((reach.sphere_radius - 2.5f32.sqrt()).abs() < 1e-5);
        assert_eq!((reach.num_poses, reach.num_clips), (5, 1));
        assert_eq!((reach.out_of_box, reach.out_of_sphere), (None, None));
    }

    #[test]
    fn what_leaves_stored_bounds_is_told_with_its_moment() {
        let mut model = lift();
        model.stored_bounds = Some(StoredBounds {
            aabb: Aabb::from_points([Vec3::ZERO, Vec3::new(1.0, 2.5, 0.0)]),
            sphere_center: Vec3::ZERO,
            sphere_radius: 4.0,
        });
        let reach = reach(&model, &Report::new()).unwrap();
        let out = reach.out_of_box.unwrap();
        assert_eq!((out.by, out.clip), (0.5, Some(ClipId(0))));
        assert!((out.time_secs - 3e-7).abs() < 1e-12);
        assert_eq!(reach.out_of_sphere, None);
    }
}
