//! Structure files: bones, vertices and weights at the time of attaching.

use glam::Vec3;

use super::ID;
use super::grammar::{NUMBER_CHARS, Stored, float, floats, position, report_rest, skip_title};
use super::text_spans::{TextSpans, report_head};
use crate::formats::text::TextCursor;
use crate::formats::{Limits, ReadError};
use rigscope_core::model::{Element, FindingKind, Place, Report, as_u32};

/// Minimum length of `<>`, parent, sizes and two matrices, in characters.
const BONE_CHARS: usize = 3 + NUMBER_CHARS * (1 + 3 + 12 + 12);
/// Minimum length of position and influence count, in characters.
const VERTEX_CHARS: usize = NUMBER_CHARS * 4;
/// Number of vertices between checks for cancellation.
const VERTICES_PER_LOOK: usize = 4096;

/// A bone as stored.
pub(super) struct StoredBone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// Size of the box that represents the bone.
    pub(super) size: [f64; 3],
    /// The transform that vertices follow.
    pub(super) transform: Stored,
    /// Transform of the bone's node; only for reference.
    pub(super) node: Stored,
}

pub(super) struct Structure {
    pub(super) bones: Vec<StoredBone>,
    pub(super) positions: Vec<Vec3>,
    /// Index of the first influence of each vertex, with one extra entry at the end.
    pub(super) first: Vec<u32>,
    /// Bone of each influence.
    pub(super) slots: Vec<u32>,
    /// Weight of each influence.
    pub(super) weights: Vec<f32>,
}

/// Parses a text without comments.
pub(super) fn read(text: &str, limits: &Limits, report: &Report) -> Result<Structure, ReadError> {
    let mut cursor = TextCursor::new(ID, text, limits);
    let cursor = &mut cursor;
    skip_title(cursor);
    let num_bones = cursor.count(BONE_CHARS, "number of bones")?;
    if num_bones > limits.max_bones as usize {
        let what = format!("{num_bones} bones exceed the {} allowed", limits.max_bones);
        return Err(cursor.malformed("number of bones", what));
    }
    let num_vertices = cursor.count(VERTEX_CHARS, "number of vertices")?;
    report_head(cursor, report);
    let mut bones = cursor.vec(num_bones, "bones")?;
    let mut spans = TextSpans::begin(cursor, Element::Bone, report);
    for bone in 0..num_bones {
        bones.push(spans.record(cursor, |cursor| read_bone(cursor, bone, num_bones, report))?);
    }
    drop(spans);
    let mut positions = cursor.vec(num_vertices, "vertices")?;
    let mut first = cursor.vec(num_vertices + 1, "vertices")?;
    first.push(0);
    let (mut slots, mut weights) = (Vec::new(), Vec::new());
    let mut spans = TextSpans::begin(cursor, Element::ControlPoint, report);
    for vertex in 0..num_vertices {
        if vertex % VERTICES_PER_LOOK == 0 {
            report.progress("reading vertices", 0.4 * vertex as f32 / num_vertices as f32)?;
        }
        spans.record(cursor, |cursor| {
            positions.push(position(cursor, "vertex position")?);
            let num = cursor.count(2 * NUMBER_CHARS, "number of influences")?;
            for _ in 0..num {
                let bone: i64 = cursor.number("influence bone")?;
                // The check handles bones that don't exist.
                slots.push(u32::try_from(bone).unwrap_or(u32::MAX));
                weights.push(DoubleExt::to_f32(float(cursor, "influence weight")?));
            }
            Ok(())
        })?;
        first.push(as_u32(slots.len()));
    }
    drop(spans);
    report_rest(cursor, report);
    Ok(Structure { bones, positions, first, slots, weights })
}

/// Conversion to single precision for display.
trait DoubleExt {
    fn to_f32(self) -> f32;
}

impl DoubleExt for f64 {
    #[expect(clippy::cast_possible_truncation, reason = "a weight needs no 53 bits")]
    fn to_f32(self) -> f32 {
        self as f32
    }
}

fn read_bone(
    cursor: &mut TextCursor<'_>,
    bone: usize,
    num_bones: usize,
    report: &Report,
) -> Result<StoredBone, ReadError> {
    let field = "bone name";
    let name = match cursor.peek() {
        Some(quote @ ('"' | '\'')) => cursor.enclosed(quote, quote, field)?,
        _ => cursor.enclosed('<', '>', field)?,
    };
    let parent = parent(cursor, bone, num_bones, report)?;
    Ok(StoredBone {
        name: name.trim().to_owned(),
        parent,
        size: floats(cursor, "bone size")?,
        transform: Stored::matrix(cursor, "bone transform")?,
        node: Stored::matrix(cursor, "node transform")?,
    })
}

/// A parent's number; `*` means none.
fn parent(
    cursor: &mut TextCursor<'_>,
    bone: usize,
    num_bones: usize,
    report: &Report,
) -> Result<Option<usize>, ReadError> {
    let field = "parent bone";
    if cursor.peek() == Some('*') {
        cursor.token(field)?;
        return Ok(None);
    }
    let place = Place::line(cursor.line_number());
    let parent: i64 = cursor.number(field)?;
    match usize::try_from(parent) {
        Ok(parent) if parent < num_bones && parent != bone => Ok(Some(parent)),
        _ => {
            report.add_many(FindingKind::ParentOutOfRange, place, 1, || {
                format!("bone {bone} has the invalid parent {parent}")
            });
            Ok(None)
        }
    }
}
