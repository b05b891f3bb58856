//! Render pipelines, each created on first use, so that an image of a surface doesn't compile the shader
//! for bones.

use super::bind::Layouts;
use super::frame::FrameInput;
use super::image_formats::{
    COLOR_VIEW_FORMAT, DEPTH_FORMAT, GEOMETRY_FORMATS, GEOMETRY_TILES_FORMAT, ID_FORMAT,
    MASK_FORMAT, OCCLUSION_FORMAT, SHADOW_FORMAT,
};
use super::pass::{
    DEFERRED, Depth, GEOMETRY, GROUND_SHADOW, Geometry, ID_PASSES, MASK_PASSES, PASSES, PEEL, Pass,
    may_be_deferred,
};
use super::pipeline_cache::PipelineCache;
use super::shaders::{self, BLIT, GEOMETRY_TILES, OUTLINE, SHADOW_MAP, ShaderSource, UI};
use super::textures::MaterialInput;
use super::variant::Variant;
use super::vertex_inputs::VertexInputs;
use super::{Gpu, Light, Msaa, Show};
use rigscope_core::visual::Shading;

/// The pipelines that have been used so far.
#[derive(Debug, Default)]
pub(super) struct Pipelines(PipelineCache<PipelineKey, wgpu::RenderPipeline>);

