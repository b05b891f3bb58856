//! What a file states about an avatar (VRM): the bones of a human, facial expressions, and springs.
//!
//! For display only: expressions are presets of morph weights, and springs aren't simulated.

use glam::Vec3;

use super::{BoneId, MeshId};

/// Additional data of an avatar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Avatar {
    /// Bones with their names in the human rig, such as `leftUpperArm`.
    pub humanoid: Vec<(BoneId, String)>,
    /// Facial expressions, in the order of the file.
    pub expressions: Vec<Expression>,
    /// Hair, clothes and other parts that swing.
    pub springs: Vec<Spring>,
    /// Shapes that springs don't enter.
    pub colliders: Vec<Collider>,
}

/// A named set of morph weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// Name in the file, such as `happy`.
    pub name: String,
    /// Weights of the morph targets that it moves; all others are 0.
    pub weights: Vec<ExpressionWeight>,
    /// Changes of materials and UVs, which aren't shown.
    pub num_material_changes: usize,
}

/// The weight of a morph target in an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpressionWeight {
    /// The mesh with the morph target.
    pub mesh: MeshId,
    /// Index in the mesh.
    pub target: usize,
    /// Usually from 0 to 1.
    pub weight: f32,
}

/// A chain of bones that swings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spring {
    /// Name in the file; may be empty.
    pub name: String,
    /// Its bones, each towards the next.
    pub segments: Vec<SpringSegment>,
}

/// A bone of a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringSegment {
    /// The bone that rotates.
    pub bone: BoneId,
    /// The bone at its end, if there is one.
    pub tail: Option<BoneId>,
    /// Its end in the space of `bone` if there is no bone.
    pub tail_offset: Vec3,
    /// Radius of the sphere at its end, in file units.
    pub radius: f32,
}

/// A shape that springs don't enter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// The bone that it moves with.
    pub bone: BoneId,
    /// The centre of a sphere or of one end of a capsule, or a point of a plane, in the space of the
    /// bone.
    pub center: Vec3,
    /// What it looks like.
    pub shape: ColliderShape,
}

/// The shape of a collider, in the space and units of its bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// A sphere; springs may also be kept inside it.
    Sphere {
        /// Its radius.
        radius: f32,
    },
    /// A capsule; springs may also be kept inside it.
    Capsule {
        /// Its radius.
        radius: f32,
        /// The centre of the other end.
        tail: Vec3,
    },
    /// An endless plane; springs stay on the side of its normal.
    Plane {
        /// Unit length.
        normal: Vec3,
    },
}

impl Avatar {
    /// Whether the human rig, a spring or a collider uses a bone.
    pub fn uses(&self, bone: BoneId) -> bool {
        let mut segments = self.springs.iter().flat_map(|spring| &spring.segments);
        self.humanoid.iter().any(|(own, _)| *own == bone)
            || segments.any(|segment| segment.bone == bone || segment.tail == Some(bone))
            || self.colliders.iter().any(|collider| collider.bone == bone)
    }

    /// The name of a bone in the human rig.
    pub fn humanoid_name(&self, bone: BoneId) -> Option<&str> {
        let mut bones = self.humanoid.iter();
        bones.find(|(own, _)| *own == bone).map(|(_, name)| name.as_str())
    }
}
