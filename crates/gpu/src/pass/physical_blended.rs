//! Translucent triangles with a material, lit by an environment; see `blended`.

use super::blended::{self, draw, is_any};
use super::physical;
use super::{Geometry, Pass};
use crate::textures::is_lit;

pub(super) const PASS: Pass = Pass {
    name: "physical_blended",
    shader: physical::PASS.shader,
    geometry: Geometry::Lit(draw),
    condition: |scene, input| is_lit(&input.show) && is_any(scene, input),
    ..blended::PASS
};
