//! Triangles whose material has textures, or light or alpha of its own.

use std::collections::HashMap;

use glam::{Affine3A, Vec3};

use super::{Depth, Drawn, Group1, PassInfo};
use crate::gpu::draws::{DrawRange, SceneMesh};
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders;
use crate::gpu::textures::Paint;

/// What hides what is behind it.
pub(super) const OPAQUE: PassInfo = PassInfo {
    shader: shaders::TEXTURED,
    group1: Group1::Mesh,
    has_material: true,
    depth: Depth::Written,
    is_blended: false,
};

/// What lets through what is behind it: drawn after all that hides, from back to front.
pub(super) const BLENDED: PassInfo = PassInfo {
    depth: Depth::Tested,
    is_blended: true,
    ..OPAQUE
};

pub(super) fn is_opaque_wanted(scene: &Scene, input: &FrameInput<'_>) -> bool {
    ranges(scene, input).any(|(_, _, paint)| is_opaque(paint))
}

pub(super) fn is_blended_wanted(scene: &Scene, input: &FrameInput<'_>) -> bool {
    ranges(scene, input).any(|(_, _, paint)| matches!(paint, Paint::Blended(_)))
}

fn is_opaque(paint: Paint) -> bool {
    matches!(paint, Paint::Opaque(_) | Paint::Checker)
}

pub(super) fn draw_opaque(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
) -> Drawn {
    let mut drawn = Drawn::default();
    for (mesh, range, paint) in ranges(scene, input) {
        if is_opaque(paint) {
            draw(pass, scene, (mesh, range, paint), &mut drawn);
        }
    }
    drawn
}

pub(super) fn draw_blended(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
) -> Drawn {
    let blended = ranges(scene, input).filter(|(_, _, paint)| matches!(paint, Paint::Blended(_)));
    let mut blended: Vec<_> = blended.collect();
    if blended.len() > 1 {
        let depths = depths(scene, input, &blended);
        let depth = |range: &DrawRange| depths.get(&range.draw).copied().unwrap_or_default();
        // Looking along -z: the farthest has the least.
        blended.sort_by(|(_, a, _), (_, b, _)| depth(a).total_cmp(&depth(b)));
    }
    let mut drawn = Drawn::default();
    for each in blended {
        draw(pass, scene, each, &mut drawn);
    }
    drawn
}

type Painted<'a> = (&'a SceneMesh, DrawRange, Paint);

/// The visible subsets where the surface is shown.
fn ranges<'a>(
    scene: &'a Scene,
    input: &'a FrameInput<'_>,
) -> impl Iterator<Item = Painted<'a>> + 'a {
    let meshes = scene.meshes.iter().enumerate();
    let meshes = meshes.filter(|_| input.show.surface);
    meshes.flat_map(move |(number, mesh)| {
        mesh.ranges(number, input).map(move |range| {
            let (paint, _) = scene.materials.of(range.material, &input.show);
            (mesh, range, paint)
        })
    })
}

fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    (mesh, range, paint): Painted<'_>,
    drawn: &mut Drawn,
) {
    let Some(material) = scene.materials.bind(paint) else {
        return;
    };
    pass.set_bind_group(1, &mesh.bind, &[]);
    pass.set_bind_group(2, material, &[]);
    pass.set_index_buffer(mesh.indices.slice(..), mesh.index_format);
    let indices = range.first_index..range.first_index + range.num_indices;
    pass.draw_indexed(indices, 0, range.draw..range.draw + 1);
    drawn.draws += 1;
    drawn.triangles += u64::from(range.num_indices / 3);
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
        let position = bone
            .unwrap_or(&Affine3A::IDENTITY)
            .transform_point3(position);
        view_from_file.transform_point3(position).z
    };
    let depths = centers.into_iter();
    depths
        .map(|(draw, center)| (draw, depth(center.position, center.bone)))
        .collect()
}
