//! Splits meshes into chunks that fit in the device's buffers, and assigns chunks to groups. A group has
//! one buffer of skinned vertices and one of indices.
//!
//! A mesh that fits in a buffer is one chunk, unchanged. A larger one is split by triangles, in their
//! order: each chunk gets a run of triangles, then of loose lines and points, and the vertices that these
//! need: first its own, then those that it shares with earlier chunks.
//!
//! Not for: the chunk itself (`chunk`); textures and palettes, which are rejected if they are too large.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::buffers::{PART_ALIGNMENT, count};
use super::chunk::{Chunk, ChunkPlace, ChunkSource};
use super::deform::{SKINNED_BYTES, VertexSizes};
use super::skinned_layout::has_tangents;
use rigscope_core::model::{Indices, LooseGeometry, Mesh, Model, Subset};
use rigscope_core::reshape::gather_mesh;

const INDEX_BYTES: usize = 4;
/// Buffer space that isn't used for vertices.
const SPARE_BYTES: u64 = 64;
/// Marks a vertex that isn't in the chunk.
const ELSEWHERE: u32 = u32::MAX;

/// The chunks and groups of a model's meshes.
pub(super) struct ChunkPlan<'a> {
    meshes: &'a [Mesh],
    /// In the order of the meshes.
    list: Vec<PlannedChunk<'a>>,
    groups: Vec<GroupSize>,
}

/// Totals over the chunks of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupSize {
    pub(super) num_vertices: u32,
    pub(super) index_bytes: usize,
    /// Whether any chunk has tangents.
    pub(super) has_tangents: bool,
}

struct PlannedChunk<'a> {
    number: usize,
    /// `None` if the mesh is one chunk.
    source: Option<(Arc<MeshElements<'a>>, Range<usize>)>,
    num_vertices: u32,
    place: ChunkPlace,
}

impl<'a> ChunkPlan<'a> {
    /// Plans the chunks of `model` so that no buffer exceeds `max_bytes`, if that is possible.
    pub(super) fn plan(model: &'a Model, max_bytes: u64) -> Self {
        let mut chunks = Self { meshes: &model.meshes, list: Vec::new(), groups: Vec::new() };
        for (number, mesh) in model.meshes.iter().enumerate() {
            let room = VertexSizes::of(mesh);
            let num_vertices = mesh.num_vertices();
            let vertex_bytes = (0..num_vertices).into_par_iter().map(|vertex| room.bytes(vertex));
            let vertex_bytes: u64 = vertex_bytes.sum();
            let most_index_bytes = MeshElements::num_corners(mesh) * INDEX_BYTES;
            if vertex_bytes <= max_bytes && most_index_bytes as u64 <= max_bytes {
                chunks.add(number, None, num_vertices, index_bytes(mesh), max_bytes);
                continue;
            }
            let elements = Arc::new(MeshElements::of(mesh));
            for run in elements.runs(&room, max_bytes) {
                let ElementRun { elements: run, num_vertices, index_bytes } = run;
                let source = Some((Arc::clone(&elements), run));
                chunks.add(number, source, num_vertices, index_bytes, max_bytes);
            }
        }
        chunks
    }

