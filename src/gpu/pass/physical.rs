//! Triangles with a material that hides what is behind, lit by an environment.

use super::textured::{self, has_solid, ranges};
use super::{Geometry, Pass};
use crate::gpu::shaders::shader;
use crate::gpu::textures::is_lit;

pub(super) const PASS: Pass = Pass {
    name: "physical",
    shader: shader!("frame", "mesh", "material", "light", "physical"),
    geometry: Geometry::Lit(textured::draw),
    asks: |scene, input| {
        is_lit(&input.show) && ranges(scene, input).any(|(_, _, paint)| has_solid(paint))
    },
    ..textured::PASS
};
