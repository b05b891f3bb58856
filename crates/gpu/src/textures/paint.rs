//! How a subset is painted.

/// What a pass paints it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// With its one colour.
    Plain,
    /// With a material that hides what is behind it.
    Opaque(usize),
    /// With a material that lets through what is behind it.
    Blended(usize),
    /// Not at all: it hides what is behind it.
    DepthOnly,
    /// With the checker.
    Checker,
}
