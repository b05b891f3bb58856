//! Files that other readers accept, and files that none accepts.

use glam::{Vec3, Vec4};
use rigscope_core::model::{MaterialId, MeshId};

use super::{SQUARE, read, read_source, source};
use crate::formats::obj::{OBJ, read_merged};
use crate::formats::{ReadError, ReadOptions, RelatedFile, Source, open};
use rigscope_testing::*;

fn error(text: &str) -> ReadError {
    let report = Report::new();
    match (OBJ.reader.read)(&source(text), &ReadOptions::default(), &report) {
        Err(error) => error,
        Ok(_) => panic!("{text:?} was read"),
    }
}

fn finding_of(report: &Report, kind: FindingKind) -> Option<Finding> {
    report.findings().into_iter().find(|finding| finding.kind == kind)
}

fn positions(model: &Model) -> Vec<Vec<Option<Vec3>>> {
    let corners = |mesh: &rigscope_core::model::Mesh| {
        let indices = mesh.indices.iter();
        indices.map(|at| mesh.position(at as usize)).collect()
    };
    model.meshes.iter().map(corners).collect()
}

/// A text in some encoding.
type Encode<'a> = &'a dyn Fn(&str) -> Vec<u8>;

#[test]
fn every_encoding_and_line_ending_gives_the_same_model() {
    let text = "# caf\u{e9}\nmtllib \u{e9}t\u{e9}.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\no \u{e9}\n\
                usemtl \u{e9}\nf 1 2 3\n";
    let mtl = "newmtl \u{e9}\nKd 0.5 0.25 0\n";
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(bytes).collect()
    };
    let narrow = |text: &str| -> Vec<u8> {
        let chars = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
        chars.collect()
    };
    let encodings: [Encode<'_>; 5] = [
        &|text| text.as_bytes().to_vec(),
        &|text| [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        &|text| wide(text, u16::to_le_bytes),
        &|text| wide(text, u16::to_be_bytes),
        &narrow,
    ];
    for (number, encode) in encodings.into_iter().enumerate() {
        for end in ["\n", "\r\n", "\r", "\r\r\n"] {
            let of = |text: &str| encode(&text.replace('\n', end));
            let source = Source::new("a", of(text))
                .with_related_files(vec![RelatedFile::new("\u{e9}t\u{e9}.mtl", of(mtl))]);
            let report = Report::new();
            let opened = open(&source, &ReadOptions::default(), &report).unwrap();
            assert_eq!(opened.format.info.id, "obj", "{number} {end:?}");
            let model = opened.model;
            assert_eq!(model.num_triangles(), 1, "{number} {end:?}");
            assert_eq!(model.meshes[MeshId(0)].name, "\u{e9}", "{number} {end:?}");
            let look = model.materials[MaterialId(0)].look.as_ref().unwrap();
            assert_eq!(look.base_color.y, 0.25, "{number} {end:?}");
            let spans = &model.provenance;
            assert_eq!(spans.num_bytes(), source.content.len());
        }
    }
}

#[test]
fn a_face_with_invalid_indices_does_not_affect_other_faces() {
    for corner in
        ["9", "0", "-5", "1/1", "1//1", "x", "1/", "99999999999999999999", "1/2/3/4", "1x", "1.0"]
    {
        let text = format!("{SQUARE}f 1 2 3\nf 1 3 {corner}\nf 1 {corner} 3\nf 1 3 4\n");
        let (model, report) = read_source(&source(&text));
        let finding = finding_of(&report, FindingKind::FaceLeftOut);
        // A part may be empty.
        let num = if corner == "1/" { 4 } else { 2 };
        assert_eq!(model.num_triangles(), num, "{corner}");
        assert_eq!(finding.is_none(), corner == "1/", "{corner}");
        if let Some(finding) = finding {
            assert_eq!(finding.count, 2);
            let line = Place::Line { line: 6, column: Some(7) };
            assert_eq!(finding.place, line, "{corner}");
            assert!(finding.message.contains(&corner[..1]), "{}", finding.message);
        }
    }
    let sound = read(&format!("{SQUARE}f 1 2 3\nf 1 3 4\n"));
    let padded = read(&format!("{SQUARE}f 1 +2 000000000000000000000003\nf 1 3 4\n"));
    assert_eq!(positions(&sound), positions(&padded));
    let spoilt = read(&format!("{SQUARE}f 1 2 3\nf 1 2 3 4 5\nl 1 9\np 7\nf 1 3 4\n"));
    assert_eq!(positions(&sound), positions(&spoilt));
}

