//! Keys of clips on the GPU: uploaded verbatim when a clip is first played.

use super::bind::bind_group;
use super::buffers::filled;
use super::{Gpu, SceneError};

/// Bytes of keys that are kept for clips other than the one being played.
const KEPT_BYTES: u64 = 512 << 20;

/// The clips that have been played.
#[derive(Debug, Default)]
pub(super) struct ClipKeys {
    clips: Vec<UploadedClip>,
}

#[derive(Debug)]
struct UploadedClip {
    clip: usize,
    bytes: u64,
    // Keeps the keys' buffer alive.
    bind_group: wgpu::BindGroup,
}

impl ClipKeys {
    /// What `palette.wgsl` binds to play `clip`, whose keys are `keys`; uploads them where they
    /// are not there yet, after making room.
    ///
    /// # Errors
    /// When the keys of this one clip are too large for the device.
    pub(super) fn bind_group(
        &mut self,
        gpu: &Gpu,
        clip: usize,
        keys: &[u8],
        bind: impl Fn(&wgpu::Buffer) -> wgpu::BindGroup,
    ) -> Result<&wgpu::BindGroup, SceneError> {
        let at = match self.clips.iter().position(|known| known.clip == clip) {
            Some(at) => at,
            None => {
                let bytes = keys.len() as u64;
                let kept: u64 = self.clips.iter().map(|known| known.bytes).sum();
                if kept + bytes > KEPT_BYTES.min(gpu.caps.max_buffer) {
                    self.clips.clear();
                }
                let buffer = filled(gpu, "clip keys", keys, wgpu::BufferUsages::STORAGE)?;
                self.clips.push(UploadedClip { clip, bytes, bind_group: bind(&buffer) });
                self.clips.len() - 1
            }
        };
        Ok(&self.clips[at].bind_group)
    }

    /// Number of clips whose keys lie on the GPU.
    pub(super) fn len(&self) -> usize {
        self.clips.len()
    }
}

/// The buffers that every clip is bound with.
#[derive(Debug)]
pub(super) struct PaletteBuffers {
    pub(super) pose: wgpu::Buffer,
    pub(super) parents: wgpu::Buffer,
    pub(super) slots: wgpu::Buffer,
    pub(super) palette: wgpu::Buffer,
}

impl PaletteBuffers {
    /// These and `keys`, as `palette.wgsl` numbers them.
    pub(super) fn bind(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        keys: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        bind_group(
            device,
            "palette",
            layout,
            &[&self.pose, keys, &self.parents, &self.slots, &self.palette],
        )
    }
}
