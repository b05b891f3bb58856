//! Picking: renders an image of IDs and reads back a small square around the pointer.
//!
//! The image is rendered from the same buffers as the frame, on the first request and whenever its contents
//! have changed since. `pick_result` interprets the IDs on the thread that waits for them.

use bytemuck::bytes_of;
use glam::Vec2;

use super::frame::{FrameInput, frame_uniform};
use super::image_formats::{DEPTH_FORMAT, ID_FORMAT};
use super::pass::ID_PASSES;
pub use super::pick_result::PendingHit;
use super::pick_result::{PendingSquare, pixel, view_px};
use super::readback::{self, ReadbackError};
use super::renderer::{encoder, window_px};
use super::target::DEPTH_CLEAR;
use super::{Gpu, Renderer, Scene};
use rigscope_core::camera::Camera;
use rigscope_core::model::Aabb;
use rigscope_core::pose::{BoneShape, PoseSpec};

/// A position in the image to pick at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickPoint {
    /// Pixels from the upper left corner of the image; pixel centres are at .5.
    pub at_px: Vec2,
    /// Bones within this distance are picked, in points.
    pub reach_points: f32,
}

/// The ID image and a key of its contents. For a single scene.
#[derive(Debug, Default)]
pub struct Picker {
    image: Option<IdImage>,
    drawn: Option<DrawnKey>,
    num_drawn: u64,
}

#[derive(Debug)]
struct IdImage {
    ids: wgpu::Texture,
    ids_view: wgpu::TextureView,
    depth_view: wgpu::TextureView,
}

/// The inputs of the ID image.
#[derive(Clone, Debug, PartialEq)]
struct DrawnKey {
    size_px: [u32; 2],
    camera: Camera,
    bounds: Aabb,
    pose: PoseSpec,
    passes: [bool; ID_PASSES.len()],
    bones_on_top: bool,
    has_textures: bool,
    visible: Vec<bool>,
    bones: Vec<BoneShape>,
    view: [f32; 2],
    window: [f32; 2],
    pixels_per_point: f32,
}

impl DrawnKey {
    fn of(scene: &Scene, input: &FrameInput<'_>, size_px: [u32; 2]) -> Self {
        Self {
            size_px,
            camera: input.camera,
            bounds: input.bounds,
            pose: input.pose,
            passes: ID_PASSES.map(|pass| pass.is_wanted(scene, input)),
            bones_on_top: input.show.bones_on_top,
            has_textures: input.show.textures,
            visible: input.subsets.iter().map(|look| look.visible).collect(),
            bones: input.bones.to_vec(),
            view: input.layer.view,
            window: input.layer.window,
            pixels_per_point: input.pixels_per_point,
        }
    }
}

