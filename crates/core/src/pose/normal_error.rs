//! The angle between the normals of a format's own runtime and exact ones, per vertex.
//!
//! For: the rule of `validate` that measures it without skinning a mesh twice.

use glam::{Affine3A, Mat3A, Vec3A};
use rayon::prelude::*;

use super::normals::{share_of_normal, transformed_normal};
use super::skin::Palette;
use super::{MeshPose, morph, unit_or_zero};
use crate::model::{BoneLocalSkin, Mesh, NormalMatrix, Skin};

/// Vertices per task.
const CHUNK: usize = 4096;

/// Whether the normals of a vertex differ by more than a limit, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NormalDeviation {
    /// They don't.
    #[default]
    WithinLimit,
    /// Its bones are rotated against each other; none of them would cause the difference by itself.
    FromBlending,
    /// One of its bones causes the difference by itself: it scales unevenly, shears or mirrors.
    FromBone,
}

/// The normals of a mesh at one moment that differ most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalError {
    /// The angle between them, degrees.
    pub angle_deg: f32,
    pub vertex: usize,
    pub deviation: NormalDeviation,
}

/// Of every `step`th vertex of `mesh`, the normals by `pose`'s rule that differ most from exact
/// ones: one for each [`NormalDeviation`] that occurs. Raises `deviations`, which has one element
/// per vertex, for normals that differ by more than `limit_deg`.
#[must_use]
pub fn normal_errors(
    mesh: &Mesh,
    pose: &MeshPose,
    step: usize,
    limit_deg: f32,
    deviations: &mut [NormalDeviation],
) -> Vec<NormalError> {
    // Final positions have no normals.
    if pose.positions.is_some() || pose.normal_matrix.is_perpendicular() {
        return Vec::new();
    }
    let (step, limit) = (step.max(1), limit_deg.to_radians().cos());
    let normals = Normals {
        mesh,
        pose,
        shaped: shaped_normals(mesh, pose),
        palette: Palette::of(mesh, &pose.palette),
    };
    let chunks = deviations.par_chunks_mut(CHUNK * step).enumerate();
    let of_chunk = |(chunk, deviations): (usize, &mut [NormalDeviation])| {
        let first = chunk * CHUNK * step;
        let mut worst = [None; 3];
        for at in (0..deviations.len()).step_by(step) {
            let vertex = first + at;
            let Some(cosine) = normals.cosine(vertex) else { continue };
            let deviation = match cosine < limit {
                false => NormalDeviation::WithinLimit,
                true if normals.deviates_by_bone(vertex, limit) => NormalDeviation::FromBone,
                true => NormalDeviation::FromBlending,
            };
            deviations[at] = deviations[at].max(deviation);
            let known = &mut worst[deviation as usize];
            *known = farther(*known, Some((cosine, vertex)));
        }
        worst
    };
    let none = || [None; 3];
    let worst = chunks.map(of_chunk).reduce(none, |a: [Worst; 3], b| {
        std::array::from_fn(|deviation| farther(a[deviation], b[deviation]))
    });
    let kinds =
        [NormalDeviation::WithinLimit, NormalDeviation::FromBlending, NormalDeviation::FromBone];
    let found = kinds.into_iter().zip(worst);
    found
        .filter_map(|(deviation, worst)| {
            let (cosine, vertex) = worst?;
            Some(NormalError {
                angle_deg: cosine.clamp(-1.0, 1.0).acos().to_degrees(),
                vertex,
                deviation,
            })
        })
        .collect()
}

/// The smallest cosine, and its vertex.
type Worst = Option<(f32, usize)>;

/// Of equals the first, regardless of thread order.
fn farther(a: Worst, b: Worst) -> Worst {
    match (a, b) {
        (Some(x), Some(y)) => {
            let is_y = y.0 < x.0 || (y.0 == x.0 && y.1 < x.1);
            if is_y { b } else { a }
        }
        _ => a.or(b),
    }
}

