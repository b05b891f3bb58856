//! Writing names, and losses of parts.

use super::read::read;
use super::scene::{PLAIN, Scene};
use crate::formats::bonespro::write::write;
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use rigscope_core::model::{ClipId, FindingKind, MeshId, Model, Report, Skeleton};

/// A scene with a clip of bones and a clip of vertices.
fn model() -> Model {
    let scene = Scene(PLAIN);
    let (mut model, _) = read(&scene.structure(), &[&scene.bones(), &scene.vertices()]).unwrap();
    model.preserved.clear();
    model
}

fn written(model: &Model, part: &str, report: &Report) -> Result<Vec<OutputFile>, WriteError> {
    let part = (!part.is_empty()).then(|| part.to_owned());
    write(model, &WriteOptions { part, ..WriteOptions::default() }, report)
}

#[test]
fn names_are_single_line_and_clips_get_unique_file_names() {
    let mut model = model();
    let mut bones = model.skeleton.bones().to_vec();
    bones[0].name = "<left>\narm ".to_owned();
    model.skeleton = Skeleton::new(bones, true).unwrap();
    model.clips.push(model.clips[ClipId(0)].clone());
    for (clip, name) in model.clips.iter_mut().zip(["a/b", "A:B", " ."]) {
        name.clone_into(&mut clip.name);
    }
    let report = Report::new();
    let files = written(&model, "", &report).unwrap();
    let place = |file: &OutputFile| match &file.place {
        OutputPlace::Suffix(suffix) => suffix.clone(),
        other => format!("{other:?}"),
    };
    let places: Vec<String> = files.iter().map(place).collect();
    assert_eq!(places, ["Main", ".a_b", ".A_B 2", ".clip 2"]);
    let text = String::from_utf8(files[0].bytes.clone()).unwrap();
    assert!(text.contains("<(left) arm>"), "{text}");
    let findings = report.findings();
    let renamed = findings.iter().find(|finding| finding.kind == FindingKind::ChangedName).unwrap();
    assert_eq!(renamed.count, 4);
    assert_eq!(renamed.message, r#"bone "<left>\narm " is written as "(left) arm""#);
}

#[test]
fn writing_an_empty_part_is_refused() {
    let error = |model: &Model, part: &str| {
        written(model, part, &Report::new()).map(drop).unwrap_err().to_string()
    };
    let mut vertices = model();
    vertices.clips.as_mut_vec().remove(0);
    for part in ["animation-relative", "animation-euler", "mesh-bones"] {
        let known = "the model has no clips of the requested kind to write as BonesPro";
        assert_eq!(error(&vertices, part), known, "{part}");
    }
    assert_eq!(written(&vertices, "mesh-absolute", &Report::new()).unwrap().len(), 1);
    let no_mesh = Model { meshes: Vec::new().into(), ..model() };
    assert_eq!(error(&no_mesh, "mesh-absolute"), "the model has no vertices to write as BonesPro");
    let mut unmoved = model();
    unmoved.meshes[MeshId(0)].skin = rigscope_core::model::Skin::None;
    assert_eq!(
        error(&unmoved, "mesh-bones"),
        "the model has no vertices that bones move to write as BonesPro"
    );
}
