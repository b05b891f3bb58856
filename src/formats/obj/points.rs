//! `v` lines by themselves: their number, and a file that has nothing else.

use glam::Vec3;

use super::ID;
use crate::formats::text::TextCursor;
use crate::formats::{ReadError, ReadOptions, text};
use crate::model::{Mesh, Streams, VertexData};

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

/// A mesh of all control points, without triangles.
///
/// # Errors
/// When there is none, or one without three numbers.
pub(super) fn cloud(bytes: &[u8], options: &ReadOptions) -> Result<(Mesh, Vec<u32>), ReadError> {
    let text = text::decode(bytes);
    let mut cursor = TextCursor::new(ID, &text, &options.limits);
    let mut positions = cursor.vec::<Vec3>(num(bytes), "v")?;
    while let Some(line) = cursor.next_line() {
        if !is_point(line.as_bytes()) {
            continue;
        }
        let mut numbers = line.split_ascii_whitespace().skip(1).map(str::parse::<f32>);
        let mut next = || numbers.next().and_then(Result::ok);
        let (Some(x), Some(y), Some(z)) = (next(), next(), next()) else {
            return Err(cursor.malformed("v", format!("{line:?} has no three numbers")));
        };
        positions.push(Vec3::new(x, y, z));
    }
    if positions.is_empty() {
        return Err(cursor.malformed("v", "the file holds no geometry".to_owned()));
    }
    let num = u32::try_from(positions.len()).unwrap_or(u32::MAX);
    let mesh = Mesh {
        vertices: VertexData::Streams(Streams {
            positions,
            ..Streams::default()
        }),
        ..Mesh::default()
    };
    Ok((mesh, (0..num).collect()))
}
