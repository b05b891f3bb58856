//! Posed vertices and bones.

use std::sync::Arc;

use glam::{Affine3A, Mat4};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rigscope::model::MeshId;
use rigscope::{Document, Pose, SkinnedMesh};

use crate::arrays::{borrowed_array, matrices, owned_array};
use crate::typed_args::MeshNumber;

/// The vertices of one mesh in a pose.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct PosedMesh(SkinnedMesh);

impl From<SkinnedMesh> for PosedMesh {
    fn from(mesh: SkinnedMesh) -> Self {
        Self(mesh)
    }
}

#[pymethods]
impl PosedMesh {
    /// (n, 3) float32, display space. A view.
    #[getter]
    fn positions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let positions = &slf.get().0.positions;
        borrowed_array::<f32, 2>(
            slf.as_any(),
            bytemuck::cast_slice(positions),
            [positions.len(), 3],
        )
    }

    /// (n, 3) float32, of unit length or zero, display space. A view.
    #[getter]
    fn normals<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let normals = &slf.get().0.normals;
        borrowed_array::<f32, 2>(slf.as_any(), bytemuck::cast_slice(normals), [normals.len(), 3])
    }

    /// (n, 4) float32, direction and the sign of the bitangent, display space. A view.
    #[getter]
    fn tangents<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let tangents = &slf.get().0.tangents;
        borrowed_array::<f32, 2>(slf.as_any(), bytemuck::cast_slice(tangents), [tangents.len(), 4])
    }

    fn __repr__(&self) -> String {
        format!("<PosedMesh: {} vertices>", self.0.positions.len())
    }
}

/// All bones at one time.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct BonePose {
    document: Arc<Document>,
    pose: Pose,
}

impl BonePose {
    pub(crate) fn new(document: &Arc<Document>, pose: Pose) -> Self {
        Self { document: Arc::clone(document), pose }
    }
}

fn of_affine<'py>(py: Python<'py>, list: &[Affine3A]) -> PyResult<Bound<'py, PyAny>> {
    matrices(py, list.iter().map(|&matrix| Mat4::from(matrix)))
}

#[pymethods]
impl BonePose {
    /// (b, 4, 4) float32: each bone relative to its parent, file space; `None` if keys are baked skinning
    /// matrices.
    #[getter]
    fn parent_from_bone<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.pose.model_from_mesh {
            Some(_) => Ok(None),
            None => of_affine(py, &self.pose.parent_from_bone).map(Some),
        }
    }

    /// (b, 4, 4) float32: transform of each bone, file space; `None` if keys are baked skinning matrices.
    #[getter]
    fn model_from_bone<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.pose.model_from_mesh {
            Some(_) => Ok(None),
            None => of_affine(py, &self.pose.model_from_bone).map(Some),
        }
    }

    /// (s, 4, 4) float32: the skinning matrix of each slot of a mesh, which its stored positions are multiplied
    /// by, file space.
    #[pyo3(signature = (mesh = MeshNumber(0)), text_signature = "($self, mesh=0)")]
    fn model_from_mesh<'py>(
        &self,
        py: Python<'py>,
        mesh: MeshNumber,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mesh = mesh.0;
        let meshes = &self.document.model.meshes;
        let Some(of_mesh) = meshes.get(mesh) else {
            let message = format!("there is no mesh {mesh} among {}", meshes.len());
            return Err(PyIndexError::new_err(message));
        };
        of_affine(py, &self.pose.of_mesh(MeshId::from_index(mesh), of_mesh).palette)
    }

    /// The weights of morph targets: one array per mesh.
    #[getter]
    fn morph_weights<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let weights = self.pose.morph_weights.iter();
        weights.map(|weights| owned_array(py, weights.clone(), [weights.len()])).collect()
    }

    fn __repr__(&self) -> String {
        format!("<BonePose: {} bones>", self.document.model.skeleton.len())
    }
}
