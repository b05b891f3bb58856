//! Edges that poses stretch or compress, and parts that they tear apart.

use glam::Vec3;

use super::{Evidence, Items, Kind, median, single};
use crate::diagnose::gaps::{Gap, PointAt};
use crate::diagnose::posed::Posed;
use crate::diagnose::specimen::{MeshSample, Specimen, size_of, skin_of};
use crate::model::numbers;

pub(super) const ALL: &[&Evidence] =
    &[&REST_STRETCH, &STRETCH, &REST_TEARS, &TEARS, &REST_GAPS, &GAPS, &REST_SPLITS, &SPLITS];

/// Share of edges that are much longer or shorter in the rest pose than in the bind pose. A scale of the whole mesh
/// doesn't count.
pub(crate) const REST_STRETCH: Evidence = Evidence {
    name: "stretched-edges-at-rest",
    meaning: "the share of edges that the rest pose stretches to more than twice or compresses to less than half their length",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.01,
    weight: 1.0,
    measure: |case, model| by_mesh(case, model, true, stretched),
    text: |value| numbers::percent(value),
};

/// The same over moments of clips, in the worst of them.
pub(crate) const STRETCH: Evidence = Evidence {
    name: "stretched-edges",
    meaning: "the share of edges that a clip stretches to more than twice or compresses to less than half their length",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.01,
    weight: 1.0,
    measure: |case, model| by_mesh(case, model, false, stretched),
    text: |value| numbers::percent(value),
};

/// By how much the rest pose lengthens the two percent of edges that it lengthens most.
pub(crate) const REST_TEARS: Evidence = Evidence {
    name: "torn-edges-at-rest",
    meaning: "the distance by which the rest pose tears the most stretched edges",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.01,
    weight: 1.0,
    measure: |case, model| by_mesh(case, model, true, torn),
    text: of_size,
};

/// The same over moments of clips, in the worst of them.
pub(crate) const TEARS: Evidence = Evidence {
    name: "torn-edges",
    meaning: "the distance by which a clip tears the most stretched edges",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.01,
    weight: 1.0,
    measure: |case, model| by_mesh(case, model, false, torn),
    text: of_size,
};

/// The mean distance that neighbouring pieces of a surface gain in the rest pose; one item per sampled mesh.
pub(crate) const REST_GAPS: Evidence = Evidence {
    name: "gaps-at-rest",
    meaning: "the distance between neighbouring parts in the rest pose",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.02,
    weight: 1.0,
    measure: |case, model| gaps(case, model, true, contact),
    text: of_size,
};

/// The same over moments of clips, in the worst of them.
pub(crate) const GAPS: Evidence = Evidence {
    name: "gaps",
    meaning: "the distance between neighbouring parts in a clip",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.02,
    weight: 1.0,
    measure: |case, model| gaps(case, model, false, contact),
    text: of_size,
};

/// The mean distance between the centres of neighbouring pieces that is more than a joint where they touch allows, in the
/// rest pose; one item per sampled mesh.
pub(crate) const REST_SPLITS: Evidence = Evidence {
    name: "splits-at-rest",
    meaning: "the distance by which the rest pose tears neighbouring parts from each other",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.02,
    weight: 1.0,
    measure: |case, model| gaps(case, model, true, split),
    text: of_size,
};

/// The same over moments of clips, in the worst of them.
pub(crate) const SPLITS: Evidence = Evidence {
    name: "splits",
    meaning: "the distance by which a clip tears neighbouring parts from each other",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.02,
    weight: 1.0,
    measure: |case, model| gaps(case, model, false, split),
    text: of_size,
};

/// How well the surface keeps its shape.
macro_rules! with_shape {
    ($($other:expr),* $(,)?) => {
        &[
            &$crate::diagnose::evidence::shape::REST_STRETCH,
            &$crate::diagnose::evidence::shape::STRETCH,
            &$crate::diagnose::evidence::shape::REST_TEARS,
            &$crate::diagnose::evidence::shape::TEARS,
            &$crate::diagnose::evidence::shape::REST_GAPS,
            &$crate::diagnose::evidence::shape::GAPS,
            &$crate::diagnose::evidence::shape::REST_SPLITS,
            &$crate::diagnose::evidence::shape::SPLITS,
            $($other),*
        ]
    };
}
pub(in crate::diagnose) use with_shape;

