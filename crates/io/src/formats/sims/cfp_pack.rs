//! Packs the values of a skill: the inverse of `cfp`.
//!
//! As in all real files, every column begins with an explicit value and no repeat crosses columns. Errors
//! don't accumulate: each step is chosen relative to the value that unpacking will produce.
//!
//! The same values can be packed in many ways, so a file that was read is preserved instead of repacked. The
//! caller controls the losses: [`pack`] takes the maximum error of each column, and stores an explicit value
//! if no step is close enough. With a maximum error of 0, values are preserved bit by bit. Steps 120 to 132
//! are smaller than single precision can represent at 1, and some readers misinterpret them; they are only
//! used for lossless columns.

use super::cfp::{LAST_STEP, REPEAT, VALUE, step};

/// Steps that don't occur in real files.
const TINY_STEPS: std::ops::RangeInclusive<u8> = 120..=132;
/// Changes up to the largest tiny step are dropped if the allowed error permits it.
const STILL: f32 = 7e-7;
/// Maximum number of repeats per code.
const MAX_REPEATS: usize = 1 << 16;

/// A sequence of values, and their allowed error.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Column {
    pub(super) values: Vec<f32>,
    pub(super) max_error: f32,
}

pub(super) fn pack(columns: &[Column]) -> Vec<u8> {
    let steps: Vec<f32> = (0..=LAST_STEP).map(step).collect();
    let mut packer = Packer { bytes: Vec::new(), value: 0.0, num_repeats: 0 };
    for column in columns {
        for (at, &wanted) in column.values.iter().enumerate() {
            packer.push(wanted, column.max_error, at == 0, &steps);
        }
        packer.end_repeat();
    }
    packer.bytes
}

struct Packer {
    bytes: Vec<u8>,
    /// The value that unpacking has at this point.
    value: f32,
    num_repeats: usize,
}

impl Packer {
    fn push(&mut self, wanted: f32, max_error: f32, is_first: bool, steps: &[f32]) {
        let change = wanted - self.value;
        if !is_first && change.abs() <= max_error.min(STILL) {
            self.num_repeats += 1;
            return;
        }
        self.end_repeat();
        if let Some((code, value)) = nearest(self.value, wanted, steps)
            && !is_first
            && (value - wanted).abs() <= max_error
            && (max_error == 0.0 || !TINY_STEPS.contains(&code))
        {
            self.bytes.push(code);
            self.value = value;
            return;
        }
        self.bytes.push(VALUE);
        self.bytes.extend(wanted.to_le_bytes());
        self.value = wanted;
    }

    fn end_repeat(&mut self) {
        while self.num_repeats > 0 {
            let num = self.num_repeats.min(MAX_REPEATS);
            let stored = u16::try_from(num - 1).unwrap_or(u16::MAX);
            self.bytes.push(REPEAT);
            self.bytes.extend(stored.to_le_bytes());
            self.num_repeats -= num;
        }
    }
}

/// The step from `value` that leads closest to `wanted`, and the resulting value.
fn nearest(value: f32, wanted: f32, steps: &[f32]) -> Option<(u8, f32)> {
    let change = wanted - value;
    let above = steps.partition_point(|&step| step < change);
    // The change was rounded, so the neighbouring steps are tried too.
    let around = above.saturating_sub(2)..(above + 2).min(steps.len());
    let led = around.filter_map(|code| {
        let led = value + steps.get(code)?;
        Some((u8::try_from(code).ok()?, led))
    });
    led.min_by(|a, b| (a.1 - wanted).abs().total_cmp(&(b.1 - wanted).abs()))
}
