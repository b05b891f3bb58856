//! A model of a known size, shared by the benchmarks.
#![allow(dead_code, reason = "each benchmark uses its own part")]
#![allow(unreachable_pub, reason = "a benchmark has no outside")]

use rigscope_core::model::{self, Model};

/// Vertices of [`grid`]: as many as a 16-bit index can name, and a square.
pub const NUM_VERTICES: usize = 256 * 256;
/// Bones of [`grid`].
pub const NUM_BONES: u8 = 64;

/// A waving sheet: every vertex has four influences, which is the most that a packed one holds.
pub fn grid() -> Model {
    model::grid(NUM_VERTICES, NUM_BONES.into())
}

/// [`grid`] in full precision: float vertices, and the same influences as rows.
pub fn full_grid() -> Model {
    model::in_full_precision(grid())
}
