//! Counts the statements that indices refer to, before any index is read.

use std::ops::Range;

use super::line_spans::KINDS;
use super::plain_lines::Line;
use super::statements::{Statement, Statements};

/// Statement counts by index in [`KINDS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StatementCounts(pub(super) [usize; KINDS.len()]);

impl StatementCounts {
    /// Counts of a chunk of whole statements.
    pub(super) fn in_chunk(text: &[u8], chunk: Range<usize>) -> Self {
        let (mut statements, mut statement) =
            (Statements::within(text, chunk), Statement::default());
        let mut counts = Self::default();
        loop {
            let line = statements.line();
            if let Some(known) = line.and_then(|line| Line::of(line.strip_suffix(b"\n")?)) {
                statements.skip(line.unwrap_or_default());
                if let Line::Numbered(kind, _) = known {
                    counts.add_one(kind);
                }
                continue;
            }
            if !statements.next(&mut statement, |_| false) {
                return counts;
            }
            let word = statement.word(text, 0).unwrap_or_default();
            for (count, (known, _)) in counts.0.iter_mut().zip(KINDS) {
                *count += usize::from(word == known);
            }
        }
    }

    pub(super) fn add_one(&mut self, kind: usize) {
        if let Some(count) = self.0.get_mut(kind) {
            *count += 1;
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (count, other) in self.0.iter_mut().zip(other.0) {
            *count += other;
        }
    }
}