/// Bending joints stretch few edges by more than this factor, or compress them by more than its inverse.
const MAX_RATIO: f32 = 2.0;
/// The share of edges that [`torn`] skips: those that a pose lengthens most may be a few odd triangles.
const LONGEST: f64 = 0.02;
/// Edges are torn if a pose lengthens them by more than this factor.
const TORN: f32 = 1.5;
/// One gap in this many is measured, those that gain most.
const WIDEST: usize = 4;
/// A smaller scale than this fraction of that in the rest pose hides a mesh.
const HIDDEN: f32 = 1e-3;
/// The edges of a sheet of a few triangles may stretch a lot.
const MIN_EDGES: usize = 10;
/// A sharp bend stretches this many edges of any mesh: in a coarse one, these are a large share.
const NUM_BENT: usize = 8;
/// Distances beyond this many sizes are equally wrong.
const MAX_SIZES: f64 = 1e6;

fn of_size(value: f64) -> String {
    format!("{} of the mesh's size", numbers::percent(value))
}

/// The length of each edge in a pose and in the bind pose, and the scale of the whole mesh.
struct Edges {
    posed: Vec<f32>,
    bound: Vec<f32>,
    scale: f32,
    size: f32,
}

impl Edges {
    fn of(part: &MeshSample, bound: &[Vec3], posed: &[Vec3]) -> Self {
        let size = size_of(bound).max(f32::MIN_POSITIVE);
        let lengths = |points: &[Vec3]| -> Vec<f32> {
            let (ends, _) = points[..part.num_edges * 2].as_chunks::<2>();
            ends.iter().map(|[a, b]| a.distance(*b)).collect()
        };
        let (bound, posed) = (lengths(bound), lengths(posed));
        let ratios = posed.iter().zip(&bound).map(|(a, b)| f64::from(a / b.max(f32::MIN_POSITIVE)));
        let scale = single(median(ratios.collect()).unwrap_or(1.0).max(1e-12));
        Self { posed, bound, scale, size }
    }
}

fn stretched(edges: &Edges) -> f64 {
    let kept = MAX_RATIO.recip()..=MAX_RATIO;
    let ratio = |(a, b): (&f32, &f32)| a / (b.max(f32::MIN_POSITIVE) * edges.scale);
    let ratios = edges.posed.iter().zip(&edges.bound).map(ratio);
    let num = ratios.filter(|ratio| !kept.contains(ratio)).count().saturating_sub(NUM_BENT);
    num as f64 / edges.posed.len() as f64
}

fn torn(edges: &Edges) -> f64 {
    // The edges of a coarse mesh are long, so that a bend lengthens some by a large part of the mesh's size.
    let gain = |(a, b): (&f32, &f32)| f64::from((a / edges.scale - b * TORN).max(0.0) / edges.size);
    let mut gains: Vec<f64> = edges.posed.iter().zip(&edges.bound).map(gain).collect();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count"
    )]
    let at = ((1.0 - LONGEST) * (gains.len() - 1) as f64).ceil() as usize;
    let at = at.min(gains.len().saturating_sub(1 + NUM_BENT));
    (*gains.select_nth_unstable_by(at, f64::total_cmp).1).min(MAX_SIZES)
}

/// The poses to measure: only the rest pose, or all others.
fn some<T>(all: &[T], at_rest: bool) -> &[T] {
    if at_rest { &all[..all.len().min(1)] } else { all.get(1..).unwrap_or_default() }
}

/// The points of a sample in the bind pose; `None` without a skin or with hardly any edges.
fn bound(model: &Posed<'_>, part: &MeshSample) -> Option<Vec<Vec3>> {
    let mesh = &model.meshes[part.mesh];
    let own = mesh.streams().filter(|_| skin_of(mesh).is_some() && part.num_edges >= MIN_EDGES)?;
    let at = |point: &u32| own.positions.get(*point as usize).copied().unwrap_or_default();
    Some(part.points.iter().map(at).collect())
}

