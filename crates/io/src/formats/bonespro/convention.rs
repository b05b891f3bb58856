//! The convention of stored transforms, determined by comparing exports of the same motion.
//!
//! Neither the documentation nor a real file settles it completely. If an export of the vertices exists,
//! every combination is compared with it, and the best is used.

use glam::{DAffine3, DMat3, DVec3, Vec3};

use super::animation::{Animation, BoneKey};
use super::grammar::{Rotation, Stored, System};
use super::structure::Structure;
use crate::formats::ReadError;
use rigscope_core::model::{BoneId, Report};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Convention {
    /// Matrices map columns instead of rows.
    pub(super) is_column: bool,
    /// Euler axes rotate with the bone instead of being static.
    pub(super) is_rotating: bool,
    /// Positive angles are clockwise.
    pub(super) is_negative: bool,
    /// A changed box size of a bone scales the vertices that follow it.
    pub(super) scales: bool,
}

impl std::fmt::Display for Convention {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
        write!(
            f,
            "{} vectors, {} axes, {} angles, boxes {}",
            word(self.is_column, "column", "row"),
            word(self.is_rotating, "rotating", "static"),
            word(self.is_negative, "clockwise", "counter-clockwise"),
            word(self.scales, "scale", "do not scale"),
        )
    }
}

impl Convention {
    /// All conventions, the documented one first.
    fn all() -> impl Iterator<Item = Self> {
        (0..16u8).map(|bits| Self {
            is_column: bits & 1 != 0,
            is_rotating: bits & 2 != 0,
            is_negative: bits & 4 != 0,
            scales: bits & 8 != 0,
        })
    }

    /// A stored transform as a map of columns.
    pub(super) fn transform(&self, stored: &Stored) -> DAffine3 {
        let matrix = match stored.rotation {
            Rotation::Matrix([x, y, z]) => {
                // Rows are the images of the axes: as columns they form a matrix that maps columns.
                let images = DMat3::from_cols(x.into(), y.into(), z.into());
                if self.is_column { images.transpose() } else { images }
            }
            Rotation::Euler(angles, order) => {
                let sign = if self.is_negative { -1.0 } else { 1.0 };
                order.matrix(angles.map(|angle| angle * sign), self.is_rotating)
            }
        };
        DAffine3 { matrix3: matrix, translation: stored.translation }
    }
}

/// Parents, boxes and bind transforms, which animation files don't contain.
pub(super) struct Rig<'a> {
    parents: Vec<Option<usize>>,
    /// Parents before children.
    order: &'a [BoneId],
    sizes: Vec<[f64; 3]>,
}

impl<'a> Rig<'a> {
    pub(super) fn of(structure: &Structure, order: &'a [BoneId]) -> Self {
        Self {
            parents: structure.bones.iter().map(|bone| bone.parent).collect(),
            order,
            sizes: structure.bones.iter().map(|bone| bone.size).collect(),
        }
    }

    /// A rig with known boxes but no parents.
    pub(super) fn without_structure(first: &[BoneKey], order: &'a [BoneId]) -> Self {
        Self {
            parents: vec![None; first.len()],
            order,
            sizes: first.iter().map(|key| key.size).collect(),
        }
    }

    pub(super) fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// Transforms of all bones in one frame of an animation of bones.
    pub(super) fn model_from_bone(
        &self,
        animation: &Animation,
        frame: usize,
        convention: Convention,
    ) -> Vec<DAffine3> {
        let keys = animation.bone_keys(frame);
        let stored = keys.iter().map(|key| convention.transform(&key.transform));
        let mut transforms: Vec<DAffine3> = stored.collect();
        if animation.system == System::RelativeToParent {
            for bone in self.order {
                let at = bone.index();
                let parent = self.parents.get(at).copied().flatten();
                let above = parent.and_then(|parent| transforms.get(parent)).copied();
                if let (Some(above), Some(here)) = (above, transforms.get_mut(at)) {
                    *here = above * *here;
                }
            }
        }
        if convention.scales {
            for ((transform, key), bind) in transforms.iter_mut().zip(keys).zip(&self.sizes) {
                *transform *= DAffine3::from_scale(growth(key.size, *bind));
            }
        }
        transforms
    }
}

