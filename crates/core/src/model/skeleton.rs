//! Bones: names, parents, rest transforms.

use glam::{Affine3A, Vec3};

use super::{BoneId, IdVec, LocalTransform};

/// The role of a member of the skeleton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoneKind {
    /// Moves vertices, or is an ancestor of a bone that does.
    #[default]
    Bone,
    /// A node of the scene outside the skeleton: a mesh's or attachment's node, or an empty.
    Node,
    /// A node that the reader added for part of a transform (a scale that children do not inherit,
    /// say), that a writer added because its format needs it ([`super::AddedBone`]), or that isn't
    /// part of the model: posed like any other, left out of lists and counts.
    Helper,
}

/// A bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// Name in the file; if it is empty, the number is shown.
    pub name: String,
    /// Parent; `None` for a root.
    pub parent: Option<BoneId>,
    /// Transform to the parent, or to the model for roots, without any clip.
    pub rest_local: LocalTransform,
    /// Set by scene readers ([`Skeleton::set_joints`]); in other formats every member is a bone.
    pub kind: BoneKind,
    /// Size of the bone's box, from its origin along its axes, in formats that have boxes. It
    /// doesn't affect the pose; riggers recognise their rigs by it.
    pub box_size: Option<Vec3>,
}

impl Bone {
    /// Whether lists and counts leave it out.
    pub fn is_helper(&self) -> bool {
        self.kind == BoneKind::Helper
    }
}

/// Bones in file order, and an order in which parents precede children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    bones: IdVec<BoneId, Bone>,
    /// Cached because every pose starts from these.
    rest_locals: IdVec<BoneId, Affine3A>,
    order: Vec<BoneId>,
    has_hierarchy: bool,
}

/// The reason why bones don't form a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonError {
    /// A bone names a parent that does not exist.
    ParentOutOfRange {
        /// The child.
        bone: BoneId,
        /// The missing parent.
        parent: BoneId,
    },
    /// A bone is its own ancestor.
    Cycle {
        /// A bone on the cycle.
        bone: BoneId,
    },
}

impl std::fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ParentOutOfRange { bone, parent } => {
                write!(f, "parent {} of bone {} is past the last bone", parent.0, bone.0)
            }
            Self::Cycle { bone } => write!(f, "bone {} is its own ancestor", bone.0),
        }
    }
}

impl std::error::Error for SkeletonError {}

impl Skeleton {
    /// Takes bones in file order and sorts parents before children, otherwise keeping the file
    /// order.
    ///
    /// `has_hierarchy` is false for formats that store bones without parents: these are shown as a
    /// flat list instead of as many roots.
    ///
    /// # Errors
    /// If a parent doesn't exist or the bones form a cycle.
    pub fn new(bones: Vec<Bone>, has_hierarchy: bool) -> Result<Self, SkeletonError> {
        let bones = IdVec::from(bones);
        let mut order = Vec::with_capacity(bones.len());
        // 0 not seen, 1 on the path being walked, 2 placed.
        let mut state = IdVec::filled(0u8, &bones);
        let mut path = Vec::new();
        for mut at in bones.ids() {
            loop {
                match state[at] {
                    2 => break,
                    1 => return Err(SkeletonError::Cycle { bone: at }),
                    _ => {}
                }
                state[at] = 1;
                path.push(at);
                match bones[at].parent {
                    None => break,
                    Some(parent) if !bones.contains_id(parent) => {
                        return Err(SkeletonError::ParentOutOfRange { bone: at, parent });
                    }
                    Some(parent) => at = parent,
                }
            }
            while let Some(bone) = path.pop() {
                state[bone] = 2;
                order.push(bone);
            }
        }
        let rest_locals = bones.iter().map(|bone| bone.rest_local.to_affine()).collect();
        Ok(Self { bones, rest_locals, order, has_hierarchy })
    }

    /// Turns all members except `joints` and their ancestors into nodes. Helpers stay helpers.
    pub fn set_joints(&mut self, joints: impl IntoIterator<Item = BoneId>) {
        let mut is_bone = IdVec::filled(false, &self.bones);
        for joint in joints {
            if let Some(flag) = is_bone.get_mut(joint) {
                *flag = true;
            }
        }
        // Children first, so that each ancestor is marked by its descendants.
        for &id in self.order.iter().rev() {
            let (bone, is_joint) = (&mut self.bones[id], is_bone[id]);
            if let Some(parent) = bone.parent.filter(|_| is_joint) {
                is_bone[parent] = true;
            }
            if !bone.is_helper() {
                bone.kind = if is_joint { BoneKind::Bone } else { BoneKind::Node };
            }
        }
    }

    /// Changes the role of a bone; does nothing if there is no such bone.
    pub fn set_kind(&mut self, id: BoneId, kind: BoneKind) {
        if let Some(bone) = self.bones.get_mut(id) {
            bone.kind = kind;
        }
    }

    /// Adds a bone without parent, and returns its id.
    pub(crate) fn push_root(&mut self, bone: Bone) -> BoneId {
        self.push(Bone { parent: None, ..bone })
    }

    /// Adds a bone whose parent, if any, exists.
    pub(crate) fn push(&mut self, bone: Bone) -> BoneId {
        let id = BoneId::from_index(self.len());
        self.rest_locals.push(bone.rest_local.to_affine());
        self.bones.push(bone);
        self.order.push(id);
        id
    }

    /// Replaces the rest transform of a bone.
    pub(crate) fn set_rest(&mut self, id: BoneId, rest_local: LocalTransform) {
        if let (Some(bone), Some(rest)) = (self.bones.get_mut(id), self.rest_locals.get_mut(id)) {
            bone.rest_local = rest_local;
            *rest = rest_local.to_affine();
        }
    }

