//! The pipelines, and the order of the passes of a frame.

use std::sync::OnceLock;

use bytemuck::bytes_of;

use super::depth_peeling;
use super::frame::{FrameInput, FrameStats, Layer, frame_uniform};
use super::gpu_data::Frame;
use super::kernels::Kernels;
use super::light::{BoundLight, Lights};
use super::mesh_pass::DrawCounts;
use super::occlusion;
use super::outline;
use super::pass::{
    AMBIENT_OCCLUSION, DEFERRED, Depth, Geometry, LAYERS, PASSES, Pass, num_deferred_tiles,
};
use super::pipelines::Pipelines;
use super::render_context::RenderContext;
use super::shadow_pass;
use super::software::cull;
use super::software::deferred;
use super::target::DEPTH_CLEAR;
use super::textures::{BoundMaterial, Materials, is_lit};
use super::timing::Timer;
use super::variant::Variant;
use super::{Gpu, Msaa, Scene, Target};
use rigscope_core::pose::PoseSpec;
use rigscope_core::visual::{EnvironmentKind, Shading};

/// Everything for rendering that doesn't depend on the model.
///
/// Belongs to the device that it was created with.
#[derive(Debug)]
pub struct Renderer {
    pub(super) kernels: Kernels,
    pub(super) pipelines: Pipelines,
    pub(super) lights: Lights,
    /// `None` if the device had no room for it.
    pub(super) checker: OnceLock<Option<BoundMaterial>>,
    /// Pipelines are created on all cores before each image instead of while it is recorded.
    #[cfg(not(target_arch = "wasm32"))]
    precompiles: bool,
}

