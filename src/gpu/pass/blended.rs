//! Triangles whose material lets through what is behind: drawn after all that hides, in the order that
//! their file says, else from back to front, under plain light.

use std::collections::HashMap;

use glam::{Affine3A, Vec3};

use super::textured::{self, Painted, draw_ranges, ranges};
use super::{Depth, Drawn, Geometry, Pass, PipelineOf};
use crate::gpu::draws::DrawRange;
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::textures::{Paint, is_lit};

pub(in crate::gpu) const PASS: Pass = Pass {
    name: "blended",
    geometry: Geometry::Materials(draw),
    depth: Depth::Tested,
    is_blended: true,
    asks: |scene, input| {
        !is_lit(&input.show) && ranges(scene, input).any(|(_, _, paint)| is_blended(paint))
    },
    ..textured::PASS
};

pub(super) fn is_blended(paint: Paint) -> bool {
    matches!(paint, Paint::Blended(_))
}

pub(super) fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> Drawn {
    let blended = ranges(scene, input).filter(|(_, _, paint)| is_blended(*paint));
    let mut blended: Vec<_> = blended.collect();
    if blended.len() > 1 {
        let depths = depths(scene, input, &blended);
        let depth = |range: &DrawRange| depths.get(&range.draw).copied().unwrap_or_default();
        // What the file does not list comes last.
        let order =
            |range: &DrawRange| scene.materials.draw_order(range.material).unwrap_or(u32::MAX);
        // Looking along -z: the farthest has the least.
        blended.sort_by(|(_, a, _), (_, b, _)| {
            order(a).cmp(&order(b)).then(depth(a).total_cmp(&depth(b)))
        });
    }
    let drawn = draw_ranges(pass, scene, blended.into_iter(), pipeline);
    // Triangles are counted with what is solid of them.
    Drawn { triangles: 0, ..drawn }
}

/// How far towards the viewer the middle of each subset is, by draw.
///
/// Of skinned meshes it is the middle of the vertices as stored: right where they are modelled in
/// place, and good enough for which of two panes is in front.
fn depths(scene: &Scene, input: &FrameInput<'_>, blended: &[Painted<'_>]) -> HashMap<u32, f32> {
    let centers = blended.iter().filter_map(|(_, range, _)| {
        let center = scene.materials.center(range.subset)?;
        Some((range.draw, center))
    });
    let centers: Vec<_> = centers.collect();
    let bones = scene.deformer.placed_bones();
    let view_from_file =
        input.camera.view_from_world() * glam::Mat4::from(scene.axes.display_from_file());
    let depth = |position: Vec3, bone: Option<crate::model::BoneId>| {
        let bone = bone.and_then(|bone| bones.get(bone.index()));
        let position = bone.unwrap_or(&Affine3A::IDENTITY).transform_point3(position);
        view_from_file.transform_point3(position).z
    };
    let depths = centers.into_iter();
    depths.map(|(draw, center)| (draw, depth(center.position, center.bone))).collect()
}
