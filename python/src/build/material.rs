//! Materials and their images.

use glam::{Affine2, Mat3, Vec4};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyMapping;
use rigscope::model::value_names as names;
use rigscope::model::{
    AlphaMode, ByteView, DrawState, IdVec, Image, ImageId, Material, MaterialLook,
    MaterialProperty, TEXTURE_ROLES, TextureRef, TextureRole, Wrap,
};

use super::dict_arg::{DictArg, dict, wrong_type};
use crate::arrays::read_array;
use crate::errors::unknown_value;

pub(super) const MATERIAL_KEYS: &[&str] = &[
    "name",
    "base_color",
    "metallic",
    "roughness",
    "emissive",
    "alpha",
    "alpha_cutoff",
    "two_sided",
    "unlit",
    "depth_only",
    "normal_scale",
    "occlusion_strength",
    "ior",
    "specular",
    "specular_color",
    "clearcoat",
    "clearcoat_roughness",
    "sheen_color",
    "sheen_roughness",
    "transmission",
    "draw",
    "textures",
];
const TEXTURE_KEYS: &[&str] =
    &["role", "path", "image", "uv_set", "wrap", "transform", "found_by_name"];

/// The images of the model.
pub(super) fn images(of: &DictArg<'_>) -> PyResult<Vec<Image>> {
    let image = |of: &DictArg<'_>| {
        let data = of.needed("data")?;
        let bytes = match data.extract::<PyBackedBytes>() {
            Ok(bytes) => bytes.to_vec(),
            Err(_) => read_array::<u8, 1>(&data, &of.what("data"), [None])?.data,
        };
        let is_embedded = of.typed("is_embedded", "True or False")?.unwrap_or(true);
        Ok(Image { name: of.text("name")?, bytes: ByteView::whole(bytes), is_embedded })
    };
    of.dicts("images", &["name", "data", "is_embedded"])?.iter().map(image).collect()
}

/// A material; images that are given with their bytes are appended to `images`.
pub(super) fn material(of: &DictArg<'_>, images: &mut IdVec<ImageId, Image>) -> PyResult<Material> {
    Ok(Material {
        name: of.text("name")?,
        look: look(of)?.map(Box::new),
        textures: textures(of, images)?,
        ..Material::default()
    })
}

/// `None` without any property.
fn look(of: &DictArg<'_>) -> PyResult<Option<MaterialLook>> {
    let mut is_stated = false;
    for key in MATERIAL_KEYS {
        is_stated |= !matches!(*key, "name" | "textures") && of.has(key)?;
    }
    if !is_stated {
        return Ok(None);
    }
    let mut look = MaterialLook {
        alpha: of.named("alpha", names::ALPHA)?.unwrap_or_default(),
        is_two_sided: of.flag("two_sided")?,
        is_unlit: of.flag("unlit")?,
        is_depth_only: of.flag("depth_only")?,
        draw: draw_state(of)?,
        ..MaterialLook::default()
    };
    let is_masked = matches!(look.alpha, AlphaMode::Mask(_));
    if of.has("alpha_cutoff")? && !is_masked {
        return Err(of.wrong("alpha_cutoff", "needs alpha=\"mask\""));
    }
    for (key, property) in names::PROPERTY {
        if let Some(value) = value_of(of, key, *property)? {
            property.set(&mut look, value);
        }
    }
    Ok(Some(look))
}

fn value_of(of: &DictArg<'_>, key: &str, property: MaterialProperty) -> PyResult<Option<Vec4>> {
    let num = property.num_components();
    if num == 1 {
        let number: Option<f32> = of.typed(key, "a number")?;
        return Ok(number.map(|number| Vec4::new(number, 0.0, 0.0, 0.0)));
    }
    let Some(color) = of.array::<f32, 1>(key, [Some(num)])? else { return Ok(None) };
    let mut value = [0.0; 4];
    value.iter_mut().zip(color.data).for_each(|(to, from)| *to = from);
    Ok(Some(Vec4::from_array(value)))
}