/// The inputs that transform the normals of a mesh.
struct Normals<'a> {
    mesh: &'a Mesh,
    pose: &'a MeshPose,
    shaped: Vec<Vec3A>,
    palette: Palette<'a>,
}

impl Normals<'_> {
    /// The cosine between the two normals of `vertex`; `None` if one of them is missing.
    fn cosine(&self, vertex: usize) -> Option<f32> {
        match &self.mesh.skin {
            Skin::BoneLocal(skin) => bone_local(skin, vertex, self.pose),
            _ => {
                let matrix = self.palette.blend_of(self.mesh, vertex).0.matrix3;
                self.cosine_by(&matrix, self.own(vertex)?)
            }
        }
    }

    /// Whether one matrix by itself brings the cosine below `limit`.
    fn deviates_by_bone(&self, vertex: usize, limit: f32) -> bool {
        let is_below = |matrix: &Affine3A, own| {
            let cosine = self.cosine_by(&matrix.matrix3, own);
            cosine.is_some_and(|cosine| cosine < limit)
        };
        let mut deviates = false;
        if let Skin::BoneLocal(skin) = &self.mesh.skin {
            skin.for_each(vertex, |influence| {
                if let Some(matrix) = self.pose.palette.get(influence.bone.index()) {
                    deviates |= influence.weight > 0.0 && is_below(matrix, influence.normal.into());
                }
            });
        } else if let Some(own) = self.own(vertex) {
            self.palette.for_each(self.mesh, vertex, |matrix, weight| {
                deviates |= weight > 0.0 && is_below(matrix, own);
            });
        }
        deviates
    }

    fn own(&self, vertex: usize) -> Option<Vec3A> {
        match self.shaped.get(vertex) {
            Some(normal) => Some(*normal),
            None => self.mesh.normal(vertex).map(Vec3A::from),
        }
    }

    fn cosine_by(&self, matrix: &Mat3A, own: Vec3A) -> Option<f32> {
        let by = |by| transformed_normal(matrix, by, own, Vec3A::ZERO).0;
        let played = by(self.pose.normal_matrix);
        let played = match self.pose.after_normals {
            Some(after) => unit_or_zero(after * played),
            None => played,
        };
        cosine(played, by(NormalMatrix::InverseTranspose))
    }
}

/// `None` if either isn't a direction.
fn cosine(a: Vec3A, b: Vec3A) -> Option<f32> {
    (a != Vec3A::ZERO && b != Vec3A::ZERO).then(|| a.dot(b))
}

fn bone_local(skin: &BoneLocalSkin, vertex: usize, pose: &MeshPose) -> Option<f32> {
    let sum = |by| {
        let mut normal = Vec3A::ZERO;
        skin.for_each(vertex, |influence| {
            if let Some(matrix) = pose.palette.get(influence.bone.index()) {
                let share = share_of_normal(&matrix.matrix3, by, influence.normal.into());
                normal += share * influence.weight;
            }
        });
        unit_or_zero(normal)
    };
    cosine(sum(pose.normal_matrix), sum(NormalMatrix::InverseTranspose))
}

