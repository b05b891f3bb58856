//! Which files in the folder are used, and why.

use std::fmt::Write as _;
use std::sync::Arc;

use super::read::assert_moves_as;
use super::scene::{PLAIN, Scene, Spelling, VERTICES};
use crate::formats::source::tests::InMemory;
use crate::formats::{ReadOptions, RelatedFile, Source, open};
use rigscope_core::model::{Detail, FindingKind, Model, RelatedFileRole, RelatedFileUse, Report};
use rigscope_core::pose::{PoseSpec, skin_model};

/// Opens the first of `files` in a folder with all of them; returns the model with findings and related files.
fn opened(files: &[(&str, String)], given: &[(&str, String)]) -> (Model, Report) {
    let related_file = |(name, text): &(&str, String)| RelatedFile {
        name: (*name).to_owned(),
        bytes: Arc::new(text.clone().into_bytes()),
    };
    let source = Source::new(files[0].0, files[0].1.clone().into_bytes())
        .with_related_files(given.iter().map(related_file).collect())
        .with_folders(vec![InMemory::of(files.iter().cloned())]);
    let report = Report::new();
    let options = ReadOptions { fps: Some(20.0), ..ReadOptions::default() };
    let model = open(&source, &options, &report).unwrap().model;
    (model, report)
}

fn reported<'a>(related_files: &'a [RelatedFileUse], file: &str) -> (bool, &'a str) {
    let one = related_files.iter().find(|related_file| related_file.file == file);
    one.map_or((false, "nothing"), |one| (one.is_used, &one.why))
}

fn detail<'a>(model: &'a Model, name: &str) -> &'a str {
    let found = model.details.iter().find(|(known, _)| *known == name);
    let Some((_, Detail::Text(text))) = found else { panic!("no {name}") };
    text
}

fn spread(spread: f64) -> Scene {
    Scene(Spelling { spread, ..PLAIN })
}

#[test]
fn a_structure_loads_the_matching_animations_in_its_folder() {
    let (own, near, far) = (Scene(PLAIN), spread(1.2), spread(3.0));
    let files = [
        ("hero.txt", own.structure()),
        ("hero.walk.txt", own.bones()),
        ("near.txt", near.structure()),
        ("near.walk.txt", near.bones()),
        ("far.walk.txt", far.bones()),
        ("few.txt", own.bones().replacen("5\n", "4\n", 1)),
        ("broken.txt", own.bones().replacen("Absolute", "Somewhere", 1)),
        ("text.txt", "Bones of contention".to_owned()),
    ];
    let (model, report) = opened(&files, &[]);
    assert_eq!(model.clips.iter().map(|clip| &*clip.name).collect::<Vec<_>>(), ["walk"]);
    assert_moves_as(&own, &model, "walk", "in the folder");
    let related_files = report.related_files();
    for (file, known) in [
        ("hero.walk.txt", (true, "has as many bones and vertices as the structure, and fits it")),
        ("near.walk.txt", (false, "another structure fits it better")),
        ("far.walk.txt", (false, "does not fit the structure")),
        ("few.txt", (false, "nothing")),
        ("broken.txt", (false, "nothing")),
    ] {
        assert_eq!(reported(&related_files, file), known, "{file}");
    }
    // A supplied file is used however badly it fits, and then no others.
    let (model, report) = opened(&files, &[("given.txt", far.bones())]);
    assert_eq!(model.clips.iter().map(|clip| &*clip.name).collect::<Vec<_>>(), ["given"]);
    let related_files = report.related_files();
    assert_eq!(reported(&related_files, "given.txt"), (true, "given by the user"));
    assert_eq!(
        reported(&related_files, "hero.walk.txt").1,
        "only used to determine the transform convention"
    );
    assert!(report.findings().iter().any(|finding| finding.kind == FindingKind::PoorFit));
}

