//! Compares skinned positions of matched vertices over time.

use super::side::Sides;
use super::vertices::VertexMatching;
use crate::measure::{
    self, ClipPair, Deviation, DeviationByVertex, Job, MeasureOptions, MeasuredPart, PerPair,
};
use crate::model::{Cancelled, ClipId, MeshOrigins, Model, Origin, Report};

/// The origins of the vertices of each mesh of B.
fn origins(Sides { a, b, .. }: &Sides<'_>, matching: &VertexMatching) -> Vec<MeshOrigins> {
    let meshes = b.model.meshes.iter().enumerate();
    let of_mesh = |(mesh, own): (usize, &crate::model::Mesh)| {
        let of = |vertex: usize| {
            let vertex = u32::try_from(vertex).ok()?;
            let of_a = *matching.a_of_b.get(b.number(mesh, vertex))?;
            Some((vertex, Origin::Vertex(a.vertex_at(of_a? as usize))))
        };
        MeshOrigins::Listed((0..own.num_vertices()).filter_map(of).collect())
    };
    meshes.map(of_mesh).collect()
}

/// Measures the distances of the matched vertices of `a` and `b` over all of `clips`: at no more than
/// `max_keys` evenly chosen keys per clip, and at the other moments with the largest distances. Without a
/// clip, a side stays in its default pose. The vertices are those of `b`; those without a match have distance 0.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn clip_deviation(
    a: &Model,
    b: &Model,
    matching: &VertexMatching,
    clips: &[(Option<ClipId>, Option<ClipId>)],
    max_keys: usize,
    report: &Report,
) -> Result<DeviationByVertex, Cancelled> {
    let sides = Sides::of(a, b);
    let origins = origins(&sides, matching);
    let clip = |&(source, made): &(Option<ClipId>, Option<ClipId>)| ClipPair {
        source,
        made,
        ..ClipPair::default()
    };
    let job = Job {
        source: measure::Side { model: a, display_from_file: sides.a.space.new_from_old() },
        parts: vec![MeasuredPart {
            made: measure::Side { model: b, display_from_file: sides.b.space.new_from_old() },
            origins: &origins,
        }],
        clips: clips.iter().map(clip).collect(),
    };
    let wants = MeasureOptions {
        per_pair: PerPair::AtKeys,
        max_keys: Some(max_keys),
        ..MeasureOptions::default()
    };
    let measured = measure::measure(&job, wants, report)?;
    let spread = measure::VertexValues::of(&job, &measured.per_pair);
    let of_b = spread.of_parts.into_iter().next().unwrap_or_default();
    Ok(DeviationByVertex {
        total: Deviation { worst: measured.worst.filter(|worst| worst.distance > 0.0), ..measured },
        // The maximum of a number and NaN is the number.
        per_vertex: of_b.into_iter().map(|apart| apart.max(0.0)).collect(),
    })
}

/// A distance for display.
#[expect(clippy::cast_possible_truncation, reason = "distances are of single precision")]
pub(super) fn narrowed(distance: f64) -> f32 {
    distance as f32
}
