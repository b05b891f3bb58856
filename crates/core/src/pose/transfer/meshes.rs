//! Adds the meshes of one model to the skeleton of another, for example head and hands to a body.

use crate::model::{
    BoneId, BoneLocalInfluence, FindingKind, ImageId, InverseBindSkin, MaterialId, Mesh, Model,
    Place, Report, Skin, SpaceChange, counted, match_bones, singular_or_plural,
};
use crate::pose::fit_of_binds;

/// How well the meshes of `other` are bound to the bones of `model` with the same names, 0 to 1; `None` if
/// there is nothing to compare.
#[must_use]
pub fn fit_of_meshes(other: &Model, model: &Model) -> Option<f32> {
    let bones = match_bones(&other.skeleton, &model.skeleton);
    let matched = other.meshes.iter().filter_map(|mesh| {
        let Skin::InverseBind(skin) = &mesh.skin else { return None };
        let pairs = skin.bones.iter().zip(&skin.bone_from_mesh);
        let pairs = pairs.filter_map(|(bone, bind)| Some((bones[*bone]?, *bind)));
        let (bones, bone_from_mesh) = pairs.unzip();
        Some(InverseBindSkin { bones, bone_from_mesh, ..InverseBindSkin::default() })
    });
    let skins: Vec<InverseBindSkin> = matched.collect();
    let has_lengths = model.skeleton.bones().iter().any(|bone| {
        let offset = bone.rest_local.to_affine().translation;
        bone.parent.is_some() && offset.length() > 0.0
    });
    let fit = fit_of_binds(&skins, &model.skeleton).ok().flatten();
    fit.filter(|_| has_lengths)
}

/// Adds the meshes of `other` (read from the file `from`) whose bones all have a counterpart in `model`, with
/// their materials and images. Returns the number of added meshes.
///
/// Both have passed the check. Skips meshes without bones, and files with other axes or another unit.
pub fn add_meshes(model: &mut Model, other: &Model, from: &str, report: &Report) -> usize {
    if SpaceChange::between(&other.axes, &model.axes) != SpaceChange::IDENTITY {
        return 0;
    }
    let bones = match_bones(&other.skeleton, &model.skeleton);
    let bone = |bone: BoneId| bones[bone];
    let (first_material, first_image) = (model.materials.len(), model.images.len());
    let moved = |mesh: &Mesh| {
        let mut mesh = mesh.clone();
        if let Some(stored) = &mut mesh.stored {
            stored.node = None;
        }
        mesh.attached_to = match mesh.attached_to {
            Some(own) => Some(bone(own)?),
            None => None,
        };
        match &mut mesh.skin {
            // Its place in the model is unknown.
            Skin::None if mesh.attached_to.is_none() => return None,
            Skin::None => {}
            Skin::InverseBind(skin) => {
                let matched: Option<_> = skin.bones.iter().map(|&own| bone(own)).collect();
                skin.bones = matched?;
            }
            Skin::BoneLocal(skin) => {
                let influences = skin.influences.iter().map(|influence| {
                    Some(BoneLocalInfluence { bone: bone(influence.bone)?, ..*influence })
                });
                let matched: Option<_> = influences.collect();
                skin.influences = matched?;
            }
        }
        let after = |id: MaterialId| MaterialId::from_index(first_material + id.index());
        for subset in &mut mesh.subsets {
            subset.material = subset.material.map(after);
        }
        for loose in &mut mesh.loose {
            loose.material = loose.material.map(after);
        }
        Some(mesh)
    };
    let (mut added, mut left_out) = (Vec::new(), Vec::new());
    for mesh in &other.meshes {
        match moved(mesh) {
            Some(mesh) => added.push(mesh),
            None => left_out.push(mesh.name.as_str()),
        }
    }
    let num = added.len();
    if num == 0 {
        return 0;
    }
    let num_left = left_out.len() as u64;
    report.add_many(FindingKind::UnmatchedMeshes, Place::File, num_left, || {
        let their = singular_or_plural(num_left, "its", "their");
        let (meshes, names) = (counted(num_left, "mesh"), left_out.join(", "));
        format!(
            "{meshes} of {from} can't be added, because {their} bones have no counterpart in the model: {names}"
        )
    });
    model.meshes.extend(added);
    model.images.extend(other.images.iter().cloned());
    for material in &other.materials {
        let mut material = material.clone();
        for texture in &mut material.textures {
            let after = |id: ImageId| ImageId::from_index(first_image + id.index());
            texture.image = texture.image.map(after);
        }
        model.materials.push(material);
    }
    report.add_many(FindingKind::AddedMeshes, Place::File, num as u64, || {
        let were = singular_or_plural(num as u64, "was", "were");
        format!("{} of {from} {were} added", counted(num as u64, "mesh"))
    });
    num
}