#[test]
fn an_animation_loads_the_best_matching_structure_in_its_folder() {
    let scene = Scene(PLAIN);
    let mut files = vec![
        ("walk.txt", scene.bones()),
        ("far.txt", spread(1.3).structure()),
        ("near.txt", scene.structure()),
        ("vertices.txt", scene.vertices()),
    ];
    let (model, report) = opened(&files, &[]);
    assert_eq!(detail(&model, "structure file"), "near.txt");
    assert_eq!(detail(&model, "file"), "animation");
    assert_moves_as(&scene, &model, "walk", "with the structure found");
    let related_files = report.related_files();
    assert_eq!(reported(&related_files, "near.txt"), (true, "fits the animation best, of 2"));
    assert_eq!(reported(&related_files, "far.txt"), (false, "another one fits better"));
    // The vertices in the folder don't become a clip, but determine the convention.
    assert_eq!(model.clips.len(), 1);
    assert_eq!(
        reported(&related_files, "vertices.txt").1,
        "only used to determine the transform convention"
    );
    assert!(detail(&model, "convention error").ends_with("walk.txt against vertices.txt"));
    // Without a structure the parents are unknown.
    let relative = Scene(Spelling { is_relative: true, ..PLAIN });
    files = vec![("walk.txt", relative.bones())];
    let (model, report) = opened(&files, &[]);
    assert_eq!((model.skeleton.len(), model.num_vertices()), (3, 0));
    let findings = report.findings();
    let dropped = findings.iter().find(|finding| finding.kind == FindingKind::Dropped).unwrap();
    assert_eq!(
        dropped.message,
        "the transforms are relative to parents, which only a structure file defines"
    );
    assert!(findings.iter().any(|finding| finding.kind == FindingKind::MissingSkeleton));
}

/// All vertices, the last ones as given, and two triangles.
fn obj(last: &[[f64; 3]]) -> String {
    let mut text = String::new();
    let first = VERTICES.iter().map(|at| at.to_array()).take(VERTICES.len() - 1);
    for [x, y, z] in first.chain(last.iter().copied()) {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    let end = VERTICES.len() - 1 + last.len();
    writeln!(text, "f 1 2 3\nf 3 4 {end}").unwrap();
    text
}

#[test]
fn faces_come_from_a_given_or_same_named_file_or_a_complete_match() {
    let structure = Scene(PLAIN).structure();
    let last = VERTICES[VERTICES.len() - 1].to_array();
    let (whole, odd) = (obj(&[last]), obj(&[[90.0, 0.0, 0.0]]));
    let hero = |name: &'static str, text: &String| {
        vec![("hero.txt", structure.clone()), (name, text.clone())]
    };
    for (files, given, num_triangles) in [
        (hero("hero.obj", &whole), vec![], 2),
        (hero("other.obj", &whole), vec![], 2),
        (hero("hero.obj", &odd), vec![], 1),
        (hero("other.obj", &odd), vec![], 0),
        (hero("hero.obj", &whole), vec![("other.obj", odd.clone())], 1),
        (hero("hero.obj", &"v 1".to_owned()), vec![], 0),
        (hero("hero.glb", &"glTF".to_owned()), vec![], 0),
        (hero("deep/hero.obj", &whole), vec![], 0),
    ] {
        let (model, report) = opened(&files, &given);
        let what = format!("{} {given:?}", files[1].0);
        assert_eq!(model.num_triangles(), num_triangles, "{what}");
        let related_files = report.related_files();
        let taken =
            related_files.iter().find(|one| one.role == RelatedFileRole::Mesh && one.is_used);
        assert_eq!(taken.is_some(), num_triangles > 0, "{what}");
        if let Some(one) = taken {
            assert_eq!(one.why, "its faces, vertices matched by order");
            assert!(
                detail(&model, "faces")
                    .starts_with(&format!("from {}, vertices matched by", one.file))
            );
        }
        let unmatched =
            report.findings().into_iter().find(|n| n.kind == FindingKind::UnmatchedVertices);
        let message = unmatched.map(|finding| finding.message);
        let file = given.first().map_or("hero.obj", |file| file.0);
        let known = format!("1 of the vertices of {file} and 1 of this file's have no counterpart");
        assert_eq!(message, (num_triangles == 1).then_some(known), "{what}");
    }
}

#[test]
fn vertices_of_borrowed_faces_move_with_their_points() {
    let scene = Scene(PLAIN);
    let last = VERTICES[VERTICES.len() - 1].to_array();
    // The reader splits the corner that both triangles share, and the last but one point is unused.
    let files = [
        ("hero.txt", scene.structure()),
        ("hero.vertices.txt", scene.vertices()),
        ("hero.obj", obj(&[last])),
    ];
    let (model, _) = opened(&files, &[]);
    let spec = PoseSpec::linear(model.find_clip("vertices"), 0.1);
    let posed = skin_model(&model, &spec).remove(0).positions;
    let known = [0, 1, 2, 2, 3, 4].map(|vertex| scene.vertex(vertex, 1).as_vec3());
    assert!(posed.iter().zip(known).all(|(at, known)| at.abs_diff_eq(known, 1e-4)), "{posed:?}");
    assert_eq!(posed.len(), known.len());
}