/// Identifies a render pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PipelineKey {
    /// By pass name.
    Pass(&'static str, Msaa, Variant),
    /// By index in [`ID_PASSES`].
    Ids(usize),
    /// By index in [`MASK_PASSES`], and for the visible area or the whole one.
    Mask {
        number: usize,
        msaa: Msaa,
        is_visible: bool,
    },
    Outline(OutlineStep),
    Shadow(ShadowStep),
    Occlusion(Msaa),
    GeometryTiles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum OutlineStep {
    Tiles,
    Rings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ShadowStep {
    Map,
    BlurAcross,
    BlurDown,
}

const SHADOW_STEPS: [ShadowStep; 3] =
    [ShadowStep::Map, ShadowStep::BlurAcross, ShadowStep::BlurDown];
/// The usual entry points of the vertex and the fragment stage.
const MAIN: [&str; 2] = ["vertex_main", "fragment_main"];

/// Adds to the channels selected by the blend constant.
const BY_CHANNEL: wgpu::BlendState = {
    let add = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Constant,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: add, alpha: add }
};
const BLEND_OVER: wgpu::BlendState = wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING;
/// Blends under the existing contents.
const BLEND_UNDER: wgpu::BlendState = {
    let under = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::OneMinusDstAlpha,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: under, alpha: under }
};
/// Keeps the maximum.
const KEEP_MAX: wgpu::BlendState = {
    let most = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Max,
    };
    wgpu::BlendState { color: most, alpha: most }
};
/// Multiplies the colour and keeps alpha.
const MULTIPLY: wgpu::BlendState = wgpu::BlendState {
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
            self.pass(gpu, layouts, pass, msaa, Variant::of(pass, &usual, 0));
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
            for is_visible in [false, true] {
                self.mask(gpu, layouts, number, msaa, is_visible);
            }
        }
    }

    /// Creates the pipelines for materials with these flags, for each shading model.
    pub(super) fn make_materials(&self, gpu: &Gpu, layouts: &Layouts, msaa: Msaa, flags: &[u32]) {
        let shadings = [Shading::Physical, Shading::Sdk];
        let inputs = shadings.map(|shading| input_with_light(Light { shading, ..Light::USUAL }));
        let deferred = [&DEFERRED, &GEOMETRY].into_iter().filter(|_| may_be_deferred(gpu, msaa));
        let drawn = PASSES.into_iter().filter(|pass| pass.has_material());
        let is_any_blended = flags.iter().any(|flags| flags & MaterialInput::BLENDED != 0);
        let peel = is_any_blended.then_some(&PEEL[usize::from(msaa != Msaa::Off)]);
        for pass in drawn.chain(deferred).chain(peel) {
            for (&flags, input) in
                flags.iter().flat_map(|flags| inputs.iter().map(move |input| (flags, input)))
            {
                self.pass(gpu, layouts, pass, msaa, Variant::of(pass, input, flags));
            }
        }
    }

    /// Whether the pipeline of a pass of the image has been created, for materials without flags.
    #[cfg(test)]
    pub(super) fn has_pass(&self, pass: &Pass, msaa: Msaa) -> bool {
        let variant = Variant::of(pass, &input_with_light(Light::USUAL), 0);
        self.0.has(PipelineKey::Pass(pass.name, msaa, variant))
    }

    /// The pipelines other than those of passes that haven't been created.
    #[cfg(test)]
    pub(super) fn missing(&self) -> Vec<String> {
        let levels = [Msaa::Off, Msaa::X4];
        let masks = (0..MASK_PASSES.len()).flat_map(|number| {
            levels.into_iter().flat_map(move |msaa| {
                [false, true].map(|is_visible| PipelineKey::Mask { number, msaa, is_visible })
            })
        });
        let all = (0..ID_PASSES.len())
            .map(PipelineKey::Ids)
            .chain(masks)
            .chain([OutlineStep::Tiles, OutlineStep::Rings].map(PipelineKey::Outline))
            .chain(SHADOW_STEPS.map(PipelineKey::Shadow))
            .chain(levels.map(PipelineKey::Occlusion))
            .chain([PipelineKey::GeometryTiles]);
        all.filter(|key| !self.0.has(*key)).map(|key| format!("{key:?}")).collect()
    }

    /// The pipeline of a pass.
    pub(super) fn pass(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        pass: &Pass,
        msaa: Msaa,
        variant: Variant,
    ) -> wgpu::RenderPipeline {
        self.0.get(PipelineKey::Pass(pass.name, msaa, variant), || {
            let output = Output {
                entry: pass.entry(msaa, variant.is_cut()),
                formats: match pass.geometry {
                    Geometry::Peel(_) => &[],
                    Geometry::Stored(_) => &GEOMETRY_FORMATS,
                    _ => &[COLOR_VIEW_FORMAT],
                },
                samples: msaa.samples(),
                blend: match pass.geometry {
                    Geometry::Occlusion { .. } => Some(MULTIPLY),
                    _ if pass.depth == Depth::Same => Some(BLEND_UNDER),
                    _ => pass.is_blended.then_some(BLEND_OVER),
                },
            };
            render_pipeline(&gpu.device, layouts, pass, variant, output)
        })
    }

    pub(super) fn ids(&self, gpu: &Gpu, layouts: &Layouts, number: usize) -> wgpu::RenderPipeline {
        self.0.get(PipelineKey::Ids(number), || {
            let output =
                Output { entry: "id_main", formats: &[ID_FORMAT], samples: 1, blend: None };
            render_pipeline(&gpu.device, layouts, &ID_PASSES[number], Variant::default(), output)
        })
    }

    pub(super) fn mask(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        number: usize,
        msaa: Msaa,
        is_visible: bool,
    ) -> wgpu::RenderPipeline {
        self.0.get(PipelineKey::Mask { number, msaa, is_visible }, || {
            let output = Output {
                entry: "mask_main",
                formats: &[MASK_FORMAT],
                samples: msaa.samples(),
                blend: Some(BY_CHANNEL),
            };
            let mut pass = MASK_PASSES[number];
            pass.depth = if is_visible { Depth::Tested } else { Depth::Ignored };
            render_pipeline(&gpu.device, layouts, &pass, Variant::default(), output)
        })
    }

    /// The pipelines that draw the outline tiles and the rings.
    pub(super) fn outline(&self, gpu: &Gpu, layouts: &Layouts) -> [wgpu::RenderPipeline; 2] {
        [OutlineStep::Tiles, OutlineStep::Rings].map(|step| {
            let (entries, format, blend) = match step {
                OutlineStep::Tiles => (["vertex_tiles", "fragment_tiles"], MASK_FORMAT, None),
                OutlineStep::Rings => (MAIN, COLOR_VIEW_FORMAT, Some(BLEND_OVER)),
            };
            self.0.get(PipelineKey::Outline(step), || {
                let groups = &[Some(&layouts.frame), Some(&layouts.masks)];
                let flat =
                    Flat { shader: OUTLINE, groups, vertex_inputs: &[], entries, format, blend };
                flat.make(&gpu.device)
            })
        })
    }

    /// The pipelines that draw the ground shadow map and blur it horizontally and vertically.
    pub(super) fn shadow(&self, gpu: &Gpu, layouts: &Layouts) -> [wgpu::RenderPipeline; 3] {
        SHADOW_STEPS.map(|step| {
            self.0.get(PipelineKey::Shadow(step), || {
                let blur = |fragment| (GROUND_SHADOW.shader, ["vertex_blur", fragment]);
                let (shader, entries) = match step {
                    ShadowStep::Map => (SHADOW_MAP, MAIN),
                    ShadowStep::BlurAcross => blur("fragment_across"),
                    ShadowStep::BlurDown => blur("fragment_down"),
                };
                let (source, vertex_inputs, blend) = match step {
                    ShadowStep::Map => {
                        (&layouts.mesh, VertexInputs::Positions.layouts(), Some(KEEP_MAX))
                    }
                    ShadowStep::BlurAcross | ShadowStep::BlurDown => {
                        (&layouts.shadow, &[][..], None)
                    }
                };
                let groups = &[Some(&layouts.frame), Some(source)];
                let format = SHADOW_FORMAT;
                Flat { shader, groups, vertex_inputs, entries, format, blend }.make(&gpu.device)
            })
        })
    }

    /// The pipeline that finds the draws in each tile of the geometry buffer.
    pub(super) fn geometry_tiles(&self, gpu: &Gpu, layouts: &Layouts) -> wgpu::RenderPipeline {
        self.0.get(PipelineKey::GeometryTiles, || {
            let flat = Flat {
                shader: GEOMETRY_TILES,
                groups: &[Some(&layouts.frame), Some(&layouts.geometry)],
                vertex_inputs: &[],
                entries: MAIN,
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
    ) -> wgpu::RenderPipeline {
        self.0.get(PipelineKey::Occlusion(msaa), || {
            let number = usize::from(msaa != Msaa::Off);
            let flat = Flat {
                shader: [shaders::OCCLUSION_SINGLE, shaders::OCCLUSION_SAMPLES][number],
                groups: &[Some(&layouts.frame), Some(&layouts.depth[number])],
                vertex_inputs: &[],
                entries: MAIN,
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
    pass: &Pass,
    variant: Variant,
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
    shaders::list_pipeline(&pass.shader, &["vertex_main", output.entry], &constants);
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
        shaders::list_pipeline(&self.shader, &self.entries, &[]);
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
        flat(&[], ["vertex_clear", "fragment_clear"]),
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
