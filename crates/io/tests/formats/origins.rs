//! The origins that writers report: each vertex read back comes from the right corner of the model,
//! even if vertices are merged, split, sorted or removed during the conversion.

use glam::Vec3;
use rigscope_core::model::MeshId;
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_io::convert::{Check, ConversionDeviation, ConvertOptions, convert, read_back};
use rigscope_io::formats::{FORMATS, Format, WriteOptions};

use crate::support::rich::{rich, rich_without_jumps};
use rigscope_testing::*;

/// All vertices are at least twice this distance apart.
const NEAR: f32 = 1e-3;

fn writers() -> impl Iterator<Item = &'static Format> {
    let all = FORMATS.iter().copied();
    all.filter(|format| format.info.can_write)
}

/// A model with everything except clips: every vertex has a unique position, triangles are in
/// reverse order, and one vertex isn't used by any triangle.
fn scattered() -> Model {
    let mut model = rich();
    model.clips.as_mut_vec().clear();
    model.occluder = None;
    let mut number = 0u16;
    for mesh in &mut model.meshes {
        let streams = streams_mut(mesh);
        for position in &mut streams.positions {
            let digit = |by: u16| f32::from(number / by % 7) * 0.006;
            *position += Vec3::new(digit(1), digit(7), digit(49));
            number += 1;
        }
        let mut indices: Vec<u32> = mesh.indices.iter().collect();
        for subset in &mesh.subsets {
            indices[subset.range()].reverse();
        }
        mesh.indices = rigscope_core::model::Indices::U32(indices);
    }
    model
}

/// Default positions, in display space.
fn placed(model: &Model) -> Vec<Vec<Vec3>> {
    let display = model.axes.display_from_file();
    let meshes = skin_model(model, &PoseSpec::default()).into_iter();
    let shown = |mesh: rigscope_core::pose::SkinnedMesh| {
        let positions = mesh.positions.into_iter();
        positions.map(|p| display.transform_point3(p)).collect()
    };
    meshes.map(shown).collect()
}

fn options(change: impl FnOnce(&mut ConvertOptions)) -> ConvertOptions {
    let mut options = ConvertOptions {
        write: WriteOptions { stem: "a".into(), ..WriteOptions::default() },
        check: Check::Full,
        ..ConvertOptions::default()
    };
    change(&mut options);
    options
}

fn at(list: &[Vec<Vec3>], at: VertexAt) -> Vec3 {
    list[at.mesh.index()][at.vertex.index()]
}

#[test]
fn positions_of_the_scattered_model_are_distinguishable() {
    let all: Vec<Vec3> = placed(&scattered()).into_iter().flatten().collect();
    for (number, a) in all.iter().enumerate() {
        let mut others = all[..number].iter();
        assert!(others.all(|b| a.distance(*b) > 2.0 * NEAR), "{number}");
    }
}

#[test]
fn vertices_read_back_match_the_origins_that_the_writer_reports() {
    let model = scattered();
    let wanted = placed(&model);
    for format in writers() {
        let id = format.info.id;
        let extension = format.info.extensions[0];
        let options = options(|options| options.check = Check::None);
        let converted = convert(&model, format, extension, &options, &Report::new()).unwrap();
        let fps = format.written_fps(&model, None);
        let models = read_back(&converted.files, format, fps, &Report::new()).unwrap();
        let alone = converted.files.iter().filter(|(_, file)| !file.is_related_file);
        let mut is_found: Vec<Vec<bool>> = wanted.iter().map(|m| vec![false; m.len()]).collect();
        for ((_, file), read) in alone.zip(&models) {
            let found = placed(read);
            assert_eq!(file.origins.meshes.len(), read.meshes.len(), "{id}");
            let mut is_named: Vec<Vec<bool>> = found.iter().map(|m| vec![false; m.len()]).collect();
            for (number, origins) in file.origins.meshes.iter().enumerate() {
                origins.for_each(found[number].len(), |vertex, origin| {
                    let from = origin.nearest();
                    let apart = at(&wanted, from).distance(found[number][vertex as usize]);
                    // Repeating textures create vertices inside triangles.
                    if let rigscope_core::model::Origin::Vertex(_) = origin {
                        assert!(
                            apart < NEAR,
                            "{id}: {vertex} of {number} is {apart} from {from:?}"
                        );
                    }
                    is_found[from.mesh.index()][from.vertex.index()] = true;
                    is_named[number][vertex as usize] = true;
                });
            }
            assert!(
                is_named.iter().flatten().all(|named| *named),
                "{id}: a vertex without an origin"
            );
        }
        let num_lost = is_found.iter().flatten().filter(|found| !**found).count();
        assert_eq!(num_lost, 0, "{id}");
    }
}

fn errors(model: &Model, format: &Format, options: &ConvertOptions) -> ConversionDeviation {
    let extension = format.info.extensions[0];
    let converted = convert(model, format, extension, options, &Report::new()).unwrap();
    converted.errors.unwrap()
}

#[test]
fn conversion_steps_before_writing_lose_no_corner() {
    let mut bare = scattered();
    if let VertexData::Streams(streams) = &mut bare.meshes[MeshId(1)].vertices {
        // Normals are generated for this mesh, joined with those of the first, and split at edges.
        streams.normals.clear();
        streams.tangents.clear();
    }
    type Change = fn(&mut ConvertOptions);
    let cases: [(&str, Change); 5] = [
        ("as it is", |_| {}),
        ("merged", |o| o.merge = true),
        ("welded", |o| o.weld = true),
        ("merged, welded", |o| (o.merge, o.weld) = (true, true)),
        ("flipped", |o| o.flip_v = true),
    ];
    for model in [scattered(), bare] {
        for (case, change) in cases {
            for format in writers() {
                let found = errors(&model, format, &options(change));
                let id = format.info.id;
                assert_eq!(found.num_unmatched, 0, "{case}, {id}");
                // Some formats can't store all six influences, so compare the rest positions.
                let position = found.position.unwrap();
                assert!(position < f64::from(NEAR), "{case}, {id}: {position}");
                let uv = found.uv.unwrap_or(0.0);
                assert!(uv < 1e-4, "{case}, {id}: UVs {uv}");
            }
        }
    }
}

#[test]
fn conversion_between_any_two_formats_loses_no_corner() {
    let source = rich_without_jumps();
    for from in writers() {
        let first = options(|options| options.check = Check::None);
        let extension = from.info.extensions[0];
        let converted = convert(&source, from, extension, &first, &Report::new()).unwrap();
        let fps = from.written_fps(&source, None);
        let model = read_back(&converted.files, from, fps, &Report::new()).unwrap().remove(0);
        for to in writers() {
            let found = errors(&model, to, &options(|_| {}));
            let pair = format!("{} -> {}", from.info.id, to.info.id);
            assert_eq!(found.num_unmatched, 0, "{pair}");
            let uv = found.uv.unwrap_or(0.0);
            assert!(uv < 1e-4, "{pair}: UVs {uv}");
        }
    }
}
