//! Finds a file with the faces for a mesh without any, in any format.
//!
//! Files given by the user are tried first, then files of the folder with similar names. For the
//! latter, every vertex must match a point, except for a file with the same stem.

mod surface;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use glam::Vec3;

use surface::{MatchedSurface, point_values};

use super::{Format, ReadError, ReadOptions, Source, candidates, common_prefix, stem};
use rigscope_core::model::{
    Detail, FindingKind, Model, Motion, Place, RelatedFileRole, RelatedFileUse, Report, check,
};

/// Formats in which 3ds Max and others write a whole mesh.
const EXTENSIONS: [&str; 4] = ["obj", "fbx", "glb", "gltf"];
/// Limit on the files in the folder that are read, most similar names first …
const MAX_FILES: usize = 4;
/// … and on their total size in bytes.
const MAX_BYTES: usize = 64 << 20;

/// Reads a model with `format`, and adds faces if the format borrows them.
///
/// # Errors
/// As the format's reader.
pub(super) fn read(
    format: &Format,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let mut model = (format.reader.read)(source, options, report)?;
    if format.reader.borrows_faces {
        borrow(&mut model, source, options, report)?;
    }
    Ok(model)
}

/// Adds faces to the model's first mesh if a file with them is found.
fn borrow(
    model: &mut Model,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), ReadError> {
    if model.meshes.is_empty() {
        return Ok(());
    }
    for number in 0..source.related_files.len() {
        let Some(other) = source.of_related_file(number) else { continue };
        if source.is_used(&other.name) {
            continue;
        }
        let name = other.name.clone();
        if let Some((faces, surface)) = read_other(model, &other, options, report)? {
            source.mark_used(&name);
            add_faces(model, faces, surface, &name, report);
            return Ok(());
        }
    }
    let mut num_bytes = 0;
    for folder in &source.folders {
        let is_mesh = |path: &&String| {
            let extension = path.rsplit_once('.').unwrap_or_default().1;
            !path.contains('/') && EXTENSIONS.iter().any(|e| extension.eq_ignore_ascii_case(e))
        };
        let is_alike = |path: &str| stem(path).eq_ignore_ascii_case(stem(&source.name));
        let mut paths: Vec<&String> = folder.paths().iter().filter(is_mesh).collect();
        paths.sort_by_key(|path| {
            (!is_alike(path), Reverse(common_prefix(path, &source.name)), *path)
        });
        for path in paths.into_iter().take(MAX_FILES) {
            let Ok(bytes) = folder.read(path) else { continue };
            num_bytes += bytes.len();
            if num_bytes > MAX_BYTES {
                return Ok(());
            }
            // The files that it refers to are in the same folder.
            let other = Source::new(path.clone(), bytes).with_folders(source.folders.clone());
            if let Some((faces, surface)) = read_other(model, &other, options, report)?
                && (is_alike(path) || (surface.num_lost == 0 && surface.num_bare == 0))
            {
                source.mark_used(path);
                add_faces(model, faces, surface, path, report);
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The other model, and the mesh with its faces; `None` if it can't be used.
fn read_other(
    model: &Model,
    other: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Option<(Model, MatchedSurface)>, ReadError> {
    let known = candidates(other);
    let Some(format) = known.first().map(|candidate| candidate.format) else { return Ok(None) };
    if format.reader.borrows_faces || !format.info.caps.mesh {
        return Ok(None);
    }
    report.progress("looking for faces", 0.5)?;
    let options = ReadOptions { format: None, ..options.clone() };
    let quiet = report.quiet();
    // Only these numbers are known to be those of 3ds Max; then the objects form a single mesh.
    let read = match format.reader.read_numbered {
        Some(read) => read(other, &options, &quiet).map(|(faces, own)| (faces, Some(own))),
        None => (format.reader.read)(other, &options, &quiet).map(|faces| (faces, None)),
    };
    let (mut faces, numbers) = match read {
        Err(ReadError::Cancelled) => return Err(ReadError::Cancelled),
        Err(_) => return Ok(None),
        Ok(read) => read,
    };
    check::check(&mut faces, &quiet);
    let surface = surface::surface(model, &faces, numbers.as_deref(), report)?;
    Ok(surface.map(|surface| (faces, surface)))
}

fn add_faces(
    model: &mut Model,
    faces: Model,
    surface: MatchedSurface,
    name: &str,
    report: &Report,
) {
    let how = if surface.is_by_order { "by order" } else { "by position" };
    let why = format!("its faces, vertices matched {how}");
    report.related_file(RelatedFileUse::used(name, RelatedFileRole::Mesh, why));
    let text = format!(
        "from {name}, vertices matched {how}, at most {} apart; tolerance {} of the size",
        surface.distance,
        surface::TOLERANCE
    );
    model.details.push(("faces", Detail::Text(text)));
    let (num_lost, num_bare) = (surface.num_lost, surface.num_bare);
    let num = (num_lost + num_bare) as u64;
    report.add_many(FindingKind::UnmatchedVertices, Place::File, num, || {
        format!(
            "{num_lost} of the vertices of {name} and {num_bare} of this file's have no counterpart"
        )
    });
    for clip in &mut model.clips {
        if let Motion::VertexAnimation(cache) = &mut clip.motion {
            let num_frames = cache.times_secs.len().max(1);
            let num_points = cache.positions.len() / num_frames;
            let frames = cache.positions.chunks(num_points.max(1));
            let moved: Vec<Vec3> =
                frames.flat_map(|frame| point_values(&surface.point_of, frame)).collect();
            cache.positions = moved.into();
        }
    }
    model.meshes = vec![surface.mesh].into();
    model.materials = faces.materials;
    model.images = faces.images;
}
