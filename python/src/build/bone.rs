//! Bones and their rest transforms.

use glam::{Affine3A, Mat4, Quat, Vec3};
use pyo3::prelude::*;
use rigscope::model::value_names as names;
use rigscope::model::{Bone, BoneId, LocalTransform, Skeleton, Trs};

use super::contradiction;
use super::dict_arg::DictArg;

const BONE_KEYS: &[&str] =
    &["name", "parent", "rest", "translation", "rotation", "scale", "kind", "box_size"];

pub(super) fn skeleton(of: &DictArg<'_>) -> PyResult<Skeleton> {
    let bones = of.dicts("bones", BONE_KEYS)?;
    let bones = bones.iter().map(bone).collect::<PyResult<_>>()?;
    let has_hierarchy = of.typed("has_hierarchy", "True or False")?.unwrap_or(true);
    Skeleton::new(bones, has_hierarchy).map_err(contradiction)
}

fn bone(of: &DictArg<'_>) -> PyResult<Bone> {
    let parent: Option<i64> = of.typed("parent", "the number of a bone")?;
    let box_size = of.array::<f32, 1>("box_size", [Some(3)])?;
    Ok(Bone {
        name: of.text("name")?,
        parent: match parent {
            None | Some(-1) => None,
            Some(parent) => {
                let parent = u32::try_from(parent);
                Some(BoneId(parent.map_err(|_| of.wrong("parent", "not a bone"))?))
            }
        },
        rest_local: rest(of)?,
        kind: of.named("kind", names::BONE_KIND)?.unwrap_or_default(),
        box_size: box_size.map(|size| Vec3::from_slice(&size.data)),
    })
}

/// The rest transform: a matrix, or translation, rotation and scale.
fn rest(of: &DictArg<'_>) -> PyResult<LocalTransform> {
    let vector = |key| PyResult::Ok(of.array::<f32, 1>(key, [Some(3)])?.map(|taken| taken.data));
    let (translation, scale) = (vector("translation")?, vector("scale")?);
    let rotation = of.array::<f32, 1>("rotation", [Some(4)])?.map(|taken| taken.data);
    let has_parts = translation.is_some() || rotation.is_some() || scale.is_some();
    let rest = of.array::<f32, 2>("rest", [Some(4), Some(4)])?;
    Ok(match rest.and_then(|rest| rest.data.try_into().ok()) {
        Some(_) if has_parts => {
            let why = "can't be combined with translation, rotation and scale";
            return Err(of.wrong("rest", why));
        }
        Some(rows) => {
            LocalTransform::Matrix(Affine3A::from_mat4(Mat4::from_cols_array(&rows).transpose()))
        }
        None => LocalTransform::Trs(Trs {
            translation: translation.map_or(Vec3::ZERO, |numbers| Vec3::from_slice(&numbers)),
            rotation: rotation.map_or(Quat::IDENTITY, |numbers| Quat::from_slice(&numbers)),
            scale: scale.map_or(Vec3::ONE, |numbers| Vec3::from_slice(&numbers)),
        }),
    })
}
