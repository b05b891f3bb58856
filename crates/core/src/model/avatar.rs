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
    /// The bone at its end; `None` for the last one.
    pub tail: Option<BoneId>,
    /// Radius of the sphere at its end, in file units.
    pub radius: f32,
}

/// A sphere, or a capsule between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// The bone that it moves with.
    pub bone: BoneId,
    /// The centre of the sphere or of one end, in the space of the bone.
    pub center: Vec3,
    /// The other end of a capsule, in the space of the bone.
    pub tail: Option<Vec3>,
    /// In the units of the bone's space.
    pub radius: f32,
}

impl Avatar {
    /// The name of a bone in the human rig.
    pub fn humanoid_name(&self, bone: BoneId) -> Option<&str> {
        let mut bones = self.humanoid.iter();
        bones.find(|(own, _)| *own == bone).map(|(_, name)| name.as_str())
    }
}
