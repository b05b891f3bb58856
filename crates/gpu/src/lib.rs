//! Drawing and skinning on the GPU.
//!
//! For: the window, `render`, `pose --skin gpu` and tests, which all draw with the same code.
//! Not for: windows and surfaces (`app`), file formats, any truth that would be lost with a device.
//!
//! Order of work: [`Gpu`] is a device, [`Renderer`] its pipelines, [`Scene`] one model's buffers,
//! [`Target`] an image; [`Renderer::render`] draws a [`FrameInput`] of the scene into the target.
//!
//! A frame is skinned once: `palette.wgsl` turns stored keys into bone matrices, a *deform*
//! pipeline (`skin_packed.wgsl` for packed vertices, `skin_streams.wgsl` for all else) writes one
//! buffer of skinned vertices, and all passes pull their vertices from it. Playing sampled keys
//! uploads which two to read and nothing else; curves, dual quaternions and morph weights are
//! read on the CPU and go up once a pose, a matrix a bone and a number a shape.
//!
//! What is under the pointer is found by [`pick`]: an image of numbers, drawn with the same buffers
//! only when somebody asks and something has changed.
//!
//! Subsets whose material has textures are drawn by a shader of their own, `textured.wgsl`; a model
//! without textures never compiles it.
//!
//! Spaces: the skinned buffer is in file space; passes apply `Axes::display_from_file`.
//!
//! Invariant: nothing here is the only copy of anything; after a lost device all of it is made
//! again from the model.
//! Invariant: sizes are checked against the device's limits before a buffer is made.
//! Invariant: [`Renderer`] never changes once made, but for pipelines made on first use.

mod attachment;
#[cfg(not(target_arch = "wasm32"))]
mod bench;
mod bind;
mod buffers;
mod chunk;
mod chunk_plan;
mod clips;
mod deform;
mod depth_peeling;
mod device;
mod draws;
mod error;
mod frame;
pub mod gif;
mod gpu_data;
mod group;
pub mod headless;
mod image_formats;
mod kernels;
mod light;
mod masks;
mod mesh_pass;
mod occlusion;
mod occlusion_map;
mod outline;
mod pass;
mod peel_targets;
mod pending;
pub mod pick;
mod pick_result;
mod pipelines;
#[cfg(not(target_arch = "wasm32"))]
mod precompile;
pub mod readback;
mod records;
mod renderer;
mod runs;
#[cfg(test)]
mod same_layout;
mod scene;
mod shaders;
mod shadow_map;
mod shadow_pass;
mod skinned_layout;
mod software;
mod srgb;
#[cfg(not(target_arch = "wasm32"))]
mod studio;
mod target;
mod textures;
mod timing;
mod upload;
mod variant;
mod vertex_inputs;
mod vertex_value_upload;
mod vertex_values;

#[cfg(not(target_arch = "wasm32"))]
pub use bench::{AdapterFacts, CopyBuffers};
pub use device::{Caps, ErrorLog, Gpu, GpuInitError};
pub use error::SceneError;
pub use frame::{Background, FrameInput, FrameStats, Layer, SubsetLook};
pub use renderer::Renderer;
pub use rigscope_core::visual::{Light, Show};
pub use scene::Scene;
#[cfg(not(target_arch = "wasm32"))]
pub use skinned_layout::skinned_bytes;
pub use software::{Blit, UiMesh, UiPainter, ui_image};
#[cfg(not(target_arch = "wasm32"))]
pub use studio::{PendingDevice, Studio, StudioError};
pub use target::{Msaa, Target};
pub use timing::{GpuTimes, Timer};
pub use upload::{SceneLight, SceneMaterials};

#[cfg(test)]
mod tests;
