//! Creates the pipelines of an image on all cores before it is recorded. Recording would create them one at
//! a time, at 10 to 50 ms each.
//!
//! Not for the window, which creates all pipelines in the background while it opens. Pipelines that aren't
//! listed here (masks of selected parts, culling) are created while recording.

use rayon::prelude::*;

use super::frame::FrameInput;
use super::kernels::Kernels;
use super::outline;
use super::pass::{
    AMBIENT_OCCLUSION, DEFERRED, GEOMETRY, GROUND_SHADOW, LAYERS, PASSES, PEEL, Pass,
};
use super::pipelines::Pipelines;
use super::variant::Variant;
use super::{Gpu, Msaa, Scene};

/// Creates a pipeline.
type Job<'a> = Box<dyn Fn() + Send + Sync + 'a>;

/// Creates the pipelines for drawing `input` of `scene`, whose runs and number of deferred tiles must be
/// those of the image.
pub(super) fn make_pipelines(
    gpu: &Gpu,
    kernels: &Kernels,
    pipelines: &Pipelines,
    scene: &Scene,
    msaa: Msaa,
    input: &FrameInput<'_>,
) {
    jobs(gpu, kernels, pipelines, scene, msaa, input).par_iter().for_each(|job| job());
}

fn jobs<'a>(
    gpu: &'a Gpu,
    kernels: &'a Kernels,
    pipelines: &'a Pipelines,
    scene: &Scene,
    msaa: Msaa,
    input: &FrameInput<'_>,
) -> Vec<Job<'a>> {
    let layouts = &kernels.layouts;
    let is_wanted = |pass: &Pass| pass.is_wanted(scene, input);
    let mut passes: Vec<Pass> =
        PASSES.into_iter().filter(|pass| is_wanted(pass)).copied().collect();
    let mut jobs: Vec<Job<'a>> = Vec::new();
    if is_wanted(&DEFERRED) {
        passes.push(GEOMETRY);
        jobs.push(Box::new(move || _ = pipelines.geometry_tiles(gpu, layouts)));
    }
    if is_wanted(&LAYERS) {
        passes.push(PEEL[usize::from(msaa != Msaa::Off)]);
    }
    if is_wanted(&GROUND_SHADOW) {
        jobs.push(Box::new(move || _ = pipelines.shadow(gpu, layouts)));
    }
    if is_wanted(&AMBIENT_OCCLUSION) {
        jobs.push(Box::new(move || _ = pipelines.occlusion(gpu, layouts, msaa)));
    }
    if outline::is_wanted(input) {
        jobs.push(Box::new(move || _ = pipelines.outline(gpu, layouts)));
    }
    for kernel in scene.deformer.kernels(&input.pose) {
        jobs.push(Box::new(move || _ = kernels.get(gpu, kernel)));
    }
    for pass in passes {
        for flags in pass.materials(scene, input) {
            let variant = Variant::of(&pass, input, flags);
            jobs.push(Box::new(move || drop(pipelines.pass(gpu, layouts, &pass, msaa, variant))));
        }
    }
    jobs
}
