//! Skinning data of one chunk, for any of the pipelines.

use std::borrow::Cow;
use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{bytes_of, cast_slice};
use glam::Vec3;

use super::{MAX_GROUPS, WORKGROUP};
use crate::Gpu;
use crate::chunk::ChunkSource;
use crate::gpu_data::{CountInput, SkinInput, StreamInput, normal_matrix_number_of};
use crate::kernels::{Kernel, Kernels};
use rigscope_core::model::{Mesh, NormalMatrix};

#[derive(Debug)]
pub(super) struct ChunkDeform {
    /// Index of the mesh.
    pub(super) number: usize,
    /// The chunk's vertices in the mesh, if it is only a part of it.
    pub(super) source: Option<ChunkSource>,
    /// The group whose buffer gets the skinned vertices.
    pub(super) group: usize,
    pub(super) path: SkinPath,
    /// A [`SkinInput`] or [`StreamInput`], depending on `path`.
    pub(super) input: wgpu::Buffer,
    pub(super) bind: wgpu::BindGroup,
    pub(super) groups: [u32; 2],
    /// For meshes with a vertex animation.
    pub(super) cache: Option<CachedPositions>,
    pub(super) influences: wgpu::Buffer,
    pub(super) counted: CountInput,
}

/// The pipeline that skins a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkinPath {
    /// Packed vertices, as in the file.
    Packed,
    /// Full precision, moved only by slot matrices.
    Rows,
    /// Everything else.
    Streams,
}

/// Positions of a vertex animation, and the bind group that copies them through.
#[derive(Debug)]
pub(super) struct CachedPositions {
    pub(super) positions: wgpu::Buffer,
    pub(super) bind: wgpu::BindGroup,
}

/// The ranges of a mesh in the buffers that all meshes share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MeshOffsets {
    pub(super) first_slot: u32,
    pub(super) num_slots: u32,
    pub(super) first_shape: u32,
    pub(super) num_shapes: u32,
    /// Index of the UV set that is in the skinned vertices.
    pub(super) uv_set: usize,
}

impl MeshOffsets {
    pub(super) fn slots(&self) -> Range<usize> {
        let first = self.first_slot as usize;
        first..first + self.num_slots as usize
    }

    pub(super) fn shapes(&self) -> Range<usize> {
        let first = self.first_shape as usize;
        first..first + self.num_shapes as usize
    }
}

#[derive(Debug)]
pub(super) struct SharedBuffers {
    pub(super) palette: wgpu::Buffer,
    pub(super) dual_quaternions: wgpu::Buffer,
    pub(super) shape_weights: wgpu::Buffer,
}

impl ChunkDeform {
    /// Dispatches the skinning. If `is_cached`, the positions are those of the vertex animation.
    pub(super) fn record(
        &self,
        gpu: &Gpu,
        kernels: &Kernels,
        is_cached: bool,
        pass: &mut wgpu::ComputePass<'_>,
    ) {
        let cache = self.cache.as_ref().filter(|_| is_cached);
        let kernel = match self.path {
            SkinPath::Packed => Kernel::SkinPacked,
            SkinPath::Rows if cache.is_none() => Kernel::SkinRows,
            SkinPath::Rows | SkinPath::Streams => Kernel::SkinStreams,
        };
        pass.set_pipeline(&kernels.get(gpu, kernel));
        pass.set_bind_group(0, cache.map_or(&self.bind, |cache| &cache.bind), &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }

    /// The pipeline that skins it, unless a vertex animation does.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn kernel(&self) -> Kernel {
        match self.path {
            SkinPath::Packed => Kernel::SkinPacked,
            SkinPath::Rows => Kernel::SkinRows,
            SkinPath::Streams => Kernel::SkinStreams,
        }
    }

    /// Sets the matrix for normals and tangents. Positions of vertex animations have neither.
    pub(super) fn write_normal_matrix(&self, gpu: &Gpu, by: NormalMatrix, mesh: &Mesh) {
        let offset = match self.path {
            SkinPath::Packed => offset_of!(SkinInput, normal_matrix),
            SkinPath::Rows | SkinPath::Streams => offset_of!(StreamInput, normal_matrix),
        };
        let number = normal_matrix_number_of(by, mesh);
        gpu.queue.write_buffer(&self.input, offset as u64, bytes_of(&number));
    }

    /// Uploads the chunk's share of the mesh's vertex animation positions. Returns whether their number is
    /// as expected.
    pub(super) fn write_positions(&self, gpu: &Gpu, positions: &[Vec3]) -> bool {
        let Some(cache) = &self.cache else { return false };
        let own = match &self.source {
            None => Cow::Borrowed(positions),
            Some(source) => source.gathered(positions),
        };
        let fits = own.len() == self.counted.num_vertices as usize;
        if fits {
            gpu.queue.write_buffer(&cache.positions, 0, cast_slice(&own));
        }
        fits
    }
}

/// Workgroups in x and y that cover `invocations`, and the number of invocations per row.
pub(crate) fn groups_for(invocations: u32) -> ([u32; 2], u32) {
    let groups = invocations.div_ceil(WORKGROUP).max(1);
    let x = groups.min(MAX_GROUPS);
    ([x, groups.div_ceil(x)], x * WORKGROUP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches_cover_all_vertices_within_the_limit_per_dimension() {
        for invocations in [0, 1, 64, 65, 65_536, 4_194_240, 4_194_241, 100_000_000] {
            let ([x, y], row) = groups_for(invocations);
            assert!(x <= MAX_GROUPS && y <= MAX_GROUPS && x >= 1 && y >= 1);
            assert_eq!(row, x * WORKGROUP);
            assert!(u64::from(row) * u64::from(y) >= u64::from(invocations));
        }
    }
}
