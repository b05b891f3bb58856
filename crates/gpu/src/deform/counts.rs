//! Counts the influences per vertex on the GPU, from the skinning data.

use bytemuck::bytes_of;

use super::UNIFORM;
use super::mesh::{ChunkDeform, groups_for};
use crate::bind::bind_group;
use crate::buffers::filled;
use crate::kernels::{Kernel, Kernels};
use crate::{Gpu, SceneError};

/// Records counting the influences of all `chunks` into `counts`: one number per vertex, one buffer per
/// group.
pub(super) fn record(
    gpu: &Gpu,
    kernels: &Kernels,
    chunks: &[ChunkDeform],
    counts: &[wgpu::Buffer],
    encoder: &mut wgpu::CommandEncoder,
) -> Result<(), SceneError> {
    let layout = &kernels.layouts.influence_counts;
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: Some("influence counts"),
        timestamp_writes: None,
    });
    pass.set_pipeline(&kernels.get(gpu, Kernel::InfluenceCounts));
    for chunk in chunks {
        let Some(counts) = counts.get(chunk.group) else { continue };
        let input = filled(gpu, "count input", bytes_of(&chunk.counted), UNIFORM)?;
        let buffers = [&input, &chunk.influences, counts];
        let bind = bind_group(&gpu.device, "influence counts", layout, &buffers);
        let ([x, y], _) = groups_for(chunk.counted.num_vertices);
        pass.set_bind_group(0, &bind, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }
    Ok(())
}
