//! Compares the deviation that a conversion reports with a search over every vertex at eight times
//! the key rate. The search is implemented here, independent of the measurement: it identifies
//! vertices by a unique texture coordinate or, in formats without UVs, by the order in which meshes
//! are joined.

use std::collections::HashMap;

use glam::{DVec3, Vec2, Vec3};
use rayon::prelude::*;
use rigscope_core::model::{Clip, ClipId, Material, Mesh, Model, Motion, Report, VertexData};
use rigscope_core::pose::{Moment, PoseSpec, skin_model};
use rigscope_io::convert::{Check, ConvertOptions, Converted, convert, read_back};
use rigscope_io::formats::{FORMATS, Format, WriteOptions};

use crate::support::rich::{rich, rich_without_jumps};
use crate::support::{open_file, samples};

/// Number of columns, and of rows, in the grid of texture coordinates.
const GRID: u16 = 256;

fn writers() -> Vec<&'static Format> {
    let all = FORMATS.iter().copied();
    all.filter(|format| format.info.can_write).collect()
}

/// The texture coordinate of a vertex; the vertices of all meshes are numbered consecutively.
fn coordinate(number: usize) -> Vec2 {
    let number = u16::try_from(number).unwrap();
    let at = |step: u16| (f32::from(step) + 0.5) / f32::from(GRID);
    Vec2::new(at(number % GRID), at(number / GRID))
}

/// The vertex number that a texture coordinate encodes.
fn number_at(uv: Vec2) -> Option<usize> {
    let step = |x: f32| -> Option<usize> {
        let scaled = x * f32::from(GRID) - 0.5;
        let rounded = scaled.round();
        let near = (scaled - rounded).abs() < 0.1 && (0.0..f32::from(GRID)).contains(&rounded);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        near.then_some(rounded as usize)
    };
    Some(step(uv.x)? + usize::from(GRID) * step(uv.y)?)
}

/// `model` with a unique texture coordinate per vertex, and without data that would change it.
/// `None` if the model has too many vertices or packed ones.
fn marked(mut model: Model) -> Option<Model> {
    if model.num_vertices() > usize::from(GRID) * usize::from(GRID) / 2 {
        return None;
    }
    let mut number = 0;
    for mesh in &mut model.meshes {
        let num = mesh.num_vertices();
        let VertexData::Streams(streams) = &mut mesh.vertices else { return None };
        let set = rigscope_core::model::UvSet {
            name: String::new(),
            coords: (number..number + num).map(coordinate).collect(),
        };
        streams.uv_sets = vec![set];
        number += num;
    }
    for material in &mut model.materials {
        *material = Material { name: material.name.clone(), ..Material::default() };
    }
    model.preserved.clear();
    Some(model)
}

/// The source's number of each vertex read back, part by part.
fn known(parts: &[Model], num_source: usize) -> Vec<Vec<Option<usize>>> {
    let has_uvs = |mesh: &Mesh| mesh.uv(0).is_some();
    let numbers = |part: &Model| -> Vec<Option<usize>> {
        let meshes = part.meshes.iter();
        if part.meshes.iter().all(has_uvs) {
            meshes
                .flat_map(|mesh| (0..mesh.num_vertices()).map(|v| number_at(mesh.uv(v)?)))
                .collect()
        } else {
            // All meshes joined in order.
            assert_eq!(part.num_vertices(), num_source);
            (0..num_source).map(Some).collect()
        }
    };
    parts.iter().map(numbers).collect()
}

fn positions(model: &Model, clip: Option<usize>, since_secs: f64) -> Vec<Vec3> {
    let moment = match clip.and_then(|at| model.clips.get(ClipId::from_index(at))) {
        Some(clip) => Moment::TimeSecs(clip.start_secs + since_secs),
        None => Moment::Default,
    };
    let spec = PoseSpec { clip: clip.map(ClipId::from_index), moment, ..PoseSpec::default() };
    let display = model.axes.display_from_file();
    let meshes = skin_model(model, &spec).into_iter();
    let points = meshes.flat_map(|mesh| mesh.positions);
    points.map(|p| display.transform_point3(p)).collect()
}

fn extent(points: &[Vec3]) -> f64 {
    let mut corners = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        let point = point.as_dvec3();
        corners = (corners.0.min(point), corners.1.max(point));
    }
    (corners.1 - corners.0).length()
}

/// Sample times at eight times the rate of the written keys, or of 30 keys per second by default,
/// each shifted to just after a key.
fn times(source: &Clip, made: Option<&Clip>) -> Vec<f64> {
    let interval = made.and_then(Clip::uniform_keys).map(|(_, secs)| secs);
    let interval = interval.filter(|secs| *secs > 0.0 && *secs < 0.1).unwrap_or(1.0 / 30.0);
    let end = source.duration_secs.max(made.map_or(0.0, |clip| clip.duration_secs));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "short clips")]
    let num = (end / interval * 8.0).ceil() as u32;
    (0..=num).map(|at| f64::from(at) * interval / 8.0 + 1e-5).collect()
}

