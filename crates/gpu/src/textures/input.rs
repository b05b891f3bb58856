//! Material uniforms, as `material.wgsl` reads them.

use bytemuck::{Pod, Zeroable};
use glam::{Affine2, Mat2, Vec2, Vec3, Vec4};

use rigscope_core::model::{AlphaMode, Channel, MaterialLook, RoleInfo, TextureRef};

/// The transform from the vertices' UVs to a texture's UVs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct FromUv {
    x: Vec4,
    y: Vec4,
}

impl FromUv {
    fn new(m: &Affine2) -> Self {
        let (x, y, t) = (m.matrix2.x_axis, m.matrix2.y_axis, m.translation);
        Self { x: Vec4::new(x.x, y.x, t.x, 0.0), y: Vec4::new(x.y, y.y, t.y, 0.0) }
    }
}

fn affine(texture: Option<&TextureRef>) -> Affine2 {
    let own = texture.and_then(|texture| texture.texture_from_uv.as_deref());
    own.copied().unwrap_or(Affine2::IDENTITY)
}

/// The uniform of a material. Keep in sync with `shaders/material.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct MaterialInput {
    pub(crate) base_color: Vec4,
    pub(crate) base_from_uv: FromUv,
    pub(crate) normal_from_uv: FromUv,
    pub(crate) metallic_from_uv: FromUv,
    pub(crate) roughness_from_uv: FromUv,
    pub(crate) occlusion_from_uv: FromUv,
    pub(crate) emissive_from_uv: FromUv,
    pub(crate) tangents_from_normal_map: Vec4,
    pub(crate) metallic_channel: Vec4,
    pub(crate) roughness_channel: Vec4,
    pub(crate) occlusion_channel: Vec4,
    pub(crate) emissive: Vec3,
    pub(crate) metallic: f32,
    pub(crate) dielectric_f0: Vec3,
    pub(crate) roughness: f32,
    pub(crate) sheen_color: Vec3,
    pub(crate) sheen_roughness: f32,
    pub(crate) dielectric_f90: f32,
    pub(crate) clearcoat: f32,
    pub(crate) clearcoat_roughness: f32,
    pub(crate) transmission: f32,
    pub(crate) normal_scale: f32,
    pub(crate) occlusion_strength: f32,
    pub(crate) alpha_cutoff: f32,
    pub(crate) padding: u32,
}

impl MaterialInput {
    pub(crate) const NORMAL_MAP: u32 = 1;
    pub(crate) const TWO_SIDED: u32 = 2;
    pub(crate) const UNLIT: u32 = 4;
    pub(crate) const BLENDED: u32 = 8;
    pub(crate) const METALLIC_MAP: u32 = 16;
    pub(crate) const ROUGHNESS_MAP: u32 = 32;
    pub(crate) const ROUGHNESS_SHARED: u32 = 64;
    pub(crate) const OCCLUSION_MAP: u32 = 128;
    pub(crate) const OCCLUSION_SHARED: u32 = 256;
    pub(crate) const EMISSIVE_MAP: u32 = 512;
    pub(crate) const BASE_ENCODED_TWICE: u32 = 1024;
    pub(crate) const CLEARCOAT: u32 = 2048;
    pub(crate) const SHEEN: u32 = 4096;
    pub(crate) const CUT: u32 = 8192;
    pub(crate) const TRANSMISSIVE: u32 = 16384;

    /// The flags that matter under plain light.
    pub(crate) const FLAGS_OF_PLAIN_LIGHT: u32 = Self::NORMAL_MAP
        | Self::TWO_SIDED
        | Self::UNLIT
        | Self::BLENDED
        | Self::CUT
        | Self::BASE_ENCODED_TWICE;
}

/// The available textures of a material, by the quantity that they provide.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Maps<'a> {
    pub(super) base: Option<&'a TextureRef>,
    pub(super) is_base_encoded_twice: bool,
    pub(super) normal: Option<&'a TextureRef>,
    pub(super) metallic: Option<&'a TextureRef>,
    pub(super) roughness: Option<&'a TextureRef>,
    pub(super) occlusion: Option<&'a TextureRef>,
    pub(super) emissive: Option<&'a TextureRef>,
}

/// The transform from the vertices' UVs to the UVs of each of [`Maps::all`].
pub(super) type Transforms = [Affine2; 6];

impl<'a> Maps<'a> {
    /// Base colour, normals, metallic, roughness, occlusion, emission.
    pub(super) fn all(&self) -> [Option<&'a TextureRef>; 6] {
        [self.base, self.normal, self.metallic, self.roughness, self.occlusion, self.emissive]
    }

    pub(super) fn transforms(&self) -> Transforms {
        self.all().map(affine)
    }
}

