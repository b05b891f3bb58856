//! Skinning on the GPU and a whole frame, next to the CPU skinning the same vertices.
//!
//! `cargo bench --no-default-features --features gpu --bench frame`
//!
//! Each measured run waits for the GPU, so it holds submission and readback of nothing but a fence.

#[path = "support/mod.rs"]
mod support;

use divan::counter::ItemsCount;
use rigscope::camera::{Camera, Preset};
use rigscope::gpu::{FrameInput, Gpu, Msaa, Renderer, Scene, Target};
use rigscope::model::{Model, Report};
use rigscope::pose::{Moment, PoseSpec, Sampling, posed_bounds, skin_model};
use rigscope::visual::Outlined;
use support::{NUM_VERTICES, full_grid, grid};

fn main() {
    divan::main();
}

/// What a benchmark draws with; `None` where there is no GPU, and then nothing is measured.
struct Bench {
    gpu: Gpu,
    renderer: Renderer,
    scene: Scene,
    model: Model,
}

fn bench() -> Option<Bench> {
    bench_of(grid())
}

fn bench_of(model: Model) -> Option<Bench> {
    let gpu = Gpu::headless().ok()?;
    let renderer = Renderer::new(&gpu);
    let scene = Scene::upload(&gpu, &renderer, &model, &Report::new()).ok()?;
    Some(Bench { gpu, renderer, scene, model })
}

fn wait(gpu: &Gpu) {
    let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
}

/// A moment that differs from the one before, so that nothing is skipped.
fn moment(step: &mut u32) -> PoseSpec {
    *step += 1;
    PoseSpec {
        clip: None,
        moment: Moment::TimeSecs(f64::from(*step % 60) * 0.017),
        sampling: Sampling::Linear,
        ..PoseSpec::default()
    }
}

/// Packed vertices, verbatim.
#[divan::bench]
fn skin_on_gpu(bencher: divan::Bencher) {
    measure_skinning(bencher, bench());
}

/// The same vertices as floats with rows of influences.
#[divan::bench]
fn skin_on_gpu_full_precision(bencher: divan::Bencher) {
    measure_skinning(bencher, bench_of(full_grid()));
}

fn measure_skinning(bencher: divan::Bencher<'_, '_>, bench: Option<Bench>) {
    let Some(mut bench) = bench else { return };
    let mut step = 0;
    bencher.counter(ItemsCount::new(NUM_VERTICES)).bench_local(move || {
        bench.renderer.skin(&bench.gpu, &mut bench.scene, &moment(&mut step));
        wait(&bench.gpu);
    });
}

#[divan::bench]
fn skin_on_cpu(bencher: divan::Bencher) {
    let model = grid();
    let mut step = 0;
    bencher
        .counter(ItemsCount::new(NUM_VERTICES))
        .bench_local(move || skin_model(&model, &moment(&mut step)));
}

/// 1000 x 600, surface, grid and axes, while playing.
#[divan::bench(args = [1, 4])]
fn frame(bencher: divan::Bencher, samples: u32) {
    measure_frame(bencher, samples, None);
}

fn measure_frame(bencher: divan::Bencher<'_, '_>, samples: u32, selected: Option<Outlined>) {
    let Some(mut bench) = bench() else { return };
    let msaa = if samples == 4 { Msaa::X4 } else { Msaa::Off };
    let target = Target::new(&bench.gpu, [1000, 600], msaa);
    let bounds = posed_bounds(&bench.model, &PoseSpec::default());
    let mut camera = Camera::default();
    camera.look_from(Preset::Iso);
    camera.frame(&bounds, 1000.0 / 600.0);
    let mut step = 0;
    bencher.bench_local(move || {
        let pose = moment(&mut step);
        let input = FrameInput { camera, bounds, pose, selected, ..FrameInput::default() };
        bench.renderer.render(&bench.gpu, &mut bench.scene, &target, &input);
        wait(&bench.gpu);
    });
}

/// The same with an outline around all of it.
#[divan::bench(args = [1, 4])]
fn frame_outlined(bencher: divan::Bencher, samples: u32) {
    measure_frame(bencher, samples, Some(Outlined::Part(0)));
}

/// The same without waiting: what a playing window costs the CPU besides drawing.
#[divan::bench]
fn frame_submitted(bencher: divan::Bencher) {
    let Some(mut bench) = bench() else { return };
    let target = Target::new(&bench.gpu, [64, 64], Msaa::Off);
    let bounds = posed_bounds(&bench.model, &PoseSpec::default());
    let mut step = 0;
    let gpu = bench.gpu.clone();
    bencher.with_inputs(|| wait(&gpu)).bench_local_values(move |()| {
        let input = FrameInput { bounds, pose: moment(&mut step), ..FrameInput::default() };
        bench.renderer.render(&bench.gpu, &mut bench.scene, &target, &input)
    });
}
