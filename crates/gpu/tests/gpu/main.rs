//! The GPU against the CPU reference, pixels against expectations, and failures.
//!
//! Software adapters suffice and are preferred, so that results don't depend on the machine. Without any
//! adapter these tests fail, unless `RIGSCOPE_GPU=none` is set: then they are ignored.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "helpers of tests fail and talk as tests do"
)]

mod chunks;
mod colorings;
mod culling;
mod deferred;
mod draw_order;
mod environments;
mod failure;
mod full_models;
mod images;
mod in_flight;
mod influences;
mod loose;
mod materials;
mod models;
mod normals;
mod outline;
mod overlays;
mod pairs;
mod physical;
mod pick;
mod poses;
mod rounding;
mod runs;
mod samples;
mod shadows;
mod skinning;
mod smooth;
mod squares;
mod streams;
#[path = "../../../../tests/support/mod.rs"]
mod support;
mod tangents;
mod textures;
mod timings;
mod together;
mod vertex_colors;
mod weights;

use std::sync::OnceLock;

use rigscope_core::model::{Model, Report};
use rigscope_gpu::{Gpu, Renderer, Scene};

/// A separate device.
fn new_gpu() -> Gpu {
    Gpu::headless_preferring_software()
        .unwrap_or_else(|error| panic!("{error}; {}", support::NO_GPU))
}

/// The device shared by tests that don't break it.
fn gpu() -> &'static Gpu {
    static SHARED: OnceLock<Gpu> = OnceLock::new();
    SHARED.get_or_init(new_gpu)
}

/// A renderer, and the model on the shared device.
fn uploaded(model: &Model) -> (&'static Gpu, Renderer, Scene) {
    let renderer = Renderer::new(gpu());
    let scene = Scene::upload(gpu(), &renderer, model, &Report::new()).unwrap();
    (gpu(), renderer, scene)
}
