//! The parsed text as a model: axes, bones and collision; `materials`, `meshes` and `clips` build the rest.

use glam::{Affine3A, Quat, Vec3};

use super::parse::{malformed, named};
use super::schema::{BoneText, BoundsText, ModelText, matrix, vectors};
use super::{ID, clips, materials, meshes};
use crate::formats::{Failure, Limits, ReadError};
use rigscope_core::model::value_names as names;
use rigscope_core::model::{
    Aabb, Axes, Bone, BoneId, FindingKind, Hull, LocalTransform, Model, OcclusionMesh, Place,
    Report, Skeleton, StoredBounds, Trs,
};

pub(super) fn model(
    parsed: ModelText,
    limits: &Limits,
    report: &Report,
) -> Result<Model, ReadError> {
    let axes = axes(&parsed)?;
    let default_pose = parsed.default_pose.as_deref();
    let default_pose = named("default_pose", "default_pose", default_pose, names::DEFAULT_POSE)?;
    let normal_matrix = parsed.normal_matrix.as_deref();
    let normal_matrix =
        named("normal_matrix", "normal_matrix", normal_matrix, names::NORMAL_MATRIX)?;
    for text in parsed.findings {
        report.add(FindingKind::ReaderWarning, Place::File, text);
    }
    let images = parsed.images.into_iter().enumerate();
    let materials = parsed.materials.into_iter().enumerate();
    let hulls = parsed.hulls.into_iter();
    let occluder = parsed.occluder.map(|(positions, triangles)| OcclusionMesh {
        positions: vectors(positions),
        indices: triangles.into_flattened(),
    });
    let mut model = Model {
        name: parsed.name,
        copyright: parsed.copyright,
        axes,
        skeleton: skeleton(parsed.bones, parsed.has_hierarchy.unwrap_or(true), limits)?,
        images: images
            .map(|(number, text)| materials::image(number, &text))
            .collect::<Result<_, _>>()?,
        hulls: hulls.map(|points| Hull { points: vectors(points) }).collect(),
        occluder,
        stored_bounds: parsed.stored_bounds.map(bounds),
        default_pose: default_pose.unwrap_or_default(),
        normal_matrix: normal_matrix.unwrap_or_default(),
        ..Model::default()
    };
    let num_images = model.images.len();
    model.materials = materials
        .map(|(number, text)| materials::material(number, text, num_images))
        .collect::<Result<_, _>>()?;
    let binds = model.skeleton.rest_binds();
    for (number, text) in parsed.meshes.into_iter().enumerate() {
        model.meshes.push(meshes::mesh(number, text, &binds)?);
    }
    for (number, text) in parsed.clips.into_iter().enumerate() {
        let clip = clips::clip(number, text, &model)?;
        model.clips.push(clip);
    }
    Ok(model)
}

fn axes(parsed: &ModelText) -> Result<Axes, ReadError> {
    let plain = Axes::default();
    let up = named("up", "up", parsed.up.as_deref(), names::UP)?;
    let hand = named("handedness", "handedness", parsed.handedness.as_deref(), names::HANDEDNESS)?;
    let winding = named("winding", "winding", parsed.winding.as_deref(), names::WINDING)?;
    Ok(Axes {
        up: up.unwrap_or(plain.up),
        handedness: hand.unwrap_or(plain.handedness),
        winding: winding.unwrap_or(plain.winding),
        unit_meters: parsed.unit_meters.filter(|unit| unit.is_finite() && *unit > 0.0),
        faces_backward: parsed.faces_backward,
    })
}

fn bounds(text: BoundsText) -> StoredBounds {
    let aabb = Aabb { min: Vec3::from_array(text.min), max: Vec3::from_array(text.max) };
    StoredBounds { aabb, sphere_center: Vec3::from_array(text.center), sphere_radius: text.radius }
}

fn skeleton(
    bones: Vec<BoneText>,
    has_hierarchy: bool,
    limits: &Limits,
) -> Result<Skeleton, ReadError> {
    if bones.len() > limits.max_bones as usize {
        let what = format!("{} bones exceed the limit of {}", bones.len(), limits.max_bones);
        return Err(ReadError::Limit(Box::new(Failure::new(ID, "bones", Place::File, what))));
    }
    let bones = bones.into_iter().enumerate();
    let bones = bones.map(|(number, text)| bone(number, text)).collect::<Result<_, _>>()?;
    Skeleton::new(bones, has_hierarchy).map_err(|error| malformed("bones", error.to_string()))
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
    let kind = text.kind.as_deref();
    let kind = named("bones", &format!("bones[{number}].kind"), kind, names::BONE_KIND)?;
    Ok(Bone {
        name: text.name,
        parent,
        rest_local,
        kind: kind.unwrap_or_default(),
        box_size: text.box_size.map(Vec3::from_array),
    })
}