    fn add(
        &mut self,
        number: usize,
        source: Option<(Arc<MeshElements<'a>>, Range<usize>)>,
        num_vertices: usize,
        index_bytes: usize,
        max_bytes: u64,
    ) {
        let num_vertices = count(num_vertices);
        let index_bytes = index_bytes.next_multiple_of(PART_ALIGNMENT);
        let fits = |len: &GroupSize| {
            (u64::from(len.num_vertices) + u64::from(num_vertices)) * SKINNED_BYTES <= max_bytes
                && (len.index_bytes + index_bytes) as u64 <= max_bytes
        };
        if !self.groups.last().is_some_and(fits) {
            self.groups.push(GroupSize::default());
        }
        let group = self.groups.len() - 1;
        let len = &mut self.groups[group];
        let place =
            ChunkPlace { group, first_vertex: len.num_vertices, first_index_byte: len.index_bytes };
        len.num_vertices = len.num_vertices.saturating_add(num_vertices);
        len.index_bytes += index_bytes;
        len.has_tangents |= has_tangents(&self.meshes[number]);
        self.list.push(PlannedChunk { number, source, num_vertices, place });
    }

    pub(super) fn groups(&self) -> &[GroupSize] {
        &self.groups
    }

    /// Total number of subsets and loose lists over all chunks.
    pub(super) fn num_parts(&self) -> usize {
        self.list.iter().map(|planned| self.meshes[planned.number].num_parts()).sum()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Builds the chunks one at a time.
    pub(super) fn iter(&self) -> impl Iterator<Item = Chunk<'a>> {
        self.list.iter().map(|planned| {
            let PlannedChunk { number, place, .. } = *planned;
            let whole = &self.meshes[number];
            let (mesh, source) = match &planned.source {
                None => (Cow::Borrowed(whole), None),
                Some((elements, run)) => {
                    let (mesh, source) = elements.part(run.clone());
                    (Cow::Owned(mesh), Some(source))
                }
            };
            debug_assert_eq!(mesh.num_vertices(), planned.num_vertices as usize);
            Chunk { number, mesh, source, place }
        })
    }
}

/// Elements of a mesh that fit in the buffers.
struct ElementRun {
    elements: Range<usize>,
    num_vertices: usize,
    /// An upper bound.
    index_bytes: usize,
}

/// The elements of a mesh in drawing order: triangles, loose lines and points list by list, and vertices
/// that no element uses.
struct MeshElements<'a> {
    mesh: &'a Mesh,
    /// For each vertex, the first element that uses it; [`ELSEWHERE`] for unreferenced vertices.
    first_of: Vec<u32>,
    unreferenced: Vec<u32>,
}

impl<'a> MeshElements<'a> {
    fn of(mesh: &'a Mesh) -> Self {
        let first_of = vec![ELSEWHERE; mesh.num_vertices()];
        let mut elements = Self { mesh, first_of, unreferenced: Vec::new() };
        let (mut first_of, mut at) = (std::mem::take(&mut elements.first_of), 0);
        elements.each(|corners| {
            for corner in corners {
                if let Some(first) = first_of.get_mut(*corner as usize) {
                    *first = (*first).min(at);
                }
            }
            at += 1;
        });
        let unreferenced = (0u32..).zip(&first_of).filter(|(_, first)| **first == ELSEWHERE);
        elements.unreferenced = unreferenced.map(|(vertex, _)| vertex).collect();
        Self { first_of, ..elements }
    }

    /// Number of triangle corners and of loose line and point corners.
    fn num_corners(mesh: &Mesh) -> usize {
        let of_loose = mesh.loose.iter().map(|loose| loose.indices.len());
        mesh.indices.len() + of_loose.sum::<usize>()
    }

    /// The first element of each kind (triangles, each loose list, unreferenced vertices), and the end.
    fn starts(&self) -> Vec<usize> {
        let mut starts = vec![0, self.mesh.indices.len().div_ceil(3)];
        let mut end = starts[1];
        for loose in &self.mesh.loose {
            end += num_things(loose);
            starts.push(end);
        }
        starts.push(end + self.unreferenced.len());
        starts
    }

    /// Calls `visit` with the corners of every element, in order.
    fn each(&self, mut visit: impl FnMut(&[u32])) {
        let indices: Vec<u32>;
        let triangles = match &self.mesh.indices {
            Indices::U32(list) => list,
            Indices::U16(_) => {
                indices = self.mesh.indices.iter().collect();
                &indices
            }
        };
        triangles.chunks(3).for_each(&mut visit);
        for loose in &self.mesh.loose {
            loose.indices.chunks(loose.kind.num_corners()).for_each(&mut visit);
        }
        self.unreferenced.chunks(1).for_each(&mut visit);
    }

    /// Runs of elements that fit in the buffers.
    fn runs(&self, room: &VertexSizes<'_>, max_bytes: u64) -> Vec<ElementRun> {
        let max_bytes = max_bytes.saturating_sub(SPARE_BYTES);
        let mut runs = Vec::new();
        // For each vertex, the last run that uses it, counted from 1.
        let mut run_of = vec![0; self.mesh.num_vertices()];
        let (mut run, mut start, mut at) = (1u32, 0, 0);
        let (mut num_vertices, mut bytes, mut index_bytes) = (0, 0, 0);
        self.each(|corners| {
            let news = |run: u32, run_of: &[u32]| {
                let is_new = |(at, corner): &(usize, &u32)| {
                    run_of.get(**corner as usize).is_some_and(|known| *known != run)
                        && !corners[..*at].contains(corner)
                };
                let news = corners.iter().enumerate().filter(is_new);
                news.fold((0, 0), |(num, bytes), (_, corner)| {
                    (num + 1, bytes + room.bytes(*corner as usize))
                })
            };
            let mut new = news(run, &run_of);
            let own_bytes = corners.len() * INDEX_BYTES;
            let is_full = bytes + new.1 > max_bytes || (index_bytes + own_bytes) as u64 > max_bytes;
            if is_full && start < at {
                runs.push(ElementRun { elements: start..at, num_vertices, index_bytes });
                run += 1;
                (start, num_vertices, bytes, index_bytes) = (at, 0, 0, 0);
                new = news(run, &run_of);
            }
            num_vertices += new.0;
            bytes += new.1;
            index_bytes += own_bytes;
            for corner in corners {
                if let Some(known) = run_of.get_mut(*corner as usize) {
                    *known = run;
                }
            }
            at += 1;
        });
        if start < at {
            runs.push(ElementRun { elements: start..at, num_vertices, index_bytes });
        }
        runs
    }

