//! The GPU against the CPU reference, pixels against expectations, and what goes wrong.
//!
//! Software drawing is enough and is preferred, so that results do not depend on the machine.
//! Without any adapter these tests fail, unless `RIGSCOPE_GPU=none` says that none is meant: they are
//! ignored then.
#![cfg(feature = "gpu")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "helpers of tests fail and talk as tests do"
)]

#[path = "gpu/colorings.rs"]
mod colorings;
#[path = "gpu/examples.rs"]
mod examples;
#[path = "gpu/failure.rs"]
mod failure;
#[path = "gpu/full_models.rs"]
mod full_models;
#[path = "gpu/images.rs"]
mod images;
#[path = "gpu/influences.rs"]
mod influences;
#[path = "gpu/loose.rs"]
mod loose;
#[path = "gpu/materials.rs"]
mod materials;
#[path = "gpu/models.rs"]
mod models;
#[path = "gpu/normals.rs"]
mod normals;
#[path = "gpu/overlays.rs"]
mod overlays;
#[path = "gpu/pairs.rs"]
mod pairs;
#[path = "gpu/pick.rs"]
mod pick;
#[path = "gpu/poses.rs"]
mod poses;
#[path = "gpu/samples.rs"]
mod samples;
#[path = "gpu/skinning.rs"]
mod skinning;
#[path = "gpu/squares.rs"]
mod squares;
#[path = "gpu/streams.rs"]
mod streams;
mod support;
#[path = "gpu/textures.rs"]
mod textures;
#[path = "gpu/vertex_colors.rs"]
mod vertex_colors;
#[path = "gpu/weights.rs"]
mod weights;

use std::sync::OnceLock;

use rigscope::gpu::Gpu;

/// A device of its own.
fn new_gpu() -> Gpu {
    Gpu::headless_preferring_software()
        .unwrap_or_else(|error| panic!("{error}; {}", support::NO_GPU))
}

/// The device that tests share which do not break it.
fn gpu() -> &'static Gpu {
    static SHARED: OnceLock<Gpu> = OnceLock::new();
    SHARED.get_or_init(new_gpu)
}
