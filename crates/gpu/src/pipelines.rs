//! Render pipelines, each created on first use, so that an image of a surface doesn't compile the shader
//! for bones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::bind::Layouts;
use super::frame::FrameInput;
use super::image_formats::{
    COLOR_VIEW_FORMAT, DEPTH_FORMAT, GEOMETRY_FORMATS, GEOMETRY_TILES_FORMAT, ID_FORMAT,
    MASK_FORMAT, OCCLUSION_FORMAT, SHADOW_FORMAT,
};
use super::pass::{
    DEFERRED, Depth, GEOMETRY, GROUND_SHADOW, Geometry, ID_PASSES, MASK_PASSES, NUM_MASK_PASSES,
    PASSES, Pass, may_be_deferred,
};
use super::shaders::{self, BLIT, GEOMETRY_TILES, OUTLINE, SHADOW_MAP, ShaderSource, UI};
use super::variant::Variant;
use super::vertex_inputs::VertexInputs;
use super::{Gpu, Light, Msaa, Show};
use rigscope_core::visual::Shading;

/// The pipelines that have been used so far.
#[derive(Debug, Default)]
pub(super) struct Pipelines {
    /// A cell per pipeline, so that creating one doesn't block others.
    passes: Mutex<HashMap<PassKey, Arc<OnceLock<wgpu::RenderPipeline>>>>,
    ids: [OnceLock<wgpu::RenderPipeline>; ID_PASSES.len()],
    /// By pass, multisampling, and whether only the visible area is drawn.
    masks: [[[OnceLock<wgpu::RenderPipeline>; 2]; 2]; NUM_MASK_PASSES],
    outline: OnceLock<[wgpu::RenderPipeline; 2]>,
    geometry_tiles: OnceLock<wgpu::RenderPipeline>,
    shadow: OnceLock<[wgpu::RenderPipeline; 3]>,
    /// Single-sampled, multisampled.
    occlusion: [OnceLock<wgpu::RenderPipeline>; 2],
}

/// Pass name, multisampling, variant.
type PassKey = (&'static str, Msaa, Variant);

/// Adds to the channels selected by the blend constant.
const BY_CHANNEL: wgpu::BlendState = {
    let add = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Constant,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: add, alpha: add }
};
const OVER: wgpu::BlendState = wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING;
/// Blends under the existing contents.
const UNDER: wgpu::BlendState = {
    let under = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::OneMinusDstAlpha,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: under, alpha: under }
};
/// Keeps the maximum.
const MOST: wgpu::BlendState = {
    let most = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Max,
    };
    wgpu::BlendState { color: most, alpha: most }
};
/// Multiplies the colour and keeps alpha.
const TIMES: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Dst,
        dst_factor: wgpu::BlendFactor::Zero,
        operation: wgpu::BlendOperation::Add,
    },
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    },
};

impl Pipelines {
    /// Creates all pipelines. Those of the image come first, since they are needed first.
    pub(super) fn make_all(&self, gpu: &Gpu, layouts: &Layouts, msaa: Msaa) {
        let usual = input_with_light(Light::USUAL);
        let is_ever_drawn = |pass: &&Pass| pass.name != DEFERRED.name || may_be_deferred(gpu, msaa);
        for pass in PASSES.into_iter().filter(is_ever_drawn) {
            self.pass(gpu, layouts, (pass, msaa), Variant::of(pass, &usual, 0));
        }
        for number in 0..ID_PASSES.len() {
            self.ids(gpu, layouts, number);
        }
        self.outline(gpu, layouts);
        self.shadow(gpu, layouts);
        self.occlusion(gpu, layouts, msaa);
        if may_be_deferred(gpu, msaa) {
            self.geometry_tiles(gpu, layouts);
        }
        for number in 0..MASK_PASSES.len() {
            for is_seen in [false, true] {
                self.mask(gpu, layouts, number, msaa, is_seen);
            }
        }
    }

