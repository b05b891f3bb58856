//! Packing the values of a skill: the inverse of `cfp`.
//!
//! Every column begins with a value of its own, and no repeat crosses a column, as in all real
//! files. Errors do not add up: each step is chosen against the value that unpacking has by then.
//!
//! There are many ways to pack the same values, so a file that was read is kept as it was. What the
//! format loses is up to whoever packs: [`pack`] takes the largest error of each column, and writes
//! a value out where no step comes as near. With an error of 0 the values come back to the bit.
//! Steps 120 to 132 are smaller than single precision can tell at 1, and some readers take them
//! for something else; they are only used where nothing may be lost.

use super::cfp::{LAST_STEP, REPEAT, VALUE, step};

/// Steps that real files leave out.
const TINY_STEPS: std::ops::RangeInclusive<u8> = 120..=132;
/// A change as small as the largest tiny step is none, where that much may be lost.
const STILL: f32 = 7e-7;
/// Times that one code repeats a value at most.
const MAX_REPEATS: usize = 1 << 16;

/// Values one after another, and how far each may be off.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Column {
    pub(super) values: Vec<f32>,
    pub(super) max_error: f32,
}

/// Packs columns.
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
    /// What unpacking has by now.
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

/// The step from `value` that leads nearest to `wanted`, and where it leads.
fn nearest(value: f32, wanted: f32, steps: &[f32]) -> Option<(u8, f32)> {
    let change = wanted - value;
    let above = steps.partition_point(|&step| step < change);
    // The change itself was rounded, so its neighbours are looked at too.
    let around = above.saturating_sub(2)..(above + 2).min(steps.len());
    let led = around.filter_map(|code| {
        let led = value + steps.get(code)?;
        Some((u8::try_from(code).ok()?, led))
    });
    led.min_by(|a, b| (a.1 - wanted).abs().total_cmp(&(b.1 - wanted).abs()))
}
