//! Prepares any model for writing, with the steps that the specification's rationale requires of exporters:
//!
//! 1. one list of vertices with all attributes for all meshes together, in the default pose;
//! 2. missing normals (smooth below 60 degrees) and UVs (the lower left corner of the image);
//! 3. MikkTSpace tangents if they are missing;
//! 4. vertices split at mirrored UVs,
//! 5. and at sharp edges if normals are generated;
//! 6. triangles sorted by material;
//! 7. triangles and vertices in cache-friendly order.
//!
//! Meshes whose name begins with `collision` or `occlusion`, in any case, aren't drawn: they become hulls and
//! the occlusion mesh, like objects with such names in the format's exporter.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};

use super::ID;
use super::contents::{Contents, int};
use super::layout::{KEPT_HEADER, MeshRecord};
use super::names::{color_of, material_field};
use crate::formats::image_bytes::Takes;
use crate::formats::related_images::{Naming, RelatedImages, has_safe_name, supported_images};
use crate::formats::rigged_model::report_mirrored;
use crate::formats::{WriteError, WriteOptions};
use rigscope_core::geometry::{cache_order, hull_points, simplified};
use rigscope_core::model::{
    Axes, FindingKind, Hull, Indices, MaterialId, Mesh, MeshOrigins, Model, OcclusionMesh, Origin,
    Place, Report, Streams, TextureRef, UvSet, VertexAt, VertexData, as_u32, counted, numbers,
    singular_or_plural,
};
use rigscope_core::pose::PoseSpec;
use rigscope_core::reshape::{
    CREASE_RAD, add_normals, add_split_tangents, gather, in_axes, num_mirrored, static_model,
    welded,
};

/// Name prefix of meshes that become hulls.
const COLLISION: &str = "collision";
/// Name prefix of meshes that become the occlusion mesh.
const OCCLUSION: &str = "occlusion";
/// Target triangle count of a generated occlusion mesh, which is exceeded if its shape requires it.
const MAX_OCCLUDER_TRIANGLES: usize = 256;
/// Maximum deviation of a generated occlusion mesh, relative to the size of the mesh.
const MAX_OCCLUDER_ERROR: f32 = 0.02;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Drawn,
    Collision,
    Occlusion,
}

impl Role {
    fn of(mesh: &Mesh) -> Self {
        let begins = |with: &str| {
            let begin = mesh.name.as_bytes().get(..with.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(with.as_bytes()))
        };
        match (begins(COLLISION), begins(OCCLUSION)) {
            (true, _) => Self::Collision,
            (_, true) => Self::Occlusion,
            _ => Self::Drawn,
        }
    }
}

/// The textures of drawn materials that a file can refer to.
pub(super) fn colors(model: &Model) -> impl Iterator<Item = &TextureRef> {
    let drawn = model.meshes.iter();
    let drawn = drawn.filter(|mesh| Role::of(mesh) == Role::Drawn);
    let subsets = drawn.flat_map(|mesh| &mesh.subsets);
    subsets.filter_map(|subset| color_of(model.materials.get(subset.material?)?))
}

/// Number of images written with the file: those of drawn materials.
pub(super) fn num_images(model: &Model) -> u64 {
    let is_own = model.preserved(ID, KEPT_HEADER).is_some();
    let named = colors(model).filter(|texture| !is_own || has_safe_name(texture));
    supported_images(model, named, Takes::Any).len() as u64
}

