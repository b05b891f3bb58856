//! Compute pipelines, each created on first use, and all bind group layouts, which scenes need for their
//! buffers.

use super::Gpu;
use super::bind::Layouts;
use super::pipeline_cache::PipelineCache;
use super::shaders::{
    self, CULL, INFLUENCE_COUNTS, PALETTE, SKIN_PACKED, SKIN_STREAMS, ShaderSource,
};

/// Compute pipelines for skinning and culling, and all bind group layouts.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) layouts: Layouts,
    cache: PipelineCache<Kernel, wgpu::ComputePipeline>,
}

/// A compute pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kernel {
    Palette,
    SkinPacked,
    /// Like `SkinStreams`, for vertices that only slot matrices move.
    SkinRows,
    SkinStreams,
    InfluenceCounts,
    /// A step of [`CULL_STEPS`].
    Cull(CullKind, &'static str),
}

/// Specialization of the culling steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CullKind {
    pub(super) has_short_indices: bool,
    pub(super) has_four_samples: bool,
}

/// Entry points of `cull.wgsl`, in order.
const CULL_STEPS: [&str; 4] = ["project_main", "test_main", "count_main", "gather_main"];

impl Kernels {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self { layouts: Layouts::new(&gpu.device), cache: PipelineCache::default() }
    }

    /// Creates all pipelines.
    pub(super) fn make_all(&self, gpu: &Gpu) {
        use Kernel::{InfluenceCounts, Palette, SkinPacked, SkinRows, SkinStreams};
        for kernel in [Palette, SkinPacked, SkinRows, SkinStreams, InfluenceCounts] {
            self.get(gpu, kernel);
        }
        if gpu.caps.is_software {
            self.cull(gpu, CullKind::default());
        }
    }

    /// The pipeline of `kernel`.
    pub(super) fn get(&self, gpu: &Gpu, kernel: Kernel) -> wgpu::ComputePipeline {
        self.cache.get(kernel, || self.create(gpu, kernel))
    }

    /// The culling steps, in order.
    pub(super) fn cull(&self, gpu: &Gpu, kind: CullKind) -> [wgpu::ComputePipeline; 4] {
        CULL_STEPS.map(|step| self.get(gpu, Kernel::Cull(kind, step)))
    }

    fn create(&self, gpu: &Gpu, kernel: Kernel) -> wgpu::ComputePipeline {
        let layouts = &self.layouts;
        let number = |is_set| f64::from(u8::from(is_set));
        match kernel {
            Kernel::Palette => compute_pipeline(gpu, PALETTE, "main", &[&layouts.palette], &[]),
            Kernel::SkinPacked => compute_pipeline(gpu, SKIN_PACKED, "main", &[&layouts.skin], &[]),
            Kernel::SkinRows | Kernel::SkinStreams => {
                let constants = [("IS_OF_ROWS", number(kernel == Kernel::SkinRows))];
                let groups = [&layouts.skin_streams];
                compute_pipeline(gpu, SKIN_STREAMS, "main", &groups, &constants)
            }
            Kernel::InfluenceCounts => {
                compute_pipeline(gpu, INFLUENCE_COUNTS, "main", &[&layouts.influence_counts], &[])
            }
            Kernel::Cull(kind, step) => {
                let constants = [
                    ("HAS_SHORT_INDICES", number(kind.has_short_indices)),
                    ("HAS_FOUR_SAMPLES", number(kind.has_four_samples)),
                ];
                compute_pipeline(gpu, CULL, step, &[&layouts.frame, &layouts.cull], &constants)
            }
        }
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
    shaders::list_pipeline(&shader, &[entry], constants);
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
