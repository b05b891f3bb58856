//! Compute pipelines, each made when it is first needed, and the layouts of all bindings: what the
//! buffers of a scene are made for.

use std::sync::OnceLock;

use super::Gpu;
use super::bind::Layouts;
use super::shaders::{INFLUENCE_COUNTS, PALETTE, SKIN_PACKED, SKIN_STREAMS, ShaderSource};

/// What moves vertices, and how everything is bound.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) layouts: Layouts,
    palette: OnceLock<wgpu::ComputePipeline>,
    skin_packed: OnceLock<wgpu::ComputePipeline>,
    skin_streams: OnceLock<wgpu::ComputePipeline>,
    influence_counts: OnceLock<wgpu::ComputePipeline>,
}

impl Kernels {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            layouts: Layouts::new(&gpu.device),
            palette: OnceLock::new(),
            skin_packed: OnceLock::new(),
            skin_streams: OnceLock::new(),
            influence_counts: OnceLock::new(),
        }
    }

    /// Makes all of them now.
    pub(super) fn make_all(&self, gpu: &Gpu) {
        self.palette(gpu);
        self.skin_packed(gpu);
        self.skin_streams(gpu);
        self.influence_counts(gpu);
    }

    pub(super) fn palette(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let make = || compute_pipeline(&gpu.device, PALETTE, &self.layouts.palette);
        self.palette.get_or_init(make)
    }

    pub(super) fn skin_packed(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let make = || compute_pipeline(&gpu.device, SKIN_PACKED, &self.layouts.skin);
        self.skin_packed.get_or_init(make)
    }

    pub(super) fn skin_streams(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let layout = &self.layouts.skin_streams;
        let make = || compute_pipeline(&gpu.device, SKIN_STREAMS, layout);
        self.skin_streams.get_or_init(make)
    }

    pub(super) fn influence_counts(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        let layout = &self.layouts.influence_counts;
        let make = || compute_pipeline(&gpu.device, INFLUENCE_COUNTS, layout);
        self.influence_counts.get_or_init(make)
    }
}

/// A compute pipeline with one bind group.
fn compute_pipeline(
    device: &wgpu::Device,
    shader: ShaderSource,
    layout: &wgpu::BindGroupLayout,
) -> wgpu::ComputePipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(shader.name),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(shader.name),
        layout: Some(&layout),
        module: &shader.module(device),
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    })
}
