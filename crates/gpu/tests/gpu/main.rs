//! The GPU against the CPU reference, pixels against expectations, and what goes wrong.
//!
//! Software drawing is enough and is preferred, so that results do not depend on the machine.
//! Without any adapter these tests fail, unless `RIGSCOPE_GPU=none` says that none is meant: they are
//! ignored then.
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

/// What draws a model, and the model on the device that tests share.
fn uploaded(model: &Model) -> (&'static Gpu, Renderer, Scene) {
    let renderer = Renderer::new(gpu());
    let scene = Scene::upload(gpu(), &renderer, model, &Report::new()).unwrap();
    (gpu(), renderer, scene)
}
