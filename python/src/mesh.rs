//! Meshes: their vertices, triangles, influences and morph targets as arrays.

use glam::{Vec2, Vec3, Vec4};
use pyo3::prelude::*;
use rigscope::model::{
    self, Blending, Indices, Influences, MeshId, Skin, Streams, VERTEX_STRIDE_BYTES, VertexData,
};
use rigscope_python_macros::guarded;

use crate::arrays::{borrowed_array, matrices, owned_array};
use crate::document::Model;
use crate::results::{parts, reduced};
use crate::running::detached;

/// One mesh of a model.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Mesh {
    model: Model,
    index: usize,
}

impl Mesh {
    pub(crate) fn new(model: &Model, index: usize) -> Self {
        Self { model: model.clone(), index }
    }

    fn mesh(&self) -> &model::Mesh {
        &self.model.model().meshes[MeshId::from_index(self.index)]
    }

    /// One attribute: a view of the floats in the model, or values decoded from packed vertices. `None` if the mesh
    /// doesn't have the attribute.
    fn attribute<'py, T: bytemuck::Pod, const N: usize>(
        slf: &Bound<'py, Self>,
        of_streams: impl Fn(&Streams) -> &[T],
        of_packed: fn(&model::PackedVertex) -> Option<[f32; N]>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mesh = slf.get().mesh();
        match &mesh.vertices {
            VertexData::Streams(streams) => {
                let values = of_streams(streams);
                if values.is_empty() {
                    return Ok(None);
                }
                let numbers: &[f32] = bytemuck::cast_slice(values);
                borrowed_array(slf.as_any(), numbers, [values.len(), N]).map(Some)
            }
            VertexData::Packed(packed) => {
                let decoded = || packed.iter().map_while(|vertex| of_packed(&vertex)).flatten();
                let decoded: Vec<f32> = detached(slf.py(), || decoded().collect());
                if decoded.len() == packed.len() * N && !packed.is_empty() {
                    owned_array(slf.py(), decoded, [packed.len(), N]).map(Some)
                } else {
                    Ok(None)
                }
            }
        }
    }

    /// Influences as compressed rows: offsets (one more than vertices), slots, weights.
    fn rows(&self) -> (Vec<u32>, Vec<u32>, Vec<f32>) {
        let mesh = self.mesh();
        let num_vertices = mesh.num_vertices();
        let (mut first, mut slots, mut weights) = (vec![0], Vec::new(), Vec::new());
        first.reserve(num_vertices);
        let mut visit = |slot, weight| {
            slots.push(slot);
            weights.push(weight);
        };
        let mut num_rows = Vec::with_capacity(num_vertices);
        for vertex in 0..num_vertices {
            let mut num = 0u32;
            let mut counted = |slot, weight| {
                num += 1;
                visit(slot, weight);
            };
            match &mesh.skin {
                Skin::None => {
                    if mesh.attached_to.is_some() {
                        counted(0, 1.0);
                    }
                }
                Skin::InverseBind(skin) => mesh.for_each_slot(skin, vertex, counted),
                Skin::BoneLocal(skin) => skin.for_each(vertex, |i| counted(i.bone.0, i.weight)),
            }
            num_rows.push(num);
        }
        let mut sum = 0;
        first.extend(num_rows.into_iter().map(|num| {
            sum += num;
            sum
        }));
        (first, slots, weights)
    }
}

#[guarded]
#[pymethods]
impl Mesh {
    /// Name in the file; empty if the format doesn't store one.
    #[getter]
    fn name(&self) -> &str {
        &self.mesh().name
    }

    /// Number of vertices.
    #[getter]
    fn num_vertices(&self) -> usize {
        self.mesh().num_vertices()
    }

    /// Number of triangles.
    #[getter]
    fn num_triangles(&self) -> usize {
        self.mesh().num_triangles()
    }

