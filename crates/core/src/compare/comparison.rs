//! The complete comparison of two models.

use super::DifferenceKind as Kind;
use super::by_position::MATCH_RADIUS;
use super::collector::{DifferenceCollector, Measured};
use super::motion::narrowed;
use super::side::{ComparedPose, ComparedSide, Sides, distance, extent};
use super::vertices::{PosedMatching, matched};
use super::{
    DiffOptions, Difference, VertexMatching, attributes, binds, bones, clip_deviation, clips,
    collision, morphs, parts, triangles,
};
use crate::measure::{DeviationByVertex, FarthestVertex};
use crate::model::{
    BoneId, Cancelled, IdVec, Model, Origin, Place, Report, VertexAt, match_clips, numbers,
};

/// If extents differ by a smaller fraction of A's, only positions are reported.
const SAME_SCALE: f64 = 0.1;

#[derive(Clone, Debug)]
pub struct Comparison {
    /// The largest difference of each measured kind.
    pub max: Maxima,
    /// All differences: those that exceed the tolerance first, in the order of the table of kinds.
    pub differences: Vec<Difference>,
    /// The pairs of vertices that were compared.
    pub matching: VertexMatching,
    /// The bone of A that corresponds to each bone of B.
    pub bones: IdVec<BoneId, Option<BoneId>>,
    /// The distance of each vertex of B (numbered through all meshes) from its match, in the pose
    /// of the matching. Infinite for vertices without a match. Display units.
    pub per_vertex_position: Vec<f32>,
    /// A's extent in that pose, display units.
    pub extent: f64,
    /// Skinned positions over the clips that both models have; `None` without common clips, or if
    /// not requested.
    pub in_clips: Option<DeviationByVertex>,
    /// The matched vertex that moved farthest, in the pose of the matching or in any clip, the origin being its match in
    /// A; `None` if none moved.
    pub farthest: Option<FarthestVertex>,
}

/// The largest differences; `None` if there was nothing to compare.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Maxima {
    /// Distance in the pose of the matching, display units.
    pub position: Option<f64>,
    /// Distance over all clips, display units.
    pub skinned: Option<f64>,
    /// Angle between normals, degrees.
    pub normal_deg: Option<f64>,
    /// Of u or v, in tiles.
    pub uv: Option<f64>,
    /// Weight of one bone, 0 to 1.
    pub weight: Option<f64>,
    /// Entry of a matrix; translations as parts of A's extent.
    pub key: Option<f64>,
}

impl Comparison {
    /// Whether no difference exceeds the tolerance.
    pub fn is_equal(&self) -> bool {
        !self.differences.iter().any(|difference| difference.exceeds)
    }

    /// How far a vertex moved that is too far from any other to be matched, display units. `None` unless both sides have
    /// unmatched vertices: those of one side were added or removed.
    #[must_use]
    pub fn unmatched_distance(&self) -> Option<f64> {
        let VertexMatching { num_unmatched_a, num_unmatched_b, farthest_unmatched, .. } =
            &self.matching;
        let is_moved = *num_unmatched_a > 0 && *num_unmatched_b > 0;
        farthest_unmatched.filter(|distance| is_moved && distance.is_finite())
    }

    /// The largest distance by which a vertex moved: in the pose of the matching, over all clips, or beyond the reach of
    /// the matching. Display units; `None` if nothing could be compared.
    #[must_use]
    pub fn max_distance(&self) -> Option<f64> {
        let unmatched = self.unmatched_distance();
        [self.max.position, self.max.skinned, unmatched].into_iter().flatten().reduce(f64::max)
    }
}

