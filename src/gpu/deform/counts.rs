//! How many bones move each vertex: counted on the GPU from what skins them.

use bytemuck::bytes_of;

use super::UNIFORM;
use super::mesh::{MeshDeform, groups_for};
use crate::gpu::bind::bind_group;
use crate::gpu::buffers::filled;
use crate::gpu::kernels::Kernels;
use crate::gpu::{Gpu, SceneError};

/// Records counting the influences of all `meshes` into `counts`, one number a vertex.
pub(super) fn record(
    gpu: &Gpu,
    kernels: &Kernels,
    meshes: &[MeshDeform],
    counts: &wgpu::Buffer,
    encoder: &mut wgpu::CommandEncoder,
) -> Result<(), SceneError> {
    let layout = &kernels.layouts.influence_counts;
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: Some("influence counts"),
        timestamp_writes: None,
    });
    pass.set_pipeline(kernels.influence_counts(gpu));
    for mesh in meshes {
        let input = filled(gpu, "count input", bytes_of(&mesh.counted), UNIFORM)?;
        let buffers = [&input, &mesh.influences, counts];
        let bind = bind_group(&gpu.device, "influence counts", layout, &buffers);
        let ([x, y], _) = groups_for(mesh.counted.num_vertices);
        pass.set_bind_group(0, &bind, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }
    Ok(())
}
