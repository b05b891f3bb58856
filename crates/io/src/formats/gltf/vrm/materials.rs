//! Materials in expressions: base colours, emission, and transforms of textures. Colours of toon shading aren't read.
//!
//! Source: VRM Consortium, "VRM 1.0", `expressions.md`; "VRM 0.x", `vrm.blendshape.materialbind.schema.json`.
//!
//! Ambiguous: colours of VRM 0 are read as encoded, like those of Unity's materials, from which they are copied. three-vrm
//! takes them as linear.

use glam::{Vec2, Vec4};
use serde_json::Value;

use super::{Scene, index, list, text};
use rigscope_core::model::{
    ExpressionColor, ExpressionTextures, MaterialId, MaterialProperty, linear_from_srgb,
};

/// An entry of `materialColorBinds`.
pub(super) fn of_vrm_1(bind: &Value, scene: &Scene<'_>) -> Option<ExpressionColor> {
    let material = index(bind, "material").filter(|at| *at < scene.root.materials.len())?;
    let property = match text(bind, "type")? {
        "color" => MaterialProperty::BaseColor,
        "emissionColor" => MaterialProperty::Emissive,
        _ => return None,
    };
    color(material, property, bind, |channel| channel)
}

/// An entry of `materialValues`.
pub(super) fn of_vrm_0(bind: &Value, scene: &Scene<'_>) -> Option<ExpressionColor> {
    let property = match text(bind, "propertyName")? {
        "_Color" => MaterialProperty::BaseColor,
        "_EmissionColor" => MaterialProperty::Emissive,
        _ => return None,
    };
    color(named_material(bind, scene)?, property, bind, linear_from_srgb)
}

/// The index of the material that an entry of `materialValues` names: the first one of that name, because names are
/// unique in files that Unity wrote.
fn named_material(bind: &Value, scene: &Scene<'_>) -> Option<usize> {
    let name = text(bind, "materialName")?;
    scene.root.materials.iter().position(|own| own.name.as_deref() == Some(name))
}

/// An entry of `textureTransformBinds`.
pub(super) fn textures_of_vrm_1(bind: &Value, scene: &Scene<'_>) -> Option<ExpressionTextures> {
    let material = index(bind, "material").filter(|at| *at < scene.root.materials.len())?;
    let pair = |name, default| match bind.get(name) {
        Some(stored) => {
            let [x, y] = numbers(stored)?;
            Some(Vec2::new(x, y))
        }
        None => Some(default),
    };
    Some(ExpressionTextures {
        material: MaterialId::from_index(material),
        offset: pair("offset", Vec2::ZERO)?,
        scale: pair("scale", Vec2::ONE)?,
    })
}

/// An entry of `materialValues` for `_MainTex_ST`: scale and offset of UVs whose v is up.
pub(super) fn textures_of_vrm_0(bind: &Value, scene: &Scene<'_>) -> Option<ExpressionTextures> {
    if text(bind, "propertyName") != Some("_MainTex_ST") {
        return None;
    }
    let [scale_u, scale_v, u, v] = numbers(bind.get("targetValue")?)?;
    Some(ExpressionTextures {
        material: MaterialId::from_index(named_material(bind, scene)?),
        offset: Vec2::new(u, 1.0 - v - scale_v),
        scale: Vec2::new(scale_u, scale_v),
    })
}

/// A list of `N` numbers.
fn numbers<const N: usize>(stored: &Value) -> Option<[f32; N]> {
    let mut out = [0.0; N];
    let stored = stored.as_array().filter(|stored| stored.len() == N)?;
    for (out, stored) in out.iter_mut().zip(stored) {
        #[expect(clippy::cast_possible_truncation, reason = "the model stores single precision")]
        let number = stored.as_f64()? as f32;
        *out = number;
    }
    Some(out)
}

fn color(
    material: usize,
    property: MaterialProperty,
    bind: &Value,
    linear: fn(f64) -> f64,
) -> Option<ExpressionColor> {
    let stored = list(bind, "targetValue");
    let channel = |at: usize| stored.get(at).and_then(Value::as_f64);
    #[expect(clippy::cast_possible_truncation, reason = "the model stores single precision")]
    let value = Vec4::new(
        linear(channel(0)?) as f32,
        linear(channel(1)?) as f32,
        linear(channel(2)?) as f32,
        channel(3).unwrap_or(1.0) as f32,
    );
    let value = if property == MaterialProperty::BaseColor { value } else { value.with_w(0.0) };
    Some(ExpressionColor { material: MaterialId::from_index(material), property, value })
}
