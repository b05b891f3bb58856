//! Compares skinned positions of matched vertices over time.

use super::side::Sides;
use super::vertices::Matching;
use crate::measure::{self, ClipPair, Job, MeasureOptions, MeasuredPart};
use crate::model::{Cancelled, ClipId, MeshOrigins, Model, Origin, Report, VertexAt};

/// The distances of matched vertices over all compared moments, display units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseError {
    /// The largest distance and its moment; `None` if all vertices agree.
    pub worst: Option<WorstMoment>,
    /// The largest distance as a fraction of the size of A in its default pose.
    pub max_of_extent: f64,
    /// Root mean square of all distances.
    pub rms: f64,
    /// Number of moments, over all clips, at which all vertices were compared.
    pub num_moments: usize,
    /// Number of moments between them at which only a few vertices were compared, to decide whether all must
    /// be.
    pub num_probed: usize,
    /// Clips that weren't compared, because A has too many for its vertices.
    pub num_clips_left_out: usize,
    /// The largest distance of each vertex of B among keys, numbered through all meshes; 0 for vertices
    /// without a match.
    pub per_vertex: Vec<f32>,
}

/// The largest distance and its moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstMoment {
    /// Between both vertices, display units.
    pub distance: f64,
    pub a: VertexAt,
    pub b: VertexAt,
    /// The clips of A and B.
    pub clips: (Option<ClipId>, Option<ClipId>),
    /// Relative to the clips' beginning.
    pub time_secs: f64,
}

/// The origins of the vertices of each mesh of B.
fn origins(Sides { a, b, .. }: &Sides<'_>, matching: &Matching) -> Vec<MeshOrigins> {
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
/// clip, a side stays in its default pose.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn pose_error(
    a: &Model,
    b: &Model,
    matching: &Matching,
    clips: &[(Option<ClipId>, Option<ClipId>)],
    max_keys: usize,
    report: &Report,
) -> Result<PoseError, Cancelled> {
    let sides = Sides::of(a, b);
    let origins = origins(&sides, matching);
    let clip = |&(source, made): &(Option<ClipId>, Option<ClipId>)| ClipPair {
        source,
        made,
        ..ClipPair::default()
    };
    let job = Job {
        source: measure::Side { model: a, display_from_file: sides.a.display_from_file },
        parts: vec![MeasuredPart {
            made: measure::Side { model: b, display_from_file: sides.b.display_from_file },
            origins: &origins,
        }],
        clips: clips.iter().map(clip).collect(),
    };
    let wants =
        MeasureOptions { per_pair: true, max_keys: Some(max_keys), ..MeasureOptions::default() };
    let measured = measure::measure(&job, wants, report)?;
    let spread = measure::VertexValues::of(&job, &measured.per_pair);
    let of_b = spread.of_parts.into_iter().next().unwrap_or_default();
    let worst = measured.worst.filter(|worst| worst.distance > 0.0);
    Ok(PoseError {
        worst: worst.map(|worst| WorstMoment {
            distance: worst.distance,
            a: worst.origin.nearest(),
            b: worst.made,
            clips: (worst.clip, worst.made_clip),
            time_secs: worst.time_secs,
        }),
        max_of_extent: measured.max_of_extent,
        rms: measured.rms,
        num_moments: measured.num_moments,
        num_probed: measured.num_probed,
        num_clips_left_out: measured.num_clips_left_out,
        // The maximum of a number and NaN is the number.
        per_vertex: of_b.into_iter().map(|apart| apart.max(0.0)).collect(),
    })
}

/// A distance for display.
#[expect(clippy::cast_possible_truncation, reason = "distances are of single precision")]
pub(super) fn narrowed(distance: f64) -> f32 {
    distance as f32
}
