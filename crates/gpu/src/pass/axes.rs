//! The compass in the corner.

use super::{Depth, Geometry, Pass};

/// Vertices per line and dot.
const VERTICES: u32 = 6 + 6;
/// Positive and negative ends of three axes.
const ENDS: u32 = 6;

pub(super) const PASS: Pass = Pass {
    name: "axes",
    shader: rigscope_shaders::AXES,
    geometry: Geometry::Frame { vertices: VERTICES, instances: ENDS },
    depth: Depth::Written,
    is_blended: true,
    condition: |_, input| input.show.axes,
    is_on_top: |_| true,
};