#[test]
fn faces_may_precede_their_vertices_except_with_negative_indices() {
    let model = read(&format!("f 1 2 3\n{SQUARE}"));
    assert_eq!(model.num_triangles(), 1);
    // Negative indices count back from the line itself.
    let (model, report) = read_source(&source(&format!("f -1 -2 -3\n{SQUARE}")));
    assert_eq!(model.num_triangles(), 0);
    let message = finding_of(&report, FindingKind::FaceLeftOut).unwrap().message;
    assert_eq!(message, "\"-1\" refers to v -1, but there are 0 before it");
    assert_eq!(model.meshes[MeshId(0)].num_vertices(), 4, "the points are there");
}

#[test]
fn unreadable_coordinates_are_reported_with_line_and_column() {
    let message = |text: &str| error(text).to_string();
    assert_eq!(
        message("# a\nv 0 0 0\n\tv 1 two 3\nf 1 1 1\n"),
        "\"two\" isn't a number (OBJ v at line 3, column 6)"
    );
    assert_eq!(
        message("v 0 0 0\rvn 1 2\r"),
        "vn has 2 numbers and not 3 (OBJ vn at line 2, column 6)"
    );
    assert_eq!(message("v 0 0 \\\n1,5\n"), "\"1,5\" isn't a number (OBJ v at line 2, column 1)");
    assert_eq!(message("vt\n"), "vt has 0 numbers and not 1 (OBJ vt at line 1, column 1)");
    assert_eq!(message("v 0 0 0 1 1 red\n"), "\"red\" isn't a number (OBJ v at line 1, column 13)");
    // A single number isn't a colour.
    assert_eq!(read("v 0 0 0 red\n").num_vertices(), 1);
}

#[test]
fn backslashes_continue_statements_but_not_full_line_comments() {
    let plain = read(&format!("{SQUARE}f 1 2 3 4\n"));
    for text in [
        "v 0 0 0\nv 1 \\\n0 0\nv 1 1 0 # \\\nv 0 1 0\nf 1 2\\\r\n 3 4",
        "# C:\\dir\\\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\\",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no a \\\nb # c\\\nf 1 2 3 4",
        "v\t0\x0b0\x0c0  \nv 1 0 0\nv 1 1 0\nv 0 1 0 \t \nf 1 2 3 4   \n\0",
        "v\0 0 0 0\nv\x001\x000 0\nv\0\0\0\x001 1 0\nv 0 1 0\0\nf\0 -4 -3 -2 -1\n\0\0",
        "v 0 0 0\nv 1 0 \\\r\r\n0\nv 1 1 0\nv 0 1 0\nf -4 2 \\\r\r\r\n3 4\n",
        "v 0 0 0\nv 1 0 0\nq \\\n# \\\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n",
    ] {
        assert_eq!(positions(&read(text)), positions(&plain), "{text:?}");
    }
    let named = read("v 0 0 0\nv 1 0 0\nv 1 1 0\no a \\\nb # c\\\nf 1 2 3");
    assert_eq!(named.meshes[MeshId(0)].name, "a b");
}

#[test]
fn non_finite_numbers_become_0_and_are_reported() {
    for word in ["nan", "-inf", "1.#QNAN", "-nan(ind)", "1e999", "1e39"] {
        let text = format!("v 0 0 0\nv 1 {word} 0\nv 1 1 0\nf 1 2 3\n");
        let (model, report) = read_source(&source(&text));
        assert!(positions(&model)[0].contains(&Some(Vec3::X)), "{word}");
        assert!(finding_of(&report, FindingKind::NotFinite).is_some(), "{word}");
        assert_eq!(read(&format!("v 1 {word} 0\n")).num_vertices(), 1);
    }
    // Small, in an unusual spelling.
    let model = read("v 0 1e-0000001 0\nv 1 1e-99999999 0\nv 1 1 0\nf 1 2 3\n");
    assert!(positions(&model)[0].contains(&Some(Vec3::new(0.0, 0.1, 0.0))));
}

