//! Rigscope opens skinned meshes the way a game engine will, byte for byte, plays them on the GPU
//! and says what is wrong with them.
//!
//! | module | is for |
//! |---|---|
//! | [`model`] | what every format becomes |
//! | [`pose`] | the CPU reference: sample, compose, palette, skin |
//! | [`bake`] | turning float meshes into packed ones |
//! | [`formats`] | bytes in, model and notes out, and back |
//! | [`camera`] | orbit, framing, rays |
//! | `gpu` | drawing and skinning (feature `gpu`) |
//! | [`cli`] | one file a subcommand |

pub mod bake;
pub mod camera;
pub mod cli;
pub mod formats;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod model;
pub mod pose;
