//! Grammar shared by both kinds of files: comments, heads, and transforms as stored.
//!
//! Not for: the meaning of transforms; see `convention`.

use std::borrow::Cow;

use glam::{DVec3, Vec3};

use super::euler::Order;
use crate::formats::ReadError;
use crate::formats::text::{TextCursor, is_not_finite};
use rigscope_core::model::{
    Element, FindingKind, Place, Report, Span, counted, singular_or_plural,
};

/// Minimum length of a number and its separator, in characters.
pub(super) const NUMBER_CHARS: usize = 2;

/// The text with `//` comments replaced by spaces, so that offsets stay the same.
///
/// A name may contain `//`: on a line that starts with `<` or a quote, a comment can only start after the
/// next `>` or quote.
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let close = match line.trim_start().chars().next() {
            Some('<') => Some('>'),
            Some(quote @ ('"' | '\'')) => Some(quote),
            _ => None,
        };
        let open = line.len() - line.trim_start().len() + 1;
        let first = close.map_or(0, |close| {
            let len = line.get(open..).and_then(|name| name.find(close));
            len.map_or(line.len(), |len| open + len)
        });
        let after = line.get(first..).unwrap_or_default();
        match after.find("//") {
            Some(at) => {
                let (text, comment) = line.split_at(first + at);
                kept.push_str(text);
                let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
                kept.extend(comment.bytes().map(blank));
            }
            None => kept.push_str(line),
        }
    }
    Cow::Owned(kept)
}

/// The content of an animation file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A transform per bone and frame.
    Bones,
    /// A position per vertex and frame.
    MeshAbsolute,
    /// The same positions in the coordinate systems of the bones that move each vertex.
    MeshBones,
}

/// The target space of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Absolute,
    RelativeToParent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Representation {
    Matrix,
    Euler,
}

/// A line in lower case without surrounding quotes.
fn plain(line: &str) -> String {
    let is_quote = |c: char| c.is_whitespace() || "\"'`´‘’“”„«»".contains(c);
    line.trim_matches(is_quote).to_lowercase()
}

impl Mode {
    pub(super) fn of(line: &str) -> Option<Self> {
        let line = plain(line);
        match line.strip_prefix("mesh") {
            Some(rest) if rest.contains("abs") => Some(Self::MeshAbsolute),
            Some(rest) if rest.contains("bone") => Some(Self::MeshBones),
            None if line.starts_with("bones") => Some(Self::Bones),
            _ => None,
        }
    }
}

impl System {
    pub(super) fn of(line: &str) -> Option<Self> {
        let line = plain(line);
        match () {
            () if line.starts_with("abs") => Some(Self::Absolute),
            () if line.starts_with("rel") => Some(Self::RelativeToParent),
            () => None,
        }
    }
}

impl Representation {
    pub(super) fn of(line: &str) -> Option<Self> {
        let line = plain(line);
        match () {
            () if line.starts_with("matri") => Some(Self::Matrix),
            () if line.starts_with("euler") => Some(Self::Euler),
            () => None,
        }
    }
}

/// Radians per unit of an angle.
pub(super) fn angle_unit_rad(line: &str) -> Option<f64> {
    let line = plain(line);
    match () {
        () if line.starts_with("deg") => Some(1f64.to_radians()),
        () if line.starts_with("rad") => Some(1.0),
        () => None,
    }
}

pub(super) fn euler_order(line: &str) -> Option<Order> {
    Order::of(&plain(line))
}

/// The next non-empty line, as parsed by `read`.
pub(super) fn choice<T>(
    cursor: &mut TextCursor<'_>,
    field: &'static str,
    read: fn(&str) -> Option<T>,
) -> Result<T, ReadError> {
    let mut line = cursor.line(field)?;
    while line.is_empty() {
        line = cursor.line(field)?;
    }
    read(line).ok_or_else(|| {
        let line: String = line.chars().take(40).collect();
        cursor.malformed(field, format!("{line:?} is unknown"))
    })
}

/// Skips a title line at the beginning of a file.
pub(super) fn skip_title(cursor: &mut TextCursor<'_>) {
    let mut ahead = cursor.clone();
    if cursor.peek().is_some_and(|c| c == 'b' || c == 'B') {
        while let Some(line) = ahead.next_line() {
            if !line.is_empty() {
                *cursor = ahead;
                return;
            }
        }
    }
}

/// Reports text after the end, except for a line that only marks the end.
pub(super) fn report_rest(cursor: &TextCursor<'_>, report: &Report) {
    let start = cursor.line_end_offset();
    let end = cursor.offset() + cursor.remaining();
    report.span(Span::new(Element::Text, start, end - start, 1));
    let is_end = cursor.peek().is_none_or(|c| c == 'e' || c == 'E');
    let place = Place::line(cursor.line_number());
    report.add_many(FindingKind::TrailingBytes, place, u64::from(!is_end), || {
        let num = cursor.remaining() as u64;
        let follow = singular_or_plural(num, "follows", "follow");
        format!("{} {follow} the end of the data", counted(num, "character"))
    });
}

/// The next number, including C's spellings of infinity and NaN.
pub(super) fn float(cursor: &mut TextCursor<'_>, field: &'static str) -> Result<f64, ReadError> {
    let before = cursor.clone();
    if is_not_finite(cursor.token(field)?) {
        Ok(f64::NAN)
    } else {
        *cursor = before;
        cursor.number(field)
    }
}

pub(super) fn floats<const N: usize>(
    cursor: &mut TextCursor<'_>,
    field: &'static str,
) -> Result<[f64; N], ReadError> {
    let mut values = [0.0; N];
    for value in &mut values {
        *value = float(cursor, field)?;
    }
    Ok(values)
}

/// A position in single precision.
pub(super) fn position(
    cursor: &mut TextCursor<'_>,
    field: &'static str,
) -> Result<Vec3, ReadError> {
    Ok(DVec3::from_array(floats(cursor, field)?).as_vec3())
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rotation {
    /// Three rows.
    Matrix([[f64; 3]; 3]),
    /// Angles in radians, in the file's order.
    Euler([f64; 3], Order),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stored {
    pub(super) rotation: Rotation,
    pub(super) translation: DVec3,
}

impl Stored {
    /// Reads twelve numbers.
    pub(super) fn matrix(
        cursor: &mut TextCursor<'_>,
        field: &'static str,
    ) -> Result<Self, ReadError> {
        let rows = [floats(cursor, field)?, floats(cursor, field)?, floats(cursor, field)?];
        Ok(Self {
            rotation: Rotation::Matrix(rows),
            translation: DVec3::from_array(floats(cursor, field)?),
        })
    }

    /// Reads six numbers.
    pub(super) fn euler(
        cursor: &mut TextCursor<'_>,
        order: Order,
        unit_rad: f64,
        field: &'static str,
    ) -> Result<Self, ReadError> {
        let angles = floats(cursor, field)?.map(|angle: f64| angle * unit_rad);
        Ok(Self {
            rotation: Rotation::Euler(angles, order),
            translation: DVec3::from_array(floats(cursor, field)?),
        })
    }
}
