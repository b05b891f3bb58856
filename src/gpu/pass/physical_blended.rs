//! Triangles with a material that lets through what is behind, lit by an environment.

use super::blended::{self, draw, is_blended};
use super::physical;
use super::textured::ranges;
use super::{Geometry, Pass};
use crate::gpu::textures::is_lit;

pub(in crate::gpu) const PASS: Pass = Pass {
    name: "physical_blended",
    shader: physical::PASS.shader,
    geometry: Geometry::Lit(draw),
    asks: |scene, input| {
        is_lit(&input.show) && ranges(scene, input).any(|(_, _, paint)| is_blended(paint))
    },
    ..blended::PASS
};
