//! Animation files: bones or vertices over an interval of frames.

use glam::Vec3;

use super::ID;
use super::grammar::{
    Mode, NUMBER_CHARS, Representation, Stored, System, angle_unit_rad, choice, euler_order,
    floats, position, report_rest, skip_title,
};
use super::text_spans::{TextSpans, report_head};
use crate::formats::text::TextCursor;
use crate::formats::{Limits, ReadError};
use rigscope_core::model::{Element, Report};

pub(super) struct Animation {
    pub(super) num_bones: usize,
    pub(super) num_vertices: usize,
    pub(super) num_frames: usize,
    pub(super) system: System,
    pub(super) representation: Representation,
    /// First frame, last frame and step, as stored.
    pub(super) interval: [f64; 3],
    pub(super) data: Data,
}

/// The data of all frames.
pub(super) enum Data {
    /// Frames x bones.
    Bones(Vec<BoneKey>),
    /// Frames x vertices.
    Absolute(Vec<Vec3>),
    /// Copies of vertices, and the end of each frame in the list.
    BoneSpace { copies: Vec<Copy>, frame_ends: Vec<usize> },
}

/// One bone in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoneKey {
    /// Size of the box that represents the bone.
    pub(super) size: [f64; 3],
    /// The transform that vertices follow.
    pub(super) transform: Stored,
}

/// A vertex in the coordinate system of a bone.
pub(super) struct Copy {
    pub(super) bone: u32,
    pub(super) vertex: u32,
    pub(super) position: Vec3,
}

impl Animation {
    pub(super) fn mode(&self) -> Mode {
        match self.data {
            Data::Bones(_) => Mode::Bones,
            Data::Absolute(_) => Mode::MeshAbsolute,
            Data::BoneSpace { .. } => Mode::MeshBones,
        }
    }

    /// Whether both have the same frames of the same model.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.interval == other.interval
            && self.num_frames == other.num_frames
            && self.fits(other.num_bones, other.num_vertices)
    }

    pub(super) fn fits(&self, num_bones: usize, num_vertices: usize) -> bool {
        self.num_bones == num_bones && self.num_vertices == num_vertices
    }

    /// The bones of one frame; empty if the file contains vertices.
    pub(super) fn bone_keys(&self, frame: usize) -> &[BoneKey] {
        match &self.data {
            Data::Bones(keys) => slice_of(keys, frame, self.num_bones),
            _ => &[],
        }
    }

    /// The vertices of one frame; empty if the file contains something else.
    pub(super) fn vertices(&self, frame: usize) -> &[Vec3] {
        match &self.data {
            Data::Absolute(positions) => slice_of(positions, frame, self.num_vertices),
            _ => &[],
        }
    }

    /// The copies of one frame; empty if the file contains something else.
    pub(super) fn copies(&self, frame: usize) -> &[Copy] {
        let Data::BoneSpace { copies, frame_ends } = &self.data else { return &[] };
        let before = frame.checked_sub(1).and_then(|at| frame_ends.get(at));
        let end = frame_ends.get(frame).copied().unwrap_or(0);
        copies.get(before.copied().unwrap_or(0)..end).unwrap_or_default()
    }
}

fn slice_of<T>(values: &[T], frame: usize, num: usize) -> &[T] {
    let first = frame.saturating_mul(num);
    values.get(first..first.saturating_add(num)).unwrap_or_default()
}

/// A count that isn't checked against the remaining text.
fn number(cursor: &mut TextCursor<'_>, field: &'static str) -> Result<usize, ReadError> {
    let num: i64 = cursor.number(field)?;
    usize::try_from(num).map_err(|_| cursor.malformed(field, format!("{field} {num} is negative")))
}

