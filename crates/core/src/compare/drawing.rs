//! Whether two versions of a model with the same vertices are drawn the same: a fix must write the model of its
//! preview.

use crate::model::{Aabb, ClipId, Mesh, MeshId, Model, VertexData, numbered, numbers, spread};
use crate::pose::{Moment, PoseSpec, sample, skin_some_positions};

/// The most vertices per mesh, clips, and moments per clip that are compared.
const MAX_VERTICES: usize = 20_000;
const MAX_CLIPS: usize = 32;
const MOMENTS_PER_CLIP: usize = 4;
/// Larger distances, as a fraction of the model's size, aren't rounding: half a step of an 8-bit weight moves a vertex
/// by less.
const SAME_PLACE: f32 = 2e-3;
/// Larger differences of directions and UVs aren't rounding: 8-bit directions are off by less.
const SAME_VALUE: f32 = 0.02;

/// A visible difference between two versions of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawingDifference {
    /// The number of meshes or vertices.
    Parts,
    /// The positions of a mesh's vertices in some pose, with the largest distance as a fraction of the model's size.
    Positions {
        /// The mesh.
        mesh: MeshId,
        /// The largest distance.
        share: f32,
    },
    /// The triangles, normals, tangents or UVs of a mesh.
    Surface {
        /// The mesh.
        mesh: MeshId,
        /// The parts that differ, as a noun in the plural.
        what: &'static str,
    },
}

impl DrawingDifference {
    /// The difference as a phrase; `model` names the meshes.
    pub fn text(&self, model: &Model) -> String {
        let named = |mesh: &MeshId| {
            let name = model.meshes.get(*mesh).map_or("", |mesh| &*mesh.name);
            numbered("mesh", mesh.index(), name)
        };
        match self {
            Self::Parts => "it has other meshes or vertices".to_owned(),
            Self::Positions { mesh, share } => {
                let share = numbers::up_to_percent(*share);
                format!("vertices of {} are {share} of the model's size away", named(mesh))
            }
            Self::Surface { mesh, what } => format!("the {what} of {} differ", named(mesh)),
        }
    }
}

/// The first visible difference: in the rest pose, in moments of all clips that both models have, or in the surfaces.
pub fn drawing_difference(a: &Model, b: &Model) -> Option<DrawingDifference> {
    let is_same = |(a, b): (&Mesh, &Mesh)| {
        a.num_vertices() == b.num_vertices() && a.indices.len() == b.indices.len()
    };
    if a.meshes.len() != b.meshes.len() || !a.meshes.iter().zip(&b.meshes).all(is_same) {
        return Some(DrawingDifference::Parts);
    }
    for (at, (own, other)) in a.meshes.iter().zip(&b.meshes).enumerate() {
        if let Some(what) = surface_difference(own, other) {
            return Some(DrawingDifference::Surface { mesh: MeshId::from_index(at), what });
        }
    }
    moments(a, b).into_iter().find_map(|specs| positions_difference(a, b, specs))
}

/// The same moments of both models.
fn moments(a: &Model, b: &Model) -> Vec<[PoseSpec; 2]> {
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let mut all = vec![[rest; 2], [PoseSpec::default(); 2]];
    let pairs: Vec<usize> = a
        .clips
        .iter()
        .zip(&b.clips)
        .enumerate()
        .filter(|(_, (own, other))| own.name == other.name)
        .map(|(at, _)| at)
        .collect();
    for at in spread(pairs.len(), MAX_CLIPS) {
        let Some(&clip) = pairs.get(at) else { continue };
        for part in 0..MOMENTS_PER_CLIP {
            let share = (part as f64 + 0.5) / MOMENTS_PER_CLIP as f64;
            all.push([a, b].map(|model| {
                let secs = model
                    .clips
                    .get(ClipId::from_index(clip))
                    .map_or(0.0, |own| own.start_secs + own.duration_secs.max(0.0) * share);
                PoseSpec::linear(ClipId::from_index(clip), secs)
            }));
        }
    }
    all
}

fn positions_difference(a: &Model, b: &Model, specs: [PoseSpec; 2]) -> Option<DrawingDifference> {
    let poses = [sample(a, &specs[0]), sample(b, &specs[1])];
    let mut bounds = Aabb::EMPTY;
    let mut most = (0.0f32, MeshId::from_index(0));
    for (at, (own, other)) in a.meshes.iter().zip(&b.meshes).enumerate() {
        let mesh = MeshId::from_index(at);
        let vertices: Vec<u32> = spread(own.num_vertices(), MAX_VERTICES)
            .filter_map(|vertex| u32::try_from(vertex).ok())
            .collect();
        let [own, other] = [(own, &poses[0]), (other, &poses[1])].map(|(own, pose)| {
            let pose = pose.of_mesh(mesh, own);
            skin_some_positions(own, &pose, &vertices)
        });
        for (own, other) in own.iter().zip(&other) {
            bounds = bounds.union(Aabb { min: *own, max: *own });
            let distance = own.distance(*other);
            // Only one of them can be posed in single precision.
            let distance = if distance.is_nan() { f32::INFINITY } else { distance };
            let are_both_wild = !own.is_finite() && !other.is_finite();
            if distance > most.0 && !are_both_wild {
                most = (distance, mesh);
            }
        }
    }
    let share = most.0 / bounds.extent().max(f32::MIN_POSITIVE);
    (most.0 > 0.0 && share > SAME_PLACE)
        .then_some(DrawingDifference::Positions { mesh: most.1, share })
}

/// The parts that differ, as a noun in the plural.
fn surface_difference(a: &Mesh, b: &Mesh) -> Option<&'static str> {
    if a.indices.iter().zip(b.indices.iter()).any(|(a, b)| a != b) {
        return Some("triangles");
    }
    let (VertexData::Streams(own), VertexData::Streams(other)) = (&a.vertices, &b.vertices) else {
        return None;
    };
    let differ = |distance: f32| distance > SAME_VALUE;
    let mut normals = own.normals.iter().zip(&other.normals);
    let mut tangents = own.tangents.iter().zip(&other.tangents);
    let uvs = own.uv_sets.iter().zip(&other.uv_sets);
    let mut uvs = uvs.flat_map(|(a, b)| a.coords.iter().zip(&b.coords));
    if normals.any(|(a, b)| differ(a.distance(*b))) {
        return Some("normals");
    }
    if tangents.any(|(a, b)| differ(a.distance(*b))) {
        return Some("tangents");
    }
    uvs.any(|(a, b)| differ(a.distance(*b))).then_some("UVs")
}
