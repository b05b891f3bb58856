//! Lost devices, and models that don't fit.

use rigscope_core::model::MeshId;
use rigscope_core::model::*;
use rigscope_core::pose::PoseSpec;
use rigscope_gpu::{FrameInput, Msaa, Renderer, Scene, SceneError, Target, headless, readback};

use super::models::{PLAIN, Recipe, facing, still_life};
use super::{gpu, new_gpu, uploaded};

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn all_resources_are_recreated_after_a_lost_device() {
    let gpu = new_gpu();
    let model = still_life(&[facing(0.0, 1.0)]);
    let renderer = Renderer::new(&gpu);
    let mut scene = Scene::upload(&gpu, &renderer, &model, &Report::new()).unwrap();
    assert!(!gpu.lost());
    gpu.device.destroy();
    let _ = gpu.device.poll(wgpu::PollType::Poll);
    assert!(gpu.lost());
    let target = Target::new(&gpu, [32, 32], Msaa::Off);
    let stats = renderer.render(&gpu, &mut scene, &target, &FrameInput::default());
    assert_eq!(stats.draws, 0);
    let answer = readback::skinned(&gpu, &renderer, &mut scene, &PoseSpec::default());
    assert!(answer.is_err(), "a lost device returns no vertices");

    let gpu = new_gpu();
    let renderer = Renderer::new(&gpu);
    let mut scene = Scene::upload(&gpu, &renderer, &model, &Report::new()).unwrap();
    let input = FrameInput::default();
    let image =
        headless::render_image(&gpu, &renderer, &mut scene, [32, 32], Msaa::Off, &input).unwrap();
    assert_eq!(image.rgba8.len(), 32 * 32 * 4);
    assert!(!gpu.lost());
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn too_many_bones_for_the_device_are_refused_with_a_message() {
    let small = gpu().clone().with_max_buffer(2000);
    let renderer = Renderer::new(&small);
    let model = Recipe { num_vertices: 10, num_bones: 200, ..PLAIN }.model();
    let error = Scene::upload(&small, &renderer, &model, &Report::new()).unwrap_err();
    assert!(matches!(error, SceneError::TooLarge { limit: 2000, .. }));
    let text = error.to_string();
    assert!(text.starts_with("palette slots: a buffer of 16000 bytes is needed"), "{text}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_cancelled_upload_stops() {
    let gpu = gpu();
    let cancel = CancelToken::default();
    cancel.cancel();
    let report = Report::with_progress(|_| {}, cancel);
    let renderer = Renderer::new(gpu);
    let answer = Scene::upload(gpu, &renderer, &Model::default(), &report);
    assert!(matches!(answer, Err(SceneError::Cancelled)));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn an_empty_or_too_large_image_is_refused() {
    let gpu = gpu();
    let renderer = Renderer::new(gpu);
    let mut scene = Scene::upload(gpu, &renderer, &Model::default(), &Report::new()).unwrap();
    for size in [[0, 10], [10, gpu.caps.max_texture + 1]] {
        let input = FrameInput::default();
        let answer = headless::render_image(gpu, &renderer, &mut scene, size, Msaa::Off, &input);
        assert!(matches!(answer, Err(headless::ImageError::Size { .. })));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn subsets_past_the_end_of_an_unchecked_model_are_omitted() {
    let mut model = still_life(&[facing(0.0, 1.0)]);
    model.meshes[MeshId(0)].subsets.push(Subset {
        first_index: 2,
        index_count: u32::MAX,
        material: None,
    });
    let (gpu, renderer, mut scene) = uploaded(&model);
    let target = Target::new(gpu, [16, 16], Msaa::Off);
    let stats = renderer.render(gpu, &mut scene, &target, &FrameInput::default());
    assert_eq!(stats.triangles, 1);
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}
