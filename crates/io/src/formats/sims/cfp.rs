//! CFP (`.cfp`): the packed values of a skill's curves, which only have a meaning together with the skill.
//!
//! Source: "CFP File Format" (simtech) and the original author's formula, verified with real files.
//!
//! Seven columns of numbers, one after another: all x, y, z of the positions, then all x, y, z, **w** of the
//! rotations. Each number is derived from the previous one:
//!
//! | byte | meaning |
//! |---|---|
//! | 255 | followed by the value as an f32 (little-endian) |
//! | 254 | followed by a u16 n; repeats the value n + 1 times |
//! | 253 | reserved |
//! | 0..=252 | a step: sign(c - 126) * 0.1 * (abs(c - 126) / 126)^4 |
//!
//! In real files every column begins with 255 and no repeat crosses columns; neither is required.
//!
//! Ambiguous: most readers use 3.9676e-10 for 0.1 / 126^4, which was fitted to files; the formula is the
//! author's, and the difference is smaller than the packing error.

use crate::formats::{Cursor, Limits, ReadError};

/// Id in messages, and of the part with a clip's values.
pub(super) const ID: &str = "cfp";
/// The code for no change.
const CENTER: i16 = 126;
/// Largest step.
const SPREAD: f64 = 0.1;
pub(super) const LAST_STEP: u8 = 252;
pub(super) const REPEAT: u8 = 254;
pub(super) const VALUE: u8 = 255;
/// Maximum number of values per file: hours of a character, and no more memory than an image.
pub(super) const MAX_VALUES: usize = 1 << 24;

/// The result of unpacking.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Values {
    /// The requested number of values.
    pub(super) values: Vec<f32>,
    /// Number of repeats past the last value.
    pub(super) num_surplus: usize,
    /// Number of bytes after the last value.
    pub(super) num_trailing: usize,
}

/// The step for a code below 253.
pub(super) fn step(code: u8) -> f32 {
    let from_center = i16::from(code) - CENTER;
    let share = f64::from(from_center.abs()) / f64::from(CENTER);
    let size = SPREAD * share.powi(4);
    #[expect(clippy::cast_possible_truncation, reason = "steps are single precision")]
    let size = size as f32;
    if from_center < 0 { -size } else { size }
}

pub(super) fn unpack(bytes: &[u8], num: usize, limits: &Limits) -> Result<Values, ReadError> {
    let mut cursor = Cursor::new(ID, bytes, limits);
    if num > MAX_VALUES {
        let what = format!("{num} values exceed the {MAX_VALUES} allowed");
        return Err(cursor.over_limit("number of values", what));
    }
    // A byte gives at least one value, and three bytes at most 65536.
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