impl Renderer {
    /// A renderer that creates pipelines and the checker texture on first use.
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            kernels: Kernels::new(gpu),
            pipelines: Pipelines::default(),
            lights: Lights::default(),
            checker: OnceLock::new(),
            #[cfg(not(target_arch = "wasm32"))]
            precompiles: false,
        }
    }

    /// A renderer for use without a window: the first image needs its pipelines at once, so they are
    /// created on all cores.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn precompiling(gpu: &Gpu) -> Self {
        Self { precompiles: true, ..Self::new(gpu) }
    }

    /// Creates the checker texture, the shared light resources and all pipelines for `msaa`, so that no
    /// later frame waits for them.
    pub fn make_all(&self, gpu: &Gpu, msaa: Msaa) {
        self.kernels.make_all(gpu);
        self.pipelines.make_all(gpu, &self.kernels.layouts, msaa);
        self.checker(gpu);
        self.make_light(gpu);
    }

    /// Creates the pipelines and light resources for a model's materials, so that no later frame waits for
    /// them.
    pub(super) fn make_materials(&self, gpu: &Gpu, materials: &Materials, msaa: Msaa) {
        self.pipelines.make_materials(gpu, &self.kernels.layouts, msaa, &materials.flags());
        self.make_light(gpu);
    }

    fn make_light(&self, gpu: &Gpu) {
        self.lights.make_shared(gpu);
        self.lights.of(gpu, &self.kernels.layouts, EnvironmentKind::Studio);
    }

    fn checker(&self, gpu: &Gpu) -> Option<&BoundMaterial> {
        let make = || Materials::make_checker(gpu, &self.kernels.layouts);
        self.checker.get_or_init(make).as_ref()
    }

    pub(super) fn id_pipeline(&self, gpu: &Gpu, number: usize) -> wgpu::RenderPipeline {
        self.pipelines.ids(gpu, &self.kernels.layouts, number)
    }

    /// Skins the vertices of `scene` for `pose` without drawing.
    pub fn skin(&self, gpu: &Gpu, scene: &mut Scene, pose: &PoseSpec) {
        let mut encoder = encoder(gpu);
        scene.deformer.record(gpu, &self.kernels, pose, &mut encoder, None);
        gpu.queue.submit([encoder.finish()]);
    }

    /// Returns the result of `make`. Meanwhile creates the pipelines of the image if this renderer
    /// precompiles.
    #[cfg(not(target_arch = "wasm32"))]
    fn with_pipelines<T: Send>(
        &self,
        gpu: &Gpu,
        scene: &Scene,
        target: &Target,
        input: &FrameInput<'_>,
        make: impl FnOnce() -> T + Send,
    ) -> T {
        if !self.precompiles {
            return make();
        }
        let (kernels, pipelines) = (&self.kernels, &self.pipelines);
        let make_pipelines = || {
            super::precompile::make_pipelines(gpu, kernels, pipelines, scene, target.msaa(), input)
        };
        rayon::join(make, make_pipelines).0
    }

    /// Returns the result of `make`. WebGPU objects belong to one thread, so nothing runs in parallel.
    #[cfg(target_arch = "wasm32")]
    fn with_pipelines<T>(
        &self,
        _: &Gpu,
        _: &Scene,
        _: &Target,
        _: &FrameInput<'_>,
        make: impl FnOnce() -> T,
    ) -> T {
        make()
    }

    /// Draws `input` of `scene` into `target`, after skinning the vertices if the pose has changed. Does
    /// nothing on a lost device.
    pub fn render(
        &self,
        gpu: &Gpu,
        scene: &mut Scene,
        target: &Target,
        input: &FrameInput<'_>,
    ) -> FrameStats {
        self.render_timed(gpu, scene, target, input, None)
    }

    /// Like [`Renderer::render`]; `timer` measures the passes.
    pub fn render_timed(
        &self,
        gpu: &Gpu,
        scene: &mut Scene,
        target: &Target,
        input: &FrameInput<'_>,
        timer: Option<&Timer>,
    ) -> FrameStats {
        if gpu.lost() {
            return FrameStats::default();
        }
        let mut encoder = encoder(gpu);
        let mut input = *input;
        // Fails before anything is recorded.
        if input.show.checker {
            let Some(checker) = self.checker(gpu) else { return FrameStats::default() };
            scene.materials.set_checker(checker);
        }
        let (materials, motion) = (&mut scene.materials, scene.deformer.motion());
        let layouts = &self.kernels.layouts;
        if is_lit(&input.show) && materials.make_lit(gpu, layouts, motion).is_err() {
            input.show.light.shading = Shading::Plain;
        }
        materials.pose(gpu, motion, &input.pose);
        let mut prepare_values = |coloring| {
            scene.prepare_values(gpu, &self.kernels, coloring, input.paint, &mut encoder)
        };
        if !prepare_values(input.show.coloring) {
            prepare_values(None);
            input.show.coloring = None;
        }
        let input = &input;
        scene.write_draws(gpu, input);
        scene.num_deferred_tiles = num_deferred_tiles(gpu, scene, target, input);
        let (kernels, pipelines) = (&self.kernels, &self.pipelines);
        let context = RenderContext { gpu, kernels, pipelines, light: None, timer };
        let is_lit = PASSES.iter().any(|pass| pass.is_lit() && pass.is_wanted(scene, input));
        let make_light = || is_lit.then(|| self.light(gpu, scene, input.show.light.environment));
        let light = self.with_pipelines(gpu, scene, target, input, make_light);
        let mut uniform = frame_uniform(input, &scene.axes, target.size_px());
        if let Some(light) = &light {
            uniform.light_levels = light.levels;
            if gpu.caps.has_cube_seams {
                uniform.flags |= Frame::CUBE_SEAMS;
            }
        }
        gpu.queue.write_buffer(&scene.frame, 0, bytes_of(&uniform));
        for pass in PASSES {
            pass.prepare(gpu, &self.kernels.layouts, scene, input);
        }
        outline::prepare(gpu, &self.kernels, scene, input);

        let skinned = scene.deformer.record(gpu, &self.kernels, &input.pose, &mut encoder, timer);
        cull::record(context, scene, target, &mut encoder);
        shadow_pass::draw(context, scene, input, &mut encoder);
        let context = RenderContext { light: light.as_ref().map(|light| &light.bind), ..context };
        let mut stats = self.record(context, scene, target, input, &mut encoder);
        stats.skinned = skinned;
        gpu.queue.submit([encoder.finish()]);
        // Runs callbacks of completed work. An error means a lost device, which has a separate callback.
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        stats
    }

    /// The light of `scene`: a light file if one is selected and available, otherwise a built-in
    /// environment.
    fn light(&self, gpu: &Gpu, scene: &Scene, environment: EnvironmentKind) -> BoundLight {
        let layouts = &self.kernels.layouts;
        let own = scene
            .override_light
            .as_ref()
            .or(scene.light.as_ref())
            .filter(|_| environment == EnvironmentKind::File);
        own.map_or_else(
            || self.lights.of(gpu, layouts, environment).clone(),
            |own| self.lights.own(gpu, layouts, own).clone(),
        )
    }

    fn record(
        &self,
        context: RenderContext<'_>,
        scene: &Scene,
        target: &Target,
        input: &FrameInput<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> FrameStats {
        if !input.layer.keeps {
            outline::forget_masks(target);
        }
        let mut num_left =
            PASS_INTERRUPTIONS.iter().filter(|(pass, _)| pass.is_wanted(scene, input)).count();
        let segment = Segment { name: "image", is_first: true, is_last: num_left == 0 };
        let mut pass = begin_segment(context, encoder, scene, target, input, segment);
        let [width, height] = target.size_px().map(|side| side as f32);
        let [left, right] = input.layer.view.map(|share| share.clamp(0.0, 1.0) * width);
        let view_width = (right - left).max(1.0);
        let [first, end] = window_px(input.layer, target.size_px()[0]);
        let set_area = |pass: &mut wgpu::RenderPass<'_>, (near, far): (f32, f32)| {
            pass.set_scissor_rect(first, 0, end - first, target.size_px()[1]);
            pass.set_viewport(left, 0.0, view_width, height, near, far);
        };
        let mut stats = FrameStats::default();
        for kind in PASSES {
            // Peel layers draw these passes.
            if kind.depth == Depth::Same || !kind.is_wanted(scene, input) {
                continue;
            }
            if let Some((_, name)) =
                PASS_INTERRUPTIONS.iter().find(|(pass, _)| pass.name == kind.name)
            {
                drop(pass);
                let (bound, drawn) =
                    draw_before(kind, context, scene, target, input, set_area, encoder);
                stats.draws += drawn.draws;
                stats.triangles += drawn.triangles;
                num_left = num_left.saturating_sub(1);
                let segment = Segment { name, is_first: false, is_last: num_left == 0 };
                pass = begin_segment(context, encoder, scene, target, input, segment);
                pass.set_bind_group(1, &bound, &[]);
            }
            set_area(&mut pass, kind.depth_range(input));
            let pipeline = |material| {
                let variant = Variant::of(kind, input, material);
                let layouts = &self.kernels.layouts;
                self.pipelines.pass(context.gpu, layouts, kind, target.msaa(), variant)
            };
            let drawn = kind.draw(&mut pass, scene, input, &pipeline);
            if let Some(timer) = context.timer {
                timer.mark(&mut pass, kind.name);
            }
            stats.draws += drawn.draws;
            stats.triangles += drawn.triangles;
        }
        drop(pass);
        if outline::is_wanted(input) {
            let drawn = outline::draw_masks(context, scene, target, input, set_area, encoder);
            stats.draws += drawn.draws;
        }
        if !input.layer.is_followed {
            outline::draw_rings(context, scene, target, input, encoder);
        }
        stats
    }
}

