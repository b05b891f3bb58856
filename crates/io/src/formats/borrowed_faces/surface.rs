//! Builds faces for a mesh without any from another model of the same mesh. Pure, without I/O.
//!
//! A vertex of the other model corresponds to the point with its number (in an OBJ: the number of
//! its `v` line) if the two are close, otherwise to the nearest point. In both cases the distance
//! may be at most [`TOLERANCE`] of the size of the points. Several vertices may correspond to one
//! point, for example along seams; each becomes a vertex with the point's influences, so that UVs
//! and normals are right. The other model is tried as stored and as posed at rest, each with its
//! axes as stored and as converted to those of the points; the best match is used.
//! Finding the other file is in `borrowed_faces`.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};

use rigscope_core::model::{
    Aabb, Cancelled, Indices, InverseBindSkin, Mesh, Model, Report, Skin, SpaceChange, Streams,
    Subset, UvSet, VertexData, Winding,
};
use rigscope_core::pose::{PoseSpec, SkinnedMesh, skin_model};

/// Maximum distance between a vertex and its point, relative to the size of the points.
pub(super) const TOLERANCE: f32 = 1e-3;
/// Points per grid cell that are searched; only coincident points exceed it.
const MAX_PER_CELL: usize = 64;
/// Vertices between two checks for cancellation.
const VERTICES_PER_LOOK: usize = 4096;

/// Points with faces.
pub(super) struct MatchedSurface {
    /// Vertices in the order of the other model, then the points without a vertex.
    pub(super) mesh: Mesh,
    /// The point of each vertex.
    pub(super) point_of: Vec<u32>,
    /// Vertices of the other model without a point; their triangles are left out.
    pub(super) num_lost: usize,
    /// Points without a vertex.
    pub(super) num_bare: usize,
    /// Largest distance of a vertex from its point.
    pub(super) distance: f32,
    /// Whether all matched vertices were matched by number.
    pub(super) is_by_order: bool,
}

/// The vertices of the other model in one of the variants that are tried.
struct PoseVariant {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    is_mirrored: bool,
}

/// Point of each vertex of a variant.
struct VertexMatches {
    point_of: Vec<Option<u32>>,
    num: usize,
    num_by_order: usize,
    sum: f32,
    distance: f32,
}

/// The points of the first mesh of `points` with the faces of `other`; `None` if no triangle is
/// left.
///
/// `other` has passed the check. `numbers` are the stored numbers of its vertices, if there are
/// any. Without them, a vertex's number is its index, provided that there are as many vertices as
/// points.
///
/// # Errors
/// When cancelled.
pub(super) fn surface(
    points: &Model,
    other: &Model,
    numbers: Option<&[u32]>,
    report: &Report,
) -> Result<Option<MatchedSurface>, Cancelled> {
    let Some(mesh) = points.meshes.first() else { return Ok(None) };
    let targets: Vec<Vec3> = (0..mesh.num_vertices()).filter_map(|v| mesh.position(v)).collect();
    let finite = targets.iter().copied().filter(|p| p.is_finite());
    let tolerance = Aabb::from_points(finite).extent() * TOLERANCE;
    let grid = PointGrid::of(&targets, tolerance);
    let mut best: Option<(VertexMatches, PoseVariant)> = None;
    for variant in variants(points, other) {
        let matched = grid.matched(&variant.positions, numbers, report)?;
        let is_better = best.as_ref().is_none_or(|(known, _)| {
            matched.num > known.num || (matched.num == known.num && matched.sum < known.sum)
        });
        if is_better {
            best = Some((matched, variant));
        }
    }
    Ok(best.and_then(|(matched, variant)| build(mesh, &targets, other, &matched, variant)))
}

fn variants(points: &Model, other: &Model) -> Vec<PoseVariant> {
    let stored = other.meshes.iter().map(|mesh| {
        let num = mesh.num_vertices();
        SkinnedMesh {
            positions: (0..num).map(|v| mesh.position(v).unwrap_or_default()).collect(),
            normals: (0..num).map(|v| mesh.normal(v).unwrap_or_default()).collect(),
            tangents: (0..num).map(|v| mesh.tangent(v).unwrap_or_default()).collect(),
        }
    });
    let mut sources = vec![stored.collect::<Vec<_>>()];
    let is_moved = |mesh: &Mesh| mesh.attached_to.is_some() || !matches!(mesh.skin, Skin::None);
    if other.meshes.iter().any(is_moved) {
        sources.push(skin_model(other, &PoseSpec::default()));
    }
    let mut changes = vec![SpaceChange::IDENTITY, SpaceChange::between(&other.axes, &points.axes)];
    changes.dedup();
    let mut variants = Vec::new();
    for meshes in &sources {
        for change in &changes {
            variants.push(PoseVariant {
                positions: all(meshes, |m| &m.positions, |&p| change.point(p)),
                normals: all(meshes, |m| &m.normals, |&n| change.direction(n)),
                tangents: all(meshes, |m| &m.tangents, |&t| change.tangent(t)),
                is_mirrored: change.is_mirror(),
            });
        }
    }
    variants
}

