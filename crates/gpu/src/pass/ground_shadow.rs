//! The shadow of the surface on the ground, below the grid lines.

use super::{Depth, Geometry, Pass, never};
use crate::frame::rests_on_ground;

pub(crate) const PASS: Pass = Pass {
    name: "ground_shadow",
    shader: rigscope_shaders::GROUND_SHADOW,
    geometry: Geometry::Shadow { vertices: 6 },
    depth: Depth::Tested,
    is_blended: true,
    condition: |scene, input| {
        input.show.ground_shadow
            && input.show.surface
            && rests_on_ground(&input.bounds)
            && scene.meshes.iter().any(|mesh| mesh.num_indices > 0)
    },
    is_on_top: never,
};