impl Picker {
    /// Starts a pick at `point` of an image of `size_px` that shows `input` of `scene`. Another thread may wait
    /// for the result.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn request(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        scene: &mut Scene,
        input: &FrameInput<'_>,
        size_px: [u32; 2],
        point: PickPoint,
    ) -> Result<PendingHit, ReadbackError> {
        if gpu.lost() {
            return Err(ReadbackError::NoAnswer("the device is lost".into()));
        }
        let size_px = size_px.map(|side| side.clamp(1, gpu.caps.max_texture));
        // A single submission: software drivers would delay a second one until the first is done.
        let mut encoder = encoder(gpu);
        self.draw(gpu, renderer, scene, input, size_px, &mut encoder);
        let reach_px = (point.reach_points * input.pixels_per_point).max(0.0);
        let part = part_around(self.image.as_ref(), point.at_px, reach_px);
        let square = match (&self.image, part) {
            (Some(image), Some([first, size])) => {
                let ids = readback::part(gpu, encoder, &image.ids, first, size, 8);
                Some(PendingSquare {
                    first,
                    width: size[0],
                    ids: ids.inspect_err(|_| self.drawn = None)?,
                })
            }
            _ => {
                gpu.queue.submit([encoder.finish()]);
                None
            }
        };
        Ok(PendingHit::new(square, scene, input, size_px, point.at_px, reach_px))
    }

    /// Number of times the ID image has been rendered.
    pub fn num_drawn(&self) -> u64 {
        self.num_drawn
    }

    /// Renders the ID image unless it is up to date.
    fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        scene: &mut Scene,
        input: &FrameInput<'_>,
        size_px: [u32; 2],
        encoder: &mut wgpu::CommandEncoder,
    ) {
        let wanted = DrawnKey::of(scene, input, size_px);
        if self.drawn.as_ref() == Some(&wanted) {
            return;
        }
        let is_sized = |drawn: &DrawnKey| drawn.size_px == size_px;
        let image = match self.image.take() {
            Some(image) if self.drawn.as_ref().is_some_and(is_sized) => image,
            _ => IdImage::new(gpu, size_px),
        };
        let uniform = frame_uniform(input, &scene.axes, size_px);
        gpu.queue.write_buffer(&scene.frame, 0, bytes_of(&uniform));
        scene.write_draws(gpu, input);
        for pass in ID_PASSES {
            pass.prepare(gpu, &renderer.kernels.layouts, scene, input);
        }
        let deformer = &mut scene.deformer;
        deformer.record(gpu, &renderer.kernels, &input.pose, encoder, None);
        record(gpu, renderer, scene, &image, input, size_px, encoder);
        self.image = Some(image);
        self.drawn = Some(wanted);
        self.num_drawn += 1;
    }
}

impl IdImage {
    fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Self {
        let texture = |label, format, usage| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let ids = texture("ids", ID_FORMAT, drawn | wgpu::TextureUsages::COPY_SRC);
        let depth = texture("depth of ids", DEPTH_FORMAT, drawn);
        Self {
            ids_view: ids.create_view(&wgpu::TextureViewDescriptor::default()),
            depth_view: depth.create_view(&wgpu::TextureViewDescriptor::default()),
            ids,
        }
    }
}

/// First corner and size of the square of `reach_px` around `at_px`, clipped to the image.
fn part_around(image: Option<&IdImage>, at_px: Vec2, reach_px: f32) -> Option<[[u32; 2]; 2]> {
    /// Largest distance to a bone, in pixels: high-density screens have four per point.
    const MAX_REACH_PX: f32 = 64.0;
    let reach = Vec2::splat(reach_px.min(MAX_REACH_PX).ceil());
    let [x, y] = pixel(at_px)?;
    let ids = &image?.ids;
    let size = [ids.width(), ids.height()];
    if x >= size[0] || y >= size[1] {
        return None;
    }
    let first = pixel((at_px - reach).max(Vec2::ZERO)).unwrap_or_default();
    let last = pixel(at_px + reach).unwrap_or([x, y]);
    let width = last[0].min(size[0] - 1) + 1 - first[0];
    let height = last[1].min(size[1] - 1) + 1 - first[1];
    Some([first, [width, height]])
}

/// Records the ID passes of `input`.
fn record(
    gpu: &Gpu,
    renderer: &Renderer,
    scene: &Scene,
    image: &IdImage,
    input: &FrameInput<'_>,
    size_px: [u32; 2],
    encoder: &mut wgpu::CommandEncoder,
) {
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("ids"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &image.ids_view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &image.depth_view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(DEPTH_CLEAR),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    });
    pass.set_bind_group(0, &scene.frame_bind, &[]);
    let [left, width] = view_px(input, size_px);
    let [first, end] = window_px(input.layer, size_px[0]);
    pass.set_scissor_rect(first, 0, end - first, size_px[1]);
    for (number, kind) in ID_PASSES.into_iter().enumerate() {
        if !kind.is_wanted(scene, input) {
            continue;
        }
        let (near, far) = kind.depth_range(input);
        pass.set_viewport(left, 0.0, width, size_px[1] as f32, near, far);
        kind.draw(&mut pass, scene, input, &|_| renderer.id_pipeline(gpu, number));
    }
}
