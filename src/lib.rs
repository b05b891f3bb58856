//! Rigscope opens skinned meshes the way a game engine will, byte for byte, plays them on the GPU
//! and says what is wrong with them.
//!
//! | module | is for |
//! |---|---|
//! | [`model`] | what every format becomes |
//! | [`pose`] | the CPU reference: sample, compose, palette, skin |
//! | [`measure`] | how far vertices are from where they were |
//! | [`bake`] | turning float meshes into packed ones |
//! | [`compare`] | what differs between two models |
//! | [`formats`] | bytes in, model and notes out, and back |
//! | [`convert`] | any model to any format, with every loss measured |
//! | [`files`] | whole files and folders from and to disk, for the shells |
//! | [`validate`] | rules that judge an export |
//! | [`camera`] | orbit, framing, rays |
//! | [`visual`] | colours, lines and faces of debugging views, as plain data |
//! | `gpu` | device, skinning, passes, pictures (feature `gpu`) |
//! | [`cli`] | the subcommands |
//! | [`state`] | what the window shows and how actions change it |
//! | `ui` | panels: state in, actions out (feature `gui`) |
//! | `app` | window, threads, dialogs, watching (feature `gui`) |
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

#[cfg(feature = "gui")]
pub mod app;
pub mod bake;
pub mod camera;
pub mod cli;
pub mod compare;
pub mod convert;
pub mod files;
pub mod formats;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod measure;
pub mod model;
pub mod pose;
pub mod state;
#[cfg(feature = "gui")]
pub mod ui;
pub mod validate;
pub mod visual;