/// Compares two models in display space. Both must have passed the check.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn compare(
    a: &Model,
    b: &Model,
    options: &DiffOptions,
    report: &Report,
) -> Result<Comparison, Cancelled> {
    let sides = &Sides::of(a, b);
    let mut found = DifferenceCollector::new(options);
    let named = bones::named_bones(a, b);
    let common = matched(sides, options.match_by, &named, report)?;
    let extent = match a.num_vertices() {
        // Without vertices, use the size of the skeleton.
        0 => bones_extent(&sides.a),
        _ => common.extent,
    };
    let map = bones::all_bones(sides, named, &common.matching.a_of_b, || extent);
    report.progress("comparing vertices", 0.5)?;
    let largest = attributes::compare(sides, &common, &map, &mut found);
    unmatched(&sides.b, &common, &mut found);
    scale(sides, &common, &mut found);
    default_poses(sides, &common, &mut found);
    report.progress("comparing triangles", 0.6)?;
    triangles::compare(sides, &common, &mut found);
    report.progress("comparing parts", 0.7)?;
    parts::compare(a, b, &mut found);
    bones::compare(sides, &map, extent, &mut found);
    binds::compare(sides, &map, extent, &mut found);
    bones::compare_skins(a, b, &mut found);
    morphs::compare(sides, &common, &mut found);
    collision::compare(sides, extent, &mut found);

    let pairs = match_clips(&a.clips, &b.clips);
    clips::compare(&a.clips, &b.clips, &map, &pairs, &mut found);
    let key = if options.wants(Kind::Keys) {
        clips::compare_keys(sides, &map, &pairs, extent, &mut found, report)?
    } else {
        None
    };
    let is_wanted = options.wants(Kind::Skinned) && !pairs.is_empty() && largest.position.is_some();
    let in_clips = if is_wanted {
        let clips: Vec<_> = pairs.iter().map(|&(a, b)| (Some(a), Some(b))).collect();
        let matching = &common.matching;
        Some(clip_deviation(a, b, matching, &clips, options.max_moments, report)?)
    } else {
        None
    };
    if let Some(in_clips) = &in_clips {
        skinned(sides, in_clips, &common, &mut found);
    }
    let worst = in_clips.as_ref().and_then(|in_clips| in_clips.total.worst);
    // The size of A in the pose of the matching is the unit of all shares.
    let worst = worst.map(|worst| FarthestVertex { extent, ..worst });
    let mut differences = found.differences;
    differences.sort_by_key(|difference| (!difference.exceeds, difference.kind));
    Ok(Comparison {
        max: Maxima {
            position: largest.position.map(|worst| worst.amount),
            skinned: in_clips.as_ref().map(|_| worst.map_or(0.0, |worst| worst.distance)),
            normal_deg: largest.normal_deg,
            uv: largest.uv,
            weight: largest.weight,
            key,
        },
        differences,
        bones: b.skeleton.bones().ids().map(|bone| map.a_of(bone)).collect(),
        farthest: [farthest_still(sides, &common, extent), worst]
            .into_iter()
            .flatten()
            .reduce(|still, moving| if moving.distance > still.distance { moving } else { still }),
        per_vertex_position: per_vertex(&common),
        matching: common.matching,
        extent,
        in_clips,
    })
}

fn bones_extent(side: &ComparedSide<'_>) -> f64 {
    let pose = crate::pose::sample(side.model, &crate::pose::PoseSpec::default());
    let bones = pose.model_from_bone.iter();
    let points: Vec<_> = bones.map(|m| side.space.point(m.translation.into())).collect();
    extent(&points)
}

fn per_vertex(common: &PosedMatching) -> Vec<f32> {
    let pairs = common.matching.a_of_b.iter().zip(&common.b.positions);
    pairs
        .map(|(of_a, &b)| {
            let of_a = of_a.and_then(|vertex| common.a.positions.get(vertex as usize));
            of_a.map_or(f32::INFINITY, |&a| narrowed(distance(a, b)))
        })
        .collect()
}

/// The matched vertex that is farthest from its match in the pose of the matching; `None` if none is apart.
fn farthest_still(
    Sides { a, b, .. }: &Sides<'_>,
    common: &PosedMatching,
    extent: f64,
) -> Option<FarthestVertex> {
    let mut most = (0.0, None);
    for (vertex, of_a) in common.matching.a_of_b.iter().enumerate() {
        let Some(of_a) = *of_a else { continue };
        let apart = distance(common.a.positions[of_a as usize], common.b.positions[vertex]);
        if apart > most.0 {
            most = (apart, Some((of_a as usize, vertex)));
        }
    }
    let (distance, Some((of_a, vertex))) = most else { return None };
    Some(FarthestVertex {
        distance,
        extent,
        part: 0,
        made: b.vertex_at(vertex),
        origin: Origin::Vertex(a.vertex_at(of_a)),
        clip: None,
        made_clip: None,
        time_secs: 0.0,
        key: None,
    })
}

