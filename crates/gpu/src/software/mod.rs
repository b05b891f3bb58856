//! Code that only software adapters need: llvmpipe, SwiftShader, WARP.
//!
//! | module | what it does | why |
//! |---|---|---|
//! | `cull`, `culled_mesh` | leaves out triangles that touch no sample, before drawing | such adapters set up triangles on one core; the culling runs on all of them |
//! | `deferred`, `geometry_buffer` | lights each pixel once, after the depth of all triangles is known | such adapters shade 4x4 blocks, so small triangles waste most of the work |
//! | `ui_painter` | draws egui's triangles without the branches of `egui_wgpu` | such adapters run both sides of every branch |
//! | `blit` | copies the view into the window pixel by pixel | a copy costs less than a textured triangle with blending |
//!
//! Which parts of the window are painted again is decided in `crates/window` (`paint`, `damage`, `samples`).

mod blit;
pub(crate) mod cull;
pub(crate) mod culled_mesh;
pub(crate) mod deferred;
pub(crate) mod geometry_buffer;
mod ui_painter;

pub use blit::Blit;
pub use ui_painter::{UiMesh, UiPainter, ui_image};