#[test]
fn corners_without_normals_or_uvs_get_default_values() {
    let text = "v 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0 0 1 0\nvt 0.25\nvt 0.5 0.5\nvn 0 0 1\nvn 1 0 0\n\
                f 1/1/1 2 3/2\n";
    let (model, _) = read_source(&source(text));
    let streams = streams(&model.meshes[MeshId(0)]);
    assert_eq!(streams.normals[0], Vec3::Z);
    assert_eq!(streams.normals[1], Vec3::ZERO, "the check notes it");
    assert_eq!(streams.uv_sets[0].coords[0].to_array(), [0.25, 1.0]);
    assert_eq!(streams.uv_sets[0].coords[2].to_array(), [0.5, 0.5]);
    assert_eq!(streams.colors[0], Vec4::new(1.0, 0.0, 0.0, 1.0));
    assert_eq!(streams.colors[1], Vec4::ONE, "white without a colour");
}

#[test]
fn unnamed_materials_are_left_out_with_their_statements() {
    let mtl = "Kd 0 0 0\nnewmtl skin\nKd 0.5 0.5 0.5\nnewmtl\nKd 1 0 0\nmap_Kd a.png\n\
               newmtl two words\nKd 0 1 0\n";
    let text =
        format!("mtllib \"a.mtl\"\n{SQUARE}usemtl skin\nf 1 2 3\nusemtl two words\nf 1 3 4\n");
    let source =
        source(&text).with_related_files(vec![RelatedFile::new("a.mtl", mtl.as_bytes().to_vec())]);
    let (model, report) = read_source(&source);
    let names: Vec<_> = model.materials.iter().map(|m| &*m.name).collect();
    assert_eq!(names, ["skin", "two words"]);
    let look = model.materials[MaterialId(0)].look.as_ref().unwrap();
    assert_eq!(look.base_color.x, 0.5);
    assert!(model.materials.iter().all(|m| m.textures.is_empty()));
    let finding = finding_of(&report, FindingKind::UnnamedMaterial).unwrap();
    assert_eq!(finding.count, 4);
    let words = "a.mtl, line 1, column 1: the statement belongs to no material with a name";
    assert_eq!(finding.message, words);
}

#[test]
fn empty_statements_are_reported_and_left_out() {
    let text = format!("mtllib\n{SQUARE}o a\nf\nv 5 5 5 1 0 0\nl\np\nusemtl\nf 1 2 3\n");
    let (model, report) = read_source(&source(&text));
    assert_eq!(model.num_triangles(), 1);
    let finding = finding_of(&report, FindingKind::EmptyStatement).unwrap();
    assert_eq!((finding.place, finding.count), (Place::Line { line: 1, column: Some(1) }, 4));
}

#[test]
fn left_out_faces_do_not_shift_the_source_lines_of_vertices() {
    let text = format!("v 9 9 9\n{SQUARE}f 9 9 9\nf 3 4 5\n");
    let options = ReadOptions::default();
    let (model, points) = read_merged(&source(&text), &options, &Report::new()).unwrap();
    assert_eq!((points.len(), model.num_triangles()), (3, 1));
    assert_eq!(points.iter().min(), Some(&2));
}

