//! Meshes compressed by Draco (`KHR_draco_mesh_compression`).
//!
//! A primitive with the extension names a buffer view with a Draco stream, which contains the
//! primitive's triangles and attributes. Its accessors state type, count and bounds, but usually
//! have no buffer view.
//!
//! | file | contents |
//! |---|---|
//! | `stream` | decodes one stream |
//! | `extension` | the extension of a primitive |
//! | `expand` | stores decoded values in buffer views of the accessors |
//!
//! Invariant: after [`expand`], no other module needs to know about the extension, because the
//! accessors refer to plain buffer views. [`expand`] returns these accessors for the few checks that
//! must tolerate rounded values.
//!
//! As the extension requires, decoded values take precedence over plain ones that a file stores for
//! readers without a decoder. Each stream is decoded once, even if several primitives use it.

mod expand;
mod extension;
mod stream;

pub(super) use expand::expand;
