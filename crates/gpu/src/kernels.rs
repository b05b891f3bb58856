//! Compute pipelines, each made when it is first needed, and the layouts of all bindings: what the
//! buffers of a scene are made for.

use std::sync::OnceLock;

use super::Gpu;
use super::bind::Layouts;
use super::shaders::{
    self, CULL, INFLUENCE_COUNTS, PALETTE, SKIN_PACKED, SKIN_STREAMS, ShaderSource,
};

/// What moves vertices, and how everything is bound.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) layouts: Layouts,
    palette: OnceLock<wgpu::ComputePipeline>,
    skin_packed: OnceLock<wgpu::ComputePipeline>,
    skin_rows: OnceLock<wgpu::ComputePipeline>,
    skin_streams: OnceLock<wgpu::ComputePipeline>,
    influence_counts: OnceLock<wgpu::ComputePipeline>,
    /// By [`CullKind`].
    cull: [OnceLock<[wgpu::ComputePipeline; 4]>; 4],
}

/// A compute pipeline that moves vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kernel {
    Palette,
    SkinPacked,
    SkinRows,
    SkinStreams,
}

impl Kernel {
    /// Makes it, if it hasn't been made yet.
    pub(super) fn make(self, gpu: &Gpu, kernels: &Kernels) {
        match self {
            Self::Palette => kernels.palette(gpu),
            Self::SkinPacked => kernels.skin_packed(gpu),
            Self::SkinRows => kernels.skin_rows(gpu),
            Self::SkinStreams => kernels.skin_streams(gpu),
        };
    }
}

/// What the steps of culling are compiled for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CullKind {
    pub(super) has_short_indices: bool,
    pub(super) has_four_samples: bool,
}

/// Steps of `cull.wgsl` in their order.
const CULL_STEPS: [&str; 4] = ["project_main", "test_main", "count_main", "gather_main"];

impl Kernels {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            layouts: Layouts::new(&gpu.device),
            palette: OnceLock::new(),
            skin_packed: OnceLock::new(),
            skin_rows: OnceLock::new(),
            skin_streams: OnceLock::new(),
            influence_counts: OnceLock::new(),
            cull: Default::default(),
        }
    }

    /// Makes all of them now.
    pub(super) fn make_all(&self, gpu: &Gpu) {
        self.palette(gpu);
        self.skin_packed(gpu);
        self.skin_rows(gpu);
        self.skin_streams(gpu);
        self.influence_counts(gpu);
        if gpu.caps.is_software {
            self.cull(gpu, CullKind::default());
        }
    }

    pub(super) fn palette(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let make = || compute_pipeline(gpu, PALETTE, "main", &[&self.layouts.palette], &[]);
        self.palette.get_or_init(make)
    }

    pub(super) fn skin_packed(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let make = || compute_pipeline(gpu, SKIN_PACKED, "main", &[&self.layouts.skin], &[]);
        self.skin_packed.get_or_init(make)
    }

    /// As [`Kernels::skin_streams`], for what only matrices of slots move.
    pub(super) fn skin_rows(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        self.skin_rows.get_or_init(|| self.make_skin_streams(gpu, true))
    }

    pub(super) fn skin_streams(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        self.skin_streams.get_or_init(|| self.make_skin_streams(gpu, false))
    }

    fn make_skin_streams(&self, gpu: &Gpu, is_of_rows: bool) -> wgpu::ComputePipeline {
        let constants = [("IS_OF_ROWS", f64::from(u8::from(is_of_rows)))];
        let layout = &self.layouts.skin_streams;
        compute_pipeline(gpu, SKIN_STREAMS, "main", &[layout], &constants)
    }

    pub(super) fn influence_counts(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let layout = &self.layouts.influence_counts;
        let make = || compute_pipeline(gpu, INFLUENCE_COUNTS, "main", &[layout], &[]);
        self.influence_counts.get_or_init(make)
    }

    /// One after another.
    pub(super) fn cull(&self, gpu: &Gpu, kind: CullKind) -> &[wgpu::ComputePipeline; 4] {
        let layouts = [&self.layouts.frame, &self.layouts.cull];
        let [is_short, is_four] = [kind.has_short_indices, kind.has_four_samples].map(u8::from);
        let constants =
            [("HAS_SHORT_INDICES", f64::from(is_short)), ("HAS_FOUR_SAMPLES", f64::from(is_four))];
        let make =
            || CULL_STEPS.map(|step| compute_pipeline(gpu, CULL, step, &layouts, &constants));
        self.cull[usize::from(2 * is_short + is_four)].get_or_init(make)
    }
}

/// A compute pipeline that begins at `entry`, binds `layouts` and is compiled with `constants`.
pub(super) fn compute_pipeline(
    gpu: &Gpu,
    shader: ShaderSource,
    entry: &str,
    layouts: &[&wgpu::BindGroupLayout],
    constants: &[(&str, f64)],
) -> wgpu::ComputePipeline {
    let device = &gpu.device;
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(shader.name),
        bind_group_layouts: &layouts.iter().map(|layout| Some(*layout)).collect::<Vec<_>>(),
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(shader.name),
        layout: Some(&layout),
        module: &shaders::module(&shader, device),
        entry_point: Some(entry),
        compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
        cache: None,
    })
}
