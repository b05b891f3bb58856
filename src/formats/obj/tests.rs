//! Files written here.

use std::sync::Arc;

use glam::Vec3;

use super::{Obj, read_merged};
use crate::formats::{Companion, Format, ReadError, ReadOptions, Source};
use crate::model::{AlphaMode, Model, NoteKind, Report, TextureRole, VertexData, check};

fn source(text: &str) -> Source {
    Source::new("a.obj", text.as_bytes().to_vec())
}

fn read_source(source: &Source) -> (Model, Report) {
    let report = Report::new();
    let mut model = Obj.read(source, &ReadOptions::default(), &report).unwrap();
    check::check(&mut model, &report);
    (model, report)
}

fn read(text: &str) -> Model {
    read_source(&source(text)).0
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn polygons_are_cut_and_missing_normals_made_without_any_unit() {
    let model = read(&format!("{SQUARE}f 1 2 3 4\n"));
    let mesh = &model.meshes[0];
    assert_eq!((mesh.num_vertices(), mesh.num_triangles()), (4, 2));
    assert_eq!(mesh.normal(0), Some(Vec3::Z));
    assert_eq!(mesh.position(2), Some(Vec3::new(1.0, 1.0, 0.0)));
    assert_eq!(model.axes.unit_meters, None);
    assert!(model.skeleton.is_empty() && mesh.attached_to.is_none());
}

#[test]
fn negative_numbers_count_from_the_end() {
    let forward = read(&format!("{SQUARE}f 1 2 3\n"));
    let backward = read(&format!("{SQUARE}f -4 -3 -2\n"));
    let corners = |model: &Model| {
        let mesh = &model.meshes[0];
        let positions = mesh.indices.iter().map(|at| mesh.position(at as usize));
        positions.collect::<Vec<_>>()
    };
    assert_eq!(corners(&forward), corners(&backward));
}

#[test]
fn objects_are_meshes_and_materials_are_subsets() {
    let model = read(&format!(
        "{SQUARE}o one\nusemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\no two\nf 2 3 4\n"
    ));
    let names: Vec<_> = model.meshes.iter().map(|mesh| &*mesh.name).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(model.meshes[0].subsets.len(), 2);
    let materials: Vec<_> = model.materials.iter().map(|m| &*m.name).collect();
    assert_eq!(materials, ["a", "b"]);
}

#[test]
fn smoothing_joins_corners_and_flat_faces_split_them() {
    let roof = "v 0 0 0\nv 0 0 1\nv 1 1 0\nv 1 1 1\nv 2 0 0\nv 2 0 1\n";
    let faces = "f 1 2 4 3\nf 3 4 6 5\n";
    assert_eq!(read(&format!("{roof}s 1\n{faces}")).num_vertices(), 6);
    assert_eq!(read(&format!("{roof}s off\n{faces}")).num_vertices(), 8);
}

#[test]
fn colours_and_uvs_are_kept_with_v_down() {
    let model = read("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvt 0 0.25\nf 1/1 2/1 3/1\n");
    let VertexData::Streams(streams) = &model.meshes[0].vertices else {
        panic!("not floats")
    };
    assert_eq!(streams.colors[1].to_array(), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(streams.uv_sets[0].coords[0].y, 0.75);
}

#[test]
fn a_material_library_gives_colours_and_textures() {
    let mtl = "newmtl skin\nKd 0.5 0.5 0.5\nd 0.5\nmap_Kd a skin.png\nbump bumps.png\n\
               newmtl cloth\nKd 1 0 0\nnorm cloth_n.png\n";
    let source = source(&format!(
        "mtllib my look.mtl\n{SQUARE}usemtl skin\nf 1 2 3\nusemtl cloth\nf 1 3 4\n"
    ))
    .with_companions(vec![Companion {
        name: "my look.mtl".into(),
        bytes: Arc::new(mtl.as_bytes().to_vec()),
    }]);
    let (model, _) = read_source(&source);
    assert!(source.is_used("my look.mtl"));
    let (skin, cloth) = (&model.materials[0], &model.materials[1]);
    let look = skin.look.as_ref().unwrap();
    assert_eq!(look.base_color.to_array(), [0.5; 4]);
    assert_eq!(look.alpha, AlphaMode::Blend);
    let textures = |m: &crate::model::Material| {
        let textures = m.textures.iter();
        let of = |t: &crate::model::TextureRef| (t.role, t.path.clone());
        textures.map(of).collect::<Vec<_>>()
    };
    let skin = textures(skin);
    assert!(
        skin.contains(&(TextureRole::BaseColor, "a skin.png".into())),
        "{skin:?}"
    );
    assert!(
        skin.contains(&(TextureRole::Other, "bumps.png".into())),
        "{skin:?}"
    );
    assert_eq!(
        textures(cloth),
        [(TextureRole::Normal, "cloth_n.png".into())]
    );
    assert_eq!(cloth.look.as_ref().unwrap().alpha, AlphaMode::Opaque);
}

#[test]
fn a_missing_material_library_is_told_and_materials_keep_their_names() {
    let text = format!("mtllib gone.mtl\n{SQUARE}usemtl skin\nf 1 2 3\n");
    let (model, report) = read_source(&source(&text));
    assert_eq!(model.materials[0].name, "skin");
    let notes = report.notes();
    let note = notes.iter().find(|n| n.kind == NoteKind::MissingCompanion);
    assert_eq!(note.unwrap().message, "gone.mtl");
}

#[test]
fn a_merged_file_tells_the_line_that_each_vertex_lies_on() {
    let text = format!("v 9 9 9\nv 8 8 8\n{SQUARE}g a\nf 6 5 3\ng b\nf 3 4 5\n");
    let options = ReadOptions::default();
    let (model, points) = read_merged(&source(&text), &options, &Report::new()).unwrap();
    assert_eq!(model.meshes.len(), 1);
    let lines: Vec<Vec3> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| {
            let n: Vec<f32> = line.split(' ').map(|n| n.parse().unwrap()).collect();
            Vec3::new(n[0], n[1], n[2])
        })
        .collect();
    assert_eq!(points.len(), model.num_vertices());
    for (vertex, &point) in points.iter().enumerate() {
        let position = model.meshes[0].position(vertex);
        assert_eq!(position, Some(lines[point as usize]));
    }
}

#[test]
fn points_without_faces_are_a_cloud_and_nothing_at_all_is_an_error() {
    let model = read("# scan\nv 1 2 3\nv 4 5 6 255 0 0\n");
    assert_eq!(model.meshes[0].num_vertices(), 2);
    assert_eq!(model.meshes[0].num_triangles(), 0);
    for text in ["# nothing\n", "v 1 2\n", "v a b c\n"] {
        let read = Obj.read(&source(text), &ReadOptions::default(), &Report::new());
        assert!(matches!(read, Err(ReadError::Malformed(_))), "{text:?}");
    }
}

#[test]
fn lines_and_points_are_noted_and_material_libraries_are_read_once() {
    let named = "mtllib a.mtl\nmtllib b.mtl\n".repeat(500);
    let many: String = (0..100).map(|n| format!("mtllib {n}.mtl\n")).collect();
    let companion = |name: &str| Companion {
        name: name.into(),
        bytes: Arc::new(format!("newmtl {name}\n# {}\n", "x".repeat(100_000)).into_bytes()),
    };
    let text = format!("{named}{many}{SQUARE}f 1 2 3\nl 1 2\np 4\n");
    let source = source(&text).with_companions(vec![companion("a.mtl"), companion("b.mtl")]);
    let (model, report) = read_source(&source);
    assert_eq!(model.num_triangles(), 1);
    let notes = report.notes();
    let of = |kind| notes.iter().find(|n| n.kind == kind).map(|n| n.count);
    assert_eq!(of(NoteKind::MissingCompanion), Some(62));
    assert!(of(NoteKind::Dropped) >= Some(38), "{notes:?}");
}
