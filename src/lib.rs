//! Rigscope opens skinned meshes exactly as a game engine receives them, plays them on the GPU and
//! reports what is wrong with them.
//!
//! ```
//! use rigscope::{ConvertOptions, convert, open, pose, validate};
//!
//! let document = open("assets/sample.bsm2")?;
//! let rest = pose(&document.model, &rigscope::PoseSpec::default());
//! assert_eq!(rest[0].positions.len(), document.model.num_vertices());
//! for finding in validate(&document.model) {
//!     println!("{}: {}", finding.kind.code(), finding.message);
//! }
//! let glb = convert(&document, "sample.glb", &ConvertOptions::default())?;
//! println!("{:?}, {}", glb.losses, glb.errors.unwrap());
//! # Ok::<(), rigscope::Error>(())
//! ```
//!
//! | function | command | purpose |
//! |---|---|---|
//! | [`open`] | `info` | read a file and its related files into a [`Document`] |
//! | [`fn@pose`] | `pose` | vertices at a time of a clip |
//! | [`fn@validate`] | `validate` | findings about a model |
//! | [`fn@convert`] | `convert` | another format, with every loss and deviation |
//! | [`diff`] | `diff` | differences between two models |
//! | `render` | `render` | an image without a window (feature `gpu`) |
//! | [`fn@formats`] | `formats` | readable and writable formats |
//!
//! [`model`] has the parts of a [`Model`]. Errors are classified by cause: [`Error`]. Features: `cli`, the
//! programs; `gui`, their window; `gpu`, images; `catalog`, the subcommand of that name. Without any, no
//! GPU, window or command line crate is built.
//!
//! Spaces: *mesh* (as stored in a vertex), *bone*, *model* (after skinning, in the file's own axes
//! and unit), *display* (right-handed, Y up, metres if the file states its unit; also called
//! *world* by the camera and the shaders), *view*, *clip*. A transform is named `dst_from_src`.
//!
//! Invariant: data flows one way: bytes, formats, model, GPU.
//! Invariant: an input is never overwritten.
//!
//! ARCHITECTURE.md has the crates behind this one.

#![warn(missing_docs)]

mod conversion;
mod document;
mod look;
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
mod render;

pub use conversion::{Conversion, convert};
pub use document::{formats, open};
pub use look::{diff, pose, validate};
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
pub use render::{RenderOptions, RenderedImage, render};
#[doc(inline)]
pub use rigscope_core::compare::{Comparison, DiffOptions, Difference, DifferenceKind, MatchBy};
#[doc(inline)]
pub use rigscope_core::model::{self, Model};
pub use rigscope_core::options;
#[doc(inline)]
pub use rigscope_core::pose::{Moment, Pose, PoseSpec, SkinnedMesh};
#[doc(inline)]
pub use rigscope_core::validate::{Denied, RuleSelection, ValidateOptions, Validation};
#[doc(inline)]
pub use rigscope_io::convert::{Check, ConvertOptions, Errors, TextureMode, WriteOptions};
#[doc(inline)]
pub use rigscope_io::formats::FormatInfo;
#[doc(inline)]
pub use rigscope_io::{Error, OpenOptions, open::Document};
