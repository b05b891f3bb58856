//! How much of an aspect a format holds.

/// How much of something a written file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// All of it, numbers rounded to the format's [`Precision`] at most.
    Whole,
    /// So many at most; the rest is lost.
    UpTo(u64),
    /// Nothing.
    No,
}

impl Held {
    /// [`Self::Whole`] where `holds`, else [`Self::No`].
    #[must_use]
    pub const fn when(holds: bool) -> Self {
        match holds {
            true => Self::Whole,
            false => Self::No,
        }
    }

    /// How many of `count` are held.
    pub fn of(self, count: u64) -> u64 {
        match self {
            Self::Whole => count,
            Self::UpTo(limit) => count.min(limit),
            Self::No => 0,
        }
    }
}

/// The largest step between two numbers that a format can tell apart; 0 where it keeps single
/// precision whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Of positions at rest, as a part of the model's extent.
    pub position: f32,
    /// Of normals, degrees.
    pub normal_deg: f32,
    /// Of texture coordinates.
    pub uv: f32,
    /// Of a weight.
    pub weight: f32,
}

impl Precision {
    /// Single precision throughout.
    pub const EXACT: Self = Self { position: 0.0, normal_deg: 0.0, uv: 0.0, weight: 0.0 };
}
