//! Names of values in models that are written as dictionaries: in Python, and in the JSON of readers.

use super::{
    AlphaMode, BoneKind, DefaultPose, Handedness, Interpolation, LooseKind, MaterialProperty,
    NormalMatrix, TextureProperty, TextureRole, UpAxis, Winding, Wrap,
};

/// Names and the values that they stand for.
pub type Names<T> = [(&'static str, T)];

/// Names of [`UpAxis`].
pub const UP: &Names<UpAxis> = &[("y", UpAxis::Y), ("z", UpAxis::Z)];

/// Names of [`Handedness`].
pub const HANDEDNESS: &Names<Handedness> =
    &[("right", Handedness::Right), ("left", Handedness::Left)];

/// Names of [`Winding`].
pub const WINDING: &Names<Winding> =
    &[("counter-clockwise", Winding::CounterClockwise), ("clockwise", Winding::Clockwise)];

/// Names of [`DefaultPose`].
pub const DEFAULT_POSE: &Names<DefaultPose> =
    &[("rest", DefaultPose::Rest), ("first-key", DefaultPose::FirstKey)];

/// Names of [`NormalMatrix`].
pub const NORMAL_MATRIX: &Names<NormalMatrix> = &[
    ("inverse-transpose", NormalMatrix::InverseTranspose),
    ("same", NormalMatrix::Same),
    ("cofactor", NormalMatrix::Cofactor),
    ("inverse-transpose-per-bone", NormalMatrix::InverseTransposePerBone),
    ("same-if-skinned", NormalMatrix::SameIfSkinned),
];

/// Names of [`BoneKind`].
pub const BONE_KIND: &Names<BoneKind> =
    &[("bone", BoneKind::Bone), ("node", BoneKind::Node), ("helper", BoneKind::Helper)];

/// Names of [`LooseKind`].
pub const LOOSE_KIND: &Names<LooseKind> =
    &[("lines", LooseKind::Lines), ("points", LooseKind::Points)];

/// Names of [`Interpolation`].
pub const INTERPOLATION: &Names<Interpolation> = &[
    ("linear", Interpolation::Linear),
    ("step", Interpolation::Step),
    ("nlerp", Interpolation::Nlerp),
    ("matrix", Interpolation::Matrix),
    ("cubic", Interpolation::Cubic),
];

/// Names of [`Wrap`].
pub const WRAP: &Names<Wrap> =
    &[("repeat", Wrap::Repeat), ("clamp", Wrap::Clamp), ("mirror", Wrap::Mirror)];

/// Names of [`AlphaMode`], with the default threshold of glTF.
pub const ALPHA: &Names<AlphaMode> =
    &[("opaque", AlphaMode::Opaque), ("mask", AlphaMode::Mask(0.5)), ("blend", AlphaMode::Blend)];

/// Names of [`MaterialProperty`]: the keys of a material with numbers.
pub const PROPERTY: &Names<MaterialProperty> = &[
    ("base_color", MaterialProperty::BaseColor),
    ("metallic", MaterialProperty::Metallic),
    ("roughness", MaterialProperty::Roughness),
    ("emissive", MaterialProperty::Emissive),
    ("alpha_cutoff", MaterialProperty::AlphaCutoff),
    ("normal_scale", MaterialProperty::NormalScale),
    ("occlusion_strength", MaterialProperty::OcclusionStrength),
    ("ior", MaterialProperty::Ior),
    ("specular", MaterialProperty::Specular),
    ("specular_color", MaterialProperty::SpecularColor),
    ("clearcoat", MaterialProperty::Clearcoat),
    ("clearcoat_roughness", MaterialProperty::ClearcoatRoughness),
    ("sheen_color", MaterialProperty::SheenColor),
    ("sheen_roughness", MaterialProperty::SheenRoughness),
    ("transmission", MaterialProperty::Transmission),
];

/// Names of the [`MaterialProperty`] of a track.
pub const TRACK_PROPERTY: &Names<MaterialProperty> = &{
    let mut all = [("", MaterialProperty::BaseColor); PROPERTY.len() + TEXTURE_PROPERTY.len()];
    let (first, rest) = all.split_at_mut(PROPERTY.len());
    first.copy_from_slice(PROPERTY);
    rest.copy_from_slice(TEXTURE_PROPERTY);
    all
};

/// Names of the properties of textures.
const TEXTURE_PROPERTY: &Names<MaterialProperty> = {
    use MaterialProperty::Texture;
    use TextureProperty::{Offset, Rotation, Scale};
    use TextureRole::{
        BaseColor, Emissive, Metallic, MetallicRoughness, MetallicRoughnessOcclusion, Normal,
        Occlusion, Roughness,
    };
    &[
        ("base_color.offset", Texture(BaseColor, Offset)),
        ("base_color.rotation", Texture(BaseColor, Rotation)),
        ("base_color.scale", Texture(BaseColor, Scale)),
        ("normal.offset", Texture(Normal, Offset)),
        ("normal.rotation", Texture(Normal, Rotation)),
        ("normal.scale", Texture(Normal, Scale)),
        ("metallic_roughness.offset", Texture(MetallicRoughness, Offset)),
        ("metallic_roughness.rotation", Texture(MetallicRoughness, Rotation)),
        ("metallic_roughness.scale", Texture(MetallicRoughness, Scale)),
        ("metallic_roughness_occlusion.offset", Texture(MetallicRoughnessOcclusion, Offset)),
        ("metallic_roughness_occlusion.rotation", Texture(MetallicRoughnessOcclusion, Rotation)),
        ("metallic_roughness_occlusion.scale", Texture(MetallicRoughnessOcclusion, Scale)),
        ("metallic.offset", Texture(Metallic, Offset)),
        ("metallic.rotation", Texture(Metallic, Rotation)),
        ("metallic.scale", Texture(Metallic, Scale)),
        ("roughness.offset", Texture(Roughness, Offset)),
        ("roughness.rotation", Texture(Roughness, Rotation)),
        ("roughness.scale", Texture(Roughness, Scale)),
        ("occlusion.offset", Texture(Occlusion, Offset)),
        ("occlusion.rotation", Texture(Occlusion, Rotation)),
        ("occlusion.scale", Texture(Occlusion, Scale)),
        ("emissive.offset", Texture(Emissive, Offset)),
        ("emissive.rotation", Texture(Emissive, Rotation)),
        ("emissive.scale", Texture(Emissive, Scale)),
    ]
};

/// The value with that name.
pub fn value_of<T: Copy>(names: &Names<T>, name: &str) -> Option<T> {
    names.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
}

/// The name of a value; empty if the table doesn't have it.
#[must_use]
pub fn name_of<T: PartialEq>(names: &Names<T>, value: &T) -> &'static str {
    names.iter().find(|(_, own)| own == value).map_or("", |(name, _)| name)
}
