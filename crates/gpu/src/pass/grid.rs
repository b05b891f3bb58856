//! The ground grid.

use super::{Depth, Geometry, Pass, never};

pub(super) const PASS: Pass = Pass {
    name: "grid",
    shader: rigscope_shaders::GRID,
    geometry: Geometry::Frame { vertices: 6, instances: 1 },
    depth: Depth::Tested,
    is_blended: true,
    condition: |_, input| input.show.grid,
    is_on_top: never,
};
