//! Models without vertices, triangles, bones or clips: every writer either refuses them or writes files that can be
//! read.

use glam::Vec3;
use rigscope_core::model::MeshId;
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_io::convert::{ConvertError, ConvertOptions, convert};
use rigscope_io::formats::{FORMATS, ReadOptions, Source, obj, open};
use rigscope_testing::*;

fn checked(mut model: Model) -> Model {
    check::check(&mut model, &Report::new());
    model
}

fn loose(kind: LooseKind, indices: &[u32], points: &[Vec3]) -> Model {
    let mut model = ModelBuilder::new().mesh(points.to_vec()).build();
    model.meshes[MeshId(0)].loose =
        vec![LooseGeometry { kind, indices: indices.to_vec(), material: None }];
    checked(model)
}

fn models() -> Vec<(&'static str, Model)> {
    let clip = Clip { name: "still".to_owned(), duration_secs: 1.0, ..Clip::default() };
    let with_clip = |mut model: Model| {
        model.clips.push(clip.clone());
        checked(model)
    };
    let no_vertices: Vec<Vec3> = Vec::new();
    vec![
        ("nothing", Model::default()),
        ("a mesh without vertices", checked(ModelBuilder::new().mesh(no_vertices).build())),
        ("a point", checked(ModelBuilder::new().mesh(vec![Vec3::X]).build())),
        ("vertices without triangles", checked(ModelBuilder::new().mesh(vec![Vec3::X; 3]).build())),
        ("a loose point", loose(LooseKind::Points, &[0], &[Vec3::X])),
        ("a line", loose(LooseKind::Lines, &[0, 1], &[Vec3::X, Vec3::Y])),
        ("a bone", checked(ModelBuilder::new().chain(&["root"]).build())),
        ("a bone with a clip", with_clip(ModelBuilder::new().chain(&["root"]).build())),
        ("a clip", with_clip(Model::default())),
        ("a triangle with a clip", with_clip(ModelBuilder::new().triangle().build())),
    ]
}

#[test]
fn every_writer_refuses_an_empty_model_or_writes_a_readable_file() {
    let mut faults = Vec::new();
    for (name, model) in models() {
        for format in FORMATS.iter().filter(|format| format.info.can_write) {
            let parts = format.info.parts.iter().map(|part| Some(part.id.to_owned()));
            for part in std::iter::once(None).chain(parts) {
                let mut options = ConvertOptions::default();
                options.write.part.clone_from(&part);
                let extension = format.info.extensions[0];
                let result = convert(&model, format, extension, &options, &Report::new());
                if let Err(error @ ConvertError::ReadBack { .. }) = result {
                    faults.push(format!("{name} as {} {part:?}: {error}", format.info.id));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn posed_objs_of_models_with_vertices_can_be_read() {
    for (name, model) in models().into_iter().filter(|(_, model)| model.num_vertices() > 0) {
        let spec = PoseSpec::default();
        let mut text = String::new();
        let sink = |part: &str| {
            text.push_str(part);
            Ok(())
        };
        obj::write_posed(&model, &spec, &skin_model(&model, &spec), sink).unwrap();
        let source = Source::new("posed.obj", text.clone().into_bytes());
        let read = open(&source, &ReadOptions::default(), &Report::new());
        let num = read.map(|read| read.model.num_vertices());
        assert_eq!(num.ok(), Some(model.num_vertices()), "{name}: {text}");
    }
}
