//! Bindings of meshes to skeletons.
//!
//! Source: OpenUSD, `UsdSkelBindingAPI` and `UsdSkelSkinPointsLBS`. Properties of a binding are inherited from
//! ancestors. A point is `sum(weight * joint * inverse(bind) * geomBindTransform * point)` in the space of the skeleton;
//! weights aren't normalized.

use glam::DMat4;
use openusd::sdf::Value;

use super::attributes::Attributes;
use super::prims::{PrimKind, Prims};
use super::skeletons::Joints;
use super::values::{floats, ints, matrix, number, token, tokens};
use crate::formats::ReadError;
use rigscope_core::model::{
    Blending, FindingKind, Influences, InverseBindSkin, Place, as_u32, counted,
};

const INDICES: &str = "primvars:skel:jointIndices";
/// Sums of weights this near to 1 move vertices too little to be seen.
const SUM_TOLERANCE: f32 = 1e-3;
const WEIGHTS: &str = "primvars:skel:jointWeights";

/// A mesh and its place in the list of prims.
#[derive(Clone, Copy)]
pub(super) struct Binding<'a> {
    pub(super) attributes: &'a Attributes<'a>,
    pub(super) prims: &'a Prims,
    pub(super) skeletons: &'a [Joints],
    pub(super) prim: usize,
}

/// Influences of points as stored.
struct Stored {
    indices: Vec<i32>,
    weights: Vec<f32>,
    per_point: usize,
    /// All points have the same influences.
    is_constant: bool,
}

