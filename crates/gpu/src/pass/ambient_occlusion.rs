//! Darkness in hollows of what is lit by an environment, before all that lets through what is behind.

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
            // What another layer has drawn there has its own already.
            && input.layer.has_background
    },
    is_on_top: never,
};