/// Concatenates one attribute of all meshes.
fn all<T, U>(
    meshes: &[SkinnedMesh],
    get: impl Fn(&SkinnedMesh) -> &Vec<T>,
    map: impl Fn(&T) -> U,
) -> Vec<U> {
    meshes.iter().flat_map(|mesh| get(mesh).iter().map(&map)).collect()
}

/// Points by grid cell.
struct PointGrid<'a> {
    targets: &'a [Vec3],
    tolerance: f32,
    cells: HashMap<[i64; 3], Vec<u32>>,
}

impl<'a> PointGrid<'a> {
    fn of(targets: &'a [Vec3], tolerance: f32) -> Self {
        // A single point has no size.
        let tolerance = if tolerance > 0.0 { tolerance } else { 1e-6 };
        let mut grid = Self { targets, tolerance, cells: HashMap::new() };
        for (at, &point) in targets.iter().enumerate() {
            if let (Some(cell), Ok(at)) = (grid.cell(point), u32::try_from(at)) {
                let points = grid.cells.entry(cell).or_default();
                if points.len() < MAX_PER_CELL {
                    points.push(at);
                }
            }
        }
        grid
    }

    fn cell(&self, point: Vec3) -> Option<[i64; 3]> {
        #[expect(clippy::cast_possible_truncation, reason = "saturates, which is far away too")]
        let cell = (point / self.tolerance).to_array().map(|at| at.floor() as i64);
        point.is_finite().then_some(cell)
    }

    /// The nearest point within the tolerance, and its distance.
    fn nearest(&self, point: Vec3) -> Option<(u32, f32)> {
        let [x, y, z] = self.cell(point)?;
        let mut best: Option<(u32, f32)> = None;
        for step in 0..27 {
            let beside = |at: i64, step: i64| at.saturating_add(step % 3 - 1);
            let cell = [beside(x, step), beside(y, step / 3), beside(z, step / 9)];
            for &at in self.cells.get(&cell).into_iter().flatten() {
                let distance = self.distance(at, point)?;
                let is_nearer = best.is_none_or(|(_, known)| distance < known);
                if distance <= self.tolerance && is_nearer {
                    best = Some((at, distance));
                }
            }
        }
        best
    }

    fn distance(&self, at: u32, point: Vec3) -> Option<f32> {
        self.targets.get(at as usize).map(|target| target.distance(point))
    }

    /// Matches by number if the points are close, otherwise by distance.
    fn matched(
        &self,
        positions: &[Vec3],
        numbers: Option<&[u32]>,
        report: &Report,
    ) -> Result<VertexMatches, Cancelled> {
        let is_same_number = positions.len() == self.targets.len();
        let mut matched = VertexMatches {
            point_of: Vec::with_capacity(positions.len()),
            num: 0,
            num_by_order: 0,
            sum: 0.0,
            distance: 0.0,
        };
        for (at, &position) in positions.iter().enumerate() {
            if at % VERTICES_PER_LOOK == 0 {
                report.progress("matching faces", 0.5)?;
            }
            let own = match numbers {
                Some(numbers) => numbers.get(at).copied(),
                None => u32::try_from(at).ok().filter(|_| is_same_number),
            };
            let own = own.and_then(|at| Some((at, self.distance(at, position)?)));
            let own = own.filter(|(_, distance)| *distance <= self.tolerance);
            let found = own.or_else(|| self.nearest(position));
            if let Some((_, distance)) = found {
                matched.num += 1;
                matched.num_by_order += usize::from(own.is_some());
                matched.sum += distance;
                matched.distance = matched.distance.max(distance);
            }
            matched.point_of.push(found.map(|(at, _)| at));
        }
        Ok(matched)
    }
}

