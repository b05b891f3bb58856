//! Tests on inline files.

mod faults;
mod round_trips;

use rigscope_core::model::{MaterialId, MeshId};
use std::sync::Arc;

use glam::Vec3;

use super::write::write;
use super::{OBJ, read_merged};
use crate::formats::source::tests::TooLarge;
use crate::formats::{OutputPlace, ReadError, ReadOptions, RelatedFile, Source, WriteOptions};
use rigscope_testing::*;

fn source(text: &str) -> Source {
    Source::new("a.obj", text.as_bytes().to_vec())
}

fn read_source(source: &Source) -> (Model, Report) {
    let report = Report::new();
    let mut model = (OBJ.reader.read)(source, &ReadOptions::default(), &report).unwrap();
    check::check(&mut model, &report);
    (model, report)
}

fn read(text: &str) -> Model {
    read_source(&source(text)).0
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn polygons_are_triangulated_and_missing_normals_computed() {
    let model = read(&format!("{SQUARE}f 1 2 3 4\n"));
    let mesh = &model.meshes[MeshId(0)];
    assert_eq!((mesh.num_vertices(), mesh.num_triangles()), (4, 2));
    assert_eq!(mesh.normal(0), Some(Vec3::Z));
    assert_eq!(mesh.position(2), Some(Vec3::new(1.0, 1.0, 0.0)));
    assert_eq!(model.axes.unit_meters, None);
    assert!(model.skeleton.is_empty() && mesh.attached_to.is_none());
}

#[test]
fn negative_indices_count_from_the_end() {
    let forward = read(&format!("{SQUARE}f 1 2 3\n"));
    let backward = read(&format!("{SQUARE}f -4 -3 -2\n"));
    let corners = |model: &Model| {
        let mesh = &model.meshes[MeshId(0)];
        let positions = mesh.indices.iter().map(|at| mesh.position(at as usize));
        positions.collect::<Vec<_>>()
    };
    assert_eq!(corners(&forward), corners(&backward));
}

#[test]
fn a_material_library_that_is_too_large_is_not_reported_as_missing() {
    let folder = TooLarge(vec!["a.mtl".to_owned()]);
    let text = format!("mtllib a.mtl\n{SQUARE}f 1 2 3 4\n");
    let (_, report) = read_source(&source(&text).with_folders(vec![Arc::new(folder)]));
    let findings = report.findings();
    let finding = findings.iter().find(|n| n.kind == FindingKind::MissingRelatedFile);
    let why = "can't be read: the file is larger than the limit of 9 bytes";
    assert_eq!(finding.unwrap().message, format!("a.mtl {why}"));
    let related_files = report.related_files();
    assert!(!related_files[0].is_missing && related_files[0].why == why);
}

#[test]
fn objects_are_meshes_and_materials_are_subsets() {
    let model =
        read(&format!("{SQUARE}o one\nusemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\no two\nf 2 3 4\n"));
    let names: Vec<_> = model.meshes.iter().map(|mesh| &*mesh.name).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(model.meshes[MeshId(0)].subsets.len(), 2);
    let materials: Vec<_> = model.materials.iter().map(|m| &*m.name).collect();
    assert_eq!(materials, ["a", "b"]);
}

#[test]
fn smoothing_groups_join_corners_and_flat_faces_split_them() {
    let roof = "v 0 0 0\nv 0 0 1\nv 1 1 0\nv 1 1 1\nv 2 0 0\nv 2 0 1\n";
    let faces = "f 1 2 4 3\nf 3 4 6 5\n";
    assert_eq!(read(&format!("{roof}s 1\n{faces}")).num_vertices(), 6);
    assert_eq!(read(&format!("{roof}s off\n{faces}")).num_vertices(), 8);
}

/// Triangles around the first point, each with a different UV there, `rounds` times.
fn fan(num: usize, rounds: usize) -> Model {
    let mut text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n".to_owned();
    for number in 1..=num {
        text += &format!("vt {} 1\n", number as f32 / num as f32);
    }
    for number in (0..rounds).flat_map(|_| 0..num) {
        text += &format!("f 1/{} 2/1 3/1\n", number + 2);
    }
    read(&text)
}

#[test]
fn corners_with_equal_attributes_share_a_vertex() {
    let vertices = |num, rounds| {
        let model = fan(num, rounds);
        let mesh = &model.meshes[MeshId(0)];
        let firsts = mesh.indices.iter().step_by(3);
        for (number, vertex) in firsts.enumerate() {
            let u = mesh.uv(vertex as usize).unwrap().x;
            assert_eq!(u, (number % num + 1) as f32 / num as f32, "{number}");
        }
        mesh.num_vertices()
    };
    assert_eq!(vertices(3, 2), 5);
    // In the order of their first corners, two of them at the other points.
    assert_eq!(vertices(200, 2), 202);
    // Not all of that many at one point are searched, which costs only extra vertices.
    assert_eq!(vertices(20_000, 2), 40_002);
}

#[test]
fn colours_and_uvs_are_read_with_v_flipped() {
    let model = read("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvt 0 0.25\nf 1/1 2/1 3/1\n");
    let streams = streams(&model.meshes[MeshId(0)]);
    assert_eq!(streams.colors[1].to_array(), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(streams.uv_sets[0].coords[0].y, 0.75);
}

#[test]
fn vertex_colours_are_srgb_with_and_without_faces() {
    let vertices = "v 0 0 0 1 0.5 0\nv 1 0 0 0.2 0.2 0.2\nv 0 1 0 0 0 1\n";
    for (text, is_alone) in [(format!("{vertices}f 1 2 3\n"), false), (vertices.into(), true)] {
        let model = read(&text);
        let color = model.meshes[MeshId(0)].color(0).unwrap();
        assert!((color.y - 0.214_041).abs() < 1e-6, "{color}");
        assert_eq!((color.x, color.z, color.w), (1.0, 0.0, 1.0));
        assert_eq!(model.meshes[MeshId(0)].indices.is_empty(), is_alone);
        let (written, _) = written(&model);
        let text = String::from_utf8(written.whole().unwrap().to_vec()).unwrap();
        assert!(text.contains("v 0 0 0 1 0.5 0\n"), "{text}");
        let back = read_source(&written).0;
        assert_eq!(back.meshes[MeshId(0)].color(1), model.meshes[MeshId(0)].color(1));
    }
}

#[test]
fn points_without_a_colour_are_white_if_others_have_one() {
    let model = read("v 0 0 0\nv 1 0 0 1 0 0\nv 2 0 0\n");
    let streams = streams(&model.meshes[MeshId(0)]);
    let (white, red) = (glam::Vec4::ONE, glam::Vec4::new(1.0, 0.0, 0.0, 1.0));
    assert_eq!(streams.colors, [white, red, white]);
    assert!(!read("v 0 0 0\nv 1 0 0\n").meshes[MeshId(0)].is_tinted());
}

#[test]
fn lines_and_points_round_trip_with_their_materials() {
    let text = format!(
        "mtllib a.mtl\n{SQUARE}v 9 9 9\nusemtl skin\nf 1 2 3\nl 1 2 3 4\nusemtl cloth\nl -5 -2\np 4 1\n"
    );
    let mtl = "newmtl skin\nKd 1 0 0\nnewmtl cloth\nKd 0 1 0\n";
    let library = RelatedFile::new("a.mtl", mtl.as_bytes().to_vec());
    let (model, report) = read_source(&source(&text).with_related_files(vec![library]));
    assert!(report.findings().iter().all(|n| n.kind != FindingKind::Dropped));
    // Endpoints and points as positions, with the name of the material.
    let parts = |model: &Model| {
        let mesh = &model.meshes[MeshId(0)];
        let part = |loose: &LooseGeometry| {
            let places = loose.indices.iter();
            let places = places.map(|&at| mesh.position(at as usize).unwrap());
            let places: Vec<[f32; 2]> = places.map(|p| [p.x, p.y]).collect();
            let material = loose.material.map(|id| model.materials[id].name.clone());
            (loose.kind, material.unwrap_or_default(), places)
        };
        mesh.loose.iter().map(part).collect::<Vec<_>>()
    };
    let (lines, points) = (LooseKind::Lines, LooseKind::Points);
    let wanted = [
        (
            lines,
            "skin".to_owned(),
            vec![[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 1.0], [0.0, 1.0]],
        ),
        (lines, "cloth".to_owned(), vec![[0.0, 0.0], [0.0, 1.0]]),
        (points, "cloth".to_owned(), vec![[0.0, 1.0], [0.0, 0.0]]),
    ];
    assert_eq!(parts(&model), wanted);
    assert_eq!(model.num_triangles(), 1);
    let (again, _) = written(&model);
    let text = String::from_utf8(again.whole().unwrap().to_vec()).unwrap();
    assert_eq!(text.matches("\nl ").count(), 2, "one line goes on: {text}");
    let (read, _) = read_source(&again);
    assert_eq!(parts(&read), wanted);
}

#[test]
fn a_file_with_only_lines_is_not_a_point_cloud() {
    let model = read(&format!("{SQUARE}l 1 2 3\n"));
    let mesh = &model.meshes[MeshId(0)];
    assert_eq!((mesh.num_triangles(), mesh.num_loose(LooseKind::Lines)), (0, 2));
    let posed = rigscope_core::pose::skin_model(&model, &rigscope_core::pose::PoseSpec::default());
    let mut text = String::new();
    let sink = |piece: &str| {
        text.push_str(piece);
        Ok(())
    };
    super::write_posed(&model, &rigscope_core::pose::PoseSpec::default(), &posed, sink).unwrap();
    assert_eq!(read(&text).meshes[MeshId(0)].loose, mesh.loose);
}

#[test]
fn a_material_library_defines_colours_and_textures() {
    let mtl = "newmtl skin\nKd 0.5 0.5 0.5\nd 0.5\nmap_Kd a skin.png\nbump bumps.png\n\
               newmtl cloth\nKd 1 0 0\nnorm -clamp on -s 1 1 1 a cloth's_n.png\n";
    let source = source(&format!(
        "mtllib my look.mtl\n{SQUARE}usemtl skin\nf 1 2 3\nusemtl cloth\nf 1 3 4\n"
    ))
    .with_related_files(vec![RelatedFile::new("my look.mtl", mtl.as_bytes().to_vec())]);
    let (model, _) = read_source(&source);
    assert!(source.is_used("my look.mtl"));
    let (skin, cloth) = (&model.materials[MaterialId(0)], &model.materials[MaterialId(1)]);
    let look = skin.look.as_ref().unwrap();
    assert_eq!(look.base_color.to_array(), [0.5; 4]);
    assert_eq!(look.alpha, AlphaMode::Blend);
    let textures = |m: &rigscope_core::model::Material| {
        let textures = m.textures.iter();
        let of = |t: &rigscope_core::model::TextureRef| (t.role, t.path.clone());
        textures.map(of).collect::<Vec<_>>()
    };
    let skin = textures(skin);
    assert!(skin.contains(&(TextureRole::BaseColor, "a skin.png".into())), "{skin:?}");
    assert!(skin.contains(&(TextureRole::Other, "bumps.png".into())), "{skin:?}");
    assert_eq!(
        textures(cloth),
        [(TextureRole::Normal, "a cloth's_n.png".into())],
        "a path goes on to the end of its line, whatever options there are"
    );
    assert_eq!(cloth.look.as_ref().unwrap().alpha, AlphaMode::Opaque);
}

#[test]
fn materials_are_found_by_names_with_any_whitespace() {
    for name in ["a  b", "a \t b", "a\\\n  b", "a\u{b}b", "a\0b", "a#  #b", "a b "] {
        for end in ["\n", "  # c\n"] {
            let library = format!("newmtl {name}{end}Kd 1 0 0\n");
            let source = source(&format!("mtllib a.mtl\n{SQUARE}usemtl {name}{end}f 1 2 3\n"))
                .with_related_files(vec![RelatedFile::new("a.mtl", library.into_bytes())]);
            let (model, _) = read_source(&source);
            let [material] = &*model.materials else { panic!("{name:?}: {:?}", model.materials) };
            let color = material.look.as_ref().map(|look| look.base_color.to_array());
            assert_eq!(color, Some([1.0, 0.0, 0.0, 1.0]), "{name:?}{end:?}");
        }
    }
}

/// The look and texture roles of a material with these lines.
fn mtl(lines: &str) -> (MaterialLook, Vec<TextureRole>) {
    let library = format!("newmtl skin\n{lines}");
    let source = source(&format!("mtllib a.mtl\n{SQUARE}usemtl skin\nf 1 2 3\n"))
        .with_related_files(vec![RelatedFile::new("a.mtl", library.into_bytes())]);
    let material = read_source(&source).0.materials.as_mut_vec().remove(0);
    let mut roles: Vec<_> = material.textures.iter().map(|t| t.role).collect();
    roles.sort_unstable();
    (*material.look.unwrap(), roles)
}

#[test]
fn material_libraries_define_metallic_roughness_and_emission() {
    let plain = MaterialLook::default();
    assert_eq!(mtl("Kd 1 1 1\n").0, plain, "all values are defaults");
    // Blender writes roughness 0.5 as this exponent, and an index for every material.
    let blender = "Ns 250\nKa 1 1 1\nKd 1 1 1\nKs 0.5 0.5 0.5\nKe 0 0 0\nNi 1.45\nd 1\nillum 2\n";
    assert_eq!(mtl(blender).0, MaterialLook { roughness: 0.5, ior: 1.45, ..plain });
    assert_eq!(mtl("Ns 250\nKs 0 0 0\nNi 1\nTf 1 1 1\n").0, plain, "no highlight");
    let physical = "Ns 900\nPr 0.25\nPm 0.75\nPc 0.5\nPcr 0.125\nPs 0.5\nKe 2 1 0\n";
    let wanted = MaterialLook {
        metallic: 0.75,
        roughness: 0.25,
        clearcoat: 0.5,
        clearcoat_roughness: 0.125,
        sheen_color: Vec3::splat(0.5),
        emissive: Vec3::new(2.0, 1.0, 0.0),
        ..plain
    };
    assert_eq!(mtl(physical).0, wanted);
    // A texture replaces numbers, and is multiplied by a colour that isn't black.
    use TextureRole::{BaseColor, Emissive, Metallic, Normal, Other, Roughness};
    let maps = "Pr 0.5\nPm 0\nKe 0 0 0\nmap_Pr r.png\nmap_Pm m.png\nmap_Ke e.png\nnorm n.png\n\
                map_Kd c.png\nmap_Ns s.png\n";
    let (look, roles) = mtl(maps);
    assert_eq!(roles, [BaseColor, Normal, Metallic, Roughness, Emissive, Other]);
    assert_eq!(look, MaterialLook { metallic: 1.0, emissive: Vec3::ONE, ..plain });
    let dimmed = mtl("Ke 0.5 0.25 0\nmap_Ke e.png\n").0.emissive;
    assert_eq!(dimmed, Vec3::new(0.5, 0.25, 0.0));
}

#[test]
fn unsupported_material_properties_are_reported() {
    let plain = MaterialLook::default();
    let texture = |role| vec![TextureRef::file(role, "a.png")];
    let told = |look: MaterialLook, textures: Vec<TextureRef>| {
        let material = Material {
            name: "skin".into(),
            textures,
            look: Some(Box::new(look)),
            ..Material::default()
        };
        let meshes = vec![odd_mesh("arm", 0)];
        let model =
            Model { meshes: meshes.into(), materials: vec![material].into(), ..Model::default() };
        written(&model)
            .1
            .findings()
            .iter()
            .any(|finding| finding.kind == FindingKind::LookNotWritten)
    };
    use TextureRole::{Emissive, Metallic, MetallicRoughness, Occlusion, Roughness};
    assert!(!told(plain, Vec::new()));
    assert!(!told(MaterialLook { metallic: 0.5, roughness: 0.1, ..plain }, Vec::new()));
    assert!(!told(MaterialLook { metallic: 1.0, ..plain }, texture(Metallic)));
    assert!(told(MaterialLook { transmission: 0.5, ..plain }, Vec::new()));
    assert!(told(MaterialLook { specular: 0.5, ..plain }, Vec::new()));
    assert!(told(MaterialLook { normal_scale: 0.5, ..plain }, Vec::new()));
    assert!(told(MaterialLook { roughness: 0.5, ..plain }, texture(Roughness)));
    assert!(told(plain, texture(Emissive)));
    assert!(told(plain, texture(MetallicRoughness)));
    assert!(told(plain, texture(Occlusion)));
}

#[test]
fn a_missing_material_library_is_reported_and_materials_keep_their_names() {
    let text = format!("mtllib gone.mtl\n{SQUARE}usemtl skin\nf 1 2 3\n");
    let (model, report) = read_source(&source(&text));
    assert_eq!(model.materials[MaterialId(0)].name, "skin");
    let findings = report.findings();
    let finding = findings.iter().find(|n| n.kind == FindingKind::MissingRelatedFile);
    assert_eq!(finding.unwrap().message, "gone.mtl was not found");
}

#[test]
fn merged_reading_maps_each_vertex_to_its_source_line() {
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
        let position = model.meshes[MeshId(0)].position(vertex);
        assert_eq!(position, Some(lines[point as usize]));
    }
}

#[test]
fn points_without_faces_are_a_point_cloud_and_no_points_are_an_error() {
    let model = read("# scan\nv 1 2 3\nv 4 5 6 255 0 0\n");
    assert_eq!(model.meshes[MeshId(0)].num_vertices(), 2);
    assert_eq!(model.meshes[MeshId(0)].num_triangles(), 0);
    for text in ["# nothing\n", "v 1 2\n", "v a b c\n"] {
        let read = (OBJ.reader.read)(&source(text), &ReadOptions::default(), &Report::new());
        assert!(matches!(read, Err(ReadError::Malformed(_))), "{text:?}");
    }
}

#[test]
fn material_libraries_are_read_once() {
    let named = "mtllib a.mtl\nmtllib b.mtl\n".repeat(500);
    let many: String = (0..100).map(|n| format!("mtllib {n}.mtl\n")).collect();
    let related_file = |name: &str| {
        RelatedFile::new(name, format!("newmtl {name}\n# {}\n", "x".repeat(100_000)).into_bytes())
    };
    let text = format!("{named}{many}{SQUARE}f 1 2 3\nl 1 2\np 4\n");
    let source =
        source(&text).with_related_files(vec![related_file("a.mtl"), related_file("b.mtl")]);
    let (model, report) = read_source(&source);
    assert_eq!(model.num_triangles(), 1);
    let findings = report.findings();
    let of = |kind| findings.iter().find(|n| n.kind == kind).map(|n| n.count);
    assert_eq!(of(FindingKind::MissingRelatedFile), Some(62));
    assert!(of(FindingKind::Dropped) >= Some(38), "{findings:?}");
}

fn written(model: &Model) -> (Source, Report) {
    let report = Report::new();
    let options = WriteOptions { stem: "my trip".into(), ..WriteOptions::default() };
    let mut files = write(model, &options, &report).unwrap();
    let main = files.remove(0);
    assert_eq!(main.place, OutputPlace::Main);
    let related_files = files.into_iter().map(|file| {
        assert!(file.is_related_file);
        let OutputPlace::Named(name) = file.place else { panic!("{:?}", file.place) };
        RelatedFile::new(name, file.bytes)
    });
    let related_files = related_files.collect();
    (Source::new("a.obj", main.bytes).with_related_files(related_files), report)
}

/// A triangle whose numbers have many digits, in two subsets, one without material.
fn odd_mesh(name: &str, material: u32) -> Mesh {
    ModelBuilder::new()
        .mesh([
            Vec3::new(0.1, 1.0 / 3.0, -1.5e-7),
            Vec3::new(1e7 / 3.0, -2.7e-9, 0.3),
            Vec3::new(16_777_217.0, 0.7, f32::MIN_POSITIVE),
            Vec3::new(-0.25, 4.0, 1e-30),
        ])
        .name(name)
        .indices([0, 1, 2, 0, 2, 3])
        .subsets(&[(3, Some(material)), (3, None)])
        .normal(Vec3::Z)
        .colors([glam::Vec4::new(0.25, 0.1, 1.0, 1.0); 4])
        .uvs([0.1, 0.3, 1e-5, 0.999_999_9].map(glam::Vec2::splat))
        .into_mesh()
}
