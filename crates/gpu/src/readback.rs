//! Reads back skinned vertices and images.

use std::ops::Range;

use glam::{Vec3, Vec4};

use super::chunk::ChunkSource;
use super::group::Group;
pub use super::pending::ReadbackError;
use super::pending::{Mapped, Pending, staging};
use super::skinned_layout::SkinnedLayout;
use super::{Gpu, Renderer, Scene};
use rigscope_core::model::MeshId;
use rigscope_core::pose::{PoseSpec, SkinnedMesh};

/// The vertices of `scene` in `pose`, skinned on the GPU; compare `pose::skin_model`.
///
/// # Errors
/// If the device doesn't answer.
pub fn skinned(
    gpu: &Gpu,
    renderer: &Renderer,
    scene: &mut Scene,
    pose: &PoseSpec,
) -> Result<Vec<SkinnedMesh>, ReadbackError> {
    pollster::block_on(request_skinned(gpu, renderer, scene, pose)?.result())
}

/// Starts reading back the result of [`skinned`]. Another thread may wait for it.
///
/// # Errors
/// If the device has no room for a copy.
pub fn request_skinned(
    gpu: &Gpu,
    renderer: &Renderer,
    scene: &mut Scene,
    pose: &PoseSpec,
) -> Result<PendingVertices, ReadbackError> {
    let rooms = scene.groups.iter().map(|group| staging(gpu, group.skinned.size()));
    let rooms = rooms.collect::<Result<Vec<_>, _>>()?;
    let encoder = || gpu.device.create_command_encoder(&Default::default());
    let mut moving = encoder();
    scene.deformer.record(gpu, &renderer.kernels, pose, &mut moving, None);
    gpu.queue.submit([moving.finish()]);
    let copied = |(group, staging): (&Group, wgpu::Buffer)| {
        let mut encoder = encoder();
        encoder.copy_buffer_to_buffer(&group.skinned, 0, &staging, 0, group.skinned.size());
        Pending::submit(gpu, encoder, staging)
    };
    let groups = scene.groups.iter().zip(rooms).map(copied).collect();
    let chunks = scene.meshes.iter().map(|mesh| {
        let first = mesh.first_vertex as usize;
        ChunkVertices {
            mesh: mesh.id,
            source: mesh.source.clone(),
            group: mesh.group,
            range: first..first + mesh.num_vertices as usize,
        }
    });
    Ok(PendingVertices { groups, chunks: chunks.collect(), mesh_lens: scene.mesh_lens.clone() })
}

/// A pending read-back of skinned vertices.
#[derive(Debug)]
pub struct PendingVertices {
    groups: Vec<Pending>,
    /// In the order of the meshes.
    chunks: Vec<ChunkVertices>,
    /// Vertices per mesh.
    mesh_lens: Vec<u32>,
}

/// The location of a chunk's vertices, and their indices in the mesh.
#[derive(Debug)]
struct ChunkVertices {
    mesh: MeshId,
    source: Option<ChunkSource>,
    group: usize,
    range: Range<usize>,
}

impl PendingVertices {
    /// Waits for the vertices.
    ///
    /// # Errors
    /// If the device doesn't answer.
    pub async fn result(self) -> Result<Vec<SkinnedMesh>, ReadbackError> {
        let mut groups = Vec::with_capacity(self.groups.len());
        for group in self.groups {
            let vectors: Vec<Vec4> = group.read(bytemuck::pod_collect_to_vec).await?;
            groups.push(vectors);
        }
        let of_zeros = |len: &u32| SkinnedMesh {
            positions: vec![Vec3::ZERO; *len as usize],
            normals: vec![Vec3::ZERO; *len as usize],
            tangents: vec![Vec4::ZERO; *len as usize],
        };
        let mut meshes: Vec<SkinnedMesh> = self.mesh_lens.iter().map(of_zeros).collect();
        for chunk in &self.chunks {
            let Some(mesh) = meshes.get_mut(chunk.mesh.index()) else { continue };
            // Arrays of positions, normals and tangents, as in `vertex_of` in mesh.wgsl.
            let vectors = groups.get(chunk.group).map_or(&[][..], Vec::as_slice);
            let SkinnedLayout { capacity, has_tangents } =
                SkinnedLayout::of(size_of_val(vectors) as u64);
            let capacity = usize::try_from(capacity).unwrap_or_default();
            let own = |array: usize| {
                let first = array * capacity;
                let range = first + chunk.range.start..first + chunk.range.end;
                vectors.get(range).unwrap_or_default().iter()
            };
            let mut tangents = has_tangents.then(|| own(2));
            for (vertex, (position, normal)) in (0u32..).zip(own(0).zip(own(1))) {
                let tangent = tangents.as_mut().and_then(Iterator::next);
                let at = chunk.source.as_ref().map_or(Some(vertex), |source| source.vertex(vertex));
                let Some(at) = at.map(|at| at as usize).filter(|at| *at < mesh.positions.len())
                else {
                    continue;
                };
                mesh.positions[at] = position.truncate();
                mesh.normals[at] = normal.truncate();
                mesh.tangents[at] = tangent.copied().unwrap_or(Vec4::ZERO);
            }
        }
        Ok(meshes)
    }
}