/// The largest deviation at any of these times over all clips, relative to the size of the default pose.
fn searched(source: &Model, parts: &[Model]) -> f64 {
    let known = known(parts, source.num_vertices());
    let size = extent(&positions(source, None, 0.0));
    let by_name: HashMap<&str, usize> =
        (parts[0].clips.iter().enumerate()).map(|(at, clip)| (clip.name.as_str(), at)).collect();
    let is_one = source.clips.len() == 1 && parts[0].clips.len() == 1;
    let made_of = |clip: usize| -> Option<usize> {
        let named = by_name.get(source.clips[ClipId::from_index(clip)].name.as_str()).copied();
        // Formats that require a name give one to an unnamed clip.
        named.or(is_one.then_some(0))
    };
    let at = |clip: Option<usize>, secs: f64| -> f64 {
        let made = clip.and_then(made_of);
        let wanted = positions(source, clip, secs);
        let mut largest = 0.0f64;
        for (part, known) in parts.iter().zip(&known) {
            let found = positions(part, made, secs);
            for (found, number) in found.iter().zip(known) {
                if let Some(number) = number {
                    let apart = wanted[*number].as_dvec3().distance(found.as_dvec3());
                    largest = largest.max(apart);
                }
            }
        }
        largest / size
    };
    if source.clips.is_empty() {
        return at(None, 0.0);
    }
    let moments = source.clips.iter().enumerate().flat_map(|(number, clip)| {
        let made = made_of(number).and_then(|at| parts[0].clips.get(ClipId::from_index(at)));
        times(clip, made).into_iter().map(move |secs| (number, secs))
    });
    let moments: Vec<(usize, f64)> = moments.collect();
    let all = moments.par_iter().map(|&(clip, secs)| at(Some(clip), secs));
    all.reduce(|| 0.0, f64::max)
}

fn written(model: &Model, format: &Format) -> Option<(Converted, Vec<Model>)> {
    let options = ConvertOptions {
        write: WriteOptions { stem: "a".into(), ..WriteOptions::default() },
        check: Check::Full,
        ..ConvertOptions::default()
    };
    let extension = format.info.extensions[0];
    let converted = convert(model, format, extension, &options, &Report::new()).ok()?;
    let fps = format.written_fps(model, None);
    let parts = read_back(&converted.files, format, fps, &Report::new()).unwrap();
    Some((converted, parts))
}

/// The reported deviation and the one that the search finds, if the model can be converted.
fn both(model: &Model, format: &Format) -> Option<(f64, f64)> {
    let (converted, parts) = written(model, format)?;
    let printed = converted.errors?.of_extent().unwrap_or(0.0);
    Some((printed, searched(model, &parts)))
}

#[test]
fn reported_deviations_match_a_full_search() {
    /// Relative to the size; smaller deviations are only rounding.
    const ROUNDING: f64 = 2e-6;
    let mut models: Vec<(String, Model)> = vec![
        ("everything".into(), marked(rich()).unwrap()),
        ("without jumps".into(), marked(rich_without_jumps()).unwrap()),
        ("morphs alone".into(), {
            let mut model = rich();
            model.clips.as_mut_vec().truncate(1);
            if let Motion::Tracks(tracks) = &mut model.clips[ClipId(0)].motion {
                tracks.clear();
            }
            marked(model).unwrap()
        }),
    ];
    if cfg!(has_samples) {
        let folder = samples();
        for name in ["gltf/Fox.glb", "gltf/cesium_man.gltf", "gltf/raylib_robot.glb"] {
            let path = folder.join(name);
            let model = open_file(&path, &[], &Report::new()).ok();
            if let Some(mut model) = model.filter(|_| path.is_file()).and_then(marked) {
                model.clips.as_mut_vec().truncate(1);
                models.push((name.to_owned(), model));
            }
        }
    }
    let cases: Vec<(&String, &Model, &Format)> = (models.iter())
        .flat_map(|(name, model)| writers().into_iter().map(move |to| (name, model, to)))
        .collect();
    let found: Vec<_> = (cases.iter())
        .filter_map(|(name, model, to)| Some((*name, to.info.id, both(model, to)?)))
        .collect();
    assert!(found.len() >= 30, "{}", found.len());
    let is_off = |(_, _, (printed, searched)): &&(&String, &str, (f64, f64))| {
        let most = printed.max(*searched);
        most > ROUNDING && (printed - searched).abs() > 0.05 * most
    };
    let off: Vec<_> = found.iter().filter(is_off).collect();
    assert!(off.is_empty(), "of {}: {off:#?}", found.len());
}