    /// Creates the pipelines for materials with these flags, for each shading model.
    pub(super) fn make_materials(&self, gpu: &Gpu, layouts: &Layouts, msaa: Msaa, flags: &[u32]) {
        let shadings = [Shading::Physical, Shading::Sdk];
        let inputs = shadings.map(|shading| input_with_light(Light { shading, ..Light::USUAL }));
        let deferred = [&DEFERRED, &GEOMETRY].into_iter().filter(|_| may_be_deferred(gpu, msaa));
        let drawn = PASSES.into_iter().filter(|pass| pass.has_material());
        for pass in drawn.chain(deferred) {
            for (&flags, input) in
                flags.iter().flat_map(|flags| inputs.iter().map(move |input| (flags, input)))
            {
                self.pass(gpu, layouts, (pass, msaa), Variant::of(pass, input, flags));
            }
        }
    }

    /// Number of image pipelines that have been created.
    #[cfg(test)]
    pub(super) fn num_of_passes(&self) -> usize {
        self.cells().values().filter(|cell| cell.get().is_some()).count()
    }

    /// Number of other pipelines that haven't been created.
    #[cfg(test)]
    pub(super) fn num_lacking(&self) -> usize {
        let masks = self.masks.iter().flatten().flatten();
        let all = self.ids.iter().chain(masks).chain(&self.occlusion);
        let num_lacking = all.filter(|pipeline| pipeline.get().is_none()).count();
        num_lacking
            + usize::from(self.outline.get().is_none())
            + usize::from(self.shadow.get().is_none())
            + usize::from(self.geometry_tiles.get().is_none())
    }

    /// The pipeline of a pass.
    pub(super) fn pass(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        (pass, msaa): (&Pass, Msaa),
        variant: Variant,
    ) -> wgpu::RenderPipeline {
        let cell = Arc::clone(self.cells().entry((pass.name, msaa, variant)).or_default());
        let made = cell.get_or_init(|| {
            let output = Output {
                entry: pass.entry(msaa, variant.is_cut()),
                formats: match pass.geometry {
                    Geometry::Peel(_) => &[],
                    Geometry::Stored(_) => &GEOMETRY_FORMATS,
                    _ => &[COLOR_VIEW_FORMAT],
                },
                samples: msaa.samples(),
                blend: match pass.geometry {
                    Geometry::Occlusion { .. } => Some(TIMES),
                    _ if pass.depth == Depth::Same => Some(UNDER),
                    _ => pass.is_blended.then_some(OVER),
                },
            };
            render_pipeline(&gpu.device, layouts, (pass, variant), output)
        });
        made.clone()
    }

    fn cells(&self) -> MutexGuard<'_, HashMap<PassKey, Arc<OnceLock<wgpu::RenderPipeline>>>> {
        // No code that holds the lock can panic.
        self.passes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn ids(&self, gpu: &Gpu, layouts: &Layouts, number: usize) -> wgpu::RenderPipeline {
        let made = self.ids[number].get_or_init(|| {
            let output =
                Output { entry: "id_main", formats: &[ID_FORMAT], samples: 1, blend: None };
            render_pipeline(&gpu.device, layouts, (&ID_PASSES[number], Variant::default()), output)
        });
        made.clone()
    }

    pub(super) fn mask(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        number: usize,
        msaa: Msaa,
        is_seen: bool,
    ) -> wgpu::RenderPipeline {
        let by_msaa = &self.masks[number][usize::from(msaa != Msaa::Off)];
        let made = by_msaa[usize::from(is_seen)].get_or_init(|| {
            let depth = if is_seen { Depth::Tested } else { Depth::Ignored };
            let output = Output {
                entry: "mask_main",
                formats: &[MASK_FORMAT],
                samples: msaa.samples(),
                blend: Some(BY_CHANNEL),
            };
            let mut pass = MASK_PASSES[number];
            pass.depth = depth;
            render_pipeline(&gpu.device, layouts, (&pass, Variant::default()), output)
        });
        made.clone()
    }

