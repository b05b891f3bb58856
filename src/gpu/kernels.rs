//! Compute pipelines, each made when it is first needed, and the layouts of all bindings: what the
//! buffers of a scene are made for.

use std::sync::OnceLock;

use super::Gpu;
use super::bind::Layouts;
use super::shaders::{CULL, INFLUENCE_COUNTS, PALETTE, SKIN_PACKED, SKIN_STREAMS, ShaderSource};

/// What moves vertices, and how everything is bound.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) layouts: Layouts,
    palette: OnceLock<wgpu::ComputePipeline>,
    skin_packed: OnceLock<wgpu::ComputePipeline>,
    skin_streams: OnceLock<wgpu::ComputePipeline>,
    influence_counts: OnceLock<wgpu::ComputePipeline>,
    cull: OnceLock<[wgpu::ComputePipeline; 4]>,
}

/// Steps of `cull.wgsl` in their order.
const CULL_STEPS: [&str; 4] = ["project_main", "judge_main", "count_main", "gather_main"];

impl Kernels {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            layouts: Layouts::new(&gpu.device),
            palette: OnceLock::new(),
            skin_packed: OnceLock::new(),
            skin_streams: OnceLock::new(),
            influence_counts: OnceLock::new(),
            cull: OnceLock::new(),
        }
    }

    /// Makes all of them now.
    pub(super) fn make_all(&self, gpu: &Gpu) {
        self.palette(gpu);
        self.skin_packed(gpu);
        self.skin_streams(gpu);
        self.influence_counts(gpu);
        if gpu.caps.is_software {
            self.cull(gpu);
        }
    }

    pub(super) fn palette(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let make = || compute_pipeline(&gpu.device, PALETTE, "main", &[&self.layouts.palette]);
        self.palette.get_or_init(make)
    }

    pub(super) fn skin_packed(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let make = || compute_pipeline(&gpu.device, SKIN_PACKED, "main", &[&self.layouts.skin]);
        self.skin_packed.get_or_init(make)
    }

    pub(super) fn skin_streams(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let layout = &self.layouts.skin_streams;
        let make = || compute_pipeline(&gpu.device, SKIN_STREAMS, "main", &[layout]);
        self.skin_streams.get_or_init(make)
    }

    pub(super) fn influence_counts(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let layout = &self.layouts.influence_counts;
        let make = || compute_pipeline(&gpu.device, INFLUENCE_COUNTS, "main", &[layout]);
        self.influence_counts.get_or_init(make)
    }

    /// One after another.
    pub(super) fn cull(&self, gpu: &Gpu) -> &[wgpu::ComputePipeline; 4] {
        let layouts = [&self.layouts.frame, &self.layouts.cull];
        let make = || CULL_STEPS.map(|step| compute_pipeline(&gpu.device, CULL, step, &layouts));
        self.cull.get_or_init(make)
    }
}

/// A compute pipeline that begins at `entry` and binds `layouts`.
fn compute_pipeline(
    device: &wgpu::Device,
    shader: ShaderSource,
    entry: &str,
    layouts: &[&wgpu::BindGroupLayout],
) -> wgpu::ComputePipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(shader.name),
        bind_group_layouts: &layouts.iter().map(|layout| Some(*layout)).collect::<Vec<_>>(),
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(shader.name),
        layout: Some(&layout),
        module: &shader.module(device),
        entry_point: Some(entry),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    })
}
