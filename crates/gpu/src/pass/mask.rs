//! The outlined part as coverage: triangles, dots and lines of a subset, a bone, a hull.
//!
//! These aren't passes of the image: [`crate::outline`] draws them into a separate one. Each draws
//! [`FrameInput::selected`] of an input with a single selected part.

use std::ops::Range;

use super::{
    Depth, DrawCounts, Geometry, Pass, bones, lines, mark_faces, mark_lines, mark_lines_on_top,
    never, points,
};
use crate::buffers::count;
use crate::draws::{DrawRange, SceneMesh};
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::scene::Scene;
use crate::vertex_inputs::VertexInputs;
use rigscope_core::model::LooseKind;
use rigscope_core::visual::{HullMarks, OutlineTarget};

/// The passes for all kinds of outlined parts.
pub(crate) const MASK_PASSES: [Pass; 7] = [
    Pass {
        name: "mask",
        shader: rigscope_shaders::MASK,
        geometry: Geometry::Triangles(VertexInputs::Positions, draw_triangles),
        depth: Depth::Tested,
        is_blended: true,
        condition: is_of_mesh,
        is_on_top: never,
    },
    Pass { geometry: Geometry::Meshes(draw_points), condition: is_of_mesh, ..points::PASS },
    Pass { geometry: Geometry::Meshes(draw_lines), condition: is_of_mesh, ..lines::PASS },
    Pass {
        geometry: some_of(bones::PASS.geometry, bone),
        condition: |_, input| matches!(input.selected, Some(OutlineTarget::Bone(_))),
        ..bones::PASS
    },
    Pass {
        geometry: some_of(mark_faces::PASS.geometry, |input| of_hull(input, |hull| &hull.faces)),
        condition: is_hull,
        ..mark_faces::PASS
    },
    Pass {
        geometry: some_of(mark_lines::PASS.geometry, |input| of_hull(input, |hull| &hull.lines)),
        condition: is_hull,
        ..mark_lines::PASS
    },
    Pass {
        geometry: some_of(mark_lines_on_top::PASS.geometry, |input| {
            of_hull(input, |hull| &hull.lines_on_top)
        }),
        condition: is_hull,
        ..mark_lines_on_top::PASS
    },
];

/// A subset of the records that another pass draws.
const fn some_of(all: Geometry, which: fn(&FrameInput<'_>) -> Range<u32>) -> Geometry {
    match all {
        Geometry::Records { vertices, make, .. } => {
            Geometry::Records { vertices, make, which: Some(which) }
        }
        other => other,
    }
}

fn is_of_mesh(_: &Scene, input: &FrameInput<'_>) -> bool {
    matches!(input.selected, Some(OutlineTarget::Part(_) | OutlineTarget::Triangle { .. }))
}

fn is_hull(_: &Scene, input: &FrameInput<'_>) -> bool {
    matches!(input.selected, Some(OutlineTarget::Hull(_)))
}

/// The records of the selected bone, which are consecutive.
fn bone(input: &FrameInput<'_>) -> Range<u32> {
    let Some(OutlineTarget::Bone(bone)) = input.selected else { return 0..0 };
    let is_it = |shape: &rigscope_core::pose::BoneShape| shape.bone == bone;
    let Some(first) = input.bones.iter().position(is_it) else { return 0..0 };
    let num = input.bones.iter().skip(first).take_while(|shape| is_it(shape)).count();
    count(first)..count(first + num)
}

fn of_hull(input: &FrameInput<'_>, which: fn(&HullMarks) -> &Range<usize>) -> Range<u32> {
    let is_it = |hull: &&HullMarks| input.selected == Some(OutlineTarget::Hull(hull.number));
    let range = input.marks.hulls.iter().find(is_it).map(which);
    range.map_or(0..0, |range| count(range.start)..count(range.end))
}

/// The triangles of one part of `mesh` that are outlined.
fn triangles(input: &FrameInput<'_>, mesh: &SceneMesh, range: DrawRange) -> Option<Range<u32>> {
    let all = range.indices();
    match input.selected? {
        OutlineTarget::Part(part) => (part == range.subset).then_some(all),
        OutlineTarget::Triangle { mesh: of, triangle } => {
            let own = triangle.checked_sub(mesh.first_triangle())?;
            let first = own.checked_mul(3).filter(|at| of == mesh.id && all.contains(at))?;
            Some(first..(first + 3).min(all.end))
        }
        _ => None,
    }
}

fn draw_triangles(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    for mesh in &scene.meshes {
        for range in mesh.ranges(input) {
            let Some(indices) = triangles(input, mesh, range) else { continue };
            if indices == range.indices() {
                pass.draw(mesh, &range)
            } else {
                pass.draw_stored(mesh, indices, range.draw)
            }
        }
    }
    pass.drawn
}

fn draw_points(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
) -> DrawCounts {
    draw_loose(pass, scene, input, LooseKind::Points, |num| num.saturating_mul(points::QUAD))
}

fn draw_lines(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
) -> DrawCounts {
    draw_loose(pass, scene, input, LooseKind::Lines, |num| (num / 2).saturating_mul(lines::QUAD))
}

fn draw_loose(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    kind: LooseKind,
    num_vertices: fn(u32) -> u32,
) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    for mesh in &scene.meshes {
        for range in mesh.loose_ranges(input, kind) {
            if input.selected == Some(OutlineTarget::Part(range.subset)) {
                pass.draw_pulled(mesh, num_vertices(range.num_indices), range.draw);
            }
        }
    }
    pass.drawn
}