fn draw_state(of: &DictArg<'_>) -> PyResult<Option<DrawState>> {
    let Some(of) = of.dict("draw", &["order", "tests_depth", "writes_depth"])? else {
        return Ok(None);
    };
    let flag = |key| PyResult::Ok(of.typed(key, "True or False")?.unwrap_or(true));
    Ok(Some(DrawState {
        order: of.typed("order", "a whole number, 0 or more")?,
        tests_depth: flag("tests_depth")?,
        writes_depth: flag("writes_depth")?,
    }))
}

/// From a list of dictionaries, or from a dictionary by role.
fn textures(of: &DictArg<'_>, images: &mut IdVec<ImageId, Image>) -> PyResult<Vec<TextureRef>> {
    let Some(given) = of.get("textures")? else { return Ok(Vec::new()) };
    let Ok(by_role) = given.cast::<PyMapping>() else {
        let textures = of.dicts("textures", TEXTURE_KEYS)?;
        return textures.iter().map(|of| texture(of, None, images.len())).collect();
    };
    let mut textures = Vec::new();
    for item in by_role.items()? {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let name: String = name.extract().map_err(|_| {
            wrong_type(&format!("a role in {}", of.what("textures")), "text", &name)
        })?;
        let role = role(&of.what("textures"), &name)?;
        let what = format!("{}[{name:?}]", of.what("textures"));
        textures.push(if let Ok((name, bytes)) = value.extract::<(String, PyBackedBytes)>() {
            let image = ImageId::from_index(images.len());
            let bytes = ByteView::whole(bytes.to_vec());
            images.push(Image { name, bytes, is_embedded: true });
            TextureRef::embedded(role, image)
        } else if let Ok(path) = value.extract::<String>() {
            TextureRef::file(role, path)
        } else if value.cast::<PyMapping>().is_ok() {
            texture(&dict(what, &value, TEXTURE_KEYS)?, Some(role), images.len())?
        } else {
            let expected = "a path, a pair of name and bytes, or a dictionary";
            return Err(wrong_type(&what, expected, &value));
        });
    }
    Ok(textures)
}

fn role(what: &str, name: &str) -> PyResult<TextureRole> {
    TextureRole::named(name).ok_or_else(|| {
        let names = TEXTURE_ROLES.map(|info| info.name);
        unknown_value(what, name, &names)
    })
}

fn texture(
    of: &DictArg<'_>,
    by_key: Option<TextureRole>,
    num_images: usize,
) -> PyResult<TextureRef> {
    let role = match (by_key, of.typed::<String>("role", "a string")?) {
        (Some(role), None) => role,
        (Some(_), Some(_)) => return Err(of.wrong("role", "is the key of the dictionary already")),
        (None, Some(name)) => role(&of.what("role"), &name)?,
        (None, None) => {
            return Err(of.needed("role").err().unwrap_or_else(|| of.wrong("role", "")));
        }
    };
    let image = of.index("image", "image", num_images)?;
    Ok(TextureRef {
        image: image.map(ImageId::from_index),
        uv_set: of.typed("uv_set", "the number of a UV set, up to 255")?.unwrap_or_default(),
        wrap: wrap(of)?,
        texture_from_uv: transform(of)?.map(Box::new),
        is_found_by_name: of.flag("found_by_name")?,
        ..TextureRef::file(role, of.text("path")?)
    })
}

fn wrap(of: &DictArg<'_>) -> PyResult<[Wrap; 2]> {
    let given: Option<[String; 2]> = of.typed("wrap", "two names, for u and v")?;
    let Some([u, v]) = given else { return Ok([Wrap::Repeat; 2]) };
    let named = |name: &str| super::dict_arg::named(&of.what("wrap"), name, names::WRAP);
    Ok([named(&u)?, named(&v)?])
}

/// A matrix of 3 × 3 for UVs with v down; its last row is 0, 0, 1.
fn transform(of: &DictArg<'_>) -> PyResult<Option<Affine2>> {
    let Some(matrix) = of.array::<f32, 2>("transform", [Some(3), Some(3)])? else {
        return Ok(None);
    };
    match <[f32; 9]>::try_from(matrix.data) {
        Ok(rows) if rows[6..] == [0.0, 0.0, 1.0] => {
            Ok(Some(Affine2::from_mat3(Mat3::from_cols_array(&rows).transpose())))
        }
        _ => Err(of.wrong("transform", "the last row must be 0, 0, 1")),
    }
}
