//! The environment behind everything.

use super::{Depth, Geometry, Pass, never};
use crate::gpu::shaders::shader;
use crate::visual::Backdrop;

pub(super) const PASS: Pass = Pass {
    name: "backdrop",
    shader: shader!("frame", "light", "backdrop"),
    geometry: Geometry::Environment { vertices: 3 },
    depth: Depth::Ignored,
    is_blended: false,
    asks: |_, input| input.show.light.backdrop != Backdrop::Off && input.layer.has_background,
    is_on_top: never,
};