/// Ratio of two box sizes per axis; 1 if the original size is zero.
pub(super) fn growth(size: [f64; 3], bind: [f64; 3]) -> DVec3 {
    let growth = DVec3::from_array(size) / DVec3::from_array(bind);
    let is_sound = growth.is_finite() && growth.min_element() > 0.0;
    if is_sound { growth } else { DVec3::ONE }
}

/// The transforms of all bones at the time of attaching.
pub(super) fn binds(structure: &Structure, convention: Convention) -> Vec<DAffine3> {
    let bones = structure.bones.iter();
    bones.map(|bone| convention.transform(&bone.transform)).collect()
}

/// The result of [`solve`].
pub(super) struct Solution {
    pub(super) convention: Convention,
    /// Largest distance of a compared vertex from its position in the other export.
    pub(super) distance: f64,
    /// The same distance with the documented convention.
    pub(super) documented: f64,
}

/// Number of frames compared.
const MAX_FRAMES: usize = 5;
/// Number of vertices compared per frame.
const MAX_VERTICES: usize = 2000;
/// Another convention must reduce the distance below this fraction to be preferred, so that rounding doesn't
/// decide.
const CLEARLY_NEARER: f64 = 0.5;

/// The convention with which `bones` moves vertices closest to their positions in `vertices`; `None` if
/// nothing can be compared.
pub(super) fn solve(
    structure: &Structure,
    rig: &Rig<'_>,
    bones: &Animation,
    vertices: &Animation,
    report: &Report,
) -> Result<Option<Solution>, ReadError> {
    let num_frames = bones.num_frames;
    if num_frames == 0 || structure.positions.is_empty() {
        return Ok(None);
    }
    let mut best: Option<(Convention, f64)> = None;
    let mut documented = f64::INFINITY;
    for convention in Convention::all() {
        let inverse_binds: Vec<DAffine3> =
            binds(structure, convention).iter().map(DAffine3::inverse).collect();
        let mut distance = 0.0f64;
        for step in 0..MAX_FRAMES.min(num_frames) {
            report.progress("determining the transform convention", 0.5)?;
            let frame = step * (num_frames - 1) / (MAX_FRAMES - 1).max(1);
            let posed = rig.model_from_bone(bones, frame, convention);
            let moved = posed.iter().zip(&inverse_binds).map(|(f, b)| *f * *b);
            let palette: Vec<DAffine3> = moved.collect();
            let known = vertices.vertices(frame);
            for vertex in (0..known.len()).step_by(known.len().div_ceil(MAX_VERTICES).max(1)) {
                if let (Some(here), Some(&there)) =
                    (skinned(structure, vertex, &palette), known.get(vertex))
                {
                    let away = here.distance(there.as_dvec3());
                    distance = if away.is_finite() { distance.max(away) } else { f64::INFINITY };
                }
            }
        }
        if convention == Convention::default() {
            documented = distance;
        }
        if best.is_none_or(|(_, known)| distance < known * CLEARLY_NEARER) {
            best = Some((convention, distance));
        }
    }
    Ok(best.filter(|(_, distance)| distance.is_finite()).map(|(convention, distance)| Solution {
        convention,
        distance,
        documented,
    }))
}

/// One vertex moved by its bones; `None` if it has no influences.
fn skinned(structure: &Structure, vertex: usize, palette: &[DAffine3]) -> Option<DVec3> {
    let position: Vec3 = *structure.positions.get(vertex)?;
    let from = *structure.first.get(vertex)? as usize;
    let to = *structure.first.get(vertex + 1)? as usize;
    let slots = structure.slots.get(from..to)?;
    let weights = structure.weights.get(from..to)?;
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for (&slot, &weight) in slots.iter().zip(weights) {
        if let Some(matrix) = palette.get(slot as usize) {
            sum += matrix.transform_point3(position.as_dvec3()) * f64::from(weight);
            total += f64::from(weight);
        }
    }
    (total > 0.0).then(|| sum / total)
}
