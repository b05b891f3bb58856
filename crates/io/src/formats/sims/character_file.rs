//! The contents of a CMX or BCF: skeletons, suits and skills.
//!
//! Not for: their meaning (`skeleton`, `read`, `clips`). Numbers are as stored: rotations are conjugates of
//! bone rotations, times are in milliseconds, lengths in feet.

/// Keys and values.
pub(super) type Properties = Vec<(String, String)>;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CharacterFile {
    pub(super) skeletons: Vec<SkeletonRecord>,
    pub(super) suits: Vec<Suit>,
    pub(super) skills: Vec<Skill>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SkeletonRecord {
    pub(super) name: String,
    pub(super) bones: Vec<BoneRecord>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BoneRecord {
    pub(super) name: String,
    /// Name of the parent; `NULL` for a root.
    pub(super) parent: String,
    pub(super) properties: Vec<Properties>,
    /// In the parent's space, feet.
    pub(super) position: [f32; 3],
    /// x y z w, conjugated.
    pub(super) rotation: [f32; 4],
    pub(super) can_translate: i32,
    pub(super) can_rotate: i32,
    pub(super) can_blend: i32,
    /// Frequency of a noise that the game doesn't use.
    pub(super) wiggle_value: f32,
    /// Amplitude of this noise.
    pub(super) wiggle_power: f32,
}

/// A set of skins for a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Suit {
    pub(super) name: String,
    /// 0 (normal) or [`Suit::CENSOR`].
    pub(super) kind: i32,
    pub(super) properties: Vec<Properties>,
    pub(super) skins: Vec<SuitSkin>,
}

impl Suit {
    /// A suit that only marks areas that the game blurs.
    pub(super) const CENSOR: i32 = 1;
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SuitSkin {
    /// Historic: the mesh itself refers to its bones.
    pub(super) bone: String,
    /// File name of the skin without extension.
    pub(super) skin: String,
    /// 1 pelvis, 2 chest, 4 head, 8 and 16 left and right hand, 32 and 64 feet.
    pub(super) censor: i32,
    pub(super) properties: Vec<Properties>,
}

/// A motion of the whole character.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Skill {
    pub(super) name: String,
    /// Name of the file of values (CFP) without extension.
    pub(super) animation: String,
    pub(super) duration_ms: f32,
    /// Distance covered by one cycle of a walk, feet.
    pub(super) distance_feet: f32,
    pub(super) is_moving: i32,
    /// Number of positions in the CFP.
    pub(super) num_positions: i32,
    /// Number of rotations in the CFP.
    pub(super) num_rotations: i32,
    pub(super) motions: Vec<MotionRecord>,
}

/// The motion of one bone in a skill.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MotionRecord {
    pub(super) bone: String,
    pub(super) num_frames: i32,
    pub(super) duration_ms: f32,
    pub(super) has_positions: i32,
    pub(super) has_rotations: i32,
    /// Index of the first position in the CFP, or -1.
    pub(super) first_position: i32,
    /// Index of the first rotation in the CFP, or -1.
    pub(super) first_rotation: i32,
    pub(super) properties: Vec<Properties>,
    pub(super) events: Vec<Vec<TimedProperties>>,
}

/// Properties at a point in time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TimedProperties {
    pub(super) time_ms: i32,
    pub(super) properties: Properties,
}
