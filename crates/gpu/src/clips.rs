//! Keyframes of clips on the GPU, uploaded verbatim when a clip is first played. If a clip's keys don't
//! fit, the two keys around the current moment are uploaded during playback.

use super::bind::bind_group;
use super::buffers::{empty, filled};
use super::{Gpu, SceneError};
use rigscope_core::model::{KEY_STRIDE_BYTES, PackedKeys};

/// Limit on the keys of all clips together, except the one being played, and on those of a single clip.
const MAX_KEY_BYTES: u64 = 512 << 20;

/// Limit on the bytes of keys that are on the GPU.
pub(super) fn key_budget(gpu: &Gpu) -> u64 {
    MAX_KEY_BYTES.min(gpu.caps.max_buffer)
}

/// Keys of the clips that have been played.
#[derive(Debug, Default)]
pub(super) struct ClipKeys {
    clips: Vec<UploadedClip>,
    /// Two keys of the clip that was played last, if that clip is too large for `clips`.
    pair: Option<KeyPair>,
}

#[derive(Debug)]
struct UploadedClip {
    clip: usize,
    bytes: u64,
    // Keeps the key buffer alive.
    bind_group: wgpu::BindGroup,
}

#[derive(Debug)]
struct KeyPair {
    clip: usize,
    buffer: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    /// The keys of the clip that the buffer holds.
    keys: Option<[u32; 2]>,
}

impl ClipKeys {
    /// The bind group with which `palette.wgsl` blends the two keys `pair` of `clip`, and the indices of
    /// these keys in the bound buffer. Uploads missing keys; drops those of other clips if there is too
    /// little room.
    ///
    /// # Errors
    /// If two keys are too large for the device.
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

    /// Number of clips with all keys on the GPU.
    pub(super) fn len(&self) -> usize {
        self.clips.len()
    }
}

/// The buffers that are bound along with the keys of any clip.
#[derive(Debug)]
pub(super) struct PaletteBuffers {
    pub(super) pose: wgpu::Buffer,
    pub(super) parents: wgpu::Buffer,
    pub(super) slots: wgpu::Buffer,
    pub(super) palette: wgpu::Buffer,
}

impl PaletteBuffers {
    /// Binds these and `keys` in the order of `palette.wgsl`.
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
