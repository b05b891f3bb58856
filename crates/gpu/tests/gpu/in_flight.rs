//! Several images in flight.

use std::collections::HashSet;

use rigscope_core::model::{ClipId, Model, Report};
use rigscope_core::pose::{PoseSpec, posed_bounds};
use rigscope_gpu::headless::{Canvas, Image, render_image};
use rigscope_gpu::{Background, FrameInput, Msaa, Renderer, Scene};

use super::gpu;
use super::support::open_file;

/// A different pose and side for each number.
fn input(model: &Model, number: u32) -> FrameInput<'static> {
    let pose = PoseSpec::at_secs(ClipId(0), f64::from(number) * 0.13);
    let bounds = posed_bounds(model, &pose);
    let mut input =
        FrameInput { pose, bounds, background: Background::Transparent, ..FrameInput::default() };
    input.camera.frame(&bounds, 1.0);
    input.camera.yaw_rad += number as f32 * 0.7;
    input
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn images_in_flight_equal_those_drawn_one_at_a_time() {
    let gpu = gpu();
    let sample = crate::support::sample_file();
    let model = open_file(&sample, &[], &Report::new()).unwrap();
    let renderer = Renderer::new(gpu);
    let mut scene = Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
    let mut one = |size_px, number| -> Image {
        render_image(gpu, &renderer, &mut scene, size_px, Msaa::X4, &input(&model, number)).unwrap()
    };
    // Rows of the second size are padded.
    let sizes = [[96, 80], [50, 70], [96, 80]];
    let wanted = sizes.map(|size_px| [0, 1, 2, 3, 4, 5].map(|number| one(size_px, number)));
    let different: HashSet<_> = wanted[0].iter().map(|image| &image.rgba8).collect();
    assert_eq!(different.len(), 6, "the images are all the same");
    let mut canvas = Canvas::new(Msaa::X4);
    for (size_px, wanted) in sizes.into_iter().zip(&wanted) {
        for first in [0, 3] {
            let mut draw = |number| {
                canvas
                    .draw(gpu, &renderer, &mut scene, size_px, &input(&model, number), None)
                    .unwrap()
            };
            let drawings = [first, first + 1, first + 2].map(&mut draw);
            let pixels = drawings.map(|drawing| drawing.wait().unwrap());
            // On other threads, in another order.
            let mut images: Vec<(usize, Image)> = std::thread::scope(|scope| {
                let numbered: Vec<_> = (first as usize..).zip(pixels).collect();
                let threads = numbered.into_iter().rev();
                let threads =
                    threads.map(|(at, pixels)| scope.spawn(move || (at, pixels.image().unwrap())));
                let threads: Vec<_> = threads.collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            images.sort_by_key(|(at, _)| *at);
            for (at, image) in images {
                assert!(image == wanted[at], "image {at} of {size_px:?} differs");
            }
        }
    }
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}
