//! Writing: an unchanged file is reproduced byte for byte; any other model is prepared first.

use glam::{Vec2, Vec3};

use super::ID;
use super::contents::{Contents, Hulls, Originals, encode};
use super::layout::{
    Header, HullRecord, KEPT_ARRAYS, KEPT_HEADER, MATERIAL_BYTES, MeshRecord, array,
};
use super::prepare::prepare;
use super::read::holding;
use crate::formats::record::{Record, list};
use crate::formats::related_images::RelatedImages;
use crate::formats::{OutputFile, WriteError, WriteOptions};
use rigscope_core::geometry::bounding_sphere;
use rigscope_core::model::{
    Aabb, Axes, Hull, Mesh, MeshId, MeshOrigins, Model, Origins, Report, Skin, StoredBounds,
    Streams, VertexData,
};

pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("writing", 0.0)?;
    // Before any processing, which would discard the preserved bytes.
    let header = model.preserved(ID, KEPT_HEADER);
    let as_read = header.filter(|header| header.len() == Header::BYTES);
    let own = as_read.zip(as_read.and_then(|_| own_contents(model)));
    let mut files = Vec::new();
    let mut origins = vec![MeshOrigins::Same(MeshId(0))];
    let bytes = match own {
        Some((header, mut contents)) => {
            let bytes = |what| model.preserved(ID, what).map_or(&[][..], |kept| kept);
            let kept = Originals {
                header: Some(Header::from_bytes(header)),
                extension: bytes("extension header"),
                arrays: bytes(KEPT_ARRAYS),
                trailing: bytes("trailing"),
            };
            super::prepare::add_missing(&mut contents, options, report)?;
            let colors = super::prepare::colors(model);
            let images = RelatedImages::with_stored_names(model, colors, &options.images, report);
            files.extend(images.files());
            let stored = model.stored_bounds.filter(|bounds| {
                let hold = holding(*bounds);
                contents.positions.iter().all(|position| hold(*position))
            });
            let bounds = stored.unwrap_or_else(|| bounds_of(&contents.positions));
            encode(&contents, &bounds, &kept)?
        }
        None => {
            let (contents, images, vertices) = prepare(model, options, report)?;
            origins = vec![vertices];
            files.extend(images.files());
            let bounds = bounds_of(&contents.positions);
            encode(&contents, &bounds, &Originals::default())?
        }
    };
    report.progress("writing", 1.0)?;
    let main = OutputFile::main(bytes).of(Origins::without_clips(origins));
    files.insert(0, main);
    Ok(files)
}

/// Bounding box and sphere of positions; zero without positions.
pub(super) fn bounds_of(positions: &[Vec3]) -> StoredBounds {
    let around = Aabb::from_points(positions.iter().copied());
    let (sphere_center, sphere_radius) = bounding_sphere(positions);
    StoredBounds {
        aabb: if around.is_empty() { Aabb { min: Vec3::ZERO, max: Vec3::ZERO } } else { around },
        sphere_center,
        sphere_radius,
    }
}

/// The arrays of a model made by the reader of this format, with every vertex and triangle in its place;
/// `None` for any other model.
fn own_contents(model: &Model) -> Option<Contents> {
    let [mesh] = &*model.meshes else { return None };
    let VertexData::Streams(streams) = &mesh.vertices else { return None };
    let num = streams.positions.len();
    let [uvs] = streams.uv_sets.as_slice() else { return None };
    let is_whole = streams.normals.len() == num
        && streams.tangents.len() == num
        && uvs.coords.len() == num
        && streams.colors.is_empty();
    let is_still = matches!(mesh.skin, Skin::None)
        && mesh.attached_to.is_none()
        && mesh.morph_targets.is_empty()
        && model.clips.is_empty();
    // The user may have chosen another up axis, which the file can't store.
    if !is_whole || !is_still || model.axes != Axes::default() {
        return None;
    }
    let mut hulls = kept_hulls(model).unwrap_or_default();
    if hulls.ranges.is_empty() {
        model.hulls.iter().for_each(|hull| hulls.push(hull));
    }
    Some(Contents {
        positions: streams.positions.clone(),
        uvs: stored_uvs(model, streams),
        normals: streams.normals.clone(),
        tangents: streams.tangents.clone(),
        triangles: mesh.indices.iter().collect(),
        meshes: match kept_meshes(model, mesh) {
            Some(meshes) => meshes,
            None => own_meshes(model, mesh)?,
        },
        hulls,
        occluder: model.occluder.clone().unwrap_or_default(),
    })
}

