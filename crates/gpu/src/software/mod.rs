//! Code that only software adapters need, such as llvmpipe and SwiftShader.
//!
//! | module | purpose | reason |
//! |---|---|---|
//! | `cull`, `culled_mesh` | removes triangles that cover no sample | triangles are set up on one core |
//! | `deferred`, `geometry_buffer` | lights each pixel once | small triangles waste most of a 4x4 block |
//! | `ui_painter` | draws egui without the branches of `egui_wgpu` | both sides of a branch are executed |
//! | `blit` | copies the view into the window | egui's pipeline would filter and blend each pixel |
//!
//! `ui_painter` draws the window on every adapter. `crates/window` decides which parts of the window are
//! painted again.

mod blit;
pub(crate) mod cull;
pub(crate) mod culled_mesh;
pub(crate) mod deferred;
pub(crate) mod geometry_buffer;
mod ui_painter;

pub use blit::Blit;
pub use ui_painter::{UiMesh, UiPainter, ui_image};
