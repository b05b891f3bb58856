//! Repeated work for `rigscope bench`, and the time that the GPU takes for it: from submitting all
//! repetitions until the last is done. Recording them on the CPU isn't counted.

use std::time::{Duration, Instant};

use super::Gpu;
use super::bind::bind_group;
use super::buffers::empty;
use super::deform::groups_for;
use super::kernels::compute_pipeline;
use super::pending::{finish, finish_uploads};
use super::renderer::encoder;
use super::shaders::COPY;
use super::studio::{Studio, StudioError};
use rigscope_core::pose::PoseSpec;

/// The adapter that renders.
#[derive(Clone, Debug)]
pub struct AdapterFacts {
    /// As reported by the driver.
    pub name: String,
    /// The API: vulkan, metal or dx12.
    pub backend: &'static str,
    /// discrete, integrated, virtual, software or other.
    pub kind: &'static str,
}

/// Two buffers in device memory, and the compute shader that copies one to the other.
#[derive(Debug)]
pub struct CopyBuffers {
    pipeline: wgpu::ComputePipeline,
    bind: wgpu::BindGroup,
    workgroups: [u32; 2],
    /// Dispatches that copy as many bytes as were requested.
    num_parts: u64,
}

/// Bytes that an invocation of `copy.wgsl` copies.
const COPIED_BYTES: u64 = 16;

impl Studio {
    /// Describes the adapter.
    pub fn adapter(&self) -> AdapterFacts {
        let info = &self.gpu.info;
        AdapterFacts {
            name: info.name.clone(),
            backend: info.backend.to_str(),
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => "discrete",
                wgpu::DeviceType::IntegratedGpu => "integrated",
                wgpu::DeviceType::VirtualGpu => "virtual",
                wgpu::DeviceType::Cpu => "software",
                wgpu::DeviceType::Other => "other",
            },
        }
    }

    /// Skins all vertices for `spec`, `num` times in one submission.
    ///
    /// # Errors
    /// If the device doesn't answer or has reported an error.
    pub fn skin_repeatedly(&mut self, spec: &PoseSpec, num: u32) -> Result<Duration, StudioError> {
        let Self { gpu, renderer, scene, .. } = self;
        let mut encoder = encoder(gpu);
        for _ in 0..num {
            scene.deformer.invalidate();
            scene.deformer.record(gpu, &renderer.kernels, spec, &mut encoder, None);
        }
        let took = submit_and_wait(gpu, encoder)?;
        self.check_errors()?;
        Ok(took)
    }

    /// Buffers for copying `bytes` bytes. Sizes beyond the largest buffer are copied in equal parts.
    ///
    /// # Errors
    /// If the device has too little memory.
    pub fn copy_buffers(&self, bytes: u64) -> Result<CopyBuffers, StudioError> {
        let Self { gpu, renderer, .. } = self;
        let num_parts = bytes.div_ceil(gpu.caps.max_buffer).max(1);
        let part_bytes = bytes.div_ceil(num_parts).next_multiple_of(COPIED_BYTES);
        let make = |label| empty(gpu, label, part_bytes, wgpu::BufferUsages::STORAGE);
        let (source, target) = (make("source")?, make("target")?);
        let layout = &renderer.kernels.layouts.copy;
        let (workgroups, _) =
            groups_for(u32::try_from(part_bytes / COPIED_BYTES).unwrap_or(u32::MAX));
        Ok(CopyBuffers {
            pipeline: compute_pipeline(gpu, COPY, "main", &[layout], &[]),
            bind: bind_group(&gpu.device, "copy", layout, &[&source, &target]),
            workgroups,
            num_parts,
        })
    }

    /// Copies all bytes of `room`, `num` times in one submission.
    ///
    /// # Errors
    /// If the device doesn't answer or has reported an error.
    pub fn copy_repeatedly(&self, room: &CopyBuffers, num: u32) -> Result<Duration, StudioError> {
        let mut encoder = encoder(&self.gpu);
        for _ in 0..u64::from(num) * room.num_parts {
            // One pass per copy, as in skinning: a barrier separates them.
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&room.pipeline);
            pass.set_bind_group(0, &room.bind, &[]);
            let [x, y] = room.workgroups;
            pass.dispatch_workgroups(x, y, 1);
        }
        let took = submit_and_wait(&self.gpu, encoder)?;
        self.check_errors()?;
        Ok(took)
    }
}

/// Submits recorded work and returns how long the device takes for it.
fn submit_and_wait(gpu: &Gpu, encoder: wgpu::CommandEncoder) -> Result<Duration, StudioError> {
    let commands = encoder.finish();
    // Uploads that were made while recording aren't part of the work.
    finish_uploads(gpu);
    let start = Instant::now();
    gpu.queue.submit([commands]);
    finish(gpu)?;
    Ok(start.elapsed())
}
