//! How much of an aspect a format stores.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// All of it; numbers may be rounded to the format's [`Precision`].
    Whole,
    /// At most this many; the rest is lost.
    UpTo(u64),
    No,
}

impl Held {
    /// How many of `count` are stored.
    pub fn of(self, count: u64) -> u64 {
        match self {
            Self::Whole => count,
            Self::UpTo(limit) => count.min(limit),
            Self::No => 0,
        }
    }
}

/// The largest step between two numbers that a format can distinguish; 0 if it stores single precision
/// exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// For positions at rest, relative to the size of the model.
    pub position: f32,
    /// For normals, in degrees.
    pub normal_deg: f32,
    /// For UVs.
    pub uv: f32,
    /// For weights.
    pub weight: f32,
}

impl Precision {
    /// Single precision throughout.
    pub const EXACT: Self = Self { position: 0.0, normal_deg: 0.0, uv: 0.0, weight: 0.0 };
}
