//! Applies ambient occlusion to surfaces that are lit by an environment, before translucent surfaces are
//! drawn.

use super::{Depth, Geometry, Pass, never};
use crate::textures::is_lit;

pub(crate) const PASS: Pass = Pass {
    name: "ambient_occlusion",
    shader: rigscope_shaders::AMBIENT_OCCLUSION,
    geometry: Geometry::Occlusion { vertices: 3 },
    depth: Depth::Ignored,
    is_blended: true,
    condition: |_, input| {
        input.show.ambient_occlusion
            && input.show.surface
            && input.show.coloring.is_none()
            && is_lit(&input.show)
            // Other layers have already been darkened.
            && input.layer.has_background
    },
    is_on_top: never,
};