/// Normals after morphing and before skinning; empty if no morph applies.
fn shaped_normals(mesh: &Mesh, pose: &MeshPose) -> Vec<Vec3A> {
    if mesh.morph_targets.is_empty() || mesh.normal(0).is_none() {
        return Vec::new();
    }
    let all = 0..mesh.num_vertices();
    let own = |get: fn(&Mesh, usize) -> Option<glam::Vec3>| {
        let values = all.clone().map(|v| get(mesh, v).unwrap_or_default());
        values.collect::<Vec<_>>()
    };
    let (mut positions, mut normals) = (own(Mesh::position), own(Mesh::normal));
    morph::apply(mesh, &pose.morph_weights, &mut positions, &mut normals);
    normals.into_iter().map(Vec3A::from).collect()
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Vec3};

    use super::*;
    use crate::model::testing::*;

    fn mesh(num: usize) -> Mesh {
        // From along x to along y.
        let normal = |at: usize| {
            let angle = std::f32::consts::FRAC_PI_2 * at as f32 / (num - 1) as f32;
            Vec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let points = ModelBuilder::new().mesh(vec![Vec3::ZERO; num]);
        points.normals((0..num).map(normal).collect::<Vec<_>>()).into_mesh()
    }

    fn pose(scale: Vec3, normal_matrix: NormalMatrix) -> MeshPose {
        MeshPose {
            palette: vec![Affine3A::from_scale(scale)],
            normal_matrix,
            ..MeshPose::default()
        }
    }

    #[test]
    fn worst_normal_error_matches_the_theoretical_maximum() {
        let mesh = mesh(9001);
        let mut deviations = vec![NormalDeviation::WithinLimit; 9001];
        let pose = pose(Vec3::new(2.0, 1.0, 1.0), NormalMatrix::Same);
        let found = normal_errors(&mesh, &pose, 1, 5.0, &mut deviations);
        let worst = found.last().unwrap();
        assert_eq!(worst.deviation, NormalDeviation::FromBone);
        // For a stretch k, no normal can differ by more than the cosine 2 k / (k * k + 1).
        let most = (4.0f32 / 5.0).acos().to_degrees();
        assert!((worst.angle_deg - most).abs() < 0.01, "{worst:?} {most}");
        let at = (deviations[worst.vertex], deviations[0]);
        assert_eq!(at, (NormalDeviation::FromBone, NormalDeviation::WithinLimit));
        let coarse = normal_errors(&mesh, &pose, 900, 5.0, &mut deviations);
        assert!(coarse.iter().all(|error| error.vertex % 900 == 0));
        assert!(coarse.last().unwrap().angle_deg > 0.9 * most);
    }

    #[test]
    fn large_relative_rotation_causes_normal_errors_by_blending() {
        let mut mesh = mesh(11);
        let half: &[(u32, f32)] = &[(0, 0.5), (1, 0.5)];
        mesh.skin = slots(2, [half; 11]);
        let pose = MeshPose {
            palette: vec![Affine3A::IDENTITY, Affine3A::from_rotation_x(1.8)],
            normal_matrix: NormalMatrix::Same,
            ..MeshPose::default()
        };
        let mut deviations = vec![NormalDeviation::WithinLimit; 11];
        let found = normal_errors(&mesh, &pose, 1, 5.0, &mut deviations);
        let worst = found.last().unwrap();
        assert_eq!(worst.deviation, NormalDeviation::FromBlending, "{found:?}");
        assert!(!deviations.contains(&NormalDeviation::FromBone));
    }

    #[test]
    fn uniform_scale_and_exact_normals_have_no_normal_error() {
        let mesh = mesh(10);
        let mut deviations = vec![NormalDeviation::WithinLimit; 10];
        let even = pose(Vec3::splat(3.0), NormalMatrix::Same);
        let found = normal_errors(&mesh, &even, 1, 5.0, &mut deviations);
        assert!(found[0].angle_deg < 0.1 && found.len() == 1);
        assert_eq!(deviations, [NormalDeviation::WithinLimit; 10]);
        let exact = pose(Vec3::new(2.0, 1.0, 1.0), NormalMatrix::InverseTranspose);
        assert_eq!(normal_errors(&mesh, &exact, 1, 5.0, &mut deviations), []);
        let mirror = pose(Vec3::new(-1.0, 1.0, 1.0), NormalMatrix::Cofactor);
        let found = normal_errors(&mesh, &mirror, 1, 5.0, &mut deviations);
        assert!(found[0].angle_deg > 179.0);
        assert_eq!(deviations, [NormalDeviation::FromBone; 10]);
    }
}
