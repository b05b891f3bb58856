//! Reads a file in chunks on all cores. Every fault is located by line and column.
//!
//! | fault | treatment |
//! |---|---|
//! | a corner without position, out of range or not a number | its face, line or point is left out, as in Blender |
//! | a coordinate missing or not a number | an error: later indices would shift |
//! | infinity and NaN, in any spelling | NaN; the check changes it to 0 |
//! | `vt u` | v is 0, as specified by the format |
//! | `mtllib`, `f`, `l` and `p` without arguments | left out |
//! | a comment that ends in a backslash | only a comment; the next line counts |
//!
//! Not for: individual statements (`chunk`), or meshes and materials (`parts`, `meshes`, `materials`).

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::chunk::{Chunk, ChunkOutput};
use super::counts::StatementCounts;
use super::faces::{Corner, Faces, Lists};
use super::faults::{Faults, Stop, failure, over_budget};
use super::line_spans::LineSpans;
use crate::formats::text::{self, line_and_column};
use crate::formats::{Budget, Limits, ReadError};
use rigscope_core::model::{Element, Report, Span, as_u32};

/// The progress message.
const READING: &str = "reading lines";
/// The share of reading a file.
const PROGRESS: f32 = 0.4;
/// Size of a chunk in bytes: small enough to keep all cores busy until the end.
const CHUNK_BYTES: usize = 1 << 20;
/// Bytes of the budget for a corner, which may take only two bytes of the file.
const BYTES_PER_CORNER: usize = 12;

/// The contents of a file.
pub(super) struct Parsed {
    pub(super) lists: Lists,
    pub(super) faces: Faces,
    /// Arguments of all `mtllib` statements, without duplicates and in order.
    pub(super) libraries: Vec<String>,
    /// Number of statements with unknown first words.
    pub(super) num_unknown: u64,
    /// Left for meshes.
    pub(super) budget: Budget,
}

/// Reads a file; reports its spans and the parts that are left out.
///
/// # Errors If a coordinate can't be read, or there are no points or too many.
pub(super) fn parse(file: &[u8], limits: &Limits, report: &Report) -> Result<Parsed, ReadError> {
    parse_in_chunks(file, CHUNK_BYTES, limits, report)
}

fn parse_in_chunks(
    file: &[u8],
    chunk_bytes: usize,
    limits: &Limits,
    report: &Report,
) -> Result<Parsed, ReadError> {
    // Reported here because chunks are processed on other threads.
    report.progress(READING, 0.0)?;
    let plain = text::plain(file);
    let is_wide = text::is_utf16(file);
    let mark_len = if is_wide { 0 } else { file.len() - plain.len() };
    let is_narrow = std::str::from_utf8(&plain).is_err();
    let plain =
        if is_narrow { Cow::Owned(text::decode(file).into_owned().into_bytes()) } else { plain };
    let ranges = cut(&plain, chunk_bytes);
    // The valid range of indices has to be known before the first corner is checked.
    let counts: Vec<StatementCounts> =
        ranges.par_iter().map(|range| StatementCounts::in_chunk(&plain, range.clone())).collect();
    let mut totals = StatementCounts::default();
    let before = counts.iter().map(|own| {
        let before = totals;
        totals.add(own);
        before
    });
    let before: Vec<StatementCounts> = before.collect();
    take_lists(&mut Budget::of_file(limits, plain.len()), &totals)?;
    let mut lists = Lists::new(&totals);
    let work: Vec<_> = ranges.into_iter().zip(before).zip(lists.parts(&counts)).collect();
    let (num_done, num_corners) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let chunks = work.into_par_iter().map(|((range, before), part)| {
        let num_done = num_done.fetch_add(range.len(), Ordering::Relaxed);
        report.progress(READING, PROGRESS * num_done as f32 / plain.len() as f32)?;
        let output = Chunk::new(&plain, range, before, totals, part, is_narrow).read()?;
        let num_own = output.faces.corners.len();
        let num_corners = num_corners.fetch_add(num_own, Ordering::Relaxed) + num_own;
        match Budget::new(limits).take::<Corner>(num_corners) {
            Ok(()) => Ok(output),
            Err(_) => Err(Stop::TooLarge),
        }
    });
    // Of several errors, the first in the file is reported.
    let chunks: Vec<_> = chunks.collect();
    let chunks: Result<Vec<ChunkOutput>, Stop> = chunks.into_iter().collect();
    let chunks = chunks.map_err(|stop| stop.error(&plain))?;
    let num_bytes = num_corners.into_inner().saturating_mul(BYTES_PER_CORNER);
    let mut budget = Budget::of_file(limits, plain.len().saturating_add(num_bytes));
    take_lists(&mut budget, &totals)?;
    let (mut spans, mut faults) = (LineSpans::default(), Faults::default());
    let (mut faces, mut paint) = (Faces::default(), Vec::new());
    let (mut libraries, mut known, mut num_unknown) = (Vec::new(), HashSet::new(), 0);
    for chunk in chunks {
        faces.append(chunk.faces);
        lists.set_colors(chunk.colors);
        paint.extend(chunk.paint);
        spans.append(chunk.lines);
        faults.append(chunk.faults);
        libraries.extend(chunk.libraries.into_iter().filter(|name| known.insert(name.clone())));
        num_unknown += chunk.num_unknown;
    }
    if !paint.is_empty() {
        lists.has_color.fill(false);
        lists.set_colors((0..as_u32(paint.len())).zip(paint));
    }
    if is_wide {
        report.span(Span::new(Element::Text, 0, file.len(), 1))
    } else {
        spans.report(mark_len, report)
    }
    report.close_spans();
    faults.report(&plain, report);
    if lists.points.is_empty() {
        let place = line_and_column(&plain, plain.len());
        let what = "the file contains no geometry".to_owned();
        return Err(ReadError::Malformed(failure("v", place, what)));
    }
    Ok(Parsed { lists, faces, libraries, num_unknown, budget })
}

