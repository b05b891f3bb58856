//! Rendering and skinning on the GPU.
//!
//! For: the window, `render`, `pose --skin gpu` and tests, which all render with the same code.
//! Not for: windows and surfaces (`app`), file formats, state that must survive the loss of a device.
//!
//! Overview: [`Gpu`] is a device, [`Renderer`] its pipelines, [`Scene`] the buffers of one model,
//! [`Target`] the attachments; [`Renderer::render`] draws a [`FrameInput`] of the scene into the target. Without a
//! window, an `ImageSequence` draws the images of an `ImageRequest` with a `Studio`.
//!
//! Vertices are skinned once per pose: `palette.wgsl` turns keys into bone matrices, a *deform* pipeline
//! (`skin_packed.wgsl` for packed vertices, `skin_streams.wgsl` for all others) writes a buffer of skinned
//! vertices, and all passes read that buffer. Playback of sampled keys only uploads which two keys to
//! blend. Curves, dual quaternions and morph weights are evaluated on the CPU and uploaded once per pose:
//! one matrix per bone, one number per morph shape.
//!
//! [`pick`] looks up the pointer position in an image of IDs, which is rendered from the same buffers on
//! request and only if it has changed.
//!
//! # Surface
//!
//! | drawn by | condition |
//! |---|---|
//! | `smooth.wgsl` | one colour, vertices with normals; passes the least from vertices to pixels |
//! | `textured.wgsl` | a material with textures, in plain light |
//! | `physical.wgsl` | in an environment: metallic-roughness as in glTF, or the SDK's effects |
//! | `surface.wgsl` | everything else, such as colourings and flat shading |
//!
//! Models without textures have no texture, bind group or pipeline for them. Translucent surfaces are drawn
//! after all opaque ones, from the nearest layer on (`depth_peeling`). Tone mapping is the last step of each
//! lit fragment, so that everything drawn later is blended as the screen shows it.
//!
//! Binding is the main cost of a draw on software adapters. Therefore meshes share buffers (`group`), a pass
//! binds only resources that differ from the previous draw (`mesh_pass`), and neighbouring subsets with the same
//! look become one draw, a *run* (`runs`), computed once per frame for all passes. A mesh that doesn't fit in
//! a buffer of the device is split into chunks (`chunk_plan`); picked triangles, painted colours and vertex
//! animations keep the mesh's numbers.
//!
//! Optional effects cost nothing while they are off: the ground shadow (`shadow_pass`: the model's height
//! above the ground, seen from above, then blurred), ambient occlusion (`occlusion`: from the depth of the
//! opaque surfaces), outlines of the selection and the hovered part (`outline`: both drawn again as coverage,
//! then a ring around each). An environment is two cubes and a table (`light`), made by compute shaders when
//! it is first used.
//!
//! # Waiting
//!
//! Results of the GPU are [`Pending`](pending): one thread requests them and another waits, or a future does
//! in the browser. A model is uploaded without its textures first ([`Scene::upload_plain`]); views report the
//! missing parts, which are uploaded in the background. Without a window, the pipelines of an image are
//! created on all cores before it is recorded (`precompile`). Pass times come from timestamps that are read
//! some frames later (`timing`), and only while something displays them.
//!
//! Spaces: skinned vertices are in file space; passes apply `Axes::display_from_file`.
//!
//! Invariant: nothing here is the only copy of any data; after the loss of a device everything is created
//! again from the model.
//! Invariant: sizes are checked against the device's limits before a buffer is created.
//! Invariant: a [`Renderer`] is immutable, except that pipelines are created on first use.

mod apng;
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
pub mod film;
mod frame;
mod gif;
mod gpu_data;
mod group;
pub mod headless;
mod image_formats;
#[cfg(not(target_arch = "wasm32"))]
mod image_overlays;
#[cfg(not(target_arch = "wasm32"))]
mod image_request;
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
mod pipeline_cache;
mod pipelines;
#[cfg(not(target_arch = "wasm32"))]
mod precompile;
pub mod readback;
mod records;
mod render_context;
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
mod webp;

#[cfg(not(target_arch = "wasm32"))]
pub use bench::{AdapterFacts, CopyBuffers};
pub use device::{Caps, ErrorLog, Gpu, GpuInitError};
pub use error::SceneError;
pub use frame::{Background, FrameInput, FrameStats, Layer, SubsetLook};
#[cfg(not(target_arch = "wasm32"))]
pub use image_request::{ImageRequest, ImageSequence, Shot};
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
