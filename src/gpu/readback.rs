//! Bringing results back: skinned vertices and pictures.

use std::ops::Range;

use super::gpu_data::SkinnedVertex;
pub use super::pending::ReadbackError;
use super::pending::{Pending, staging};
use super::{Gpu, Renderer, Scene};
use crate::pose::{PoseSpec, SkinnedMesh};

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
    ask_skinned(gpu, renderer, scene, pose)?.wait()
}

/// Asks for what [`skinned`] gives, which another thread may wait for.
///
/// # Errors
/// When the device has no room for it.
pub fn ask_skinned(
    gpu: &Gpu,
    renderer: &Renderer,
    scene: &mut Scene,
    pose: &PoseSpec,
) -> Result<PendingVertices, ReadbackError> {
    let staging = staging(gpu, scene.skinned.size())?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    scene.deformer.record(gpu, &renderer.kernels, pose, &mut encoder, None);
    encoder.copy_buffer_to_buffer(&scene.skinned, 0, &staging, 0, scene.skinned.size());
    let range = |mesh: &super::draws::SceneMesh| {
        let first = mesh.first_vertex as usize;
        first..first + mesh.num_vertices as usize
    };
    let meshes = scene.meshes.iter().map(range).collect();
    Ok(PendingVertices { pending: Pending::submit(gpu, encoder, staging), meshes })
}

/// Skinned vertices on their way back.
#[derive(Debug)]
pub struct PendingVertices {
    pending: Pending,
    /// Which are of each mesh.
    meshes: Vec<Range<usize>>,
}

impl PendingVertices {
    /// Waits for them.
    ///
    /// # Errors
    /// When the device does not answer.
    pub fn wait(self) -> Result<Vec<SkinnedMesh>, ReadbackError> {
        let mut vertices = Vec::new();
        self.pending.wait(&mut |bytes| {
            let (records, _) = bytes.as_chunks::<{ size_of::<SkinnedVertex>() }>();
            let records = records.iter();
            vertices.extend(records.map(|r| bytemuck::pod_read_unaligned::<SkinnedVertex>(r)));
        })?;
        let of_mesh = |range: &Range<usize>| {
            let own = vertices.get(range.clone()).unwrap_or_default();
            SkinnedMesh {
                positions: own.iter().map(|vertex| vertex.position).collect(),
                normals: own.iter().map(|vertex| vertex.normal).collect(),
                tangents: own.iter().map(|vertex| vertex.tangent).collect(),
            }
        };
        Ok(self.meshes.iter().map(of_mesh).collect())
    }
}

/// Copies a picture and gives its bytes, 4 a pixel, row after row from the top.
///
/// # Errors
/// When the device does not answer.
pub fn picture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<u8>, ReadbackError> {
    let encoder = gpu.device.create_command_encoder(&Default::default());
    part(gpu, encoder, texture, [0; 2], [texture.width(), texture.height()], 4)?.wait()
}

/// Copies the part of a picture that begins at `first`, column and row from the upper left, after what
/// is recorded already, and submits all of it.
///
/// # Errors
/// When the device has no room for it.
pub(super) fn part(
    gpu: &Gpu,
    mut encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    first: [u32; 2],
    [width, height]: [u32; 2],
    texel_bytes: u32,
) -> Result<PendingPart, ReadbackError> {
    let row_bytes = width * texel_bytes;
    let padded_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let staging = staging(gpu, u64::from(padded_bytes) * u64::from(height))?;
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
    let pending = Pending::submit(gpu, encoder, staging);
    Ok(PendingPart { pending, row_bytes: row_bytes as usize, padded_bytes: padded_bytes as usize })
}

/// A part of a picture on its way back.
#[derive(Debug)]
pub(super) struct PendingPart {
    pending: Pending,
    row_bytes: usize,
    padded_bytes: usize,
}

impl PendingPart {
    /// Waits for its bytes, row after row.
    ///
    /// # Errors
    /// When the device does not answer.
    pub(super) fn wait(self) -> Result<Vec<u8>, ReadbackError> {
        let mut pixels = Vec::new();
        self.pending.wait(&mut |bytes| {
            for row in bytes.chunks_exact(self.padded_bytes) {
                pixels.extend_from_slice(&row[..self.row_bytes]);
            }
        })?;
        Ok(pixels)
    }
}
