//! Meshes: vertices, triangles, subsets and morph targets.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rigscope::model::value_names::{self as names, name_of};
use rigscope::model::{
    LooseGeometry, LooseKind, Mesh, MorphShape, MorphTarget, PackedVertices, Streams, VertexData,
};

use super::{rows, skin, vectors};
use crate::arrays::owned_array;
use crate::running::detached;

pub(super) fn mesh<'py>(py: Python<'py>, own: &Mesh) -> PyResult<Bound<'py, PyDict>> {
    let mesh = PyDict::new(py);
    mesh.set_item("name", &own.name)?;
    match &own.vertices {
        VertexData::Streams(streams) => set_streams(&mesh, streams)?,
        VertexData::Packed(packed) => set_decoded(&mesh, packed)?,
    }
    let num = own.num_triangles();
    let corners = own.indices.iter().take(num * 3).collect();
    mesh.set_item("triangles", owned_array(py, corners, [num, 3])?)?;
    let subsets = own.subsets.iter();
    let subsets =
        subsets.map(|s| (s.first_index / 3, s.index_count / 3, s.material.map(|id| id.0)));
    mesh.set_item("subsets", subsets.collect::<Vec<_>>())?;
    if !own.loose.is_empty() {
        let all: PyResult<Vec<_>> = own.loose.iter().map(|own| loose(py, own)).collect();
        mesh.set_item("loose", all?)?;
    }
    skin::set_skin(&mesh, own)?;
    if let Some(bone) = own.attached_to {
        mesh.set_item("attached_to", bone.0)?;
    }
    if own.is_hidden {
        mesh.set_item("hidden", true)?;
    }
    if !own.morph_targets.is_empty() {
        let all: PyResult<Vec<_>> = own.morph_targets.iter().map(|own| target(py, own)).collect();
        mesh.set_item("morph_targets", all?)?;
    }
    Ok(mesh)
}

fn set_streams(mesh: &Bound<'_, PyDict>, own: &Streams) -> PyResult<()> {
    let py = mesh.py();
    mesh.set_item("positions", vectors(py, &own.positions)?)?;
    if !own.normals.is_empty() {
        mesh.set_item("normals", vectors(py, &own.normals)?)?;
    }
    if !own.tangents.is_empty() {
        mesh.set_item("tangents", rows::<4>(py, bytemuck::cast_slice(&own.tangents))?)?;
    }
    if !own.colors.is_empty() {
        mesh.set_item("colors", rows::<4>(py, bytemuck::cast_slice(&own.colors))?)?;
    }
    if !own.uv_sets.is_empty() {
        let sets = PyList::empty(py);
        for set in &own.uv_sets {
            sets.append(rows::<2>(py, bytemuck::cast_slice(&set.coords))?)?;
        }
        mesh.set_item("uvs", sets)?;
        if own.uv_sets.iter().any(|set| !set.name.is_empty()) {
            let names: Vec<_> = own.uv_sets.iter().map(|set| &set.name).collect();
            mesh.set_item("uv_names", names)?;
        }
    }
    Ok(())
}

fn set_decoded(mesh: &Bound<'_, PyDict>, own: &PackedVertices) -> PyResult<()> {
    let decoded = detached(mesh.py(), || {
        let mut streams = Streams::default();
        let mut uvs = Vec::with_capacity(own.len());
        for vertex in own.iter() {
            streams.positions.push(vertex.position);
            streams.normals.push(vertex.normal_decoded());
            streams.tangents.push(vertex.tangent_decoded());
            uvs.push(vertex.uv_decoded());
        }
        streams.uv_sets.push(rigscope::model::UvSet { coords: uvs, ..Default::default() });
        streams
    });
    set_streams(mesh, &decoded)
}

fn loose<'py>(py: Python<'py>, own: &LooseGeometry) -> PyResult<Bound<'py, PyDict>> {
    let loose = PyDict::new(py);
    loose.set_item("kind", name_of(names::LOOSE_KIND, &own.kind))?;
    let (num, indices) = (own.len(), own.indices.clone());
    loose.set_item(
        "indices",
        match own.kind {
            LooseKind::Lines => owned_array(py, indices, [num, 2])?,
            LooseKind::Points => owned_array(py, indices, [num])?,
        },
    )?;
    if let Some(material) = own.material {
        loose.set_item("material", material.0)?;
    }
    Ok(loose)
}

fn target<'py>(py: Python<'py>, own: &MorphTarget) -> PyResult<Bound<'py, PyDict>> {
    let target = PyDict::new(py);
    target.set_item("name", &own.name)?;
    if own.default_weight != 0.0 {
        target.set_item("default_weight", own.default_weight)?;
    }
    if let [shape] = &own.shapes[..]
        && shape.full_weight == 1.0
    {
        set_offsets(&target, shape)?;
    } else {
        let shapes = PyList::empty(py);
        for own in &own.shapes {
            let shape = PyDict::new(py);
            shape.set_item("full_weight", own.full_weight)?;
            set_offsets(&shape, own)?;
            shapes.append(shape)?;
        }
        target.set_item("shapes", shapes)?;
    }
    Ok(target)
}

fn set_offsets(of: &Bound<'_, PyDict>, own: &MorphShape) -> PyResult<()> {
    let py = of.py();
    let vertices: Vec<u32> = own.vertices.iter().map(|vertex| vertex.0).collect();
    let num = vertices.len();
    of.set_item("vertices", owned_array(py, vertices, [num])?)?;
    of.set_item("position_offsets", vectors(py, &own.position_offsets)?)?;
    if !own.normal_offsets.is_empty() {
        of.set_item("normal_offsets", vectors(py, &own.normal_offsets)?)?;
    }
    Ok(())
}
