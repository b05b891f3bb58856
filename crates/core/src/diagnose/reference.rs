//! A correct version of the examined model: its source, or an older export.
//!
//! Bones, clips, meshes and morph targets are matched by name (`model::matching`). Vertices are matched as in
//! `compare`; if their positions differ too much for that, by index if both meshes have the same number of them,
//! otherwise by position after scaling both to one size.

use std::collections::HashMap;
use std::sync::OnceLock;

use glam::Vec3;

use super::parts::{MeshSample, index};
use crate::compare::{MatchBy, MatchMethod, VertexMatching, match_vertices};
use crate::geometry::from_lowest;
use crate::model::{
    Aabb, BoneId, IdVec, Mesh, MeshId, Model, MorphTargetAt, Report, VertexNumbers, match_bones,
    match_clips, match_meshes, match_morph_targets,
};
use crate::reshape::{in_axes, plain};

/// The reference, and its parts that match those of the examined model.
pub(super) struct Reference {
    /// In plain form, in the axes of the examined model.
    pub(super) model: Model,
    /// The matching bone for each bone of the examined model.
    pub(super) bones: IdVec<BoneId, Option<BoneId>>,
    /// The matching clip for each clip of the examined model.
    pub(super) clips: HashMap<usize, usize>,
    /// The matching morph target for those of the examined model that have one.
    pub(super) morph_targets: HashMap<MorphTargetAt, MorphTargetAt>,
    /// One entry per sample of the case.
    pub(super) meshes: Vec<Option<MeshMatch>>,
    /// See [`posed_reference`](super::posed::posed_reference).
    pub(super) posed: OnceLock<Vec<Option<Vec<Vec<Vec3>>>>>,
}

/// The mesh of the reference that matches a sampled mesh.
pub(super) struct MeshMatch {
    pub(super) mesh: MeshId,
    order: VertexOrder,
    /// See [`MeshMatch::triangles`].
    triangles: OnceLock<Vec<[u32; 3]>>,
    /// The matching vertex for each sampled vertex.
    pub(super) vertices: Vec<u32>,
}

/// How the vertices of a mesh are ordered, compared with those of the reference.
enum VertexOrder {
    Same,
    /// The vertex of the reference for each vertex.
    Other(Vec<u32>),
    /// The numbers of vertices differ; only sampled vertices are matched.
    Unknown,
}

impl MeshMatch {
    /// Whether vertices with the same index match.
    pub(super) fn is_by_number(&self) -> bool {
        matches!(self.order, VertexOrder::Same)
    }

    /// The triangles of the matching mesh, each from its lowest corner, in ascending order.
    pub(super) fn triangles(&self, mesh: &Mesh) -> &[[u32; 3]] {
        self.triangles.get_or_init(|| {
            let mut all: Vec<[u32; 3]> =
                mesh.triangles(0..mesh.indices.len()).map(from_lowest).collect();
            all.sort_unstable();
            all
        })
    }

    /// The vertex of the reference that matches any vertex of the mesh.
    pub(super) fn counterpart(&self, vertex: u32) -> Option<u32> {
        match &self.order {
            VertexOrder::Same => Some(vertex),
            VertexOrder::Other(of_all) => of_all.get(vertex as usize).copied(),
            VertexOrder::Unknown => None,
        }
    }
}