/// The arrays of any model in display space, the images written with its file, and the origins of its
/// vertices.
pub(super) fn prepare(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<(Contents, RelatedImages, MeshOrigins), WriteError> {
    report.progress("posing", 0.1)?;
    report_mirrored(num_mirrored(model), report);
    let model = in_axes(&static_model(model, &PoseSpec::default()), &Axes::default());
    let of_role = |role| {
        let meshes = model.meshes.iter();
        meshes.filter(move |mesh| Role::of(mesh) == role)
    };
    let (joined, groups) = joined(&model, report)?;
    report.progress("sorting triangles", 0.6)?;
    let (streams, indices, origins) = in_order(joined, &groups);
    let used = groups.iter().filter_map(|group| group.material);
    let used = used.filter_map(|id| color_of(model.material(id)));
    let images =
        RelatedImages::of(&model, used, &Naming::of(&options.stem), &options.images, report);
    let mut contents = contents(&model, streams, indices, &groups, &images, report)?;

    model.hulls.iter().for_each(|hull| contents.hulls.push(hull));
    for mesh in of_role(Role::Collision) {
        report.progress("making hulls", 0.8)?;
        push_hull(&mut contents, positions(mesh), &mesh.name, report);
    }
    if options.make_hulls && contents.hulls.ranges.is_empty() {
        for mesh in of_role(Role::Drawn) {
            report.progress("making hulls", 0.8)?;
            push_hull(&mut contents, positions(mesh), &mesh.name, report);
        }
    }
    contents.occluder = model.occluder.clone().unwrap_or_default();
    for mesh in of_role(Role::Occlusion) {
        add_occluder(&mut contents.occluder, mesh);
    }
    make_occluder(&mut contents, options, report)?;
    Ok((contents, images, origins))
}

/// Adds requested hulls and an occlusion mesh if the file lacks them.
pub(super) fn add_missing(
    contents: &mut Contents,
    options: &WriteOptions,
    report: &Report,
) -> Result<(), WriteError> {
    if options.make_hulls && contents.hulls.ranges.is_empty() && !contents.positions.is_empty() {
        report.progress("making hulls", 0.8)?;
        let all = std::mem::take(&mut contents.positions);
        push_hull(contents, &all, "", report);
        contents.positions = all;
    }
    make_occluder(contents, options, report)
}

fn positions(mesh: &Mesh) -> &[Vec3] {
    match &mesh.vertices {
        VertexData::Streams(streams) => &streams.positions,
        VertexData::Packed(_) => &[],
    }
}

fn push_hull(contents: &mut Contents, positions: &[Vec3], name: &str, report: &Report) {
    let hull = hull_points(positions);
    if hull.points.is_empty() {
        return;
    }
    report.add_many(FindingKind::HullWithoutVolume, Place::File, u64::from(!hull.is_solid), || {
        let of = if name.is_empty() { String::new() } else { format!(" of mesh {name:?}") };
        let points = counted(hull.points.len() as u64, "different point");
        format!("the convex hull{of} has no volume; it has {points}")
    });
    contents.hulls.push(&Hull { points: hull.points });
}

/// Adds a mesh to the occlusion mesh. Triangles in no subset count too.
fn add_occluder(occluder: &mut OcclusionMesh, mesh: &Mesh) {
    let indices: Vec<u32> = mesh.indices.iter().collect();
    // This removes no triangles, but merges vertices with equal positions.
    if let Some(own) = simplified(positions(mesh), &indices, usize::MAX, 0.0) {
        let first = as_u32(occluder.positions.len());
        occluder.positions.extend(own.positions);
        let moved = own.indices.into_iter().map(|i| i.saturating_add(first));
        occluder.indices.extend(moved);
    }
}

fn make_occluder(
    contents: &mut Contents,
    options: &WriteOptions,
    report: &Report,
) -> Result<(), WriteError> {
    let has_one = !contents.occluder.positions.is_empty();
    if !options.make_occluder || has_one {
        return Ok(());
    }
    report.progress("making the occlusion mesh", 0.9)?;
    let made = simplified(
        &contents.positions,
        &contents.triangles,
        MAX_OCCLUDER_TRIANGLES,
        MAX_OCCLUDER_ERROR,
    );
    if let Some(made) = made {
        report.add_many(FindingKind::OccluderMade, Place::File, 1, || {
            format!(
                "the occlusion mesh has {} of the {} and deviates by at most {}",
                numbers::grouped((made.indices.len() / 3) as u64),
                counted((contents.triangles.len() / 3) as u64, "triangle"),
                numbers::length(made.error, false)
            )
        });
        contents.occluder = OcclusionMesh { positions: made.positions, indices: made.indices };
    }
    Ok(())
}

struct Group {
    material: Option<MaterialId>,
    indices: Vec<u32>,
}

/// Vertices of all meshes, and for meshes without triangles their points.
#[derive(Default)]
struct Joined {
    streams: Streams,
    /// Origin of each vertex.
    sources: Vec<VertexAt>,
    /// Vertices of meshes without triangles.
    points: Vec<u32>,
}

/// Joins all drawn meshes; the groups are their triangles by material.
fn joined(model: &Model, report: &Report) -> Result<(Joined, Vec<Group>), WriteError> {
    let mut joined = Joined::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut number_of = HashMap::new();
    let mut num_uncovered = 0;
    let drawn_meshes = model.meshes.iter().enumerate();
    for (number, mesh) in drawn_meshes.filter(|(_, mesh)| Role::of(mesh) == Role::Drawn) {
        report.progress("filling in vertex attributes", 0.3)?;
        let VertexData::Streams(streams) = &mesh.vertices else { continue };
        let mut streams = streams.clone();
        let (mut indices, ranges) = drawn(mesh, streams.positions.len());
        num_uncovered += uncovered(mesh);
        let old = std::mem::take(&mut streams.uv_sets).into_iter().next();
        let has_uvs = old.as_ref().is_some_and(|set| set.coords.len() == streams.positions.len());
        streams.colors.clear();
        streams.uv_sets.extend(old.filter(|_| has_uvs));
        let has_none = streams.normals.iter().all(|n| *n == Vec3::ZERO);
        let num_made = u64::from(has_none && !indices.is_empty());
        report.add_many(FindingKind::NormalsMade, Place::File, num_made, || {
            "normals were computed for a mesh without normals".to_owned()
        });
        let of_normals = add_normals(&mut streams, &mut indices, CREASE_RAD);
        let sources = match add_split_tangents(&mut streams, &mut indices) {
            Some(of_tangents) => {
                let of = |at: &u32| of_normals.get(*at as usize).copied().unwrap_or_default();
                of_tangents.iter().map(of).collect()
            }
            None => of_normals,
        };
        let at = |&source: &u32| VertexAt::new(number, source as usize);
        joined.sources.extend(sources.iter().map(at));
        fill(&mut streams);

        let first = as_u32(joined.streams.positions.len());
        if indices.is_empty() {
            let num = as_u32(streams.positions.len());
            joined.points.extend(first..first.saturating_add(num));
        }
        append(&mut joined.streams, streams);
        int("vertices", joined.streams.positions.len() as u64)?;
        for (range, material) in ranges {
            let number = *number_of.entry(material).or_insert_with(|| {
                groups.push(Group { material, indices: Vec::new() });
                groups.len() - 1
            });
            if let (Some(group), Some(own)) = (groups.get_mut(number), indices.get(range)) {
                group.indices.extend(own.iter().map(|i| i.saturating_add(first)));
            }
        }
    }
    let place = Place::File;
    report.add_many(FindingKind::UncoveredNotWritten, place, num_uncovered, || {
        let belong = singular_or_plural(num_uncovered, "belongs", "belong");
        let arent = singular_or_plural(num_uncovered, "isn't", "aren't");
        format!("{} {belong} to no subset and {arent} written", counted(num_uncovered, "triangle"))
    });
    Ok((joined, groups))
}

/// Ranges of an index list, each with a material.
type Ranges = Vec<(std::ops::Range<usize>, Option<MaterialId>)>;

/// The triangles of all subsets in order, and the range of each subset with its material.
fn drawn(mesh: &Mesh, num_vertices: usize) -> (Vec<u32>, Ranges) {
    let mut indices = Vec::new();
    let mut ranges = Vec::new();
    for subset in &mesh.subsets {
        let first = indices.len();
        let exists = |corners: &[u32; 3]| corners.iter().all(|&v| (v as usize) < num_vertices);
        indices.extend(mesh.triangles(subset.range()).filter(exists).flatten());
        ranges.push((first..indices.len(), subset.material));
    }
    (indices, ranges)
}

fn uncovered(mesh: &Mesh) -> u64 {
    let mut is_covered = vec![false; mesh.num_triangles()];
    for subset in &mesh.subsets {
        let range = subset.range();
        if let Some(own) = is_covered.get_mut(range.start / 3..range.end / 3) {
            own.fill(true);
        }
    }
    is_covered.iter().filter(|covered| !**covered).count() as u64
}

/// Completes the attributes as the format requires: UVs, and unit tangents with a sign.
fn fill(streams: &mut Streams) {
    let num = streams.positions.len();
    if streams.uv_sets.is_empty() {
        // V is down in the model, so this is the lower left corner.
        streams.uv_sets.push(UvSet { name: String::new(), coords: vec![Vec2::Y; num] });
    }
    streams.tangents.resize(num, Vec4::ZERO);
    for (tangent, normal) in streams.tangents.iter_mut().zip(&streams.normals) {
        let unit = rigscope_core::pose::unit_or_zero(tangent.truncate().into());
        let unit = match Vec3::from(unit) {
            Vec3::ZERO => normal.try_normalize().map_or(Vec3::X, |n| n.any_orthonormal_vector()),
            unit => unit,
        };
        *tangent = unit.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 });
    }
}

