//! Building models from arrays.

mod clip;
mod dict_arg;
mod material;
mod mesh;

use glam::{Affine3A, Mat4, Quat, Vec3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rigscope::Document;
use rigscope::model::{
    Axes, Bone, BoneId, Handedness, LocalTransform, Model, Skeleton, Trs, UpAxis,
};

use crate::document;
use crate::errors::unknown_value;
use crate::running::detached;
use dict_arg::{Dict, DictArg};
use rigscope_python_macros::guarded;

/// Builds a model from arrays. It is checked as if it came from a file: values that are out of range or not finite are
/// fixed and listed in its `notes`. `convert` writes it in any format.
///
/// :param meshes: one dictionary per mesh: `positions` (n, 3), `normals` (n, 3), `tangents` (n, 4), `colors` (n, 4)
///     linear, `uvs` (n, 2) or a list of these, with v down, `triangles` (m, 3), `subsets` as (first triangle,
///     number of triangles, material or `None`), `joints` and `weights` (n, k) or `influences` as (first
///     (n + 1,), joints, weights), `skin_bones` (s,) the bone of each joint number (by default the same number),
///     `inverse_bind_matrices` (s, 4, 4) (by default the mesh is bound in the rest pose), `attached_to` a bone,
///     `morph_targets` and `name`; everything except `positions` is optional
/// :param bones: one dictionary per bone: `name`, `parent` (a number, -1 or `None`), and relative to the parent either
///     `rest` (4, 4) or `translation` (3,), `rotation` (4,) as x y z w and `scale` (3,)
/// :param clips: one dictionary per clip: `name`, `times` (k,) seconds, `matrices` (k, b, 4, 4) relative to the parent, or
///     `translations` (k, b, 3), `rotations` (k, b, 4) as x y z w and `scales` (k, b, 3), or `tracks`: dictionaries
///     with `bone`, `times`, `translations` (k, 3), `rotations` (k, 4), `scales` (k, 3); `morph_tracks`: dictionaries
///     with `mesh`, `target`, `times`, `weights` (k,); `loops`; `step`
/// :param materials: one dictionary per material: `name`, `base_color` (4,) linear, `metallic`, `roughness`, `emissive` (3,),
///     `two_sided`, `textures` from role to path, or to name and bytes of an image
/// :param unit_meters: metres per unit; `None` if unknown
#[guarded]
#[pyfunction]
#[pyo3(signature = (
    meshes = Vec::new(), *, bones = Vec::new(), clips = Vec::new(), materials = Vec::new(), name = String::new(),
    up = "y", handedness = "right", unit_meters = None, origin = None,
))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn build<'py>(
    py: Python<'py>,
    meshes: Vec<Dict<'py>>,
    bones: Vec<Dict<'py>>,
    clips: Vec<Dict<'py>>,
    materials: Vec<Dict<'py>>,
    name: String,
    up: &str,
    handedness: &str,
    unit_meters: Option<f64>,
    origin: Option<Py<PyAny>>,
) -> PyResult<document::Model> {
    let mut model = Model {
        name,
        axes: Axes {
            up: match up {
                "y" => UpAxis::Y,
                "z" => UpAxis::Z,
                other => return Err(unknown_value("up", other, &["y", "z"])),
            },
            handedness: match handedness {
                "right" => Handedness::Right,
                "left" => Handedness::Left,
                other => return Err(unknown_value("handedness", other, &["right", "left"])),
            },
            unit_meters,
            ..Axes::default()
        },
        skeleton: skeleton(&bones)?,
        ..Model::default()
    };
    for (number, dict) in materials.iter().enumerate() {
        let of = DictArg::new(
            "materials",
            number,
            dict,
            &["name", "base_color", "metallic", "roughness", "emissive", "two_sided", "textures"],
        )?;
        let material = material::material(&of, &mut model.images)?;
        model.materials.push(material);
    }
    let binds = model.skeleton.rest_binds();
    for (number, dict) in meshes.iter().enumerate() {
        let mesh = mesh::mesh(&DictArg::new("meshes", number, dict, mesh::MESH_KEYS)?, &binds)?;
        model.meshes.push(mesh);
    }
    let num_targets: Vec<_> = model.meshes.iter().map(|mesh| mesh.morph_targets.len()).collect();
    for (number, dict) in clips.iter().enumerate() {
        let of = DictArg::new("clips", number, dict, clip::CLIP_KEYS)?;
        model.clips.push(clip::clip(&of, model.skeleton.len(), &num_targets)?);
    }
    Ok(document::Model::new(detached(py, || Document::of_model(model))).with_origin(origin))
}

fn skeleton(bones: &[Dict<'_>]) -> PyResult<Skeleton> {
    let bone = |(number, dict)| {
        let keys = &["name", "parent", "rest", "translation", "rotation", "scale"];
        let of = DictArg::new("bones", number, dict, keys)?;
        let parent: Option<i64> = of.typed("parent", "the number of a bone")?;
        Ok(Bone {
            name: of.text("name")?,
            parent: match parent {
                None | Some(-1) => None,
                Some(parent) => Some(BoneId(
                    u32::try_from(parent).map_err(|_| of.wrong("parent", "not a bone"))?,
                )),
            },
            rest_local: rest(&of)?,
            ..Bone::default()
        })
    };
    let bones = bones.iter().enumerate().map(bone).collect::<PyResult<_>>()?;
    Skeleton::new(bones, true).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The rest transform: a matrix, or translation, rotation and scale.
fn rest(of: &DictArg<'_, '_>) -> PyResult<LocalTransform> {
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
