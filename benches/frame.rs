//! Skinning on the GPU and drawing a frame, compared with skinning the same vertices on the CPU.
//!
//! `cargo bench --no-default-features --features gpu --bench frame`
//!
//! Each run waits for the GPU, so times include submission and waiting for the fence.

#[path = "support/mod.rs"]
mod support;

use divan::counter::ItemsCount;
use glam::Vec3;
use rigscope_core::camera::{Camera, Preset};
use rigscope_core::model::{
    ByteView, Image, ImageId, Material, MaterialId, MaterialLook, Model, Report, TextureRef,
    TextureRole,
};
use rigscope_core::pose::{Moment, PoseSpec, Sampling, posed_bounds, skin_model};
use rigscope_core::visual::{Light, OutlineTarget, Shading};
use rigscope_gpu::{FrameInput, Gpu, Msaa, Renderer, Scene, Show, Target};
use support::{NUM_VERTICES, full_grid, grid};

fn main() {
    divan::main();
}

/// GPU resources of a benchmark.
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

/// A different time for each run, so that nothing is skipped.
fn moment(step: &mut u32) -> PoseSpec {
    *step += 1;
    PoseSpec {
        clip: None,
        moment: Moment::TimeSecs(f64::from(*step % 60) * 0.017),
        sampling: Sampling::Linear,
        ..PoseSpec::default()
    }
}

/// Packed vertices.
#[divan::bench]
fn skin_on_gpu(bencher: divan::Bencher) {
    measure_skinning(bencher, bench());
}

/// The same vertices in full precision, with influences as compressed rows.
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
    measure_frame(bencher, samples, (bench(), FrameInput::default()));
}

fn measure_frame(
    bencher: divan::Bencher<'_, '_>,
    samples: u32,
    (bench, usual): (Option<Bench>, FrameInput<'static>),
) {
    let Some(mut bench) = bench else { return };
    let msaa = if samples == 4 { Msaa::X4 } else { Msaa::Off };
    let target = Target::new(&bench.gpu, [1000, 600], msaa);
    let bounds = posed_bounds(&bench.model, &PoseSpec::default());
    let mut camera = Camera::default();
    camera.look_from(Preset::Iso);
    camera.frame(&bounds, 1000.0 / 600.0);
    let mut step = 0;
    bencher.bench_local(move || {
        let pose = moment(&mut step);
        let input = FrameInput { camera, bounds, pose, ..usual };
        bench.renderer.render(&bench.gpu, &mut bench.scene, &target, &input);
        wait(&bench.gpu);
    });
}

/// The same with an outline around the whole model.
#[divan::bench(args = [1, 4])]
fn frame_outlined(bencher: divan::Bencher, samples: u32) {
    let usual = FrameInput { selected: Some(OutlineTarget::Part(0)), ..FrameInput::default() };
    measure_frame(bencher, samples, (bench(), usual));
}

/// The same with a texture in every role, for each lighting model.
#[divan::bench(args = [Shading::Plain, Shading::Physical, Shading::Sdk])]
fn frame_textured(bencher: divan::Bencher, shading: Shading) {
    let usual = Show::default();
    let light = Light { shading, ..usual.light };
    let usual = FrameInput { show: Show { light, ..usual }, ..FrameInput::default() };
    measure_frame(bencher, 1, (bench_of(textured_grid()), usual));
}

/// The grid with a material of 256 x 256 texels in every role.
fn textured_grid() -> Model {
    let mut model = grid();
    let texel = |x: u32, y: u32| image::Rgba([u8::try_from(x ^ y).unwrap_or(0), 128, 200, 255]);
    let picture = image::RgbaImage::from_fn(256, 256, texel);
    let mut png = std::io::Cursor::new(Vec::new());
    if picture.write_to(&mut png, image::ImageFormat::Png).is_err() {
        return model;
    }
    let roles = [
        TextureRole::BaseColor,
        TextureRole::Normal,
        TextureRole::MetallicRoughness,
        TextureRole::Occlusion,
        TextureRole::Emissive,
    ];
    let bytes = ByteView::whole(png.into_inner());
    model.images = vec![Image { name: "grid".into(), bytes, is_embedded: true }].into();
    let textures = roles.map(|role| TextureRef::embedded(role, ImageId(0))).into();
    let look = MaterialLook { metallic: 1.0, emissive: Vec3::splat(0.1), ..Default::default() };
    let material = Material { textures, look: Some(Box::new(look)), ..Material::default() };
    model.materials = vec![material].into();
    let subsets = model.meshes.iter_mut().flat_map(|mesh| &mut mesh.subsets);
    subsets.for_each(|subset| subset.material = Some(MaterialId(0)));
    model
}

/// The same without waiting: the CPU time per frame of a playing window.
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
