//! Keys of clips on the GPU: uploaded verbatim when a clip is first played. Of a clip whose keys the device has no room
//! for, the two that a moment lies between go up as it plays.

use super::bind::bind_group;
use super::buffers::{empty, filled};
use super::{Gpu, SceneError};
use rigscope_core::model::{KEY_STRIDE_BYTES, PackedKeys};

/// Bytes of keys that are kept for clips other than the one being played, and most of one clip's.
const MAX_KEY_BYTES: u64 = 512 << 20;

/// Most bytes of keys that lie on the GPU.
pub(super) fn key_budget(gpu: &Gpu) -> u64 {
    MAX_KEY_BYTES.min(gpu.caps.max_buffer)
}

/// The clips that have been played.
#[derive(Debug, Default)]
pub(super) struct ClipKeys {
    clips: Vec<UploadedClip>,
    /// Of the clip that was played last, if it is too large to lie among the others.
    pair: Option<KeyPair>,
}

#[derive(Debug)]
struct UploadedClip {
    clip: usize,
    bytes: u64,
    // Keeps the keys' buffer alive.
    bind_group: wgpu::BindGroup,
}

/// Two keys of a clip.
#[derive(Debug)]
struct KeyPair {
    clip: usize,
    buffer: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    /// Which of the clip's keys the buffer holds.
    keys: Option<[u32; 2]>,
}

impl ClipKeys {
    /// What `palette.wgsl` binds to blend two of the `keys` of `clip`, and their numbers there. Uploads what is not there
    /// yet, after making room.
    ///
    /// # Errors
    /// When two keys are too large for the device.
    pub(super) fn bound(
        &mut self,
        gpu: &Gpu,
        clip: usize,
        keys: &PackedKeys,
        pair: [u32; 2],
        bind: impl Fn(&wgpu::Buffer) -> wgpu::BindGroup,
    ) -> Result<(&wgpu::BindGroup, [u32; 2]), SceneError> {
        if keys.bytes().len() as u64 > key_budget(gpu) {
            return Ok((self.bound_pair(gpu, clip, keys, pair, bind)?, [0, 1]));
        }
        self.pair = None;
        let at = match self.clips.iter().position(|known| known.clip == clip) {
            Some(at) => at,
            None => {
                let bytes = keys.bytes().len() as u64;
                let kept: u64 = self.clips.iter().map(|known| known.bytes).sum();
                if kept + bytes > key_budget(gpu) {
                    self.clips.clear();
                }
                let buffer = filled(gpu, "clip keys", keys.bytes(), wgpu::BufferUsages::STORAGE)?;
                self.clips.push(UploadedClip { clip, bytes, bind_group: bind(&buffer) });
                self.clips.len() - 1
            }
        };
        Ok((&self.clips[at].bind_group, pair))
    }

    fn bound_pair(
        &mut self,
        gpu: &Gpu,
        clip: usize,
        keys: &PackedKeys,
        pair: [u32; 2],
        bind: impl Fn(&wgpu::Buffer) -> wgpu::BindGroup,
    ) -> Result<&wgpu::BindGroup, SceneError> {
        let key_bytes = keys.num_bones() as usize * KEY_STRIDE_BYTES;
        if self.pair.as_ref().is_some_and(|known| known.clip != clip) {
            self.pair = None;
        }
        let held = match &mut self.pair {
            Some(held) => held,
            none => {
                let usage = wgpu::BufferUsages::STORAGE;
                let buffer = empty(gpu, "two keys of a clip", 2 * key_bytes as u64, usage)?;
                let bind_group = bind(&buffer);
                none.insert(KeyPair { clip, buffer, bind_group, keys: None })
            }
        };
        if held.keys != Some(pair) {
            for (at, key) in (0u64..).zip(pair) {
                let first = key as usize * key_bytes;
                let bytes = keys.bytes().get(first..first + key_bytes).unwrap_or_default();
                gpu.queue.write_buffer(&held.buffer, at * key_bytes as u64, bytes);
            }
            held.keys = Some(pair);
        }
        Ok(&held.bind_group)
    }

    /// Number of clips whose keys all lie on the GPU.
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
