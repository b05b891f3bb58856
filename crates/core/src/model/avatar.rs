//! Facts about an avatar (VRM): the bones of a human, facial expressions, and springs.
//!
//! Animations for avatars (`.vrma`) name the same bones and expressions: a bone of the file stores the weight of an
//! expression, and another one the direction of the gaze. Springs aren't simulated.

use glam::{Vec2, Vec3, Vec4};

use super::{BoneId, MaterialId, MaterialProperty, MeshId};

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
    /// How the avatar looks in a direction.
    pub look_at: Option<LookAt>,
    /// In an animation: the bone whose rotation relative to its parent is the direction of the gaze.
    pub gaze: Option<BoneId>,
}

/// A named set of morph weights and colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// Name in the file, such as `happy`.
    pub name: String,
    /// Weights of the morph targets that it moves; all others are 0.
    pub weights: Vec<ExpressionWeight>,
    /// Colours of materials that it changes.
    pub colors: Vec<ExpressionColor>,
    /// Transforms of textures that it changes.
    pub textures: Vec<ExpressionTextures>,
    /// Changes of materials and UVs in the file, including [`Self::colors`] and [`Self::textures`].
    pub num_material_changes: usize,
    /// Its name among VRM 1's presets; `None` for a custom expression.
    pub preset: Option<&'static str>,
    /// Whether weights up to 0.5 are 0, and others 1.
    pub is_binary: bool,
    /// Its effect on the expressions of [`ExpressionGroup`], in that order.
    pub overrides: [ExpressionOverride; 3],
    /// In an animation: the bone whose x relative to its parent is the weight.
    pub driver: Option<BoneId>,
}

/// A colour of a material in an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpressionColor {
    /// The material.
    pub material: MaterialId,
    /// The colour that changes.
    pub property: MaterialProperty,
    /// Its value at full weight, linear.
    pub value: Vec4,
}

/// The transform of all textures of a material in an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpressionTextures {
    /// The material.
    pub material: MaterialId,
    /// [`super::TextureTransform::offset`] at full weight.
    pub offset: Vec2,
    /// [`super::TextureTransform::scale`] at full weight.
    pub scale: Vec2,
}

/// Expressions that others override.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionGroup {
    /// `blink`, `blinkLeft`, `blinkRight`.
    Blink,
    /// `lookUp`, `lookDown`, `lookLeft`, `lookRight`.
    LookAt,
    /// `aa`, `ih`, `ou`, `ee`, `oh`.
    Mouth,
}

/// The effect of an expression on a group of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExpressionOverride {
    /// None.
    #[default]
    None,
    /// Their weight is 0 while its own is above 0.
    Block,
    /// Their weight is reduced by its own.
    Blend,
}

/// The presets of VRM 1, each with its name in VRM 0, and its group.
const PRESETS: [(&str, &str, Option<ExpressionGroup>); 18] = {
    use ExpressionGroup::*;
    [
        ("happy", "joy", None),
        ("angry", "angry", None),
        ("sad", "sorrow", None),
        ("relaxed", "fun", None),
        ("surprised", "", None),
        ("neutral", "neutral", None),
        ("aa", "a", Some(Mouth)),
        ("ih", "i", Some(Mouth)),
        ("ou", "u", Some(Mouth)),
        ("ee", "e", Some(Mouth)),
        ("oh", "o", Some(Mouth)),
        ("blink", "blink", Some(Blink)),
        ("blinkLeft", "blink_l", Some(Blink)),
        ("blinkRight", "blink_r", Some(Blink)),
        ("lookUp", "lookup", Some(LookAt)),
        ("lookDown", "lookdown", Some(LookAt)),
        ("lookLeft", "lookleft", Some(LookAt)),
        ("lookRight", "lookright", Some(LookAt)),
    ]
};

impl Expression {
    /// The name of a preset of VRM 1.
    pub fn preset_of_vrm_1(name: &str) -> Option<&'static str> {
        PRESETS.iter().find(|(own, ..)| *own == name).map(|(own, ..)| *own)
    }

    /// The preset of VRM 1 for one of VRM 0.
    pub fn preset_of_vrm_0(name: &str) -> Option<&'static str> {
        let mut presets = PRESETS.iter().filter(|_| !name.is_empty());
        presets.find(|(_, old, _)| *old == name).map(|(own, ..)| *own)
    }

    /// The name by which an animation refers to it: the preset, or its own name.
    pub fn key(&self) -> &str {
        self.preset.unwrap_or(&self.name)
    }

    /// The group whose overrides apply to it.
    pub fn group(&self) -> Option<ExpressionGroup> {
        PRESETS.iter().find(|(own, ..)| Some(*own) == self.preset)?.2
    }
}

/// How an avatar looks in a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    /// Whether the weights of expressions change; otherwise the bones of the eyes rotate.
    pub by_expressions: bool,
    /// Sideways, for the eye on the other side.
    pub inner: LookAtRange,
    /// Sideways, for the eye on this side, and for expressions.
    pub outer: LookAtRange,
    /// Downwards.
    pub down: LookAtRange,
    /// Upwards.
    pub up: LookAtRange,
}

/// How far an eye turns, or the weight of an expression, depending on the angle of the gaze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAtRange {
    /// The angle from which the output stays the same, in degrees.
    pub most_input_deg: f32,
    /// The output at that angle: degrees, or a weight.
    pub most_output: f32,
}

impl LookAtRange {
    /// The output for an angle of the gaze in degrees, which is at least 0.
    pub fn output(&self, input_deg: f32) -> f32 {
        self.most_output * (input_deg / self.most_input_deg).clamp(0.0, 1.0)
    }

    /// The smallest angle of the gaze in degrees for an output; 0 if there is no output for any angle.
    pub fn input_deg(&self, output: f32) -> f32 {
        let share = output / self.most_output;
        if share.is_finite() { share.clamp(0.0, 1.0) * self.most_input_deg } else { 0.0 }
    }
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
    /// Its shape.
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
    /// Whether the human rig, a spring or a collider uses a bone, or a weight or the gaze is stored in it.
    pub fn uses(&self, bone: BoneId) -> bool {
        let mut segments = self.springs.iter().flat_map(|spring| &spring.segments);
        self.value_bones().any(|own| own == bone)
            || self.humanoid.iter().any(|(own, _)| *own == bone)
            || segments.any(|segment| segment.bone == bone || segment.tail == Some(bone))
            || self.colliders.iter().any(|collider| collider.bone == bone)
    }

    /// The bones of an animation that only store the weight of an expression or the gaze.
    pub fn value_bones(&self) -> impl Iterator<Item = BoneId> {
        let drivers = self.expressions.iter().filter_map(|expression| expression.driver);
        drivers.chain(self.gaze)
    }

    /// The bone with a name in the human rig.
    pub fn human_bone(&self, name: &str) -> Option<BoneId> {
        self.humanoid.iter().find(|(_, own)| own == name).map(|(bone, _)| *bone)
    }

    /// The name of a bone in the human rig.
    pub fn humanoid_name(&self, bone: BoneId) -> Option<&str> {
        let mut bones = self.humanoid.iter();
        bones.find(|(own, _)| *own == bone).map(|(_, name)| name.as_str())
    }
}
