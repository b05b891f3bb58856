//! Reads skinned meshes of packed engine formats, FBX and glTF, poses them as their runtimes do, reports their
//! faults, and converts and draws them.
//!
//! # Read a file and pose it
//!
//! [`open`] detects the format by content and finds related files (skeletons, clips, textures, buffers).
//!
//! ```
//! use rigscope::{PoseSpec, model::ClipId, open, pose};
//!
//! let document = open("assets/sample.bsm2")?;
//! let walk = document.model.find_clip("walk").unwrap_or(ClipId(0));
//! for mesh in pose(&document.model, &PoseSpec::at_secs(walk, 0.3)) {
//!     println!("{} vertices, the first at {}", mesh.positions.len(), mesh.positions[0]);
//! }
//! # Ok::<(), rigscope::Error>(())
//! ```
//!
//! # Check it
//!
//! Findings name the problem, its effect and the fix. `document.findings` has those of the reader.
//!
//! ```
//! let document = rigscope::open("assets/sample.bsm2")?;
//! for finding in rigscope::validate(&document.model) {
//!     println!("{} at {}: {}", finding.kind.code(), finding.place, finding.message);
//!     println!("fix: {}", finding.kind.info().fix);
//! }
//! # Ok::<(), rigscope::Error>(())
//! ```
//!
//! # Convert it
//!
//! The result is read back and compared with the source. Nothing is written before [`Conversion::save`].
//!
//! ```
//! use rigscope::{ConvertOptions, convert, open};
//!
//! let document = open("assets/sample.bsm2")?;
//! let glb = convert(&document, "sample.glb", &ConvertOptions::default())?;
//! for loss in &glb.losses {
//!     println!("lost: {loss}");
//! }
//! println!("measured: {}", glb.errors.as_ref().unwrap());
//! # Ok::<(), rigscope::Error>(())
//! ```
//!
//! # Draw it
//!
//! Without a window; needs the feature `gpu` and a driver (a software one such as lavapipe will do).
//!
//! ```no_run
//! # #[cfg(feature = "gpu")] {
//! let document = rigscope::open("assets/sample.bsm2")?;
//! let image = rigscope::render(&document.model, &rigscope::RenderOptions::default())?;
//! let [width, height] = image.size_px();
//! println!("{width} x {height} pixels, {} bytes", image.rgba8().len());
//! # }
//! # Ok::<(), rigscope::Error>(())
//! ```
//!
//! # Play it as an engine does
//!
//! [`Runtime::play`] returns the model as an engine shows it, and what the engine ignores.
//!
//! ```
//! let model = rigscope::open("assets/sample.bsm2")?.model;
//! let three = rigscope::Runtime::of_id("three.js").unwrap();
//! let played = three.play(&model);
//! for difference in &played.differences {
//!     println!("{} {}: {difference}", three.name, three.version);
//! }
//! let meshes = rigscope::pose(&played.model, &rigscope::PoseSpec::default());
//! # assert_eq!(meshes.len(), model.meshes.len());
//! # Ok::<(), rigscope::Error>(())
//! ```
//!
//! # Functions
//!
//! | function | command | result |
//! |---|---|---|
//! | [`open`] | `info` | a [`Document`]: the model, its related files, and findings of the reader |
//! | [`fn@pose`] | `pose` | positions, normals and tangents at a time of a clip |
//! | [`fn@validate`] | `validate` | findings about a model |
//! | [`fn@convert`] | `convert` | the files of another format, with every loss and deviation |
//! | [`diff`] | `diff` | differences between two models |
//! | [`bones`] | `bones` | which bone of one model is which bone of another |
//! | [`retarget`] | `retarget` | a model with clips of other skeletons, and how good they are |
//! | [`diagnose::diagnose`] | `diagnose` | the causes of a model's faults |
//! | `render` | `render` | an image |
//! | [`Runtime::play`] | `runtimes`, `--as` | the model as an engine plays it |
//! | [`fn@formats`] | `formats` | readable and writable formats |
//!
//! [`model`] has the parts of a [`Model`]. An [`Error`] has a code for its cause, the path, and the place in the file.
//!
//! # Features
//!
//! `cli` adds the programs, `gui` their window, `gpu` images, `catalog` the subcommand of that name. Without features, no
//! GPU, window or command-line crate is built.
//!
//! # Spaces
//!
//! *Mesh* (as stored in a vertex), *bone*, *model* (after skinning, in the file's own axes and unit), *display*
//! (right-handed, Y up, metres if the file states its unit; also called *world* by the camera and the shaders), *view*,
//! *clip*. A transform is named `dst_from_src`.
//!
//! Invariant: data flows one way: bytes, formats, model, GPU.
//! Invariant: an input is never overwritten.
//!
//! ARCHITECTURE.md has the crates behind this one.

#![warn(missing_docs)]

mod conversion;
mod document;
mod fixing;
mod look;
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
mod render;
mod retargeting;

pub use conversion::{Conversion, convert};
pub use document::{formats, open};
pub use fixing::{Fixed, fix};
pub use look::{diff, pose, validate};
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
pub use render::{RenderOptions, RenderedImage, render, render_heat_map};
pub use retargeting::{
    MatchedBones, RetargetOptions, Retargeted, RetargetedFile, bones, read_bone_map, retarget,
};
#[doc(inline)]
pub use rigscope_core::compare::{Comparison, DiffOptions, Difference, DifferenceKind, MatchBy};
#[doc(inline)]
pub use rigscope_core::model::{self, Model};
#[doc(inline)]
pub use rigscope_core::policy::{Denied, RuleSelection, ValidateOptions, Validation};
#[doc(inline)]
pub use rigscope_core::pose::transfer::{ClipQuality, RootMotion};
#[doc(inline)]
pub use rigscope_core::pose::{Moment, Pose, PoseSpec, SkinnedMesh};
#[doc(inline)]
pub use rigscope_core::runtime::Runtime;
pub use rigscope_core::{diagnose, options, rig};
#[doc(inline)]
pub use rigscope_io::convert::{
    Check, ConversionDeviation, ConvertOptions, TextureMode, WriteOptions,
};
#[doc(inline)]
pub use rigscope_io::fix::Choice as FixChoice;
#[doc(inline)]
pub use rigscope_io::formats::FormatInfo;
#[doc(inline)]
pub use rigscope_io::{Error, OpenOptions, open::Document, share};
