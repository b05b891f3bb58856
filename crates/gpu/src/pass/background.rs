//! The background gradient.

use super::{Depth, Geometry, Pass, never};
use crate::frame::Background;

pub(super) const PASS: Pass = Pass {
    name: "background",
    shader: rigscope_shaders::BACKGROUND,
    geometry: Geometry::Frame { vertices: 3, instances: 1 },
    depth: Depth::Ignored,
    is_blended: false,
    condition: |_, input| {
        // Plain backgrounds are the clear colour.
        matches!(input.background, Background::Gradient | Background::Light)
            && input.layer.has_background
    },
    is_on_top: never,
};
