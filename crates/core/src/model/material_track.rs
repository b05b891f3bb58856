//! Material parameters over time.

use std::fmt;

use glam::{Vec3, Vec4};

use super::{AlphaMode, MaterialId, MaterialLook, TextureProperty, TextureRole, Track};

/// A material parameter that a clip can animate: a field of [`MaterialLook`], or a part of a texture's transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MaterialProperty {
    /// [`MaterialLook::base_color`].
    BaseColor,
    /// [`MaterialLook::metallic`].
    Metallic,
    /// [`MaterialLook::roughness`].
    Roughness,
    /// [`MaterialLook::emissive`].
    Emissive,
    /// The threshold of [`AlphaMode::Mask`]; without effect on other materials.
    AlphaCutoff,
    /// [`MaterialLook::normal_scale`].
    NormalScale,
    /// [`MaterialLook::occlusion_strength`].
    OcclusionStrength,
    /// [`MaterialLook::ior`].
    Ior,
    /// [`MaterialLook::specular`].
    Specular,
    /// [`MaterialLook::specular_color`].
    SpecularColor,
    /// [`MaterialLook::clearcoat`].
    Clearcoat,
    /// [`MaterialLook::clearcoat_roughness`].
    ClearcoatRoughness,
    /// [`MaterialLook::sheen_color`].
    SheenColor,
    /// [`MaterialLook::sheen_roughness`].
    SheenRoughness,
    /// [`MaterialLook::transmission`].
    Transmission,
    /// The transform of the texture with that role.
    Texture(TextureRole, TextureProperty),
}

impl MaterialProperty {
    /// Number of components.
    pub const fn num_components(self) -> usize {
        match self {
            Self::BaseColor => 4,
            Self::Emissive | Self::SpecularColor | Self::SheenColor => 3,
            Self::Texture(_, property) => property.num_components(),
            _ => 1,
        }
    }

    /// Sets the property of `look` to the first components of `value`; without effect for a texture.
    pub fn set(self, look: &mut MaterialLook, value: Vec4) {
        let (number, color) = (value.x, value.truncate());
        match self {
            Self::BaseColor => look.base_color = value,
            Self::Metallic => look.metallic = number,
            Self::Roughness => look.roughness = number,
            Self::Emissive => look.emissive = color,
            Self::AlphaCutoff => {
                if let AlphaMode::Mask(cutoff) = &mut look.alpha {
                    *cutoff = number;
                }
            }
            Self::NormalScale => look.normal_scale = number,
            Self::OcclusionStrength => look.occlusion_strength = number,
            Self::Ior => look.ior = number,
            Self::Specular => look.specular = number,
            Self::SpecularColor => look.specular_color = color,
            Self::Clearcoat => look.clearcoat = number,
            Self::ClearcoatRoughness => look.clearcoat_roughness = number,
            Self::SheenColor => look.sheen_color = color,
            Self::SheenRoughness => look.sheen_roughness = number,
            Self::Transmission => look.transmission = number,
            Self::Texture(..) => {}
        }
    }

    /// The property of `look`, followed by zeros; zero for a texture.
    pub fn get(self, look: &MaterialLook) -> Vec4 {
        let color = |color: Vec3| color.extend(0.0);
        let number = |number| Vec4::new(number, 0.0, 0.0, 0.0);
        match self {
            Self::BaseColor => look.base_color,
            Self::Metallic => number(look.metallic),
            Self::Roughness => number(look.roughness),
            Self::Emissive => color(look.emissive),
            Self::AlphaCutoff => match look.alpha {
                AlphaMode::Mask(cutoff) => number(cutoff),
                AlphaMode::Opaque | AlphaMode::Blend => Vec4::ZERO,
            },
            Self::NormalScale => number(look.normal_scale),
            Self::OcclusionStrength => number(look.occlusion_strength),
            Self::Ior => number(look.ior),
            Self::Specular => number(look.specular),
            Self::SpecularColor => color(look.specular_color),
            Self::Clearcoat => number(look.clearcoat),
            Self::ClearcoatRoughness => number(look.clearcoat_roughness),
            Self::SheenColor => color(look.sheen_color),
            Self::SheenRoughness => number(look.sheen_roughness),
            Self::Transmission => number(look.transmission),
            Self::Texture(..) => Vec4::ZERO,
        }
    }
}

