//! Materials, their textures, and images.

use glam::Mat3;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rigscope::model::value_names::{self as names, name_of};
use rigscope::model::{AlphaMode, Image, Material, MaterialLook, TextureRef, Wrap};

use crate::arrays::owned_array;

pub(super) fn image<'py>(py: Python<'py>, own: &Image) -> PyResult<Bound<'py, PyDict>> {
    let image = PyDict::new(py);
    image.set_item("name", &own.name)?;
    image.set_item("data", PyBytes::new(py, &own.bytes))?;
    image.set_item("is_embedded", own.is_embedded)?;
    Ok(image)
}

pub(super) fn material<'py>(py: Python<'py>, own: &Material) -> PyResult<Bound<'py, PyDict>> {
    let material = PyDict::new(py);
    material.set_item("name", &own.name)?;
    if let Some(look) = own.look.as_deref() {
        set_look(&material, look)?;
    }
    if !own.textures.is_empty() {
        let textures = PyList::empty(py);
        for own in &own.textures {
            textures.append(texture(py, own)?)?;
        }
        material.set_item("textures", textures)?;
    }
    Ok(material)
}

/// All properties, because a material without any states none.
fn set_look(material: &Bound<'_, PyDict>, look: &MaterialLook) -> PyResult<()> {
    material.set_item(
        "alpha",
        match look.alpha {
            AlphaMode::Opaque => "opaque",
            AlphaMode::Mask(_) => "mask",
            AlphaMode::Blend => "blend",
        },
    )?;
    material.set_item("two_sided", look.is_two_sided)?;
    material.set_item("unlit", look.is_unlit)?;
    material.set_item("depth_only", look.is_depth_only)?;
    for (key, property) in names::PROPERTY {
        if *key == "alpha_cutoff" && !matches!(look.alpha, AlphaMode::Mask(_)) {
            continue;
        }
        let value = property.get(look).to_array();
        match property.num_components() {
            1 => material.set_item(key, value[0])?,
            num => material.set_item(key, value[..num].to_vec())?,
        }
    }
    if let Some(own) = look.draw {
        let draw = PyDict::new(material.py());
        draw.set_item("order", own.order)?;
        draw.set_item("tests_depth", own.tests_depth)?;
        draw.set_item("writes_depth", own.writes_depth)?;
        material.set_item("draw", draw)?;
    }
    Ok(())
}

fn texture<'py>(py: Python<'py>, own: &TextureRef) -> PyResult<Bound<'py, PyDict>> {
    let texture = PyDict::new(py);
    texture.set_item("role", own.role.info().name)?;
    texture.set_item("path", &own.path)?;
    texture.set_item("image", own.image.map(|image| image.0))?;
    if own.uv_set != 0 {
        texture.set_item("uv_set", own.uv_set)?;
    }
    if own.wrap != [Wrap::Repeat; 2] {
        texture.set_item("wrap", own.wrap.map(|wrap| name_of(names::WRAP, &wrap)).to_vec())?;
    }
    if let Some(placed) = own.texture_from_uv.as_deref() {
        let rows = Mat3::from(*placed).transpose().to_cols_array().to_vec();
        texture.set_item("transform", owned_array(py, rows, [3, 3])?)?;
    }
    if own.is_found_by_name {
        texture.set_item("found_by_name", true)?;
    }
    Ok(texture)
}
