//! Materials, textures and images.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::model::{self, AlphaMode, ImageId, MaterialId, Wrap};
use rigscope_python_macros::guarded;

use crate::arrays::borrowed_array;
use crate::document::Model;
use crate::results::reduced;

/// One material of a model.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Material {
    model: Model,
    index: usize,
}

impl Material {
    pub(crate) fn new(model: &Model, index: usize) -> Self {
        Self { model: model.clone(), index }
    }

    fn material(&self) -> &model::Material {
        &self.model.model().materials[MaterialId::from_index(self.index)]
    }
}

#[guarded]
#[pymethods]
impl Material {
    /// The index of the material.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// The name of the material.
    #[getter]
    fn name(&self) -> &str {
        &self.material().name
    }

    /// The textures of the material.
    #[getter]
    fn textures(&self) -> Vec<Texture> {
        let texture =
            |texture| Texture { model: self.model.clone(), material: self.index, texture };
        (0..self.material().textures.len()).map(texture).collect()
    }

    /// Parameters of a physically based material; `None` if the file doesn't store them.
    #[getter]
    fn look<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(look) = self.material().look.as_deref() else { return Ok(None) };
        let entries = PyDict::new(py);
        let (alpha, cutoff) = match look.alpha {
            AlphaMode::Opaque => ("opaque", None),
            AlphaMode::Mask(cutoff) => ("mask", Some(cutoff)),
            AlphaMode::Blend => ("blend", None),
        };
        entries.set_item("base_color", look.base_color.to_array())?;
        entries.set_item("alpha", alpha)?;
        entries.set_item("alpha_cutoff", cutoff)?;
        entries.set_item("two_sided", look.is_two_sided)?;
        entries.set_item("unlit", look.is_unlit)?;
        entries.set_item("depth_only", look.is_depth_only)?;
        entries.set_item("metallic", look.metallic)?;
        entries.set_item("roughness", look.roughness)?;
        entries.set_item("emissive", look.emissive.to_array())?;
        entries.set_item("normal_scale", look.normal_scale)?;
        entries.set_item("occlusion_strength", look.occlusion_strength)?;
        entries.set_item("ior", look.ior)?;
        entries.set_item("specular", look.specular)?;
        entries.set_item("specular_color", look.specular_color.to_array())?;
        entries.set_item("clearcoat", look.clearcoat)?;
        entries.set_item("clearcoat_roughness", look.clearcoat_roughness)?;
        entries.set_item("sheen_color", look.sheen_color.to_array())?;
        entries.set_item("sheen_roughness", look.sheen_roughness)?;
        entries.set_item("transmission", look.transmission)?;
        Ok(Some(entries))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.model, ("materials", self.index))
    }

    fn __repr__(&self) -> String {
        format!("<Material {} {:?}>", self.index, self.material().name)
    }
}

/// A texture of a material.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Texture {
    model: Model,
    material: usize,
    texture: usize,
}

impl Texture {
    fn texture(&self) -> &model::TextureRef {
        &self.model.model().materials[MaterialId::from_index(self.material)].textures[self.texture]
    }
}

#[guarded]
#[pymethods]
impl Texture {
    /// The role of the texture: `"base-color"`, `"normal"`, `"metallic-roughness"` …
    #[getter]
    fn role(&self) -> &'static str {
        self.texture().role.info().name
    }

    /// The path as the file spells it, or the name of the image inside the file.
    #[getter]
    fn path(&self) -> &str {
        self.model.model().texture_name(self.texture())
    }

    /// The index of the image; `None` if it wasn't found.
    #[getter]
    fn image(&self) -> Option<u32> {
        self.texture().image.map(|image| image.0)
    }

    /// The index of the UV set.
    #[getter]
    fn uv_set(&self) -> u8 {
        self.texture().uv_set
    }

    /// Wrap modes for u and v: `"repeat"`, `"clamp"` or `"mirror"`.
    #[getter]
    fn wrap(&self) -> [&'static str; 2] {
        self.texture().wrap.map(|wrap| match wrap {
            Wrap::Repeat => "repeat",
            Wrap::Clamp => "clamp",
            Wrap::Mirror => "mirror",
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.model, ("materials", self.material, "textures", self.texture))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Texture {} {:?}>", self.role()?, self.path()?))
    }
}

/// An image used by textures.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Image {
    model: Model,
    index: usize,
}

impl Image {
    pub(crate) fn new(model: &Model, index: usize) -> Self {
        Self { model: model.clone(), index }
    }

    fn image(&self) -> &model::Image {
        &self.model.model().images[ImageId::from_index(self.index)]
    }
}

#[guarded]
#[pymethods]
impl Image {
    /// The name of the image.
    #[getter]
    fn name(&self) -> &str {
        &self.image().name
    }

    /// Whether the image is inside the model file.
    #[getter]
    fn is_embedded(&self) -> bool {
        self.image().is_embedded
    }

    /// The bytes of the image file.
    #[getter]
    fn data<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let bytes: &[u8] = &slf.get().image().bytes;
        borrowed_array(slf.as_any(), bytes, [bytes.len()])
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.model, ("images", self.index))
    }

    fn __repr__(&self) -> String {
        format!("<Image {:?}: {} bytes>", self.image().name, self.image().bytes.len())
    }
}
