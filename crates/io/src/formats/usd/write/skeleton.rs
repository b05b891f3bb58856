//! The skeleton: joints with their paths and transforms, and the slots of meshes.
//!
//! Source: OpenUSD, `UsdSkelSkeleton` and `UsdSkelBindingAPI`. A slot of the model is a matrix from the mesh to the
//! bone; USD has one bind transform per joint and one geometry transform per mesh: `inverse(bind) * geomBindTransform`.

use std::collections::HashMap;

use glam::{Affine3A, DMat4, Mat4};
use openusd::gf::Matrix4d;
use openusd::sdf::{Path, Value};

use super::super::ID;
use super::layer::{Layer, tokens};
use super::names::Names;
use crate::formats::WriteError;
use crate::formats::added_bones::{SECOND_BIND, WITHOUT_WEIGHTS, report_added_bone};
use rigscope_core::model::{
    BoneId, FindingKind, IdVec, Model, Place, Report, STILL_NAME, copy_name,
};
use rigscope_core::pose::{PoseSpec, sample};

/// Matrices whose elements differ by less, relative to the largest, bind alike.
const TOLERANCE: f64 = 1e-6;
/// The paths of all joints together.
const MAX_PATH_BYTES: usize = 256 << 20;

/// A joint.
struct Joint {
    path: String,
    /// Its name in the model.
    name: String,
    /// Transform to the parent.
    rest: Affine3A,
    /// `world_from_joint` when binding; `None` until a mesh is bound.
    bind: Option<DMat4>,
    /// `world_from_joint` at rest.
    world: DMat4,
}

/// The joints of a skeleton.
pub(super) struct Joints {
    list: Vec<Joint>,
    /// The joints of each bone, or of vertices without one: its own, and copies with other bind transforms.
    of_bone: HashMap<Option<BoneId>, Vec<usize>>,
    /// The origin of each joint.
    pub(super) bones: Vec<Option<BoneId>>,
    names: HashMap<String, Names>,
    num_bytes: usize,
}

impl Joints {
    pub(super) fn of(model: &Model, bones: &[BoneId]) -> Result<Self, WriteError> {
        let mut joints = Self {
            list: Vec::new(),
            of_bone: HashMap::new(),
            bones: Vec::new(),
            names: HashMap::new(),
            num_bytes: 0,
        };
        let pose = sample(model, &PoseSpec::default());
        let mut place: IdVec<BoneId, Option<usize>> = IdVec::filled(None, model.skeleton.bones());
        for &id in bones {
            let Some(bone) = model.skeleton.bones().get(id) else { continue };
            let parent = bone.parent.and_then(|parent| place.get(parent)).copied().flatten();
            let rest = bone.rest_local.to_affine();
            let world = pose.model_from_bone.get(id).copied().unwrap_or_default();
            let at = joints.push(parent, &bone.name, rest, Some(id))?;
            if let Some(joint) = joints.list.get_mut(at) {
                joint.world = double(&world);
            }
            joints.of_bone.insert(Some(id), vec![at]);
            if let Some(place) = place.get_mut(id) {
                *place = Some(at);
            }
        }
        Ok(joints)
    }

    fn push(
        &mut self,
        parent: Option<usize>,
        name: &str,
        rest: Affine3A,
        bone: Option<BoneId>,
    ) -> Result<usize, WriteError> {
        let outer = parent.and_then(|at| self.list.get(at));
        let (folder, world) = outer.map_or_else(
            || (String::new(), DMat4::IDENTITY),
            |outer| (format!("{}/", outer.path), outer.world),
        );
        let own = self.names.entry(folder.clone()).or_default().identifier(name, "joint");
        let path = format!("{folder}{own}");
        self.num_bytes = self.num_bytes.saturating_add(path.len());
        if self.num_bytes > MAX_PATH_BYTES {
            return Err(WriteError::TooMany {
                format: ID,
                what: "bytes of joint paths",
                count: self.num_bytes as u64,
                limit: MAX_PATH_BYTES as u64,
            });
        }
        self.list.push(Joint {
            path,
            name: name.to_owned(),
            rest,
            bind: None,
            world: world * double(&rest),
        });
        self.bones.push(bone);
        Ok(self.list.len() - 1)
    }

    /// The paths of joints.
    pub(super) fn path(&self, joint: usize) -> &str {
        self.list.get(joint).map_or("", |joint| &joint.path)
    }

    /// The joint of a bone.
    pub(super) fn of_bone(&self, bone: BoneId) -> Option<usize> {
        self.of_bone.get(&Some(bone))?.first().copied()
    }

    /// A joint that never moves, for vertices without weights.
    fn still(&mut self, report: &Report) -> Result<usize, WriteError> {
        if let Some(at) = self.of_bone.get(&None).and_then(|own| own.first()) {
            return Ok(*at);
        }
        report_added_bone(STILL_NAME, WITHOUT_WEIGHTS, report);
        let at = self.push(None, STILL_NAME, Affine3A::IDENTITY, None)?;
        if let Some(joint) = self.list.get_mut(at) {
            joint.bind = Some(DMat4::IDENTITY);
        }
        self.of_bone.insert(None, vec![at]);
        Ok(at)
    }