/// One value per sampled mesh, the largest over the poses.
fn by_mesh(case: &Specimen, model: &Posed<'_>, at_rest: bool, of: fn(&Edges) -> f64) -> Vec<f64> {
    if !case.has_bones {
        return Vec::new();
    }
    let poses = some(model.points(case), at_rest);
    let of_mesh = |(at, part): (usize, &MeshSample)| {
        let bound = bound(model, part)?;
        let rest_scale = Edges::of(part, &bound, &model.points(case)[0][at]).scale;
        let edges = poses.iter().map(|points| Edges::of(part, &bound, &points[at]));
        let shown = edges.filter(|edges| edges.scale >= HIDDEN * rest_scale);
        shown.map(|edges| of(&edges)).filter(|value| !value.is_nan()).reduce(f64::max)
    };
    case.samples.iter().enumerate().map(|part| of_mesh(part).unwrap_or(f64::NAN)).collect()
}

/// Returns the position of a point.
type PointsOf<'a> = &'a dyn Fn(PointAt) -> Vec3;

/// The distance of two pieces at their nearest points, in a pose and in the bind pose.
fn contact(gap: &Gap, posed: PointsOf<'_>, bound: PointsOf<'_>) -> [f32; 2] {
    [posed, bound].map(|at| at(gap.ends[0]).distance(at(gap.ends[1])))
}

/// The distance of their centres in a pose, and the largest that a joint between their nearest points allows.
fn split(gap: &Gap, posed: PointsOf<'_>, bound: PointsOf<'_>) -> [f32; 2] {
    let centers = |at: PointsOf<'_>| {
        [0, 1].map(|piece: usize| {
            let sum: Vec3 = gap.spread[piece].iter().map(|point| at(*point)).sum();
            sum / gap.spread[piece].len().max(1) as f32
        })
    };
    let ([a, b], [from, to]) = (centers(posed), centers(bound));
    let [near, other] = gap.ends.map(bound);
    [a.distance(b), from.distance(near) + near.distance(other) + other.distance(to)]
}

/// For each sampled mesh, the mean gain of the distances that gain most, in the worst pose.
fn gaps(
    case: &Specimen,
    model: &Posed<'_>,
    at_rest: bool,
    distances: fn(&Gap, PointsOf<'_>, PointsOf<'_>) -> [f32; 2],
) -> Vec<f64> {
    if !case.has_bones {
        return Vec::new();
    }
    let poses = some(model.points(case), at_rest);
    let all_bound: Vec<Option<Vec<Vec3>>> =
        case.samples.iter().map(|part| bound(model, part)).collect();
    let mut by_sample: Vec<Vec<&Gap>> = vec![Vec::new(); case.samples.len()];
    for gap in &case.gaps {
        by_sample[gap.ends[0][0]].push(gap);
    }
    let of_bound = |[sample, point]: PointAt| {
        all_bound[sample].as_ref().map_or(Vec3::ZERO, |points| points[point])
    };
    let of_mesh = |(at, own): (usize, &Vec<&Gap>)| {
        let part = &case.samples[at];
        let bound = all_bound[at].as_ref().filter(|_| !own.is_empty())?;
        let rest_scale = Edges::of(part, bound, &model.points(case)[0][at]).scale;
        let of_pose = |points: &Vec<Vec<Vec3>>| {
            let Edges { scale, size, .. } = Edges::of(part, bound, &points[at]);
            if scale < HIDDEN * rest_scale {
                return f64::NAN;
            }
            let gain = |gap: &&Gap| {
                let posed = |[sample, point]: PointAt| points[sample][point] / scale;
                let [after, before] = distances(gap, &posed, &of_bound);
                f64::from(((after - before) / size).max(0.0)).min(MAX_SIZES)
            };
            let mut gains: Vec<f64> = own.iter().map(gain).collect();
            gains.sort_by(|a, b| b.total_cmp(a));
            let num = gains.len().div_ceil(WIDEST);
            gains[..num].iter().sum::<f64>() / num as f64
        };
        poses.iter().map(of_pose).filter(|value| !value.is_nan()).reduce(f64::max)
    };
    by_sample.iter().enumerate().map(|own| of_mesh(own).unwrap_or(f64::NAN)).collect()
}
