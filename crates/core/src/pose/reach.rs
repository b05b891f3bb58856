//! The bounds of a model's vertices over all its clips, and whether they exceed the stored bounds.
//!
//! Not for: framing a view, for which a few moments suffice; findings about bounds (`validate`).

use glam::Vec3;
use rayon::prelude::*;

use super::{Moment, PoseBudget, PoseSpec, Sampling, clip_times, skin_model};
use crate::model::{Aabb, Cancelled, Clip, ClipId, Model, Report, StoredBounds, as_u32, spread};

/// The most keys to measure per clip; longer clips are sampled evenly, including both ends.
const MAX_KEYS: usize = 2048;
/// The fewest moments of a clip of curves to measure, at keys and between them.
const LEAST_MOMENTS: usize = 128;
/// The most moments of a clip of curves to measure.
const MOST_MOMENTS: usize = 512;
/// Poses between checks for cancellation.
const BATCH: usize = 32;
/// Allowed rounding error of a distance, as a fraction of the model's size.
const ROUNDING: f32 = 1e-5;

/// The bounds over all poses, in file space and units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reach {
    pub bounds: Aabb,
    /// Centre of a sphere around all vertices: the centre of the box or of the stored sphere,
    /// whichever gives the smaller sphere.
    pub sphere_center: Vec3,
    pub sphere_radius: f32,
    /// Number of measured poses: the default pose and keys of clips.
    pub num_poses: usize,
    /// Number of measured clips.
    pub num_clips: usize,
    /// The vertex farthest outside the stored box; `None` if all are inside or no box is stored.
    pub out_of_box: Option<BoundsExcess>,
    /// The vertex farthest outside the stored sphere.
    pub out_of_sphere: Option<BoundsExcess>,
}

/// A vertex outside stored bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundsExcess {
    /// Distance in file units.
    pub by: f32,
    /// `None` is the default pose.
    pub clip: Option<ClipId>,
    /// On the clip's clock.
    pub time_secs: f64,
}

/// A pose to measure.
#[derive(Clone, Copy)]
struct PoseMoment {
    spec: PoseSpec,
    time_secs: f64,
}

/// The measurements of one pose.
#[derive(Clone, Copy)]
struct PoseReach {
    bounds: Aabb,
    out_of_box: f32,
    out_of_sphere: f32,
}

/// Poses `model` at the keys of all clips and measures it.
///
/// # Errors
/// If the report asks to stop.
pub fn reach(model: &Model, report: &Report) -> Result<Reach, Cancelled> {
    let poses = poses(model);
    let stored = model.stored_bounds.as_ref();
    let mut clips: Vec<_> = poses.iter().filter_map(|at| at.spec.clip).collect();
    clips.dedup();
    let mut made = Reach { num_poses: poses.len(), num_clips: clips.len(), ..Reach::default() };
    let (mut worst_box, mut worst_sphere) = (BoundsExcess::none(), BoundsExcess::none());
    for (number, batch) in poses.chunks(BATCH).enumerate() {
        let go_on = || report.progress("measuring bounds", share(number, poses.len()) * 0.5);
        let found = batch.par_iter().map(|at| {
            go_on()?;
            Ok(reach_of(model, at, stored))
        });
        let found: Vec<PoseReach> = found.collect::<Result<_, Cancelled>>()?;
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
        let go_on = || report.progress("measuring bounds", 0.5 + share(number, poses.len()) * 0.5);
        let found = batch.par_iter().map(|at| {
            go_on()?;
            Ok(farthest(model, at, [middle, stored_center]))
        });
        let found: Vec<[f32; 2]> = found.collect::<Result<_, Cancelled>>()?;
        for [around_middle, around_stored] in found {
            radii = [radii[0].max(around_middle), radii[1].max(around_stored)];
        }
    }
    (made.sphere_center, made.sphere_radius) =
        if radii[1] < radii[0] { (stored_center, radii[1]) } else { (middle, radii[0]) };
    if stored.is_some() {
        let least = made.bounds.extent() * ROUNDING;
        made.out_of_box = Some(worst_box).filter(|out| out.by > least);
        made.out_of_sphere = Some(worst_sphere).filter(|out| out.by > least);
    }
    Ok(made)
}

impl BoundsExcess {
    fn none() -> Self {
        Self { by: f32::NEG_INFINITY, clip: None, time_secs: 0.0 }
    }

    fn take(&mut self, by: f32, at: &PoseMoment) {
        if by > self.by {
            *self = Self { by, clip: at.spec.clip, time_secs: at.time_secs };
        }
    }
}

fn share(batch: usize, num_poses: usize) -> f32 {
    (batch * BATCH) as f32 / num_poses.max(1) as f32
}

/// The keys of a bind pair aren't poses; their product is the default pose.
fn is_bind_pair(clip: &Clip) -> bool {
    clip.as_sampled().is_some_and(|motion| motion.is_bind_pair)
}

fn poses(model: &Model) -> Vec<PoseMoment> {
    let mut poses = vec![PoseMoment { spec: PoseSpec::default(), time_secs: 0.0 }];
    let budget = PoseBudget::of(model);
    for (index, clip) in model.clips.iter().enumerate() {
        let most = budget.moments_of(index, MAX_KEYS);
        if is_bind_pair(clip) || most == 0 {
            continue;
        }
        let spec = |moment| PoseSpec {
            clip: Some(ClipId::from_index(index)),
            moment,
            sampling: Sampling::Linear,
            ..PoseSpec::default()
        };
        if let Some(motion) = clip.as_sampled() {
            poses.extend(spread(motion.keys.num_keys(), most).map(|key| PoseMoment {
                spec: spec(Moment::Key(as_u32(key))),
                time_secs: motion.key_secs(key),
            }));
            continue;
        }
        poses.extend(
            clip_times(clip, LEAST_MOMENTS.min(most), MOST_MOMENTS.min(most))
                .into_iter()
                .map(|time_secs| PoseMoment { spec: spec(Moment::TimeSecs(time_secs)), time_secs }),
        );
    }
    poses
}

fn reach_of(model: &Model, at: &PoseMoment, stored: Option<&StoredBounds>) -> PoseReach {
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

/// The distance of the farthest vertex from each centre.
fn farthest(model: &Model, at: &PoseMoment, centers: [Vec3; 2]) -> [f32; 2] {
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

    /// A vertex at the origin and one at x = 1 on a bone that moves up by 3.
    fn lift() -> Model {
        let keys = [0.0, 1.0, 2.0, 3.0].map(|y| Affine3A::from_translation(Vec3::Y * y));
        let points = ModelBuilder::new().chain(&[""]).mesh([Vec3::ZERO, Vec3::X]).attached_to(0);
        points.add_clip(sampled("lift", KeySpace::Local, 100, 1, &keys)).build()
    }

    #[test]
    fn measured_bounds_contain_all_keys() {
        let reach = reach(&lift(), &Report::new()).unwrap();
        assert_eq!(reach.bounds.min, Vec3::ZERO);
        assert_eq!(reach.bounds.max, Vec3::new(1.0, 3.0, 0.0));
        assert!((reach.sphere_radius - 2.5f32.sqrt()).abs() < 1e-5);
        assert_eq!((reach.num_poses, reach.num_clips), (5, 1));
        assert_eq!((reach.out_of_box, reach.out_of_sphere), (None, None));
    }

    #[test]
    fn motion_outside_stored_bounds_is_reported_with_its_time() {
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
