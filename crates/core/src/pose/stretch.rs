//! How far clips stretch the edges of a mesh, to find torn skin, open creases and wrong weights.
//!
//! An edge is compared with its length in the bind pose, so that a mesh with a bent rest pose counts too.

use std::collections::HashMap;

use glam::Vec3;
use rayon::prelude::*;

use super::{Moment, Pose, PoseSpec, Sampling, clip_times, sample, skin_positions};
use crate::model::{
    Aabb, BoneId, Cancelled, ClipId, Mesh, MeshId, Model, Motion, Report, VertexId, as_u32, spread,
};

/// The most moments at which each clip is measured.
const MAX_MOMENTS: usize = 64;
/// The most moments of all clips, which are listed before they are examined.
const MAX_ALL_MOMENTS: usize = 1 << 16;
/// Edges shorter than this fraction of the mesh's size have no meaningful length.
const MIN_EDGE: f32 = 1e-5;
/// An edge that grows by less than this fraction of the mesh's size isn't visible and isn't listed.
const MIN_GROWTH: f32 = 0.005;
/// Edges used to estimate the scale that a file's matrices apply to the whole mesh.
const NUM_FOR_SCALE: usize = 4096;
/// Edges per task.
const MIN_LEN: usize = 4096;
/// The most edges in the list.
const MAX_LISTED: usize = 100;

/// An edge at the moment when it is stretched most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StretchedEdge {
    pub mesh: MeshId,
    pub vertices: [VertexId; 2],
    /// The bone with the largest weight at each end.
    pub bones: [Option<BoneId>; 2],
    pub clip: ClipId,
    /// On the clip's clock.
    pub time_secs: f64,
    /// Length at that moment divided by the length in the bind pose.
    pub ratio: f32,
    /// Length at that moment, file units.
    pub length: f32,
    /// The increase over the bind pose, as a fraction of the mesh's size.
    pub growth: f32,
}

/// The stretch of all edges over all clips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stretch {
    /// The largest ratio of the edges at each vertex, all meshes one after another; 1 at vertices without
    /// edges.
    pub per_vertex: Vec<f32>,
    /// The most stretched edge between each pair of bones, largest ratio first; at most 100.
    pub edges: Vec<StretchedEdge>,
}

/// The moment at which an edge is longest.
#[derive(Clone, Copy)]
struct Longest {
    vertices: [u32; 2],
    /// In the bind pose.
    bound_squared: f32,
    /// At `moment`.
    squared: f32,
    moment: u32,
}

/// Measures all triangle edges at up to 64 moments of each clip, and at fewer if edges times moments exceed
/// `max_work`; 2²⁸ take about two seconds on one core.
///
/// # Errors
/// If the report asks to stop.
pub fn stretch(model: &Model, max_work: usize, report: &Report) -> Result<Stretch, Cancelled> {
    const WHAT: &str = "measuring the stretch of edges";
    report.progress(WHAT, 0.0)?;
    let bound = sample(model, &PoseSpec { moment: Moment::Bind, ..PoseSpec::default() });
    let mut meshes: Vec<_> = ids(model).map(|(id, mesh)| edges(mesh, id, &bound)).collect();
    let num_edges: usize = meshes.iter().map(Vec::len).sum();
    let work = num_edges.saturating_add(model.skeleton.len()).max(1);
    let moments = moments(model, (max_work / work).min(MAX_ALL_MOMENTS));
    for (number, (spec, _)) in moments.iter().enumerate() {
        report.progress(WHAT, number as f32 / moments.len() as f32)?;
        let pose = sample(model, spec);
        let number = as_u32(number);
        for ((id, mesh), edges) in ids(model).zip(&mut meshes) {
            lengthen(edges, &skin_positions(mesh, &pose.of_mesh(id, mesh)), number);
        }
    }
    let first = sample(model, &PoseSpec::default());
    let mut stretch = Stretch::default();
    let mut worst: HashMap<_, StretchedEdge> = HashMap::new();
    for ((id, mesh), edges) in ids(model).zip(&meshes) {
        let scale = scale(edges, &skin_positions(mesh, &first.of_mesh(id, mesh)));
        let start = stretch.per_vertex.len();
        stretch.per_vertex.resize(start + mesh.num_vertices(), 1.0);
        let size = size(mesh, id, &bound) * scale;
        for edge in edges {
            let (bound_length, length) = (edge.bound_squared.sqrt() * scale, edge.squared.sqrt());
            let ratio = length / bound_length;
            if !ratio.is_finite() {
                continue;
            }
            for vertex in edge.vertices {
                let at = &mut stretch.per_vertex[start + vertex as usize];
                *at = at.max(ratio);
            }
            let growth = (length - bound_length) / size;
            let Some((spec, time_secs)) = moments.get(edge.moment as usize) else { continue };
            let Some(clip) = spec.clip else { continue };
            // Also false for NaN.
            let is_visible = growth >= MIN_GROWTH;
            if !is_visible {
                continue;
            }
            let bones = edge.vertices.map(|vertex| mesh.heaviest_bone(vertex as usize));
            let listed = StretchedEdge {
                mesh: id,
                vertices: edge.vertices.map(VertexId),
                bones,
                clip,
                time_secs: *time_secs,
                ratio,
                length,
                growth,
            };
            let pair = (id, bones.into_iter().min(), bones.into_iter().max());
            let known = worst.entry(pair).or_insert(listed);
            if ratio > known.ratio {
                *known = listed;
            }
        }
    }
    stretch.edges = worst.into_values().collect();
    let key = |edge: &StretchedEdge| (edge.mesh, edge.vertices);
    stretch.edges.sort_by(|a, b| b.ratio.total_cmp(&a.ratio).then(key(a).cmp(&key(b))));
    stretch.edges.truncate(MAX_LISTED);
    Ok(stretch)
}