    /// The pipelines that draw the outline tiles and the rings.
    pub(super) fn outline(&self, gpu: &Gpu, layouts: &Layouts) -> &[wgpu::RenderPipeline; 2] {
        self.outline.get_or_init(|| {
            let flat = |entries, format, blend| {
                let groups = [Some(&layouts.frame), Some(&layouts.masks)];
                let flat = Flat {
                    shader: OUTLINE,
                    groups: &groups,
                    vertex_inputs: &[],
                    entries,
                    format,
                    blend,
                };
                flat.make(&gpu.device)
            };
            [
                flat(["vertex_tiles", "fragment_tiles"], MASK_FORMAT, None),
                flat(["vertex_main", "fragment_main"], COLOR_VIEW_FORMAT, Some(OVER)),
            ]
        })
    }

    /// The pipelines that draw the ground shadow map and blur it horizontally and vertically.
    pub(super) fn shadow(&self, gpu: &Gpu, layouts: &Layouts) -> &[wgpu::RenderPipeline; 3] {
        self.shadow.get_or_init(|| {
            let flat = |shader, with, vertex_inputs, entries, blend| {
                let groups = [Some(&layouts.frame), Some(with)];
                let format = SHADOW_FORMAT;
                let flat = Flat { shader, groups: &groups, vertex_inputs, entries, format, blend };
                flat.make(&gpu.device)
            };
            let blur = |fragment| {
                flat(GROUND_SHADOW.shader, &layouts.shadow, &[], ["vertex_blur", fragment], None)
            };
            let main = ["vertex_main", "fragment_main"];
            [
                flat(
                    SHADOW_MAP,
                    &layouts.mesh,
                    VertexInputs::Positions.layouts(),
                    main,
                    Some(MOST),
                ),
                blur("fragment_across"),
                blur("fragment_down"),
            ]
        })
    }

    /// The pipeline that finds the draws in each tile of the geometry buffer.
    pub(super) fn geometry_tiles(&self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        self.geometry_tiles.get_or_init(|| {
            let flat = Flat {
                shader: GEOMETRY_TILES,
                groups: &[Some(&layouts.frame), Some(&layouts.geometry)],
                vertex_inputs: &[],
                entries: ["vertex_main", "fragment_main"],
                format: GEOMETRY_TILES_FORMAT,
                blend: None,
            };
            flat.make(&gpu.device)
        })
    }

    /// The pipeline that computes ambient occlusion from depth.
    pub(super) fn occlusion(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        msaa: Msaa,
    ) -> &wgpu::RenderPipeline {
        let number = usize::from(msaa != Msaa::Off);
        self.occlusion[number].get_or_init(|| {
            let flat = Flat {
                shader: [shaders::OCCLUSION_SINGLE, shaders::OCCLUSION_SAMPLES][number],
                groups: &[Some(&layouts.frame), Some(&layouts.depth[number])],
                vertex_inputs: &[],
                entries: ["vertex_main", "fragment_main"],
                format: OCCLUSION_FORMAT,
                blend: None,
            };
            flat.make(&gpu.device)
        })
    }
}

/// The default input with this light.
fn input_with_light(light: Light) -> FrameInput<'static> {
    let usual = FrameInput::default();
    FrameInput { show: Show { light, ..usual.show }, ..usual }
}

/// The fragment output of a pipeline.
struct Output {
    entry: &'static str,
    /// Empty for depth-only passes.
    formats: &'static [wgpu::TextureFormat],
    samples: u32,
    blend: Option<wgpu::BlendState>,
}

