//! Materials and their images.

use glam::{Vec3, Vec4};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use rigscope::model::{
    ByteView, Image, ImageId, Material, MaterialLook, TEXTURE_ROLES, TextureRef, TextureRole,
};

use super::dict_arg::DictArg;
use crate::errors::unknown_value;

pub(super) fn material(of: &DictArg<'_, '_>, images: &mut Vec<Image>) -> PyResult<Material> {
    let mut look = MaterialLook::default();
    if let Some(color) = of.typed("base_color", "four numbers")? {
        look.base_color = Vec4::from_array(color);
    }
    if let Some(emissive) = of.typed("emissive", "three numbers")? {
        look.emissive = Vec3::from_array(emissive);
    }
    for (key, number) in [("metallic", &mut look.metallic), ("roughness", &mut look.roughness)] {
        if let Some(value) = of.typed(key, "a number")? {
            *number = value;
        }
    }
    look.is_two_sided = of.flag("two_sided")?;
    let mut textures = Vec::new();
    if let Some(given) = of.get("textures")? {
        for (name, value) in given.cast::<PyDict>()?.iter() {
            let name: String = name.extract()?;
            let role = TextureRole::named(&name).ok_or_else(|| {
                let names = TEXTURE_ROLES.map(|info| info.name);
                unknown_value(&of.what("textures"), &name, &names)
            })?;
            textures.push(match value.extract::<(String, PyBackedBytes)>() {
                Ok((name, bytes)) => {
                    let image = ImageId::from_index(images.len());
                    let bytes = ByteView::whole(bytes.to_vec());
                    images.push(Image { name, bytes, is_embedded: true });
                    TextureRef::embedded(role, image)
                }
                Err(_) => TextureRef::file(role, value.extract::<String>()?),
            });
        }
    }
    Ok(Material {
        name: of.text("name")?,
        look: Some(Box::new(look)),
        textures,
        ..Material::default()
    })
}
