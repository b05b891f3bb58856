//! The word that users see for members of the skeleton.
//!
//! Readers create a bone for every node of a scene, since meshes are attached to nodes as they are
//! to bones. If nothing is skinned, users know these as nodes. Not for: file formats and JSON,
//! whose terms are fixed.

use super::{BoneId, BoneKind, Mesh, Model, Skin, counted};

/// The word for a member of the skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneNoun {
    /// It may deform vertices.
    Bone,
    /// It only moves whole meshes.
    Node,
}

impl BoneNoun {
    /// Singular.
    pub fn one(self) -> &'static str {
        match self {
            Self::Bone => "bone",
            Self::Node => "node",
        }
    }

    /// Plural.
    pub fn many(self) -> &'static str {
        match self {
            Self::Bone => "bones",
            Self::Node => "nodes",
        }
    }

    /// Plural, capitalized for headings.
    pub fn title(self) -> &'static str {
        match self {
            Self::Bone => "Bones",
            Self::Node => "Nodes",
        }
    }
}

impl Model {
    /// The word for the members of the skeleton: "node" if there are meshes and none has a skin.
    pub fn bone_noun(&self) -> BoneNoun {
        let is_rigid = |mesh: &Mesh| matches!(mesh.skin, Skin::None);
        if !self.meshes.is_empty() && self.meshes.iter().all(is_rigid) {
            BoneNoun::Node
        } else {
            BoneNoun::Bone
        }
    }

    /// The word for one member of the skeleton: a scene with a skin also has nodes that aren't
    /// bones.
    pub fn noun_of(&self, bone: BoneId) -> BoneNoun {
        let kind = self.skeleton.bones().get(bone).map(|bone| bone.kind);
        if kind.is_some_and(|kind| kind != BoneKind::Bone) {
            BoneNoun::Node
        } else {
            self.bone_noun()
        }
    }

    /// Number of bones: the only count of bones that is shown or written. Nodes that aren't bones, and helpers, don't
    /// count.
    #[must_use]
    pub fn num_bones(&self) -> usize {
        self.num_called(BoneNoun::Bone)
    }

    /// Number of nodes that aren't bones, without helpers.
    #[must_use]
    pub fn num_nodes(&self) -> usize {
        self.num_called(BoneNoun::Node)
    }

    /// Bones and other nodes in words: `44 bones, 14 other nodes`, or `5 nodes` if none is a bone.
    #[must_use]
    pub fn bones_text(&self) -> String {
        let (num_bones, num_nodes) = (self.num_bones() as u64, self.num_nodes() as u64);
        match (self.bone_noun(), num_nodes) {
            (BoneNoun::Node, _) => counted(num_nodes, "node"),
            (BoneNoun::Bone, 0) => counted(num_bones, "bone"),
            _ => format!("{}, {}", counted(num_bones, "bone"), counted(num_nodes, "other node")),
        }
    }

    fn num_called(&self, noun: BoneNoun) -> usize {
        let bones = self.skeleton.bones();
        let of_kind = |kind| bones.iter().filter(|bone| bone.kind == kind).count();
        match (self.bone_noun(), noun) {
            (BoneNoun::Node, BoneNoun::Node) => of_kind(BoneKind::Bone) + of_kind(BoneKind::Node),
            (BoneNoun::Node, BoneNoun::Bone) => 0,
            (BoneNoun::Bone, BoneNoun::Node) => of_kind(BoneKind::Node),
            (BoneNoun::Bone, BoneNoun::Bone) => of_kind(BoneKind::Bone),
        }
    }

    /// Whether there is nothing to report about bones or nodes.
    pub fn has_no_bones(&self) -> bool {
        self.skeleton.is_empty() && self.bone_noun() == BoneNoun::Node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Bone, InverseBindSkin, MeshId, Skeleton};

    #[test]
    fn bones_are_called_nodes_if_all_meshes_are_rigid() {
        let mut model = Model::default();
        assert_eq!(model.bone_noun(), BoneNoun::Bone, "only a skeleton");
        model.meshes = vec![Mesh::default(), Mesh::default()].into();
        assert_eq!(model.bone_noun(), BoneNoun::Node);
        assert!(model.has_no_bones());
        model.meshes[MeshId(1)].skin = Skin::InverseBind(InverseBindSkin::default());
        assert_eq!(model.bone_noun(), BoneNoun::Bone);
        assert!(!model.has_no_bones());
    }

    #[test]
    fn bones_and_other_nodes_are_counted_separately_and_helpers_not_at_all() {
        let of_kind = |kind| Bone { kind, ..Bone::default() };
        let kinds = [BoneKind::Bone, BoneKind::Bone, BoneKind::Node, BoneKind::Helper];
        let mut model = Model {
            skeleton: Skeleton::new(kinds.map(of_kind).to_vec(), true).unwrap(),
            ..Model::default()
        };
        assert_eq!((model.num_bones(), model.num_nodes()), (2, 1));
        assert_eq!(model.bones_text(), "2 bones, 1 other node");
        model.meshes = vec![Mesh::default()].into();
        assert_eq!((model.num_bones(), model.num_nodes()), (0, 3), "all meshes are rigid");
        assert_eq!(model.bones_text(), "3 nodes");
    }
}
