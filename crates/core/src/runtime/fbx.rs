//! Skins and morph targets of FBX files.

use super::Rules;
use super::playback_difference::PlaybackDifference;
use crate::model::{Blending, IdVec, Mesh, MeshId, Model, Place, Skin};

/// Changes meshes.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if model.stored.fbx.is_none() {
        return;
    }
    if !rules.reads_fbx_weights {
        drop_weights(&mut model.meshes, differences);
    }
    if !rules.blends_dual_quaternions {
        blend_linearly(&mut model.meshes, differences);
    }
}

/// Sets the weights of morph targets to 0 that they have without clips.
fn drop_weights(meshes: &mut IdVec<MeshId, Mesh>, differences: &mut Vec<PlaybackDifference>) {
    let (mut first, mut count) = (None, 0);
    for (number, mesh) in (0u32..).zip(meshes) {
        for target in mesh.morph_targets.iter_mut().filter(|own| own.default_weight != 0.0) {
            target.default_weight = 0.0;
            first.get_or_insert(number);
            count += 1;
        }
    }
    if let Some(first) = first {
        differences.push(PlaybackDifference {
            kind: "morph-weights-ignored",
            text: "weights of morph targets are ignored unless a clip animates them".to_owned(),
            place: Place::Mesh(first),
            count,
        });
    }
}

fn blend_linearly(meshes: &mut IdVec<MeshId, Mesh>, differences: &mut Vec<PlaybackDifference>) {
    for (number, mesh) in (0u32..).zip(meshes) {
        let Skin::InverseBind(skin) = &mut mesh.skin else { continue };
        if skin.blending == Blending::Linear {
            continue;
        }
        skin.blending = Blending::Linear;
        differences.push(PlaybackDifference {
            kind: "dual-quaternions-ignored",
            text: "matrices are blended instead of dual quaternions".to_owned(),
            place: Place::Mesh(number),
            count: 1,
        });
    }
}
