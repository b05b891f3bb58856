//! The values of `v`, `vt` and `vn` statements.

use glam::{Vec2, Vec3, Vec4};

use super::chunk::{Chunk, LEAST, MAX_VALUES};
use super::corners::LISTS;
use super::counts::StatementCounts;
use super::faults::Stop;
use super::numbers::{number, single};
use super::statements::Statement;
use crate::formats::text::shortened;
use rigscope_core::model::{as_u32, color_from_srgb};

impl Chunk<'_> {
    /// Reads the numbers of a list's statement.
    pub(super) fn values(&mut self, statement: &Statement, list: usize) -> Result<(), Stop> {
        let field = LISTS.get(list).copied().unwrap_or_default();
        let least = LEAST.get(list).copied().unwrap_or_default();
        let words = statement.words.get(1..).unwrap_or_default();
        // Six or more numbers are a position and a colour; with fewer, a number after the position is a
        // weight and is ignored.
        let num_read = match (field, words.len()) {
            ("v", 6..) => words.len().min(MAX_VALUES),
            ("vt", _) => 2,
            _ => 3,
        };
        let mut values = Vec::with_capacity(MAX_VALUES);
        for range in words.iter().take(num_read) {
            let word = self.text.get(range.clone()).unwrap_or_default();
            let Some(value) = number(word) else {
                let word = shortened(&String::from_utf8_lossy(word));
                let what = format!("{word} isn't a number");
                return Err(Stop::Malformed { at: range.start, field, what });
            };
            values.push(value);
        }
        if words.len() < least {
            let last = statement.words.last().map_or(0, |word| word.start);
            let what = format!("{field} has {} numbers and not {least}", words.len());
            return Err(Stop::Malformed { at: last, field, what });
        }
        self.store(list, &values);
        Ok(())
    }

    /// Stores the values of a list's next statement.
    pub(super) fn store(&mut self, list: usize, values: &[f64]) {
        let of = |counts: &StatementCounts| counts.0.get(list).copied().unwrap_or_default();
        let number = of(&self.lengths.counts);
        let at = number - of(&self.first);
        match (list, values) {
            (0, [x, y, z, color @ ..]) => {
                if let Some(point) = self.lists.points.get_mut(at) {
                    *point = [*x, *y, *z];
                }
                if let [r, g, b, alpha @ ..] = color {
                    let alpha = alpha.first().copied().unwrap_or(1.0);
                    let color = color_from_srgb([*r, *g, *b, alpha]).to_array();
                    let color = Vec4::from(color.map(|value| single(f64::from(value))));
                    self.output.colors.push((as_u32(number), color));
                }
            }
            (1, [u, rest @ ..]) => {
                if let Some(uv) = self.lists.uvs.get_mut(at) {
                    let v = rest.first().copied().unwrap_or(0.0);
                    *uv = Vec2::new(single(*u), single(1.0 - v));
                }
            }
            (2, [x, y, z, ..]) => {
                if let Some(normal) = self.lists.normals.get_mut(at) {
                    *normal = Vec3::new(single(*x), single(*y), single(*z));
                }
            }
            _ => {}
        }
        self.lengths.counts.add_one(list);
    }
}