#[test]
fn truncated_files_are_read_or_fail_with_a_place() {
    let whole = "mtllib a.mtl\nv 0.5 1e-3 -2\nv 1 0 0 1 1 1\nv 1 1 0\nvt 0.25 1\nvn 0 0 1\n\
                 o a\nusemtl b\nf 1/1/1 2/1/1 \\\n-1//\ns off\nl 1 2\n";
    for encode in [
        |text: &str| text.as_bytes().to_vec(),
        |text: &str| {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            units.flat_map(u16::to_le_bytes).collect()
        },
    ] {
        let bytes: Vec<u8> = encode(whole);
        for end in 0..bytes.len() {
            let source = Source::new("a.obj", bytes[..end].to_vec());
            let report = Report::new();
            match (OBJ.reader.read)(&source, &ReadOptions::default(), &report) {
                Ok(mut model) => check::check(&mut model, &report),
                Err(error) => {
                    let place = error.place();
                    let has_place = matches!(place, Some(Place::Line { column: Some(_), .. }));
                    assert!(has_place, "cut at {end}: {error}");
                }
            }
        }
    }
}

/// A polygon around the origin, with corners at two alternating distances.
fn star(num: u32) -> (String, f32) {
    let step = std::f64::consts::TAU / f64::from(num);
    let radius = |corner: u32| if corner.is_multiple_of(2) { 1.0 } else { 2.0 };
    let mut text = String::new();
    for corner in 0..num {
        let (sin, cos) = (step * f64::from(corner)).sin_cos();
        let radius = radius(corner);
        text += &format!("v {} {} 0\n", radius * cos, radius * sin);
    }
    text.push('f');
    (1..=num).for_each(|corner| text += &format!(" {corner}"));
    text.push('\n');
    #[expect(clippy::cast_possible_truncation, reason = "an area of a few units")]
    let area = (f64::from(num) * step.sin()) as f32;
    (text, area)
}

#[test]
fn large_polygons_are_triangulated_quickly_and_keep_their_area() {
    for num in [400, 1000, 40_000] {
        let (text, expected) = star(num);
        let (model, report) = read_source(&source(&text));
        let corners = &positions(&model)[0];
        assert_eq!(model.num_triangles(), num as usize - 2);
        let (triangles, _) = corners.as_chunks::<3>();
        let area = |[a, b, c]: &[Option<Vec3>; 3]| {
            let [a, b, c] = [a.unwrap(), b.unwrap(), c.unwrap()];
            let cross = (b - a).cross(c - a);
            assert!(cross.z >= -1e-6, "all turn as the polygon does");
            cross.length() / 2.0
        };
        let sum: f32 = triangles.iter().map(area).sum();
        assert!((sum - expected).abs() < 1e-3 * expected, "{num}: {sum} {expected}");
        assert!(finding_of(&report, FindingKind::PolygonNotSimple).is_none());
    }
}

#[test]
fn many_short_faces_stay_within_the_memory_limit() {
    let text = format!("{SQUARE}{}", "f 1 2 3\n".repeat(700_000));
    assert_eq!(read(&text).num_triangles(), 700_000);
}

/// A NUL separates words like a space.
#[test]
fn a_face_with_nuls_after_its_keyword_is_read_or_reported() {
    let mut left_out = 0;
    for num_nuls in [1, 2, 8, 77] {
        for rest in
            ["", " 1 2 3 4", " 9 9 9", " 9 9 9 9", " -5 -6 -7 -8 -9", "\u{3} 16 33", " 1//7 9/9"]
        {
            let text =
                format!("v 0 0 0\nv 1 0 0\nv 1 1 0\nf{}{rest}\nf 1 2 3\n", "\0".repeat(num_nuls));
            let report = Report::new();
            let model = (OBJ.reader.read)(&source(&text), &ReadOptions::default(), &report);
            let Ok(model) = model else { continue };
            let num_vertices = model.meshes.iter().map(|mesh| mesh.num_vertices()).sum::<usize>();
            assert!(num_vertices >= 3, "{text:?}");
            let num_triangles =
                model.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum::<usize>();
            let finding = finding_of(&report, FindingKind::FaceLeftOut);
            left_out += finding.map_or(0, |finding| finding.count);
            // The valid face stays, and each position is one from the file.
            assert!(num_triangles >= 1, "{text:?}");
            for position in positions(&model).into_iter().flatten() {
                let known = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0)];
                assert!(position.is_some_and(|position| known.contains(&position)), "{text:?}");
            }
        }
    }
    assert!(left_out > 0);
}
