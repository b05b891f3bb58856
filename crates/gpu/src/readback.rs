//! Bringing results back: skinned vertices and pictures.

use std::ops::Range;

use glam::{Vec3, Vec4};

use super::group::Group;
use super::lists::Lists;
pub use super::pending::ReadbackError;
use super::pending::{Mapped, Pending, staging};
use super::piece::Cut;
use super::{Gpu, Renderer, Scene};
use rigscope_core::model::MeshId;
use rigscope_core::pose::{PoseSpec, SkinnedMesh};

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
    pollster::block_on(ask_skinned(gpu, renderer, scene, pose)?.arrive())
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
    let pieces = scene.meshes.iter().map(|mesh| {
        let first = mesh.first_vertex as usize;
        PieceVertices {
            mesh: mesh.id,
            cut: mesh.cut.clone(),
            group: mesh.group,
            range: first..first + mesh.num_vertices as usize,
        }
    });
    Ok(PendingVertices { groups, pieces: pieces.collect(), mesh_lens: scene.mesh_lens.clone() })
}

/// Skinned vertices on their way back.
#[derive(Debug)]
pub struct PendingVertices {
    groups: Vec<Pending>,
    /// Mesh after mesh.
    pieces: Vec<PieceVertices>,
    /// Number of vertices of each mesh.
    mesh_lens: Vec<u32>,
}

/// Where the vertices of a piece of a mesh lie, and which they are.
#[derive(Debug)]
struct PieceVertices {
    mesh: MeshId,
    cut: Option<Cut>,
    group: usize,
    range: Range<usize>,
}

