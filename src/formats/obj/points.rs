//! `v` lines by themselves: their number, and a file that has nothing else.

use glam::{Vec3, Vec4};

use super::ID;
use crate::formats::text::TextCursor;
use crate::formats::{ReadError, ReadOptions, text};
use crate::model::{Mesh, Streams, VertexData, color_from_srgb};

/// Number of `v` lines.
pub(super) fn num(bytes: &[u8]) -> usize {
    let lines = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_start);
    lines.filter(|line| is_point(line)).count()
}

fn is_point(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"v");
    rest.and_then(<[u8]>::first)
        .is_some_and(u8::is_ascii_whitespace)
}

/// The colour that follows a position: three numbers, or four with alpha.
fn color<'a>(words: impl Iterator<Item = &'a str>) -> Option<Vec4> {
    let mut numbers = words.map_while(|word| word.parse::<f64>().ok());
    let (r, g, b) = (numbers.next()?, numbers.next()?, numbers.next()?);
    Some(color_from_srgb([r, g, b, numbers.next().unwrap_or(1.0)]))
}

/// A mesh of all control points, without triangles.
///
/// # Errors
/// When there is none, or one without three numbers.
pub(super) fn cloud(bytes: &[u8], options: &ReadOptions) -> Result<(Mesh, Vec<u32>), ReadError> {
    let text = text::decode(bytes);
    let mut cursor = TextCursor::new(ID, &text, &options.limits);
    let num_points = num(bytes);
    let mut positions = cursor.vec::<Vec3>(num_points, "v")?;
    let mut colors = Vec::new();
    while let Some(line) = cursor.next_line() {
        if !is_point(line.as_bytes()) {
            continue;
        }
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut next = || words.next().and_then(|word| word.parse::<f32>().ok());
        let (Some(x), Some(y), Some(z)) = (next(), next(), next()) else {
            return Err(cursor.malformed("v", format!("{line:?} has no three numbers")));
        };
        if let Some(color) = color(words) {
            if colors.is_empty() {
                colors = cursor.vec::<Vec4>(num_points, "v")?;
            }
            // Points without a colour are white.
            colors.resize(positions.len(), Vec4::ONE);
            colors.push(color);
        }
        positions.push(Vec3::new(x, y, z));
    }
    if !colors.is_empty() {
        colors.resize(positions.len(), Vec4::ONE);
    }
    if positions.is_empty() {
        return Err(cursor.malformed("v", "the file holds no geometry".to_owned()));
    }
    let num = u32::try_from(positions.len()).unwrap_or(u32::MAX);
    let mesh = Mesh {
        vertices: VertexData::Streams(Streams {
            positions,
            colors,
            ..Streams::default()
        }),
        ..Mesh::default()
    };
    Ok((mesh, (0..num).collect()))
}