fn ids(model: &Model) -> impl Iterator<Item = (MeshId, &Mesh)> {
    model.meshes.iter().enumerate().map(|(number, mesh)| (MeshId::from_index(number), mesh))
}

/// Each edge of the triangles of `mesh` once, with its length in the bind pose.
fn edges(mesh: &Mesh, id: MeshId, bound: &Pose) -> Vec<Longest> {
    let mut indices = mesh.indices.iter();
    let mut pairs = Vec::new();
    // Two vertices in one number, which is compared faster.
    let pair = |a: u32, b: u32| u64::from(a.min(b)) << 32 | u64::from(a.max(b));
    while let (Some(a), Some(b), Some(c)) = (indices.next(), indices.next(), indices.next()) {
        pairs.extend([pair(a, b), pair(b, c), pair(c, a)]);
    }
    pairs.par_sort_unstable();
    pairs.dedup();
    let positions = skin_positions(mesh, &bound.of_mesh(id, mesh));
    let least = (Aabb::from_points(positions.iter().copied()).extent() * MIN_EDGE).powi(2);
    let edges = pairs.into_iter().filter_map(|pair| {
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let vertices = [(pair >> 32) as u32, pair as u32];
        let bound_squared = squared_length(&positions, vertices)?;
        let edge = Longest { vertices, bound_squared, squared: 0.0, moment: u32::MAX };
        (bound_squared > least).then_some(edge)
    });
    edges.collect()
}

fn squared_length(positions: &[Vec3], [a, b]: [u32; 2]) -> Option<f32> {
    let squared = positions.get(a as usize)?.distance_squared(*positions.get(b as usize)?);
    squared.is_finite().then_some(squared)
}

/// Records the edges that are longer in `positions` than ever before.
fn lengthen(edges: &mut [Longest], positions: &[Vec3], moment: u32) {
    edges.par_iter_mut().with_min_len(MIN_LEN).for_each(|edge| {
        if let Some(squared) = squared_length(positions, edge.vertices)
            && squared > edge.squared
        {
            (edge.squared, edge.moment) = (squared, moment);
        }
    });
}

/// The median ratio of lengths in the first pose to those in the bind pose: keys that contain a change of
/// units scale the whole mesh.
fn scale(edges: &[Longest], positions: &[Vec3]) -> f32 {
    let step = edges.len().div_ceil(NUM_FOR_SCALE).max(1);
    let of_edge = |edge: &Longest| {
        let squared = squared_length(positions, edge.vertices)?;
        Some((squared / edge.bound_squared).sqrt())
    };
    let mut factors: Vec<f32> = edges.iter().step_by(step).filter_map(of_edge).collect();
    factors.sort_by(f32::total_cmp);
    let median = factors.get(factors.len() / 2).copied();
    median.filter(|factor| *factor > 0.0).unwrap_or(1.0)
}

fn size(mesh: &Mesh, id: MeshId, bound: &Pose) -> f32 {
    Aabb::from_points(skin_positions(mesh, &bound.of_mesh(id, mesh))).extent()
}

