//! The walk over the fields of a CMX or BCF file.
//!
//! Source: "CMX/BCF File Format" by Greg Noel (simtech) and the structures published by Don
//! Hopkins, settled on real files.
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
//! Ambiguous: some documents call the number before the properties of suits and skins unknown, or
//! a bool before one list; the bytes are the same for 0 and 1, and nothing else is known.

use super::character_file::{
    BoneRecord, CharacterFile, MotionRecord, Properties, SkeletonRecord, Skill, Suit, SuitSkin,
    TimedProperties,
};
use super::fields::{Fields, least};
use super::fields_text::TextFields;
use crate::formats::ReadError;
use crate::model::Report;

/// The version that all finished files have.
const VERSION: i32 = 300;
/// Lines before the version that may be comments.
const MAX_COMMENTS: usize = 16;

/// Reads the lines before a CMX file's first count; the version where it is not the usual one.
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

/// Reads all blocks.
pub(super) fn read<F: Fields>(fields: &mut F, report: &Report) -> Result<CharacterFile, ReadError> {
    Ok(CharacterFile {
        skeletons: list(fields, 1, 1, "number of skeletons", |f| skeleton(f, report))?,
        suits: list(fields, 1, 3, "number of suits", suit)?,
        skills: list(fields, 2, 6, "number of skills", |f| skill(f, report))?,
    })
}

/// A count and that many records of at least `strings` and `numbers`.
fn list<F: Fields, T>(
    fields: &mut F,
    strings: usize,
    numbers: usize,
    field: &'static str,
    mut record: impl FnMut(&mut F) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let num = fields.count(least(strings, numbers), field)?;
    let mut list = fields.list(num, field)?;
    for _ in 0..num {
        list.push(record(fields)?);
    }
    Ok(list)
}

fn skeleton<F: Fields>(fields: &mut F, report: &Report) -> Result<SkeletonRecord, ReadError> {
    Ok(SkeletonRecord {
        name: fields.name("skeleton name")?,
        bones: list(fields, 2, 13, "number of bones", |fields| {
            report.progress("reading bones", 0.1)?;
            bone(fields)
        })?,
    })
}

fn bone<F: Fields>(fields: &mut F) -> Result<BoneRecord, ReadError> {
    Ok(BoneRecord {
        name: fields.name("bone name")?,
        parent: fields.string("bone parent")?,
        properties: property_lists(fields)?,
        position: fields.vector("bone position")?,
        rotation: fields.vector("bone rotation")?,
        can_translate: fields.flag("bone can translate")?,
        can_rotate: fields.flag("bone can rotate")?,
        can_blend: fields.flag("bone can blend")?,
        wiggle_value: fields.float("bone wiggle value")?,
        wiggle_power: fields.float("bone wiggle power")?,
    })
}

fn suit<F: Fields>(fields: &mut F) -> Result<Suit, ReadError> {
    Ok(Suit {
        name: fields.name("suit name")?,
        kind: fields.index("suit type")?,
        properties: property_lists(fields)?,
        skins: list(fields, 2, 2, "number of skins", |fields| {
            Ok(SuitSkin {
                bone: fields.string("skin bone name")?,
                skin: fields.name("skin name")?,
                censor: fields.int("skin censor bits")?,
                properties: property_lists(fields)?,
            })
        })?,
    })
}

fn skill<F: Fields>(fields: &mut F, report: &Report) -> Result<Skill, ReadError> {
    Ok(Skill {
        name: fields.name("skill name")?,
        animation: fields.name("animation name")?,
        duration_ms: fields.float("skill duration")?,
        distance_feet: fields.float("skill distance")?,
        is_moving: fields.flag("skill moving flag")?,
        num_positions: fields.index("number of positions")?,
        num_rotations: fields.index("number of rotations")?,
        motions: list(fields, 1, 8, "number of motions", |fields| {
            report.progress("reading motions", 0.1)?;
            motion(fields)
        })?,
    })
}

fn motion<F: Fields>(fields: &mut F) -> Result<MotionRecord, ReadError> {
    Ok(MotionRecord {
        bone: fields.name("motion bone name")?,
        num_frames: fields.index("motion number of frames")?,
        duration_ms: fields.float("motion duration")?,
        has_positions: fields.flag("motion positions flag")?,
        has_rotations: fields.flag("motion rotations flag")?,
        first_position: fields.index("motion position offset")?,
        first_rotation: fields.index("motion rotation offset")?,
        properties: property_lists(fields)?,
        events: list(fields, 0, 1, "number of time property lists", |fields| {
            list(fields, 0, 2, "number of time properties", |fields| {
                Ok(TimedProperties {
                    time_ms: fields.int("event time")?,
                    properties: properties(fields)?,
                })
            })
        })?,
    })
}

fn property_lists<F: Fields>(fields: &mut F) -> Result<Vec<Properties>, ReadError> {
    list(fields, 0, 1, "number of property lists", properties)
}

fn properties<F: Fields>(fields: &mut F) -> Result<Properties, ReadError> {
    list(fields, 2, 0, "number of properties", |fields| {
        let key = fields.string("property name")?;
        Ok((key, fields.string("property value")?))
    })
}