/// Reads back an image: 4 bytes per pixel, rows from the top.
///
/// # Errors
/// If the device doesn't answer.
pub fn image(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<u8>, ReadbackError> {
    pollster::block_on(request_image(gpu, texture)?.read(|rows| rows.joined()))
}

/// Starts reading back an image of 4 bytes per pixel.
///
/// # Errors
/// If the device has no room for a copy.
pub(super) fn request_image(
    gpu: &Gpu,
    texture: &wgpu::Texture,
) -> Result<PendingRegion, ReadbackError> {
    let encoder = gpu.device.create_command_encoder(&Default::default());
    part(gpu, encoder, texture, [0; 2], [texture.width(), texture.height()], 4)
}

/// Like [`request_image`], with a buffer of [`image_bytes`] bytes to copy into.
pub(super) fn request_image_into(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    staging: wgpu::Buffer,
) -> PendingRegion {
    let encoder = gpu.device.create_command_encoder(&Default::default());
    let all = Region { first: [0; 2], size: [texture.width(), texture.height()], texel_bytes: 4 };
    all.copy(gpu, encoder, texture, staging)
}

/// Buffer size for a whole image of 4 bytes per pixel.
pub(super) fn image_bytes([width, height]: [u32; 2]) -> u64 {
    Region { first: [0; 2], size: [width, height], texel_bytes: 4 }.bytes()
}

/// Records copying the region at `first`, column and row from the upper left, and submits `encoder`.
///
/// # Errors
/// If the device has no room for a copy.
pub(super) fn part(
    gpu: &Gpu,
    encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    first: [u32; 2],
    size: [u32; 2],
    texel_bytes: u32,
) -> Result<PendingRegion, ReadbackError> {
    let part = Region { first, size, texel_bytes };
    let staging = staging(gpu, part.bytes())?;
    Ok(part.copy(gpu, encoder, texture, staging))
}

/// A region of an image, in pixels from the upper left.
#[derive(Clone, Copy)]
struct Region {
    first: [u32; 2],
    size: [u32; 2],
    texel_bytes: u32,
}

impl Region {
    fn row_bytes(self) -> u32 {
        self.size[0] * self.texel_bytes
    }

    fn padded_bytes(self) -> u32 {
        self.row_bytes().next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }

    fn bytes(self) -> u64 {
        u64::from(self.padded_bytes()) * u64::from(self.size[1])
    }

    fn copy(
        self,
        gpu: &Gpu,
        mut encoder: wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        staging: wgpu::Buffer,
    ) -> PendingRegion {
        let ([x, y], [width, height]) = (self.first, self.size);
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo {
                origin: wgpu::Origin3d { x, y, z: 0 },
                ..texture.as_image_copy()
            },
            wgpu::TexelCopyBufferInfo {
                buffer: &staging,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.padded_bytes()),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        PendingRegion {
            pending: Pending::submit(gpu, encoder, staging),
            row_bytes: self.row_bytes() as usize,
            padded_bytes: self.padded_bytes() as usize,
        }
    }
}

/// A pending read-back of a region.
#[derive(Debug)]
pub(super) struct PendingRegion {
    pending: Pending,
    row_bytes: usize,
    padded_bytes: usize,
}

impl PendingRegion {
    /// Waits for the region and passes its rows to `take`, without copying them.
    ///
    /// # Errors
    /// If the device doesn't answer.
    pub(super) async fn read<T>(
        self,
        take: impl FnOnce(&Rows<'_>) -> T,
    ) -> Result<T, ReadbackError> {
        Ok(self.mapped().await?.read(take)?.0)
    }

    /// The blocking version of [`PendingRegion::mapped`].
    ///
    /// # Errors
    /// If the device doesn't answer.
    pub(super) fn wait(self) -> Result<MappedRegion, ReadbackError> {
        pollster::block_on(self.mapped())
    }

    /// Waits until the rows can be read.
    ///
    /// # Errors
    /// If the device doesn't answer.
    pub(super) async fn mapped(self) -> Result<MappedRegion, ReadbackError> {
        let Self { pending, row_bytes, padded_bytes } = self;
        Ok(MappedRegion { mapped: pending.mapped().await?, row_bytes, padded_bytes })
    }
}

/// A mapped region. Any thread may read it.
#[derive(Debug)]
pub(super) struct MappedRegion {
    mapped: Mapped,
    row_bytes: usize,
    padded_bytes: usize,
}

impl MappedRegion {
    /// Passes the rows to `take`. Returns its result, and the buffer for reuse.
    ///
    /// # Errors
    /// If the device is lost.
    pub(super) fn read<T>(
        self,
        take: impl FnOnce(&Rows<'_>) -> T,
    ) -> Result<(T, wgpu::Buffer), ReadbackError> {
        let Self { mapped, row_bytes, padded_bytes } = self;
        mapped.read(|bytes| take(&Rows { bytes, row_bytes, padded_bytes }))
    }
}

/// Padded rows of an image, from the top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a> {
    pub(super) bytes: &'a [u8],
    /// Without padding.
    pub(super) row_bytes: usize,
    pub(super) padded_bytes: usize,
}

impl Rows<'_> {
    /// All rows, without padding.
    pub(super) fn joined(&self) -> Vec<u8> {
        let num_rows = self.bytes.len() / self.padded_bytes.max(1);
        let mut joined = Vec::with_capacity(num_rows * self.row_bytes);
        for row in self.bytes.chunks_exact(self.padded_bytes.max(1)) {
            joined.extend_from_slice(&row[..self.row_bytes]);
        }
        joined
    }
}
