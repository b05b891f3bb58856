//! The sequence of steps for packing.

use super::assemble::{Assembly, NORMAL_MATRIX};
use super::bone_order::BoneOrder;
use super::bones::Pairs;
use super::merge::Merged;
use super::options::{PackOptions, UvTiles};
use super::outcome::{Changed, Dropped, Packing};
use super::{clips, displacement, normals, soup, split, tangents, tiles};
use crate::model::{Blending, Mesh, Model, Motion, Report, Skin};
use crate::pack::axes::Conversion;
use crate::pose::{PoseSpec, sample};
use crate::reshape::ReshapeError;
use crate::reshape::for_normal_matrix;
use crate::reshape::mirrored_meshes;

/// Packs all meshes of `model`, which has passed the check, into one mesh in display space, or into
/// several if they exceed the limits of one.
///
/// # Errors
/// If the model must be split although that isn't allowed, has too many keys, or packing was
/// cancelled.
pub fn pack(
    model: &Model,
    options: &PackOptions,
    report: &Report,
) -> Result<Packing, ReshapeError> {
    report.progress("packing", 0.0)?;
    let model = &*for_normal_matrix(model, NORMAL_MATRIX);
    let conversion = Conversion::of(&model.axes, options.scale);
    let default_pose = sample(model, &PoseSpec::default());
    let mut pairs = Pairs::default();
    let bound = pairs.bind(model, &default_pose);
    let mirrored = mirrored_meshes(model);
    let mut changed = Changed::default();
    let mut merged = Merged::default();
    let mut poses = Ok(Vec::new());
    // Poses don't depend on vertices.
    let are_merged = rayon::in_place_scope(|scope| {
        scope.spawn(|_| poses = clips::all(model, options, report));
        for (number, bound) in bound.iter().enumerate() {
            // Only clips report progress.
            report.quiet().progress("packing", 0.0)?;
            let groups = &mut merged.groups;
            let mut soup = soup::soup(model, number, bound, &default_pose, &conversion, groups);
            changed.num_unweighted += soup.num_unweighted;
            changed.num_meshes_with_new_normals += usize::from(normals::add(&mut soup));
            // Normals are generated for the mesh as attached.
            if mirrored.get(number).is_some_and(|mirrored| *mirrored) {
                soup.turn();
                changed.num_reversed_meshes += 1;
            }
            changed.num_meshes_with_new_tangents += usize::from(tangents::add(&mut soup));
            if options.uv_tiles == UvTiles::Move {
                let tiled = tiles::tile(&mut soup);
                changed.num_moved_uvs += tiled.num_moved;
                changed.num_cut_triangles += tiled.num_cut;
            }
            merged.add(&soup, options.v_up);
        }
        merged.sort();
        changed.num_welded = merged.origins.len() - merged.vertices.len();
        Ok::<(), ReshapeError>(())
    });
    let mut poses = poses?;
    are_merged?;
    if options.as_tool {
        clips::name_still(&mut poses, pairs.list());
    }
    report.progress("packing", 0.7)?;
    let bone_order = BoneOrder::new(&model.skeleton, pairs.list(), options);
    let pieces = split::pieces(&merged, &bone_order, options)?;
    let assembly = Assembly {
        model,
        merged: &merged,
        pairs: &pairs,
        bone_order,
        poses: &poses,
        conversion,
        hierarchy: options.hierarchy,
    };
    let mut parts = Vec::with_capacity(pieces.len());
    for (number, piece) in pieces.iter().enumerate() {
        let share = number as f32 / pieces.len() as f32;
        report.progress("packing", 0.7 + 0.3 * share)?;
        parts.push(assembly.packed(piece));
        let kept = assembly.bone_order.kept(&piece.pairs);
        changed.num_doubled_bones += kept.iter().filter(|bone| bone.is_double).count();
    }
    if parts.is_empty() {
        parts.push(assembly.packed(&split::Piece::default()));
    }
    let dropped = Dropped {
        num_cut_vertices: merged.cut.len(),
        worst_share: merged.worst_share,
        displacement: displacement::largest(&merged.cut, &pairs, &poses, &conversion),
        num_clamped_uvs: merged.num_clamped,
        ..dropped(model)
    };
    report.progress("packing", 1.0)?;
    Ok(Packing { parts, dropped, changed, scale: options.scale, poses })
}

/// Losses that can be counted without packing.
fn dropped(model: &Model) -> Dropped {
    let blends = |mesh: &&Mesh| match &mesh.skin {
        Skin::InverseBind(skin) => skin.blending != Blending::Linear,
        _ => false,
    };
    let is_bone_local = |mesh: &&Mesh| matches!(mesh.skin, Skin::BoneLocal(_));
    let caches = model.clips.iter();
    let caches = caches.filter(|clip| matches!(clip.motion, Motion::VertexAnimation(_)));
    Dropped {
        num_morph_targets: model.meshes.iter().map(|m| m.morph_targets.len()).sum(),
        num_dual_quaternion_meshes: model.meshes.iter().filter(blends).count(),
        num_bone_local_meshes: model.meshes.iter().filter(is_bone_local).count(),
        num_vertex_caches: caches.count(),
        ..Dropped::default()
    }
}
