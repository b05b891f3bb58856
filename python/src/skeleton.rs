//! The skeleton and its bones.

use glam::Mat4;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use rigscope::model;
use rigscope_python_macros::guarded;

use crate::arrays::{matrices, matrix, owned_array};
use crate::document::Model;
use crate::results::{parts, reduced};

/// All bones of a model.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Skeleton(Model);

impl Skeleton {
    pub(crate) fn new(model: &Model) -> Self {
        Self(model.clone())
    }

    fn skeleton(&self) -> &model::Skeleton {
        &self.0.model().skeleton
    }
}

#[guarded]
#[pymethods]
impl Skeleton {
    /// All bones, in the order of the file.
    #[getter]
    fn bones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let num = self.skeleton().len();
        let bones: Vec<_> = (0..num).map(|index| Bone { model: self.0.clone(), index }).collect();
        parts(py, bones)
    }

    /// The name of each bone; `bone 7` if it has no name.
    #[getter]
    fn names(&self) -> Vec<String> {
        let ids = (0..self.skeleton().len()).map(model::BoneId::from_index);
        ids.map(|bone| self.skeleton().display_name(bone)).collect()
    }

    /// (b,) int64: the parent of each bone, -1 for roots.
    #[getter]
    fn parents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let parent = |bone: &model::Bone| match bone.parent {
            Some(parent) => i64::from(parent.0),
            None => -1,
        };
        let parents: Vec<i64> = self.skeleton().bones().iter().map(parent).collect();
        let num = parents.len();
        owned_array(py, parents, [num])
    }

    /// (b, 4, 4) float32: the rest transform of each bone relative to its parent, file space. A copy.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bones = self.skeleton().bones().iter();
        matrices(py, bones.map(|bone| Mat4::from(bone.rest_local.to_affine())))
    }

    /// Whether the file stores the hierarchy.
    #[getter]
    fn has_hierarchy(&self) -> bool {
        self.skeleton().has_hierarchy()
    }

    fn __len__(&self) -> usize {
        self.skeleton().len()
    }

    /// A bone by name or number.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        bone: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.bones(py)?.get_item(bone)
    }

    fn __contains__<'py>(&self, py: Python<'py>, bone: Bound<'py, PyAny>) -> PyResult<bool> {
        self.bones(py)?.contains(bone)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.bones(py)?.try_iter()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.0, ("skeleton",))
    }

    fn __repr__(&self) -> String {
        format!("<Skeleton: {}>", self.0.model().bones_text())
    }
}

/// One bone.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Bone {
    model: Model,
    index: usize,
}

impl Bone {
    fn bone(&self) -> &model::Bone {
        &self.model.model().skeleton.bones()[model::BoneId::from_index(self.index)]
    }
}

#[guarded]
#[pymethods]
impl Bone {
    /// The index of the bone.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// The name of the bone; `bone 7` if it has no name.
    #[getter]
    fn name(&self) -> String {
        self.model.model().skeleton.display_name(model::BoneId::from_index(self.index))
    }

    /// The index of the parent; `None` for roots.
    #[getter]
    fn parent(&self) -> Option<u32> {
        self.bone().parent.map(|parent| parent.0)
    }

    /// (4, 4) float32: the rest transform relative to the parent, file space.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        matrix(py, self.bone().rest_local.to_affine().into())
    }

    /// `"bone"`, `"node"` (of the scene, outside the skeleton) or `"helper"` (added by the reader).
    #[getter]
    fn kind(&self) -> &'static str {
        if self.bone().is_helper() {
            "helper"
        } else {
            self.model.model().noun_of(model::BoneId::from_index(self.index)).one()
        }
    }

    /// Whether this is a scene node that doesn't deform anything by itself.
    #[getter]
    fn is_helper(&self) -> bool {
        self.bone().is_helper()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.model, ("skeleton", "bones", self.index))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Bone {} {:?}>", self.index, self.name()?))
    }
}
