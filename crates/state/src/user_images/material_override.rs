//! The look of a model with the images set by the user.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::user_image::UserImage;
use rigscope_core::model::{
    ImageId, Material, MaterialId, MaterialOverride, Model, TextureRef, TextureRole,
};

/// The image set for each role of a material; `None` if its texture was removed.
pub(super) type Textures = BTreeMap<(MaterialId, TextureRole), Option<Arc<UserImage>>>;

/// The materials of the model with the images set. Also returns the images added after those of the
/// model.
pub(super) fn override_materials(
    model: &Model,
    set: &Textures,
) -> (MaterialOverride, Vec<Arc<UserImage>>) {
    let mut material_override =
        MaterialOverride { materials: model.materials.clone(), images: model.images.clone() };
    let mut along: Vec<Arc<UserImage>> = Vec::new();
    for (&(material, role), image) in set {
        let Some(material) = material_override.materials.get_mut(material) else {
            continue;
        };
        let own = material.image_of(role).or_else(|| {
            let mut textures = material.textures.iter();
            textures.find(|texture| texture.role == role)
        });
        // The replacement keeps the UV placement of the original.
        let own = own.cloned();
        material.textures.retain(|texture| texture.role != role);
        let Some(image) = image else { continue };
        let known = along.iter().position(|known| Arc::ptr_eq(known, image));
        let at = known.unwrap_or_else(|| {
            along.push(Arc::clone(image));
            material_override.images.push(image.image.clone());
            along.len() - 1
        });
        if own.is_none() {
            let_through(material, role);
        }
        let texture = TextureRef {
            image: Some(ImageId::from_index(model.images.len() + at)),
            path: image.image.name.clone(),
            is_found_by_name: false,
            ..own.unwrap_or_else(|| TextureRef::file(role, ""))
        };
        // Before textures that contain the same channel in another role.
        material.textures.insert(0, texture);
    }
    (material_override, along)
}

/// Sets factors of 0, which would hide the first image of a role, to 1.
fn let_through(material: &mut Material, role: TextureRole) {
    let info = role.info();
    let has = |is_it: &dyn Fn(TextureRole) -> bool| {
        material.textures.iter().any(|texture| is_it(texture.role))
    };
    let metallic = info.metallic.is_some() && !has(&|role| role.info().metallic.is_some());
    let roughness = info.roughness.is_some() && !has(&|role| role.info().roughness.is_some());
    if !(metallic || roughness || role == TextureRole::Emissive) {
        return;
    }
    let look = material.look.get_or_insert_default();
    if metallic && look.metallic == 0.0 {
        look.metallic = 1.0;
    }
    if roughness && look.roughness == 0.0 {
        look.roughness = 1.0;
    }
    if role == TextureRole::Emissive && look.emissive == glam::Vec3::ZERO {
        look.emissive = glam::Vec3::ONE;
    }
}

/// Transfers `set` from `old` to `new`: materials are matched by index and name, else by name.
pub(super) fn transferred(set: &Textures, old: &Model, new: &Model) -> Textures {
    let name = |model: &Model, at: usize| {
        Some(model.materials.get(MaterialId::from_index(at))?.name.clone())
    };
    let place = |id: MaterialId| {
        let own = name(old, id.index())?;
        if name(new, id.index()).as_ref() == Some(&own) {
            return Some(id);
        }
        let named = new.materials.iter().position(|material| material.name == own);
        named.filter(|_| !own.is_empty()).map(MaterialId::from_index)
    };
    let kept =
        set.iter().filter_map(|(&(id, role), image)| Some(((place(id)?, role), image.clone())));
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImageSlot;

    fn hand(path: &str) -> Option<Arc<UserImage>> {
        let slot = ImageSlot::Texture(MaterialId(0), TextureRole::BaseColor);
        // A TGA file with one texel.
        let header = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 0x28];
        let bytes = [&header[..], &[9; 4]].concat();
        Some(Arc::new(UserImage::new(slot, path.into(), bytes).unwrap()))
    }

    fn named(name: &str, textures: Vec<TextureRef>) -> Material {
        Material { name: name.into(), textures, ..Material::default() }
    }

    #[test]
    fn a_user_image_replaces_its_role_and_keeps_the_uv_set() {
        let own = TextureRef {
            uv_set: 1,
            image: Some(ImageId(0)),
            ..TextureRef::file(TextureRole::BaseColor, "a.png")
        };
        let normal = TextureRef::file(TextureRole::Normal, "n.png");
        let image = hand("own.tga").unwrap().image.clone();
        let model = Model {
            materials: vec![named("skin", vec![own, normal.clone()]), named("hair", Vec::new())]
                .into(),
            images: vec![image].into(),
            ..Model::default()
        };
        let new = hand("new.tga");
        let set = Textures::from([
            ((MaterialId(0), TextureRole::BaseColor), new.clone()),
            ((MaterialId(0), TextureRole::Normal), None),
            ((MaterialId(1), TextureRole::Metallic), new),
            ((MaterialId(9), TextureRole::Metallic), None),
        ]);
        let (material_override, along) = override_materials(&model, &set);
        assert_eq!((material_override.images.len(), along.len()), (2, 1), "one file, once");
        let [base] = &material_override.materials[MaterialId(0)].textures[..] else {
            panic!("{:?}", material_override.materials[MaterialId(0)])
        };
        assert_eq!((base.image, base.uv_set, &*base.path), (Some(ImageId(1)), 1, "new.tga"));
        assert!(material_override.materials[MaterialId(0)].look.is_none());
        // The default metallic factor of 0 would hide the image.
        assert_eq!(material_override.materials[MaterialId(1)].look.as_ref().unwrap().metallic, 1.0);
        assert_eq!(model.materials[MaterialId(0)].textures[1], normal, "the model stays as it is");
    }

    #[test]
    fn reordered_materials_keep_their_overrides() {
        let model = |names: &[&str]| Model {
            materials: names.iter().map(|name| named(name, Vec::new())).collect(),
            ..Model::default()
        };
        let set = Textures::from([
            ((MaterialId(0), TextureRole::Normal), None),
            ((MaterialId(1), TextureRole::Normal), None),
        ]);
        let kept = transferred(&set, &model(&["skin", "hair"]), &model(&["eyes", "new", "skin"]));
        let ids: Vec<_> = kept.keys().map(|(id, _)| id.0).collect();
        assert_eq!(ids, [2]);
    }
}
