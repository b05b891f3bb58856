//! Morph targets and UVs.

use glam::Vec3;
use half::f16;

use super::playback_difference::PlaybackDifference;
use super::{MorphOffsets, Rules, SparseTargets};
use crate::model::{Mesh, Model, MorphShape, Place, VertexData, counted};

/// Changes the attributes of all meshes.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        if !rules.reads_node_weights {
            use_mesh_weights(mesh, number, differences);
        }
        if rules.sparse_targets == SparseTargets::Ignored {
            ignore_sparse_targets(mesh, number, differences);
        }
        limit_morph_targets(mesh, number, rules, differences);
        if rules.morph_offsets == MorphOffsets::HalfFloats {
            round_morph_offsets(mesh, number, differences);
            mesh.rounds_morphs = !mesh.morph_targets.is_empty();
        }
        limit_uv_sets(mesh, number, rules, differences);
    }
}

fn use_mesh_weights(mesh: &mut Mesh, number: u32, differences: &mut Vec<PlaybackDifference>) {
    let stored = mesh.stored.as_ref();
    let Some(weights) = stored.and_then(|own| own.overridden_morph_weights.as_ref()) else {
        return;
    };
    let mut num_changed = 0;
    for (at, target) in mesh.morph_targets.iter_mut().enumerate() {
        let weight = weights.get(at).copied().unwrap_or_default();
        num_changed += u64::from(weight != target.default_weight);
        target.default_weight = weight;
    }
    if num_changed > 0 {
        differences.push(PlaybackDifference {
            kind: "node-weights-ignored",
            text: "morph weights of the node are ignored, and those of its mesh apply".to_owned(),
            place: Place::Mesh(number),
            count: num_changed,
        });
    }
}

fn ignore_sparse_targets(mesh: &mut Mesh, number: u32, differences: &mut Vec<PlaybackDifference>) {
    if !mesh.stored.as_ref().is_some_and(|stored| stored.has_sparse_targets) {
        return;
    }
    mesh.morph_targets.iter_mut().flat_map(|target| &mut target.shapes).for_each(clear);
    differences.push(PlaybackDifference {
        kind: "sparse-morphs-ignored",
        text: "morph targets are ignored, because they are sparse accessors without base values"
            .to_owned(),
        place: Place::Mesh(number),
        count: mesh.morph_targets.len() as u64,
    });
}

/// Removes morph targets beyond the limit.
fn limit_morph_targets(
    mesh: &mut Mesh,
    number: u32,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    let Some(max) = rules.max_morph_targets else { return };
    let num = mesh.morph_targets.len();
    if num <= max {
        return;
    }
    // The targets stay, so that weights of clips keep their indices, but move nothing.
    for target in mesh.morph_targets.iter_mut().skip(max) {
        target.shapes.iter_mut().for_each(clear);
    }
    let count = (num - max) as u64;
    let which = counted(count, "morph target");
    differences.push(PlaybackDifference {
        kind: "morph-targets-beyond-limit",
        text: format!("{which} after the first {max} are ignored"),
        place: Place::Mesh(number),
        count,
    });
}

fn clear(shape: &mut MorphShape) {
    shape.vertices.clear();
    shape.position_offsets.clear();
    shape.normal_offsets.clear();
}

fn round_morph_offsets(mesh: &mut Mesh, number: u32, differences: &mut Vec<PlaybackDifference>) {
    let mut num_rounded = 0;
    let mut round = |offset: &mut Vec3| {
        let rounded = Vec3::from(offset.to_array().map(|value| f16::from_f32(value).to_f32()));
        num_rounded += u64::from(rounded != *offset);
        *offset = rounded;
    };
    for shape in mesh.morph_targets.iter_mut().flat_map(|target| &mut target.shapes) {
        shape.position_offsets.iter_mut().for_each(&mut round);
        shape.normal_offsets.iter_mut().for_each(&mut round);
    }
    if num_rounded > 0 {
        differences.push(PlaybackDifference {
            kind: "morph-offsets-rounded",
            text: "offsets of morph targets are rounded to half floats".to_owned(),
            place: Place::Mesh(number),
            count: num_rounded,
        });
    }
}

fn limit_uv_sets(
    mesh: &mut Mesh,
    number: u32,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    let (Some(max), VertexData::Streams(streams)) = (rules.max_uv_sets, &mesh.vertices) else {
        return;
    };
    let num = streams.uv_sets.len();
    if num > max {
        // They stay, because materials refer to them by number.
        differences.push(PlaybackDifference {
            kind: "uv-sets-beyond-limit",
            text: format!("UV sets after the first {max} are ignored"),
            place: Place::Mesh(number),
            count: (num - max) as u64,
        });
    }
}
