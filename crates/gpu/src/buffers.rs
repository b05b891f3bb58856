//! Buffer creation. Sizes are checked first. Contents are written by all cores, directly into memory that
//! the GPU reads if the driver allows it, otherwise into the driver's staging memory.

use bytemuck::{NoUninit, bytes_of};
use rayon::prelude::*;
use rigscope_core::model::as_u32;

use super::{Gpu, SceneError};

/// Smallest buffer: one element of any array in `gpu_data`, since empty buffers can't be bound.
const SMALLEST_BYTES: u64 = 128;
/// Bytes that are assembled before they are written: a multiple of every record size.
const PART_BYTES: usize = 48 * 64;
/// Fewer parts aren't worth a thread.
const PARTS_AT_ONCE: usize = 64;

/// A zeroed buffer of `bytes` bytes.
///
/// # Errors
/// If the device can't bind a buffer of that size.
pub(super) fn empty(
    gpu: &Gpu,
    label: &str,
    bytes: u64,
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, SceneError> {
    create(gpu, label, bytes, usage, false)
}

/// A buffer with `bytes` as its contents, padded with zeros.
///
/// # Errors
/// If the device can't bind a buffer of that size.
pub(super) fn filled(
    gpu: &Gpu,
    label: &str,
    bytes: &[u8],
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, SceneError> {
    written(gpu, label, bytes.len(), usage, |first, part| {
        part.copy_from_slice(&bytes[first..first + part.len()]);
    })
}

/// A buffer of `num` records; `of` returns the record at an index.
///
/// # Errors
/// If the device can't bind a buffer of that size.
pub(super) fn from_records<T: NoUninit>(
    gpu: &Gpu,
    label: &str,
    num: usize,
    usage: wgpu::BufferUsages,
    of: impl Fn(usize) -> T + Sync,
) -> Result<wgpu::Buffer, SceneError> {
    const { assert!(PART_BYTES.is_multiple_of(size_of::<T>()), "a record never spans two parts") };
    written(gpu, label, num.saturating_mul(size_of::<T>()), usage, |first, part| {
        let numbers = first / size_of::<T>()..;
        for (record, number) in part.chunks_exact_mut(size_of::<T>()).zip(numbers) {
            record.copy_from_slice(bytes_of(&of(number)));
        }
    })
}

/// A buffer of `bytes` bytes. `fill` gets the offset of a part and the part to fill.
fn written(
    gpu: &Gpu,
    label: &str,
    bytes: usize,
    usage: wgpu::BufferUsages,
    fill: impl Fn(usize, &mut [u8]) + Sync,
) -> Result<wgpu::Buffer, SceneError> {
    let buffer = mapped(gpu, label, bytes as u64, usage)?;
    write(&buffer, 0, bytes, fill);
    buffer.unmap();
    Ok(buffer)
}

/// A buffer of `bytes` bytes, mapped for [`write_part`] until it is unmapped.
///
/// # Errors
/// If the device can't bind a buffer of that size.
pub(super) fn mapped(
    gpu: &Gpu,
    label: &str,
    bytes: u64,
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, SceneError> {
    let stays_mapped = if gpu.caps.maps_buffers {
        wgpu::BufferUsages::MAP_WRITE
    } else {
        wgpu::BufferUsages::empty()
    };
    create(gpu, label, bytes, usage | stays_mapped, true)
}

/// Alignment of the parts of a mapped buffer: four words, as `cull.wgsl` reads them.
pub(super) const PART_ALIGNMENT: usize = 16;
const _: () = assert!((PART_ALIGNMENT as u64).is_multiple_of(wgpu::MAP_ALIGNMENT));
const _: () = assert!((PART_ALIGNMENT as u64).is_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT));

/// Writes `bytes` into a mapped buffer at offset `first`, a multiple of [`PART_ALIGNMENT`], and pads with
/// zeros up to the next multiple.
pub(super) fn write_part(buffer: &wgpu::Buffer, first: usize, bytes: &[u8]) {
    write(buffer, first, bytes.len(), |at, part| {
        part.copy_from_slice(&bytes[at..at + part.len()]);
    });
}

/// Writes `bytes` bytes at offset `first` on many threads. `fill` gets the offset of a part and the part to
/// fill.
fn write(
    buffer: &wgpu::Buffer,
    first: usize,
    bytes: usize,
    fill: impl Fn(usize, &mut [u8]) + Sync,
) {
    if bytes == 0 {
        return;
    }
    let end = (first + bytes).next_multiple_of(PART_ALIGNMENT) as u64;
    let filled = |number: usize| part(number, bytes, &fill);
    // If the device couldn't create the buffer, it has already reported that.
    if let Ok(mut view) = buffer.get_mapped_range_mut(first as u64..end.min(buffer.size())) {
        let (parts, mut last) = view.slice(..).into_chunks::<PART_BYTES>();
        let parts: Vec<_> = parts.into_iter().collect();
        let num_parts = parts.len();
        parts
            .into_par_iter()
            .enumerate()
            .with_min_len(PARTS_AT_ONCE)
            .for_each(|(number, part)| part.write(filled(number)));
        last.copy_from_slice(&filled(num_parts)[..last.len()]);
    }
}

/// The part at index `number` of `bytes` bytes, padded with zeros. The padding before the next aligned
/// offset can fill a whole part.
fn part(number: usize, bytes: usize, fill: impl Fn(usize, &mut [u8])) -> [u8; PART_BYTES] {
    let mut part = [0; PART_BYTES];
    let first = (number * PART_BYTES).min(bytes);
    let len = (bytes - first).min(PART_BYTES);
    fill(first, &mut part[..len]);
    part
}

fn create(
    gpu: &Gpu,
    label: &str,
    bytes: u64,
    usage: wgpu::BufferUsages,
    mapped_at_creation: bool,
) -> Result<wgpu::Buffer, SceneError> {
    let size = buffer_size(bytes);
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
        mapped_at_creation,
    }))
}

/// Size of a buffer for `bytes` bytes: shaders read some buffers four words at a time.
pub(super) const fn buffer_size(bytes: u64) -> u64 {
    let size = bytes.next_multiple_of(PART_ALIGNMENT as u64);
    if size < SMALLEST_BYTES { SMALLEST_BYTES } else { size }
}

/// `len` as a shader's count. It saturates, since longer buffers have been rejected before.
pub(super) fn count(len: usize) -> u32 {
    as_u32(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_contain_all_bytes_and_zero_padding() {
        let all: Vec<u8> = (1..=251).cycle().take(3 * PART_BYTES).collect();
        for len in 1..all.len() {
            let bytes = &all[..len];
            let padded = len.next_multiple_of(PART_ALIGNMENT);
            // Includes the part after the last whole one, which may be empty.
            let parts = (0..=padded / PART_BYTES).flat_map(|number| {
                part(number, len, |at, part| part.copy_from_slice(&bytes[at..at + part.len()]))
            });
            let written: Vec<u8> = parts.take(padded).collect();
            assert_eq!(&written[..len], bytes);
            assert!(written[len..].iter().all(|byte| *byte == 0), "{len}");
        }
    }
}
