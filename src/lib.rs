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
//! Invariant: readers do no I/O; the shell fills a [`formats::Source`].
//! Invariant: the model holds no GPU handle, and `gpu` knows no file format but the packed layout.
//! Invariant: what left [`model::check`] is trusted; nothing downstream checks it again.
//! Invariant: `ui` changes nothing but widget state; only `app` starts threads, and `files` one that
//! waits for signals; only `main` and `cli::output` print.
//! Invariant: what a run reads is never written over; all that is written goes through [`files`].
//!
//! ARCHITECTURE.md holds the table of who may use whom; a test holds it against the code.

#![cfg_attr(
    target_arch = "wasm32",
    allow(
        dead_code,
        unused_imports,
        reason = "the command line, for which the rest is, is not in a page"
    )
)]

mod front;
pub mod model;
mod summary;

#[doc(inline)]
pub use compare::{Comparison, Difference};
#[doc(inline)]
pub use convert::Errors;
#[doc(inline)]
pub use formats::FormatInfo;
pub use front::{
    Conversion, ConvertOptions, DiffOptions, Document, Error, OpenOptions, convert, diff, formats,
    open, pose, validate,
};
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
pub use front::{Picture, PictureOptions, picture};
#[doc(inline)]
pub use model::Model;
#[doc(inline)]
pub use pose::{Moment, Pose, PoseSpec, SkinnedMesh};

// The rooms behind the front door: public for the programs, tests, benches and fuzz targets of this
// package alone, and no part of what versions promise.
#[cfg(feature = "gui")]
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod app;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod bake;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod camera;
#[cfg(not(target_arch = "wasm32"))]
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod cli;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod compare;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod convert;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod files;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod formats;
#[cfg(feature = "gpu")]
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod gpu;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod images;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod measure;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod pose;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod state;
#[cfg(feature = "gui")]
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod ui;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod validate;
#[cfg_attr(not(all_rooms), doc(hidden))]
pub mod visual;
