//! How much of some aspects of a model is stored.

use std::collections::BTreeMap;

use super::layout::Layout;
use super::material::stored_textures;
use super::texture::TAKES;
use crate::formats::related_images::{supported_images, used_materials};
use rigscope_core::model::{
    BoneId, ClipId, LocalTransform, MeshId, Model, Motion, TextureRef, TextureRole,
};
use rigscope_core::pose::unit_or_zero;
use rigscope_core::reshape;

/// The largest number of textures stored per material; metallic and roughness count as one.
pub(in super::super) fn num_textures(model: &Model) -> u64 {
    let is_kept = |texture: &&&TextureRef| {
        let image = texture.image.map(|id| model.image(id));
        image.map_or(!texture.path.trim().is_empty(), |image| TAKES.takes(image))
    };
    let num = |(_, material)| {
        let kept = stored_textures(material);
        let is_pair = kept.iter().any(|own| own.role == TextureRole::Metallic);
        let is_counted = |own: &&&TextureRef| !(is_pair && own.role == TextureRole::Roughness);
        kept.iter().filter(is_kept).filter(is_counted).count() as u64
    };
    used_materials(model).map(num).max().unwrap_or_default()
}

/// Number of images stored, of the materials that triangles use.
pub(in super::super) fn num_images(model: &Model) -> u64 {
    let textures = used_materials(model).flat_map(|(_, material)| stored_textures(material));
    supported_images(model, textures, TAKES).len() as u64
}

/// The vertex animations that are stored: the first of each mesh that follows no joints or moving nodes.
pub(super) fn animated_points(model: &Model, layout: &Layout) -> BTreeMap<MeshId, ClipId> {
    let mut out = BTreeMap::new();
    for (clip_id, clip) in model.clips.iter_enumerated() {
        let Motion::VertexAnimation(cache) = &clip.motion else { continue };
        let Some(mesh) = model.meshes.get(cache.mesh) else { continue };
        let is_still = mesh.attached_to.is_none_or(|bone| is_still(model, bone));
        if layout.is_skinned.get(cache.mesh) == Some(&false)
            && is_still
            && cache.times_secs.len() > 1
            && mesh.num_vertices() > 0
        {
            out.entry(cache.mesh).or_insert(clip_id);
        }
    }
    out
}

/// Whether no clip moves a bone or its ancestors.
fn is_still(model: &Model, bone: BoneId) -> bool {
    let bones = model.skeleton.bones();
    let chain = std::iter::successors(Some(bone), |id| bones.get(*id)?.parent);
    let is_moved = |id: BoneId| {
        model.clips.iter().any(|clip| match &clip.motion {
            Motion::Tracks(tracks) => tracks.iter().any(|track| track.bone == id),
            Motion::Sampled(_) | Motion::Curves(_) => true,
            Motion::VertexAnimation(_) => false,
        })
    };
    !chain.take(bones.len()).any(is_moved)
}

/// Number of vertex animations stored.
pub(in super::super) fn num_vertex_animations(model: &Model) -> u64 {
    animated_points(model, &Layout::of(model, "")).len() as u64
}

/// Sheared rest transforms are stored, and those of clips aren't.
pub(in super::super) fn num_shears(model: &Model, num: u64) -> u64 {
    if num == 0 {
        return 0;
    }
    /// Cosines of axes up to this are rounding errors, as in the counts of losses.
    const TOLERANCE: f32 = 2e-3;
    let plain = reshape::plain(model, None);
    let mut bones = plain.skeleton.bones().iter().filter(|bone| !bone.is_helper());
    let is_sheared = bones.any(|bone| match bone.rest_local {
        LocalTransform::Trs(_) => false,
        LocalTransform::Matrix(matrix) => {
            let axes = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
            let [x, y, z] = axes.map(unit_or_zero);
            x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs()) > TOLERANCE
        }
    });
    if is_sheared { num } else { 0 }
}
