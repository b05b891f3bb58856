//! Compares OBJ with ufbx, which reads it as well: names, faces by material, and the attributes of their corners.

use std::fmt::Write;

use rigscope_core::model::{LooseKind, Mesh, Report};
use rigscope_io::formats::{ReadOptions, RelatedFile, Source, open};
use ufbx::{FileFormat, IndexErrorHandling, LoadOpts, SceneRoot};

use crate::support::{files_below, samples};
use rigscope_testing::Random;

/// Position, normal and UV (v up) of a corner.
type CornerBits = [u32; 8];

/// The corners of the triangles, lines or points of a mesh with one material.
#[derive(Debug, Default, PartialEq)]
struct FaceGroup {
    material: Option<String>,
    triangles: Vec<CornerBits>,
    lines: Vec<CornerBits>,
    points: Vec<CornerBits>,
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
fn bits(values: [f64; 8]) -> CornerBits {
    values.map(|value| (value as f32 + 0.0).to_bits())
}

fn load(text: &str, library: &str) -> SceneRoot {
    let opts = LoadOpts {
        file_format: FileFormat::Obj,
        obj_mtl_data: library.as_bytes().into(),
        index_error_handling: IndexErrorHandling::NoIndex,
        generate_missing_normals: true,
        ..LoadOpts::default()
    };
    match ufbx::load_memory(text.as_bytes(), opts) {
        Ok(scene) => scene,
        Err(error) => panic!("{}: {text}", error.description),
    }
}

fn expected(mesh: &ufbx::Mesh) -> Vec<FaceGroup> {
    let corner = |at: &u32| {
        let at = *at as usize;
        let of = |list: &ufbx::VertexVec3| {
            let value = list.indices.get(at).and_then(|&index| list.values.get(index as usize));
            value.copied().unwrap_or_default()
        };
        let (position, normal) = (of(&mesh.vertex_position), of(&mesh.vertex_normal));
        let uv = &mesh.vertex_uv;
        let uv = uv.indices.get(at).and_then(|&index| uv.values.get(index as usize));
        let uv = uv.copied().unwrap_or_default();
        let v = if mesh.uv_sets.is_empty() { 0.0 } else { 1.0 - uv.y };
        bits([position.x, position.y, position.z, normal.x, normal.y, normal.z, uv.x, v])
    };
    let mut buffer = vec![0; mesh.max_face_triangles * 3];
    let group = |(number, part): (usize, &ufbx::MeshPart)| {
        let material = mesh.materials.get(number).map(|material| material.element.name.to_string());
        let mut group = FaceGroup { material, ..FaceGroup::default() };
        for &face in part.face_indices.iter() {
            let face = mesh.faces[face as usize];
            let own: Vec<u32> = (face.index_begin..face.index_begin + face.num_indices).collect();
            match own.len() {
                1 => group.points.extend(own.iter().map(corner)),
                2 => group.lines.extend(own.iter().map(corner)),
                _ => {
                    let num = mesh.triangulate_face(&mut buffer, face) as usize;
                    group.triangles.extend(buffer[..num * 3].iter().map(corner));
                }
            }
        }
        group
    };
    let groups = mesh.material_parts.iter().enumerate().map(group);
    let is_used = |group: &FaceGroup| {
        !(group.triangles.is_empty() && group.lines.is_empty() && group.points.is_empty())
    };
    groups.filter(is_used).collect()
}

fn found(mesh: &Mesh, names: &[String]) -> Vec<FaceGroup> {
    let corner = |at: usize| {
        let position = mesh.position(at).unwrap().to_array();
        let normal = mesh.normal(at).unwrap().to_array();
        let uv = mesh.uv(at).unwrap_or_default();
        let [x, y, z] = position.map(f64::from);
        let [nx, ny, nz] = normal.map(f64::from);
        bits([x, y, z, nx, ny, nz, uv.x.into(), uv.y.into()])
    };
    let mut groups: Vec<FaceGroup> = Vec::new();
    let name =
        |id: Option<rigscope_core::model::MaterialId>| id.map(|id| names[id.index()].clone());
    for subset in &mesh.subsets {
        let indices: Vec<u32> = mesh.triangles(subset.range()).flatten().collect();
        groups.push(FaceGroup {
            material: name(subset.material),
            triangles: indices.iter().map(|&at| corner(at as usize)).collect(),
            ..FaceGroup::default()
        });
    }
    for loose in &mesh.loose {
        let material = name(loose.material);
        let known = groups.iter().position(|group| group.material == material);
        let at = known.unwrap_or_else(|| {
            groups.push(FaceGroup { material, ..FaceGroup::default() });
            groups.len() - 1
        });
        let corners = loose.indices.iter().map(|&at| corner(at as usize)).collect();
        match loose.kind {
            LooseKind::Lines => groups[at].lines = corners,
            LooseKind::Points => groups[at].points = corners,
        }
    }
    groups
}

fn compare(what: &str, text: &str, library: &str) {
    let scene = load(text, library);
    let related_files = vec![RelatedFile::new("m.mtl", library.as_bytes().to_vec())];
    let source = Source::new("a.obj", text.as_bytes().to_vec()).with_related_files(related_files);
    let model = open(&source, &ReadOptions::default(), &Report::new()).unwrap().model;
    let names: Vec<String> = model.materials.iter().map(|m| m.name.clone()).collect();
    let expected_names: Vec<String> =
        scene.materials.iter().map(|m| m.element.name.to_string()).collect();
    assert_eq!(names, expected_names, "{what}");
    for (material, expected) in model.materials.iter().zip(&scene.materials) {
        let paths: Vec<&str> = material.textures.iter().map(|t| &*t.path).collect();
        let expected: Vec<&str> =
            expected.textures.iter().map(|t| &*t.texture.relative_filename).collect();
        assert_eq!(paths, expected, "{what}: {}", material.name);
    }
    assert_eq!(model.meshes.len(), scene.meshes.count, "{what}");
    for (mesh, wanted) in model.meshes.iter().zip(&scene.meshes) {
        assert_eq!(mesh.name, *wanted.element.name, "{what}");
        let (mut found, mut expected) = (found(mesh, &names), expected(wanted));
        // A material of only lines comes after the triangles of the others.
        found.sort_by(|a, b| a.material.cmp(&b.material));
        expected.sort_by(|a, b| a.material.cmp(&b.material));
        assert!(found == expected, "{what}, {}: {found:?} and not {expected:?}\n{text}", mesh.name);
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn samples_are_read_like_in_ufbx() {
    let files = files_below(&samples());
    for file in files.iter().filter(|path| path.extension().is_some_and(|e| e == "obj")) {
        let text = std::fs::read_to_string(file).unwrap();
        compare(&file.display().to_string(), &text, "");
    }
}

fn pick<'a>(random: &mut Random, words: &[&'a str]) -> &'a str {
    words[random.below(words.len())]
}

