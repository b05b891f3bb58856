//! Posed vertices and bones.

use bytemuck::cast_slice;
use glam::{Affine3A, Mat4};
use pyo3::exceptions::{PyIndexError, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use rigscope::model::MeshId;
use rigscope::{Pose, PoseSpec, SkinnedMesh};
use rigscope_python_macros::guarded;

use crate::arrays::{matrices, owned_array};
use crate::document::Model;
use crate::pose_args::moment_args;
use crate::results::result;
use crate::running::detached;
use crate::typed_args::MeshNumber;

/// Poses that are computed before Python may interrupt.
const NUM_AT_ONCE: usize = 64;

/// The meshes in one pose, with arrays of (n, 3) and (n, 4).
pub(crate) fn posed<'py>(
    py: Python<'py>,
    model: &rigscope::Model,
    spec: &PoseSpec,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let meshes = detached(py, || rigscope::pose(model, spec));
    let mesh = |mesh: SkinnedMesh| {
        let numbers = numbers_of(&mesh).map(<[f32]>::to_vec);
        posed_mesh(py, numbers, &[])
    };
    meshes.into_iter().map(mesh).collect()
}

/// The meshes in several poses, with arrays of (poses, n, 3) and (poses, n, 4), computed on all cores.
pub(crate) fn posed_at<'py>(
    py: Python<'py>,
    model: &rigscope::Model,
    specs: &[PoseSpec],
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let lens: Vec<[usize; 3]> = match specs.first() {
        Some(spec) => detached(py, || {
            let meshes = rigscope::pose(model, spec);
            meshes.iter().map(|mesh| numbers_of(mesh).map(<[f32]>::len)).collect()
        }),
        None => model.meshes.iter().map(|_| [0; 3]).collect(),
    };
    let zeros = |len: usize| -> PyResult<Vec<f32>> {
        let len = len.saturating_mul(specs.len());
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(len).map_err(|_| {
            PyMemoryError::new_err(format!("{} poses don't fit into memory", specs.len()))
        })?;
        numbers.resize(len, 0.0);
        Ok(numbers)
    };
    let mut arrays = Vec::new();
    for [positions, normals, tangents] in &lens {
        arrays.push([zeros(*positions)?, zeros(*normals)?, zeros(*tangents)?]);
    }
    for first in (0..specs.len()).step_by(NUM_AT_ONCE) {
        let specs = specs.iter().skip(first).take(NUM_AT_ONCE);
        // For each pose, its part of each array.
        let mut jobs: Vec<(&PoseSpec, Vec<[&mut [f32]; 3]>)> =
            specs.map(|spec| (spec, Vec::new())).collect();
        for (arrays, lens) in arrays.iter_mut().zip(&lens) {
            let [positions, normals, tangents] = arrays;
            let of_poses = |array, len: usize| rows(array, len, first);
            let parts = of_poses(positions, lens[0]);
            let parts = parts.zip(of_poses(normals, lens[1])).zip(of_poses(tangents, lens[2]));
            for ((_, own), ((positions, normals), tangents)) in jobs.iter_mut().zip(parts) {
                own.push([positions, normals, tangents]);
            }
        }
        detached(py, || {
            jobs.par_iter_mut().for_each(|(spec, parts)| {
                for (mesh, parts) in rigscope::pose(model, spec).iter().zip(parts) {
                    for (numbers, part) in numbers_of(mesh).into_iter().zip(parts) {
                        part.copy_from_slice(numbers);
                    }
                }
            });
        });
        py.check_signals()?;
    }
    arrays.into_iter().map(|arrays| posed_mesh(py, arrays, &[specs.len()])).collect()
}

/// The part of an array for each pose from number `first` on; empty parts if a pose has no numbers.
fn rows(array: &mut [f32], len: usize, first: usize) -> impl Iterator<Item = &mut [f32]> {
    let (_, rest) = array.split_at_mut(first * len);
    let empty = (len == 0).then(|| std::iter::repeat_with(|| [].as_mut_slice()));
    rest.chunks_exact_mut(len.max(1)).chain(empty.into_iter().flatten())
}

/// Positions, normals and tangents.
fn numbers_of(mesh: &SkinnedMesh) -> [&[f32]; 3] {
    [cast_slice(&mesh.positions), cast_slice(&mesh.normals), cast_slice(&mesh.tangents)]
}

fn posed_mesh<'py>(
    py: Python<'py>,
    numbers: [Vec<f32>; 3],
    num_poses: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    let poses: usize = num_poses.iter().product();
    for ((name, width), numbers) in
        [("positions", 3), ("normals", 3), ("tangents", 4)].into_iter().zip(numbers)
    {
        let rows = numbers.len() / width / poses.max(1);
        let array = match num_poses {
            [] => owned_array(py, numbers, [rows, width])?,
            _ => owned_array(py, numbers, [poses, rows, width])?,
        };
        fields.set_item(name, array)?;
    }
    result("PosedMesh", &fields)
}

/// All bones at one time.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct BonePose {
    model: Model,
    pose: Pose,
    spec: PoseSpec,
    /// The name of the sampling in `spec`.
    sampling: String,
}

impl BonePose {
    pub(crate) fn at(py: Python<'_>, model: &Model, spec: PoseSpec, sampling: String) -> Self {
        let pose = detached(py, || Pose::at(model.model(), &spec));
        Self { model: model.clone(), pose, spec, sampling }
    }
}

fn of_affine<'py>(py: Python<'py>, list: &[Affine3A]) -> PyResult<Bound<'py, PyAny>> {
    matrices(py, list.iter().map(|&matrix| Mat4::from(matrix)))
}

#[guarded]
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
        let meshes = &self.model.model().meshes;
        let Some(of_mesh) = meshes.get(MeshId::from_index(mesh)) else {
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (clip, time, key) = moment_args(&self.spec);
        let resample = py.import("rigscope.opening")?.getattr("sampled")?;
        let state = (resample, (self.model.clone(), clip, time, key, &self.sampling));
        Ok(state.into_pyobject(py)?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<BonePose: {}>", self.model.model().bones_text())
    }
}