impl fmt::Display for MaterialProperty {
    /// Its name in messages, such as `base colour`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::BaseColor => "base colour",
            Self::Metallic => "metalness",
            Self::Roughness => "roughness",
            Self::Emissive => "emission",
            Self::AlphaCutoff => "alpha cutoff",
            Self::NormalScale => "normal scale",
            Self::OcclusionStrength => "occlusion strength",
            Self::Ior => "index of refraction",
            Self::Specular => "specular strength",
            Self::SpecularColor => "specular colour",
            Self::Clearcoat => "clear coat",
            Self::ClearcoatRoughness => "clear coat roughness",
            Self::SheenColor => "sheen colour",
            Self::SheenRoughness => "sheen roughness",
            Self::Transmission => "transmission",
            Self::Texture(role, property) => {
                return write!(f, "texture {property} ({})", role.info().label);
            }
        };
        f.write_str(name)
    }
}

/// A material parameter over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialTrack {
    /// The material.
    pub material: MaterialId,
    /// The animated parameter.
    pub property: MaterialProperty,
    /// Its values, followed by zeros.
    pub values: Track<Vec4>,
}

impl MaterialTrack {
    /// Sets the property of `look` to the value that makes the most of a material visible at any
    /// time: the largest of each component, and the lowest opacity.
    pub fn set_peak(&self, look: &mut MaterialLook) {
        let (own, step) = self.values.key_layout();
        let keys = self.values.values.iter().skip(own).step_by(step).copied();
        let start = self.property.get(look);
        let mut peak = keys.clone().fold(start, Vec4::max);
        if self.property == MaterialProperty::BaseColor {
            peak.w = keys.fold(start, Vec4::min).w;
        }
        self.property.set(look, peak);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Interpolation;

    const ALL: [MaterialProperty; 15] = {
        use MaterialProperty::*;
        [
            BaseColor,
            Metallic,
            Roughness,
            Emissive,
            AlphaCutoff,
            NormalScale,
            OcclusionStrength,
            Ior,
            Specular,
            SpecularColor,
            Clearcoat,
            ClearcoatRoughness,
            SheenColor,
            SheenRoughness,
            Transmission,
        ]
    };

    #[test]
    fn each_property_is_a_different_field() {
        let mut look = MaterialLook { alpha: AlphaMode::Mask(0.5), ..MaterialLook::default() };
        let value = |at: usize| Vec4::new(2.0, 3.0, 4.0, 5.0) * (at as f32 + 1.0);
        for (at, property) in ALL.into_iter().enumerate() {
            property.set(&mut look, value(at));
        }
        for (at, property) in ALL.into_iter().enumerate() {
            let num = property.num_components();
            let (stored, set) = (property.get(&look).to_array(), value(at).to_array());
            assert_eq!(stored[..num], set[..num], "{property:?}");
            assert!(stored[num..].iter().all(|rest| *rest == 0.0), "{property:?}");
        }
    }

    #[test]
    fn the_cutoff_of_other_materials_has_no_effect() {
        let mut look = MaterialLook::default();
        MaterialProperty::AlphaCutoff.set(&mut look, Vec4::ONE);
        assert_eq!(look, MaterialLook::default());
    }

    #[test]
    fn peaks_are_the_brightest_and_least_opaque_keys() {
        let track = |interpolation, values: Vec<Vec4>| MaterialTrack {
            material: MaterialId(0),
            property: MaterialProperty::BaseColor,
            values: Track { times_secs: vec![0.0, 1.0], values, interpolation },
        };
        let [a, b] = [Vec4::new(0.1, 2.0, 0.0, 0.9), Vec4::new(0.7, 0.3, 0.0, 0.2)];
        let peak = |track: MaterialTrack| {
            let base_color = Vec4::new(0.0, 0.0, 0.5, 1.0);
            let mut look = MaterialLook { base_color, ..MaterialLook::default() };
            track.set_peak(&mut look);
            look.base_color
        };
        assert_eq!(peak(track(Interpolation::Linear, vec![a, b])), Vec4::new(0.7, 2.0, 0.5, 0.2));
        // Tangents aren't values.
        let (tangent, keys) = (Vec4::splat(9.0), [a, b]);
        let cubic = keys.iter().flat_map(|key| [-tangent, *key, tangent]).collect();
        assert_eq!(peak(track(Interpolation::Cubic, cubic)), Vec4::new(0.7, 2.0, 0.5, 0.2));
    }
}