fn render_pipeline(
    device: &wgpu::Device,
    layouts: &Layouts,
    (pass, variant): (&Pass, Variant),
    output: Output,
) -> wgpu::RenderPipeline {
    let (frame, mesh) = (Some(&layouts.frame), Some(&layouts.mesh));
    let light = Some(&layouts.light);
    let peel = Some(&layouts.peel[usize::from(output.samples > 1)]);
    let groups: &[_] = match pass.geometry {
        Geometry::Frame { .. } => &[frame],
        Geometry::Meshes(_) | Geometry::Triangles(..) => &[frame, mesh],
        Geometry::Materials(_) | Geometry::Stored(_) => &[frame, mesh, Some(&layouts.material)],
        Geometry::Lit(_) => &[frame, mesh, Some(&layouts.material), light],
        Geometry::Peel(_) => &[frame, mesh, Some(&layouts.material), peel],
        Geometry::Deferred(_) => &[frame, Some(&layouts.deferred), Some(&layouts.material), light],
        Geometry::Environment { .. } => &[frame, None, None, light],
        Geometry::Shadow { .. } => &[frame, Some(&layouts.shadow)],
        Geometry::Occlusion { .. } | Geometry::Layers { .. } => &[frame, Some(&layouts.image)],
        Geometry::Records { .. } => &[frame, Some(&layouts.records)],
    };
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(pass.shader.name),
        bind_group_layouts: groups,
        immediate_size: 0,
    });
    let module = shaders::module(&pass.shader, device);
    let constants = variant.constants(&pass.shader);
    let compilation_options =
        wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    let compare = match pass.depth {
        Depth::Ignored => wgpu::CompareFunction::Always,
        // Equal depth passes: the later one of subsets over the same triangles is visible, and wireframe
        // lines are at the depth of their triangles.
        Depth::Tested | Depth::Written => wgpu::CompareFunction::GreaterEqual,
        Depth::Same => wgpu::CompareFunction::Equal,
    };
    let targets = output.formats.iter().map(|&format| {
        Some(wgpu::ColorTargetState {
            format,
            blend: output.blend,
            write_mask: wgpu::ColorWrites::ALL,
        })
    });
    let targets: Vec<_> = targets.collect();
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(pass.shader.name),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex_main"),
            compilation_options: compilation_options.clone(),
            buffers: pass.vertex_inputs(),
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(pass.depth == Depth::Written),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: output.samples, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(output.entry),
            compilation_options,
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// A single-sampled pipeline without depth, over the whole image or over meshes.
struct Flat<'a> {
    shader: ShaderSource,
    groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    /// Vertex buffers of the vertex stage.
    vertex_inputs: &'a [Option<wgpu::VertexBufferLayout<'static>>],
    /// Entry points of the vertex and the fragment stage.
    entries: [&'a str; 2],
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
}

impl Flat<'_> {
    fn make(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let [vertex, fragment] = self.entries;
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.shader.name),
            bind_group_layouts: self.groups,
            immediate_size: 0,
        });
        let module = shaders::module(&self.shader, device);
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: self.vertex_inputs,
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: self.format,
                    blend: self.blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The pipelines that copy an image to targets of `format` pixel by pixel, and that clear them to black.
pub(super) fn blit_pipelines(
    gpu: &Gpu,
    image: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
) -> [wgpu::RenderPipeline; 2] {
    let flat = |groups, entries| {
        let flat = Flat { shader: BLIT, groups, vertex_inputs: &[], entries, format, blend: None };
        flat.make(&gpu.device)
    };
    [
        flat(&[Some(image)], ["vertex_main", "fragment_main"]),
        flat(&[], ["vertex_black", "fragment_black"]),
    ]
}

/// Size of an egui vertex.
const UI_VERTEX_BYTES: usize = 20;

/// The pipeline that draws egui's triangles to targets of `format`.
pub(super) fn ui_pipeline(
    gpu: &Gpu,
    groups: [&wgpu::BindGroupLayout; 2],
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    const CORNER: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
        array_stride: UI_VERTEX_BYTES as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Unorm8x4],
    };
    let fragment = if format.is_srgb() { "fragment_linear" } else { "fragment_main" };
    let flat = Flat {
        shader: UI,
        groups: &groups.map(Some),
        vertex_inputs: &[Some(CORNER)],
        entries: ["vertex_main", fragment],
        format,
        // Over a transparent background, alpha accumulates.
        blend: Some(wgpu::BlendState {
            color: wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING.color,
            alpha: wgpu::BlendComponent {
                src_factor: wgpu::BlendFactor::OneMinusDstAlpha,
                dst_factor: wgpu::BlendFactor::One,
                operation: wgpu::BlendOperation::Add,
            },
        }),
    };
    flat.make(&gpu.device)
}
