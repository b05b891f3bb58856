//! Files that only contain control points.

use glam::{Vec3, Vec4};

use super::ID;
use super::statements::{Statement, Statements};
use crate::formats::text::line_and_column;
use crate::formats::{Budget, Failure, ReadError, ReadOptions};
use rigscope_core::model::{Mesh, Streams, VertexData, color_from_srgb};

/// The colour after a position: three numbers, or four with alpha.
fn color<'a>(words: impl Iterator<Item = &'a str>) -> Option<Vec4> {
    let mut numbers = words.map_while(|word| word.parse::<f64>().ok());
    let (r, g, b) = (numbers.next()?, numbers.next()?, numbers.next()?);
    Some(color_from_srgb([r, g, b, numbers.next().unwrap_or(1.0)]))
}

/// A mesh of all `num` control points of a prepared text, without triangles.
///
/// # Errors If the text has no points, or too many.
pub(super) fn cloud(
    text: &[u8],
    num: usize,
    options: &ReadOptions,
) -> Result<(Mesh, Vec<u32>), ReadError> {
    let failure = |what: String| {
        Box::new(Failure {
            format: ID,
            field: "v",
            place: line_and_column(text, text.len()),
            bytes: None,
            what,
        })
    };
    if num == 0 {
        let what = "the file contains no geometry".to_owned();
        return Err(ReadError::Malformed(failure(what)));
    }
    let mut budget = Budget::of_file(&options.limits, text.len());
    if budget.take::<(Vec3, Vec4)>(num).is_err() {
        let what = format!("{num} points need more memory than is allowed");
        return Err(ReadError::Limit(failure(what)));
    }
    let mut positions = Vec::with_capacity(num);
    let mut colors = Vec::new();
    let (mut statements, mut statement) = (Statements::of(text), Statement::default());
    while statements.next(&mut statement, |word| word == b"v") {
        if statement.word(text, 0) != Some(b"v") {
            continue;
        }
        let word = |at| std::str::from_utf8(statement.word(text, at)?).ok();
        let number = |at| word(at).and_then(|word| word.parse::<f32>().ok());
        if let Some(color) = color((4..8).map_while(word)) {
            // Points without a colour are white.
            colors.resize(positions.len(), Vec4::ONE);
            colors.push(color);
        }
        let [x, y, z] = [1, 2, 3].map(|at| number(at).unwrap_or(f32::NAN));
        positions.push(Vec3::new(x, y, z));
    }
    if !colors.is_empty() {
        colors.resize(positions.len(), Vec4::ONE);
    }
    let num = u32::try_from(positions.len()).unwrap_or(u32::MAX);
    let mesh = Mesh {
        vertices: VertexData::Streams(Streams { positions, colors, ..Streams::default() }),
        ..Mesh::default()
    };
    Ok((mesh, (0..num).collect()))
}
