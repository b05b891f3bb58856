//! A character file as CMX and BCF hold it: skeletons, suits and skills.
//!
//! Not for: what it means (`skeleton`, `read`, `clips`). Numbers stand as stored: rotations are
//! the conjugates of what turns a bone, times are milliseconds, lengths feet.

/// Keys and values.
pub(super) type Properties = Vec<(String, String)>;

/// A character file as it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CharacterFile {
    pub(super) skeletons: Vec<SkeletonRecord>,
    pub(super) suits: Vec<Suit>,
    pub(super) skills: Vec<Skill>,
}

/// A skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SkeletonRecord {
    pub(super) name: String,
    pub(super) bones: Vec<BoneRecord>,
}

/// A bone at rest.
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
    /// Frequency of a noise that the game leaves unused.
    pub(super) wiggle_value: f32,
    /// Strength of the same.
    pub(super) wiggle_power: f32,
}

/// What a character wears.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Suit {
    pub(super) name: String,
    /// 0 normal, [`Suit::CENSOR`].
    pub(super) kind: i32,
    pub(super) properties: Vec<Properties>,
    pub(super) skins: Vec<SuitSkin>,
}

impl Suit {
    /// Kind of a suit that only marks what the game blurs.
    pub(super) const CENSOR: i32 = 1;
}

/// A skin of a suit.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SuitSkin {
    /// Historic: the mesh names its own bones.
    pub(super) bone: String,
    /// Name of the skin's file, without extension.
    pub(super) skin: String,
    /// 1 pelvis, 2 chest, 4 head, 8 and 16 left and right hand, 32 and 64 feet.
    pub(super) censor: i32,
    pub(super) properties: Vec<Properties>,
}

/// A motion of a whole character.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Skill {
    pub(super) name: String,
    /// Name of the file of values (CFP), without extension.
    pub(super) animation: String,
    pub(super) duration_ms: f32,
    /// Distance that one turn of a walk covers, feet.
    pub(super) distance_feet: f32,
    pub(super) is_moving: i32,
    /// Positions in the CFP.
    pub(super) num_positions: i32,
    /// Rotations in the CFP.
    pub(super) num_rotations: i32,
    pub(super) motions: Vec<MotionRecord>,
}

/// One bone's part in a skill.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MotionRecord {
    pub(super) bone: String,
    pub(super) num_frames: i32,
    pub(super) duration_ms: f32,
    pub(super) has_positions: i32,
    pub(super) has_rotations: i32,
    /// First of the CFP's positions, or -1.
    pub(super) first_position: i32,
    /// First of the CFP's rotations, or -1.
    pub(super) first_rotation: i32,
    pub(super) properties: Vec<Properties>,
    pub(super) events: Vec<Vec<TimedProperties>>,
}

/// Properties at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TimedProperties {
    pub(super) time_ms: i32,
    pub(super) properties: Properties,
}
