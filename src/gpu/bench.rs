//! Work to be timed: done again and again at once, so that the beginning and the end of it count little.
//!
//! Not for: timing. Nothing here looks at a clock.

use super::buffers::empty;
use super::pending::finish;
use super::renderer::encoder;
use super::studio::{Studio, StudioError};
use crate::pose::PoseSpec;

/// What draws.
#[derive(Clone, Debug)]
pub struct AdapterFacts {
    /// As the driver calls it.
    pub name: String,
    /// The interface: vulkan, metal, dx12.
    pub backend: &'static str,
    /// discrete, integrated, virtual, software or other.
    pub kind: &'static str,
}

/// Two buffers, one to be copied to the other.
#[derive(Debug)]
pub struct CopyRoom {
    source: wgpu::Buffer,
    target: wgpu::Buffer,
    bytes: u64,
}

impl Studio {
    /// What draws.
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

    /// Moves all vertices to `spec`, so often.
    ///
    /// # Errors
    /// When the device does not answer, or complained.
    pub fn skin_repeatedly(&mut self, spec: &PoseSpec, num: u32) -> Result<(), StudioError> {
        let Self { gpu, renderer, scene, .. } = self;
        let mut encoder = encoder(gpu);
        for _ in 0..num {
            scene.deformer.forget();
            scene.deformer.record(gpu, &renderer.kernels, spec, &mut encoder, None);
        }
        gpu.queue.submit([encoder.finish()]);
        finish(gpu)?;
        self.check_errors()
    }

    /// Room to copy so many bytes.
    ///
    /// # Errors
    /// When there is none.
    pub fn room_to_copy(&self, bytes: u64) -> Result<CopyRoom, StudioError> {
        let aligned = bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        let usage = wgpu::BufferUsages::COPY_SRC;
        let make = |label| empty(&self.gpu, label, aligned.min(self.gpu.caps.max_buffer), usage);
        Ok(CopyRoom { source: make("source")?, target: make("target")?, bytes: aligned })
    }

    /// Copies what there is room for, so often; more than the largest buffer holds in several parts.
    ///
    /// # Errors
    /// When the device does not answer, or complained.
    pub fn copy_repeatedly(&self, room: &CopyRoom, num: u32) -> Result<(), StudioError> {
        let mut encoder = encoder(&self.gpu);
        for _ in 0..num {
            let mut left = room.bytes;
            while left > 0 {
                let part = left.min(room.source.size());
                encoder.copy_buffer_to_buffer(&room.source, 0, &room.target, 0, part);
                left -= part;
            }
        }
        self.gpu.queue.submit([encoder.finish()]);
        finish(&self.gpu)?;
        self.check_errors()
    }
}