    /// Bones in file order.
    pub fn bones(&self) -> &IdVec<BoneId, Bone> {
        &self.bones
    }

    /// Replaces non-finite rest transforms and returns the affected bones.
    pub(super) fn reset_non_finite_rest(&mut self) -> Vec<BoneId> {
        let pairs = self.bones.iter_mut().zip(&mut self.rest_locals).enumerate();
        let bad = pairs.filter(|(_, (_, rest))| !rest.is_finite());
        bad.map(|(at, (bone, rest))| {
            bone.rest_local = LocalTransform::default();
            *rest = bone.rest_local.to_affine();
            BoneId::from_index(at)
        })
        .collect()
    }

    /// The rest transform of each bone to its parent, as a matrix.
    pub fn rest_locals(&self) -> &IdVec<BoneId, Affine3A> {
        &self.rest_locals
    }

    /// `bone_from_model` of each bone at rest: the inverse bind matrices of a mesh that is bound in the rest pose.
    /// `None` for a bone without volume.
    pub fn rest_binds(&self) -> IdVec<BoneId, Option<Affine3A>> {
        let mut model_from_bone = self.rest_locals.clone();
        for &bone in &self.order {
            if let Some(parent) = self.bones[bone].parent {
                model_from_bone[bone] = model_from_bone[parent] * model_from_bone[bone];
            }
        }
        let inverses = model_from_bone.iter().map(Affine3A::inverse);
        inverses.map(|inverse| inverse.is_finite().then_some(inverse)).collect()
    }

    /// All bones, parents before children.
    pub fn parents_first(&self) -> &[BoneId] {
        &self.order
    }

    /// Whether the file stores parents.
    pub fn has_hierarchy(&self) -> bool {
        self.has_hierarchy
    }

    /// Number of bones.
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// Whether there are no bones.
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// The bone's name, or `bone N` if it is unnamed.
    pub fn display_name(&self, bone: BoneId) -> String {
        match self.bones.get(bone) {
            Some(b) if !b.name.is_empty() => b.name.clone(),
            _ => format!("bone {}", bone.0),
        }
    }

    /// The displayed parent of every bone: the nearest ancestor that isn't a helper.
    pub fn shown_parents(&self) -> IdVec<BoneId, Option<BoneId>> {
        let mut shown = IdVec::filled(None, &self.bones);
        for &bone in &self.order {
            let parent = self.bones[bone].parent;
            shown[bone] = parent.and_then(|parent| {
                if self.bones[parent].is_helper() { shown[parent] } else { Some(parent) }
            });
        }
        shown
    }

    /// The displayed children of every bone, in file order, skipping helpers.
    pub fn shown_children(&self) -> IdVec<BoneId, Vec<BoneId>> {
        let mut children = IdVec::filled(Vec::new(), &self.bones);
        for (bone, parent) in self.shown_parents().iter_enumerated() {
            if let Some(parent) = parent.filter(|_| !self.bones[bone].is_helper()) {
                children[parent].push(bone);
            }
        }
        children
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Trs;

    fn bones(parents: &[Option<u32>]) -> Vec<Bone> {
        parents
            .iter()
            .map(|p| Bone {
                name: String::new(),
                parent: p.map(BoneId),
                rest_local: LocalTransform::Trs(Trs::IDENTITY),
                ..Bone::default()
            })
            .collect()
    }

    #[test]
    fn parents_come_first_whatever_the_file_order() {
        let skeleton = Skeleton::new(bones(&[Some(2), Some(0), None]), true).unwrap();
        assert_eq!(skeleton.parents_first(), [BoneId(2), BoneId(0), BoneId(1)]);
    }

    #[test]
    fn cycles_and_missing_parents_are_refused() {
        assert_eq!(
            Skeleton::new(bones(&[Some(1), Some(0)]), true),
            Err(SkeletonError::Cycle { bone: BoneId(0) })
        );
        assert!(matches!(
            Skeleton::new(bones(&[Some(9)]), true),
            Err(SkeletonError::ParentOutOfRange { .. })
        ));
    }

    #[test]
    fn displayed_hierarchy_skips_helpers() {
        let mut list = bones(&[None, Some(0), Some(1), Some(2)]);
        list[1].kind = BoneKind::Helper;
        list[2].kind = BoneKind::Helper;
        let skeleton = Skeleton::new(list, true).unwrap();
        assert_eq!(skeleton.shown_parents()[BoneId(3)], Some(BoneId(0)));
        let children = skeleton.shown_children();
        assert_eq!(children[BoneId(0)], [BoneId(3)]);
        assert!(children[BoneId(1)].is_empty() && children[BoneId(2)].is_empty());
    }

    #[test]
    fn only_joints_and_their_ancestors_are_bones() {
        // A root with an armature of two joints, a mesh's node and a prop at the second joint.
        let mut list = bones(&[None, Some(0), Some(1), Some(0), Some(2), Some(1)]);
        list[5].kind = BoneKind::Helper;
        let mut skeleton = Skeleton::new(list, true).unwrap();
        skeleton.set_joints([BoneId(2), BoneId(99)]);
        use BoneKind::{Bone, Helper, Node};
        let kinds: Vec<_> = skeleton.bones().iter().map(|bone| bone.kind).collect();
        assert_eq!(kinds, [Bone, Bone, Bone, Node, Node, Helper]);
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_bones_does_not_overflow_the_stack() {
        let parents: Vec<_> = (0..100_000u32).map(|i| (i < 99_999).then_some(i + 1)).collect();
        let skeleton = Skeleton::new(bones(&parents), true).unwrap();
        assert_eq!(skeleton.parents_first()[0], BoneId(99_999));
    }
}
