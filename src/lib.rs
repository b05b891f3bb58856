//! Rigscope opens skinned meshes the way a game engine will, byte for byte, plays them on the GPU
//! and says what is wrong with them.
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
//! | function | command | does |
//! |---|---|---|
//! | [`open`] | `info` | a file and what lies beside it become a [`Document`] |
//! | [`fn@pose`] | `pose` | vertices at a moment of a clip |
//! | [`fn@validate`] | `validate` | what is wrong with a model |
//! | [`fn@convert`] | `convert` | another format, with every loss and error reported |
//! | [`diff`] | `diff` | what differs between two models |
//! | `picture` | `render` | a picture without a window (feature `gpu`) |
//! | [`fn@formats`] | `formats` | what is read and written |
//!
//! [`model`] has the parts of a [`Model`]. What goes wrong is an [`Error`], by whose fault it is.
//! Features: `gui`, the default, is the window; `gpu` alone draws without one; without both no GPU or
//! window crate is built.
//!
//! Spaces: *mesh* (as stored in a vertex), *bone*, *model* (after skinning, in the file's own axes
//! and unit), *display* (right-handed, Y up, metres where the file states its unit; also called
//! *world* by the camera and the shaders), *view*, *clip*. A transform is named `dst_from_src`.
//!
//! Invariant: data flows one way: bytes, `formats`, `model`, `gpu`; and `ui`, `state`, `app`.
//! Invariant: readers do no I/O; the shell fills a `Source`.
//! Invariant: the model holds no GPU handle, and `gpu` knows no file format but the packed layout.
//! Invariant: what left [`model::check`] is trusted; nothing downstream checks it again.
//! Invariant: `ui` changes nothing but widget state; only `app` starts threads, and `files` one that
//! waits for signals; only `main` and `cli::output` print.
//! Invariant: what a run reads is never written over; all that is written goes through `rigscope-io`.
//!
//! ARCHITECTURE.md has the table of crates and modules.

mod catalog;
mod conversion;
mod document;
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
mod drawing;
mod error;
mod look;

pub use conversion::{Conversion, convert};
pub use document::{Document, OpenOptions, formats, open};
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
pub use drawing::{Picture, PictureOptions, picture};
pub use error::Error;
pub use look::{DiffOptions, diff, pose, validate};
#[doc(inline)]
pub use rigscope_core::compare::{Comparison, Difference};
#[doc(inline)]
pub use rigscope_core::model::{self, Model};
#[doc(inline)]
pub use rigscope_core::options::{OptionInfo, OptionKind, OptionValue, Request};
#[doc(inline)]
pub use rigscope_core::pose::{Moment, Pose, PoseSpec, SkinnedMesh};
#[doc(inline)]
pub use rigscope_io::convert::{Check, ConvertOptions, Errors, TextureMode, WriteOptions};
#[doc(inline)]
pub use rigscope_io::formats::FormatInfo;