    /// The geometry transform of a mesh with these slots (without a bone: a slot that doesn't move), and the joint of
    /// each.
    pub(super) fn bind(
        &mut self,
        slots: &[(Option<BoneId>, Mat4)],
        is_rigid: bool,
        report: &Report,
    ) -> Result<(DMat4, Vec<usize>), WriteError> {
        let mut list = Vec::with_capacity(slots.len());
        for (bone, matrix) in slots {
            let own = bone.and_then(|bone| Some((bone, self.of_bone(bone)?)));
            let (bone, joint) = match own {
                Some((bone, joint)) => (Some(bone), joint),
                None => (None, self.still(report)?),
            };
            list.push((bone, joint, affine(matrix)));
        }
        if let ([(_, joint, _)], true) = (&list[..], is_rigid)
            && let Some(joint) = self.list.get_mut(*joint)
        {
            joint.bind.get_or_insert(joint.world);
        }
        let known = list.iter().find_map(|(_, joint, matrix)| {
            let bind = self.list.get(*joint)?.bind?;
            Some(bind * *matrix)
        });
        // Most meshes share the pose that they are bound in.
        let is_same = |wanted: &DMat4| {
            list.iter().all(|(_, joint, matrix)| {
                let bind = self.list.get(*joint).and_then(|joint| joint.bind);
                bind.is_none_or(|bind| is_near(&(bind * *matrix), wanted))
            })
        };
        let identity = Some(DMat4::IDENTITY).filter(is_same);
        let geometry = identity.or(known).unwrap_or(DMat4::IDENTITY);
        let mut joints = Vec::with_capacity(list.len());
        for (bone, joint, matrix) in list {
            joints.push(self.bound(bone, joint, &matrix, &geometry, report)?);
        }
        Ok((geometry, joints))
    }

    /// The joint of a bone with this bind transform, created if all others differ.
    fn bound(
        &mut self,
        bone: Option<BoneId>,
        joint: usize,
        matrix: &DMat4,
        geometry: &DMat4,
        report: &Report,
    ) -> Result<usize, WriteError> {
        let wanted = *geometry * matrix.inverse();
        if !wanted.is_finite() {
            report.add(
                FindingKind::Altered,
                Place::File,
                "a bind matrix can't be inverted, so that the rest pose of its bone is written",
            );
            return Ok(joint);
        }
        let alike = |at: usize, own: &Self| {
            let bind = own.list.get(at).and_then(|joint| joint.bind);
            bind.map(|bind| is_near(&(bind * *matrix), geometry))
        };
        let candidates = self.of_bone.get(&bone).cloned().unwrap_or_default();
        if let Some(found) = candidates.iter().find(|at| alike(**at, self) == Some(true)) {
            return Ok(*found);
        }
        if let Some(own) = self.list.get_mut(joint).filter(|own| own.bind.is_none()) {
            own.bind = Some(wanted);
            return Ok(joint);
        }
        let name = copy_name(self.list.get(joint).map_or("", |own| &own.name));
        report_added_bone(&name, SECOND_BIND, report);
        let copy = self.push(Some(joint), &name, Affine3A::IDENTITY, None)?;
        if let Some(own) = self.list.get_mut(copy) {
            own.bind = Some(wanted);
        }
        self.of_bone.entry(bone).or_default().push(copy);
        Ok(copy)
    }

    /// Writes the joints as attributes of the skeleton's prim.
    pub(super) fn write(&self, prim: &Path, layer: &mut Layer) {
        let paths = tokens(self.list.iter().map(|joint| &joint.path));
        layer.attribute(prim, "joints", "token[]").uniform().value(paths);
        let is_plain = |joint: &Joint| joint.path.rsplit('/').next() == Some(joint.name.as_str());
        if !self.list.iter().all(is_plain) {
            let names = tokens(self.list.iter().map(|joint| &joint.name));
            layer.attribute(prim, "jointNames", "token[]").uniform().value(names);
        }
        let bind = |joint: &Joint| stored(&joint.bind.unwrap_or(joint.world));
        let bind = Value::Matrix4dVec(self.list.iter().map(bind).collect());
        layer.attribute(prim, "bindTransforms", "matrix4d[]").uniform().value(bind);
        let rest = |joint: &Joint| stored(&double(&joint.rest));
        let rest = Value::Matrix4dVec(self.list.iter().map(rest).collect());
        layer.attribute(prim, "restTransforms", "matrix4d[]").uniform().value(rest);
    }
}

/// A matrix for row vectors.
pub(super) fn stored(matrix: &DMat4) -> Matrix4d {
    Matrix4d(matrix.to_cols_array())
}

/// A matrix in double precision.
pub(super) fn double(matrix: &Affine3A) -> DMat4 {
    Mat4::from(*matrix).as_dmat4()
}

/// The last row is ignored when posing.
fn affine(matrix: &Mat4) -> DMat4 {
    let mut matrix = matrix.as_dmat4();
    for column in [&mut matrix.x_axis, &mut matrix.y_axis, &mut matrix.z_axis] {
        column.w = 0.0;
    }
    matrix.w_axis.w = 1.0;
    matrix
}

fn is_near(a: &DMat4, b: &DMat4) -> bool {
    let size = b.to_cols_array().iter().fold(1.0f64, |size, value| size.max(value.abs()));
    a.abs_diff_eq(*b, size * TOLERANCE)
}
