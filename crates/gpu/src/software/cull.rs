//! Removes the triangles of large meshes that cover no sample of the image, before it is drawn.
//!
//! For software adapters, which process triangles on one core; this test runs on all cores. The image stays
//! identical: visible triangles keep their order, and removed ones have no pixels. Not for passes from
//! another viewpoint (shadows), nor for those that pull indices themselves.

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice};

use super::culled_mesh::{CullInput, CulledMesh, DRAW_BYTES};
use crate::bind::bind_group;
use crate::buffers::{count, empty, filled};
use crate::deform::groups_for;
use crate::draws::SceneMesh;
use crate::group::Group;
use crate::kernels::{CullKind, Kernels};
use crate::render_context::RenderContext;
use crate::{Gpu, Msaa, Scene, SceneError, Target};

/// With fewer triangles, testing takes as long as drawing; measured with llvmpipe.
const FEWEST_TRIANGLES: u32 = 50_000;
/// Larger triangles are visible anyway.
const MOST_PIXELS_A_TRIANGLE: u64 = 8;
/// Triangles per word in the shader.
const WORD: u32 = 32;

/// The triangles of a subset.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct TriangleRange {
    first_triangle: u32,
    num_triangles: u32,
    draw: u32,
}

/// Records culling for the meshes of `scene` for which it is worthwhile. The vertices must be skinned, and
/// the frame uniform must be up to date.
pub(crate) fn record(
    context: RenderContext<'_>,
    scene: &mut Scene,
    target: &Target,
    encoder: &mut wgpu::CommandEncoder,
) {
    let RenderContext { gpu, kernels, .. } = context;
    let has_four_samples = target.msaa() == Msaa::X4;
    let [width, height] = target.size_px().map(u64::from);
    for mesh in &mut scene.meshes {
        let num_triangles = mesh.num_indices / 3;
        let pays = gpu.caps.is_software
            && gpu.device.features().contains(wgpu::Features::INDIRECT_FIRST_INSTANCE)
            && num_triangles >= FEWEST_TRIANGLES
            && u64::from(num_triangles) * MOST_PIXELS_A_TRIANGLE >= width * height;
        if pays && mesh.culled.is_none() && !mesh.is_never_culled {
            // Drawn without culling if buffers can't be created or subsets split triangles.
            let group = &scene.groups[mesh.group];
            mesh.culled = culled_mesh(gpu, kernels, mesh, group);
            mesh.is_never_culled = mesh.culled.is_none();
        }
        let Some(culled) = &mut mesh.culled else { continue };
        culled.is_current = pays;
        if pays {
            let has_short_indices = mesh.index_format == wgpu::IndexFormat::Uint16;
            let kind = CullKind { has_short_indices, has_four_samples };
            record_mesh(context, culled, &scene.frame_bind, kind, encoder);
        }
    }
}

/// More than the distance by which rasterizers snap corners to their grid, which has at least 4 fractional
/// bits; llvmpipe's has 8.
fn margin_px(gpu: &Gpu) -> f32 {
    if gpu.info.name.contains("llvmpipe") { 1.0 / 128.0 } else { 1.0 / 16.0 }
}

/// Creates the buffers for culling `mesh`; `None` if the device has no room or if subsets split triangles.
fn culled_mesh(
    gpu: &Gpu,
    kernels: &Kernels,
    mesh: &SceneMesh,
    group: &Group,
) -> Option<CulledMesh> {
    let num_triangles = mesh.num_indices / 3;
    let first_draw = mesh.first_draw + 1;
    let ranges = (first_draw..).zip(&mesh.subsets).map(|(draw, subset)| {
        let end = subset.first_index.checked_add(subset.index_count)?;
        let is_whole = subset.first_index % 3 == 0 && end % 3 == 0 && end / 3 <= num_triangles;
        is_whole.then_some(TriangleRange {
            first_triangle: subset.first_index / 3,
            num_triangles: subset.index_count / 3,
            draw,
        })
    });
    let ranges: Vec<TriangleRange> = ranges.collect::<Option<_>>()?;
    let num_words = num_triangles.div_ceil(WORD);
    let (of_vertices, row_length) = groups_for(mesh.num_vertices.max(num_words));
    let input = CullInput {
        num_vertices: mesh.num_vertices,
        num_triangles,
        num_words,
        num_ranges: count(ranges.len()),
        first_vertex: mesh.first_vertex,
        first_index: mesh.first_index,
        row_length,
        margin_px: margin_px(gpu),
    };
    let storage = wgpu::BufferUsages::STORAGE;
    let buffers = || {
        let room =
            |label, num: u32, each: u64, usage| empty(gpu, label, u64::from(num) * each, usage);
        Ok::<_, SceneError>((
            filled(gpu, "cull input", bytes_of(&input), wgpu::BufferUsages::UNIFORM)?,
            filled(gpu, "ranges", cast_slice(&ranges), storage)?,
            room("vertices on screen", input.num_vertices, 8, storage)?,
            room("visible triangles", num_words + 1, 8, storage)?,
            room("visible indices", num_triangles, 12, storage | wgpu::BufferUsages::INDEX)?,
            room(
                "visible draws",
                input.num_ranges,
                DRAW_BYTES,
                storage | wgpu::BufferUsages::INDIRECT,
            )?,
        ))
    };
    let (input, ranges, on_screen, words, indices, draws) = buffers().ok()?;
    let all =
        [&input, &group.skinned, &group.indices, &ranges, &on_screen, &words, &indices, &draws];
    let bind = bind_group(&gpu.device, "cull", &kernels.layouts.cull, &all);
    let groups = [of_vertices, [of_vertices[0], num_words.div_ceil(row_length)]];
    Some(CulledMesh { indices, draws, is_current: false, bind, groups })
}

fn record_mesh(
    context: RenderContext<'_>,
    culled: &CulledMesh,
    frame: &wgpu::BindGroup,
    kind: CullKind,
    encoder: &mut wgpu::CommandEncoder,
) {
    let RenderContext { gpu, kernels, timer, .. } = context;
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: Some("culling"),
        timestamp_writes: timer.and_then(|timer| timer.compute("culling")),
    });
    pass.set_bind_group(0, frame, &[]);
    pass.set_bind_group(1, &culled.bind, &[]);
    let [of_vertices, of_words] = culled.groups;
    let groups = [of_vertices, of_words, [1, 1], of_words];
    for (pipeline, [x, y]) in kernels.cull(gpu, kind).iter().zip(groups) {
        pass.set_pipeline(pipeline);
        pass.dispatch_workgroups(x, y, 1);
    }
}

impl Scene {
    /// Number of meshes that were culled for the last image.
    pub fn num_culled_meshes(&self) -> usize {
        let culled = self.meshes.iter().filter_map(|mesh| mesh.culled.as_ref());
        culled.filter(|culled| culled.is_current).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::same_layout::same_layout;
    use crate::shaders::CULL;

    #[test]
    fn structs_have_the_layout_of_the_shader() {
        same_layout!(
            CULL,
            CullInput {
                num_vertices,
                num_triangles,
                num_words,
                num_ranges,
                first_vertex,
                first_index,
                row_length,
                margin_px,
            }
        );
        same_layout!(CULL, TriangleRange { first_triangle, num_triangles, draw });
    }
}
