//! The ground.

use super::{Depth, Geometry, Pass, never};
use crate::gpu::shaders::shader;

pub(super) const PASS: Pass = Pass {
    name: "grid",
    shader: shader!("frame", "grid"),
    geometry: Geometry::Frame { vertices: 6, instances: 1 },
    depth: Depth::Tested,
    is_blended: true,
    asks: |_, input| input.show.grid,
    is_on_top: never,
};