    /// (n, 3) float32, as stored: the bind pose in file space. A view; a copy if vertices are packed.
    #[getter]
    fn positions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let positions = Self::attribute::<Vec3, 3>(
            slf,
            |streams| &streams.positions,
            |packed| Some(packed.position.to_array()),
        )?;
        positions.map_or_else(|| owned_array(slf.py(), Vec::<f32>::new(), [0, 3]), Ok)
    }

    /// (n, 3) float32, as stored; `None` if they are missing. A view; a copy if vertices are packed.
    #[getter]
    fn normals<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Self::attribute::<Vec3, 3>(
            slf,
            |streams| &streams.normals,
            |packed| Some(packed.normal_decoded().to_array()),
        )
    }

    /// (n, 4) float32: direction, and the sign of the bitangent: `w * cross(normal, tangent)`; `None` if
    /// the mesh has none. A view; a copy if vertices are packed.
    #[getter]
    fn tangents<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Self::attribute::<Vec4, 4>(
            slf,
            |streams| &streams.tangents,
            |packed| Some(packed.tangent_decoded().to_array()),
        )
    }

    /// (n, 4) float32, linear RGBA; `None` if they are missing. A view.
    #[getter]
    fn colors<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Self::attribute::<Vec4, 4>(slf, |streams| &streams.colors, |_| None)
    }

    /// Each UV set: (n, 2) float32, v down. Views; copies if vertices are packed.
    #[getter]
    fn uvs<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let num_sets = match &slf.get().mesh().vertices {
            VertexData::Streams(streams) => streams.uv_sets.len(),
            VertexData::Packed(_) => 1,
        };
        let mut sets = Vec::with_capacity(num_sets);
        for set in 0..num_sets {
            sets.extend(Self::attribute::<Vec2, 2>(
                slf,
                |streams| streams.uv_sets.get(set).map_or(&[], |set| &set.coords),
                |packed| Some(packed.uv_decoded().to_array()),
            )?);
        }
        Ok(sets)
    }

    /// The name of each UV set.
    #[getter]
    fn uv_names(&self) -> Vec<String> {
        match &self.mesh().vertices {
            VertexData::Streams(streams) => {
                streams.uv_sets.iter().map(|set| set.name.clone()).collect()
            }
            VertexData::Packed(_) => vec![String::new()],
        }
    }

    /// (m, 3) uint32. A view; a copy if the file has 16-bit indices.
    #[getter]
    fn triangles<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let num_triangles = slf.get().mesh().num_triangles();
        match &slf.get().mesh().indices {
            Indices::U32(list) => {
                let list = list.get(..num_triangles * 3).unwrap_or_default();
                borrowed_array(slf.as_any(), list, [num_triangles, 3])
            }
            packed @ Indices::U16(_) => {
                let list = packed.iter().take(num_triangles * 3).collect();
                owned_array(slf.py(), list, [num_triangles, 3])
            }
        }
    }

    /// (n, 32) uint8: packed vertices as stored in the file, or `None`. A view; `view(PACKED_VERTEX)` gives
    /// access to the fields.
    #[getter]
    fn packed<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let VertexData::Packed(packed) = &slf.get().mesh().vertices else { return Ok(None) };
        let bytes: &[u8] = packed.bytes();
        let num_bytes = packed.len() * VERTEX_STRIDE_BYTES;
        let bytes = bytes.get(..num_bytes).unwrap_or_default();
        borrowed_array(slf.as_any(), bytes, [packed.len(), VERTEX_STRIDE_BYTES]).map(Some)
    }

    /// First triangle, number of triangles and material (or `None`) of each subset.
    #[getter]
    fn subsets(&self) -> Vec<(u32, u32, Option<u32>)> {
        let subsets = self.mesh().subsets.iter();
        subsets.map(|s| (s.first_index / 3, s.index_count / 3, s.material.map(|m| m.0))).collect()
    }

    /// The kind of skin: `"inverse-bind"`, `"bone-local"`, `"attached"` to a bone, or `"none"`.
    #[getter]
    fn skin(&self) -> &'static str {
        match &self.mesh().skin {
            Skin::None if self.mesh().attached_to.is_some() => "attached",
            Skin::None => "none",
            Skin::InverseBind(_) => "inverse-bind",
            Skin::BoneLocal(_) => "bone-local",
        }
    }

    /// How the matrices of several slots are blended: `"linear"`, `"dual-quaternion"`, or `"mixed"` if it differs per
    /// vertex.
    #[getter]
    fn blending(&self) -> &'static str {
        match &self.mesh().skin {
            Skin::InverseBind(skin) => match skin.blending {
                Blending::Linear => "linear",
                Blending::DualQuaternion => "dual-quaternion",
                Blending::Mixed(_) => "mixed",
            },
            Skin::None | Skin::BoneLocal(_) => "linear",
        }
    }

    /// (s,) uint32: the bone of each slot; joints are slot numbers, as in glTF.
    #[getter]
    fn skin_bones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mesh = self.mesh();
        let bones: Vec<u32> = match &mesh.skin {
            Skin::None => mesh.attached_to.iter().map(|bone| bone.0).collect(),
            Skin::InverseBind(skin) => skin.bones.iter().map(|bone| bone.0).collect(),
            Skin::BoneLocal(_) => (0..self.model.model().skeleton.len() as u32).collect(),
        };
        let num = bones.len();
        owned_array(py, bones, [num])
    }

    /// (s, 4, 4) float32: the bind pose of each slot, `bone_from_mesh`; `None` if keys contain it. A
    /// copy.
    #[getter]
    fn inverse_bind_matrices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.mesh().skin {
            Skin::InverseBind(skin) if !skin.bone_from_mesh.is_empty() => {
                matrices(py, skin.bone_from_mesh.iter().copied()).map(Some)
            }
            Skin::None | Skin::InverseBind(_) | Skin::BoneLocal(_) => Ok(None),
        }
    }

    /// Influences of any number as compressed rows: `first` (n + 1,) uint32, `joints` uint32 and `weights`
    /// float32; vertex v has `first[v]:first[v + 1]`. Views; copies if vertices are packed.
    #[getter]
    fn influences<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        if let Skin::InverseBind(skin) = &slf.get().mesh().skin
            && let Influences::Rows { first, slots, weights } = &skin.influences
        {
            let owner = slf.as_any();
            return Ok((
                borrowed_array(owner, first, [first.len()])?,
                borrowed_array(owner, slots, [slots.len()])?,
                borrowed_array(owner, weights, [weights.len()])?,
            ));
        }
        let (py, mesh) = (slf.py(), slf.get());
        let (first, slots, weights) = detached(py, || mesh.rows());
        let (num_first, num) = (first.len(), slots.len());
        Ok((
            owned_array(py, first, [num_first])?,
            owned_array(py, slots, [num])?,
            owned_array(py, weights, [num])?,
        ))
    }

    /// (n,) uint32: the number of influences per vertex, without weights of 0.
    #[getter]
    fn num_influences<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts: Vec<u32> = detached(py, || {
            let (first, _, weights) = self.rows();
            let rows = first.windows(2).map(|ends| &weights[ends[0] as usize..ends[1] as usize]);
            rows.map(|row| row.iter().map(|weight| u32::from(*weight != 0.0)).sum()).collect()
        });
        let num = counts.len();
        owned_array(py, counts, [num])
    }

    /// Slots and weights in rows of equal length.
    #[getter]
    fn joints_and_weights<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (joints, weights, width) = detached(py, || {
            let (first, slots, of_slots) = self.rows();
            let rows = || first.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
            let width = rows().map(|row| row.len()).max().unwrap_or(0);
            let num = rows().len() * width;
            let (mut joints, mut weights) = (vec![0u32; num], vec![0f32; num]);
            for (number, row) in rows().enumerate() {
                let at = number * width;
                joints[at..at + row.len()].copy_from_slice(&slots[row.clone()]);
                weights[at..at + row.len()].copy_from_slice(&of_slots[row]);
            }
            (joints, weights, width)
        });
        let num_vertices = self.mesh().num_vertices();
        Ok((
            owned_array(py, joints, [num_vertices, width])?,
            owned_array(py, weights, [num_vertices, width])?,
        ))
    }

    /// (n, k) uint32: the slots of `joints_and_weights`.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.joints_and_weights(py)?.0)
    }

    /// (n, k) float32: the weights of `joints_and_weights`.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.joints_and_weights(py)?.1)
    }

    /// Morph targets of the mesh.
    #[getter]
    fn morph_targets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let num = self.mesh().morph_targets.len();
        let target = |target| MorphTarget { model: self.model.clone(), mesh: self.index, target };
        parts(py, (0..num).map(target).collect::<Vec<_>>())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.model, ("meshes", self.index))
    }

    fn __repr__(&self) -> PyResult<String> {
        let mesh = self.mesh();
        Ok(format!(
            "<Mesh {:?}: {} vertices, {} triangles, skin {}>",
            mesh.name,
            mesh.num_vertices(),
            mesh.num_triangles(),
            self.skin()?,
        ))
    }
}