const LIBRARY: &str = "newmtl a\nKd 1 0 0\nmap_Kd a.png\nbump b.png\nnewmtl c d\nmap_Ks -clamp on s.png\n\
                       newmtl unused\nnewmtl a\nKd 0 1 0\nmap_Ka c.png\n";

/// Objects, groups, materials, smoothing, polygons, lines and points in random order.
fn random_text(random: &mut Random) -> String {
    let mut text = String::from("mtllib m.mtl\n");
    let num_points = [4, 8, 30][random.below(3)];
    for _ in 0..num_points {
        let mut number = || random.below(7) as f64 * 0.35 - 1.0;
        writeln!(text, "v {} {} {}", number(), number(), number()).unwrap();
    }
    text += "vt 0 0.25\nvt 0.5 1\nvt 0.5 1\nvn 0 0 1\nvn 0.6 0 0.8\n";
    let has_normals = random.below(3) == 0;
    for _ in 0..60 {
        match random.below(12) {
            0 => writeln!(text, "o {}", pick(random, &["x", "y z"])).unwrap(),
            1 => writeln!(text, "g {}", pick(random, &["", "p", "q  r"])).unwrap(),
            2 => writeln!(text, "s {}", pick(random, &["1", "off", "0", "2"])).unwrap(),
            3 => writeln!(text, "usemtl {}", pick(random, &["", "a", "c d", "new"])).unwrap(),
            _ => {
                text += pick(random, &["f", "f", "f", "f", "f", "l", "p"]);
                for _ in 0..[1, 2, 3, 3, 3, 4, 4, 5, 7, 12][random.below(10)] {
                    let point = i64::try_from(random.below(num_points)).unwrap();
                    let last = i64::try_from(num_points).unwrap();
                    // From the start, or back from the end.
                    let point = if random.below(2) == 0 { point - last } else { point + 1 };
                    let uv = pick(random, &["", "", "1", "2", "-1"]);
                    let normal = if has_normals { pick(random, &["1", "2"]) } else { "" };
                    write!(text, " {point}/{uv}/{normal}").unwrap();
                }
                text += "\n";
            }
        }
    }
    text
}

#[test]
fn random_statements_are_read_like_in_ufbx() {
    let mut random = Random(1);
    for number in 0..400 {
        compare(&number.to_string(), &random_text(&mut random), LIBRARY);
    }
}

/// Polygons up to the size at which ufbx isn't used for FBX either.
#[test]
fn polygons_are_triangulated_like_in_ufbx() {
    let mut random = Random(2);
    for number in 0..300usize {
        let num = 4 + if number.is_multiple_of(50) { 508 } else { number / 4 };
        let step = std::f64::consts::TAU / num as f64;
        let is_simple = number % 3 > 0;
        let mut text = String::new();
        for corner in 0..num {
            let radius = match number % 3 {
                0 => 0.0,
                1 => 1.0 + (corner % 2) as f64,
                _ => 0.1 + random.below(1000) as f64 * 0.001,
            };
            let (sin, cos) = (step * corner as f64).sin_cos();
            let mut noise = || if is_simple { 0.0 } else { random.below(9) as f64 };
            let (x, y) = (radius * cos + noise(), radius * sin + noise());
            writeln!(text, "v {x} {y} {}", 0.5 * x - y).unwrap();
        }
        let corners: Vec<String> = (1..=num).map(|corner| corner.to_string()).collect();
        writeln!(text, "f {}", corners.join(" ")).unwrap();
        compare(&format!("{number}: {num} corners"), &text, "");
    }
}
