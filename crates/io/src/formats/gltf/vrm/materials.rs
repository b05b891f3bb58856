//! Colours of materials in expressions: base colours and emission. Those of toon shading, and transforms of textures,
//! aren't read.
//!
//! Ambiguous: colours of VRM 0 are read as encoded, like those of Unity's materials, from which they are copied. three-vrm
//! takes them as linear.

use glam::Vec4;
use serde_json::Value;

use super::{Scene, index, list, text};
use rigscope_core::model::{ExpressionColor, MaterialId, MaterialProperty, linear_from_srgb};

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

/// An entry of `materialValues`, for all materials of its name.
pub(super) fn of_vrm_0<'a>(
    bind: &'a Value,
    scene: &'a Scene<'_>,
) -> impl Iterator<Item = ExpressionColor> + 'a {
    let property = match text(bind, "propertyName") {
        Some("_Color") => Some(MaterialProperty::BaseColor),
        Some("_EmissionColor") => Some(MaterialProperty::Emissive),
        _ => None,
    };
    let name = text(bind, "materialName");
    let materials = scene.root.materials.iter().enumerate();
    let named = materials.filter(move |(_, own)| name.is_some() && own.name.as_deref() == name);
    // The first one only: names are unique in files that Unity wrote.
    named.take(1).filter_map(move |(at, _)| color(at, property?, bind, linear_from_srgb))
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
