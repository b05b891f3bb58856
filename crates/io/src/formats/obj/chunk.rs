//! Reads the statements of one chunk of a file.
//!
//! Not for: the numbers of lists (`values`), or splitting a file and joining its chunks (`parse`).

use std::collections::HashSet;
use std::ops::Range;

use glam::Vec4;

use super::corners::{LISTS, ListLengths};
use super::counts::StatementCounts;
use super::faces::{Corner, Faces, ListsPart, Setting};
use super::faults::{Faults, Stop};
use super::line_spans::LineSpans;
use super::numbers::numbers;
use super::plain_lines::{Line, is_face};
use super::statements::{Statement, Statements};
use rigscope_core::model::color_from_srgb8;

/// Minimum number of values in a statement of each list.
pub(super) const LEAST: [usize; LISTS.len()] = [3, 1, 3];
/// The most values of a statement: a position and a colour with alpha.
pub(super) const MAX_VALUES: usize = 7;
/// The start of a comment in files of ZBrush, whose groups are parts of one mesh.
const ZBRUSH: &[u8] = b"File exported by ZBrush";
/// The first word of a comment with the colours of points in files of ZBrush.
const PAINT: &[u8] = b"MRGB";

/// A chunk of a text, consisting of whole statements.
pub(super) struct Chunk<'a> {
    pub(super) text: &'a [u8],
    range: Range<usize>,
    /// Whether the file isn't UTF-8: as Windows-1252, every character is one byte of it.
    is_narrow: bool,
    /// Counts before the chunk.
    pub(super) first: StatementCounts,
    pub(super) lengths: ListLengths,
    pub(super) lists: ListsPart<'a>,
    /// The corners of a line or of points.
    scratch: Vec<Corner>,
    known: HashSet<String>,
    pub(super) output: ChunkOutput,
}

/// The contents of a chunk, except its lists.
#[derive(Default)]
pub(super) struct ChunkOutput {
    pub(super) faces: Faces,
    /// Numbers and colours of points.
    pub(super) colors: Vec<(u32, Vec4)>,
    /// Colours of all points in order, which replace the others.
    pub(super) paint: Vec<Vec4>,
    /// Arguments of all `mtllib` statements, without duplicates and in order.
    pub(super) libraries: Vec<String>,
    pub(super) num_unknown: u64,
    pub(super) faults: Faults,
    pub(super) lines: LineSpans,
}

impl<'a> Chunk<'a> {
    /// A chunk of `text` after the statements counted in `before`, of `totals` in the file.
    pub(super) fn new(
        text: &'a [u8],
        range: Range<usize>,
        before: StatementCounts,
        totals: StatementCounts,
        lists: ListsPart<'a>,
        is_narrow: bool,
    ) -> Self {
        let lines = LineSpans::from(before.0);
        Self {
            text,
            range,
            is_narrow,
            first: before,
            lengths: ListLengths { totals, counts: before },
            lists,
            scratch: Vec::new(),
            known: HashSet::new(),
            output: ChunkOutput { lines, ..ChunkOutput::default() },
        }
    }

    /// Reads all statements.
    ///
    /// # Errors If a coordinate can't be read.
    pub(super) fn read(mut self) -> Result<ChunkOutput, Stop> {
        let text = self.text;
        let mut statements = Statements::within(text, self.range.clone());
        let mut statement = Statement::default();
        loop {
            if let Some(line) = statements.line().filter(|line| self.take_plain(line)) {
                statements.skip(line);
                continue;
            }
            if !statements.next(&mut statement, |_| true) {
                return Ok(self.output);
            }
            let word = statement.word(text, 0).unwrap_or_default();
            let bytes = text.get(statement.bytes.clone()).unwrap_or_default();
            let num_continued = if self.is_narrow {
                bytes.iter().filter(|&&byte| byte & 0xc0 == 0x80).count()
            } else {
                0
            };
            self.output.lines.add(word, bytes.len() - num_continued);
            self.statement(word, &statement)?;
        }
    }

    /// Tries to read a line, including its line end, of numbers or corners that are only separated by spaces.
    /// Returns whether it succeeded.
    fn take_plain(&mut self, line: &[u8]) -> bool {
        let Some(Line::Numbered(kind, rest)) = line.strip_suffix(b"\n").and_then(Line::of) else {
            return false;
        };
        let is_taken =
            if is_face(kind) { self.take_face(rest) } else { self.take_values(kind, rest) };
        if is_taken {
            self.output.lines.add_numbered(kind, line.len());
        }
        is_taken
    }