impl PendingVertices {
    /// Waits for them.
    ///
    /// # Errors
    /// When the device does not answer.
    pub async fn arrive(self) -> Result<Vec<SkinnedMesh>, ReadbackError> {
        let mut groups = Vec::with_capacity(self.groups.len());
        for group in self.groups {
            let lists: Vec<Vec4> = group.arrive(bytemuck::pod_collect_to_vec).await?;
            groups.push(lists);
        }
        let of_zeros = |len: &u32| SkinnedMesh {
            positions: vec![Vec3::ZERO; *len as usize],
            normals: vec![Vec3::ZERO; *len as usize],
            tangents: vec![Vec4::ZERO; *len as usize],
        };
        let mut meshes: Vec<SkinnedMesh> = self.mesh_lens.iter().map(of_zeros).collect();
        for piece in &self.pieces {
            let Some(mesh) = meshes.get_mut(piece.mesh.index()) else { continue };
            // Positions, normals and tangents of all, as `vertex_of` in mesh.wgsl has them.
            let lists = groups.get(piece.group).map_or(&[][..], Vec::as_slice);
            let Lists { len, has_tangents } = Lists::of(size_of_val(lists) as u64);
            let len = usize::try_from(len).unwrap_or_default();
            let own = |list: usize| {
                let first = list * len;
                let range = first + piece.range.start..first + piece.range.end;
                lists.get(range).unwrap_or_default().iter()
            };
            let mut tangents = has_tangents.then(|| own(2));
            for (vertex, (position, normal)) in (0u32..).zip(own(0).zip(own(1))) {
                let tangent = tangents.as_mut().and_then(Iterator::next);
                let at = piece.cut.as_ref().map_or(Some(vertex), |cut| cut.vertex(vertex));
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

/// Copies a picture and gives its bytes, 4 a pixel, row after row from the top.
///
/// # Errors
/// When the device does not answer.
pub fn picture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<u8>, ReadbackError> {
    pollster::block_on(ask_picture(gpu, texture)?.arrive(|rows| rows.joined()))
}

/// Asks for a picture, 4 bytes a pixel.
///
/// # Errors
/// When the device has no room for a copy.
pub(super) fn ask_picture(
    gpu: &Gpu,
    texture: &wgpu::Texture,
) -> Result<PendingPart, ReadbackError> {
    let encoder = gpu.device.create_command_encoder(&Default::default());
    part(gpu, encoder, texture, [0; 2], [texture.width(), texture.height()], 4)
}

/// As [`ask_picture`], with a buffer of [`picture_bytes`] to copy into.
pub(super) fn ask_picture_into(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    staging: wgpu::Buffer,
) -> PendingPart {
    let encoder = gpu.device.create_command_encoder(&Default::default());
    let all = Part { first: [0; 2], size: [texture.width(), texture.height()], texel_bytes: 4 };
    all.copy(gpu, encoder, texture, staging)
}

/// Bytes of a buffer for a whole picture, 4 bytes per pixel.
pub(super) fn picture_bytes([width, height]: [u32; 2]) -> u64 {
    Part { first: [0; 2], size: [width, height], texel_bytes: 4 }.bytes()
}

/// Copies the part of a picture that begins at `first`, column and row from the upper left, after what
/// is recorded already, and submits all of it.
///
/// # Errors
/// When the device has no room for it.
pub(super) fn part(
    gpu: &Gpu,
    encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    first: [u32; 2],
    size: [u32; 2],
    texel_bytes: u32,
) -> Result<PendingPart, ReadbackError> {
    let part = Part { first, size, texel_bytes };
    let staging = staging(gpu, part.bytes())?;
    Ok(part.copy(gpu, encoder, texture, staging))
}

/// A part of a picture, in pixels from the upper left.
#[derive(Clone, Copy)]
struct Part {
    first: [u32; 2],
    size: [u32; 2],
    texel_bytes: u32,
}

impl Part {
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
    ) -> PendingPart {
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
        PendingPart {
            pending: Pending::submit(gpu, encoder, staging),
            row_bytes: self.row_bytes() as usize,
            padded_bytes: self.padded_bytes() as usize,
        }
    }
}

/// A part of a picture on its way back.
#[derive(Debug)]
pub(super) struct PendingPart {
    pending: Pending,
    row_bytes: usize,
    padded_bytes: usize,
}

impl PendingPart {
    /// Waits, and gives what `take` makes of its rows where they lie.
    ///
    /// # Errors
    /// When the device does not answer.
    pub(super) async fn arrive<T>(
        self,
        take: impl FnOnce(&Rows<'_>) -> T,
    ) -> Result<T, ReadbackError> {
        Ok(self.mapped().await?.read(take)?.0)
    }

    /// As [`PendingPart::mapped`], on a thread that may wait.
    ///
    /// # Errors
    /// When the device doesn't answer.
    pub(super) fn wait(self) -> Result<MappedPart, ReadbackError> {
        pollster::block_on(self.mapped())
    }

    /// Waits until its rows can be read.
    ///
    /// # Errors
    /// When the device doesn't answer.
    pub(super) async fn mapped(self) -> Result<MappedPart, ReadbackError> {
        let Self { pending, row_bytes, padded_bytes } = self;
        Ok(MappedPart { mapped: pending.mapped().await?, row_bytes, padded_bytes })
    }
}

/// A part of a picture that has arrived, for any thread to read.
#[derive(Debug)]
pub(super) struct MappedPart {
    mapped: Mapped,
    row_bytes: usize,
    padded_bytes: usize,
}

impl MappedPart {
    /// Passes the rows to `take`; returns its result, and the buffer for reuse.
    ///
    /// # Errors
    /// When the device is gone.
    pub(super) fn read<T>(
        self,
        take: impl FnOnce(&Rows<'_>) -> T,
    ) -> Result<(T, wgpu::Buffer), ReadbackError> {
        let Self { mapped, row_bytes, padded_bytes } = self;
        mapped.read(|bytes| take(&Rows { bytes, row_bytes, padded_bytes }))
    }
}

/// Rows of a picture from the top, each with what pads it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a> {
    pub(super) bytes: &'a [u8],
    /// Without the padding.
    pub(super) row_bytes: usize,
    pub(super) padded_bytes: usize,
}

impl Rows<'_> {
    /// One after another, without padding.
    pub(super) fn joined(&self) -> Vec<u8> {
        let num_rows = self.bytes.len() / self.padded_bytes.max(1);
        let mut joined = Vec::with_capacity(num_rows * self.row_bytes);
        for row in self.bytes.chunks_exact(self.padded_bytes.max(1)) {
            joined.extend_from_slice(&row[..self.row_bytes]);
        }
        joined
    }
}
