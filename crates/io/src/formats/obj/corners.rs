//! The corners of faces, lines and points: indices in up to three lists, separated by slashes.

use super::counts::StatementCounts;
use super::faces::{Corner, MISSING};
use super::numbers::leading_integer;
use crate::formats::text::shortened;
use rigscope_core::model::as_u32;

/// The lists that the indices of a corner refer to, in order; the first of the numbered kinds.
pub(super) const LISTS: [&str; 3] = ["v", "vt", "vn"];

/// The lengths of the lists, for the indices of a statement.
#[derive(Clone, Copy)]
pub(super) struct ListLengths {
    /// In the whole file.
    pub(super) totals: StatementCounts,
    /// Up to the statement.
    pub(super) counts: StatementCounts,
}

impl ListLengths {
    /// The corner before a space or the end of the text, and its length; `None` if an index isn't valid.
    pub(super) fn leading_corner(&self, text: &[u8]) -> Option<(Corner, usize)> {
        let mut indices = [MISSING; LISTS.len()];
        let mut at = 0;
        for (list, index) in indices.iter_mut().enumerate() {
            // Only the position is required.
            if list == 0 || !matches!(text.get(at), None | Some(b' ' | b'/')) {
                let (value, len) = leading_integer(text.get(at..)?)?;
                *index = self.resolved(list, value)?;
                at += len;
            }
            match text.get(at) {
                None | Some(b' ') => break,
                Some(b'/') if list + 1 < LISTS.len() => at += 1,
                Some(_) => return None,
            }
        }
        let [point, uv, normal] = indices;
        Some((Corner { point, uv, normal }, at))
    }

    /// The corner that a word consists of.
    pub(super) fn corner(&self, word: &[u8]) -> Option<Corner> {
        let (corner, len) = self.leading_corner(word)?;
        (len == word.len()).then_some(corner)
    }

    /// An index counted from 0; `None` if the list is shorter.
    fn resolved(&self, list: usize, stated: i64) -> Option<u32> {
        let of = |counts: &StatementCounts| counts.0.get(list).copied().unwrap_or_default();
        let distance = usize::try_from(stated.unsigned_abs()).ok()?;
        let at = match stated {
            0 => return None,
            // From the start of the whole list.
            1.. => Some(distance - 1).filter(|at| *at < of(&self.totals)),
            // Back from the statement.
            _ => of(&self.counts).checked_sub(distance),
        };
        at.map(as_u32)
    }

    /// Describes the fault of an invalid corner.
    pub(super) fn fault_of(&self, corner: &[u8]) -> String {
        let shown = shortened(&String::from_utf8_lossy(corner));
        let parts = corner.split(|&byte| byte == b'/').enumerate();
        for (list, part) in parts.filter(|(list, part)| *list == 0 || !part.is_empty()) {
            let integer = leading_integer(part).filter(|(_, len)| *len == part.len());
            let (Some(name), Some((index, _))) = (LISTS.get(list), integer) else { break };
            if self.resolved(list, index).is_none() {
                let of = |counts: &StatementCounts| counts.0.get(list).copied().unwrap_or_default();
                let there = match index {
                    1.. => format!("the file has {}", of(&self.totals)),
                    _ => format!("there are {} before it", of(&self.counts)),
                };
                return format!("{shown} refers to {name} {index}, but {there}");
            }
        }
        format!("{shown} is not a corner")
    }
}