impl Reference {
    pub(super) fn new(own: &Model, samples: &[MeshSample], source: &Model) -> Self {
        let model = plain(&in_axes(source, &own.axes), None);
        let pairs = match_clips(&model.clips, &own.clips);
        let clips = pairs.into_iter().map(|(of, own)| (own.index(), of.index())).collect();
        let bones = match_bones(&own.skeleton, &model.skeleton);
        let mesh_of = match_meshes(&own.meshes, &model.meshes);
        let morph_targets = match_morph_targets(&own.meshes, &model.meshes);
        let reordered = MatchedByPosition::of(own, &model);
        let match_of = |part: &MeshSample| {
            let mesh = &own.meshes[part.mesh];
            let at = mesh_of.get(part.mesh.index()).copied().flatten()?;
            let other = &model.meshes[at];
            let reordered = reordered.as_ref().filter(|_| !has_same_triangles(mesh, other));
            if let Some(of_all) = reordered.and_then(|all| all.order_of(part.mesh, at)) {
                let vertices =
                    part.vertices.iter().map(|vertex| of_all[*vertex as usize]).collect();
                let order = VertexOrder::Other(of_all);
                return Some(MeshMatch { mesh: at, order, triangles: OnceLock::new(), vertices });
            }
            let is_by_number = mesh.num_vertices() == other.num_vertices();
            let (order, vertices) = if is_by_number {
                (VertexOrder::Same, part.vertices.clone())
            } else {
                (VertexOrder::Unknown, by_position(mesh, other, &part.vertices)?)
            };
            Some(MeshMatch { mesh: at, order, triangles: OnceLock::new(), vertices })
        };
        let meshes = samples.iter().map(match_of).collect();
        Self { model, bones, clips, morph_targets, meshes, posed: OnceLock::new() }
    }
}

/// Whether the triangles of two meshes have the same vertices, in either winding: then vertices with the same index
/// match, wherever they are.
fn has_same_triangles(a: &Mesh, b: &Mesh) -> bool {
    let sorted = |[a, b, c]: [u32; 3]| {
        let mut own = [a, b, c];
        own.sort_unstable();
        own
    };
    let of = |mesh: &Mesh| mesh.triangles(0..mesh.indices.len()).map(sorted).collect::<Vec<_>>();
    a.num_vertices() == b.num_vertices() && a.num_triangles() > 0 && of(a) == of(b)
}

/// All vertices of a model, matched by position with those of the reference: optimizers change their order, and split
/// or merge them.
struct MatchedByPosition {
    numbers: [VertexNumbers; 2],
    matching: VertexMatching,
}

impl MatchedByPosition {
    /// `None` if vertices of the same index match, or if the positions differ too much to decide.
    fn of(own: &Model, reference: &Model) -> Option<Self> {
        let report = Report::new();
        let matching = match_vertices(reference, own, MatchBy::Auto, &report).ok()?;
        let is_sure = matching.by == MatchMethod::Position && matching.num_unmatched_b == 0;
        let numbers = [VertexNumbers::of(own), VertexNumbers::of(reference)];
        is_sure.then_some(Self { numbers, matching })
    }

    /// For each vertex of mesh `at`, its match in mesh `of` of the reference; `None` if some match in another mesh.
    fn order_of(&self, at: MeshId, of: MeshId) -> Option<Vec<u32>> {
        let [own, reference] = &self.numbers;
        let all =
            self.matching.a_of_b.get(own.first_of(at.index())..own.first_of(at.index() + 1))?;
        let vertex = |number: &Option<u32>| {
            let found = reference.at((*number)? as usize);
            (found.mesh == of).then_some(found.vertex.0)
        };
        all.iter().map(vertex).collect()
    }
}

