//! Materials, their textures, and images.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::{Affine2, Mat3, Vec3, Vec4};

use super::parse::{malformed, named};
use super::schema::{ImageText, MaterialText};
use super::texture_text::{RoleText, TextureText, TexturesText};
use crate::formats::ReadError;
use rigscope_core::model::value_names as names;
use rigscope_core::model::{
    AlphaMode, ByteView, DrawState, Image, ImageId, Material, MaterialLook, MaterialProperty,
    TEXTURE_ROLES, TextureRef, TextureRole, Wrap,
};

pub(super) fn image(number: usize, text: &ImageText) -> Result<Image, ReadError> {
    let bytes = STANDARD.decode(&text.data).map_err(|error| {
        malformed("images", format!("images[{number}].data isn't valid base64: {error}"))
    })?;
    Ok(Image {
        name: text.name.clone(),
        bytes: ByteView::whole(bytes),
        is_embedded: text.is_embedded.unwrap_or(true),
    })
}

pub(super) fn material(
    number: usize,
    text: MaterialText,
    num_images: usize,
) -> Result<Material, ReadError> {
    let at = Places { material: number, num_images };
    let look = look(&text, &at)?;
    let textures: Vec<TextureRef> = match text.textures {
        TexturesText::Listed(list) => {
            let textures = list.into_iter().enumerate();
            let textures = textures.map(|(number, text)| {
                let path = format!("textures[{number}]");
                let role = text.role.as_deref().ok_or_else(|| at.fault(&path, "has no role"))?;
                at.texture(&path, at.role(&format!("{path}.role"), role)?, &text)
            });
            textures.collect::<Result<_, _>>()?
        }
        TexturesText::ByRole(by_role) => {
            let textures = by_role.into_iter().map(|(name, value)| {
                let role = at.role("textures", &name)?;
                match value {
                    RoleText::Path(path) => Ok(TextureRef::file(role, path)),
                    RoleText::Texture(text) => at.texture(&format!("textures.{name}"), role, &text),
                }
            });
            textures.collect::<Result<_, _>>()?
        }
    };
    Ok(Material { name: text.name, textures, look: look.map(Box::new), ..Material::default() })
}

/// The properties that are numbers.
fn numbers(text: &MaterialText) -> [(MaterialProperty, Option<Vec4>); 15] {
    use MaterialProperty::*;
    let number = |number: Option<f32>| number.map(|number| Vec4::new(number, 0.0, 0.0, 0.0));
    let color = |color: Option<[f32; 3]>| color.map(|color| Vec3::from_array(color).extend(0.0));
    [
        (BaseColor, text.base_color.map(Vec4::from_array)),
        (Metallic, number(text.metallic)),
        (Roughness, number(text.roughness)),
        (Emissive, color(text.emissive)),
        (AlphaCutoff, number(text.alpha_cutoff)),
        (NormalScale, number(text.normal_scale)),
        (OcclusionStrength, number(text.occlusion_strength)),
        (Ior, number(text.ior)),
        (Specular, number(text.specular)),
        (SpecularColor, color(text.specular_color)),
        (Clearcoat, number(text.clearcoat)),
        (ClearcoatRoughness, number(text.clearcoat_roughness)),
        (SheenColor, color(text.sheen_color)),
        (SheenRoughness, number(text.sheen_roughness)),
        (Transmission, number(text.transmission)),
    ]
}

/// `None` without any property.
fn look(text: &MaterialText, at: &Places) -> Result<Option<MaterialLook>, ReadError> {
    let MaterialText { alpha, two_sided, unlit, depth_only, draw, .. } = text;
    let numbers = numbers(text);
    let is_stated = alpha.is_some()
        || two_sided.is_some()
        || unlit.is_some()
        || depth_only.is_some()
        || draw.is_some()
        || numbers.iter().any(|(_, value)| value.is_some());
    if !is_stated {
        return Ok(None);
    }
    let alpha = named("materials", &at.path("alpha"), alpha.as_deref(), names::ALPHA)?;
    let mut look = MaterialLook {
        alpha: alpha.unwrap_or_default(),
        is_two_sided: two_sided.unwrap_or_default(),
        is_unlit: unlit.unwrap_or_default(),
        is_depth_only: depth_only.unwrap_or_default(),
        draw: draw.map(|draw| DrawState {
            order: draw.order,
            tests_depth: draw.tests_depth.unwrap_or(true),
            writes_depth: draw.writes_depth.unwrap_or(true),
        }),
        ..MaterialLook::default()
    };
    if text.alpha_cutoff.is_some() && !matches!(look.alpha, AlphaMode::Mask(_)) {
        return Err(at.fault("alpha_cutoff", "needs the alpha \"mask\""));
    }
    for (property, value) in numbers {
        if let Some(value) = value {
            property.set(&mut look, value);
        }
    }
    Ok(Some(look))
}

/// Where values of a material are, for messages.
struct Places {
    material: usize,
    num_images: usize,
}

impl Places {
    fn path(&self, key: &str) -> String {
        format!("materials[{}].{key}", self.material)
    }

    fn fault(&self, key: &str, what: &str) -> ReadError {
        malformed("materials", format!("{} {what}", self.path(key)))
    }

    fn role(&self, path: &str, name: &str) -> Result<TextureRole, ReadError> {
        TextureRole::named(name).ok_or_else(|| {
            let names = TEXTURE_ROLES.map(|info| info.name).join(", ");
            malformed("materials", format!("{}: {name:?} isn't one of {names}", self.path(path)))
        })
    }

    fn texture(
        &self,
        path: &str,
        role: TextureRole,
        text: &TextureText,
    ) -> Result<TextureRef, ReadError> {
        if text.image.is_some_and(|image| image as usize >= self.num_images) {
            let what = format!("is {}, but there are {}", text.image.unwrap_or(0), self.num_images);
            return Err(self.fault(&format!("{path}.image"), &what));
        }
        let mut wrap = [Wrap::Repeat; 2];
        if let Some(given) = &text.wrap {
            let path = self.path(&format!("{path}.wrap"));
            for (to, name) in wrap.iter_mut().zip(given) {
                *to = named("materials", &path, Some(name), names::WRAP)?.unwrap_or_default();
            }
        }
        if text.transform.is_some_and(|rows| rows[2] != [0.0, 0.0, 1.0]) {
            return Err(self.fault(&format!("{path}.transform"), "must have a last row of 0, 0, 1"));
        }
        let placed = text
            .transform
            .map(|rows| Box::new(Affine2::from_mat3(Mat3::from_cols_array_2d(&rows).transpose())));
        Ok(TextureRef {
            image: text.image.map(ImageId),
            uv_set: text.uv_set,
            wrap,
            texture_from_uv: placed,
            is_found_by_name: text.found_by_name,
            ..TextureRef::file(role, text.path.clone())
        })
    }
}
