//! Prepares a file for ufbx, which rejects or misreads some files that other readers accept. Every fault is
//! located by line and column. The file is processed in chunks on all cores.
//!
//! | fault | treatment |
//! |---|---|
//! | a corner without position, out of range or not a number | its face, line or point is left out, as in Blender |
//! | a coordinate missing or not a number | an error: later indices would shift |
//! | infinity and NaN, in any spelling | read as such; the check changes them to 0 |
//! | `vt u` | v is 0, as specified by the format |
//! | `mtllib`, `f`, `l` and `p` without arguments | left out |
//! | a comment that ends in a backslash | only a comment; the next line counts |
//!
//! Not for: individual statements (`chunk`), or the meaning of shapes, materials and smoothing (ufbx).

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::chunk::{Chunk, Faults, StatementCounts, Stop};
use super::line_spans::LineSpans;
use crate::formats::ReadError;
use crate::formats::text;
use rigscope_core::model::{Element, Report, Span};

/// The progress message.
const READING: &str = "reading lines";
/// Size of a chunk in bytes: small enough to keep all cores busy until the end.
const CHUNK_BYTES: usize = 1 << 20;

/// A file in a form that ufbx can read.
pub(super) struct Prepared<'a> {
    pub(super) text: Cow<'a, [u8]>,
    /// Number of `v` lines.
    pub(super) num_points: usize,
    /// Corner count of faces, lines and points.
    pub(super) num_corners: usize,
    /// Arguments of all `mtllib` statements, without duplicates and in order.
    pub(super) libraries: Vec<String>,
}

/// Prepares a file, reports its spans, and reports the parts that are left out.
///
/// # Errors If a coordinate can't be read.
pub(super) fn prepare<'a>(file: &'a [u8], report: &Report) -> Result<Prepared<'a>, ReadError> {
    prepare_in_chunks(file, CHUNK_BYTES, report)
}

fn prepare_in_chunks<'a>(
    file: &'a [u8],
    chunk_bytes: usize,
    report: &Report,
) -> Result<Prepared<'a>, ReadError> {
    // Reported here because chunks are processed on other threads.
    report.progress(READING, 0.0)?;
    let plain = text::plain(file);
    let is_wide = text::is_utf16(file);
    let mark_len = if is_wide { 0 } else { file.len() - plain.len() };
    // ufbx reads UTF-8.
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
    let work: Vec<(Range<usize>, StatementCounts)> = ranges.into_iter().zip(before).collect();
    let num_done = AtomicUsize::new(0);
    let chunks = work.into_par_iter().map(|(range, before)| {
        let num_done = num_done.fetch_add(range.len(), Ordering::Relaxed);
        report.progress(READING, 0.1 * num_done as f32 / plain.len() as f32)?;
        let mut chunk = Chunk::new(&plain, range, before, totals, is_narrow);
        chunk.process().map(|()| chunk)
    });
    // Of several errors, the first in the file is reported.
    let chunks: Vec<_> = chunks.collect();
    let chunks: Result<Vec<Chunk<'_>>, Stop> = chunks.into_iter().collect();
    let chunks = chunks.map_err(|stop| stop.error(&plain))?;
    let (mut lines, mut faults) = (LineSpans::default(), Faults::default());
    let (mut libraries, mut known) = (Vec::new(), HashSet::new());
    let mut num_corners = 0;
    let mut rewritten: Option<Vec<u8>> = None;
    for chunk in chunks {
        num_corners += chunk.num_corners;
        lines.append(chunk.lines);
        faults.append(chunk.faults);
        libraries.extend(chunk.libraries.into_iter().filter(|name| known.insert(name.clone())));
        chunk.rewritten.append_to(&mut rewritten, &plain, chunk.range);
    }
    if is_wide {
        report.span(Span::new(Element::Text, 0, file.len(), 1))
    } else {
        lines.report(mark_len, report)
    }
    report.close_spans();
    faults.report(&plain, report);
    let text = rewritten.map_or(plain, Cow::Owned);
    Ok(Prepared { text, num_points: totals.points(), num_corners, libraries })
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

    /// The result and the findings of preparing a file in chunks.
    fn prepared(file: &[u8], chunk_bytes: usize) -> String {
        let report = Report::new();
        let result = match prepare_in_chunks(file, chunk_bytes, &report) {
            Ok(Prepared { text, num_points, num_corners, libraries }) => {
                let text = text.escape_ascii();
                format!("{text} {num_points} {num_corners} {libraries:?}")
            }
            // Findings before an error don't matter.
            Err(error) => return error.to_string(),
        };
        format!("{result} {:?} {:?}", report.notes(), report.take_provenance())
    }

    #[test]
    fn pieces_of_any_size_are_the_whole() {
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
                let whole = prepared(&file, usize::MAX);
                for chunk_bytes in 1..file.len() {
                    assert_eq!(prepared(&file, chunk_bytes), whole, "{text} by {chunk_bytes}");
                }
            }
        }
        assert_eq!(cut(b"a\nb\\\r\r\nc\nd", 1), [0..2, 2..9, 9..10]);
    }
}
