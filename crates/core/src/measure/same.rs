//! Compares two models with the same meshes, vertices and clips, such as a model before and after a fix, or as a
//! runtime plays it.

use super::{
    ClipPair, DeviationByVertex, Job, MeasureOptions, MeasuredPart, Side, VertexValues, measure,
};
use crate::model::{Cancelled, ClipId, Mesh, Model, Origins, Report};

/// How far `b` deviates from `a`, in the default pose and in all clips. `None` if they have different numbers of
/// meshes, vertices or clips.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn measure_same(
    a: &Model,
    b: &Model,
    wants: MeasureOptions,
    report: &Report,
) -> Result<Option<DeviationByVertex>, Cancelled> {
    let num_vertices =
        |model: &Model| -> Vec<usize> { model.meshes.iter().map(Mesh::num_vertices).collect() };
    if num_vertices(a) != num_vertices(b) || a.clips.len() != b.clips.len() {
        return Ok(None);
    }
    let origins = Origins::of_same_meshes(b.meshes.len()).meshes;
    let clips = (0..a.clips.len()).map(ClipId::from_index);
    let pair = |id| ClipPair { source: Some(id), made: Some(id), ..ClipPair::default() };
    let job = Job {
        source: Side::new(a),
        parts: vec![MeasuredPart { made: Side::new(b), origins: &origins }],
        clips: std::iter::once(ClipPair::default()).chain(clips.map(pair)).collect(),
    };
    let total = measure(&job, wants, report)?;
    let per_vertex = VertexValues::of(&job, &total.per_pair).of_source;
    Ok(Some(DeviationByVertex { total, per_vertex }))
}
