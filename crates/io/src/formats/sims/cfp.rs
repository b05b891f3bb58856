//! CFP (`.cfp`): the values of a skill's curves, packed. Means nothing without the skill.
//!
//! Source: "CFP File Format" (simtech) and the original author's formula, settled on real files.
//!
//! Seven columns of numbers, one after another: all x, y, z of the positions, then all x, y, z,
//! **w** of the rotations. Each number is made from the one before:
//!
//! | byte | meaning |
//! |---|---|
//! | 255 | an f32 (little-endian) follows, which is the value |
//! | 254 | a u16 n follows; the value again, n + 1 times |
//! | 253 | reserved |
//! | 0..=252 | a step: sign(c - 126) * 0.1 * (abs(c - 126) / 126)^4 |
//!
//! Every column of real files begins with 255 and no repeat crosses a column; neither is needed.
//!
//! Ambiguous: most readers have 3.9676e-10 for 0.1 / 126^4, fitted on files; the formula is its
//! author's own and differs by less than the packing loses.

use crate::formats::{Cursor, Limits, ReadError};

/// Id in messages, and of the part that is a clip's values alone.
pub(super) const ID: &str = "cfp";
/// The code that changes nothing.
const CENTER: i16 = 126;
/// Largest step.
const SPREAD: f64 = 0.1;
pub(super) const LAST_STEP: u8 = 252;
pub(super) const REPEAT: u8 = 254;
pub(super) const VALUE: u8 = 255;
/// Values that one file may unpack to: hours of a character, and no more memory than a picture.
pub(super) const MAX_VALUES: usize = 1 << 24;

/// What was unpacked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Values {
    /// As many as were asked for.
    pub(super) values: Vec<f32>,
    /// Repeats past the last one.
    pub(super) num_surplus: usize,
    /// Bytes past the last one.
    pub(super) num_trailing: usize,
}

/// The step that a code below 253 stands for.
pub(super) fn step(code: u8) -> f32 {
    let from_center = i16::from(code) - CENTER;
    let share = f64::from(from_center.abs()) / f64::from(CENTER);
    let size = SPREAD * share.powi(4);
    #[expect(clippy::cast_possible_truncation, reason = "steps are single precision")]
    let size = size as f32;
    if from_center < 0 { -size } else { size }
}

/// Unpacks `num` values.
pub(super) fn unpack(bytes: &[u8], num: usize, limits: &Limits) -> Result<Values, ReadError> {
    let mut cursor = Cursor::new(ID, bytes, limits);
    if num > MAX_VALUES {
        let what = format!("{num} values exceed the {MAX_VALUES} allowed");
        return Err(cursor.over_limit("number of values", what));
    }
    // Each byte gives a value at least, and three give 65536 at most.
    let most = bytes.len().saturating_mul(1 << 16);
    let mut values = cursor.vec(num.min(most), "number of values")?;
    let mut num_surplus = 0;
    let mut value = 0.0f32;
    while values.len() < num {
        match cursor.u8_le("code")? {
            VALUE => {
                value = cursor.f32_le("value")?;
                values.push(value);
            }
            REPEAT => {
                let times = usize::from(cursor.u16_le("repeat count")?) + 1;
                let wanted = times.min(num - values.len());
                num_surplus += times - wanted;
                values.resize(values.len() + wanted, value);
            }
            code @ ..=LAST_STEP => {
                value += step(code);
                values.push(value);
            }
            code => return Err(cursor.malformed("code", format!("code {code} is reserved"))),
        }
    }
    Ok(Values { values, num_surplus, num_trailing: cursor.remaining() })
}