/// UVs with v up: the stored values if they still give those of the model, because 1 - (1 - v) doesn't equal
/// v for all numbers.
fn stored_uvs(model: &Model, streams: &Streams) -> Vec<Vec2> {
    let kept = model.preserved(ID, array::UVS.name);
    let mut records = list::<Vec2>(kept.map_or(&[][..], |bytes| bytes));
    let coords = streams.uv_sets.first().map_or(&[][..], |set| &set.coords);
    coords
        .iter()
        .map(|uv| {
            let stored = records.next();
            let is_same = |stored: &Vec2| {
                let read = Vec2::new(stored.x, 1.0 - stored.y);
                read.to_array().map(f32::to_bits) == uv.to_array().map(f32::to_bits)
            };
            stored.filter(is_same).unwrap_or(Vec2::new(uv.x, 1.0 - uv.y))
        })
        .collect()
}

/// The file's own mesh records if they still match the model. They may contain names that aren't valid text
/// and bytes after the end of a name.
fn kept_meshes(model: &Model, mesh: &Mesh) -> Option<Vec<MeshRecord>> {
    let bytes = model.preserved(ID, array::MESHES.name)?;
    let records: Vec<MeshRecord> = list(bytes).collect();
    let is_same = records.len() == mesh.subsets.len()
        && records.len() == model.materials.len()
        && (records.iter().zip(&mesh.subsets).zip(&model.materials)).enumerate().all(
            |(number, ((record, subset), material))| {
                let name = record.material.split(|&byte| byte == 0).next().unwrap_or_default();
                u32::try_from(record.first_triangle) == Ok(subset.first_index / 3)
                    && u32::try_from(record.num_triangles) == Ok(subset.index_count / 3)
                    && subset.material.map(|id| id.index()) == Some(number)
                    && String::from_utf8_lossy(name) == material.name
            },
        );
    is_same.then_some(records)
}

/// Records of the model's subsets, whose names fit because they were read from such a file.
fn own_meshes(model: &Model, mesh: &Mesh) -> Option<Vec<MeshRecord>> {
    let record = |subset: &rigscope_core::model::Subset| {
        let material = subset.material.map(|id| model.material(id));
        let name = material.map_or(&[][..], |material| material.name.as_bytes());
        let mut field = [0; MATERIAL_BYTES];
        field.get_mut(..name.len())?.copy_from_slice(name);
        (subset.first_index.is_multiple_of(3)).then_some(MeshRecord {
            first_triangle: i32::try_from(subset.first_index / 3).ok()?,
            num_triangles: i32::try_from(subset.index_count / 3).ok()?,
            material: field,
        })
    };
    mesh.subsets.iter().map(record).collect()
}

/// The file's own collision vertices and ranges if they still match the model's hulls. Hulls may share
/// vertices, and vertices may be unused.
fn kept_hulls(model: &Model) -> Option<Hulls> {
    let points = model.preserved(ID, array::POINTS.name)?;
    let ranges = model.preserved(ID, array::HULLS.name);
    let points: Vec<Vec3> = list(points).collect();
    let ranges: Vec<HullRecord> = list(ranges.map_or(&[][..], |ranges| ranges)).collect();
    let is_same = |(range, hull): (&HullRecord, &Hull)| {
        let place = usize::try_from(range.first).ok().zip(usize::try_from(range.num).ok());
        let own = place.and_then(|(first, num)| points.get(first..first.saturating_add(num)));
        own == Some(&hull.points[..])
    };
    let all_same =
        ranges.len() == model.hulls.len() && ranges.iter().zip(&model.hulls).all(is_same);
    all_same.then_some(Hulls { points, ranges })
}