/// A morph target of a mesh.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct MorphTarget {
    model: Model,
    mesh: usize,
    target: usize,
}

impl MorphTarget {
    fn target(&self) -> &model::MorphTarget {
        &self.model.model().meshes[MeshId::from_index(self.mesh)].morph_targets[self.target]
    }
}

/// Weight of full effect, vertices, position offsets, and normal offsets.
type Shape<'py> = (f32, Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

#[guarded]
#[pymethods]
impl MorphTarget {
    /// Name in the file.
    #[getter]
    fn name(&self) -> &str {
        &self.target().name
    }

    /// Weight without animation.
    #[getter]
    fn default_weight(&self) -> f32 {
        self.target().default_weight
    }

    /// In-between shapes, usually one: the weight of full effect, the vertices (k,) uint32, their position offsets
    /// (k, 3) float32, and their normal offsets (k, 3) or `None`.
    #[getter]
    fn shapes<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Shape<'py>>> {
        let owner = slf.as_any();
        let shape = |shape: &model::MorphShape| {
            let vertices: Vec<u32> = shape.vertices.iter().map(|vertex| vertex.0).collect();
            let num = vertices.len();
            let positions: &[f32] = bytemuck::cast_slice(&shape.position_offsets);
            let normals: &[f32] = bytemuck::cast_slice(&shape.normal_offsets);
            Ok((
                shape.full_weight,
                owned_array(slf.py(), vertices, [num])?,
                borrowed_array(owner, positions, [shape.position_offsets.len(), 3])?,
                if normals.is_empty() {
                    None
                } else {
                    Some(borrowed_array(owner, normals, [shape.normal_offsets.len(), 3])?)
                },
            ))
        };
        slf.get().target().shapes.iter().map(shape).collect()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.model, ("meshes", self.mesh, "morph_targets", self.target))
    }

    fn __repr__(&self) -> String {
        format!("<MorphTarget {:?}>", self.target().name)
    }
}
