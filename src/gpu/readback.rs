//! Bringing results back: skinned vertices and pictures.

use std::sync::mpsc;
use std::time::Duration;

use glam::Vec3;

use super::gpu_data::SkinnedVertex;
use super::{Gpu, Renderer, Scene};
use crate::pose::{PoseSpec, SkinnedMesh};

/// Longer than any frame should take, also in software; then the device is taken for hung.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why nothing came back.
#[derive(Debug, thiserror::Error)]
pub enum ReadbackError {
    /// The device is gone or hangs.
    #[error("the GPU did not answer: {0}")]
    NoAnswer(String),
    /// The device has no room for a copy.
    #[error("reading back {bytes} bytes is more than this GPU allows ({limit})")]
    TooLarge {
        /// Size that is needed.
        bytes: u64,
        /// Size that can be had.
        limit: u64,
    },
}

/// The vertices of `scene` in `pose`, skinned on the GPU: what `pose::skin_model` gives.
///
/// # Errors
/// When the device does not answer.
pub fn skinned(
    gpu: &Gpu,
    renderer: &Renderer,
    scene: &mut Scene,
    pose: &PoseSpec,
) -> Result<Vec<SkinnedMesh>, ReadbackError> {
    renderer.skin(gpu, scene, pose);
    let mut vertices = Vec::new();
    buffer(gpu, &scene.skinned, &mut |bytes| {
        let (records, _) = bytes.as_chunks::<{ size_of::<SkinnedVertex>() }>();
        let records = records.iter();
        vertices.extend(records.map(|r| bytemuck::pod_read_unaligned::<SkinnedVertex>(r)));
    })?;
    let of_mesh = |mesh: &super::draws::SceneMesh| {
        let first = mesh.first_vertex as usize;
        let own = vertices.get(first..first + mesh.num_vertices as usize);
        let own = own.unwrap_or_default();
        SkinnedMesh {
            positions: own.iter().map(|vertex| vertex.position).collect(),
            normals: own.iter().map(|vertex| vertex.normal).collect(),
            tangents: own.iter().map(|vertex| vertex.tangent).collect(),
        }
    };
    Ok(scene.meshes.iter().map(of_mesh).collect())
}

/// Copies `source` and shows its bytes to `take`.
fn buffer(
    gpu: &Gpu,
    source: &wgpu::Buffer,
    take: &mut dyn FnMut(&[u8]),
) -> Result<(), ReadbackError> {
    let staging = staging(gpu, source.size())?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(source, 0, &staging, 0, source.size());
    finish(gpu, encoder, &staging, take)
}

/// Copies a picture and gives its bytes, 4 a pixel, row after row from the top.
///
/// # Errors
/// When the device does not answer.
pub fn picture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<u8>, ReadbackError> {
    part(gpu, texture, [0; 2], [texture.width(), texture.height()], 4)
}

/// Copies the part of a picture that begins at `first`, column and row from the upper left, and
/// gives its bytes row after row.
///
/// # Errors
/// When the device does not answer.
pub(super) fn part(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    first: [u32; 2],
    [width, height]: [u32; 2],
    texel_bytes: u32,
) -> Result<Vec<u8>, ReadbackError> {
    let row_bytes = width * texel_bytes;
    let padded_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let staging = staging(gpu, u64::from(padded_bytes) * u64::from(height))?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let [x, y] = first;
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo {
            origin: wgpu::Origin3d { x, y, z: 0 },
            ..texture.as_image_copy()
        },
        wgpu::TexelCopyBufferInfo {
            buffer: &staging,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded_bytes),
                rows_per_image: None,
            },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    let mut pixels = Vec::with_capacity(row_bytes as usize * height as usize);
    finish(gpu, encoder, &staging, &mut |bytes| {
        for row in bytes.chunks_exact(padded_bytes as usize) {
            pixels.extend_from_slice(&row[..row_bytes as usize]);
        }
    })?;
    Ok(pixels)
}

/// Positions of three vertices, counted over all meshes, as they were last skinned; file space.
///
/// # Errors
/// When the device does not answer.
pub(super) fn positions(
    gpu: &Gpu,
    scene: &Scene,
    vertices: [u32; 3],
) -> Result<[Vec3; 3], ReadbackError> {
    const STRIDE: u64 = size_of::<SkinnedVertex>() as u64;
    let staging = staging(gpu, STRIDE * 3)?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    for (at, vertex) in (0..).zip(vertices) {
        let from = u64::from(vertex) * STRIDE;
        encoder.copy_buffer_to_buffer(&scene.skinned, from, &staging, at * STRIDE, STRIDE);
    }
    let mut positions = [Vec3::ZERO; 3];
    finish(gpu, encoder, &staging, &mut |bytes| {
        let (records, _) = bytes.as_chunks::<{ size_of::<SkinnedVertex>() }>();
        for (position, record) in positions.iter_mut().zip(records) {
            *position = bytemuck::pod_read_unaligned::<SkinnedVertex>(record).position;
        }
    })?;
    Ok(positions)
}

fn staging(gpu: &Gpu, bytes: u64) -> Result<wgpu::Buffer, ReadbackError> {
    let limit = gpu.device.limits().max_buffer_size;
    if bytes > limit {
        return Err(ReadbackError::TooLarge { bytes, limit });
    }
    Ok(gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size: bytes,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    }))
}

/// Submits, waits, and shows the bytes of `staging` to `take`.
fn finish(
    gpu: &Gpu,
    encoder: wgpu::CommandEncoder,
    staging: &wgpu::Buffer,
    take: &mut dyn FnMut(&[u8]),
) -> Result<(), ReadbackError> {
    let submission = gpu.queue.submit([encoder.finish()]);
    let (send, receive) = mpsc::channel();
    staging.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver is gone only after a timeout, when nobody wants to know any more.
        let _ = send.send(result);
    });
    let no_answer = |error: &dyn std::fmt::Display| ReadbackError::NoAnswer(error.to_string());
    gpu.device
        .poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(PATIENCE) })
        .map_err(|error| no_answer(&error))?;
    receive
        .recv_timeout(PATIENCE)
        .map_err(|error| no_answer(&error))?
        .map_err(|error| no_answer(&error))?;
    let view = staging.get_mapped_range(..).map_err(|error| no_answer(&error))?;
    take(&view);
    drop(view);
    staging.unmap();
    Ok(())
}