/// Charges the lists to the budget.
fn take_lists(budget: &mut Budget, totals: &StatementCounts) -> Result<(), ReadError> {
    let [num_points, num_uvs, num_normals, _] = totals.0;
    let taken = (budget.take::<[f64; 3]>(num_points))
        .and_then(|()| budget.take::<[f32; 2]>(num_uvs))
        .and_then(|()| budget.take::<[f32; 3]>(num_normals));
    taken.map_err(|_| over_budget("points"))
}

/// Splits a text between statements into chunks of slightly more than `chunk_bytes`.
fn cut(text: &[u8], chunk_bytes: usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = whole_statement_end(text, start.saturating_add(chunk_bytes));
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// The end of the first line from `at` on that doesn't end in a backslash, so it can't continue.
fn whole_statement_end(text: &[u8], mut at: usize) -> usize {
    while let Some(len) = text.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)) {
        let line = text.get(..at + len).unwrap_or_default();
        let returns = line.iter().rev().take_while(|&&byte| byte == b'\r').count();
        at += len + 1;
        let line = line.get(..line.len() - returns).unwrap_or_default();
        if !line.ends_with(b"\\") {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contents and the findings of a file that is read in chunks.
    fn parsed(file: &[u8], chunk_bytes: usize) -> String {
        let report = Report::new();
        let result = match parse_in_chunks(file, chunk_bytes, &Limits::default(), &report) {
            Ok(Parsed { lists, faces, libraries, num_unknown, .. }) => {
                format!("{lists:?} {faces:?} {libraries:?} {num_unknown}")
            }
            // Findings before an error don't matter.
            Err(error) => return error.to_string(),
        };
        format!("{result} {:?} {:?}", report.findings(), report.take_provenance())
    }

    #[test]
    fn parsing_in_chunks_of_any_size_gives_the_same_result() {
        let square = "v 0 0 0\nv 1 0 0\r\nv 1 1 0 # \\\nv 0 \\\n1 0\nvt 0.5\nvn 0 0 inf\n";
        let texts = [
            format!(
                "f 4 -1 1\n{square}mtllib a\nf 1/1/1 2//1 \\\r\n -1\n{square}mtllib b\nf -8 -1 8\nf -9 1 2\n"
            ),
            format!(
                "# \u{e9}\n{square}f 5 1 2\nmtllib a\nf\np 9\nmtllib\no \u{e9}\nmtllib a\nl 1 2\\"
            ),
            format!("{square}v 1 2\nv 1 b 2\n{square}v c\n"),
            format!("\\\n\\\n\n{square}\x0bf 1 2\x0c3\n# a\\\n\\"),
        ];
        let narrow = |text: &str| -> Vec<u8> {
            text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
        };
        let mark = |text: &str| [b"\xef\xbb\xbf", text.as_bytes()].concat();
        let wide = |text: &str| -> Vec<u8> {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            units.flat_map(u16::to_le_bytes).collect()
        };
        for text in texts {
            for file in [text.clone().into_bytes(), mark(&text), narrow(&text), wide(&text)] {
                let whole = parsed(&file, usize::MAX);
                for chunk_bytes in 1..file.len() {
                    assert_eq!(parsed(&file, chunk_bytes), whole, "{text} by {chunk_bytes}");
                }
            }
        }
        assert_eq!(cut(b"a\nb\\\r\r\nc\nd", 1), [0..2, 2..9, 9..10]);
    }
}