impl MaterialInput {
    pub(super) fn new(look: &MaterialLook, maps: &Maps<'_>) -> Self {
        let channel = |map: Option<&TextureRef>, of: fn(&RoleInfo) -> Option<Channel>| {
            let channel = map.and_then(|texture| of(texture.role.info()));
            Vec4::AXES[usize::from(channel.unwrap_or_default()).min(3)]
        };
        let input = Self {
            metallic_channel: channel(maps.metallic, |role| role.metallic),
            roughness_channel: channel(maps.roughness, |role| role.roughness),
            occlusion_channel: channel(maps.occlusion, |role| role.occlusion),
            ..Self::zeroed()
        };
        input.with_look(look).with_transforms(&maps.transforms())
    }

    /// The same textures, moved on their UVs.
    pub(super) fn with_transforms(&self, transforms: &Transforms) -> Self {
        let [base, normal, metallic, roughness, occlusion, emissive] = transforms;
        Self {
            base_from_uv: FromUv::new(base),
            normal_from_uv: FromUv::new(normal),
            metallic_from_uv: FromUv::new(metallic),
            roughness_from_uv: FromUv::new(roughness),
            occlusion_from_uv: FromUv::new(occlusion),
            emissive_from_uv: FromUv::new(emissive),
            tangents_from_normal_map: turn(normal.matrix2),
            ..*self
        }
    }

    /// The same textures with the numbers of `look`.
    pub(super) fn with_look(&self, look: &MaterialLook) -> Self {
        let cutoff = match look.alpha {
            AlphaMode::Opaque | AlphaMode::Blend => f32::MIN,
            AlphaMode::Mask(cutoff) => cutoff,
        };
        let mirrored = (look.ior - 1.0) / (look.ior + 1.0);
        let f0 = look.specular_color * (mirrored * mirrored);
        Self {
            base_color: look.base_color,
            emissive: look.emissive,
            metallic: look.metallic,
            dielectric_f0: f0.min(Vec3::ONE) * look.specular,
            roughness: look.roughness,
            sheen_color: look.sheen_color,
            sheen_roughness: look.sheen_roughness,
            dielectric_f90: look.specular,
            clearcoat: look.clearcoat,
            clearcoat_roughness: look.clearcoat_roughness,
            transmission: look.transmission,
            normal_scale: look.normal_scale,
            occlusion_strength: look.occlusion_strength,
            alpha_cutoff: cutoff,
            ..*self
        }
    }

    /// The flags of a material that shaders are specialized for. Textures that clips may move apart aren't shared.
    pub(super) fn flags(look: &MaterialLook, maps: &Maps<'_>, moves_textures: bool) -> u32 {
        // A single texture sample provides all channels.
        let is_shared = |texture: Option<&TextureRef>| {
            let place = |t: &TextureRef| (t.image, t.uv_set, t.wrap, t.texture_from_uv.clone());
            let is_fixed = |own: &&TextureRef| {
                !moves_textures || maps.metallic.map(|other| other.role) == Some(own.role)
            };
            texture
                .filter(is_fixed)
                .is_some_and(|texture| maps.metallic.map(place) == Some(place(texture)))
        };
        let flags = [
            (maps.normal.is_some(), Self::NORMAL_MAP),
            (look.is_two_sided, Self::TWO_SIDED),
            (look.is_unlit, Self::UNLIT),
            (look.alpha == AlphaMode::Blend, Self::BLENDED),
            (maps.metallic.is_some(), Self::METALLIC_MAP),
            (maps.roughness.is_some(), Self::ROUGHNESS_MAP),
            (is_shared(maps.roughness), Self::ROUGHNESS_SHARED),
            (maps.occlusion.is_some(), Self::OCCLUSION_MAP),
            (is_shared(maps.occlusion), Self::OCCLUSION_SHARED),
            (maps.emissive.is_some(), Self::EMISSIVE_MAP),
            (maps.is_base_encoded_twice, Self::BASE_ENCODED_TWICE),
            (look.clearcoat > 0.0, Self::CLEARCOAT),
            (look.sheen_color.max_element() > 0.0, Self::SHEEN),
            (matches!(look.alpha, AlphaMode::Mask(_)), Self::CUT),
            (look.transmission > 0.0, Self::TRANSMISSIVE),
        ];
        flags.into_iter().filter_map(|(is_set, flag)| is_set.then_some(flag)).sum()
    }
}

/// Right and up of a rotated normal map, in terms of the vertices' tangent and bitangent.
fn turn(texture_from_uv: Mat2) -> Vec4 {
    let uv_from_texture = texture_from_uv.inverse();
    if texture_from_uv.determinant() == 0.0 || !uv_from_texture.is_finite() {
        return Vec4::new(1.0, 0.0, 0.0, 1.0);
    }
    let right = uv_from_texture.x_axis.normalize_or(Vec2::X);
    let down = uv_from_texture.y_axis.normalize_or(Vec2::Y);
    // v points down, the bitangent points up.
    Vec4::new(right.x, -right.y, -down.x, down.y)
}
