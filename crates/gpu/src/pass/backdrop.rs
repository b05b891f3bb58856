//! The environment behind everything.

use super::{Depth, Geometry, Pass, never};
use rigscope_core::visual::Backdrop;

pub(super) const PASS: Pass = Pass {
    name: "backdrop",
    shader: rigscope_shaders::BACKDROP,
    geometry: Geometry::Environment { vertices: 3 },
    depth: Depth::Ignored,
    is_blended: false,
    condition: |_, input| input.show.light.backdrop != Backdrop::Off && input.layer.has_background,
    is_on_top: never,
};
