//! The GPU against the CPU reference, pixels against expectations, and what goes wrong.
//!
//! Software drawing is enough and is preferred, so that results do not depend on the machine.
//! Without any adapter these tests say so and pass, but fail where `CI` or `REQUIRE_GPU=1` is set.
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

use rigscope::gpu::{Gpu, GpuInitError};

/// A device of its own, or nothing where there is none and none is required.
fn new_gpu() -> Option<Gpu> {
    match open() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            assert!(
                !support::is_set("CI") && !support::is_set("REQUIRE_GPU"),
                "a GPU is required: {error}"
            );
            println!("skipped: {error}");
            None
        }
    }
}

/// The device that tests share which do not break it.
fn gpu() -> Option<&'static Gpu> {
    static SHARED: OnceLock<Option<Gpu>> = OnceLock::new();
    SHARED.get_or_init(new_gpu).as_ref()
}

fn open() -> Result<Gpu, GpuInitError> {
    Gpu::headless_preferring_software()
}