fn append(all: &mut Streams, own: Streams) {
    all.positions.extend(own.positions);
    all.normals.extend(own.normals);
    all.tangents.extend(own.tangents);
    let coords = own.uv_sets.into_iter().next().unwrap_or_default().coords;
    match all.uv_sets.first_mut() {
        Some(set) => set.coords.extend(coords),
        None => all.uv_sets.push(UvSet { name: String::new(), coords }),
    }
}

/// Welds equal vertices, groups triangles by material, and orders everything for vertex caches; points
/// without triangles come last.
fn in_order(joined: Joined, groups: &[Group]) -> (Streams, Vec<u32>, MeshOrigins) {
    let (mut indices, mut ranges) = (Vec::new(), Vec::new());
    for group in groups {
        let first = indices.len();
        indices.extend_from_slice(&group.indices);
        ranges.push(first..indices.len());
    }
    // Points are welded as if they were triangle corners.
    let end = indices.len();
    indices.extend(joined.points);
    let mesh = Mesh {
        vertices: VertexData::Streams(joined.streams),
        indices: Indices::U32(indices),
        ..Mesh::default()
    };
    let sources = joined.sources;
    let (model, origins) = welded(&Model { meshes: vec![mesh].into(), ..Model::default() });
    let Some(Mesh { vertices: VertexData::Streams(streams), indices, .. }) =
        model.meshes.into_iter().next()
    else {
        return (Streams::default(), Vec::new(), MeshOrigins::Listed(Vec::new()));
    };
    let mut indices: Vec<u32> = indices.iter().collect();
    let points = indices.split_off(end.min(indices.len()));
    let num_welded = streams.positions.len();
    let mut order = cache_order(&mut indices, &ranges, num_welded);
    order.extend(points);
    let streams = gather(&streams, &order);
    // Maps positions in the final order to welded vertices, to the joined list, and to each mesh.
    let mut place_of: Vec<Option<u32>> = vec![None; num_welded];
    for (place, &welded) in (0u32..).zip(&order) {
        if let Some(slot) = place_of.get_mut(welded as usize) {
            slot.get_or_insert(place);
        }
    }
    let mut list = Vec::with_capacity(sources.len());
    if let Some(origins) = origins.meshes.first() {
        origins.for_each(num_welded, |welded, origin| {
            let place = place_of.get(welded as usize).copied().flatten();
            let source = sources.get(origin.nearest().vertex.index());
            if let (Some(place), Some(&source)) = (place, source) {
                list.push((place, Origin::Vertex(source)));
            }
        });
    }
    (streams, indices, MeshOrigins::Listed(list))
}

fn contents(
    model: &Model,
    streams: Streams,
    indices: Vec<u32>,
    groups: &[Group],
    images: &RelatedImages,
    report: &Report,
) -> Result<Contents, WriteError> {
    let mut meshes = Vec::with_capacity(groups.len());
    let mut first = 0usize;
    for group in groups {
        let num = group.indices.len() / 3;
        int("triangles", (first + num) as u64)?;
        meshes.push(MeshRecord {
            first_triangle: int("triangles", first as u64)?,
            num_triangles: int("triangles", num as u64)?,
            material: material_field(model, group.material, images, report),
        });
        first += num;
    }
    let coords = streams.uv_sets.into_iter().next().unwrap_or_default().coords;
    Ok(Contents {
        positions: streams.positions,
        uvs: coords.iter().map(|uv| Vec2::new(uv.x, 1.0 - uv.y)).collect(),
        normals: streams.normals,
        tangents: streams.tangents,
        triangles: indices,
        meshes,
        ..Contents::default()
    })
}
