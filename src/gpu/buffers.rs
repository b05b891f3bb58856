//! Making buffers: sizes are checked first, and bytes go up as they lie in memory.

use super::{Gpu, SceneError};

/// Smallest buffer: holds one element of any array in `gpu_data`, since empty ones cannot be bound.
const SMALLEST_BYTES: u64 = 128;

/// An uninitialised (zero) buffer of `bytes` bytes.
///
/// # Errors
/// When the device cannot bind one that large.
pub(super) fn empty(
    gpu: &Gpu,
    label: &str,
    bytes: u64,
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, SceneError> {
    let size = bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).max(SMALLEST_BYTES);
    if size > gpu.caps.max_buffer {
        return Err(SceneError::TooLarge {
            what: label.to_owned(),
            bytes,
            limit: gpu.caps.max_buffer,
        });
    }
    Ok(gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    }))
}

/// A buffer that holds `bytes` verbatim, zeros after them.
///
/// # Errors
/// When the device cannot bind one that large.
pub(super) fn filled(
    gpu: &Gpu,
    label: &str,
    bytes: &[u8],
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, SceneError> {
    let buffer = empty(gpu, label, bytes.len() as u64, usage)?;
    // Copies come in words: the last, partial one goes by itself.
    let (words, rest) = bytes.as_chunks::<4>();
    gpu.queue.write_buffer(&buffer, 0, words.as_flattened());
    if !rest.is_empty() {
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        let at = (bytes.len() - rest.len()) as u64;
        gpu.queue.write_buffer(&buffer, at, &last);
    }
    Ok(buffer)
}

/// `len` as a count in shaders; saturates, since buffers that long are refused before.
pub(super) fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