fn unmatched(b: &ComparedSide<'_>, common: &PosedMatching, found: &mut DifferenceCollector<'_>) {
    let matching = &common.matching;
    let (num_a, num_b) = (matching.num_unmatched_a, matching.num_unmatched_b);
    found.structure(Kind::Unmatched, num_a + num_b, || {
        let of_b = matching.a_of_b.iter().position(Option::is_none);
        let first =
            of_b.map_or(String::new(), |vertex| format!(", such as {} of B", b.describe(vertex)));
        format!(
            "{num_a} vertices of A and {num_b} of B have no match within {} % of the size; the \
             farthest is {} units away{first}",
            MATCH_RADIUS * 100.0,
            numbers::number(matching.farthest_unmatched.unwrap_or(f64::INFINITY))
        )
    });
    if let Some(vertex) = matching.a_of_b.iter().position(Option::is_none) {
        found.locate(Kind::Unmatched, b.place(vertex));
    }
}

/// Reports a different size, which positions don't explain.
fn scale(
    Sides { a, b, assumed_unit }: &Sides<'_>,
    common: &PosedMatching,
    found: &mut DifferenceCollector<'_>,
) {
    if a.num_vertices() == 0 || b.num_vertices() == 0 {
        return;
    }
    if let Some(unit_meters) = assumed_unit {
        let (with, without) = match a.model.axes.unit_meters {
            Some(_) => ("A", "B"),
            None => ("B", "A"),
        };
        found.structure(Kind::Scale, 1, || {
            format!("{without} doesn't state a unit; at {unit_meters} m per unit it is as large as {with}")
        });
    }
    let ratio = extent(&common.b.positions) / common.extent;
    let apart = (ratio - 1.0).abs();
    if apart > SAME_SCALE {
        let tolerance = found.options.tolerance;
        // The amount is a ratio; the limit decides whether it is too far from 1.
        let limit = if apart > tolerance { 0.0 } else { f64::INFINITY };
        let count = u64::from(apart > tolerance);
        found.measured(Kind::Scale, Measured { amount: ratio, limit, count }, || {
            format!("B is {ratio:.4} times as large as A")
        });
    }
}

/// Compares the default poses, if the vertices were matched in another pose.
fn default_poses(
    Sides { a, b, .. }: &Sides<'_>,
    common: &PosedMatching,
    found: &mut DifferenceCollector<'_>,
) {
    let matching = &common.matching;
    let poses = (matching.pose_a, matching.pose_b);
    if poses == (ComparedPose::Default, ComparedPose::Default)
        || !found.options.wants(Kind::DefaultPose)
    {
        return;
    }
    let (posed_a, posed_b) = (a.posed(ComparedPose::Default), b.posed(ComparedPose::Default));
    let mut measured = Measured::within(found.options.tolerance * common.extent);
    for (of_a, &at) in matching.a_of_b.iter().zip(&posed_b.positions) {
        if let Some(&of_a) = of_a.and_then(|vertex| posed_a.positions.get(vertex as usize)) {
            measured.add(distance(of_a, at));
        }
    }
    found.measured(Kind::DefaultPose, measured, || {
        let (in_a, in_b) = (poses.0.as_str(), poses.1.as_str());
        format!("the files open in different poses; compared the {in_a} of A with the {in_b} of B")
    });
}

fn skinned(
    Sides { a, b, .. }: &Sides<'_>,
    in_clips: &DeviationByVertex,
    common: &PosedMatching,
    found: &mut DifferenceCollector<'_>,
) {
    let Some(worst) = in_clips.total.worst else { return };
    let limit = found.options.tolerance * common.extent;
    let apart = in_clips.per_vertex.iter();
    let count = apart.filter(|&&apart| f64::from(apart) > limit).count() as u64;
    let measured = Measured { amount: worst.distance, limit, count };
    let vertex = b.number(worst.made.mesh.index(), worst.made.vertex.0);
    found.measured(Kind::Skinned, measured, || {
        format!("{} in A, {} of B", worst.place_text(a.model), b.describe(vertex))
    });
    found.locate(Kind::Skinned, b.place(vertex));
    let VertexAt { mesh, vertex } = worst.origin.nearest();
    found.locate_in_a(Kind::Skinned, Place::Vertex { mesh: mesh.0, vertex: vertex.0 });
    if let Some(clip) = worst.clip {
        found.locate_in_time(Kind::Skinned, clip, worst.time_secs);
    }
}
