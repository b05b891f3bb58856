//! What skins one chunk of a mesh, whichever pipeline does it.

use std::borrow::Cow;
use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{bytes_of, cast_slice};
use glam::Vec3;

use super::{MAX_GROUPS, WORKGROUP};
use crate::Gpu;
use crate::chunk::ChunkSource;
use crate::gpu_data::{CountInput, SkinInput, StreamInput, normal_matrix_number};
use crate::kernels::{Kernel, Kernels};
use rigscope_core::model::NormalMatrix;

/// What skins one chunk of a mesh.
#[derive(Debug)]
pub(super) struct ChunkDeform {
    /// Of its mesh.
    pub(super) number: usize,
    /// Where its vertices lie in the mesh, if it is not all of it.
    pub(super) source: Option<ChunkSource>,
    /// Of moved vertices.
    pub(super) group: usize,
    pub(super) path: SkinPath,
    /// A [`SkinInput`] or [`StreamInput`], as `path` says.
    pub(super) input: wgpu::Buffer,
    pub(super) bind: wgpu::BindGroup,
    pub(super) groups: [u32; 2],
    /// For meshes that a vertex cache moves.
    pub(super) cache: Option<CachedPositions>,
    /// Where its influences lie.
    pub(super) influences: wgpu::Buffer,
    pub(super) counted: CountInput,
}

/// Which pipeline skins a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkinPath {
    /// Vertices in their file's bytes.
    Packed,
    /// In full precision, moved by matrices of slots alone.
    Rows,
    /// Anything.
    Streams,
}

/// Finished positions, and the bind group that passes them through.
#[derive(Debug)]
pub(super) struct CachedPositions {
    pub(super) positions: wgpu::Buffer,
    pub(super) bind: wgpu::BindGroup,
}

/// Where a mesh's part of the buffers begins that all meshes share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MeshOffsets {
    pub(super) first_slot: u32,
    pub(super) num_slots: u32,
    pub(super) first_shape: u32,
    pub(super) num_shapes: u32,
    /// Which of the mesh's UV sets a skinned vertex carries.
    pub(super) uv_set: usize,
}

impl MeshOffsets {
    /// Its slots among those of all meshes.
    pub(super) fn slots(&self) -> Range<usize> {
        let first = self.first_slot as usize;
        first..first + self.num_slots as usize
    }

    /// Its shapes among those of all meshes.
    pub(super) fn shapes(&self) -> Range<usize> {
        let first = self.first_shape as usize;
        first..first + self.num_shapes as usize
    }
}

/// Buffers that all meshes share.
#[derive(Debug)]
pub(super) struct SharedBuffers {
    pub(super) palette: wgpu::Buffer,
    pub(super) dual_quaternions: wgpu::Buffer,
    pub(super) shape_weights: wgpu::Buffer,
}

impl ChunkDeform {
    /// Dispatches the skinning; `is_cached` takes the finished positions.
    pub(super) fn record(
        &self,
        gpu: &Gpu,
        kernels: &Kernels,
        is_cached: bool,
        pass: &mut wgpu::ComputePass<'_>,
    ) {
        let cache = self.cache.as_ref().filter(|_| is_cached);
        pass.set_pipeline(match self.path {
            SkinPath::Packed => kernels.skin_packed(gpu),
            SkinPath::Rows if cache.is_none() => kernels.skin_rows(gpu),
            SkinPath::Rows | SkinPath::Streams => kernels.skin_streams(gpu),
        });
        pass.set_bind_group(0, cache.map_or(&self.bind, |cache| &cache.bind), &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }

    /// The pipeline that moves its vertices, unless a vertex cache does.
    pub(super) fn kernel(&self) -> Kernel {
        match self.path {
            SkinPath::Packed => Kernel::SkinPacked,
            SkinPath::Rows => Kernel::SkinRows,
            SkinPath::Streams => Kernel::SkinStreams,
        }
    }

    /// Says which matrix turns normals and tangents. Finished positions have none.
    pub(super) fn write_normal_matrix(&self, gpu: &Gpu, by: NormalMatrix) {
        let offset = match self.path {
            SkinPath::Packed => offset_of!(SkinInput, normal_matrix),
            SkinPath::Rows | SkinPath::Streams => offset_of!(StreamInput, normal_matrix),
        };
        let number = normal_matrix_number(by);
        gpu.queue.write_buffer(&self.input, offset as u64, bytes_of(&number));
    }

    /// Uploads what the chunk has of the finished positions of its mesh; whether these are as many as there is room
    /// for.
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

/// Workgroups in x and y that cover `invocations`, and the invocations of one row.
pub(crate) fn groups_for(invocations: u32) -> ([u32; 2], u32) {
    let groups = invocations.div_ceil(WORKGROUP).max(1);
    let x = groups.min(MAX_GROUPS);
    ([x, groups.div_ceil(x)], x * WORKGROUP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches_cover_all_vertices_within_the_limit_of_a_direction() {
        for invocations in [0, 1, 64, 65, 65_536, 4_194_240, 4_194_241, 100_000_000] {
            let ([x, y], row) = groups_for(invocations);
            assert!(x <= MAX_GROUPS && y <= MAX_GROUPS && x >= 1 && y >= 1);
            assert_eq!(row, x * WORKGROUP);
            assert!(u64::from(row) * u64::from(y) >= u64::from(invocations));
        }
    }
}