fn build(
    mesh: &Mesh,
    targets: &[Vec3],
    other: &Model,
    matched: &VertexMatches,
    variant: PoseVariant,
) -> Option<MatchedSurface> {
    // The new index of each vertex of the other model.
    let mut vertex_of: Vec<Option<u32>> = Vec::with_capacity(matched.point_of.len());
    let mut point_of: Vec<u32> = Vec::new();
    let mut sources: Vec<usize> = Vec::new();
    let mut is_covered = vec![false; targets.len()];
    for (source, &point) in matched.point_of.iter().enumerate() {
        vertex_of.push(point.and_then(|_| u32::try_from(point_of.len()).ok()));
        if let Some(point) = point {
            point_of.push(point);
            sources.push(source);
            if let Some(covered) = is_covered.get_mut(point as usize) {
                *covered = true;
            }
        }
    }
    let flips = variant.is_mirrored != (other.axes.winding == Winding::Clockwise);
    let (indices, subsets) = triangles(other, &vertex_of, flips);
    if indices.is_empty() {
        return None;
    }
    let num_drawn = point_of.len();
    let bare = (is_covered.iter().enumerate()).filter(|(_, covered)| !**covered);
    point_of.extend(bare.filter_map(|(point, _)| u32::try_from(point).ok()));
    let num = point_of.len();
    let streams = Streams {
        positions: point_values(&point_of, targets),
        normals: vertex_values(&sources, &variant.normals, num, |n| *n != Vec3::ZERO),
        tangents: vertex_values(&sources, &variant.tangents, num, |t| *t != Vec4::ZERO),
        colors: Vec::new(),
        uv_sets: uv_sets(other, &sources, num),
    };
    Some(MatchedSurface {
        num_lost: matched.point_of.len() - num_drawn,
        num_bare: num - num_drawn,
        distance: matched.distance,
        is_by_order: matched.num_by_order == matched.num,
        mesh: Mesh {
            name: mesh.name.clone(),
            vertices: VertexData::Streams(streams),
            indices: Indices::U32(indices),
            subsets,
            loose: Vec::new(),
            skin: skin(&mesh.skin, &point_of),
            attached_to: mesh.attached_to,
            is_hidden: false,
            rounds_morphs: false,
            stored: None,
            morph_targets: Vec::new(),
        },
        point_of,
    })
}

/// The triangles of all meshes whose corners all have a point.
fn triangles(other: &Model, vertex_of: &[Option<u32>], flips: bool) -> (Vec<u32>, Vec<Subset>) {
    let (mut indices, mut subsets) = (Vec::new(), Vec::new());
    let mut base = 0;
    for mesh in &other.meshes {
        for subset in &mesh.subsets {
            let first = indices.len();
            for corners in mesh.triangles(subset.range()) {
                let [a, b, c] =
                    corners.map(|corner| vertex_of.get(base + corner as usize).copied().flatten());
                if let (Some(a), Some(b), Some(c)) = (a, b, c) {
                    indices.extend(if flips { [a, c, b] } else { [a, b, c] });
                }
            }
            let count = u32::try_from(indices.len() - first);
            if let (Ok(first_index), Ok(index_count)) = (u32::try_from(first), count) {
                subsets.push(Subset { first_index, index_count, material: subset.material });
            }
        }
        base += mesh.num_vertices();
    }
    (indices, subsets)
}

/// `values` of the matched vertices, padded to `num`; empty if none is set.
fn vertex_values<T: Copy + Default>(
    sources: &[usize],
    values: &[T],
    num: usize,
    is_some: impl Fn(&T) -> bool,
) -> Vec<T> {
    if !values.iter().any(is_some) {
        return Vec::new();
    }
    let taken = sources.iter().map(|&at| values.get(at).copied().unwrap_or_default());
    let mut taken: Vec<T> = taken.collect();
    taken.resize(num, T::default());
    taken
}

fn uv_sets(other: &Model, sources: &[usize], num: usize) -> Vec<UvSet> {
    let sets = |mesh: &Mesh| match &mesh.vertices {
        VertexData::Streams(streams) => streams.uv_sets.len(),
        VertexData::Packed(_) => 1,
    };
    let num_sets = other.meshes.iter().map(sets).max().unwrap_or(0);
    let mut all = Vec::new();
    for set in 0..num_sets {
        let (mut name, mut coords) = (String::new(), Vec::new());
        for mesh in &other.meshes {
            let vertices = 0..mesh.num_vertices();
            match &mesh.vertices {
                VertexData::Streams(streams) => {
                    let stored = streams.uv_sets.get(set);
                    if let Some(stored) = stored.filter(|_| name.is_empty()) {
                        name.clone_from(&stored.name);
                    }
                    coords.extend(vertices.map(|v| {
                        stored.and_then(|s| s.coords.get(v)).copied().unwrap_or_default()
                    }));
                }
                VertexData::Packed(_) => {
                    coords.extend(vertices.map(|v| mesh.uv(v).unwrap_or_default()));
                }
            }
        }
        let coords: Vec<Vec2> = vertex_values(sources, &coords, num, |_| true);
        if !coords.is_empty() {
            all.push(UvSet { name, coords });
        }
    }
    all
}

/// The skin, with the influences of its point for each vertex.
fn skin(skin: &Skin, point_of: &[u32]) -> Skin {
    let Skin::InverseBind(skin) = skin else { return Skin::None };
    let influences = skin.influences.of_vertices(point_of.iter().map(|&point| point as usize));
    Skin::InverseBind(InverseBindSkin { influences, ..skin.clone() })
}

/// The value of each vertex's point.
pub(super) fn point_values<T: Copy + Default>(point_of: &[u32], values: &[T]) -> Vec<T> {
    let points = point_of.iter();
    points.map(|&point| values.get(point as usize).copied().unwrap_or_default()).collect()
}
