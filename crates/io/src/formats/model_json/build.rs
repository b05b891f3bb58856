//! The parsed text as a model: axes, bones and materials; `meshes` and `clips` build the rest.

use glam::{Affine3A, Quat, Vec3, Vec4};

use super::parse::malformed;
use super::schema::{BoneText, Hand, MaterialText, ModelText, Up, matrix};
use super::{ID, clips, meshes};
use crate::formats::{Failure, Limits, ReadError};
use rigscope_core::model::{
    Axes, Bone, BoneId, FindingKind, Handedness, LocalTransform, Material, MaterialLook, Model,
    Place, Report, Skeleton, TEXTURE_ROLES, TextureRef, TextureRole, Trs, UpAxis,
};

pub(super) fn model(
    parsed: ModelText,
    limits: &Limits,
    report: &Report,
) -> Result<Model, ReadError> {
    for text in parsed.findings {
        report.note(FindingKind::ReaderWarning, Place::File, text);
    }
    let skeleton = skeleton(parsed.bones, limits)?;
    let materials = parsed.materials.into_iter().enumerate();
    let materials =
        materials.map(|(number, text)| material(number, text)).collect::<Result<_, _>>()?;
    let binds = skeleton.rest_binds();
    let meshes = parsed.meshes.into_iter().enumerate();
    let meshes: Vec<_> = meshes
        .map(|(number, text)| meshes::mesh(number, text, &binds))
        .collect::<Result<_, _>>()?;
    let num_targets: Vec<_> = meshes.iter().map(|mesh| mesh.morph_targets.len()).collect();
    let clips = parsed.clips.into_iter().enumerate();
    let clips = clips.map(|(number, text)| clips::clip(number, text, skeleton.len(), &num_targets));
    Ok(Model {
        name: parsed.name,
        axes: Axes {
            up: match parsed.up {
                Up::Y => UpAxis::Y,
                Up::Z => UpAxis::Z,
            },
            handedness: match parsed.handedness {
                Hand::Right => Handedness::Right,
                Hand::Left => Handedness::Left,
            },
            unit_meters: parsed.unit_meters.filter(|unit| unit.is_finite() && *unit > 0.0),
            ..Axes::default()
        },
        materials,
        meshes,
        clips: clips.collect::<Result<_, _>>()?,
        skeleton,
        ..Model::default()
    })
}

fn skeleton(bones: Vec<BoneText>, limits: &Limits) -> Result<Skeleton, ReadError> {
    if bones.len() > limits.max_bones as usize {
        let what = format!("{} bones exceed the limit of {}", bones.len(), limits.max_bones);
        return Err(ReadError::Limit(Box::new(Failure::new(ID, "bones", Place::File, what))));
    }
    let bones = bones.into_iter().enumerate();
    let bones = bones.map(|(number, text)| bone(number, text)).collect::<Result<_, _>>()?;
    Skeleton::new(bones, true).map_err(|error| malformed("bones", error.to_string()))
}

fn bone(number: usize, text: BoneText) -> Result<Bone, ReadError> {
    let parent = match text.parent {
        None | Some(-1) => None,
        Some(parent) => Some(BoneId(u32::try_from(parent).map_err(|_| {
            malformed("bones", format!("bones[{number}].parent is {parent}, not a bone"))
        })?)),
    };
    let has_parts = text.translation.is_some() || text.rotation.is_some() || text.scale.is_some();
    let rest_local = match text.rest {
        Some(_) if has_parts => {
            let what = "has both rest and a translation, rotation or scale; use one of them";
            return Err(malformed("bones", format!("bones[{number}] {what}")));
        }
        Some(rest) => LocalTransform::Matrix(Affine3A::from_mat4(matrix(&rest))),
        None => LocalTransform::Trs(Trs {
            translation: text.translation.map_or(Vec3::ZERO, Vec3::from_array),
            rotation: text.rotation.map_or(Quat::IDENTITY, Quat::from_array),
            scale: text.scale.map_or(Vec3::ONE, Vec3::from_array),
        }),
    };
    Ok(Bone { name: text.name, parent, rest_local, ..Bone::default() })
}

fn material(number: usize, text: MaterialText) -> Result<Material, ReadError> {
    let plain = MaterialLook::default();
    let look = MaterialLook {
        base_color: text.base_color.map_or(plain.base_color, Vec4::from_array),
        metallic: text.metallic.unwrap_or(plain.metallic),
        roughness: text.roughness.unwrap_or(plain.roughness),
        emissive: text.emissive.map_or(plain.emissive, Vec3::from_array),
        is_two_sided: text.two_sided,
        ..plain
    };
    let textures = text.textures.into_iter().map(|(name, path)| {
        let role = TextureRole::named(&name).ok_or_else(|| {
            let names = TEXTURE_ROLES.map(|info| info.name).join(", ");
            malformed(
                "materials",
                format!("materials[{number}].textures: {name:?} isn't one of {names}"),
            )
        })?;
        Ok(TextureRef::file(role, path))
    });
    Ok(Material {
        textures: textures.collect::<Result<_, ReadError>>()?,
        name: text.name,
        look: Some(Box::new(look)),
        ..Material::default()
    })
}
