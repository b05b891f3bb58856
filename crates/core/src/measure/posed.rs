//! The vertices of a side in a pose, in one list, in the space of the comparison.

use glam::Vec3;

use super::{Job, Side};
use crate::model::{Clip, ClipId, MeshId};
use crate::pose::{Moment, Pose, PoseSpec, sample, skin_positions, skin_some_positions};

/// The vertices to pose.
#[derive(Clone, Copy, Debug)]
pub(super) enum Vertices<'a> {
    All,
    /// Some vertices of each mesh.
    Some(&'a [Vec<u32>]),
}

impl Side<'_> {
    /// The pose at a time after the beginning of a clip, as in the side's own runtime; without a
    /// clip, the default pose.
    pub fn pose_at(&self, clip: Option<ClipId>, since_start_secs: f64) -> Pose {
        let own = clip.and_then(|id| self.model.clips.get(id));
        let moment = match own {
            Some(clip) if !is_bind_pair(clip) => {
                Moment::TimeSecs(clip.start_secs + since_start_secs)
            }
            _ => Moment::Default,
        };
        let spec = PoseSpec { clip: clip.filter(|_| own.is_some()), moment, ..PoseSpec::default() };
        sample(self.model, &spec)
    }

    /// Vertex positions, one mesh after another.
    pub(super) fn positions(&self, pose: &Pose, vertices: Vertices<'_>) -> Vec<Vec3> {
        let mut out = Vec::new();
        for (number, mesh) in self.model.meshes.iter().enumerate() {
            let bound = || pose.of_mesh(MeshId::from_index(number), mesh);
            let num = mesh.num_vertices();
            let mut own = match vertices {
                Vertices::All => skin_positions(mesh, &bound()),
                Vertices::Some(lists) => match lists.get(number) {
                    Some(list) if !list.is_empty() => skin_some_positions(mesh, &bound(), list),
                    _ => continue,
                },
            };
            if let Vertices::All = vertices {
                // A list that is too short, as in some vertex animations, would shift the following
                // meshes.
                own.resize(num, Vec3::ZERO);
            }
            for position in &mut own {
                *position = self.display_from_file.transform_point3(*position);
            }
            if out.is_empty() { out = own } else { out.append(&mut own) }
        }
        out
    }
}

impl Job<'_> {
    /// The size to which all distances are relative, display units: the diagonal of the box around the source in its
    /// default pose.
    #[must_use]
    pub fn size(&self) -> f64 {
        let pose = self.source.pose_at(None, 0.0);
        extent_of(&self.source.positions(&pose, Vertices::All))
    }
}

/// Whether a clip is a pair of matrices to multiply instead of a motion.
pub(super) fn is_bind_pair(clip: &Clip) -> bool {
    clip.as_sampled().is_some_and(|motion| motion.is_bind_pair)
}

/// Length of the diagonal of the box around points; 0 without points. Doesn't overflow.
#[must_use]
pub fn extent_of(points: &[Vec3]) -> f64 {
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for &point in points {
        (min, max) = (min.min(point), max.max(point));
    }
    if min.cmple(max).all() { (max.as_dvec3() - min.as_dvec3()).length() } else { 0.0 }
}

/// The distance between two points; infinite if it can't be computed.
#[must_use]
#[inline]
pub fn distance(a: Vec3, b: Vec3) -> f64 {
    // Posing may overflow to NaN or infinity, identically on both sides.
    let bits = |v: Vec3| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()];
    if a == b || bits(a) == bits(b) {
        return 0.0;
    }
    let distance = a.as_dvec3().distance(b.as_dvec3());
    if distance.is_nan() { f64::INFINITY } else { distance }
}

/// The angle between two directions in degrees; 180 if exactly one of them has no length.
#[must_use]
#[inline]
pub fn angle_deg(a: Vec3, b: Vec3) -> f64 {
    if a == b {
        return 0.0;
    }
    if a == Vec3::ZERO || b == Vec3::ZERO {
        return 180.0;
    }
    let (a, b) = (a.as_dvec3(), b.as_dvec3());
    // Accurate near 0, unlike the arc cosine of a dot product.
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}