/// Draws the inputs of a pass that reads the image so far, and returns the bind group of these inputs.
fn draw_before(
    pass: &Pass,
    context: RenderContext<'_>,
    scene: &Scene,
    target: &Target,
    input: &FrameInput<'_>,
    set_area: impl Fn(&mut wgpu::RenderPass<'_>, (f32, f32)),
    encoder: &mut wgpu::CommandEncoder,
) -> (wgpu::BindGroup, DrawCounts) {
    match pass.geometry {
        Geometry::Deferred(_) => deferred::draw(context, scene, target, input, set_area, encoder),
        Geometry::Layers { .. } => {
            depth_peeling::draw(context, scene, target, input, set_area, encoder)
        }
        _ => (occlusion::draw(context, scene, target, set_area, encoder), DrawCounts::default()),
    }
}

/// Passes that read the unfinished image, which interrupts its render pass. With each, the label of the
/// render pass that it begins.
const PASS_INTERRUPTIONS: [(Pass, &str); 3] = [
    (DEFERRED, "image from deferred"),
    (AMBIENT_OCCLUSION, "image from ambient occlusion"),
    (LAYERS, "image from layers"),
];

/// A render pass of the image between interruptions.
#[derive(Clone, Copy)]
struct Segment {
    name: &'static str,
    is_first: bool,
    is_last: bool,
}

/// Begins a render pass that continues the image.
fn begin_segment<'a>(
    context: RenderContext<'_>,
    encoder: &'a mut wgpu::CommandEncoder,
    scene: &Scene,
    target: &Target,
    input: &FrameInput<'_>,
    segment: Segment,
) -> wgpu::RenderPass<'a> {
    let clear = input.background.ends()[1].as_dvec4();
    let layer = Layer {
        keeps: input.layer.keeps || !segment.is_first,
        is_followed: input.layer.is_followed || !segment.is_last,
        ..input.layer
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("image"),
        color_attachments: &[Some(color_attachment(target, layer, clear.to_array()))],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &target.depth_view,
            depth_ops: Some(wgpu::Operations {
                load: if layer.keeps {
                    wgpu::LoadOp::Load
                } else {
                    wgpu::LoadOp::Clear(DEPTH_CLEAR)
                },
                store: if layer.is_followed || outline::is_wanted(input) {
                    wgpu::StoreOp::Store
                } else {
                    wgpu::StoreOp::Discard
                },
            }),
            stencil_ops: None,
        }),
        timestamp_writes: context.timestamps(segment.name),
        occlusion_query_set: None,
        multiview_mask: None,
    });
    pass.set_bind_group(0, &scene.frame_bind, &[]);
    if let Some(light) = context.light {
        pass.set_bind_group(3, light, &[]);
    }
    pass
}

/// The first column of the drawing area and the one after its last.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=width")]
pub(super) fn window_px(layer: Layer, width: u32) -> [u32; 2] {
    let [left, right] = layer.window;
    let column = |share: f32| ((share.clamp(0.0, 1.0) * width as f32).round() as u32).min(width);
    [column(left), column(right.max(left))]
}

/// The colour attachment, cleared unless the layer keeps its contents. With MSAA, the last layer resolves
/// the samples and discards them.
fn color_attachment(
    target: &Target,
    layer: Layer,
    [r, g, b, a]: [f64; 4],
) -> wgpu::RenderPassColorAttachment<'_> {
    let (view, resolve_target, store) = match &target.samples_view {
        Some(samples) if layer.is_followed => (samples, None, wgpu::StoreOp::Store),
        Some(samples) => (samples, Some(&target.resolved_view), wgpu::StoreOp::Discard),
        None => (&target.resolved_view, None, wgpu::StoreOp::Store),
    };
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops: wgpu::Operations {
            load: if layer.keeps {
                wgpu::LoadOp::Load
            } else {
                wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a })
            },
            store,
        },
    }
}

pub(super) fn encoder(gpu: &Gpu) -> wgpu::CommandEncoder {
    let label = Some("frame");
    gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label })
}