impl Binding<'_> {
    /// The skeleton that the mesh is bound to.
    pub(super) fn skeleton(&self) -> Option<&Joints> {
        let own = |path: &_| self.attributes.targets(path, "skel:skeleton");
        let target = self.prims.bound(self.prim, own)?.into_iter().next()?;
        let number = self.prims.number(&target)?;
        self.skeletons.iter().find(|joints| joints.prim == number)
    }

    fn inherited(&self, name: &str) -> Option<Value> {
        self.prims.bound(self.prim, |path| self.attributes.value(path, name))
    }

    /// The skin of vertices at `points`; `None` if the mesh isn't skinned.
    pub(super) fn skin(
        &self,
        points: &[u32],
        num_points: usize,
    ) -> Result<Option<InverseBindSkin>, ReadError> {
        self.report_ignored();
        let Some(joints) = self.skeleton().filter(|joints| joints.problem.is_none()) else {
            return Ok(None);
        };
        let Some(stored) = self.stored(num_points) else { return Ok(None) };
        if self.is_below_skin() {
            self.report(
                FindingKind::PosesMismatch,
                "the mesh is below another skinned mesh, so that USD doesn't deform it",
            );
            return Ok(None);
        }
        let mut skin = InverseBindSkin::default();
        if self.add_slots(joints, &mut skin).is_none() {
            return Ok(None);
        }
        let is_inside =
            |index: &&i32| usize::try_from(**index).is_ok_and(|index| index < skin.bones.len());
        let outside = stored.indices.iter().position(|index| !is_inside(&index));
        if let Some((at, index)) = outside.and_then(|at| Some((at, stored.indices.get(at)?))) {
            let message = format!(
                "{}.{INDICES}[{at}]: there is no joint {index} among {}; USD doesn't deform the mesh",
                self.path(),
                skin.bones.len()
            );
            self.attributes.report.add(FindingKind::BoneOutOfRange, Place::File, message);
            return Ok(None);
        }
        let mut num_off = 0u64;
        let (mut first, mut slots, mut weights) = (vec![0], Vec::new(), Vec::new());
        self.attributes
            .take::<[u32; 2]>(points.len().saturating_mul(stored.per_point + 1), "influences")?;
        for &point in points {
            let begin = if stored.is_constant { 0 } else { point as usize * stored.per_point };
            let range = begin..begin.saturating_add(stored.per_point);
            let own = stored.indices.get(range.clone()).unwrap_or_default();
            let of_own = stored.weights.get(range).unwrap_or_default();
            for (&index, &weight) in own.iter().zip(of_own) {
                if weight != 0.0 {
                    slots.push(u32::try_from(index).unwrap_or(u32::MAX));
                    weights.push(weight);
                }
            }
            let missing = 1.0 - of_own.iter().sum::<f32>();
            num_off += u64::from(missing.abs() > SUM_TOLERANCE);
            first.push(as_u32(slots.len()));
        }
        skin.influences = Influences::Rows { first, slots, weights };
        let method = self.inherited("primvars:skel:skinningMethod").and_then(token);
        if method.as_deref() == Some("dualQuaternion") {
            skin.blending = Blending::DualQuaternion;
        } else if num_off > 0 {
            let vertices = counted(num_off, "vertex");
            let message = format!(
                "the weights of {vertices} don't add up to 1; USD doesn't divide by their sum, as is done here"
            );
            self.report(FindingKind::OtherConvention, &message);
        }
        Ok(Some(skin))
    }

    /// The influences, if they fit the points.
    fn stored(&self, num_points: usize) -> Option<Stored> {
        let indices = self.inherited(INDICES).and_then(ints)?;
        let weights = self.inherited(WEIGHTS).and_then(floats)?;
        let metadata = |name: &str, key: &str| {
            let owner = self
                .prims
                .bound(self.prim, |path| self.attributes.value(path, name).map(|_| path.clone()));
            self.attributes.metadata(&owner?, name, key)
        };
        let interpolation = |name| metadata(name, "interpolation").and_then(token);
        let size = |name| {
            let stated = metadata(name, "elementSize").and_then(|size| number(&size));
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates"
            )]
            let stated = stated.unwrap_or(1.0) as usize;
            stated
        };
        let is_constant = match interpolation(INDICES).as_deref() {
            None | Some("constant") => true,
            Some("vertex") => false,
            Some(other) => {
                let message = format!("{INDICES}: the interpolation {other:?} isn't possible");
                self.report(FindingKind::BrokenRecord, &message);
                return None;
            }
        };
        let stated = size(INDICES);
        let num_rows = if is_constant { 1 } else { num_points };
        let of_weights = size(WEIGHTS);
        let fault = if stated != of_weights {
            format!("elementSize is {stated}, and {of_weights} for weights")
        } else if indices.len() != weights.len() {
            format!("{} weights for {} joints", weights.len(), indices.len())
        } else if indices.len() != num_rows.saturating_mul(stated) {
            format!(
                "{} for {} with {stated} each",
                counted(indices.len() as u64, "influence"),
                counted(num_rows as u64, "point"),
            )
        } else {
            return Some(Stored { indices, weights, per_point: stated, is_constant });
        };
        let message = format!("{INDICES}: {fault}; USD doesn't deform the mesh");
        self.report(FindingKind::BrokenRecord, &message);
        None
    }

    /// Whether an ancestor is a skinned mesh.
    fn is_below_skin(&self) -> bool {
        let mut outer = self.prims.list.get(self.prim).and_then(|prim| prim.parent);
        while let Some(number) = outer {
            let Some(prim) = self.prims.list.get(number) else { break };
            let own = Binding { prim: number, ..*self };
            if prim.kind == PrimKind::Mesh
                && own.skeleton().is_some()
                && own.inherited(INDICES).is_some()
            {
                return true;
            }
            outer = prim.parent;
        }
        false
    }

    /// Reports a binding that OpenUSD ignores without a warning.
    fn report_ignored(&self) {
        let own = |path: &_| self.attributes.targets(path, "skel:skeleton");
        if self.skeleton().is_some() || self.prims.inherited(self.prim, own).is_none() {
            return;
        }
        let is_inside = self.prims.list.get(self.prim).is_some_and(|prim| prim.is_in_skel_root);
        let why = if is_inside {
            "the schema SkelBindingAPI isn't applied, or the target isn't a skeleton"
        } else {
            "it is outside of a SkelRoot"
        };
        let message = format!("USD ignores the binding of the mesh to a skeleton: {why}");
        self.report(FindingKind::PosesMismatch, &message);
    }

    fn report(&self, kind: FindingKind, message: &str) {
        self.attributes.report.add(kind, Place::File, format!("{}: {message}", self.path()));
    }

    /// A slot for each joint of the mesh's own list, or of the skeleton.
    /// `None` if a joint is missing and there is no bone for it.
    fn add_slots(&self, joints: &Joints, skin: &mut InverseBindSkin) -> Option<()> {
        let geometry = self.inherited("primvars:skel:geomBindTransform").and_then(matrix);
        let geometry = geometry.unwrap_or(DMat4::IDENTITY);
        let own = self.inherited("skel:joints").and_then(tokens);
        let numbers: Vec<Option<usize>> = match &own {
            Some(names) => names.iter().map(|name| joints.number_of.get(name).copied()).collect(),
            None => (0..joints.bones.len()).map(Some).collect(),
        };
        let names = own.unwrap_or_default();
        let mut missing = names.iter().zip(&numbers).filter(|(_, number)| number.is_none());
        let num = missing.clone().count() as u64;
        self.attributes.report.add_many(FindingKind::BoneNotInSkeleton, Place::File, num, || {
            let first = missing.next().map_or("", |(name, _)| name);
            format!("{}.skel:joints: the skeleton has no joint {first:?}", self.path())
        });
        for number in numbers {
            let bone = number.and_then(|number| joints.bones.get(number));
            // A joint that the skeleton lacks doesn't move.
            let (bone, matrix) = match bone {
                Some(bone) => {
                    let bind = number.and_then(|number| joints.bind.get(number));
                    (*bone, bind.map_or(geometry, |bind| bind.inverse() * geometry))
                }
                None => (joints.root?, geometry),
            };
            skin.bones.push(bone);
            skin.bone_from_mesh.push(matrix.as_mat4());
        }
        Some(())
    }

    fn path(&self) -> String {
        let prim = self.prims.list.get(self.prim);
        prim.map_or_else(String::new, |prim| prim.path.as_str().to_owned())
    }
}