/// Parses a text without comments.
pub(super) fn read(text: &str, limits: &Limits, report: &Report) -> Result<Animation, ReadError> {
    let mut cursor = TextCursor::new(ID, text, limits);
    let cursor = &mut cursor;
    skip_title(cursor);
    let num_bones = number(cursor, "number of bones")?;
    let num_vertices = number(cursor, "number of vertices")?;
    let num_frames = number(cursor, "number of frames")?;
    let mode = choice(cursor, "export mode", Mode::of)?;
    let system = choice(cursor, "transform system", System::of)?;
    let representation = choice(cursor, "transform representation", Representation::of)?;
    let order = choice(cursor, "euler order", euler_order)?;
    let unit_rad = choice(cursor, "angle units", angle_unit_rad)?;
    let interval = floats(cursor, "frame interval")?;

    let num_per_bone = match (mode, representation) {
        (Mode::Bones, Representation::Matrix) => 3 + 12 + 12,
        (Mode::Bones, Representation::Euler) => 3 + 6 + 6,
        (Mode::MeshAbsolute, _) => 0,
        (Mode::MeshBones, _) => 2,
    };
    let num_per_vertex = match mode {
        Mode::Bones => 0,
        Mode::MeshAbsolute => 3,
        // Each should occur at least once, but vertices without bones don't.
        Mode::MeshBones => 1,
    };
    let num_numbers = (num_bones.saturating_mul(num_per_bone))
        .saturating_add(num_vertices.saturating_mul(num_per_vertex))
        .max(1)
        .saturating_mul(num_frames);
    let left = cursor.remaining().saturating_add(1);
    if num_numbers.saturating_mul(NUMBER_CHARS)
        > left.saturating_add(num_frames.saturating_mul(NUMBER_CHARS))
    {
        let what = format!(
            "{num_frames} frames of {num_bones} bones and {num_vertices} vertices do not fit into \
             {left} characters left"
        );
        return Err(cursor.malformed("number of frames", what));
    }
    if num_frames > left || num_bones > limits.max_bones as usize {
        let what = format!("{num_frames} frames of {num_bones} bones are more than allowed");
        return Err(cursor.malformed("number of frames", what));
    }

    let look =
        |frame: usize| report.progress("reading frames", frame as f32 / num_frames as f32 * 0.5);
    report_head(cursor, report);
    let data = match mode {
        Mode::Bones => {
            let mut keys = cursor.vec(num_frames * num_bones, "bones")?;
            let mut spans = TextSpans::begin(cursor, Element::Key { clip: 0 }, report);
            for frame in 0..num_frames {
                look(frame)?;
                for _ in 0..num_bones {
                    keys.push(spans.record(cursor, |cursor| {
                        let size = floats(cursor, "bone size")?;
                        let mut transform = |field| match representation {
                            Representation::Matrix => Stored::matrix(cursor, field),
                            Representation::Euler => Stored::euler(cursor, order, unit_rad, field),
                        };
                        let key = BoneKey { size, transform: transform("bone transform")? };
                        // The node's transform is only for reference.
                        transform("node transform")?;
                        Ok(key)
                    })?);
                }
            }
            Data::Bones(keys)
        }
        Mode::MeshAbsolute => {
            let mut positions = cursor.vec(num_frames * num_vertices, "vertices")?;
            let mut spans = TextSpans::begin(cursor, Element::Frame, report);
            for frame in 0..num_frames {
                look(frame)?;
                spans.record(cursor, |cursor| {
                    for _ in 0..num_vertices {
                        positions.push(position(cursor, "vertex position")?);
                    }
                    Ok(())
                })?;
            }
            Data::Absolute(positions)
        }
        Mode::MeshBones => {
            let (mut copies, mut frame_ends) = (Vec::new(), Vec::new());
            let mut spans = TextSpans::begin(cursor, Element::Frame, report);
            for frame in 0..num_frames {
                look(frame)?;
                spans.record(cursor, |cursor| {
                    for _ in 0..num_bones {
                        copies_of_bone(cursor, num_bones, num_vertices, &mut copies)?;
                    }
                    Ok(())
                })?;
                frame_ends.push(copies.len());
            }
            Data::BoneSpace { copies, frame_ends }
        }
    };
    report_rest(cursor, report);
    Ok(Animation { num_bones, num_vertices, num_frames, system, representation, interval, data })
}

fn copies_of_bone(
    cursor: &mut TextCursor<'_>,
    num_bones: usize,
    num_vertices: usize,
    copies: &mut Vec<Copy>,
) -> Result<(), ReadError> {
    let bone = index(cursor, num_bones, "bone index")?;
    let num = cursor.count(4 * NUMBER_CHARS, "number of vertices of a bone")?;
    for _ in 0..num {
        copies.push(Copy {
            bone,
            vertex: index(cursor, num_vertices, "vertex index")?,
            position: position(cursor, "vertex position")?,
        });
    }
    Ok(())
}

fn index(cursor: &mut TextCursor<'_>, num: usize, field: &'static str) -> Result<u32, ReadError> {
    let index: i64 = cursor.number(field)?;
    match u32::try_from(index) {
        Ok(small) if (small as usize) < num => Ok(small),
        _ => Err(cursor.malformed(field, format!("{field} {index} is not below {num}"))),
    }
}
