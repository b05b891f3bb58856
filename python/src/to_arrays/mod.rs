//! A model as the keywords of `rigscope.build`, which gives the model back.
//!
//! Arrays are copies, which the caller can change. Keys with the default value of `build` are left out of dictionaries,
//! except for names; the keywords are all there.

mod clip;
mod material;
mod mesh;
mod skin;

use glam::{Mat4, Vec3};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rigscope::model::value_names::{self as names, name_of};
use rigscope::model::{Bone, BoneKind, LocalTransform, Model};

use crate::arrays::{matrix, owned_array};

pub(crate) use clip::{matrices_of, morph_tracks_of, tracks_of};

/// The keywords for `model`, which is the content of `object`.
pub(crate) fn to_arrays<'py>(
    py: Python<'py>,
    model: &Model,
    object: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let like = py.import("rigscope.opening")?.call_method1("like_of", (object,))?;
    let parts = PyDict::new(py);
    let meshes: PyResult<Vec<_>> = model.meshes.iter().map(|mesh| mesh::mesh(py, mesh)).collect();
    parts.set_item("meshes", meshes?)?;
    let bones: PyResult<Vec<_>> = model.skeleton.bones().iter().map(|own| bone(py, own)).collect();
    parts.set_item("bones", bones?)?;
    let clips = (0..model.clips.len()).map(|number| clip::clip(py, model, number));
    parts.set_item("clips", clips.collect::<PyResult<Vec<_>>>()?)?;
    let materials = model.materials.iter().map(|own| material::material(py, own));
    parts.set_item("materials", materials.collect::<PyResult<Vec<_>>>()?)?;
    let images = model.images.iter().map(|own| material::image(py, own));
    parts.set_item("images", images.collect::<PyResult<Vec<_>>>()?)?;
    parts.set_item("name", &model.name)?;
    parts.set_item("copyright", model.copyright.as_deref())?;
    let axes = &model.axes;
    parts.set_item("up", name_of(names::UP, &axes.up))?;
    parts.set_item("handedness", name_of(names::HANDEDNESS, &axes.handedness))?;
    parts.set_item("winding", name_of(names::WINDING, &axes.winding))?;
    parts.set_item("faces_backward", axes.faces_backward)?;
    parts.set_item("unit_meters", axes.unit_meters)?;
    parts.set_item("has_hierarchy", model.skeleton.has_hierarchy())?;
    parts.set_item("default_pose", name_of(names::DEFAULT_POSE, &model.default_pose))?;
    parts.set_item("normal_matrix", name_of(names::NORMAL_MATRIX, &model.normal_matrix))?;
    let hulls = PyList::empty(py);
    for hull in &model.hulls {
        hulls.append(vectors(py, &hull.points)?)?;
    }
    parts.set_item("hulls", hulls)?;
    let occluder = model.occluder.as_ref().map(|own| {
        let num = own.indices.len() / 3;
        let triangles = owned_array(py, own.indices[..num * 3].to_vec(), [num, 3])?;
        PyResult::Ok((vectors(py, &own.positions)?, triangles))
    });
    parts.set_item("occluder", occluder.transpose()?)?;
    let bounds = model.stored_bounds.map(|own| {
        let bounds = PyDict::new(py);
        bounds.set_item("min", vector(py, own.aabb.min)?)?;
        bounds.set_item("max", vector(py, own.aabb.max)?)?;
        bounds.set_item("center", vector(py, own.sphere_center)?)?;
        bounds.set_item("radius", own.sphere_radius)?;
        PyResult::Ok(bounds)
    });
    parts.set_item("stored_bounds", bounds.transpose()?)?;
    parts.set_item("like", like)?;
    Ok(parts)
}

fn bone<'py>(py: Python<'py>, own: &Bone) -> PyResult<Bound<'py, PyDict>> {
    let bone = PyDict::new(py);
    bone.set_item("name", &own.name)?;
    bone.set_item("parent", own.parent.map(|parent| parent.0))?;
    match &own.rest_local {
        LocalTransform::Trs(trs) => {
            bone.set_item("translation", vector(py, trs.translation)?)?;
            bone.set_item("rotation", owned_array(py, trs.rotation.to_array().to_vec(), [4])?)?;
            bone.set_item("scale", vector(py, trs.scale)?)?;
        }
        LocalTransform::Matrix(own) => bone.set_item("rest", matrix(py, Mat4::from(*own))?)?,
    }
    if own.kind != BoneKind::Bone {
        bone.set_item("kind", name_of(names::BONE_KIND, &own.kind))?;
    }
    if let Some(size) = own.box_size {
        bone.set_item("box_size", vector(py, size)?)?;
    }
    Ok(bone)
}

/// (3,) float32.
fn vector(py: Python<'_>, vector: Vec3) -> PyResult<Bound<'_, PyAny>> {
    owned_array(py, vector.to_array().to_vec(), [3])
}

/// (n, 3) float32.
fn vectors<'py>(py: Python<'py>, vectors: &[Vec3]) -> PyResult<Bound<'py, PyAny>> {
    rows::<3>(py, bytemuck::cast_slice(vectors))
}

/// (n, N) float32.
fn rows<'py, const N: usize>(py: Python<'py>, numbers: &[f32]) -> PyResult<Bound<'py, PyAny>> {
    owned_array(py, numbers.to_vec(), [numbers.len() / N, N])
}
