//! The walk over the fields of a CMX or BCF file, for reading and writing.
//!
//! Source: "CMX/BCF File Format" by Greg Noel (simtech) and the structures published by Don Hopkins, verified
//! with real files.
//!
//! | block | fields in order |
//! |---|---|
//! | file | i32 and skeletons; i32 and suits; i32 and skills |
//! | skeleton | name; i32 and bones |
//! | bone | name; parent (`NULL`: none); lists of properties; 3 x f32; 4 x f32 x y z w; i32 can translate, rotate, blend; f32 wiggle value, power |
//! | suit | name; i32 kind; lists of properties; i32 and skins |
//! | skin | bone; file; i32 censor bits; lists of properties |
//! | skill | name; CFP file; f32 duration ms, distance ft; i32 moving, positions, rotations; i32 and motions |
//! | motion | bone; i32 frames; f32 duration; i32 has positions, has rotations, first position, first rotation; lists of properties; lists of timed properties |
//! | lists of properties | i32 n, each: i32 pairs, each: key, value |
//! | lists of timed properties | i32 n, each: i32 times, each: i32 ms; i32 pairs, each: key, value |
//!
//! A CMX begins with a `//` comment and a line `version 300`; a BCF has no signature.
//!
//! Ambiguous: some documents call the number before the properties of suits and skins unknown, or a bool
//! before a single list; for 0 and 1 the bytes are the same, and no other values are known.

use super::character_file::{
    BoneRecord, CharacterFile, MotionRecord, Properties, SkeletonRecord, Skill, Suit, SuitSkin,
    TimedProperties,
};
use super::fields::{Fields, least};
use super::rows::rows;
use super::text_fields::TextFields;
use super::walk::Walk;
use crate::formats::ReadError;
use rigscope_core::model::Element;

/// The version of all released files.
const VERSION: i32 = 300;
/// Maximum number of comment lines before the version.
const MAX_COMMENTS: usize = 16;

/// Reads the lines before a CMX file's first count; returns the version if it's unusual.
pub(super) fn read_text_head(fields: &mut TextFields<'_>) -> Result<Option<String>, ReadError> {
    let field = "version";
    for _ in 0..MAX_COMMENTS {
        let line = fields.line_with_text(field)?;
        if line.starts_with("//") {
            continue;
        }
        let mut words = line.split_whitespace();
        let is_version = words.next().is_some_and(|w| w.eq_ignore_ascii_case(field));
        if !is_version {
            break;
        }
        let version = words.next().unwrap_or_default();
        let is_usual = version.parse() == Ok(VERSION);
        return Ok((!is_usual).then(|| version.to_owned()));
    }
    Err(fields.malformed(field, "no line \"version 300\"".to_owned()))
}

pub(super) fn walk<W: Walk>(walk: &mut W, file: &mut CharacterFile) -> Result<(), W::Error> {
    let skeletons = rows("number of skeletons", least(1, 1));
    walk.list(skeletons, &mut file.skeletons, skeleton)?;
    let suits = rows("number of suits", least(1, 3)).of(Element::Suit, &[]);
    walk.list(suits, &mut file.suits, suit)?;
    let skills = rows("number of skills", least(2, 6)).of(Element::Skill, &[]);
    walk.list(skills, &mut file.skills, skill)
}

fn skeleton<W: Walk>(walk: &mut W, skeleton: &mut SkeletonRecord) -> Result<(), W::Error> {
    walk.name("skeleton name", &mut skeleton.name)?;
    let bones = rows("number of bones", least(2, 13)).of(Element::Bone, &[]);
    walk.list(bones, &mut skeleton.bones, bone)?;
    Ok(())
}

fn bone<W: Walk>(walk: &mut W, bone: &mut BoneRecord) -> Result<(), W::Error> {
    walk.name("bone name", &mut bone.name)?;
    walk.string("bone parent", &mut bone.parent)?;
    property_lists(walk, &mut bone.properties)?;
    walk.vector("bone position", &mut bone.position)?;
    walk.vector("bone rotation", &mut bone.rotation)?;
    walk.flag("bone can translate", &mut bone.can_translate)?;
    walk.flag("bone can rotate", &mut bone.can_rotate)?;
    walk.flag("bone can blend", &mut bone.can_blend)?;
    walk.float("bone wiggle value", &mut bone.wiggle_value)?;
    walk.float("bone wiggle power", &mut bone.wiggle_power)
}

fn suit<W: Walk>(walk: &mut W, suit: &mut Suit) -> Result<(), W::Error> {
    walk.name("suit name", &mut suit.name)?;
    walk.index("suit type", &mut suit.kind)?;
    property_lists(walk, &mut suit.properties)?;
    let skins = rows("number of skins", least(2, 2));
    walk.list(skins, &mut suit.skins, suit_skin)?;
    Ok(())
}

fn suit_skin<W: Walk>(walk: &mut W, skin: &mut SuitSkin) -> Result<(), W::Error> {
    walk.string("skin bone name", &mut skin.bone)?;
    walk.name("skin name", &mut skin.skin)?;
    walk.int("skin censor bits", &mut skin.censor)?;
    property_lists(walk, &mut skin.properties)
}

fn skill<W: Walk>(walk: &mut W, skill: &mut Skill) -> Result<(), W::Error> {
    walk.name("skill name", &mut skill.name)?;
    walk.name("animation name", &mut skill.animation)?;
    walk.float("skill duration", &mut skill.duration_ms)?;
    walk.float("skill distance", &mut skill.distance_feet)?;
    walk.flag("skill moving flag", &mut skill.is_moving)?;
    walk.index("number of positions", &mut skill.num_positions)?;
    walk.index("number of rotations", &mut skill.num_rotations)?;
    let motions = rows("number of motions", least(1, 8));
    walk.list(motions, &mut skill.motions, motion)?;
    Ok(())
}

fn motion<W: Walk>(walk: &mut W, motion: &mut MotionRecord) -> Result<(), W::Error> {
    walk.name("motion bone name", &mut motion.bone)?;
    walk.index("motion number of frames", &mut motion.num_frames)?;
    walk.float("motion duration", &mut motion.duration_ms)?;
    walk.flag("motion positions flag", &mut motion.has_positions)?;
    walk.flag("motion rotations flag", &mut motion.has_rotations)?;
    walk.index("motion position offset", &mut motion.first_position)?;
    walk.index("motion rotation offset", &mut motion.first_rotation)?;
    property_lists(walk, &mut motion.properties)?;
    let lists = rows("number of time property lists", least(0, 1));
    walk.list(lists, &mut motion.events, |walk, list| {
        let times = rows("number of time properties", least(0, 2));
        walk.list(times, list, timed)?;
        Ok(())
    })?;
    Ok(())
}

fn timed<W: Walk>(walk: &mut W, timed: &mut TimedProperties) -> Result<(), W::Error> {
    walk.int("event time", &mut timed.time_ms)?;
    properties(walk, &mut timed.properties)
}

fn property_lists<W: Walk>(walk: &mut W, lists: &mut Vec<Properties>) -> Result<(), W::Error> {
    let count = rows("number of property lists", least(0, 1));
    walk.list(count, lists, properties)?;
    Ok(())
}

fn properties<W: Walk>(walk: &mut W, pairs: &mut Properties) -> Result<(), W::Error> {
    let count = rows("number of properties", least(2, 0));
    walk.list(count, pairs, |walk, (key, value)| {
        walk.string("property name", key)?;
        walk.string("property value", value)
    })?;
    Ok(())
}
