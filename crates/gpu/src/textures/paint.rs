//! How a subset is painted.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// With a single colour.
    Plain,
    /// With an opaque material.
    Opaque(usize),
    /// With a translucent material.
    Blended(usize),
    /// Invisible, but hides surfaces behind it.
    DepthOnly,
    /// With the checker texture.
    Checker,
}