/// The nearest vertices of `other`, after moving and scaling both meshes to the same bounding box.
fn by_position(own: &Mesh, other: &Mesh, vertices: &[u32]) -> Option<Vec<u32>> {
    let (own, other) = (&own.streams()?.positions, &other.streams()?.positions);
    let unit = |points: &[Vec3]| {
        let bounds = Aabb::from_points(points.iter().copied());
        let size = bounds.extent().max(f32::MIN_POSITIVE);
        move |point: Vec3| (point - bounds.center()) / size
    };
    let (to_unit, other_to_unit) = (unit(own), unit(other));
    // Cells of a grid along the size of the mesh. Only the cell of a point and its neighbours are searched.
    const CELLS: f32 = 64.0;
    let cell = |point: Vec3| (point * CELLS).round().as_ivec3().to_array();
    let mut grid: HashMap<[i32; 3], Vec<u32>> = HashMap::new();
    for (at, point) in other.iter().enumerate() {
        grid.entry(cell(other_to_unit(*point))).or_default().push(index(at));
    }
    let nearest = |vertex: &u32| {
        let point = to_unit(*own.get(*vertex as usize)?);
        let [x, y, z] = cell(point);
        let around = (0..27).map(|n| [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]);
        let candidates = around.filter_map(|cell| grid.get(&cell)).flatten().copied();
        let distance = |at: &u32| {
            let place = other.get(*at as usize).map(|place| other_to_unit(*place));
            place.map_or(f32::INFINITY, |place| place.distance_squared(point))
        };
        candidates.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    // If a vertex has no match, the mesh isn't compared at all.
    vertices.iter().map(nearest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::{Context, diagnose};
    use crate::model::testing::*;
    use crate::model::{Indices, Influences};

    /// A bent sheet on two bones, with normals.
    fn sheet() -> Model {
        let points = (0..36u8).map(|at| {
            let (x, y) = (f32::from(at % 6), f32::from(at / 6));
            Vec3::new(x, y, (x * 0.3).sin())
        });
        let points: Vec<Vec3> = points.collect();
        let quad = |at: u32| [at, at + 1, at + 7, at, at + 7, at + 6];
        let corners = (0..30).filter(|at| at % 6 < 5).flat_map(quad);
        let lists = points.iter().map(|point| [(0, 1.0 - point.x / 5.0), (1, point.x / 5.0)]);
        let lists: Vec<_> = lists.collect();
        let mut model = ModelBuilder::new().chain(&["a", "b"]).mesh(points).bound(lists).build();
        model.meshes[MeshId(0)].indices = Indices::U32(corners.collect());
        model
    }

    /// The same with the vertices in reverse order.
    fn reversed(mut model: Model) -> Model {
        let mesh = &mut model.meshes[MeshId(0)];
        let num = u32::try_from(mesh.num_vertices()).unwrap();
        streams_mut(mesh).positions.reverse();
        let corners: Vec<u32> = mesh.indices.iter().map(|corner| num - 1 - corner).collect();
        mesh.indices = Indices::U32(corners);
        let skin = inverse_bind_mut(mesh);
        skin.influences = skin.influences.of_vertices((0..num as usize).rev());
        model
    }

    #[test]
    fn vertices_in_another_order_are_matched_by_position() {
        let source = sheet();
        let own = plain(&reversed(source.clone()), None);
        let part = MeshSample::of_vertices(MeshId(0), vec![0, 5, 35]);
        let reference = Reference::new(&own, &[part], &source);
        let found = reference.meshes[0].as_ref().unwrap();
        assert_eq!(found.vertices, [35, 30, 0]);
        assert_eq!((found.counterpart(1), found.counterpart(36)), (Some(34), None));
    }

    #[test]
    fn another_order_is_no_evidence_but_wrong_weights_are() {
        let source = sheet();
        let context = Context { reference: Some(&source), ..Context::default() };
        let of = |model: &Model| {
            let found = diagnose(model, context, &Report::new()).unwrap();
            let mut measured = found.measured.iter();
            let weights = measured.find(|own| own.evidence.name == "weights-from-reference");
            (found.causes.len(), weights.unwrap().worst)
        };
        let (num_causes, deviation) = of(&reversed(source.clone()));
        assert!(num_causes == 0 && deviation < 1e-3, "{num_causes} {deviation}");
        let mut wrong = reversed(source.clone());
        let skin = inverse_bind_mut(&mut wrong.meshes[MeshId(0)]);
        skin.influences = Influences::from_lists([&[(0, 1.0)][..]; 36]);
        let (_, deviation) = of(&wrong);
        assert!(deviation > 0.3, "{deviation}");
    }

    #[test]
    fn positions_that_differ_everywhere_are_matched_by_index() {
        let source = sheet();
        let mut own = source.clone();
        for position in &mut streams_mut(&mut own.meshes[MeshId(0)]).positions {
            *position *= 100.0;
        }
        let part = MeshSample::of_vertices(MeshId(0), vec![0, 35]);
        let reference = Reference::new(&plain(&own, None), &[part], &source);
        let found = reference.meshes[0].as_ref().unwrap();
        assert_eq!(found.vertices, [0, 35]);
        assert_eq!(found.counterpart(7), Some(7));
    }
}
