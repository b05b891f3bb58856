//! Composites the peeled layers of translucent surfaces over the opaque image.

use super::{Depth, Geometry, Pass, blended, never};

pub(crate) const PASS: Pass = Pass {
    name: "layers",
    shader: rigscope_shaders::LAYERS,
    geometry: Geometry::Layers { vertices: 3 },
    depth: Depth::Ignored,
    is_blended: true,
    condition: blended::is_any,
    is_on_top: never,
};
