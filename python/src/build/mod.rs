//! Building models from arrays.
//!
//! | file | is for |
//! |---|---|
//! | `dict_arg` | dictionaries whose errors name the key |
//! | `bone`, `mesh`, `skin`, `morph`, `clip`, `track`, `material` | the parts of a model |
//! | `like`, `packed` | facts of another model that arrays can't express, and its packed layout |
//!
//! `crate::to_arrays` makes the same dictionaries from a model.

mod bone;
mod clip;
mod dict_arg;
mod like;
mod material;
mod mesh;
mod morph;
mod packed;
mod skin;
mod track;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rigscope::Document;
use rigscope::model::value_names as names;
use rigscope::model::{Aabb, Axes, Hull, Model, OcclusionMesh, StoredBounds};

use crate::arrays::read_array;
use crate::document;
use crate::running::detached;
use dict_arg::{Dict, DictArg, vec3s, wrong_type};
use rigscope_python_macros::guarded;

const MODEL_KEYS: &[&str] = &[
    "meshes",
    "bones",
    "clips",
    "materials",
    "images",
    "name",
    "copyright",
    "up",
    "handedness",
    "winding",
    "faces_backward",
    "unit_meters",
    "has_hierarchy",
    "default_pose",
    "normal_matrix",
    "hulls",
    "occluder",
    "stored_bounds",
];

/// Builds a model from the keywords of `rigscope.build`, which describes them.
///
/// :param parts: the keywords, except for `like`
/// :param like: a model whose remaining facts are taken over
/// :param origin: a function and its arguments, which pickle stores
#[guarded]
#[pyfunction]
#[pyo3(signature = (parts, *, like = None, origin = None))]
pub(crate) fn build<'py>(
    py: Python<'py>,
    parts: Dict<'py>,
    like: Option<Bound<'py, document::Model>>,
    origin: Option<Py<PyAny>>,
) -> PyResult<document::Model> {
    let of = DictArg::new(String::new(), parts, MODEL_KEYS)?;
    let mut model = Model {
        name: of.text("name")?,
        copyright: of.typed("copyright", "a string")?,
        axes: axes(&of)?,
        skeleton: bone::skeleton(&of)?,
        default_pose: of.named("default_pose", names::DEFAULT_POSE)?.unwrap_or_default(),
        normal_matrix: of.named("normal_matrix", names::NORMAL_MATRIX)?.unwrap_or_default(),
        hulls: hulls(&of)?,
        occluder: occluder(&of)?,
        stored_bounds: stored_bounds(&of)?,
        images: material::images(&of)?.into(),
        ..Model::default()
    };
    for of in of.dicts("materials", material::MATERIAL_KEYS)? {
        let material = material::material(&of, &mut model.images)?;
        model.materials.push(material);
    }
    let binds = model.skeleton.rest_binds();
    for of in of.dicts("meshes", mesh::MESH_KEYS)? {
        model.meshes.push(mesh::mesh(&of, &binds, model.materials.len())?);
    }
    for of in of.dicts("clips", clip::CLIP_KEYS)? {
        let clip = clip::clip(&of, &model)?;
        model.clips.push(clip);
    }
    let like = like.as_ref().map(|like| like.get().model());
    let document = detached(py, || {
        if let Some(like) = like {
            like::take_over(&mut model, like);
        }
        let mut document = Document::of_model(model);
        if let Some(like) = like {
            like::take_over_skins(&mut document.model, like);
        }
        document
    });
    Ok(document::Model::new(document).with_origin(origin))
}

fn axes(of: &DictArg<'_>) -> PyResult<Axes> {
    let plain = Axes::default();
    Ok(Axes {
        up: of.named("up", names::UP)?.unwrap_or(plain.up),
        handedness: of.named("handedness", names::HANDEDNESS)?.unwrap_or(plain.handedness),
        winding: of.named("winding", names::WINDING)?.unwrap_or(plain.winding),
        unit_meters: of.number("unit_meters")?,
        faces_backward: of.flag("faces_backward")?,
    })
}

fn hulls(of: &DictArg<'_>) -> PyResult<Vec<Hull>> {
    let hulls = of.list("hulls", "a list of arrays")?.into_iter().enumerate();
    let hull = |(number, points): (usize, Bound<'_, PyAny>)| {
        let what = format!("{}[{number}]", of.what("hulls"));
        let points = read_array::<f32, 2>(&points, &what, [None, Some(3)])?;
        Ok(Hull { points: vec3s(&points.data) })
    };
    hulls.map(hull).collect()
}

fn occluder(of: &DictArg<'_>) -> PyResult<Option<OcclusionMesh>> {
    let Some(value) = of.get("occluder")? else { return Ok(None) };
    let what = of.what("occluder");
    let pair = value.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
    let (positions, triangles) =
        pair.map_err(|_| wrong_type(&what, "positions and triangles", &value))?;
    let positions = read_array::<f32, 2>(&positions, &what, [None, Some(3)])?;
    let triangles = read_array::<u32, 2>(&triangles, &what, [None, Some(3)])?;
    Ok(Some(OcclusionMesh { positions: vec3s(&positions.data), indices: triangles.data }))
}

fn stored_bounds(of: &DictArg<'_>) -> PyResult<Option<StoredBounds>> {
    let keys = &["min", "max", "center", "radius"];
    let Some(of) = of.dict("stored_bounds", keys)? else { return Ok(None) };
    let point = |key| {
        let what = of.what(key);
        let point = read_array::<f32, 1>(&of.needed(key)?, &what, [Some(3)])?;
        PyResult::Ok(glam::Vec3::from_slice(&point.data))
    };
    of.needed("radius")?;
    let sphere_radius = of.typed("radius", "a number")?.unwrap_or_default();
    let aabb = Aabb { min: point("min")?, max: point("max")? };
    let bounds = StoredBounds { aabb, sphere_center: point("center")?, sphere_radius };
    if bounds.is_finite() { Ok(Some(bounds)) } else { Err(of.wrong("radius", "must be finite")) }
}

/// The error of a model that contradicts itself.
fn contradiction(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