    /// The chunk that consists of the elements in `run`.
    fn part(&self, run: Range<usize>) -> (Mesh, ChunkSource) {
        let mesh = self.mesh;
        let starts = self.starts();
        // The run's elements of one kind, counted within the kind.
        let within = |kind: usize| {
            let (from, to) = (starts[kind], starts[kind + 1]);
            run.start.clamp(from, to) - from..run.end.clamp(from, to) - from
        };
        let scaled = |range: Range<usize>, by: usize, len: usize| {
            (range.start * by).min(len)..(range.end * by).min(len)
        };
        let triangles = scaled(within(0), 3, mesh.indices.len());
        let loose = |at: usize| {
            let loose = &mesh.loose[at];
            let range = scaled(within(at + 1), loose.kind.num_corners(), loose.indices.len());
            &loose.indices[range]
        };
        let unreferenced = &self.unreferenced[within(mesh.loose.len() + 1)];
        let corners = || triangles.clone().filter_map(|at| mesh.indices.get(at));
        let mut own = vec![ELSEWHERE; mesh.num_vertices()];
        let of_loose = (0..mesh.loose.len()).flat_map(loose).chain(unreferenced).copied();
        for vertex in corners().chain(of_loose) {
            if let Some(own) = own.get_mut(vertex as usize) {
                *own = 0;
            }
        }
        let is_own = |vertex: u32| self.first_of[vertex as usize] as usize >= run.start;
        let used = (0u32..).zip(&own).filter(|(_, own)| **own == 0).map(|(vertex, _)| vertex);
        let (mut vertices, shared): (Vec<u32>, Vec<u32>) = used.partition(|vertex| is_own(*vertex));
        let num_own = count(vertices.len());
        vertices.extend(shared);
        for (number, vertex) in (0u32..).zip(&vertices) {
            own[*vertex as usize] = number;
        }
        // Indices beyond the mesh's vertices map to one beyond the chunk's.
        let beyond = count(vertices.len());
        let own = |vertex: u32| own.get(vertex as usize).copied().unwrap_or(beyond);
        let subset = |subset: &Subset| {
            let clamped = |at: usize| at.clamp(triangles.start, triangles.end) - triangles.start;
            let range = clamped(subset.range().start)..clamped(subset.range().end);
            Subset {
                first_index: count(range.start),
                index_count: count(range.len()),
                material: subset.material,
            }
        };
        let loose = |(at, whole): (usize, &LooseGeometry)| LooseGeometry {
            indices: loose(at).iter().map(|&vertex| own(vertex)).collect(),
            ..whole.clone()
        };
        let part = Mesh {
            indices: Indices::U32(corners().map(own).collect()),
            subsets: mesh.subsets.iter().map(subset).collect(),
            loose: mesh.loose.iter().enumerate().map(loose).collect(),
            ..gather_mesh(mesh, &vertices)
        };
        let first_triangle = count(triangles.start / 3);
        (part, ChunkSource { vertices: vertices.into(), num_own, first_triangle })
    }
}

/// Bytes of all indices of `mesh` in the form in which they are drawn; see `scene`.
fn index_bytes(mesh: &Mesh) -> usize {
    match &mesh.indices {
        Indices::U16(_) if mesh.loose.is_empty() => mesh.indices.len() * 2,
        _ => MeshElements::num_corners(mesh) * INDEX_BYTES,
    }
}

fn num_things(loose: &LooseGeometry) -> usize {
    loose.indices.len().div_ceil(loose.kind.num_corners())
}
