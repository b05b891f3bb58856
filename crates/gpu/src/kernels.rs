//! Compute pipelines, each created on first use, and all bind group layouts, which scenes need for their
//! buffers.

use std::sync::OnceLock;

use super::Gpu;
use super::bind::Layouts;
use super::shaders::{
    self, CULL, INFLUENCE_COUNTS, PALETTE, SKIN_PACKED, SKIN_STREAMS, ShaderSource,
};

/// Compute pipelines for skinning and culling, and all bind group layouts.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) layouts: Layouts,
    palette: OnceLock<wgpu::ComputePipeline>,
    skin_packed: OnceLock<wgpu::ComputePipeline>,
    skin_rows: OnceLock<wgpu::ComputePipeline>,
    skin_streams: OnceLock<wgpu::ComputePipeline>,
    influence_counts: OnceLock<wgpu::ComputePipeline>,
    /// Indexed by [`CullKind`].
    cull: [OnceLock<[wgpu::ComputePipeline; 4]>; 4],
}

/// A compute pipeline for skinning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kernel {
    Palette,
    SkinPacked,
    SkinRows,
    SkinStreams,
}

impl Kernel {
    /// Creates the pipeline unless it exists.
    pub(super) fn make(self, gpu: &Gpu, kernels: &Kernels) {
        match self {
            Self::Palette => kernels.palette(gpu),
            Self::SkinPacked => kernels.skin_packed(gpu),
            Self::SkinRows => kernels.skin_rows(gpu),
            Self::SkinStreams => kernels.skin_streams(gpu),
        };
    }
}

/// Specialization of the culling steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CullKind {
    pub(super) has_short_indices: bool,
    pub(super) has_four_samples: bool,
}

/// Entry points of `cull.wgsl`, in order.
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

    /// Creates all pipelines.
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

    /// Like [`Kernels::skin_streams`], for vertices that only slot matrices move.
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

    /// The culling steps, in order.
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

/// A compute pipeline with entry point `entry`, bind group layouts `layouts` and `constants`.
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
