//! Leaves out the triangles of large meshes that touch no sample of the picture, before it is drawn.
//!
//! For software adapters: they take every triangle through all its stages on one core, where this asks for
//! all of them at once on all cores. The picture is the same to the bit: what is left keeps its order, and what
//! is left out had no pixel. Not for passes that look from elsewhere (shadows), nor for those that pull
//! indices themselves.

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice};

use super::bind::bind_group;
use super::buffers::{count, empty, filled};
use super::deform::groups_for;
use super::draws::SceneMesh;
use super::group::Group;
use super::kernels::Kernels;
use super::outline::Tools;
use super::seen::{CullInput, DRAW_BYTES, Seen};
use super::{Gpu, Msaa, Scene, SceneError, Target};

/// Fewer triangles are drawn as fast as they are looked at: measured with llvmpipe.
const FEWEST_TRIANGLES: u32 = 50_000;
/// Larger ones are seen anyway.
const MOST_PIXELS_A_TRIANGLE: u64 = 8;
/// Triangles of a word of the shader.
const WORD: u32 = 32;

/// Triangles of a subset.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Range {
    first_triangle: u32,
    num_triangles: u32,
    draw: u32,
}

/// Finds what is seen of the meshes of `scene` where that pays. Its vertices have been moved, and its frame
/// is that of the picture.
pub(super) fn record(
    tools: Tools<'_>,
    scene: &mut Scene,
    target: &Target,
    encoder: &mut wgpu::CommandEncoder,
) {
    let Tools { gpu, kernels, .. } = tools;
    let num_samples = match target.msaa() {
        Msaa::Off => 1,
        Msaa::X4 => 4,
    };
    let [width, height] = target.size_px().map(u64::from);
    for mesh in &mut scene.meshes {
        let num_triangles = mesh.num_indices / 3;
        let pays = gpu.caps.is_software
            && gpu.device.features().contains(wgpu::Features::INDIRECT_FIRST_INSTANCE)
            && num_triangles >= FEWEST_TRIANGLES
            && u64::from(num_triangles) * MOST_PIXELS_A_TRIANGLE >= width * height;
        if pays && mesh.seen.is_none() && !mesh.is_never_culled {
            // What has no room, or no whole triangles, is drawn as it is.
            let group = &scene.groups[mesh.group];
            mesh.seen = made(gpu, kernels, mesh, group);
            mesh.is_never_culled = mesh.seen.is_none();
        }
        let Some(seen) = &mut mesh.seen else { continue };
        seen.is_of_picture = pays;
        if pays {
            record_mesh(tools, seen, &scene.frame_bind, num_samples, encoder);
        }
    }
}

/// More than the rasterizer moves corners to its grid, which has at least 4 bits below the pixel; llvmpipe's
/// has 8.
fn margin_px(gpu: &Gpu) -> f32 {
    if gpu.info.name.contains("llvmpipe") { 1.0 / 128.0 } else { 1.0 / 16.0 }
}

/// Room for all of `mesh`; none where the device has none, or subsets cut triangles.
fn made(gpu: &Gpu, kernels: &Kernels, mesh: &SceneMesh, group: &Group) -> Option<Seen> {
    let num_triangles = mesh.num_indices / 3;
    let first_draw = mesh.first_draw + 1;
    let ranges = (first_draw..).zip(&mesh.subsets).map(|(draw, subset)| {
        let end = subset.first_index.checked_add(subset.index_count)?;
        let is_whole = subset.first_index % 3 == 0 && end % 3 == 0 && end / 3 <= num_triangles;
        is_whole.then_some(Range {
            first_triangle: subset.first_index / 3,
            num_triangles: subset.index_count / 3,
            draw,
        })
    });
    let ranges: Vec<Range> = ranges.collect::<Option<_>>()?;
    let known = CullInput {
        num_vertices: mesh.num_vertices,
        num_triangles,
        num_words: num_triangles.div_ceil(WORD),
        num_ranges: count(ranges.len()),
        first_vertex: mesh.first_vertex,
        first_index: mesh.first_index,
        index_bytes: mesh.index_bytes(),
        row_length: 0,
        num_samples: 0,
        margin_px: margin_px(gpu),
    };
    let storage = wgpu::BufferUsages::STORAGE;
    let buffers = || {
        let room =
            |label, num: u32, each: u64, usage| empty(gpu, label, u64::from(num) * each, usage);
        Ok::<_, SceneError>((
            empty(gpu, "cull input", size_of::<CullInput>() as u64, wgpu::BufferUsages::UNIFORM)?,
            filled(gpu, "ranges", cast_slice(&ranges), storage)?,
            room("vertices on screen", known.num_vertices, 8, storage)?,
            room("seen triangles", known.num_words + 1, 8, storage)?,
            room("seen indices", num_triangles, 12, storage | wgpu::BufferUsages::INDEX)?,
            room(
                "draws of what is seen",
                known.num_ranges,
                DRAW_BYTES,
                storage | wgpu::BufferUsages::INDIRECT,
            )?,
        ))
    };
    let (input, ranges, on_screen, words, indices, draws) = buffers().ok()?;
    let all =
        [&input, &group.skinned, &group.indices, &ranges, &on_screen, &words, &indices, &draws];
    let bind = bind_group(&gpu.device, "cull", &kernels.layouts.cull, &all);
    Some(Seen { indices, draws, is_of_picture: false, input, bind, known })
}

fn record_mesh(
    tools: Tools<'_>,
    seen: &mut Seen,
    frame: &wgpu::BindGroup,
    num_samples: u32,
    encoder: &mut wgpu::CommandEncoder,
) {
    let Tools { gpu, kernels, timer, .. } = tools;
    let CullInput { num_vertices, num_words, .. } = seen.known;
    let (of_vertices, row_length) = groups_for(num_vertices.max(num_words));
    let input = CullInput { row_length, num_samples, ..seen.known };
    if input != seen.known {
        gpu.queue.write_buffer(&seen.input, 0, bytes_of(&input));
        seen.known = input;
    }
    let of_words = [of_vertices[0], num_words.div_ceil(row_length)];
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: Some("culling"),
        timestamp_writes: timer.and_then(|timer| timer.compute("culling")),
    });
    pass.set_bind_group(0, frame, &[]);
    pass.set_bind_group(1, &seen.bind, &[]);
    let groups = [of_vertices, of_words, [1, 1], of_words];
    for (pipeline, [x, y]) in kernels.cull(gpu).iter().zip(groups) {
        pass.set_pipeline(pipeline);
        pass.dispatch_workgroups(x, y, 1);
    }
}
impl Scene {
    /// Number of meshes of which the last picture drew only the triangles that touch its samples.
    pub fn num_culled_meshes(&self) -> usize {
        let seen = self.meshes.iter().filter_map(|mesh| mesh.seen.as_ref());
        seen.filter(|seen| seen.is_of_picture).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::same_layout::same_layout;
    use crate::gpu::shaders::CULL;

    #[test]
    fn its_structs_lie_in_memory_as_its_shader_reads_them() {
        same_layout!(
            CULL,
            CullInput {
                num_vertices,
                num_triangles,
                num_words,
                num_ranges,
                first_vertex,
                first_index,
                index_bytes,
                row_length,
                num_samples,
                margin_px,
            }
        );
        same_layout!(CULL, Range { first_triangle, num_triangles, draw });
    }
}
