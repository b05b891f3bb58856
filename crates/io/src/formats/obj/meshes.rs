//! Builds the meshes: triangles, lines and points by material.

use std::ops::Range;

use super::faces::{Faces, Lists, MISSING, MeshFaces, corner_range};
use super::faults::over_budget;
use super::geometry::Geometry;
use super::parts::{Part, Parts};
use super::vertices::{MeshVertices, number_vertices};
use crate::formats::{Budget, ReadError};
use rigscope_core::model::{Indices, Mesh, Report, VertexData};

/// Memory for a corner: a vertex, its numbers, and an index of a triangle.
type CornerRoom = [u32; 20];
/// Memory for the lists of a mesh, most of which may have a single element; measured with a triangle per group.
type MeshRoom = [u8; 1152];
/// Memory for a corner whose normal is shared across smooth edges.
type SmoothCornerRoom = [u32; 10];

/// A mesh of a file, and the number of the `v` statement, from 0, of each of its vertices.
pub(super) type NumberedMesh = (Mesh, Vec<u32>);

/// The meshes of a file.
///
/// # Errors If they are too large.
pub(super) fn meshes(
    lists: &Lists,
    faces: &mut Faces,
    parts: Parts,
    budget: &mut Budget,
    report: &Report,
) -> Result<Vec<NumberedMesh>, ReadError> {
    let taken = budget.take::<u32>(lists.points.len());
    let taken = taken.and_then(|()| budget.take::<CornerRoom>(faces.corners.len()));
    taken.map_err(|_| over_budget("vertices"))?;
    let taken = budget.take::<(Mesh, Part, MeshRoom)>(parts.list.len());
    taken.map_err(|_| over_budget("groups"))?;
    let mut of_point = vec![MISSING; lists.points.len()];
    let mut smooth = parts.smooth.iter().peekable();
    let num_parts = parts.list.len();
    let mut meshes = Vec::with_capacity(num_parts);
    for (number, part) in parts.list.into_iter().enumerate() {
        let share = number as f32 / num_parts as f32;
        report.progress("reading", 0.4 + 0.5 * share)?;
        let mut is_smooth = Vec::new();
        while let Some(range) = smooth.next_if(|range| range.start < part.faces.end) {
            is_smooth.resize(part.faces.len(), false);
            let own = range.start - part.faces.start..range.end - part.faces.start;
            is_smooth.get_mut(own).unwrap_or_default().fill(true);
        }
        let range = corner_range(&faces.ends, &part.faces);
        let first = range.start;
        let corners = faces.corners.get_mut(range).unwrap_or_default();
        let ends = faces.ends.get(part.faces.clone()).unwrap_or_default();
        let has_normals = corners.iter().any(|corner| corner.normal != MISSING);
        let own_normals = if has_normals {
            None
        } else {
            if !is_smooth.is_empty() {
                let taken = budget.take::<SmoothCornerRoom>(corners.len());
                taken.map_err(|_| over_budget("normals"))?;
            }
            let mut mesh = MeshFaces { points: &lists.points, corners: &mut *corners, ends, first };
            Some(mesh.generate_normals(&is_smooth, &mut of_point))
        };
        let normals = own_normals.as_ref().unwrap_or(&lists.normals);
        let vertices = number_vertices(corners, normals, lists, &mut of_point);
        let mut geometry = Geometry::default();
        let mut runs: Vec<_> = part.runs.iter().collect();
        runs.sort_by_key(|(_, material)| *material);
        for runs in runs.chunk_by(|(_, a), (_, b)| a == b) {
            let of_run = |(faces, _): &&(Range<usize>, usize)| faces.clone();
            for face in runs.iter().flat_map(of_run) {
                let mut range = corner_range(&faces.ends, &(face..face + 1));
                range = range.start - first..range.end - first;
                let own = corners.get(range.clone()).unwrap_or_default();
                let vertices = vertices.vertex_of_corner.get(range).unwrap_or_default();
                geometry.add(lists, own, vertices, report)?;
            }
            let material = runs.first().and_then(|(_, at)| part.materials.get(*at));
            geometry.end_material(material.copied());
        }
        geometry.shrink();
        let MeshVertices { streams, points, .. } = vertices;
        let mesh = Mesh {
            name: part.name,
            vertices: VertexData::Streams(streams),
            indices: Indices::U32(geometry.indices),
            subsets: geometry.subsets,
            loose: geometry.loose,
            ..Mesh::default()
        };
        meshes.push((mesh, points));
    }
    Ok(meshes)
}