/// About `limit` moments of all clips, at keys and between them, with their times; at least one.
fn moments(model: &Model, limit: usize) -> Vec<(PoseSpec, f64)> {
    let clips = model.clips.iter().enumerate();
    let clips: Vec<_> = clips
        .filter(|(_, clip)| !clip.as_sampled().is_some_and(|motion| motion.is_bind_pair))
        .collect();
    let num_each = (limit / clips.len().max(1)).clamp(1, MAX_MOMENTS);
    let mut moments = Vec::new();
    for (index, clip) in clips.into_iter().take(limit.max(1)) {
        let spec = |moment| PoseSpec {
            clip: Some(ClipId::from_index(index)),
            moment,
            sampling: Sampling::Linear,
            ..PoseSpec::default()
        };
        if let Motion::Sampled(motion) = &clip.motion {
            moments.extend(
                spread(motion.keys.num_keys(), num_each)
                    .map(|key| (spec(Moment::Key(as_u32(key))), motion.key_secs(key))),
            );
            continue;
        }
        let times = clip_times(clip, num_each / 2, num_each);
        moments.extend(times.into_iter().map(|secs| (spec(Moment::TimeSecs(secs)), secs)));
    }
    moments
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat};

    use super::*;
    use crate::model::testing::*;

    const WORK: usize = 1 << 20;

    /// A strip along x: vertices 0 and 1 at the first bone, 2 and 3 at the second, which moves away by `far`
    /// at half a second of the second clip.
    fn strip(far: f32) -> Model {
        let away = linear([(0.0, Vec3::X), (0.5, Vec3::X * (1.0 + far)), (1.0, Vec3::X)]);
        let positions = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
        let binds = [(0, Mat4::IDENTITY), (1, Mat4::from_translation(Vec3::NEG_X))];
        let lists: [&[(u32, f32)]; 4] = [&[(0, 1.0)], &[(0, 1.0)], &[(1, 1.0)], &[(1, 1.0)]];
        ModelBuilder::new()
            .bones(&[("root", None, Vec3::ZERO), ("tip", Some(0), Vec3::X)])
            .mesh(positions.map(|[x, y]| Vec3::new(x, y, 0.0)))
            .indices([0, 2, 1, 1, 2, 3])
            .skin(skin(&binds, lists))
            .clip("still", 1.0)
            .rotation(0, linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(2.0))]))
            .clip("pull", 1.0)
            .translation(1, away)
            .build()
    }

    #[test]
    fn most_stretched_edge_is_reported_with_bones_clip_and_time() {
        let found = stretch(&strip(2.0), WORK, &Report::new()).unwrap();
        let [edge] = found.edges[..] else { panic!("{:?}", found.edges) };
        assert!((edge.ratio - 3.0).abs() < 0.1, "{edge:?}");
        assert_eq!((edge.clip, edge.bones), (ClipId(1), [Some(BoneId(0)), Some(BoneId(1))]));
        assert!((edge.time_secs - 0.5).abs() < 0.01);
        assert!(found.per_vertex.iter().all(|ratio| *ratio > 2.0), "{:?}", found.per_vertex);
    }

    #[test]
    fn moving_the_whole_mesh_stretches_no_edge() {
        let found = stretch(&strip(0.0), WORK, &Report::new()).unwrap();
        assert_eq!(found.edges, []);
        assert!(found.per_vertex.iter().all(|ratio| (ratio - 1.0).abs() < 1e-5));
    }

    #[test]
    fn unit_change_in_the_keys_is_not_a_stretch() {
        let mut model = strip(2.0);
        let small =
            crate::model::LocalTransform::Matrix(glam::Affine3A::from_scale(Vec3::splat(0.01)));
        let mut bones = model.skeleton.bones().to_vec();
        bones[0].rest_local = small;
        model.skeleton = Skeleton::new(bones, true).unwrap();
        model.clips.as_mut_vec().remove(0);
        let found = stretch(&model, WORK, &Report::new()).unwrap();
        assert!((found.edges[0].ratio - 3.0).abs() < 0.1, "{:?}", found.edges);
    }

    #[test]
    fn more_edges_reduce_the_number_of_moments() {
        assert!((5..=10).contains(&moments(&strip(1.0), 10).len()));
        assert_eq!(moments(&strip(1.0), 0).len(), 1);
        let all = moments(&strip(1.0), usize::MAX);
        assert!((MAX_MOMENTS..=2 * MAX_MOMENTS + 2).contains(&all.len()), "{}", all.len());
        assert!(all.iter().any(|(_, secs)| *secs == 0.5), "the key between both ends");
    }
}