    fn take_values(&mut self, list: usize, text: &[u8]) -> bool {
        let mut values = [0.0; MAX_VALUES];
        let num = numbers(text, &mut values);
        let values = num.and_then(|num| values.get(..num)).unwrap_or_default();
        let is_complete = LEAST.get(list).is_some_and(|least| values.len() >= *least);
        if is_complete {
            self.store(list, values);
        }
        is_complete
    }

    fn take_face(&mut self, mut text: &[u8]) -> bool {
        let faces = &mut self.output.faces;
        let num_before = faces.corners.len();
        loop {
            while let [b' ', rest @ ..] = text {
                text = rest;
            }
            if text.is_empty() {
                break;
            }
            let Some((corner, len)) = self.lengths.leading_corner(text) else {
                faces.corners.truncate(num_before);
                return false;
            };
            faces.corners.push(corner);
            text = text.get(len..).unwrap_or_default();
        }
        let has_corners = faces.corners.len() > num_before;
        if has_corners {
            faces.end_face();
        }
        has_corners
    }

    fn statement(&mut self, word: &[u8], statement: &Statement) -> Result<(), Stop> {
        let has_arguments = statement.words.len() > 1;
        let name = || statement.name(self.text);
        match word {
            b"v" => self.values(statement, 0)?,
            b"vt" => self.values(statement, 1)?,
            b"vn" => self.values(statement, 2)?,
            b"f" | b"l" | b"p" => self.corners(word, statement),
            b"o" if has_arguments => self.output.faces.set(Setting::Object(name())),
            b"g" => self.output.faces.set(Setting::Group(name())),
            b"s" if has_arguments => {
                // Numbers of groups aren't distinguished, and 0 isn't `off`, as in ufbx.
                let is_smooth = statement.word(self.text, 1) != Some(b"off");
                self.output.faces.set(Setting::Smoothing(is_smooth));
            }
            b"usemtl" => {
                let material = has_arguments.then(name);
                self.output.faces.set(Setting::Material(material));
            }
            b"mtllib" if has_arguments => {
                let rest = statement.rest(self.text);
                let named = String::from_utf8_lossy(rest).into_owned();
                if self.known.insert(named.clone()) {
                    self.output.libraries.push(named);
                }
            }
            b"mtllib" => self.leave_out_empty(word, statement),
            [b'#', comment @ ..] => self.comment(comment),
            b"" | b"o" | b"s" => {}
            _ => self.output.num_unknown += 1,
        }
        Ok(())
    }

    fn comment(&mut self, comment: &[u8]) {
        let comment = comment.trim_ascii();
        if comment.starts_with(ZBRUSH) {
            self.output.faces.set(Setting::MergedGroups);
        }
        let mut words = comment.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        if words.next() == Some(PAINT)
            && let Some(digits) = words.next()
        {
            let (colors, _) = digits.as_chunks::<8>();
            let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0);
            self.output.paint.extend(colors.iter().map(|digits| {
                let argb = digits.iter().fold(0, |argb, &byte| argb << 4 | digit(byte));
                // The first byte is a mask, which ufbx reads as alpha.
                let [mask, r, g, b] = u32::to_be_bytes(argb);
                color_from_srgb8([r, g, b, mask])
            }));
        }
    }

    fn leave_out_empty(&mut self, word: &[u8], statement: &Statement) {
        let at = statement.words.first().map_or(0, |word| word.start);
        self.output.faults.add_empty(at, word);
    }

    /// Reads the corners of a face, of the segments of a line, or of points.
    fn corners(&mut self, word: &[u8], statement: &Statement) {
        let words = statement.words.get(1..).unwrap_or_default();
        if words.is_empty() {
            return self.leave_out_empty(word, statement);
        }
        self.scratch.clear();
        for range in words {
            let corner = self.text.get(range.clone()).unwrap_or_default();
            match self.lengths.corner(corner) {
                Some(corner) => self.scratch.push(corner),
                None => {
                    let describe = || self.lengths.fault_of(corner);
                    return self.output.faults.add_face(range.start, describe);
                }
            }
        }
        let faces = &mut self.output.faces;
        let num_corners = match word {
            b"l" => 2,
            b"p" => 1,
            _ => self.scratch.len(),
        };
        for corners in self.scratch.windows(num_corners) {
            faces.corners.extend_from_slice(corners);
            faces.end_face();
        }
    }
}
