//! Files that only contain control points.

use glam::Vec3;

use super::faces::Lists;
use super::faults::over_budget;
use super::meshes::NumberedMesh;
use crate::formats::{Budget, ReadError};
use rigscope_core::model::{Mesh, Streams, VertexData, as_u32};

/// A mesh of all points, without triangles.
///
/// # Errors If there are too many points.
pub(super) fn cloud(lists: Lists, budget: &mut Budget) -> Result<NumberedMesh, ReadError> {
    let num = lists.points.len();
    budget.take::<Vec3>(num).map_err(|_| over_budget("points"))?;
    #[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
    let position = |point: &[f64; 3]| Vec3::from(point.map(|value| value as f32));
    let positions = lists.points.iter().map(position).collect();
    let streams = Streams { positions, colors: lists.colors, ..Streams::default() };
    let mesh = Mesh { vertices: VertexData::Streams(streams), ..Mesh::default() };
    Ok((mesh, (0..as_u32(num)).collect()))
}
